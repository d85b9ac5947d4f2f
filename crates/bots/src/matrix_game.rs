//! Two-player zero-sum games given as a matrix, solved up to rounding.
//!
//! The row player receives the payoff, the column player pays it, and both choose at once.
//! [`MatrixGame::solve`] returns a mixed strategy for each side and a certificate: the *gap*, the
//! total that the two sides could still win by best responses to each other's strategy. A gap of
//! zero is an equilibrium. Checking it takes two matrix-vector products and no trust in the solver.
//!
//! ```
//! use bots::matrix_game::MatrixGame;
//!
//! // Matching pennies, but a match on heads pays twice.
//! let game = MatrixGame::from_fn(2, 2, |row, col| match (row, col) {
//!     (0, 0) => 2.0,
//!     (1, 1) => 1.0,
//!     _ => -1.0,
//! })?;
//! let solution = game.solve();
//! assert!((solution.value - 0.2).abs() < 1e-15);
//! assert!((solution.row[0] - 0.4).abs() < 1e-15);
//! assert!(solution.gap < 1e-15);
//! # Ok::<(), bots::matrix_game::MatrixGameError>(())
//! ```
//!
//! The same game gives the same bits on every machine: only IEEE `+ - * /` and
//! comparisons, in one fixed order; no fused operation, no thread, no hash map.

mod digits;
mod refine;
mod regret;
mod simplex;
mod solver;

#[cfg(test)]
mod tests;

use std::error::Error;
use std::fmt;

pub use solver::Solver;

/// The maximum number of strategies of one side.
pub const SIDE_MAX: usize = 1024;

/// The largest payoff in absolute value, so that no sum or difference overflows.
pub const PAYOFF_MAX: f64 = 1e300;

/// Payoffs to the row player, dense, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixGame {
    n_rows: usize,
    n_cols: usize,
    payoffs: Vec<f64>,
}

/// A mixed strategy for each side, and the pair's distance from equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The row player's expected payoff: within half of `gap` of the game's value.
    pub value: f64,
    /// A probability for each row.
    pub row: Vec<f64>,
    /// A probability for each column.
    pub col: Vec<f64>,
    /// [`MatrixGame::gap`] of `row` and `col`.
    pub gap: f64,
}

/// The reason a matrix is not a valid game.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum MatrixGameError {
    /// A side has no strategies, or more than [`SIDE_MAX`].
    BadShape {
        /// The requested number of rows.
        n_rows: usize,
        /// The requested number of columns.
        n_cols: usize,
    },
    /// A payoff is not a number, infinite, or beyond [`PAYOFF_MAX`].
    BadPayoff {
        /// Row of the payoff.
        row_idx: usize,
        /// Column of the payoff.
        col_idx: usize,
    },
}

impl MatrixGame {
    /// A game in which every payoff is zero.
    pub fn new(n_rows: usize, n_cols: usize) -> Result<Self, MatrixGameError> {
        let sides = 1..=SIDE_MAX;
        if !sides.contains(&n_rows) || !sides.contains(&n_cols) {
            return Err(MatrixGameError::BadShape { n_rows, n_cols });
        }
        Ok(Self {
            n_rows,
            n_cols,
            payoffs: vec![0.0; n_rows * n_cols],
        })
    }

    /// A game with the payoffs `payoff(row_idx, col_idx)`, evaluated row by row.
    pub fn from_fn(
        n_rows: usize,
        n_cols: usize,
        mut payoff: impl FnMut(usize, usize) -> f64,
    ) -> Result<Self, MatrixGameError> {
        let mut game = Self::new(n_rows, n_cols)?;
        for row_idx in 0..n_rows {
            for col_idx in 0..n_cols {
                game.set(row_idx, col_idx, payoff(row_idx, col_idx))?;
            }
        }
        Ok(game)
    }

    /// The number of strategies of the row player.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The number of strategies of the column player.
    pub fn n_cols(&self) -> usize {
        self.n_cols
    }

    /// One payoff. Panics outside the matrix.
    pub fn get(&self, row_idx: usize, col_idx: usize) -> f64 {
        self.payoffs[self.cell(row_idx, col_idx)]
    }

    /// Replaces one payoff. Changes nothing if the payoff is invalid. Panics outside the matrix.
    pub fn set(
        &mut self,
        row_idx: usize,
        col_idx: usize,
        payoff: f64,
    ) -> Result<(), MatrixGameError> {
        let cell = self.cell(row_idx, col_idx);
        // Written so that NaN, which compares with nothing, is refused.
        let fits = (-PAYOFF_MAX..=PAYOFF_MAX).contains(&payoff);
        if !fits {
            return Err(MatrixGameError::BadPayoff { row_idx, col_idx });
        }
        self.payoffs[cell] = payoff;
        Ok(())
    }

