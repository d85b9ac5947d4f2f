//! Records and snapshots fit the generated schemas, according to an independent validator.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use std::fs;
use std::path::Path;

use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::schema::{record_schema, snapshot_schema};
use kernel::{Game, MatchId, Source, Table, json};
use orcain::{Orcain, Setup};
use serde_json::Value;

fn golden_records() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/orcain");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let records = files.filter(|file| file.extension().is_some_and(|it| it == "jsonl"));
    records
        .map(|file| fs::read_to_string(file).unwrap())
        .collect()
}

#[test]
fn every_line_of_the_golden_records_fits_the_record_schema() {
    let schema = serde_json::to_value(record_schema()).unwrap();
    let judge = jsonschema::validator_for(&schema).unwrap();
    let records = golden_records();
    assert!(records.len() >= 6);
    for line in records.iter().flat_map(|record| record.lines()) {
        let line: Value = serde_json::from_str(line).unwrap();
        let errors: Vec<String> = judge.iter_errors(&line).map(|it| it.to_string()).collect();
        assert!(errors.is_empty(), "{line}: {errors:?}");
    }
}

#[test]
fn a_line_with_an_unknown_field_does_not_fit() {
    let schema = serde_json::to_value(record_schema()).unwrap();
    let judge = jsonschema::validator_for(&schema).unwrap();
    let record = &golden_records()[0];
    let line: Value = serde_json::from_str(record.lines().nth(1).unwrap()).unwrap();
    for (field, value) in [
        ("action_id", Value::from("1")),
        ("chain", Value::from("sha256:12")),
        ("timestamp_utc", Value::from("yesterday")),
        ("mood", Value::from("good")),
        ("result", Value::Null),
    ] {
        let mut damaged = line.clone();
        damaged[field] = value;
        assert!(!judge.is_valid(&damaged), "{damaged}");
    }
}

#[test]
fn snapshots_of_every_generator_fit_the_snapshot_schema() {
    let schema = serde_json::to_value(snapshot_schema::<Orcain>()).unwrap();
    let judge = jsonschema::validator_for(&schema).unwrap();
    for kind in GeneratorKind::ALL {
        let mut rng = Generator::from_seed(kind, &Seed::from(3));
        let game_id = MatchId::draw(&mut rng);
        let position = Orcain::start(&Setup::default());
        let table = Table::at(position, game_id, Source::Open(rng));
        let bytes = json::to_canonical(&table.snapshot()).unwrap();
        let mut snapshot: Value = serde_json::from_slice(&bytes).unwrap();
        let errors: Vec<String> = judge
            .iter_errors(&snapshot)
            .map(|it| it.to_string())
            .collect();
        assert!(errors.is_empty(), "{kind}: {errors:?}");
        snapshot["rng_state"]["state"] = Value::from(1);
        assert!(!judge.is_valid(&snapshot), "{kind}");
    }
}
