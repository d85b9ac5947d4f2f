//! Solving a game: the methods in the order in which they are tried.

use super::digits::{Digits, Double};
use super::refine::Refiner;
use super::simplex::Tableau;
use super::{MatrixGame, Solution, greater, lesser, regret};

/// A gap of at most this part of the payoff range counts as zero: the rest is the rounding of the
/// certificate itself.
const GAP_SETTLED: f64 = 1e-14;
/// A gap above this part of the range calls for another method.
const GAP_ACCEPTED: f64 = 1e-13;
/// A gap above this part calls for the last resort.
const GAP_TOLERATED: f64 = 1e-6;
/// The amount by which the last simplex run separates the right-hand sides, for games too
/// degenerate to solve with the exact ones.
const NUDGE: f64 = 1e-12;
/// Rounds of regret matching, the last resort.
const N_REGRET_ROUNDS: usize = 5_000;

/// Solves games one after another and reuses its memory.
///
/// A solution depends only on its game, not on earlier ones.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    tableau: Tableau<f64>,
    /// Empty until a game needs it.
    double_tableau: Tableau<Double>,
    trial: Trial,
}

impl Solver {
    /// A solver with empty memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// An equilibrium of the game, up to rounding, with its certificate.
    ///
    /// A saddle point is returned as it is. Otherwise the simplex method runs; if the gap does not
    /// confirm its result, it runs again with twice the digits, and then with separated right-hand
    /// sides. Regret matching is the last resort. Every step is bounded, and the best result is
    /// returned with its true gap.
    pub fn solve(&mut self, game: &MatrixGame) -> Solution {
        if let Some(solution) = saddle_point(game) {
            return solution;
        }
        let trial = &mut self.trial;
        let mut best = trial.start(game);
        trial.run_simplex(game, &mut self.tableau, 0.0, &mut best);
        for nudge in [0.0, NUDGE] {
            if best.gap > GAP_ACCEPTED * trial.range {
                trial.run_simplex(game, &mut self.double_tableau, nudge, &mut best);
            }
        }
        if best.gap > GAP_TOLERATED * trial.range {
            trial.run_regret(game, &mut best);
        }
        best
    }
}

/// A game being solved, and the current candidate mixtures.
#[derive(Clone, Debug, Default)]
struct Trial {
    low: f64,
    range: f64,
    /// The payoffs shifted and scaled into `[1, 2]`.
    scaled: Vec<f64>,
    refiner: Refiner,
    basis_rows: Vec<usize>,
    basis_cols: Vec<usize>,
    row: Vec<f64>,
    col: Vec<f64>,
    totals: Vec<f64>,
}

impl Trial {
    /// Loads a game whose payoffs are not all equal. Returns a placeholder that any real result
    /// beats.
    fn start(&mut self, game: &MatrixGame) -> Solution {
        let (low, high) = game.payoff_bounds();
        self.low = low;
        self.range = high - low;
        self.scaled.clear();
        let scaled = |&payoff: &f64| 1.0 + (payoff - low) / (high - low);
        self.scaled.extend(game.payoffs.iter().map(scaled));
        self.row.resize(game.n_rows, 0.0);
        self.col.resize(game.n_cols, 0.0);
        Solution {
            value: low,
            row: vec![0.0; game.n_rows],
            col: vec![0.0; game.n_cols],
            gap: f64::INFINITY,
        }
    }

    fn run_simplex<D: Digits>(
        &mut self,
        game: &MatrixGame,
        tableau: &mut Tableau<D>,
        nudge: f64,
        best: &mut Solution,
    ) {
        let (n_rows, n_cols) = (game.n_rows, game.n_cols);
        tableau.load(&self.scaled, n_rows, n_cols, nudge);
        tableau.run(100 + 20 * (n_rows + n_cols));
        tableau.write_basis(&mut self.basis_rows, &mut self.basis_cols);
        let refined = self.refiner.write_mixtures(
            &self.scaled,
            (&self.basis_rows, &self.basis_cols),
            (&mut self.row, &mut self.col),
        );
        if refined {
            self.keep_if_better(game, best);
        }
        if best.gap > GAP_SETTLED * self.range {
            tableau.write_mixtures(&mut self.row, &mut self.col);
            self.keep_if_better(game, best);
        }
    }

    fn run_regret(&mut self, game: &MatrixGame, best: &mut Solution) {
        let (row, col) = (&mut self.row, &mut self.col);
        regret::write_mixtures(&self.scaled, N_REGRET_ROUNDS, row, col);
        self.keep_if_better(game, best);
    }

    /// Normalizes `row` and `col` and keeps them if their gap is the smallest so far.
    fn keep_if_better(&mut self, game: &MatrixGame, best: &mut Solution) {
        if !normalise(&mut self.row) || !normalise(&mut self.col) {
            return;
        }
        let ceiling = game.ceiling_above(self.low, &self.col);
        let floor = game.floor_above(self.low, &self.row, &mut self.totals);
        let gap = greater(0.0, ceiling - floor);
        if gap < best.gap {
            best.value = self.low + (floor + (ceiling - floor) / 2.0);
            best.gap = gap;
            best.row.copy_from_slice(&self.row);
            best.col.copy_from_slice(&self.col);
        }
    }
}

/// The first payoff, row by row, that is lowest in its row and highest in its column: an
/// equilibrium in pure strategies.
fn saddle_point(game: &MatrixGame) -> Option<Solution> {
    let rows = || game.payoffs.chunks_exact(game.n_cols);
    let mut best_row: Option<(usize, f64)> = None;
    for (row_idx, row) in rows().enumerate() {
        let floor = row.iter().copied().fold(row[0], lesser);
        if best_row.is_none_or(|(_, best)| floor > best) {
            best_row = Some((row_idx, floor));
        }
    }
    let (row_idx, value) = best_row?;
    let is_ceiling = |&col_idx: &usize| rows().all(|row| row[col_idx] <= value);
    let col_idx = (0..game.n_cols).find(is_ceiling)?;
    let pure = |len: usize, at: usize| {
        let mut mixture = vec![0.0; len];
        mixture[at] = 1.0;
        mixture
    };
    Some(Solution {
        value,
        row: pure(game.n_rows, row_idx),
        col: pure(game.n_cols, col_idx),
        gap: 0.0,
    })
}

/// Clamps negative weights to zero and scales the rest to sum to one. Returns false when nothing is
/// left or a weight is not finite.
fn normalise(weights: &mut [f64]) -> bool {
    let mut sum = 0.0;
    for weight in weights.iter_mut() {
        if !weight.is_finite() {
            return false;
        }
        *weight = greater(0.0, *weight);
        sum += *weight;
    }
    // The sum of huge weights can itself be infinite.
    if !(sum > 0.0 && sum.is_finite()) {
        return false;
    }
    for weight in weights.iter_mut() {
        *weight /= sum;
    }
    true
}
