//! Anything legal.

use kernel::rng::Generator;
use kernel::{Game, Mask, Perspective};

use crate::Agent;

/// Takes any legal action, each as likely as the others.
#[derive(Clone, Debug, Default)]
pub struct Random {
    mask: Mask,
}

impl<G: Game> Agent<G> for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    #[inline]
    fn choose(&mut self, seen: &Perspective<'_, G>, rng: &mut Generator) -> Option<G::Action> {
        seen.fill_legal(&mut self.mask);
        seen.action(self.mask.sample(rng)?)
    }

    fn again(&self) -> Box<dyn Agent<G>> {
        Box::new(Random::default())
    }
}
