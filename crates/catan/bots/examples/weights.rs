//! Searches for better weights for Catan's heuristic and prints them: `cargo run --release -p
//! catan-bots --example weights -- TRIALS PAIRS SEED`.
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use catan::{BoardKind, RawSetup, Setup};
use catan_bots::Fit;
use kernel::rng::{Generator, GeneratorKind, Seed};

fn main() {
    let args: Vec<u64> = std::env::args().skip(1).flat_map(|it| it.parse()).collect();
    let arg = |idx: usize, default| args.get(idx).copied().unwrap_or(default);
    let (n_trials, n_games, seed) = (arg(0, 50), arg(1, 300) as u32, arg(2, 1));
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
    let raw = RawSetup {
        board: BoardKind::Random,
        ..RawSetup::default()
    };
    let Ok(setup) = Setup::try_from(raw) else {
        return;
    };
    let fit = |seed| Fit {
        setup,
        n_games,
        seed,
    };
    let mut best: Vec<i32> = Fit::current().map(|(_, weight)| weight).collect();
    for trial in 0..n_trials {
        let varied = Fit::vary(&best, &mut rng);
        let n_wins = fit(seed * 1000 + trial).duel(&varied, &best).unwrap_or(0);
        // Two standard deviations above even, so that luck rarely passes for skill.
        let even = f64::from(n_games);
        if f64::from(n_wins) > even + 2.0 * (even / 2.0).sqrt() {
            best = varied;
            println!("trial {trial}: {n_wins} of {}", 2 * n_games);
            for ((name, _), weight) in Fit::current().zip(&best) {
                println!("    {weight}, // {name}");
            }
        }
    }
    let current: Vec<i32> = Fit::current().map(|(_, weight)| weight).collect();
    let check = Fit {
        n_games: 1000,
        ..fit(seed + 999_999)
    };
    let n_wins = check.duel(&best, &current).unwrap_or(0);
    println!("the new weights win {n_wins} of 2000 against the current ones");
    println!("calibration {}", check.calibration());
}
