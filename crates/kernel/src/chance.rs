//! Chance as an input: what can come out, how likely, and what did.

use crate::doc::{Document, Faults, Node};
use crate::json::Json;
use crate::rng::Generator;

/// The most outcomes that weighted chance can have.
pub const OUTCOMES_MAX: usize = 64;

/// What came out. An outcome's number, or the 64-bit seed of wide chance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Draw(pub u64);

impl Draw {
    /// The draw as it stands in a document: a number, or a text above 2^53.
    pub fn to_json(self) -> Json {
        if self.0 <= 1 << 53 {
            Json::Int(self.0.into())
        } else {
            Json::Text(self.0.to_string())
        }
    }
}

impl Document for Draw {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Draw> {
        node.u64_text(faults).map(Draw)
    }
}

/// What can come out, with integer weights, so that search can enumerate it, tests can
/// force it and a record can name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "weights lie on the stack, so that a step allocates nothing"
)]
pub enum Odds {
    /// Several equal dice, thrown one after the other: the first is the most significant
    /// digit of the outcome. Two six-sided dice have the outcomes `6 * first + second`,
    /// each face from 0, and cost the generator two draws, as two calls of a library's
    /// `randint(1, 6)` would.
    Dice {
        /// How many faces each die has; at least 1.
        sides: u32,
        /// How many dice; `sides` to this power stays below 2^32.
        n_dice: u32,
    },
    /// Outcomes from 0 up, each as likely as its weight.
    Weighted(Weights),
    /// Too many outcomes to list (a shuffled deck, a battle): any 64-bit seed, from which
    /// the rules expand the rest by themselves.
    Seed,
}

impl Odds {
    /// Chance among `n` equally likely outcomes.
    pub const fn uniform(n: u32) -> Odds {
        Odds::Dice {
            sides: n,
            n_dice: 1,
        }
    }

    /// How many outcomes there are; none when they are too many to list.
    pub fn n_outcomes(&self) -> Option<u64> {
        match self {
            Odds::Dice { sides, n_dice } => Some(u64::from(*sides).saturating_pow(*n_dice)),
            Odds::Weighted(weights) => Some(weights.as_slice().len() as u64),
            Odds::Seed => None,
        }
    }

    /// The weight of an outcome and the sum of all weights: its exact probability. None for
    /// a seed, of which each of 2^64 is as likely as the others.
    pub fn probability(&self, draw: Draw) -> Option<(u64, u64)> {
        match self {
            Odds::Dice { .. } => {
                let n_outcomes = self.n_outcomes().unwrap_or(0);
                Some((u64::from(draw.0 < n_outcomes), n_outcomes))
            }
            Odds::Weighted(weights) => {
                let weight = weights.as_slice().get(draw.0 as usize).copied();
                Some((weight.unwrap_or(0).into(), weights.total()))
            }
            Odds::Seed => None,
        }
    }

    /// Whether chance can come out like this.
    pub fn admits(&self, draw: Draw) -> bool {
        self.probability(draw).is_none_or(|(weight, _)| weight > 0)
    }

    /// Draws an outcome.
    #[inline]
    pub fn draw(&self, rng: &mut Generator) -> Draw {
        match self {
            Odds::Dice { sides, n_dice } => {
                let sides = u64::from(*sides);
                Draw((0..*n_dice).fold(0, |outcome, _| outcome * sides + rng.below(sides)))
            }
            Odds::Weighted(weights) => weights.at(rng.below(weights.total())),
            Odds::Seed => Draw(rng.bits64()),
        }
    }
}

/// Integer weights of at most [`OUTCOMES_MAX`] outcomes, at least one of them above zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    weights: [u32; OUTCOMES_MAX],
    len: usize,
}

impl Weights {
    /// The weights of outcomes 0, 1, 2 and so on; none when there are too many or when
    /// all are zero.
    pub fn new(weights: &[u32]) -> Option<Weights> {
        let possible = weights.iter().any(|&weight| weight > 0);
        let mut own = [0; OUTCOMES_MAX];
        own.get_mut(..weights.len())?.copy_from_slice(weights);
        possible.then_some(Weights {
            weights: own,
            len: weights.len(),
        })
    }

    /// The weights in order.
    pub fn as_slice(&self) -> &[u32] {
        &self.weights[..self.len]
    }

    /// The sum of all weights.
    pub fn total(&self) -> u64 {
        self.as_slice()
            .iter()
            .map(|&weight| u64::from(weight))
            .sum()
    }

    /// The outcome that holds this point of the total.
    fn at(&self, mut point: u64) -> Draw {
        for (outcome, &weight) in self.as_slice().iter().enumerate() {
            match point.checked_sub(weight.into()) {
                Some(rest) => point = rest,
                None => return Draw(outcome as u64),
            }
        }
        unreachable!("a point below the total lies in one of the weights")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{GeneratorKind, Seed};

    #[test]
    fn weights_are_kept_and_zero_weights_never_come_out() {
        let weights = Weights::new(&[2, 0, 3]).unwrap();
        let outcomes: Vec<u64> = (0..5).map(|point| weights.at(point).0).collect();
        assert_eq!(outcomes, [0, 0, 2, 2, 2]);
        let odds = Odds::Weighted(weights);
        assert!(!odds.admits(Draw(1)) && !odds.admits(Draw(3)) && odds.admits(Draw(2)));
        assert_eq!(odds.probability(Draw(2)), Some((3, 5)));
    }

    #[test]
    fn impossible_weights_are_not_weights() {
        assert_eq!(Weights::new(&[]), None);
        assert_eq!(Weights::new(&[0, 0]), None);
        assert_eq!(Weights::new(&[1; OUTCOMES_MAX + 1]), None);
    }

    #[test]
    fn two_dice_are_two_draws_with_the_first_on_top() {
        let mut rng = Generator::from_seed(GeneratorKind::PyRandom, &Seed::from(7));
        let mut twin = rng.clone();
        let dice = Odds::Dice {
            sides: 6,
            n_dice: 2,
        };
        for _ in 0..100 {
            let (first, second) = (twin.below(6), twin.below(6));
            assert_eq!(dice.draw(&mut rng), Draw(first * 6 + second));
        }
        assert_eq!(dice.n_outcomes(), Some(36));
        assert!(dice.admits(Draw(35)) && !dice.admits(Draw(36)));
    }
}
