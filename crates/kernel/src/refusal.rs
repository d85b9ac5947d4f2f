//! Refused steps.

use std::fmt;

use crate::{Draw, Reason, Seat};

/// The reason a step was refused. A refused step changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The match is over.
    Over,
    /// The seat has no decision to make now.
    NotYourTurn(Seat),
    /// The rules do not allow the action; the game says why.
    Illegal(Seat, Reason),
    /// A draw was given although no chance is due.
    NoChanceDue,
    /// Chance is due, and nothing else can happen before it.
    ChanceDue,
    /// The draw is not among the possible outcomes.
    NoSuchDraw(Draw),
    /// Every seat that leaves must still be in the match, and there must be at least one.
    CannotLeave,
}

impl Refusal {
    /// The stable code on the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Refusal::Over => "match_over",
            Refusal::NotYourTurn(_) => "not_your_turn",
            Refusal::Illegal(_, reason) => reason.0,
            Refusal::NoChanceDue => "no_chance_due",
            Refusal::ChanceDue => "chance_due",
            Refusal::NoSuchDraw(_) => "no_such_draw",
            Refusal::CannotLeave => "cannot_leave",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Over => f.write_str("the match is over"),
            Refusal::NotYourTurn(seat) => write!(f, "seat {seat} has nothing to decide now"),
            Refusal::Illegal(seat, reason) => {
                write!(f, "seat {seat} cannot play this now ({})", reason.0)
            }
            Refusal::NoChanceDue => f.write_str("no chance is due"),
            Refusal::ChanceDue => f.write_str("chance is due first"),
            Refusal::NoSuchDraw(draw) => {
                write!(f, "{} is not a possible outcome of chance", draw.0)
            }
            Refusal::CannotLeave => {
                f.write_str("a departure needs at least one seat that is still in the match")
            }
        }
    }
}

impl std::error::Error for Refusal {}
