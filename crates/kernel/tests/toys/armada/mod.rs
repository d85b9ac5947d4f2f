//! Armada: two to five factions on a ring of systems, with sealed orders and fog.
//!
//! In a turn every faction orders its fleets, each in two small steps (which fleet, then its
//! target), and declares when it is done. Once all are done, or at the deadline, all fleets move at
//! once; where several factions meet, chance decides the battle. A faction without fleets is
//! eliminated. The game has the shape of Stellar: the number of seats and the action space come
//! from the setup, and the orders of other factions are never visible.

mod action;
mod describe;
mod event;
mod play;
mod redraw;
mod setup;
mod snapshot;
mod view;

pub use action::{Action, Decision};
pub use event::Event;
pub use setup::Setup;
pub use view::View;

use kernel::{Outcome, Seat, SeatSet, Verdict};

/// The maximum number of factions.
pub const FACTIONS_MAX: usize = 5;
/// The maximum number of systems.
pub const SYSTEMS_MAX: usize = 12;
/// A faction builds no more while it has this many fleets.
const FLEETS_MAX: u8 = 20;
/// The number of fleets of a faction at the start.
const FLEETS_START: u8 = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Armada {
    setup: Setup,
    turn: u16,
    factions: [Faction; FACTIONS_MAX],
    alive: SeatSet,
    done: SeatSet,
    /// One bit for each system with a battle that has not been fought yet.
    battles: u16,
    end: Option<End>,
}

/// The fleets and orders of one faction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Faction {
    fleets: [u8; SYSTEMS_MAX],
    /// The target of the fleets of each system.
    orders: [Option<u8>; SYSTEMS_MAX],
    /// The system whose fleets are being ordered.
    chosen: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// One faction is left.
    Last(Seat),
    /// The last turn is over; these have the most fleets. Empty if all have equally many.
    Most(SeatSet),
    /// Everybody left.
    Void,
}

impl End {
    fn outcome(self) -> Outcome {
        match self {
            End::Last(seat) => Outcome::decided(Verdict::Winner(seat), "last"),
            End::Most(SeatSet::EMPTY) => Outcome::truncated(Verdict::Draw, "most_fleets"),
            End::Most(seats) => Outcome::truncated(Verdict::Winners(seats), "most_fleets"),
            End::Void => Outcome::decided(Verdict::Void, "void"),
        }
    }
}

impl Faction {
    fn n_fleets(&self) -> u8 {
        self.fleets.iter().sum()
    }

    fn forget_orders(&mut self) {
        self.orders = [None; SYSTEMS_MAX];
        self.chosen = None;
    }
}

impl Armada {
    fn faction(&self, seat: Seat) -> &Faction {
        &self.factions[seat.index()]
    }

    fn systems(&self) -> std::ops::Range<usize> {
        0..self.setup.n_systems.into()
    }

    /// The two neighbors of a system.
    fn beside(&self, system: usize) -> [usize; 2] {
        let n = usize::from(self.setup.n_systems);
        [(system + n - 1) % n, (system + 1) % n]
    }

    /// The factions with fleets in a system.
    fn held_by(&self, system: usize) -> SeatSet {
        let held = |seat: &Seat| self.faction(*seat).fleets[system] > 0;
        Seat::first(FACTIONS_MAX).filter(held).collect()
    }

    /// True if the seat sees a system: it has fleets there or in a neighboring one.
    fn sees(&self, seat: Seat, system: usize) -> bool {
        let own = |system: usize| self.faction(seat).fleets[system] > 0;
        own(system) || self.beside(system).into_iter().any(own)
    }
}
