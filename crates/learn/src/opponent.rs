//! Who plays the seats that are not learning.

use kernel::rng::Generator;
use kernel::{Game, Mask, Perspective};

/// A scripted player inside an environment, who sees what its seat may know.
pub trait Opponent<G: Game>: Send + Sync {
    /// A new match begins; what is remembered of another is to be forgotten.
    fn begin(&mut self) {}

    /// Decides, or lets the time run out. Randomness comes from the seat's own generator.
    fn choose(&mut self, seen: &Perspective<'_, G>, rng: &mut Generator) -> Option<G::Action>;

    /// Another one like it, for another environment.
    fn again(&self) -> Box<dyn Opponent<G>>;
}

/// Takes any legal action, each as likely as the others.
#[derive(Clone, Debug, Default)]
pub struct Uniform {
    mask: Mask,
}

impl<G: Game> Opponent<G> for Uniform {
    fn choose(&mut self, seen: &Perspective<'_, G>, rng: &mut Generator) -> Option<G::Action> {
        seen.fill_legal(&mut self.mask);
        seen.action(self.mask.sample(rng)?)
    }

    fn again(&self) -> Box<dyn Opponent<G>> {
        Box::new(Uniform::default())
    }
}