    /// The payoffs of one row. Panics outside the matrix.
    pub fn row(&self, row_idx: usize) -> &[f64] {
        assert!(row_idx < self.n_rows, "row outside the game");
        &self.payoffs[row_idx * self.n_cols..][..self.n_cols]
    }

    /// Solves the game. To solve many, keep a [`Solver`]: it reuses its memory.
    pub fn solve(&self) -> Solution {
        Solver::new().solve(self)
    }

    /// The lowest and the highest payoff.
    pub fn payoff_bounds(&self) -> (f64, f64) {
        let first = self.payoffs[0];
        self.payoffs.iter().fold((first, first), |(low, high), &p| {
            (lesser(low, p), greater(high, p))
        })
    }

    /// The payoff of the row player's mixture against the column player's best response: `min_j
    /// (xᵀA)_j`, a lower bound on the game's value.
    ///
    /// Like every method that takes a mixture, it takes weights and divides by their sum. It panics
    /// unless there is exactly one weight per strategy, all are finite and none is negative, and at
    /// least one is positive.
    pub fn best_response_value_to_row(&self, x: &[f64]) -> f64 {
        assert_weights(x);
        let base = self.payoff_bounds().0;
        base + self.floor_above(base, x, &mut Vec::new())
    }

    /// The payoff of the row player's best response to the column player's mixture: `max_i (Ay)_i`,
    /// an upper bound on the game's value.
    pub fn best_response_value_to_col(&self, y: &[f64]) -> f64 {
        assert_weights(y);
        let base = self.payoff_bounds().0;
        base + self.ceiling_above(base, y)
    }

    /// The certificate: `max_i (Ay)_i - min_j (xᵀA)_j`. It is never negative, and zero exactly when
    /// `x` and `y` are an equilibrium, both up to the rounding of the sums. The game's value always
    /// lies between the two terms.
    pub fn gap(&self, x: &[f64], y: &[f64]) -> f64 {
        assert_weights(x);
        assert_weights(y);
        let base = self.payoff_bounds().0;
        greater(
            0.0,
            self.ceiling_above(base, y) - self.floor_above(base, x, &mut Vec::new()),
        )
    }

    /// [`Self::best_response_value_to_row`] measured from `base`, the lowest
    /// payoff, so that an offset common to all payoffs costs no digits.
    fn floor_above(&self, base: f64, x: &[f64], totals: &mut Vec<f64>) -> f64 {
        assert_eq!(x.len(), self.n_rows, "one weight per row");
        totals.clear();
        totals.resize(self.n_cols, 0.0);
        let mut weight_sum = 0.0;
        for (row, &weight) in self.payoffs.chunks_exact(self.n_cols).zip(x) {
            if weight == 0.0 {
                continue;
            }
            weight_sum += weight;
            for (total, &payoff) in totals.iter_mut().zip(row) {
                *total += weight * (payoff - base);
            }
        }
        totals.iter().copied().fold(totals[0], lesser) / weight_sum
    }

    /// [`Self::best_response_value_to_col`] measured from `base`.
    fn ceiling_above(&self, base: f64, y: &[f64]) -> f64 {
        assert_eq!(y.len(), self.n_cols, "one weight per column");
        let expected = |row: &[f64]| {
            let terms = row.iter().zip(y);
            terms.fold(0.0, |sum, (&payoff, &weight)| {
                sum + weight * (payoff - base)
            })
        };
        let rows = self.payoffs.chunks_exact(self.n_cols);
        let weight_sum: f64 = y.iter().fold(0.0, |sum, &weight| sum + weight);
        rows.map(expected).fold(0.0, greater) / weight_sum
    }

    fn cell(&self, row_idx: usize, col_idx: usize) -> usize {
        assert!(
            row_idx < self.n_rows && col_idx < self.n_cols,
            "cell outside the game"
        );
        row_idx * self.n_cols + col_idx
    }
}

impl fmt::Display for MatrixGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadShape { n_rows, n_cols } => write!(
                f,
                "a game of {n_rows} by {n_cols} strategies: each side needs 1 to {SIDE_MAX}"
            ),
            Self::BadPayoff { row_idx, col_idx } => write!(
                f,
                "the payoff at row {row_idx}, column {col_idx} is not a number within {PAYOFF_MAX:e}"
            ),
        }
    }
}

impl Error for MatrixGameError {}

/// A gap computed from an invalid mixture would be meaningless.
fn assert_weights(weights: &[f64]) {
    let allowed = 0.0..=f64::MAX;
    assert!(
        weights.iter().all(|weight| allowed.contains(weight)),
        "a weight is negative or not finite"
    );
    assert!(
        weights.iter().any(|&weight| weight > 0.0),
        "all weights are zero"
    );
}

/// The first unless the second is greater. `f64::max` leaves the sign of a zero
/// to the platform.
fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The first unless the second is smaller.
fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}
