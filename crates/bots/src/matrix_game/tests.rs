//! Games with known solutions, and mixtures that the certificate rejects.

mod properties;

use super::digits::{Digits, Double};
use super::{MatrixGame, MatrixGameError, PAYOFF_MAX, SIDE_MAX, Solution, Solver, regret};

/// Solves a game written as rows of numbers, `;` between rows.
fn solve(text: &str) -> Solution {
    game(text).solve()
}

fn game(text: &str) -> MatrixGame {
    let rows: Vec<Vec<f64>> = text
        .split(';')
        .map(|row| row.split_whitespace().map(|n| n.parse().unwrap()).collect())
        .collect();
    MatrixGame::from_fn(rows.len(), rows[0].len(), |row, col| rows[row][col]).unwrap()
}

#[track_caller]
fn check(text: &str, value: f64, row: &[f64], col: &[f64]) {
    let solution = solve(text);
    let near = |found: &[f64], wanted: &[f64]| {
        found.len() == wanted.len() && found.iter().zip(wanted).all(|(f, w)| (f - w).abs() < 1e-14)
    };
    assert!(
        near(&[solution.value], &[value])
            && near(&solution.row, row)
            && near(&solution.col, col)
            && solution.gap < 1e-14,
        "{solution:?}"
    );
}

#[test]
fn mixed_games_have_their_textbook_answers() {
    check("1 -1; -1 1", 0.0, &[0.5, 0.5], &[0.5, 0.5]);
    // Rock, paper, scissors; then with rock over scissors paying double.
    let third = 1.0 / 3.0;
    check("0 -1 1; 1 0 -1; -1 1 0", 0.0, &[third; 3], &[third; 3]);
    let weighted = [0.25, 0.5, 0.25];
    check("0 -1 2; 1 0 -1; -2 1 0", 0.0, &weighted, &weighted);
    // Only two of the columns are worth playing.
    check(
        "2 3 11; 7 5 2",
        49.0 / 11.0,
        &[3.0 / 11.0, 8.0 / 11.0],
        &[0.0, 9.0 / 11.0, 2.0 / 11.0],
    );
}

#[test]
fn saddle_points_are_found_exactly() {
    for (text, value) in [
        ("7", 7.0),
        ("3 1 2", 1.0),
        ("3; 1; 4", 4.0),
        ("4 4 10; 2 3 1; 6 5 7", 5.0),
        ("2 2; 2 2", 2.0),
        ("0 0 0; 0 0 0; 0 0 0", 0.0),
        ("-1 0; -2 3", -1.0),
    ] {
        let solution = solve(text);
        assert_eq!((solution.value, solution.gap), (value, 0.0), "{text}");
    }
}

#[test]
fn kuhn_poker_is_worth_minus_an_eighteenth() {
    // Per card, the first player checks and folds, checks and calls, or bets; the
    // second has an answer to a check (check, bet) and one to a bet (fold, call).
    let digit = |strategy: usize, base: usize, card: u32| strategy / base.pow(card) % base;
    let game = MatrixGame::from_fn(27, 64, |row, col| {
        let mut total = 0.0;
        for (first, second) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
            let sign = if first > second { 1.0 } else { -1.0 };
            let answer = digit(col, 4, second);
            let (bets, calls) = (answer % 2 == 1, answer / 2 == 1);
            total += match digit(row, 3, first) {
                2 if calls => 2.0 * sign,
                2 => 1.0,
                _ if !bets => sign,
                0 => -1.0,
                _ => 2.0 * sign,
            };
        }
        total / 6.0
    })
    .unwrap();
    let solution = game.solve();
    assert!((solution.value + 1.0 / 18.0).abs() < 1e-15, "{solution:?}");
    assert!(solution.gap < 1e-15);
}

#[test]
fn wrong_strategies_fail_the_certificate() {
    let pennies = game("1 -1; -1 1");
    assert_eq!(pennies.gap(&[0.5, 0.5], &[0.5, 0.5]), 0.0);
    assert_eq!(pennies.gap(&[1.0, 0.0], &[0.5, 0.5]), 1.0);
    assert_eq!(pennies.gap(&[0.5, 0.5], &[0.25, 0.75]), 0.5);
    assert_eq!(pennies.gap(&[0.0, 1.0], &[1.0, 0.0]), 2.0);
    // The right mixtures, but on the wrong sides.
    let lopsided = game("2 3 11; 7 5 2; 0 0 0");
    let Solution { row, col, .. } = lopsided.solve();
    assert!(lopsided.gap(&row, &col) < 1e-14);
    assert!(lopsided.gap(&col, &row) > 1.0);
}

#[test]
fn best_responses_bound_the_value_from_both_sides() {
    let game = game("2 3 11; 7 5 2");
    assert_eq!(game.best_response_value_to_row(&[0.5, 0.5]), 4.0);
    assert_eq!(game.best_response_value_to_col(&[0.0, 0.5, 0.5]), 7.0);
    // Only the ratio of the weights matters.
    assert_eq!(game.best_response_value_to_row(&[3.0, 3.0]), 4.0);
    assert_eq!(game.gap(&[1.0, 1.0], &[0.0, 4.0, 4.0]), 3.0);
}

