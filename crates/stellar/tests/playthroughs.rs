//! Full matches, stored as records and digests, so that a change to any of them is noticed.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use std::fmt::Write as _;
use std::path::PathBuf;

use kernel::json::Json;
use kernel::record::{Closing, Line, Origin, Reader, Recorder, Replay, split_lines, verify};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Discard, Game, GameExt, Mask, MatchId, Source, Step, Table, Timestamp, Turn, json};
use stellar::scenario::{self, Condition, Scenario};
use stellar::{Setup, Stellar, shipped};

fn setup(name: &str, seed: u32) -> Setup {
    Setup::new(shipped::scenario(name).unwrap(), seed).unwrap()
}

/// A random step: sometimes a deadline, and a faction is done one time in three.
fn next(at: &Stellar, mask: &mut Mask, rng: &mut Generator) -> Option<Step<stellar::Action>> {
    let turn = at.turn();
    let seat = match turn {
        Turn::Over(_) => return None,
        Turn::Chance => return Some(Step::Chance(at.odds().draw(rng))),
        _ => turn.open().lowest().unwrap(),
    };
    if rng.below(60) == 0 {
        return Some(Step::Deadline);
    }
    at.fill_legal(seat, mask);
    let done = at.action_id(stellar::Action::Done);
    if mask.allows(done) && rng.below(3) == 0 {
        return Some(Step::Play(seat, stellar::Action::Done));
    }
    let id = mask.sample(rng).unwrap();
    Some(Step::Play(seat, at.action(id).unwrap()))
}

/// A random match as a record; chance comes from the recorder.
fn record(name: &str, kind: GeneratorKind, seed: u64) -> Vec<u8> {
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
    let origin = Origin::Open(Generator::from_seed(kind, &Seed::from(seed)));
    let game_id = MatchId::draw(&mut rng);
    let mut at = Timestamp::SIMULATED;
    let setup = setup(name, 1);
    let mut recorder = Recorder::<Stellar>::begin(&setup, game_id, origin, &[], at);
    let mut mask = Mask::default();
    while let Some(step) = next(recorder.table().position(), &mut mask, &mut rng) {
        at = at.plus_ms(1000);
        recorder.apply(step, at).unwrap();
    }
    recorder.finish()
}

#[test]
fn playthroughs_are_as_blessed() {
    for (name, kind, seed) in [
        ("first_orders", GeneratorKind::PyRandom, 1),
        ("the_bridge", GeneratorKind::ChaCha20, 2),
    ] {
        let record = record(name, kind, seed);
        let report = verify::<Stellar>(&record).unwrap_or_else(|fault| panic!("{fault}"));
        assert!(report.outcome.is_some());
        compare(&format!("{name}.jsonl"), &record);
    }
}

// Promise: The last line of a record names the condition that was met, the turn and the scores.
#[test]
fn the_closing_line_names_condition_turn_and_scores() {
    let mut scenario = shipped::scenario("the_bridge").unwrap();
    scenario.objectives.victory = vec![
        Condition::Elimination,
        Condition::Domination {
            percentage: "0.01".parse().unwrap(),
        },
    ];
    let setup = Setup::new(scenario, 1).unwrap();
    let origin = Origin::Open(Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(1)));
    let game_id = MatchId::draw(&mut Generator::from_seed(
        GeneratorKind::Pcg64,
        &Seed::from(1),
    ));
    let start = Timestamp::SIMULATED;
    let mut recorder = Recorder::<Stellar>::begin(&setup, game_id, origin, &[], start);
    recorder.apply(Step::Deadline, start).unwrap();
    let record = recorder.finish();
    let (replay, closing) = replayed(&record);
    assert_eq!(
        closing.closing.ending.as_ref().unwrap().to_string(),
        concat!(
            r#"{"condition": {"index": 1, "percentage": "0.01", "type": "domination"}, "#,
            r#""scores": [{"faction": "blue", "power": 9300, "systems": 3}, "#,
            r#"{"faction": "red", "power": 9300, "systems": 3}], "turn": 1}"#
        )
    );
    let close = |ending: Option<Json>, version: &str| {
        let mut changed = (*closing).clone();
        changed.closing.ending = ending;
        changed.schema_version = version.to_owned();
        replay.close(&changed, 1).map_err(|fault| fault.code)
    };
    let ending = closing.closing.ending.clone();
    assert!(close(ending.clone(), "0.4.0").is_ok());
    assert!(close(None, "0.3.0").is_ok(), "older records have no ending");
    let mut forged = ending.clone().unwrap();
    if let Json::Object(fields) = &mut forged {
        fields.insert("turn".to_owned(), Json::Int(2));
    }
    for (ending, version) in [(Some(forged), "0.4.0"), (None, "0.4.0"), (ending, "0.3.0")] {
        assert_eq!(close(ending, version), Err("wrong_ending"));
    }
}

/// A replay of all actions of a record, and its closing line.
fn replayed(record: &[u8]) -> (Replay<Stellar>, Box<Closing>) {
    let (mut lines, _) = split_lines(record);
    let mut reader = Reader::new();
    let Line::Header(header) = reader.push(lines.next().unwrap()).unwrap() else {
        panic!("the first line is the header");
    };
    let mut replay = Replay::<Stellar>::begin(&header).unwrap();
    for line in lines {
        match reader.push(line).unwrap() {
            Line::Action(line) => drop(replay.advance(&line, reader.n_lines()).unwrap()),
            Line::Closing(closing) => return (replay, closing),
            Line::Header(_) => panic!("a second header"),
        }
    }
    panic!("the record is not closed");
}

