//! Counts of the paths from some positions, kept in `testdata`: a change to any rule of legality
//! or chance changes a count.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use std::fmt::Write as _;
use std::path::PathBuf;

use catan::{Catan, RawSetup, Setup};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Draw, Game, GameExt, Step, Turn};

/// Paths of this many steps, decisions and chance alike. A deal counts as one path.
fn count(at: &Catan, n_steps: u32) -> u64 {
    if n_steps == 0 {
        return 1;
    }
    let next = |step| {
        let mut next = *at;
        next.apply(step, &mut kernel::Discard).unwrap();
        count(&next, n_steps - 1)
    };
    match at.turn() {
        Turn::Over(_) => 1,
        Turn::Chance => {
            let odds = at.odds();
            let draws = (0..odds.n_outcomes().unwrap_or(1)).map(Draw);
            let possible = draws.filter(|draw| odds.admits(*draw));
            possible.map(|draw| next(Step::Chance(draw))).sum()
        }
        turn => {
            let seat = turn.open().lowest().unwrap();
            let legal = at.legal(seat);
            let actions = legal.iter().map(|id| at.action(id).unwrap());
            actions.map(|action| next(Step::Play(seat, action))).sum()
        }
    }
}

/// The position after this many random steps of a match.
fn position(setup: &Setup, seed: u64, n_steps: usize) -> Catan {
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
    let mut at = Catan::start(setup);
    for _ in 0..n_steps {
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
    at
}

#[test]
fn path_counts_are_as_blessed() {
    let small = Setup::try_from(RawSetup {
        vp_to_win: 4,
        max_turns: 12,
        player_trades: catan::Switch::Off,
        ..RawSetup::default()
    })
    .unwrap();
    let standard = Setup::default();
    let mut lines = String::new();
    for n_steps in 1..=5 {
        let n = count(&Catan::start(&standard), n_steps);
        writeln!(lines, "start {n_steps}: {n}").unwrap();
    }
    let places = [
        ("standard", standard, [9, 40, 120, 400, 900, 1500]),
        ("small", small, [9, 13, 18, 24, 30, 36]),
    ];
    for (name, setup, places) in places {
        for (seed, n_before) in (1..).zip(places) {
            let at = position(&setup, seed, n_before);
            for n_steps in 1..=5 {
                let n = count(&at, n_steps);
                writeln!(lines, "{name} seed {seed} after {n_before}, {n_steps}: {n}").unwrap();
            }
        }
    }
    compare(&lines);
}

/// Compares with the counts in `testdata`, or writes them there if `BLESS` is set.
#[expect(
    clippy::disallowed_methods,
    reason = "tests may read files and the BLESS variable"
)]
fn compare(found: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/catan/perft.txt");
    if std::env::var("BLESS").is_ok() {
        std::fs::write(&path, found).unwrap();
    }
    let blessed = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, blessed);
}
