//! Armada: two to five factions on a ring of systems, with sealed orders and fog.
//!
//! In a turn every faction orders its fleets, each in two small steps (which fleet, then
//! where to), and says when it is done. Once all are done, or at the deadline, all fleets
//! move at once; where several factions meet, chance decides the battle. A faction
//! without fleets is out. It has the shape of Stellar: the number of seats and the action
//! space come from the setup, and the others' orders never show.

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

/// The most factions.
pub const FACTIONS_MAX: usize = 5;
/// The most systems.
pub const SYSTEMS_MAX: usize = 12;
/// A faction builds no more while it has this many fleets.
const FLEETS_MAX: u8 = 20;
/// Fleets of a faction at the start.
const FLEETS_START: u8 = 4;

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Armada {
    setup: Setup,
    turn: u16,
    factions: [Faction; FACTIONS_MAX],
    alive: SeatSet,
    done: SeatSet,
    /// Systems with a battle that is not fought yet, a bit each.
    battles: u16,
    end: Option<End>,
}

/// What one faction has and wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Faction {
    /// Fleets by system.
    fleets: [u8; SYSTEMS_MAX],
    /// Where the fleets of each system go.
    orders: [Option<u8>; SYSTEMS_MAX],
    /// The system whose fleets are being ordered.
    chosen: Option<u8>,
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// One faction is left.
    Last(Seat),
    /// The turns are over; these have the most fleets, or nobody has more than another.
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

    /// All systems.
    fn systems(&self) -> std::ops::Range<usize> {
        0..self.setup.n_systems.into()
    }

    /// The two systems beside this one.
    fn beside(&self, system: usize) -> [usize; 2] {
        let n = usize::from(self.setup.n_systems);
        [(system + n - 1) % n, (system + 1) % n]
    }

    /// Who has fleets in a system.
    fn held_by(&self, system: usize) -> SeatSet {
        let held = |seat: &Seat| self.faction(*seat).fleets[system] > 0;
        Seat::first(FACTIONS_MAX).filter(held).collect()
    }

    /// Whether the seat sees a system: it has fleets there or beside it.
    fn sees(&self, seat: Seat, system: usize) -> bool {
        let own = |system: usize| self.faction(seat).fleets[system] > 0;
        own(system) || self.beside(system).into_iter().any(own)
    }
}
