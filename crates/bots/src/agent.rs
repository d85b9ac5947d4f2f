//! Who decides for a seat.

use std::fmt;

use kernel::rng::Generator;
use kernel::{Game, Perspective, Seat};
use serde::Serialize;

/// Who decides for a seat, by what the seat may see.
pub trait Agent<G: Game>: Send + Sync {
    /// The name it is seated by.
    fn name(&self) -> &str;

    /// A new match begins. Whatever the agent remembers of another is to be forgotten: the
    /// result of a match must not depend on which ones were played before it.
    fn begin(&mut self) {}

    /// Decides, or lets the time run out. It is asked only when its seat is missing;
    /// whatever randomness it wants it draws from the seat's own generator, so that a match
    /// repeats exactly and no seat can foresee another.
    fn choose(&mut self, seen: &Perspective<'_, G>, rng: &mut Generator) -> Option<G::Action>;

    /// How it sees the chances of all seats, by what this seat may see; none when it has no
    /// opinion.
    fn evaluate(&mut self, _seen: &Perspective<'_, G>) -> Option<Evaluation> {
        None
    }

    /// Why it cannot decide any more, if it cannot: a program that died. Asked when it has
    /// chosen nothing; the match is then not played on.
    fn fault(&self) -> Option<String> {
        None
    }

    /// Another one like it, for another thread.
    fn again(&self) -> Box<dyn Agent<G>>;
}

/// The chance of winning of each seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Evaluation {
    /// In thousandths, by seat, 1000 in all. A draw counts as a share of a win to each.
    pub win_permille: Vec<u16>,
}

/// An agent that could not decide, so that its match has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentFault {
    /// Its seat.
    pub seat: Seat,
    /// Its name.
    pub agent: String,
    /// What went wrong.
    pub message: String,
}

impl fmt::Display for AgentFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AgentFault {
            seat,
            agent,
            message,
        } = self;
        write!(f, "the agent {agent:?} in seat {seat} failed: {message}")
    }
}

impl std::error::Error for AgentFault {}
