//! Chance as an input: the possible outcomes, their odds, and the outcome drawn.

use crate::doc::{Document, Faults, Node};
use crate::json::Json;
use crate::rng::Generator;

/// The most outcomes that weighted chance can have.
pub const OUTCOMES_MAX: usize = 64;

/// The result of chance: the number of an outcome, or the 64-bit seed for [`Odds::Seed`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Draw(pub u64);

impl Draw {
    /// The draw as a document: a number, or a string above 2^53.
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

/// The possible outcomes of chance with integer weights, so that search can enumerate them, tests
/// can force them and a record can name them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "weights are on the stack, so that a step allocates nothing"
)]
pub enum Odds {
    /// Several equal dice, rolled one after another: the first is the most significant digit of
    /// the outcome. Two six-sided dice have the outcomes `6 * first + second`, with faces counted
    /// from 0. They cost the generator two draws, like two calls of a library's `randint(1, 6)`.
    Dice {
        /// The number of faces of each die; at least 1.
        sides: u32,
        /// The number of dice; `sides` to this power stays below 2^32.
        n_dice: u32,
    },
    /// Outcomes numbered from 0, each with a probability proportional to its weight.
    Weighted(Weights),
    /// Too many outcomes to list (a shuffled deck, a battle): any 64-bit seed, which the rules
    /// expand themselves.
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

    /// The number of outcomes; `None` when there are too many to list.
    pub fn n_outcomes(&self) -> Option<u64> {
        match self {
            Odds::Dice { sides, n_dice } => Some(u64::from(*sides).saturating_pow(*n_dice)),
            Odds::Weighted(weights) => Some(weights.as_slice().len() as u64),
            Odds::Seed => None,
        }
    }

    /// The weight of an outcome (0 if it cannot occur) and the sum of all weights: its exact
    /// probability. `None` for [`Odds::Seed`], whose 2^64 outcomes are equally likely.
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

    /// True if chance can produce this draw.
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
    /// The weights of outcomes 0, 1, 2 and so on. `None` when there are too many or when all are
    /// zero.
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

    /// The outcome whose share of the total contains `point`, which must be below the total.
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
    fn weights_are_kept_and_zero_weights_are_never_drawn() {
        let weights = Weights::new(&[2, 0, 3]).unwrap();
        let outcomes: Vec<u64> = (0..5).map(|point| weights.at(point).0).collect();
        assert_eq!(outcomes, [0, 0, 2, 2, 2]);
        let odds = Odds::Weighted(weights);
        assert!(!odds.admits(Draw(1)) && !odds.admits(Draw(3)) && odds.admits(Draw(2)));
        assert_eq!(odds.probability(Draw(2)), Some((3, 5)));
    }

    #[test]
    fn invalid_weights_are_refused() {
        assert_eq!(Weights::new(&[]), None);
        assert_eq!(Weights::new(&[0, 0]), None);
        assert_eq!(Weights::new(&[1; OUTCOMES_MAX + 1]), None);
    }

    #[test]
    fn two_dice_are_two_draws_with_the_first_most_significant() {
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
