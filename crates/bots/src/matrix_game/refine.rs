//! Mixtures computed from a basis alone, free of the rounding errors of the pivots.

/// An LU factorization with partial pivoting, and its scratch memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Refiner {
    size: usize,
    lu: Vec<f64>,
    /// `order[i]` is the row of the square system that elimination moved to `i`.
    order: Vec<usize>,
    work: Vec<f64>,
}

impl Refiner {
    /// Solves `Sq = 1` and `pᵀS = 1` for the square submatrix `S` of `payoffs` given by `rows` and
    /// `cols`, and writes `p` and `q` in place, with zeros elsewhere. Returns false when `S` is
    /// singular up to rounding.
    pub(super) fn write_mixtures(
        &mut self,
        payoffs: &[f64],
        (rows, cols): (&[usize], &[usize]),
        (row, col): (&mut [f64], &mut [f64]),
    ) -> bool {
        let n_cols = col.len();
        self.size = rows.len();
        self.lu.clear();
        for &row_idx in rows {
            let source = &payoffs[row_idx * n_cols..][..n_cols];
            self.lu.extend(cols.iter().map(|&col_idx| source[col_idx]));
        }
        if self.size == 0 || !self.factorise() {
            return false;
        }
        col.fill(0.0);
        self.solve_ones();
        for (&col_idx, &weight) in cols.iter().zip(&self.work) {
            col[col_idx] = weight;
        }
        row.fill(0.0);
        self.solve_ones_transposed();
        for (&at, &weight) in self.order.iter().zip(&self.work) {
            row[rows[at]] = weight;
        }
        true
    }

    fn factorise(&mut self) -> bool {
        let size = self.size;
        self.order.clear();
        self.order.extend(0..size);
        for step in 0..size {
            let mut best_idx = step;
            for idx in step + 1..size {
                if self.lu[idx * size + step].abs() > self.lu[best_idx * size + step].abs() {
                    best_idx = idx;
                }
            }
            if self.lu[best_idx * size + step] == 0.0 {
                return false;
            }
            if best_idx != step {
                let (above, below) = self.lu.split_at_mut(best_idx * size);
                above[step * size..][..size].swap_with_slice(&mut below[..size]);
                self.order.swap(step, best_idx);
            }
            self.eliminate_below(step);
        }
        true
    }

    fn eliminate_below(&mut self, step: usize) {
        let size = self.size;
        let (above, below) = self.lu.split_at_mut((step + 1) * size);
        let pivot_row = &above[step * size + step..];
        for row in below.chunks_exact_mut(size) {
            let factor = row[step] / pivot_row[0];
            row[step] = factor;
            if factor == 0.0 {
                continue;
            }
            for (cell, &pivot_cell) in row[step + 1..].iter_mut().zip(&pivot_row[1..]) {
                *cell -= factor * pivot_cell;
            }
        }
    }

    /// Leaves the solution of `Sq = 1` in `work`, by column.
    fn solve_ones(&mut self) {
        let size = self.size;
        self.work.clear();
        self.work.resize(size, 1.0);
        for idx in 0..size {
            let row = &self.lu[idx * size..][..idx];
            self.work[idx] -= dot(row, &self.work[..idx]);
        }
        for idx in (0..size).rev() {
            let row = &self.lu[idx * size..][..size];
            let rest = dot(&row[idx + 1..], &self.work[idx + 1..]);
            self.work[idx] = (self.work[idx] - rest) / row[idx];
        }
    }

    /// Leaves the solution of `pᵀS = 1` in `work`, by elimination order.
    fn solve_ones_transposed(&mut self) {
        let size = self.size;
        self.work.clear();
        self.work.resize(size, 1.0);
        for idx in 0..size {
            let row = &self.lu[idx * size..][..size];
            self.work[idx] /= row[idx];
            let (done, rest) = self.work.split_at_mut(idx + 1);
            subtract_scaled(rest, done[idx], &row[idx + 1..]);
        }
        for idx in (0..size).rev() {
            let row = &self.lu[idx * size..][..idx];
            let (rest, done) = self.work.split_at_mut(idx);
            subtract_scaled(rest, done[0], row);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (x, y)| sum + x * y)
}

fn subtract_scaled(target: &mut [f64], factor: f64, source: &[f64]) {
    for (cell, &term) in target.iter_mut().zip(source) {
        *cell -= factor * term;
    }
}
