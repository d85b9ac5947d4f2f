//! The effects of a step, and their visibility.

use kernel::doc::{Named, Names};
use kernel::{Seat, SeatSet, Viewer};
use serde::Serialize;

/// An effect of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Names)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Event {
    /// An order was given: visible only to its faction.
    Ordered(Seat),
    Moved {
        turn: u16,
    },
    /// A battle was fought: visible to the factions in it.
    Fought {
        /// The system of the battle.
        system: u8,
        /// The factions in the battle.
        fought: SeatSet,
        /// The faction that remains.
        winner: Seat,
    },
    Eliminated(Seat),
    Ended,
}

/// An event as one viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Seen {
    pub name: &'static str,
    /// The seat that the event concerns.
    pub seat: Option<Seat>,
    /// The system where it happened.
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
