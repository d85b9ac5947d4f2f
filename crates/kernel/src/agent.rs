//! Players that are programs.

use serde::Serialize;

use crate::rng::Generator;
use crate::{Game, Mask, Perspective};

/// A player of a seat, who decides by what the seat may see: a bot, a trained network, a program.
pub trait Agent<G: Game>: Send + Sync {
    /// The name by which it takes a seat.
    fn name(&self) -> &str;

    /// A new match begins. Whatever the agent remembers of another is to be forgotten: the
    /// result of a match must not depend on which ones were played before it.
    fn begin(&mut self) {}

    /// Decides, or lets the time run out. It is asked only when its seat is missing;
    /// whatever randomness it wants it draws from the seat's own generator, so that a match
    /// repeats exactly and no seat can foresee another.
    fn choose(&mut self, seen: &Perspective<'_, G>, rng: &mut Generator) -> Option<G::Action>;

    /// How it sees the chances of all seats, by what this seat may see; none when it has no
    /// opinion.
    fn evaluate(&mut self, _seen: &Perspective<'_, G>) -> Option<Evaluation> {
        None
    }

    /// Why it cannot decide any more, if it cannot: a program that died. Asked when it has
    /// chosen nothing; the match is then not played on.
    fn fault(&self) -> Option<String> {
        None
    }

    /// Another one like it, for another thread.
    fn again(&self) -> Box<dyn Agent<G>>;
}

/// The chance of winning of each seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Evaluation {
    /// In thousandths, by seat, 1000 in all. A draw counts as a share of a win to each.
    pub win_permille: Vec<u16>,
}

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
