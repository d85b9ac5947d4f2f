//! The simplex method on a condensed tableau.
//!
//! The program is `maximize Σq  subject to  Bq ≤ 1, q ≥ 0` with every entry of `B` in `[1, 2]`. Its
//! optimum is `1 / value`; `q` is the column player's mixture and the prices `p` of the constraints
//! are the row player's, both up to scale. The start `q = 0` is feasible and the program is
//! bounded, so every run ends at an optimum unless rounding or the pivot limit stops it.

use super::digits::Digits;
use super::{greater, lesser};

/// A tableau of `n_rows` constraints over `n_cols` variables, with the right-hand
/// side as last column and the objective as last row.
///
/// Variables are numbered: columns of the game first, then the slacks of its rows.
#[derive(Clone, Debug)]
pub(super) struct Tableau<D> {
    n_rows: usize,
    n_cols: usize,
    cells: Vec<D>,
    pivot_row: Vec<D>,
    /// The variable solved for in each row.
    basic: Vec<usize>,
    /// The variable held at zero in each column.
    held: Vec<usize>,
}

impl<D> Default for Tableau<D> {
    fn default() -> Self {
        Self {
            n_rows: 0,
            n_cols: 0,
            cells: Vec::new(),
            pivot_row: Vec::new(),
            basic: Vec::new(),
            held: Vec::new(),
        }
    }
}

impl<D: Digits> Tableau<D> {
    /// Starts from `q = 0`. `payoffs` is `B`, row-major; `nudge` increases the right-hand sides by
    /// different small amounts up to that value, so that no two constraints meet at the same
    /// vertex.
    pub(super) fn load(&mut self, payoffs: &[f64], n_rows: usize, n_cols: usize, nudge: f64) {
        self.n_rows = n_rows;
        self.n_cols = n_cols;
        self.cells.clear();
        self.cells.reserve((n_rows + 1) * (n_cols + 1));
        let mut fraction = 0.0;
        for row in payoffs.chunks_exact(n_cols) {
            fraction = next_fraction(fraction);
            self.cells.extend(row.iter().map(|&cell| D::from_f64(cell)));
            self.cells.push(D::from_f64(1.0 + nudge * fraction));
        }
        self.cells
            .resize(self.cells.len() + n_cols, D::from_f64(-1.0));
        self.cells.push(D::from_f64(0.0));
        self.basic.clear();
        self.basic.extend(n_cols..n_cols + n_rows);
        self.held.clear();
        self.held.extend(0..n_cols);
    }

    /// Pivots until nothing improves the objective, or until the limit or a column without a clear
    /// pivot stops it. The result can be read in either case; the gap shows how good it is.
    pub(super) fn run(&mut self, n_pivots_max: usize) {
        let n_stalls_max = 8 + (self.n_rows + self.n_cols) / 4;
        let mut n_stalls = 0;
        for _ in 0..n_pivots_max {
            // Bland's rule cannot cycle but is slow, so it is used only while there is no progress.
            let bland = n_stalls > n_stalls_max;
            let Some(col_idx) = self.entering(bland) else {
                return;
            };
            let Some(row_idx) = self.leaving(col_idx, bland) else {
                return;
            };
            let stalled = self.gain(row_idx, col_idx) <= D::DIP_MAX;
            n_stalls = if stalled { n_stalls + 1 } else { 0 };
            self.pivot(row_idx, col_idx);
        }
    }

    /// The rows and columns of the basis: those whose constraints are tight, and
    /// those that may be played. Both lists have the same length and are sorted.
    pub(super) fn write_basis(&self, rows: &mut Vec<usize>, cols: &mut Vec<usize>) {
        rows.clear();
        cols.clear();
        rows.extend(
            self.held
                .iter()
                .filter_map(|&var| var.checked_sub(self.n_cols)),
        );
        cols.extend(self.basic.iter().copied().filter(|&var| var < self.n_cols));
        rows.sort_unstable();
        cols.sort_unstable();
    }

