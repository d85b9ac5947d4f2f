//! Who decides for a seat.

use kernel::rng::Generator;
use kernel::{Game, Perspective};

/// Who decides for a seat, by what the seat may see.
pub trait Agent<G: Game>: Send + Sync {
    /// The name it is seated by.
    fn name(&self) -> &str;

    /// Decides, or lets the time run out. It is asked only when its seat is missing;
    /// whatever randomness it wants it draws from the match's generator for agents, so
    /// that a match repeats exactly.
    fn choose(&mut self, seen: &Perspective<'_, G>, rng: &mut Generator) -> Option<G::Action>;

    /// Another one like it, for another thread.
    fn again(&self) -> Box<dyn Agent<G>>;
}
