//! A tiny game that can break one promise on request.
//!
//! Twice, two seats pick a number in secret, and a coin decides if the higher or the lower pick
//! scores. In the second round there is one more number to pick.

mod document;
mod fault;
mod hidden;
mod play;

pub use fault::{Fault, with_fault};

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

use fault::is;
use kernel::doc::{Document, Names};
use kernel::{Outcome, Seat, SeatSet, Verdict, Viewer};
use serde::Serialize;

/// A position, padded with unused bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken<const PAD: usize> {
    picks: [Option<u8>; 2],
    points: [u8; 2],
    round: u8,
    end: Option<End>,
    /// The seat that picked first: only a faulty game remembers it.
    first: Option<Seat>,
    /// Outside state that a faulty game reads.
    taint: u32,
    marks: Marks,
    pad: [u8; PAD],
}

/// The number of rounds of a match.
const N_ROUNDS: u8 = 2;
/// The number of picks in the last round.
const N_PICKS: u8 = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Won(Seat),
    Draw,
    Void,
}

impl End {
    const NAMES: [&str; 4] = ["first", "second", "draw", "void"];
    const ALL: [End; 4] = [
        End::Won(Seat::FIRST),
        End::Won(Seat::SECOND),
        End::Draw,
        End::Void,
    ];

    fn name(self) -> &'static str {
        let idx = End::ALL.iter().position(|end| *end == self);
        End::NAMES[idx.unwrap_or(3)]
    }

    fn outcome(self) -> Outcome {
        let verdict = match self {
            End::Won(seat) => Verdict::Winner(seat),
            End::Draw => Verdict::Draw,
            End::Void => Verdict::Void,
        };
        Outcome::decided(verdict, self.name())
    }
}

/// A counter that even a shared reference can change.
#[derive(Debug, Default)]
struct Marks(AtomicU32);

impl Marks {
    fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn get(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Clone for Marks {
    fn clone(&self) -> Marks {
        Marks(AtomicU32::new(self.get()))
    }
}

impl PartialEq for Marks {
    fn eq(&self, other: &Marks) -> bool {
        self.get() == other.get()
    }
}

impl Eq for Marks {}

/// The standard match is the only one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, schemars::JsonSchema)]
pub struct Setup {}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Document)]
#[serde(transparent)]
pub struct Pick(#[schemars(range(max = 3))] u8);

/// A decision as written in a record.
#[derive(Serialize, Document, Names)]
#[serde(tag = "type", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Decision {
    /// Consecutive picks of one seat.
    Pick { picks: Vec<Pick> },
}

impl fmt::Display for Pick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = if is(Fault::TextsRepeat) {
            self.0 / 2
        } else {
            self.0
        };
        write!(f, "pick:{shown}")
    }
}

/// An effect of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A seat picked: visible only to that seat.
    Picked(Seat, u8),
    /// The coin was drawn, with the first seat's pick.
    Coin(u64, u8),
    Ended,
}

impl kernel::doc::Named for Event {
    const NAMES: &'static [&'static str] = &["PICKED", "COIN", "ENDED"];

    fn name(&self) -> &'static str {
        match self {
            Event::Picked(..) => "PICKED",
            Event::Coin(..) if is(Fault::EventUnlisted) => "TAIL",
            Event::Coin(..) => "COIN",
            Event::Ended => "ENDED",
        }
    }
}

impl kernel::Event for Event {
    type Seen = &'static str;

    fn seen_by(&self, viewer: Viewer) -> Option<&'static str> {
        match self {
            Event::Picked(_, pick) if is(Fault::EventLeaks) => {
                Some(["0", "1", "2", "3"][*pick as usize])
            }
            Event::Picked(seat, _) => viewer.is(*seat).then(|| kernel::doc::Named::name(self)),
            Event::Coin(_, pick) if is(Fault::CoinLeaks) => {
                Some(["0", "1", "2", "3"][*pick as usize])
            }
            Event::Coin(..) | Event::Ended => Some(kernel::doc::Named::name(self)),
        }
    }
}

impl<const PAD: usize> Broken<PAD> {
    const SEATS: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

    fn seats_without_pick(&self) -> SeatSet {
        let empty = |seat: &Seat| self.picks[seat.index()].is_none();
        Self::SEATS.into_iter().filter(empty).collect()
    }
}

impl<const PAD: usize> fmt::Display for Broken<PAD> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Broken { picks, points, .. } = self;
        write!(f, "r{} {picks:?} {points:?} {:?}", self.round, self.end)
    }
}
