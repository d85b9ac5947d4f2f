//! What can happen to a position.

use schemars::JsonSchema;
use serde::Serialize;

use crate::doc::{Document, Names};
use crate::{Draw, Seat, SeatSet};

/// One thing that happens to a position. A match is its setup and a list of these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<A> {
    /// A seat decides.
    Play(Seat, A),
    /// Chance comes out.
    Chance(Draw),
    /// The time that the position allowed is over.
    Deadline,
    /// Seats leave for good, at the same instant.
    Leave(SeatSet, Departure),
}

/// Why a seat left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, JsonSchema, Document, Names)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Departure {
    /// The connection was lost and no grace is left.
    Disconnect,
    /// The player gave up.
    Resign,
    /// The host took the seat away: a shutdown, a quarantined record.
    Cancel,
    /// The player was connected and missed too many deadlines in a row.
    Timeout,
}
