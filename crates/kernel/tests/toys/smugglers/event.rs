//! The effects of a step, and their visibility.

use kernel::doc::{Named, Names};
use kernel::{Seat, Viewer};
use serde::Serialize;

use super::KINDS;

/// An effect of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Names)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Event {
    /// The dice were rolled.
    Rolled(Seat, [u8; 2]),
    /// A good was drawn from the bag: only the drawer sees which.
    Drew(Seat, usize),
    /// A good was returned.
    Discarded(Seat, usize),
    /// The seat stole a good from the opponent: only the two see which.
    Stole(Seat, usize),
    /// A set was sold for a point.
    Sold(Seat, usize),
    /// The turn passed to the opponent.
    TurnEnded(Seat),
    /// The seat left for good.
    Left(Seat),
    Ended,
}

/// An event as one viewer sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Seen {
    pub name: &'static str,
    /// The seat that acted.
    pub seat: Option<Seat>,
    /// The good, for viewers who may know it.
    pub good: Option<&'static str>,
    /// The faces of the dice.
    pub faces: Option<[u8; 2]>,
}

impl kernel::Event for Event {
    type Seen = Seen;

    fn seen_by(&self, viewer: Viewer) -> Option<Seen> {
        let (seat, good, faces) = match *self {
            Event::Rolled(seat, faces) => (Some(seat), None, Some(faces)),
            Event::Drew(seat, kind) => (Some(seat), Some(kind).filter(|_| viewer.is(seat)), None),
            Event::Stole(seat, kind) => {
                let known = viewer != Viewer::Public;
                (Some(seat), Some(kind).filter(|_| known), None)
            }
            Event::Discarded(seat, kind) | Event::Sold(seat, kind) => {
                (Some(seat), Some(kind), None)
            }
            Event::TurnEnded(seat) | Event::Left(seat) => (Some(seat), None, None),
            Event::Ended => (None, None, None),
        };
        Some(Seen {
            name: self.name(),
            seat,
            good: good.map(|kind| KINDS[kind]),
            faces,
        })
    }
}
