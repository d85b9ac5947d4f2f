//! How a match ended.

use std::fmt;

use serde::Serialize;
use serde::ser::SerializeMap;

use crate::{Seat, SeatSet};

/// How a match ended: what it means for each seat, why, and whether it was played out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// What it means for each seat.
    pub verdict: Verdict,
    /// Why, as a stable code of the game.
    pub reason: Reason,
    /// Played out, or cut off by the game's hard bound.
    pub close: Close,
}

/// What an end means for each seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// One seat won; the others lost.
    Winner(Seat),
    /// Several seats won together; the others lost.
    Winners(SeatSet),
    /// Nobody won and nobody lost; stakes go back.
    Draw,
    /// Everybody lost; a stake, if there is one, goes to nobody.
    AllLose,
    /// The match does not count; stakes go back.
    Void,
}

/// A game's stable code for why a match ended, such as `timeout`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reason(pub &'static str);

/// Whether a match was played out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Close {
    /// The rules of the game decided it.
    Decided,
    /// The game's hard bound on rounds or turns cut it off.
    Truncated,
}

impl Outcome {
    /// An end that the rules decided.
    pub const fn decided(verdict: Verdict, reason: &'static str) -> Outcome {
        Outcome {
            verdict,
            reason: Reason(reason),
            close: Close::Decided,
        }
    }

    /// An end by the game's hard bound.
    pub const fn truncated(verdict: Verdict, reason: &'static str) -> Outcome {
        Outcome {
            verdict,
            reason: Reason(reason),
            close: Close::Truncated,
        }
    }

    /// What the end is worth to a seat: 1 won, -1 lost, 0 neither.
    pub fn score(&self, seat: Seat) -> i8 {
        match self.verdict {
            Verdict::Winner(winner) if winner == seat => 1,
            Verdict::Winners(winners) if winners.contains(seat) => 1,
            Verdict::Winner(_) | Verdict::Winners(_) | Verdict::AllLose => -1,
            Verdict::Draw | Verdict::Void => 0,
        }
    }

    /// The seats that won.
    pub fn winners(&self) -> SeatSet {
        match self.verdict {
            Verdict::Winner(seat) => SeatSet::only(seat),
            Verdict::Winners(seats) => seats,
            Verdict::Draw | Verdict::AllLose | Verdict::Void => SeatSet::EMPTY,
        }
    }
}

impl Verdict {
    /// The stable code of the kind of verdict.
    pub const fn code(&self) -> &'static str {
        match self {
            Verdict::Winner(_) | Verdict::Winners(_) => "win",
            Verdict::Draw => "draw",
            Verdict::AllLose => "all_lose",
            Verdict::Void => "void",
        }
    }
}

impl Serialize for Outcome {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("reason", self.reason.0)?;
        map.serialize_entry("result", self.verdict.code())?;
        map.serialize_entry("truncated", &(self.close == Close::Truncated))?;
        map.serialize_entry("winners", &self.winners())?;
        map.end()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.verdict {
            Verdict::Winner(seat) => write!(f, "seat {seat} wins")?,
            Verdict::Winners(seats) => {
                let names: Vec<String> = seats.iter().map(|seat| seat.to_string()).collect();
                write!(f, "seats {} win", names.join(", "))?;
            }
            Verdict::Draw => f.write_str("draw")?,
            Verdict::AllLose => f.write_str("everybody loses")?,
            Verdict::Void => f.write_str("void")?,
        }
        write!(f, " ({}", self.reason.0)?;
        match self.close {
            Close::Decided => f.write_str(")"),
            Close::Truncated => f.write_str(", cut off)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_follow_the_verdict() {
        let score = |verdict| {
            let outcome = Outcome::decided(verdict, "test");
            [outcome.score(Seat::FIRST), outcome.score(Seat::SECOND)]
        };
        assert_eq!(score(Verdict::Winner(Seat::SECOND)), [-1, 1]);
        assert_eq!(score(Verdict::Winners(SeatSet::first(2))), [1, 1]);
        assert_eq!(score(Verdict::Draw), [0, 0]);
        assert_eq!(score(Verdict::AllLose), [-1, -1]);
        assert_eq!(score(Verdict::Void), [0, 0]);
    }

    #[test]
    fn an_outcome_reads_as_a_sentence() {
        let cut = Outcome::truncated(Verdict::Draw, "round_cap");
        assert_eq!(cut.to_string(), "draw (round_cap, cut off)");
        let both = Outcome::decided(Verdict::Winners(SeatSet::first(2)), "shared");
        assert_eq!(both.to_string(), "seats 0, 1 win (shared)");
    }
}
