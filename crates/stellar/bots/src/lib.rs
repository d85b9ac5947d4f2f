//! Commanders of Stellar Fleet: they play for the scenario's objectives by what they see.

mod client;
mod plan;
mod simulated;
mod survey;

use bots::{NoAgent, RANDOM};
use kernel::rng::Generator;
use kernel::{Mask, Perspective};
use stellar::scenario::Profile;
use stellar::{Action, Setup, Stellar};

pub use client::Client;
use kernel::Agent;
use plan::Plan;
pub use simulated::Simulation;
use survey::Memory;

/// The commanders by name.
pub struct Bots;

impl bots::Bots<Stellar> for Bots {
    const AGENTS: &'static [(&'static str, &'static str)] = &{
        let mut agents = [RANDOM; COMMANDERS.len() + 1];
        let mut idx = 0;
        while idx < COMMANDERS.len() {
            agents[idx + 1] = (COMMANDERS[idx].0, COMMANDERS[idx].3);
            idx += 1;
        }
        agents
    };

    fn agent(name: &str, _: &Setup) -> Option<Result<Box<dyn Agent<Stellar>>, NoAgent>> {
        Commander::named(name).map(|it| Ok(Box::new(it) as Box<dyn Agent<Stellar>>))
    }
}

/// How well a commander plays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Skill {
    /// Misses half of its chances and misjudges the rest.
    Easy,
    /// Misses some.
    Medium,
    /// Plays as well as it can.
    Full,
}

/// Plays one faction by a profile.
#[derive(Clone, Debug)]
pub struct Commander {
    profile: Profile,
    skill: Skill,
    name: &'static str,
    /// What is still to be played of this turn's orders, the next one last.
    queue: Vec<Action>,
    memory: Memory,
    mask: Mask,
}

/// The commanders by name, weakest first.
const COMMANDERS: [(&str, Profile, Skill, &str); 9] = [
    (
        "defensive-1",
        Profile::Defensive,
        Skill::Easy,
        "Keeps what it has, badly.",
    ),
    (
        "balanced-1",
        Profile::Balanced,
        Skill::Easy,
        "Attacks with an edge, badly.",
    ),
    (
        "aggressive-1",
        Profile::Aggressive,
        Skill::Easy,
        "Attacks at even odds, badly.",
    ),
    (
        "defensive-2",
        Profile::Defensive,
        Skill::Medium,
        "Keeps what it has, with slips.",
    ),
    (
        "balanced-2",
        Profile::Balanced,
        Skill::Medium,
        "Attacks with an edge, with slips.",
    ),
    (
        "aggressive-2",
        Profile::Aggressive,
        Skill::Medium,
        "Attacks at even odds, with slips.",
    ),
    (
        "defensive",
        Profile::Defensive,
        Skill::Full,
        "Keeps what it has and takes what is free.",
    ),
    (
        "balanced",
        Profile::Balanced,
        Skill::Full,
        "Attacks with an edge.",
    ),
    (
        "aggressive",
        Profile::Aggressive,
        Skill::Full,
        "Attacks at even odds.",
    ),
];

impl Commander {
    /// The commander of this name, if there is one.
    pub fn named(name: &str) -> Option<Commander> {
        let found = COMMANDERS.iter().find(|it| it.0 == name);
        found.map(|&(name, profile, skill, _)| Commander {
            profile,
            skill,
            name,
            queue: Vec::new(),
            memory: Memory::default(),
            mask: Mask::default(),
        })
    }

    fn make_plan(&mut self, seen: &Perspective<'_, Stellar>, rng: &mut Generator) {
        let view = seen.view();
        self.queue.clear();
        self.memory.update(&view);
        Plan::new(&view, self.profile, self.skill, &self.memory, rng).write(&mut self.queue);
        self.queue.reverse();
    }

    fn next_legal(&mut self, seen: &Perspective<'_, Stellar>) -> Option<Action> {
        let action = self.queue.pop()?;
        seen.refuse(action).is_none().then_some(action)
    }
}

impl Agent<Stellar> for Commander {
    fn name(&self) -> &str {
        self.name
    }

    fn begin(&mut self) {
        self.queue.clear();
        self.memory.forget();
    }

    /// The plan is made once a turn. If time ran out in the middle of it, what is left does
    /// not fit any more, and a new one is made.
    fn choose(&mut self, seen: &Perspective<'_, Stellar>, rng: &mut Generator) -> Option<Action> {
        if let Some(action) = self.next_legal(seen) {
            return Some(action);
        }
        if seen.refuse(Action::Done).is_none() {
            self.make_plan(seen, rng);
            if let Some(action) = self.next_legal(seen) {
                return Some(action);
            }
        }
        // An order that somebody else began is ended anyhow.
        self.queue.clear();
        seen.fill_legal(&mut self.mask);
        seen.action(self.mask.sample(rng)?)
    }

    fn again(&self) -> Box<dyn Agent<Stellar>> {
        let mut again = self.clone();
        Agent::<Stellar>::begin(&mut again);
        Box::new(again)
    }
}
