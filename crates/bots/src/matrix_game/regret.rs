//! Regret matching: slow, but it always converges.

/// Plays `payoffs` against itself for `n_rounds` with regret matching plus, the sides alternating,
/// and writes the averages, with more weight on later rounds. The gap shrinks at least with the
/// square root of the number of rounds.
pub(super) fn write_mixtures(payoffs: &[f64], n_rounds: usize, row: &mut [f64], col: &mut [f64]) {
    let n_cols = col.len();
    row.fill(0.0);
    col.fill(0.0);
    let mut row_side = Side::new(row.len());
    let mut col_side = Side::new(n_cols);
    for round in 1..=n_rounds {
        let weight = round as f64;
        for (earned, source) in row_side.earned.iter_mut().zip(payoffs.chunks_exact(n_cols)) {
            let terms = source.iter().zip(&col_side.mixture);
            *earned = terms.fold(0.0, |sum, (&payoff, &p)| sum + payoff * p);
        }
        row_side.learn();
        col_side.earned.fill(0.0);
        for (&p, source) in row_side.mixture.iter().zip(payoffs.chunks_exact(n_cols)) {
            for (earned, &payoff) in col_side.earned.iter_mut().zip(source) {
                *earned -= payoff * p;
            }
        }
        col_side.learn();
        add_scaled(row, weight, &row_side.mixture);
        add_scaled(col, weight, &col_side.mixture);
    }
}

struct Side {
    mixture: Vec<f64>,
    /// The payoff that each strategy would have earned this round.
    earned: Vec<f64>,
    regrets: Vec<f64>,
}

impl Side {
    fn new(n_strategies: usize) -> Self {
        Self {
            mixture: vec![1.0 / n_strategies as f64; n_strategies],
            earned: vec![0.0; n_strategies],
            regrets: vec![0.0; n_strategies],
        }
    }

    /// Adds `earned` to the regrets and mixes in proportion to them.
    fn learn(&mut self) {
        let terms = self.mixture.iter().zip(&self.earned);
        let expected = terms.fold(0.0, |sum, (&p, &earned)| sum + p * earned);
        let mut total = 0.0;
        for (regret, &earned) in self.regrets.iter_mut().zip(&self.earned) {
            *regret = super::greater(0.0, *regret + (earned - expected));
            total += *regret;
        }
        if total > 0.0 {
            for (p, &regret) in self.mixture.iter_mut().zip(&self.regrets) {
                *p = regret / total;
            }
        }
    }
}

fn add_scaled(target: &mut [f64], factor: f64, source: &[f64]) {
    for (cell, &term) in target.iter_mut().zip(source) {
        *cell += factor * term;
    }
}
