//! Orcain solved: its exact equilibrium, its value and its exploitability.
//!
//! A round is a matrix game between two layouts. It leads to another round with new hit points,
//! round number and missed rounds. There are few enough of these states to solve each of them,
//! from the last possible round backward.

mod client;
mod equilibrium;
mod exploit;
mod payoffs;
mod simulated;
mod states;

use std::sync::Arc;

use bots::NoAgent;
use kernel::rng::Generator;
use kernel::{Perspective, Viewer};
use orcain::{Action, Layout, Orcain, Setup, View};

pub use client::Client;
pub use equilibrium::Equilibrium;
pub use exploit::{Exploited, exploit};
pub use simulated::Simulation;
use states::State;
pub use states::TooLarge;

use kernel::{Agent, Evaluation};

/// The agents by name.
pub struct Bots;

impl bots::Bots<Orcain> for Bots {
    const AGENTS: &'static [(&'static str, &'static str)] = &[(
        "equilibrium",
        "Plays an exact equilibrium: no opponent can gain against it.",
    )];

    fn agent(name: &str, setup: &Setup) -> Option<Result<Box<dyn Agent<Orcain>>, NoAgent>> {
        let solve = || match Equilibrium::solve(setup) {
            Ok(solved) => Ok(Box::new(EquilibriumAgent::new(solved)) as Box<dyn Agent<Orcain>>),
            Err(error) => Err(NoAgent::Unfit {
                name: "equilibrium",
                reason: error.to_string(),
            }),
        };
        (name == "equilibrium").then(solve)
    }
}

/// An agent that plays a solved equilibrium.
#[derive(Clone)]
pub struct EquilibriumAgent {
    solved: Arc<Equilibrium>,
}

impl EquilibriumAgent {
    /// An agent for matches with the setup that was solved.
    pub fn new(solved: Equilibrium) -> EquilibriumAgent {
        EquilibriumAgent {
            solved: Arc::new(solved),
        }
    }
}

impl Agent<Orcain> for EquilibriumAgent {
    fn name(&self) -> &'static str {
        "equilibrium"
    }

    fn choose(&mut self, seen: &Perspective<'_, Orcain>, rng: &mut Generator) -> Option<Action> {
        let view = seen.view();
        let policy = self.solved.policy(&state_of(&view), seen.seat())?;
        let layout = sample(policy, rng)?;
        // A layout with an empty slot cannot be confirmed, so it stays a draft.
        let full = layout.full(view.steps.into());
        Some(full.map_or(Action::Draft(layout), Action::Confirm))
    }

    /// Evaluates the round with the current hit points. Within a round this is approximate: cards
    /// that are still face down count as not yet placed.
    fn evaluate(&mut self, seen: &Perspective<'_, Orcain>) -> Option<Evaluation> {
        let view = seen.view();
        let value = match view.outcome {
            Some(outcome) => f64::from(outcome.score(kernel::Seat::FIRST)),
            None => self.solved.value_in(&state_of(&view))?,
        };
        let first = (500.0 + 500.0 * value).round().clamp(0.0, 1000.0) as u16;
        Some(Evaluation {
            win_permille: vec![first, 1000 - first],
        })
    }

    fn again(&self) -> Box<dyn Agent<Orcain>> {
        Box::new(self.clone())
    }
}

/// The state that a player sees at the start of a round.
fn state_of(view: &View) -> State {
    State {
        round: view.round,
        hp: view.hp,
        afk_streak: view.afk_streak,
    }
}

/// Draws a layout by its probability. Uses one draw of 53 bits, as precise as a double.
fn sample(policy: &[(Layout, f64)], rng: &mut Generator) -> Option<Layout> {
    let mut point = (rng.bits64() >> 11) as f64 / (1u64 << 53) as f64;
    for &(layout, probability) in policy {
        if point < probability {
            return Some(layout);
        }
        point -= probability;
    }
    policy.last().map(|&(layout, _)| layout)
}

/// The public state of a position between rounds.
fn public_state(position: &Orcain) -> State {
    state_of(&kernel::Game::view(position, Viewer::Public))
}
