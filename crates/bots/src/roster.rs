//! The agents of a game, by name.

use std::fmt;

use kernel::Game;
use learn::Learn;

use crate::mcts::MCTS;
use crate::{Agent, Random, mcts, net};

/// The agents that were written for one game.
pub trait Bots<G: Game> {
    /// The names, weakest first, each with a one-sentence description. The agents that play any
    /// game are not among them: [`roster`] adds them.
    const AGENTS: &'static [(&'static str, &'static str)];

    /// The agent with this name, ready for matches with this setup. `None` if the game has no such
    /// agent.
    fn agent(name: &str, setup: &G::Setup) -> Option<Result<Box<dyn Agent<G>>, NoAgent>>;

    /// The agents that measure how even a setup is. `None` if the game names none.
    fn peers(_: &G::Setup) -> Option<Peers> {
        None
    }
}

/// The agents that measure how even a setup is, by name, with one for each seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Peers {
    /// Agents that play each seat as well as they can.
    pub strong: Vec<String>,
    /// Agents that play each seat in the same style with less skill.
    pub weak: Vec<String>,
}

impl Peers {
    /// The names of a line-up with one strong agent, in this seat, among weak ones.
    pub fn one_strong(&self, seat: usize) -> Vec<String> {
        let mut names = self.weak.clone();
        if let (Some(name), Some(strong)) = (names.get_mut(seat), self.strong.get(seat)) {
            name.clone_from(strong);
        }
        names
    }
}

/// The bots of a game that has none of its own.
pub struct NoBots;

impl<G: Game> Bots<G> for NoBots {
    const AGENTS: &'static [(&'static str, &'static str)] = &[];

    fn agent(_: &str, _: &G::Setup) -> Option<Result<Box<dyn Agent<G>>, NoAgent>> {
        None
    }
}

/// The agent with this name, ready for matches with this setup: one of the game's own, or one that
/// plays any game.
pub fn agent<G: Learn, B: Bots<G>>(
    name: &str,
    setup: &G::Setup,
) -> Result<Box<dyn Agent<G>>, NoAgent> {
    if name == RANDOM.0 {
        return Ok(Box::new(Random::default()));
    }
    let agent = B::agent(name, setup)
        .or_else(|| mcts::agent(name))
        .or_else(|| net::agent(name, setup));
    agent.unwrap_or_else(|| {
        Err(NoAgent::Unknown {
            name: name.to_owned(),
            known: GENERIC
                .iter()
                .chain(B::AGENTS)
                .map(|(name, _)| *name)
                .collect(),
        })
    })
}

/// The name and description of the agent that plays any game at random.
const RANDOM: (&str, &str) = ("random", "Picks legal actions uniformly at random.");

/// The agents that play any game, weakest first, each with a one-sentence description.
pub const GENERIC: [(&str, &str); 2] = [RANDOM, MCTS];

/// All agents of a game: the [generic](GENERIC) ones, then these, `N` in total.
pub const fn roster<const N: usize>(
    own: &'static [(&'static str, &'static str)],
) -> [(&'static str, &'static str); N] {
    let mut all = [RANDOM; N];
    let mut idx = 1;
    while idx < N {
        all[idx] = match idx < GENERIC.len() {
            true => GENERIC[idx],
            false => own[idx - GENERIC.len()],
        };
        idx += 1;
    }
    all
}

/// The reason an agent cannot be seated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoAgent {
    /// No agent has this name.
    Unknown {
        /// The name that was requested.
        name: String,
        /// The available names.
        known: Vec<&'static str>,
    },
    /// The agent cannot play this setup.
    Unfit {
        /// The agent's name.
        name: &'static str,
        /// The reason it cannot.
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