/// The end of random matches of a scenario, one line for each of six galaxies.
fn digests(name: &str, scenario: &Scenario) -> String {
    let mut lines = String::new();
    let mut mask = Mask::default();
    for seed in 0..6u64 {
        let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
        let game_id = MatchId::draw(&mut rng);
        let setup = Setup::new(scenario.clone(), seed as u32).unwrap();
        let mut at = Stellar::start(&setup);
        while let Some(step) = next(&at, &mut mask, &mut rng) {
            at.apply_trusted(step, &mut Discard);
        }
        let outcome = at.outcome().unwrap();
        let turn = at.turn_number();
        let hash = Table::at(at, game_id, Source::Open(rng)).state_hash();
        writeln!(lines, "{name} {seed} t{turn} {outcome} {hash}").unwrap();
    }
    lines
}

#[test]
fn digests_of_random_matches_are_as_blessed() {
    let names = shipped::NAMES.iter().filter(|it| **it != "thousand_suns");
    let digest = |name: &&str| digests(name, &shipped::scenario(name).unwrap());
    let lines: String = names.map(digest).collect();
    compare("digests.txt", lines.as_bytes());
}

// Promise: A scenario of an older format has the same galaxies and matches as ever.
#[test]
#[expect(clippy::disallowed_methods, reason = "tests may read files")]
fn scenarios_of_format_1_0_are_played_as_before() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/stellar/format-1.0");
    let wanted = std::fs::read_to_string(dir.join("digests.txt")).unwrap();
    let mut names: Vec<&str> = wanted
        .lines()
        .filter_map(|it| it.split(' ').next())
        .collect();
    names.dedup();
    assert_eq!(names.len(), 8);
    let digest = |name: &&str| {
        let text = std::fs::read(dir.join(format!("{name}.json"))).unwrap();
        let report = scenario::examine(&json::read(&text).unwrap());
        digests(name, &report.scenario.unwrap())
    };
    let found: String = names.iter().map(digest).collect();
    assert!(found == wanted, "a match of format 1.0 changed:\n{found}");
}

#[test]
fn a_snapshot_of_any_step_leads_to_the_same_hash() {
    let setup = setup("the_bridge", 1);
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(9));
    let game_id = MatchId::draw(&mut rng);
    let mut at = Stellar::start(&setup);
    let mut mask = Mask::default();
    let mut n_sealed = 0;
    while let Some(step) = next(&at, &mut mask, &mut rng) {
        let table = Table::at(at.clone(), game_id, Source::Open(rng.clone()));
        let document = json::from_value(&table.snapshot()).unwrap();
        let mut loaded = Table::<Stellar>::restore(&document).unwrap();
        n_sealed += u32::from(at.fleets().iter().any(|it| it.order.is_some()));
        loaded.apply(step, &mut Discard).unwrap();
        at.apply_trusted(step, &mut Discard);
        assert_eq!(*loaded.position(), at);
    }
    assert!(
        n_sealed > 20,
        "too few snapshots with sealed orders: {n_sealed}"
    );
}

#[test]
fn a_record_resumes_from_any_line_to_the_same_end() {
    let record = record("first_orders", GeneratorKind::PyRandom, 1);
    let text = String::from_utf8(record.clone()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    for n_kept in [2, lines.len() / 3, lines.len() - 2] {
        let mut reader = Reader::new();
        let Line::Header(header) = reader.push(lines[0].as_bytes()).unwrap() else {
            panic!("the first line is the header");
        };
        let mut replay = Replay::<Stellar>::begin(&header).unwrap();
        for line in &lines[1..n_kept] {
            if let Line::Action(line) = reader.push(line.as_bytes()).unwrap() {
                replay.advance(&line, reader.n_lines()).unwrap();
            }
        }
        let mut resumed = replay.resume(&reader, None).unwrap();
        let mut rest = Replay::<Stellar>::begin(&header).unwrap();
        let mut steps = Reader::new();
        steps.push(lines[0].as_bytes()).unwrap();
        for line in &lines[1..n_kept] {
            if let Line::Action(line) = steps.push(line.as_bytes()).unwrap() {
                rest.advance(&line, steps.n_lines()).unwrap();
            }
        }
        assert_eq!(resumed.table().state_hash(), rest.table().state_hash());
        resumed
            .apply(Step::Deadline, Timestamp::SIMULATED.plus_ms(10_000_000))
            .unwrap();
        let whole = [
            lines[..n_kept].join("\n").as_bytes(),
            b"\n",
            &resumed.finish(),
        ]
        .concat();
        verify::<Stellar>(&whole).unwrap();
    }
}

#[test]
fn snapshots_are_valid_by_their_schema() {
    let schema = serde_json::to_value(kernel::schema::snapshot_schema::<Stellar>()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(4));
    let game_id = MatchId::draw(&mut rng);
    let mut at = Stellar::start(&setup("the_bridge", 1));
    let mut mask = Mask::default();
    while let Some(step) = next(&at, &mut mask, &mut rng) {
        let table = Table::at(at.clone(), game_id, Source::Open(rng.clone()));
        let value = serde_json::to_value(table.snapshot()).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|it| it.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:?}");
        at.apply_trusted(step, &mut Discard);
    }
}

/// Compares bytes with those in `testdata`, or writes them there if `BLESS` is set.
#[expect(
    clippy::disallowed_methods,
    reason = "tests may read files, and BLESS is an environment variable"
)]
fn compare(name: &str, bytes: &[u8]) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/stellar")
        .join(name);
    if std::env::var("BLESS").is_ok() {
        return std::fs::write(&path, bytes).unwrap();
    }
    let blessed = std::fs::read(&path).unwrap_or_default();
    assert!(
        blessed == bytes,
        "{name} differs from the blessed file; run cargo xtask bless to accept the change"
    );
}
