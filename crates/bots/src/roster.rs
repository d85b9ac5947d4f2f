//! The agents of a game by name.

use std::fmt;

use ::orcain::{Orcain, Setup};
use catan::Catan;
use kernel::Game;

use crate::orcain::{Equilibrium, EquilibriumAgent};
use crate::{Agent, Random};

/// A game with agents to seat.
pub trait Roster: Game {
    /// The names, weakest first, each with a sentence.
    const AGENTS: &'static [(&'static str, &'static str)];

    /// The agent of this name, made ready for matches with this setup.
    fn agent(name: &str, setup: &Self::Setup) -> Result<Box<dyn Agent<Self>>, UnknownAgent>;
}

/// There is no agent of this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownAgent {
    name: String,
    known: Vec<&'static str>,
}

impl UnknownAgent {
    fn of<G: Roster>(name: &str) -> UnknownAgent {
        UnknownAgent {
            name: name.to_owned(),
            known: G::AGENTS.iter().map(|(name, _)| *name).collect(),
        }
    }
}

impl fmt::Display for UnknownAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.known.join(", ");
        write!(
            f,
            "there is no agent {:?}; the agents are: {known}",
            self.name
        )
    }
}

impl std::error::Error for UnknownAgent {}

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

    fn agent(name: &str, setup: &Setup) -> Result<Box<dyn Agent<Orcain>>, UnknownAgent> {
        match name {
            "random" => Ok(Box::new(Random::default())),
            "equilibrium" => Ok(Box::new(EquilibriumAgent::new(Equilibrium::solve(setup)))),
            _ => Err(UnknownAgent::of::<Orcain>(name)),
        }
    }
}

impl Roster for Catan {
    const AGENTS: &'static [(&'static str, &'static str)] = &[(
        "random",
        "Takes any legal action, each as likely as the others.",
    )];

    fn agent(name: &str, _: &catan::Setup) -> Result<Box<dyn Agent<Catan>>, UnknownAgent> {
        match name {
            "random" => Ok(Box::new(Random::default())),
            _ => Err(UnknownAgent::of::<Catan>(name)),
        }
    }
}
