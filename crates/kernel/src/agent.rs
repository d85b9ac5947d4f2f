//! Players that are programs: bots, trained networks, external processes.

use serde::Serialize;

use crate::rng::Generator;
use crate::{Game, Mask, Perspective};

/// A program that plays a seat and decides only from what that seat may see.
pub trait Agent<G: Game>: Send + Sync {
    /// The name under which the agent is chosen for a seat.
    fn name(&self) -> &str;

    /// Prepares for a new match. The agent must forget everything it remembers from earlier
    /// matches: the result of a match must not depend on the ones played before it.
    fn begin(&mut self) {}

    /// Returns the agent's decision, or `None` to let the time run out. Called only while the
    /// agent's seat is missing. All randomness must come from `rng`, the seat's own generator, so
    /// that a match repeats exactly and no seat can predict another.
    fn choose(&mut self, seen: &Perspective<'_, G>, rng: &mut Generator) -> Option<G::Action>;

    /// Estimates every seat's chance of winning from what this seat may see. `None` when the agent
    /// has no estimate.
    fn evaluate(&mut self, _seen: &Perspective<'_, G>) -> Option<Evaluation> {
        None
    }

    /// The reason the agent can no longer decide, such as a process that died. Called after
    /// [`choose`](Agent::choose) returned `None`; if a fault is reported, the match stops.
    fn fault(&self) -> Option<String> {
        None
    }

    /// True if the agent always plays a uniformly random legal action, drawn as [`Random`] draws it.
    /// A loop over many matches may then draw in its place.
    fn is_uniform(&self) -> bool {
        false
    }

    /// True if a decision may take milliseconds. A server then lets the agent decide on a separate
    /// thread, even in a game whose agents otherwise decide at once.
    fn thinks(&self) -> bool {
        false
    }

    /// Creates an agent of the same kind, for another thread.
    fn again(&self) -> Box<dyn Agent<G>>;
}

/// An estimate of each seat's chance of winning.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Evaluation {
    /// Thousandths by seat, 1000 in total. A draw counts as an equal share of a win for each seat.
    pub win_permille: Vec<u16>,
}

/// Plays a uniformly random legal action.
#[derive(Clone, Debug, Default)]
pub struct Random {
    mask: Mask,
}

impl<G: Game> Agent<G> for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    #[inline(always)]
    fn choose(&mut self, seen: &Perspective<'_, G>, rng: &mut Generator) -> Option<G::Action> {
        if let Some(choices) = seen.choices() {
            return choices.sample(rng).map(|(_, action)| action);
        }
        seen.fill_legal(&mut self.mask);
        seen.action(self.mask.sample(rng)?)
    }

    fn is_uniform(&self) -> bool {
        true
    }

    fn again(&self) -> Box<dyn Agent<G>> {
        Box::new(Random::default())
    }
}
