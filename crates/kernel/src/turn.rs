//! The input that a position waits for.

use crate::{Outcome, Seat, SeatSet};

/// The input that a position waits for: exactly one kind at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// One seat decides.
    Seat(Seat),
    /// Several seats decide at once, each without seeing the others.
    Sealed(Sealed),
    /// Chance is due: [`Game::odds`](crate::Game::odds) lists the outcomes.
    Chance,
    /// No seat has a decision: the position waits for its timer, as between two reveals. A driver
    /// without a clock lets the deadline pass immediately.
    Clock,
    /// The match is over. No further step is accepted.
    Over(Outcome),
}

/// The seats of a simultaneous decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sealed {
    /// Seats that may still play. Their masks are not empty; all other masks are.
    pub open: SeatSet,
    /// Open seats that have not played yet. A driver without a clock asks these, and lets the
    /// deadline pass once no seat is missing.
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

    /// The seats that a driver without a clock must ask before it can continue.
    pub fn missing(&self) -> SeatSet {
        match self {
            Turn::Sealed(sealed) => sealed.missing,
            other => other.open(),
        }
    }

    /// The outcome of the match, once it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Turn::Over(outcome) => Some(*outcome),
            _ => None,
        }
    }
}
