//! Fitting the weights: small changes that win more matches are kept.

use catan::{Catan, Setup, View};
use kernel::rng::{Generator, Pcg64, Seed, SeedSequence};
use kernel::{Discard, Game, Outcome, Seat, Turn, Viewer};

use super::features::NAMES;
use super::ground::Ground;
use super::policy::Policy;
use super::value::{Eye, Value, Weights};
use super::weights::WEIGHTS;

/// The conditions under which sets of weights play each other.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The rules of the matches.
    pub setup: Setup,
    /// The number of pairs of matches in a trial.
    pub n_games: u32,
    /// The seed of the matches.
    pub seed: u64,
}

/// One position in this many is used for the calibration.
const KEEP_ONE_IN: u64 = 12;

impl Fit {
    /// The weights in use, by name.
    pub fn current() -> impl Iterator<Item = (&'static str, i32)> {
        NAMES.into_iter().zip(WEIGHTS)
    }

    /// Returns a variation of some weights: about a quarter of them change by up to half, and zero
    /// weights by a small amount.
    pub fn vary(weights: &[i32], rng: &mut Generator) -> Vec<i32> {
        let vary = |&weight: &i32| match rng.below(4) {
            0 => {
                let weight = i64::from(weight);
                let by = weight.abs().max(300) * (rng.below(1001) as i64 - 500) / 1000;
                i32::try_from(weight + by).unwrap_or(i32::MAX)
            }
            _ => weight,
        };
        weights.iter().map(vary).collect()
    }

    /// The number of matches out of `2 * n_games` that the first set of weights wins against the
    /// second. Each pair plays the same dice in both seats.
    pub fn duel(&self, one: &[i32], other: &[i32]) -> Option<u32> {
        let (one, other): (Weights, Weights) = (one.try_into().ok()?, other.try_into().ok()?);
        let mut n_wins = 0;
        for game_idx in 0..self.n_games {
            for own in [Seat::FIRST, Seat::SECOND] {
                let pair = match own {
                    Seat::FIRST => [&one, &other],
                    _ => [&other, &one],
                };
                let won = self.play(game_idx, pair, |_, _| ())?.score(own) > 0;
                n_wins += u32::from(won);
            }
        }
        Some(n_wins)
    }

    /// The factor, in thousandths, that turns a value into the log-odds of winning between equal
    /// players: the maximum-likelihood estimate from sampled matches.
    pub fn calibration(&self) -> u32 {
        let mut samples: Vec<(Value, bool)> = Vec::new();
        for game_idx in 0..self.n_games {
            let mut met: Vec<(Seat, Value)> = Vec::new();
            let mut n_seen = 0;
            let keep = |eye: &Eye<'_>, view: &View| {
                n_seen += 1;
                if n_seen % KEEP_ONE_IN == 0 {
                    met.push((eye.seat, eye.value_of(view)));
                }
            };
            let Some(outcome) = self.play(game_idx, [&WEIGHTS; 2], keep) else {
                continue;
            };
            let decided = met.iter().filter(|(seat, _)| outcome.score(*seat) != 0);
            samples.extend(decided.map(|(seat, value)| (*value, outcome.score(*seat) > 0)));
        }
        let loss = |permille: u32| -> f64 {
            let one = |&(value, won): &(Value, bool)| {
                let odds = value as f64 * 1e-9 * f64::from(permille);
                let towards = if won { odds } else { -odds };
                (1.0 + (-towards).exp()).ln()
            };
            samples.iter().map(one).sum()
        };
        let factors = (1..60).map(|step| step * 25);
        factors
            .min_by(|a, b| loss(*a).total_cmp(&loss(*b)))
            .unwrap_or(1000)
    }

    /// Plays one match between two sets of weights and shows every decision.
    fn play(
        &self,
        game_idx: u32,
        weights: [&Weights; 2],
        mut show: impl FnMut(&Eye<'_>, &View),
    ) -> Option<Outcome> {
        let sequence = SeedSequence::new(&Seed::from(self.seed), &[]).child(game_idx);
        let mut rng = Generator::Pcg64(Pcg64::from_sequence(&sequence));
        let mut position = Catan::start(&self.setup);
        let mut policy = Policy::default();
        let mut ground = None;
        loop {
            match position.turn() {
                Turn::Over(outcome) => return Some(outcome),
                Turn::Chance => {
                    let draw = position.odds().draw(&mut rng);
                    position.resolve_trusted(draw, &mut Discard);
                }
                Turn::Seat(seat) => {
                    let view = position.view(Viewer::Seat(seat));
                    let ground = ground.get_or_insert_with(|| Ground::of(&view));
                    let eye = Eye {
                        ground,
                        weights: weights[seat.index() & 1],
                        seat,
                    };
                    show(&eye, &view);
                    let action = policy.decide(&eye, &position)?;
                    position.play_trusted(seat, action, &mut Discard);
                }
                Turn::Sealed(_) | Turn::Clock => return None,
            }
        }
    }
}
