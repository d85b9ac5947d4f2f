//! What a step causes, and who may know it.

use kernel::doc::{Named, Names};
use kernel::{Seat, SeatSet, Viewer};
use serde::Serialize;

/// What a step causes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Names)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Event {
    /// An order was given: only its faction learns of it.
    Ordered(Seat),
    /// All fleets moved.
    Moved {
        /// The turn.
        turn: u16,
    },
    /// A battle was fought: those who were in it learn of it.
    Fought {
        /// Where.
        system: u8,
        /// Who was there.
        fought: SeatSet,
        /// Who stays.
        winner: Seat,
    },
    /// A faction is out.
    Eliminated(Seat),
    /// The match is over.
    Ended,
}

/// An event as one viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Seen {
    /// The name of the event.
    pub name: &'static str,
    /// Whom it is about.
    pub seat: Option<Seat>,
    /// Where it was.
    pub system: Option<u8>,
}

impl kernel::Event for Event {
    type Seen = Seen;

    fn seen_by(&self, viewer: Viewer) -> Option<Seen> {
        let (seat, system, known) = match *self {
            Event::Ordered(seat) => (Some(seat), None, viewer.is(seat)),
            Event::Moved { .. } | Event::Ended => (None, None, true),
            Event::Fought {
                system,
                fought,
                winner,
            } => {
                let was_there = fought.iter().any(|seat| viewer.is(seat));
                (Some(winner), Some(system), was_there)
            }
            Event::Eliminated(seat) => (Some(seat), None, true),
        };
        known.then_some(Seen {
            name: self.name(),
            seat,
            system,
        })
    }
}
