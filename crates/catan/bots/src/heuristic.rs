//! The best decision by how the position then stands.

use catan::{Action, Catan};
use kernel::Perspective;
use kernel::rng::Generator;

use super::ground::Ground;
use super::policy::Policy;
use super::value::{Eye, evaluation};
use kernel::{Agent, Evaluation};

/// Takes the decision after which the position is worth most, within its own turn.
///
/// Places by production, variety and harbours; trades with the bank when that buys
/// something; robs and plays cards where it gains most over the other. It offers a trade, of
/// up to three cards for up to two, when that buys something and the other gains too, once a
/// turn; and it takes one only when it gains more than the other.
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
