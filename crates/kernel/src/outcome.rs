//! The result of a match.

use std::fmt;

use serde::Serialize;
use serde::ser::SerializeMap;

use crate::{Seat, SeatSet};

/// The result of a match: the verdict, the reason, and how it was closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The result for each seat.
    pub verdict: Verdict,
    /// The reason, as a stable code of the game.
    pub reason: Reason,
    /// Decided by the rules, or cut off by the game's hard limit.
    pub close: Close,
}

/// A game's own type for the ways its matches end. Documents write it as an [`Outcome`].
pub trait Endings: Copy + Into<Outcome> + Serialize {
    /// Every ending that the game can have.
    fn all() -> impl Iterator<Item = Self>;
}

/// The result for each seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// One seat won; the others lost.
    Winner(Seat),
    /// Several seats won together; the others lost.
    Winners(SeatSet),
    /// Nobody won and nobody lost; stakes are returned.
    Draw,
    /// Everybody lost; a stake, if any, goes to nobody.
    AllLose,
    /// The match does not count; stakes are returned.
    Void,
}

/// A game's stable code for the reason of an outcome or a refusal, such as `timeout`.
#[derive(Clone, Copy, Eq, Debug)]
pub struct Reason(pub &'static str);

impl PartialEq for Reason {
    /// The same constant is equal at a glance; only others are compared letter by letter.
    #[inline]
    fn eq(&self, other: &Reason) -> bool {
        std::ptr::eq(self.0, other.0) || self.0 == other.0
    }
}

/// The way a match was closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Close {
    /// The rules of the game decided it.
    Decided,
    /// The game's hard limit on rounds or turns cut it off.
    Truncated,
}

impl Verdict {
    /// The verdict in favor of these seats: a draw if there are none.
    pub fn of(winners: SeatSet) -> Verdict {
        match (winners.sole(), winners.is_empty()) {
            (Some(winner), _) => Verdict::Winner(winner),
            (None, true) => Verdict::Draw,
            (None, false) => Verdict::Winners(winners),
        }
    }
}

impl Outcome {
    /// An outcome decided by the rules.
    pub const fn decided(verdict: Verdict, reason: &'static str) -> Outcome {
        Outcome {
            verdict,
            reason: Reason(reason),
            close: Close::Decided,
        }
    }

    /// An outcome forced by the game's hard limit.
    pub const fn truncated(verdict: Verdict, reason: &'static str) -> Outcome {
        Outcome {
            verdict,
            reason: Reason(reason),
            close: Close::Truncated,
        }
    }

    /// The result for a seat: 1 for a win, -1 for a loss, 0 for neither.
    #[inline]
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
    /// The stable code of this kind of verdict.
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
