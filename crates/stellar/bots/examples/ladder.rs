//! Measures whether skill pays: commanders of each skill against those of the skill below and among
//! themselves, and commanders of full skill against scripted rushes and turtles, in every shipped
//! scenario that claims to be even.
//!
//! `cargo run -p stellar-bots --example ladder -- [MATCHES] [SEED] [SCENARIO…]`
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a measurement prints its results and panics on failure"
)]

use stellar::{Setup, shipped};
use stellar_bots::Script;
use stellar_bots::ladder::{Side, play};

fn main() {
    let mut args = std::env::args().skip(1);
    let n_games: u32 = args.next().map_or(1000, |it| it.parse().unwrap());
    let seed: u64 = args.next().map_or(1, |it| it.parse().unwrap());
    let mut names: Vec<String> = args.collect();
    if names.is_empty() {
        names = shipped::NAMES.map(str::to_owned).to_vec();
        names.retain(|it| it != "first_orders");
    }
    let full = Side::Skill("");
    let mut pairs = vec![
        ("skill 3 against 2".to_owned(), [full, Side::Skill("-2")]),
        (
            "skill 2 against 1".to_owned(),
            [Side::Skill("-2"), Side::Skill("-1")],
        ),
        ("skill 3 against 3".to_owned(), [full, full]),
    ];
    let scripts = Script::names().map(|it| (format!("`{it}`"), [full, Side::Script(it)]));
    pairs.extend(scripts);
    println!("| Scenario | Sides | Won, % (95 % interval) | By a condition, % | Median turns |");
    println!("| --- | --- | --- | ---: | ---: |");
    for name in names {
        let setup = Setup::new(shipped::scenario(&name).unwrap(), 0).unwrap();
        let setup = setup.with_open_galaxy();
        for (title, sides) in &pairs {
            let results = play(&setup, *sides, n_games, seed).unwrap();
            println!(
                "| `{name}` | {title} | {:.1} ({:.1}–{:.1}) | {:.1} | {} |",
                100.0 * results.won.rate,
                100.0 * results.won.low,
                100.0 * results.won.high,
                100.0 * results.by_condition,
                results.median_turns,
            );
        }
    }
}
