//! The view of a position.

use std::fmt;

use kernel::{Outcome, Seat, SeatSet, Viewer};
use serde::Serialize;

use super::{Armada, End, Faction};

/// The part of a position that a viewer may see: its own fleets and orders, and enemy fleets in the
/// same or neighboring systems.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// The turn, from 1.
    pub turn: u16,
    /// The seats still in the match.
    pub alive: SeatSet,
    /// Fleets by faction and system; `None` where the viewer does not see.
    pub fleets: Vec<Vec<Option<u8>>>,
    /// The viewer's own side; `None` for the public.
    pub own: Option<Own>,
    /// The outcome, once the match is over.
    pub outcome: Option<Outcome>,
}

/// The viewer's own orders.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Own {
    /// The viewer's seat.
    pub seat: Seat,
    /// The system whose fleets are being ordered.
    pub chosen: Option<u8>,
    /// The target of the fleets of each system.
    pub orders: Vec<Option<u8>>,
    /// True once all orders are given.
    pub done: bool,
}

impl View {
    pub(super) fn of(armada: &Armada, viewer: Viewer) -> View {
        let seen = |system: usize| match viewer {
            Viewer::Seat(seat) => armada.sees(seat, system),
            Viewer::Public => false,
        };
        let row = |faction: &Faction| {
            let fleets = |system: usize| seen(system).then_some(faction.fleets[system]);
            armada.systems().map(fleets).collect()
        };
        let factions = &armada.factions[..armada.setup.n_factions.into()];
        let own = match viewer {
            Viewer::Seat(seat) => Some(Own {
                seat,
                chosen: armada.faction(seat).chosen,
                orders: armada.faction(seat).orders[armada.systems()].to_vec(),
                done: armada.done.contains(seat),
            }),
            Viewer::Public => None,
        };
        View {
            turn: armada.turn,
            alive: armada.alive,
            fleets: factions.iter().map(row).collect(),
            own,
            outcome: armada.end.map(End::outcome),
        }
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "turn {}, alive {:?}", self.turn, self.alive)?;
        for row in &self.fleets {
            for fleets in row {
                match fleets {
                    Some(n) => write!(f, "{n:3}")?,
                    None => f.write_str("  ?")?,
                }
            }
            writeln!(f)?;
        }
        match (&self.own, self.outcome) {
            (_, Some(outcome)) => write!(f, "over: {outcome}"),
            (Some(own), None) => write!(f, "{:?} {:?} {}", own.chosen, own.orders, own.done),
            (None, None) => Ok(()),
        }
    }
}

impl fmt::Display for Armada {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "t{} alive {:?} done {:?}",
            self.turn, self.alive, self.done
        )?;
        for seat in self.alive.iter() {
            let faction = self.faction(seat);
            let (fleets, orders) = (&faction.fleets, &faction.orders);
            let (fleets, orders) = (&fleets[self.systems()], &orders[self.systems()]);
            write!(f, " [{fleets:?} {orders:?} {:?}]", faction.chosen)?;
        }
        write!(f, " battles {:b} {:?}", self.battles, self.end)
    }
}
