//! Named cases of the rules, as positions, inputs and results in text.

#![allow(clippy::unwrap_used, reason = "a missing value fails the test")]

mod battles;
mod board;
mod ground;
mod impossible;
mod objectives;
mod orders;
mod resolutions;
mod supply;

use std::fmt::Write;

use kernel::json::{self, Json};
use kernel::{Game, script};
use stellar::scenario::{self, Scenario};
use stellar::{Event, Setup, Stellar, SystemIdx};

/// A scenario of `n_factions` without fleets or territory, with `n_systems` systems far apart.
fn bare(n_factions: usize, n_systems: u32, victory: &str, cap: Option<u32>) -> Scenario {
    let ids = &["blue", "red", "green", "gold"][..n_factions];
    let listed = |each: &dyn Fn(&str) -> String| {
        let each: Vec<String> = ids.iter().map(|id| each(id)).collect();
        each.join(", ")
    };
    let factions = listed(&|id| {
        format!(r##"{{"id": "{id}", "name": "{id}", "colorHex": "#123456", "isPlayable": true}}"##)
    });
    // Reserves ranks for ships and fleets; the positions of the tests have others.
    let ships = [r#""frigate""#; 12].join(", ");
    let fleets = listed(&|id| {
        format!(r#"{{"ownerFactionId": "{id}", "spawnLocation": "random", "ships": [{ships}]}}"#)
    });
    let cap = cap.map_or(String::new(), |cap| format!(r#""maxTurns": {cap}"#));
    let text = format!(
        r#"{{"schemaVersion": 1, "id": "bare",
          "meta": {{"title": "Bare", "description": "", "difficulty": 1}},
          "generation": {{"systemCount": {n_systems}, "radius": 250,
            "topology": "scattered", "minimumSystemSpacingLy": 40}},
          "setup": {{"factions": [{factions}], "startingDistribution": "none",
            "initialFleets": [{fleets}]}},
          "objectives": {{"victory": {victory}, "constraints": {{{cap}}}}},
          "rules": {{"fogOfWar": true, "useAdvancedCombat": true, "aiEnabled": true,
            "totalWar": true}}}}"#
    );
    let report = scenario::examine(&json::read(text.as_bytes()).unwrap());
    report
        .scenario
        .unwrap_or_else(|| panic!("{:?}", report.findings))
}

/// The start of a match of two factions with 12 systems, before a test places its pieces.
fn two(victory: &str, cap: Option<u32>) -> Stellar {
    start(bare(2, 12, victory, cap))
}

/// The same with three factions.
fn three(victory: &str, cap: Option<u32>) -> Stellar {
    start(bare(3, 12, victory, cap))
}

fn start(scenario: Scenario) -> Stellar {
    Stellar::start(&Setup::new(scenario, 1).unwrap())
}

/// A system each, so that the match does not end by itself.
const HOMES: &str = "blue owns 10..11; red owns 11..12";

/// A match of two factions without conditions.
fn field() -> Stellar {
    two("[]", Some(50))
}

/// The system nearest to this one without an owner in [`HOMES`], and its distance.
fn neighbor(base: &Stellar, from: u16) -> (u16, i64) {
    let galaxy = base.galaxy();
    let at = galaxy.at(SystemIdx(from));
    let far = |idx: &u16| galaxy.at(SystemIdx(*idx)).squared_to(at);
    let to = (0..10).filter(|it| *it != from).min_by_key(far).unwrap();
    (to, galaxy.at(SystemIdx(to)).distance_to(at))
}

/// Plays a script from a board with only these pieces, in the notation of [`board`], and compares
/// the result.
#[track_caller]
fn check(base: &Stellar, pieces: &str, script: &str, expected: &str) {
    script::check(base, &board::only(base, pieces), script, expected);
}

/// The position with only these pieces.
#[track_caller]
fn given(base: &Stellar, pieces: &str) -> Stellar {
    script::read(base, &board::only(base, pieces))
}

/// The position with more pieces.
#[track_caller]
fn and(base: &Stellar, pieces: &str) -> Stellar {
    script::read(base, &board::more(base, pieces))
}

/// The position after a script, and the events of the script.
#[track_caller]
fn after(mut position: Stellar, script: &str) -> (Stellar, Vec<Event>) {
    let events = script::play(&mut position, script);
    (position, events)
}

/// The expectation that the match has ended, with a cause such as `condition:0` or `draw`.
fn end(winner: Option<u8>, cause: &str, turn: u32) -> String {
    let (cause, condition) = match cause.split_once(':') {
        Some((cause, condition)) => (cause, condition),
        None => (cause, "null"),
    };
    let winner = winner.map_or("null".to_owned(), |seat| seat.to_string());
    let mut expected = format!("end.winner={winner} end.cause={cause} end.condition={condition}");
    write!(expected, " end.turn={turn}").unwrap();
    expected
}

/// The codes of the findings in the base document with these objectives.
fn codes(objectives: &str) -> Vec<String> {
    scenario::examine(&with_objectives(objectives)).codes()
}

fn with_objectives(objectives: &str) -> Json {
    let table = include_str!("../../../../testdata/stellar/scenarios.json");
    let table = json::read(table.as_bytes()).unwrap();
    let mut base = table.get("base").unwrap().clone();
    let objectives = json::read(objectives.as_bytes()).unwrap();
    if let Json::Object(fields) = &mut base {
        fields.insert("objectives".to_owned(), objectives);
    }
    base
}
