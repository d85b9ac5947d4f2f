//! Properties of every game, tested on random ones: smooth, in small integers, and so tied that
//! most vertices are degenerate.

use proptest::prelude::*;

use super::super::{MatrixGame, Solution};

/// A gap above this part of the payoff range is a failure.
const GAP_MAX: f64 = 1e-12;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn solutions_are_certified_distributions(game in games()) {
        let solution = game.solve();
        let range = range(&game);
        prop_assert!(solution.gap <= GAP_MAX * range, "gap {:e}", solution.gap);
        prop_assert_eq!(solution.gap, game.gap(&solution.row, &solution.col));
        for mixture in [&solution.row, &solution.col] {
            prop_assert!(mixture.iter().all(|&p| p >= 0.0));
            prop_assert!((mixture.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        }
        let slack = 1e-12 * range;
        prop_assert!(game.best_response_value_to_row(&solution.row) <= solution.value + slack);
        prop_assert!(game.best_response_value_to_col(&solution.col) >= solution.value - slack);
    }

    #[test]
    fn swapping_the_sides_negates_the_value(game in games()) {
        let mirrored = build(game.n_cols(), game.n_rows(), |row, col| -game.get(col, row));
        let (here, there) = (game.solve().value, mirrored.solve().value);
        // The values themselves are rounded, however close the payoffs are to each other.
        let slack = 2.0 * GAP_MAX * range(&game) + 4.0 * f64::EPSILON * here.abs();
        prop_assert!((here + there).abs() <= slack, "{here} {there}");
    }

    #[test]
    fn adding_a_constant_shifts_the_value(game in games(), shift in -1e3..1e3_f64) {
        let shifted = build(game.n_rows(), game.n_cols(), |row, col| game.get(row, col) + shift);
        let (here, there) = (game.solve(), shifted.solve());
        let moved = there.value - here.value;
        // The payoffs themselves are rounded when shifted.
        let slack = 2.0 * GAP_MAX * range(&game) + 1e-15 * (shift.abs() + 10.0);
        prop_assert!((moved - shift).abs() <= slack, "{moved} for {shift}");
        prop_assert!(there.gap <= GAP_MAX * range(&shifted));
    }

    #[test]
    fn skew_symmetric_games_are_fair(game in games()) {
        let side = game.n_rows().min(game.n_cols());
        let fair = build(side, side, |row, col| game.get(row, col) - game.get(col, row));
        let Solution { value, gap, .. } = fair.solve();
        let range = range(&fair);
        prop_assert!(gap <= GAP_MAX * range && value.abs() <= GAP_MAX * range, "{value:e} {gap:e}");
    }

    #[test]
    fn the_gap_includes_all_that_a_pure_row_gives_away(game in games()) {
        let Solution { value, col, .. } = game.solve();
        let slack = GAP_MAX * range(&game);
        for row_idx in 0..game.n_rows() {
            let mut x = vec![0.0; game.n_rows()];
            x[row_idx] = 1.0;
            let floor = game.row(row_idx).iter().copied().fold(f64::INFINITY, f64::min);
            prop_assert!(game.gap(&x, &col) >= value - floor - slack);
        }
    }

    #[test]
    fn duplicate_rows_and_columns_do_not_change_the_value(game in games(), n_times in 2usize..4) {
        let (n_rows, n_cols) = (game.n_rows(), game.n_cols());
        let repeated = build(n_rows * n_times, n_cols * n_times, |row, col| {
            game.get(row % n_rows, col / n_times)
        });
        let (once, often) = (game.solve(), repeated.solve());
        let slack = GAP_MAX * range(&game);
        prop_assert!(often.gap <= slack && (once.value - often.value).abs() <= 2.0 * slack);
    }
}

/// SplitMix64, to derive games from numbers.
pub(super) struct Noise(pub(super) u64);

impl Noise {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// A game of up to 30 by 30, of a kind chosen by the seed.
pub(super) fn sample(seed: u64) -> MatrixGame {
    let mut noise = Noise(seed);
    let (n_rows, n_cols) = (noise.below(30) as usize + 1, noise.below(30) as usize + 1);
    let kind = noise.below(6);
    build(n_rows, n_cols, |_, _| match kind {
        0 => unit(&mut noise) - 0.5,
        1 => noise.below(3) as f64 - 1.0,
        2 => noise.below(10) as f64,
        3 => (noise.below(9) == 0) as u64 as f64 - (noise.below(9) == 0) as u64 as f64,
        4 => noise.below(3) as f64 + 1e-9 * unit(&mut noise),
        _ => noise.below(2) as f64,
    })
}

fn games() -> impl Strategy<Value = MatrixGame> {
    let cell = prop_oneof![
        Just((-0.5..0.5).boxed()),
        Just((-1..=1).prop_map(f64::from).boxed()),
        Just((0..10).prop_map(f64::from).boxed()),
        Just(prop_oneof![8 => Just(0.0), 1 => Just(1.0), 1 => Just(-1.0)].boxed()),
        Just(
            (0..3, 0.0..1e-9)
                .prop_map(|(tied, apart)| f64::from(tied) + apart)
                .boxed()
        ),
    ];
    (1..=30_usize, 1..=30_usize, cell)
        .prop_flat_map(|(n_rows, n_cols, cell)| {
            let cells = prop::collection::vec(cell, n_rows * n_cols);
            (Just(n_rows), Just(n_cols), cells)
        })
        .prop_map(|(n_rows, n_cols, cells)| {
            build(n_rows, n_cols, |row, col| cells[row * n_cols + col])
        })
}

fn unit(noise: &mut Noise) -> f64 {
    (noise.next() >> 11) as f64 / (1u64 << 53) as f64
}

fn build(n_rows: usize, n_cols: usize, payoff: impl FnMut(usize, usize) -> f64) -> MatrixGame {
    MatrixGame::from_fn(n_rows, n_cols, payoff).expect("a game of small numbers")
}

fn range(game: &MatrixGame) -> f64 {
    let (low, high) = game.payoff_bounds();
    high - low
}
