//! The inputs that change a position.

use schemars::JsonSchema;
use serde::Serialize;

use crate::doc::{Document, Names};
use crate::{Draw, Seat, SeatSet};

/// One input to a position. A match is its setup and a list of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<A> {
    /// A seat decides.
    Play(Seat, A),
    /// Chance is resolved.
    Chance(Draw),
    /// The position's time ran out.
    Deadline,
    /// Seats leave for good, at the same instant.
    Leave(SeatSet, Departure),
}

/// The cause of a departure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, JsonSchema, Document, Names)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Departure {
    /// The connection was lost and no grace period is left.
    Disconnect,
    /// The player resigned.
    Resign,
    /// The host removed the seat, as in a shutdown or when a record is quarantined.
    Cancel,
    /// The player was connected and missed too many deadlines in a row.
    Timeout,
}
