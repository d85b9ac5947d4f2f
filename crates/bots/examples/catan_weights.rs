//! Fits the weights of Catan's heuristic anew and prints them:
//! `cargo run --release -p bots --example catan_weights -- ROUNDS GAMES SEED`.
#![allow(clippy::print_stdout, reason = "an example talks to who runs it")]

use bots::catan::Fit;

fn main() {
    let args: Vec<u64> = std::env::args().skip(1).flat_map(|it| it.parse()).collect();
    let arg = |idx: usize, default| args.get(idx).copied().unwrap_or(default);
    let fit = Fit {
        setup: Default::default(),
        n_games: arg(1, 10_000) as u32,
        slips_permille: arg(3, 30),
        step_permille: 1000,
        seed: arg(2, 1),
    };
    let names: Vec<&str> = Fit::current().map(|(name, _)| name).collect();
    let mut weights: Vec<i32> = Fit::current().map(|(_, weight)| weight).collect();
    for round in 0..arg(0, 1) {
        let fit = Fit {
            seed: fit.seed + round,
            step_permille: if round == 0 { 1000 } else { 500 },
            ..fit.clone()
        };
        let Some((new, loss)) = fit.round(&weights, 2) else {
            return;
        };
        weights = new;
        println!("round {round}: loss {loss:.4}");
        for (name, weight) in names.iter().zip(&weights) {
            println!("    {weight}, // {name}");
        }
    }
}
