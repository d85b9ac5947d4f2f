//! A greedy player: the best decision by the value of the next position.

use catan::{Action, Catan};
use kernel::Perspective;
use kernel::rng::Generator;

use super::ground::Ground;
use super::policy::Policy;
use super::value::{Eye, evaluation};
use kernel::{Agent, Evaluation};

/// Takes the decision that leads to the most valuable position within its own turn.
///
/// It places by production, variety and harbors, trades with the bank when that buys something,
/// and robs and plays cards where it gains most over the opponent. Once a turn it offers a trade
/// of up to three cards for up to two, if that buys something and the opponent gains too. It
/// accepts an offer only if it gains more than the opponent.
#[derive(Clone, Debug, Default)]
pub struct Heuristic {
    ground: Option<Ground>,
    policy: Policy,
}

impl Agent<Catan> for Heuristic {
    fn name(&self) -> &'static str {
        "heuristic"
    }

    fn begin(&mut self) {
        self.ground = None;
    }

    fn choose(&mut self, seen: &Perspective<'_, Catan>, rng: &mut Generator) -> Option<Action> {
        let ground = self.ground.get_or_insert_with(|| Ground::of(&seen.view()));
        let eye = Eye::new(ground, seen.seat());
        self.policy.decide(&eye, &seen.redraw(rng))
    }

    fn evaluate(&mut self, seen: &Perspective<'_, Catan>) -> Option<Evaluation> {
        Some(evaluation(seen))
    }

    fn again(&self) -> Box<dyn Agent<Catan>> {
        Box::new(Heuristic::default())
    }
}
