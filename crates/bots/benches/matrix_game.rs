//! Mean and worst time per game, and the worst gap, by size and kind of payoff.
#![allow(clippy::print_stdout)]

use std::cmp::Ordering;
use std::time::Instant;

use bots::matrix_game::{MatrixGame, Solver};

fn main() {
    println!("size  kind          games  mean µs   max µs  worst gap / range");
    for (side, n_games) in [(8, 4000), (24, 2000), (48, 300), (73, 150), (100, 60)] {
        for (name, payoff) in KINDS {
            report(side, n_games, name, payoff);
        }
    }
}

/// The payoff of a row and a column in the game with this seed.
type Payoff = fn(u64, usize, usize) -> f64;

const KINDS: [(&str, Payoff); 13] = [
    ("uniform", |seed, row, col| noise(seed, row, col).unit()),
    ("offset 1e6", |seed, row, col| {
        1e6 + noise(seed, row, col).unit()
    }),
    ("-1 0 1", |seed, row, col| {
        noise(seed, row, col).below(3) - 1.0
    }),
    ("mostly 0", |seed, row, col| {
        let mut noise = noise(seed, row, col);
        if noise.below(8) < 1.0 {
            noise.below(3) - 1.0
        } else {
            0.0
        }
    }),
    ("0..10", |seed, row, col| noise(seed, row, col).below(10)),
    ("tied + 1e-9", |seed, row, col| {
        let mut noise = noise(seed, row, col);
        noise.below(3) + 1e-9 * noise.unit()
    }),
    ("tied + 1e-12", |seed, row, col| {
        let mut noise = noise(seed, row, col);
        noise.below(3) + 1e-12 * noise.unit()
    }),
    ("skew", |seed, row, col| match row.cmp(&col) {
        Ordering::Less => noise(seed, row, col).below(3) - 1.0,
        Ordering::Equal => 0.0,
        Ordering::Greater => 1.0 - noise(seed, col, row).below(3),
    }),
    ("duplicates", |seed, row, col| {
        noise(seed, row / 3, col / 2).unit()
    }),
    ("low rank", |seed, row, col| {
        let part = |row, col| noise(seed, row, col).below(7) - 3.0;
        part(row, 0) * part(0, col) + part(row, 1) * part(1, col)
    }),
    ("1/(1+i+j)", |_, row, col| {
        let size = 1.0 / (1 + row + col) as f64;
        if (row + col) % 2 == 0 { size } else { -size }
    }),
    ("wide", |seed, row, col| {
        let mut noise = noise(seed, row, col);
        let n_digits = noise.below(10) as u32;
        (0..n_digits).fold(noise.unit() - 0.5, |size, _| size / 10.0)
    }),
    ("search", |_, row, col| {
        let distance = row.abs_diff(col) as f64;
        if row == col {
            -1.0
        } else {
            1.0 / (1.0 + distance * distance)
        }
    }),
];

fn report(side: usize, n_games: u64, name: &str, payoff: Payoff) {
    let mut solver = Solver::new();
    let (mut total_us, mut worst_us, mut worst_gap) = (0.0f64, 0.0f64, 0.0f64);
    for seed in 0..n_games {
        let game = MatrixGame::from_fn(side, side, |row, col| payoff(seed, row, col))
            .expect("payoffs are small numbers");
        let start = Instant::now();
        let solution = solver.solve(&game);
        let spent_us = start.elapsed().as_secs_f64() * 1e6;
        total_us += spent_us;
        worst_us = worst_us.max(spent_us);
        let (low, high) = game.payoff_bounds();
        if high > low {
            worst_gap = worst_gap.max(solution.gap / (high - low));
        }
    }
    let mean_us = total_us / n_games as f64;
    println!("{side:4}  {name:12} {n_games:6} {mean_us:8.1} {worst_us:8.1}  {worst_gap:.1e}");
}

fn noise(seed: u64, row: usize, col: usize) -> Noise {
    let mut start = Noise((seed << 32) ^ ((row as u64) << 16) ^ col as u64);
    Noise(start.next())
}

/// SplitMix64: small, and the same everywhere.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, bound: u64) -> f64 {
        (self.next() % bound) as f64
    }
}
