//! The agents of a game by name.

use std::fmt;

use ::catan::Catan;
use ::orcain::{Orcain, Setup};
use ::stellar::Stellar;
use kernel::Game;

use crate::catan::{Bound, Heuristic, Search};
use crate::orcain::{Equilibrium, EquilibriumAgent};
use crate::stellar::{COMMANDERS, Commander};
use crate::{Agent, Random, net};

/// A game with agents to seat.
pub trait Roster: Game {
    /// The names, weakest first, each with a sentence.
    const AGENTS: &'static [(&'static str, &'static str)];

    /// The agent of this name, made ready for matches with this setup.
    fn agent(name: &str, setup: &Self::Setup) -> Result<Box<dyn Agent<Self>>, NoAgent>;
}

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

impl NoAgent {
    fn unknown<G: Roster>(name: &str) -> NoAgent {
        NoAgent::Unknown {
            name: name.to_owned(),
            known: G::AGENTS.iter().map(|(name, _)| *name).collect(),
        }
    }
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

impl Roster for Orcain {
    const AGENTS: &'static [(&'static str, &'static str)] = &[
        (
            "random",
            "Takes any legal action, each as likely as the others.",
        ),
        (
            "equilibrium",
            "Plays an exact equilibrium: nobody can gain anything against it.",
        ),
    ];

    fn agent(name: &str, setup: &Setup) -> Result<Box<dyn Agent<Orcain>>, NoAgent> {
        match name {
            "random" => Ok(Box::new(Random::default())),
            "equilibrium" => match Equilibrium::solve(setup) {
                Ok(solved) => Ok(Box::new(EquilibriumAgent::new(solved))),
                Err(error) => Err(NoAgent::Unfit {
                    name: "equilibrium",
                    reason: error.to_string(),
                }),
            },
            _ => net::agent(name, setup).unwrap_or_else(|| Err(NoAgent::unknown::<Orcain>(name))),
        }
    }
}

impl Roster for Catan {
    const AGENTS: &'static [(&'static str, &'static str)] = &[
        (
            "random",
            "Takes any legal action, each as likely as the others.",
        ),
        (
            "heuristic",
            "Takes the decision after which it stands best.",
        ),
        (
            "search",
            "Tries decisions out over the next turns; search:nodes=N or search:ms=N bounds it.",
        ),
    ];

    fn agent(name: &str, setup: &::catan::Setup) -> Result<Box<dyn Agent<Catan>>, NoAgent> {
        match name {
            "random" => Ok(Box::new(Random::default())),
            "heuristic" => Ok(Box::new(Heuristic::default())),
            "search" => Ok(Box::new(Search::new(name, Bound::DEFAULT))),
            _ => match name.strip_prefix("search:") {
                Some(bound) => Ok(Box::new(Search::new(name, read_bound(bound)?))),
                None => {
                    net::agent(name, setup).unwrap_or_else(|| Err(NoAgent::unknown::<Catan>(name)))
                }
            },
        }
    }
}

/// A search's bound: `nodes=N` or `ms=N`.
fn read_bound(text: &str) -> Result<Bound, NoAgent> {
    let number = |text: &str| text.parse().ok().filter(|n| (1..=Bound::MAX).contains(n));
    let bound = match text.split_once('=') {
        Some(("nodes", n)) => number(n).map(Bound::Nodes),
        Some(("ms", n)) => number(n).map(Bound::Millis),
        _ => None,
    };
    bound.ok_or_else(|| NoAgent::Unfit {
        name: "search",
        reason: format!(
            "{text:?} is no bound; write search:nodes=N or search:ms=N, N from 1 to {}",
            Bound::MAX
        ),
    })
}

impl Roster for Stellar {
    const AGENTS: &'static [(&'static str, &'static str)] = &{
        let mut agents = [(
            "random",
            "Takes any legal action, each as likely as the others.",
        ); COMMANDERS.len() + 1];
        let mut idx = 0;
        while idx < COMMANDERS.len() {
            agents[idx + 1] = (COMMANDERS[idx].0, COMMANDERS[idx].3);
            idx += 1;
        }
        agents
    };

    fn agent(name: &str, setup: &::stellar::Setup) -> Result<Box<dyn Agent<Stellar>>, NoAgent> {
        match (name, Commander::named(name)) {
            ("random", _) => Ok(Box::new(Random::default())),
            (_, Some(commander)) => Ok(Box::new(commander)),
            _ => net::agent(name, setup).unwrap_or_else(|| Err(NoAgent::unknown::<Stellar>(name))),
        }
    }
}
