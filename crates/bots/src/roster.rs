//! The agents of a game by name.

use std::fmt;

use kernel::Game;
use learn::Learn;

use crate::{Agent, Random, net};

/// The agents that were written for one game.
pub trait Bots<G: Game> {
    /// The names, weakest first, each with a sentence. [`RANDOM`] is the first of them.
    const AGENTS: &'static [(&'static str, &'static str)];

    /// The agent of this name, made ready for matches with this setup; none if there is no
    /// such agent.
    fn agent(name: &str, setup: &G::Setup) -> Option<Result<Box<dyn Agent<G>>, NoAgent>>;
}

/// The agent of this name, made ready for matches with this setup: one of the game's own, or one
/// that plays any game.
pub fn agent<G: Learn, B: Bots<G>>(
    name: &str,
    setup: &G::Setup,
) -> Result<Box<dyn Agent<G>>, NoAgent> {
    if name == RANDOM.0 {
        return Ok(Box::new(Random::default()));
    }
    let agent = B::agent(name, setup).or_else(|| net::agent(name, setup));
    agent.unwrap_or_else(|| {
        Err(NoAgent::Unknown {
            name: name.to_owned(),
            known: B::AGENTS.iter().map(|(name, _)| *name).collect(),
        })
    })
}

/// The agent that plays any game without thinking.
pub const RANDOM: (&str, &str) = (
    "random",
    "Takes any legal action, each as likely as the others.",
);

/// Why an agent cannot be seated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoAgent {
    /// There is none of this name.
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// It cannot play this setup.
    Unfit {
        /// The agent.
        name: &'static str,
        /// Why not.
        reason: String,
    },
}

impl fmt::Display for NoAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAgent::Unknown { name, known } => {
                let known = known.join(", ");
                write!(f, "there is no agent {name:?}; the agents are: {known}")
            }
            NoAgent::Unfit { name, reason } => {
                write!(f, "the agent {name:?} cannot play this: {reason}")
            }
        }
    }
}

impl std::error::Error for NoAgent {}
