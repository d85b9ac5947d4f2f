//! Commanders: bots of Stellar Fleet that play for the scenario's objectives with what they can
//! see.

mod client;
pub mod ladder;
mod plan;
mod script;
mod simulated;
mod survey;

use bots::{NoAgent, Peers};
use kernel::rng::Generator;
use kernel::{Mask, Perspective};
use stellar::scenario::{Faction, Profile};
use stellar::{Action, Setup, Stellar};

pub use client::Client;
use kernel::Agent;
use plan::Plan;
pub use script::Script;
pub use simulated::Simulation;
use survey::Memory;

/// The commanders by name.
pub struct Bots;

impl bots::Bots<Stellar> for Bots {
    const AGENTS: &'static [(&'static str, &'static str)] = &{
        let mut agents = [("", ""); COMMANDERS.len()];
        let mut idx = 0;
        while idx < COMMANDERS.len() {
            agents[idx] = (COMMANDERS[idx].0, COMMANDERS[idx].3);
            idx += 1;
        }
        agents
    };

    fn agent(name: &str, _: &Setup) -> Option<Result<Box<dyn Agent<Stellar>>, NoAgent>> {
        Commander::named(name).map(|it| Ok(Box::new(it) as Box<dyn Agent<Stellar>>))
    }

    /// A commander with each faction's profile, of full skill and of the lowest.
    fn peers(setup: &Setup) -> Option<Peers> {
        let factions = setup.scenario().setup.factions.iter();
        let profile = |it: &Faction| it.ai_profile.unwrap_or(Profile::Balanced).name();
        Some(Peers {
            strong: factions.clone().map(|it| profile(it).to_owned()).collect(),
            weak: factions.map(|it| format!("{}-1", profile(it))).collect(),
        })
    }
}

/// The skill of a commander.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Skill {
    /// Overlooks more than half of its fleets and misjudges targets.
    Easy,
    /// Overlooks some of its fleets and misjudges targets slightly.
    Medium,
    /// Plays as well as it can.
    Full,
}

/// A bot that plays one faction by a profile.
#[derive(Clone, Debug)]
pub struct Commander {
    profile: Profile,
    skill: Skill,
    name: &'static str,
    /// The remaining orders of this turn, the next one last.
    queue: Vec<Action>,
    memory: Memory,
    mask: Mask,
}

/// The commanders, weakest first, with a description of each.
const COMMANDERS: [(&str, Profile, Skill, &str); 9] = [
    (
        "defensive-1",
        Profile::Defensive,
        Skill::Easy,
        "Defends its systems, at low skill.",
    ),
    (
        "balanced-1",
        Profile::Balanced,
        Skill::Easy,
        "Attacks with an advantage, at low skill.",
    ),
    (
        "aggressive-1",
        Profile::Aggressive,
        Skill::Easy,
        "Attacks at even odds, at low skill.",
    ),
    (
        "defensive-2",
        Profile::Defensive,
        Skill::Medium,
        "Defends its systems, at medium skill.",
    ),
    (
        "balanced-2",
        Profile::Balanced,
        Skill::Medium,
        "Attacks with an advantage, at medium skill.",
    ),
    (
        "aggressive-2",
        Profile::Aggressive,
        Skill::Medium,
        "Attacks at even odds, at medium skill.",
    ),
    (
        "defensive",
        Profile::Defensive,
        Skill::Full,
        "Defends its systems and takes undefended ones.",
    ),
    (
        "balanced",
        Profile::Balanced,
        Skill::Full,
        "Attacks with an advantage.",
    ),
    (
        "aggressive",
        Profile::Aggressive,
        Skill::Full,
        "Attacks at even odds.",
    ),
];

impl Commander {
    /// The commander with this name, if there is one.
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

    /// Makes a plan once per turn. If the deadline interrupted the previous plan, its remaining
    /// orders are illegal and a new plan is made.
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
        // Finishes an order that somebody else started.
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