    /// The mixtures as the tableau has them, not normalized.
    pub(super) fn write_mixtures(&self, row: &mut [f64], col: &mut [f64]) {
        row.fill(0.0);
        col.fill(0.0);
        for (row_idx, &var) in self.basic.iter().enumerate() {
            if var < self.n_cols {
                col[var] = self.cell(row_idx, self.n_cols);
            }
        }
        for (col_idx, &var) in self.held.iter().enumerate() {
            if let Some(row_var) = var.checked_sub(self.n_cols) {
                row[row_var] = self.cell(self.n_rows, col_idx);
            }
        }
    }

    fn cell(&self, row_idx: usize, col_idx: usize) -> f64 {
        self.cells[row_idx * (self.n_cols + 1) + col_idx].to_f64()
    }

    /// The value of a row's basic variable; dips below zero count as zero.
    fn level(&self, row_idx: usize) -> f64 {
        greater(0.0, self.cell(row_idx, self.n_cols))
    }

    /// The amount a pivot adds to the objective.
    fn gain(&self, row_idx: usize, col_idx: usize) -> f64 {
        -self.cell(self.n_rows, col_idx) * (self.level(row_idx) / self.cell(row_idx, col_idx))
    }

    /// The column whose variable should grow: the steepest of those that improve the objective, or
    /// the first variable by Bland's rule.
    fn entering(&self, bland: bool) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for col_idx in 0..self.n_cols {
            let cost = self.cell(self.n_rows, col_idx);
            if cost >= -D::COST_TOLERANCE {
                continue;
            }
            let better = best.is_none_or(|(best_idx, best_cost)| {
                if bland {
                    self.held[col_idx] < self.held[best_idx]
                } else {
                    cost < best_cost
                }
            });
            if better {
                best = Some((col_idx, cost));
            }
        }
        best.map(|(col_idx, _)| col_idx)
    }

    /// Harris's ratio test. Determines how far the entering variable can grow if basic variables
    /// may dip a little; then, of the rows that block it by then, chooses the one with the largest
    /// pivot, or the first variable by Bland's rule.
    fn leaving(&self, col_idx: usize, bland: bool) -> Option<usize> {
        let mut step_max = f64::INFINITY;
        for row_idx in 0..self.n_rows {
            let pivot = self.cell(row_idx, col_idx);
            if pivot > D::PIVOT_MIN {
                step_max = lesser(step_max, (self.level(row_idx) + D::DIP_MAX) / pivot);
            }
        }
        let mut best: Option<(usize, f64)> = None;
        for row_idx in 0..self.n_rows {
            let pivot = self.cell(row_idx, col_idx);
            if pivot <= D::PIVOT_MIN || self.level(row_idx) / pivot > step_max {
                continue;
            }
            let better = best.is_none_or(|(best_idx, best_pivot)| {
                if bland {
                    self.basic[row_idx] < self.basic[best_idx]
                } else {
                    pivot > best_pivot
                }
            });
            if better {
                best = Some((row_idx, pivot));
            }
        }
        best.map(|(row_idx, _)| row_idx)
    }

    /// Exchanges the basic variable of a row with the held one of a column.
    fn pivot(&mut self, row_idx: usize, col_idx: usize) {
        let width = self.n_cols + 1;
        let row = &mut self.cells[row_idx * width..][..width];
        let pivot = row[col_idx];
        row[col_idx] = D::from_f64(1.0);
        for cell in row.iter_mut() {
            *cell = cell.divided_by(pivot);
        }
        self.pivot_row.clear();
        self.pivot_row.extend_from_slice(row);
        for (idx, row) in self.cells.chunks_exact_mut(width).enumerate() {
            let factor = row[col_idx];
            if idx == row_idx || factor.to_f64() == 0.0 {
                continue;
            }
            row[col_idx] = D::from_f64(0.0);
            for (cell, &pivot_cell) in row.iter_mut().zip(&self.pivot_row) {
                *cell = cell.less_product(factor, pivot_cell);
            }
        }
        std::mem::swap(&mut self.basic[row_idx], &mut self.held[col_idx]);
    }
}

/// The next of a sequence in `(0, 1)` that does not repeat for a long time: the fractional parts of
/// multiples of the golden ratio.
fn next_fraction(fraction: f64) -> f64 {
    let next = fraction + 0.618_033_988_749_894_9;
    if next < 1.0 { next } else { next - 1.0 }
}
