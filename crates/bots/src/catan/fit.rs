//! Where the weights come from: matches of the heuristic against itself, and a logistic
//! regression of who won on what the positions were made of.

use std::thread;

use ::catan::{Action, Catan, Setup};
use kernel::rng::{Generator, Pcg64, SeedSequence, Seed};
use kernel::{Discard, Game, GameExt, Seat, Turn};

use super::features::{Features, N_FEATURES, NAMES, features};
use super::ground::Ground;
use super::policy::Policy;
use super::value::{Eye, Weights};
use super::weights::WEIGHTS;

/// How weights are fitted.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The rules that are played.
    pub setup: Setup,
    /// How many matches are played for each round of fitting.
    pub n_games: u32,
    /// How often anything legal is done instead of the best, in thousandths, so that
    /// positions are met that good play avoids.
    pub slips_permille: u64,
    /// How far old and new weights are mixed: the share of the new, in thousandths.
    pub step_permille: i64,
    /// What the matches are drawn from.
    pub seed: u64,
}

/// A position of a match and whether its seat won.
struct Sample {
    features: Features,
    won: bool,
}

/// One position in this many is kept.
const KEEP_ONE_IN: u64 = 12;
const N_ROUNDS_OF_NEWTON: usize = 12;
/// Keeps weights small where the matches say little.
const RIDGE: f64 = 20.0;

impl Fit {
    /// The weights that are in use, by name.
    pub fn current() -> impl Iterator<Item = (&'static str, i32)> {
        NAMES.into_iter().zip(WEIGHTS)
    }

    /// Plays with the weights that are given and fits them anew; also the share of matches
    /// that were decided, and the mean loss.
    pub fn round(&self, weights: &[i32], n_threads: u32) -> Option<(Vec<i32>, f64)> {
        let weights: Weights = weights.try_into().ok()?;
        let samples = thread::scope(|scope| {
            let play = |thread_idx| {
                let weights = &weights;
                scope.spawn(move || {
                    let games = (thread_idx..self.n_games).step_by(n_threads as usize);
                    let mut samples = Vec::new();
                    games.for_each(|game_idx| self.play(game_idx, weights, &mut samples));
                    samples
                })
            };
            let threads: Vec<_> = (0..n_threads).map(play).collect();
            let joined = threads.into_iter().map(|it| it.join().unwrap_or_default());
            joined.flatten().collect::<Vec<_>>()
        });
        let (fitted, loss) = newton(&samples);
        let mixed = weights.iter().zip(fitted).map(|(old, new)| {
            let (old, new) = (i64::from(*old), (new * 1e6) as i64);
            ((old * (1000 - self.step_permille) + new * self.step_permille) / 1000) as i32
        });
        Some((mixed.collect(), loss))
    }

    fn play(&self, game_idx: u32, weights: &Weights, samples: &mut Vec<Sample>) {
        let sequence = SeedSequence::new(&Seed::from(self.seed), &[]).child(game_idx);
        let mut rng = Generator::Pcg64(Pcg64::from_sequence(&sequence));
        let mut position = Catan::start(&self.setup);
        let mut met: Vec<(Seat, Features)> = Vec::new();
        let mut policy = Policy::default();
        let mut ground = None;
        let outcome = loop {
            match position.turn() {
                Turn::Over(outcome) => break outcome,
                Turn::Chance => {
                    let draw = position.odds().draw(&mut rng);
                    position.resolve_trusted(draw, &mut Discard);
                }
                Turn::Seat(seat) => {
                    let view = position.view(kernel::Viewer::Seat(seat));
                    let ground = ground.get_or_insert_with(|| Ground::of(&view));
                    let eye = Eye {
                        ground,
                        weights,
                        seat,
                    };
                    if rng.below(KEEP_ONE_IN) == 0 {
                        met.push((seat, features(ground, &view, seat.index())));
                    }
                    let action = match rng.below(1000) < self.slips_permille {
                        true => {
                            let sample = position.legal(seat).sample(&mut rng);
                            sample.and_then(Action::with_id)
                        }
                        false => policy.decide(&eye, &position),
                    };
                    let action = action.unwrap_or(Action::EndTurn);
                    position.play_trusted(seat, action, &mut Discard);
                }
                Turn::Sealed(_) | Turn::Clock => return,
            }
        };
        let decided = met.into_iter().filter(|(seat, _)| outcome.score(*seat) != 0);
        samples.extend(decided.map(|(seat, features)| Sample {
            features,
            won: outcome.score(seat) > 0,
        }));
    }
}

/// Newton's method on the mean logistic loss.
fn newton(samples: &[Sample]) -> ([f64; N_FEATURES], f64) {
    let mut scales = [1.0; N_FEATURES];
    for (idx, scale) in scales.iter_mut().enumerate() {
        let sum: f64 = samples.iter().map(|it| f64::from(it.features[idx]).powi(2)).sum();
        *scale = (sum / samples.len().max(1) as f64).sqrt().max(1e-9);
    }
    let mut beta = [0.0; N_FEATURES];
    let mut loss = 0.0;
    for _ in 0..N_ROUNDS_OF_NEWTON {
        let mut gradient = beta.map(|b| -RIDGE * b);
        let mut hessian = vec![[0.0; N_FEATURES]; N_FEATURES];
        loss = 0.0;
        for sample in samples {
            let x: [f64; N_FEATURES] =
                std::array::from_fn(|idx| f64::from(sample.features[idx]) / scales[idx]);
            let z: f64 = x.iter().zip(beta).map(|(x, b)| x * b).sum();
            let p = 1.0 / (1.0 + (-z).exp());
            let miss = f64::from(u8::from(sample.won)) - p;
            loss -= (1.0 - miss.abs()).max(1e-12).ln();
            let spread = (p * (1.0 - p)).max(1e-9);
            for row in 0..N_FEATURES {
                gradient[row] += miss * x[row];
                for col in 0..=row {
                    hessian[row][col] += spread * x[row] * x[col];
                }
            }
        }
        for row in 0..N_FEATURES {
            hessian[row][row] += RIDGE;
            for col in 0..row {
                hessian[col][row] = hessian[row][col];
            }
        }
        let step = solve(hessian, gradient);
        for (b, step) in beta.iter_mut().zip(step) {
            *b += step;
        }
    }
    let weights = std::array::from_fn(|idx| beta[idx] / scales[idx]);
    (weights, loss / samples.len().max(1) as f64)
}

/// Gauss's elimination with pivots.
fn solve(mut rows: Vec<[f64; N_FEATURES]>, mut right: [f64; N_FEATURES]) -> [f64; N_FEATURES] {
    for at in 0..N_FEATURES {
        let pivot = (at..N_FEATURES).max_by(|a, b| rows[*a][at].abs().total_cmp(&rows[*b][at].abs()));
        let pivot = pivot.unwrap_or(at);
        rows.swap(at, pivot);
        right.swap(at, pivot);
        for below in at + 1..N_FEATURES {
            let factor = rows[below][at] / rows[at][at];
            let above = rows[at];
            for (cell, upper) in rows[below].iter_mut().zip(above).skip(at) {
                *cell -= factor * upper;
            }
            right[below] -= factor * right[at];
        }
    }
    for at in (0..N_FEATURES).rev() {
        let known: f64 = (at + 1..N_FEATURES).map(|col| rows[at][col] * right[col]).sum();
        right[at] = (right[at] - known) / rows[at][at];
    }
    right
}
