//! What can happen to a position.

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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Departure {
    /// The connection was lost and no grace is left.
    Disconnect,
    /// The player was connected and missed too many deadlines in a row.
    Timeout,
    /// The player gave up.
    Resign,
    /// The host took the seat away: a shutdown, a quarantined record.
    Cancel,
}

impl Departure {
    /// All causes.
    pub const ALL: [Departure; 4] = [
        Departure::Disconnect,
        Departure::Resign,
        Departure::Cancel,
        Departure::Timeout,
    ];

    /// The stable code in records and on the wire.
    pub const fn code(self) -> &'static str {
        match self {
            Departure::Disconnect => "disconnect",
            Departure::Timeout => "timeout",
            Departure::Resign => "resign",
            Departure::Cancel => "cancel",
        }
    }
}
