//! Who decides for a seat.

use kernel::rng::Generator;
use kernel::{Game, Perspective};

/// Who decides for a seat, by what the seat may see.
pub trait Agent<G: Game>: Send + Sync {
    /// The name it is seated by.
    fn name(&self) -> &str;

    /// A new match begins. Whatever the agent remembers of another is to be forgotten: the
    /// result of a match must not depend on which ones were played before it.
    fn begin(&mut self) {}

    /// Decides, or lets the time run out. It is asked only when its seat is missing;
    /// whatever randomness it wants it draws from the seat's own generator, so that a match
    /// repeats exactly and no seat can foresee another.
    fn choose(&mut self, seen: &Perspective<'_, G>, rng: &mut Generator) -> Option<G::Action>;

    /// Another one like it, for another thread.
    fn again(&self) -> Box<dyn Agent<G>>;
}