#[test]
#[should_panic(expected = "negative")]
fn a_negative_weight_is_rejected() {
    game("1 -1; -1 1").gap(&[1.5, -0.5], &[0.5, 0.5]);
}

#[test]
#[should_panic(expected = "negative or not finite")]
fn a_nan_weight_is_rejected() {
    game("1 -1; -1 1").best_response_value_to_col(&[f64::NAN, 1.0]);
}

#[test]
#[should_panic(expected = "all weights are zero")]
fn all_zero_weights_are_rejected() {
    game("1 -1; -1 1").gap(&[0.0, 0.0], &[0.5, 0.5]);
}

#[test]
fn an_invalid_game_is_refused() {
    for (n_rows, n_cols) in [(0, 1), (1, 0), (0, 0), (SIDE_MAX + 1, 1), (1, usize::MAX)] {
        let refused = Err(MatrixGameError::BadShape { n_rows, n_cols });
        assert_eq!(MatrixGame::new(n_rows, n_cols), refused);
    }
    let mut game = MatrixGame::new(2, 3).unwrap();
    for payoff in [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1.01 * PAYOFF_MAX,
    ] {
        let error = MatrixGameError::BadPayoff {
            row_idx: 1,
            col_idx: 2,
        };
        assert_eq!(game.set(1, 2, payoff), Err(error));
        assert_eq!(
            MatrixGame::from_fn(2, 3, |row, col| if row * col == 2 { payoff } else { 0.0 }),
            Err(error)
        );
    }
    assert_eq!(game, MatrixGame::new(2, 3).unwrap());
}

#[test]
fn extreme_payoffs_do_not_break_the_arithmetic() {
    let tiny = f64::from_bits(1);
    for size in [tiny, f64::MIN_POSITIVE, 1e-200, 1e200, PAYOFF_MAX] {
        let game = MatrixGame::from_fn(3, 3, |row, col| match (3 + row - col) % 3 {
            0 => 0.0,
            1 => size,
            _ => -size,
        });
        let solution = game.unwrap().solve();
        assert!(solution.gap <= 1e-15 * size, "{size:e}: {solution:?}");
    }
    let mixed = game("1e300 -1e300 1; -1e300 1e300 2; 1e-300 3 -1e150");
    assert!(mixed.solve().gap <= 1e-15 * 2e300);
}

#[test]
fn nearly_tied_games_need_and_get_more_digits() {
    // Payoffs 0, 1, 2 that differ by parts in 10^-9: on some of these, the tableau in plain f64
    // stops at a gap above 1e-10.
    for seed in 0..2000 {
        let mut noise = properties::Noise(seed);
        let game = MatrixGame::from_fn(8, 8, |_, _| {
            noise.below(3) as f64 + 1e-15 * noise.below(1_000_000) as f64
        });
        let gap = game.unwrap().solve().gap;
        assert!(gap <= 2e-13, "seed {seed}: {gap:e}");
    }
}

#[test]
fn regret_matching_alone_comes_close() {
    let game = game("0 -1 2; 1 0 -1; -2 1 0");
    let (mut row, mut col) = ([0.0; 3], [0.0; 3]);
    regret::write_mixtures(&game.payoffs, 5_000, &mut row, &mut col);
    assert!(game.gap(&row, &col) < 1e-2);
}

#[test]
fn doubles_carry_twice_the_digits() {
    let number = Double::from_f64;
    let third = number(1.0).divided_by(number(3.0));
    let lost = number(1.0).less_product(third, number(3.0)).to_f64();
    assert!(lost.abs() < 1e-31, "{lost:e}");
    let seventh_squared = number(1.0).divided_by(number(49.0));
    let seventh = number(1.0).divided_by(number(7.0));
    let lost = seventh_squared.less_product(seventh, seventh).to_f64();
    assert!(lost.abs() < 1e-32, "{lost:e}");
    // (1 + e)(1 - e) = 1 - e²: e² is far beyond the last digit of an f64.
    let e = 1.0 / (1_u64 << 40) as f64;
    let product = number(1.0).less_product(number(1.0 + e), number(1.0 - e));
    assert_eq!(product.to_f64(), e * e);
}

/// Results are bit-identical everywhere. A change to the method may change the number; a change of
/// machine, build profile or compiler must not.
#[test]
fn bits_are_the_same_everywhere() {
    let mut solver = Solver::new();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for seed in 0..300 {
        let game = properties::sample(seed);
        let kept = solver.solve(&game);
        assert_eq!(kept, game.solve(), "earlier games affect the result");
        let mixtures = kept.row.iter().chain(&kept.col);
        for number in mixtures.chain([&kept.value, &kept.gap]) {
            hash = (hash ^ number.to_bits()).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!(hash, 0x1af0_5bfa_0c70_7379, "{hash:#018x}");
}
