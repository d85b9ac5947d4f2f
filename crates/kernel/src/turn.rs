//! What a position waits for.

use crate::{Outcome, Seat, SeatSet};

/// What a position waits for. Exactly one kind at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// One seat decides.
    Seat(Seat),
    /// Several seats decide at once, each without seeing the others.
    Sealed(Sealed),
    /// Chance is due: [`Game::odds`](crate::Game::odds) says which outcomes there are.
    Chance,
    /// Nobody has a decision: the position waits for its timer, as between two reveals.
    /// A driver without a clock lets the deadline fall at once.
    Clock,
    /// The match is over. No step is accepted any more.
    Over(Outcome),
}

/// The seats of a simultaneous decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sealed {
    /// Seats that may still play. Their masks are not empty; all others are.
    pub open: SeatSet,
    /// Open seats that have given nothing yet. A driver without a clock asks these,
    /// and once nobody is missing it lets the deadline fall.
    pub missing: SeatSet,
}

impl Turn {
    /// The seats that may play now.
    pub fn open(&self) -> SeatSet {
        match self {
            Turn::Seat(seat) => SeatSet::only(*seat),
            Turn::Sealed(sealed) => sealed.open,
            Turn::Chance | Turn::Clock | Turn::Over(_) => SeatSet::EMPTY,
        }
    }

    /// The seats without whom a driver that has no clock cannot go on.
    pub fn missing(&self) -> SeatSet {
        match self {
            Turn::Sealed(sealed) => sealed.missing,
            other => other.open(),
        }
    }

    /// How the match ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Turn::Over(outcome) => Some(*outcome),
            _ => None,
        }
    }
}
