//! Costs of Catan: a random match, a copy of a position, a snapshot with its hash. Part of `cargo
//! xtask bench catan`.
#![allow(
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark reads the clock, prints, and panics on errors"
)]

use std::hint::black_box;
use std::time::Instant;

use catan::{Catan, Setup};
use kernel::json::Hash;
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Game, GameExt, Mask, MatchId, Source, Step, Table, Turn};

/// Runs per measurement. The best one counts, since other load only slows a run down.
const N_RUNS: usize = 7;

fn main() {
    let rates = matches();
    let tables = tables();
    let n_bytes = snapshot_bytes(&tables);
    println!("| What | Measured | Aim |");
    println!("| --- | ---: | ---: |");
    println!(
        "| matches per second, masks and rules alone | {:.0} | |",
        rates.matches
    );
    println!(
        "| decisions per second in them | {:.2} million | |",
        rates.decisions / 1e6
    );
    println!(
        "| a copy of a position of {} bytes | {:.1} ns | 50 ns |",
        size_of::<Catan>(),
        clone_ns()
    );
    println!(
        "| a snapshot as canonical JSON, {n_bytes} bytes | {:.1} µs | |",
        snapshot_us(&tables, Hashed::No)
    );
    println!(
        "| the same with its hash | {:.1} µs | 25 µs |",
        snapshot_us(&tables, Hashed::Yes)
    );
}

#[derive(Clone, Copy, PartialEq)]
enum Hashed {
    No,
    Yes,
}

struct Rates {
    matches: f64,
    decisions: f64,
}

/// Uniform random play with masks, and nothing else.
fn matches() -> Rates {
    const N_MATCHES: u64 = 1000;
    let mut best = Rates {
        matches: 0.0,
        decisions: 0.0,
    };
    for _ in 0..N_RUNS {
        let mut mask = Mask::default();
        let mut n_decisions = 0;
        let seconds = timed(|| {
            n_decisions = (0..N_MATCHES)
                .map(|seed| play(seed, &mut mask))
                .sum::<u64>();
        });
        if best.matches < N_MATCHES as f64 / seconds {
            best.matches = N_MATCHES as f64 / seconds;
            best.decisions = n_decisions as f64 / seconds;
        }
    }
    best
}

fn play(seed: u64, mask: &mut Mask) -> u64 {
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
    let mut at = Catan::start(&Setup::default());
    let mut n_decisions = 0;
    loop {
        match at.turn() {
            Turn::Over(_) => return n_decisions,
            Turn::Chance => {
                let draw = at.odds().draw(&mut rng);
                at.resolve_trusted(draw, &mut kernel::Discard);
            }
            turn => {
                let seat = turn.open().lowest().unwrap();
                at.fill_legal(seat, mask);
                let action = at.action(mask.sample(&mut rng).unwrap()).unwrap();
                at.play_trusted(seat, action, &mut kernel::Discard);
                n_decisions += 1;
            }
        }
    }
}

/// Tables in the middle of random matches.
fn tables() -> Vec<Table<Catan>> {
    (0..64)
        .map(|seed| {
            let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
            let game_id = MatchId::draw(&mut rng);
            let mut at = Catan::start(&Setup::default());
            for _ in 0..40 + 30 * seed {
                let step = match at.turn() {
                    Turn::Over(_) => break,
                    Turn::Chance => Step::Chance(at.odds().draw(&mut rng)),
                    turn => {
                        let seat = turn.open().lowest().unwrap();
                        let id = at.legal(seat).sample(&mut rng).unwrap();
                        Step::Play(seat, at.action(id).unwrap())
                    }
                };
                at.apply_trusted(step, &mut kernel::Discard);
            }
            Table::at(at, game_id, Source::Open(rng))
        })
        .collect()
}

/// Nanoseconds to copy a position.
fn clone_ns() -> f64 {
    const N_CLONES: u32 = 1_000_000;
    let at = Catan::start(&Setup::default());
    best_of(|| {
        for _ in 0..N_CLONES {
            black_box(*black_box(&at));
        }
    }) * 1e9
        / f64::from(N_CLONES)
}

/// Microseconds to write a snapshot as canonical JSON, with its hash if asked for.
fn snapshot_us(tables: &[Table<Catan>], hashed: Hashed) -> f64 {
    const N_ROUNDS: usize = 50;
    let mut bytes = Vec::new();
    let seconds = best_of(|| {
        for table in std::iter::repeat_n(tables, N_ROUNDS).flatten() {
            bytes.clear();
            table.write_snapshot(&mut bytes);
            if hashed == Hashed::Yes {
                black_box(Hash::of_bytes(&bytes));
            }
        }
    });
    seconds * 1e6 / (N_ROUNDS * tables.len()) as f64
}

fn snapshot_bytes(tables: &[Table<Catan>]) -> usize {
    let mut bytes = Vec::new();
    for table in tables {
        table.write_snapshot(&mut bytes);
    }
    bytes.len() / tables.len()
}

/// Seconds of the fastest run.
fn best_of(mut run: impl FnMut()) -> f64 {
    std::iter::repeat_with(|| timed(&mut run))
        .take(N_RUNS)
        .fold(f64::INFINITY, f64::min)
}

/// Seconds of processor time if the system reports it, otherwise of wall time.
fn timed(run: impl FnOnce()) -> f64 {
    let (began, clock) = (on_processor_ns(), Instant::now());
    run();
    match (began, on_processor_ns()) {
        (Some(began), Some(ended)) => (ended - began) as f64 / 1e9,
        _ => clock.elapsed().as_secs_f64(),
    }
}

/// Nanoseconds that this thread has run so far.
fn on_processor_ns() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split_whitespace().next()?.parse().ok()
}
