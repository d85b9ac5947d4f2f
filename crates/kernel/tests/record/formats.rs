//! Records that stop early, and records of the older format.

use kernel::fair::Opening;
use kernel::json::Json;
use kernel::record::{Chance, verify};
use kernel::{Recorded, Source};

use crate::matches::{armada, at, documents, join, lines, open_source, play, records, smugglers};
use crate::toys::armada::Armada;
use crate::toys::smugglers::Smugglers;

#[test]
fn a_record_that_stops_before_the_end_is_accepted() {
    for case in records() {
        let lines = lines(&case.record);
        for n_lines in 1..lines.len() - 1 {
            let report = (case.verify)(&join(&lines[..n_lines])).unwrap();
            assert_eq!(report.n_actions as usize, n_lines - 1);
            assert_eq!(report.outcome, None);
        }
    }
}

#[test]
fn a_finished_record_needs_its_closing_line() {
    for case in records() {
        let lines = lines(&case.record);
        let report = (case.verify)(&case.record).unwrap();
        assert!(report.outcome.is_some());
        let unclosed = join(&lines[..lines.len() - 1]);
        assert_eq!(case.fault(&unclosed), (lines.len(), "not_closed"));
    }
}

#[test]
fn the_older_format_is_read_where_the_generator_is_known() {
    check_older::<Smugglers>(&smugglers());
    check_older::<Armada>(&armada());
}

fn check_older<G: Recorded>(setup: &G::Setup) {
    let played = play::<G>(setup, open_source(4), None, 4);
    let older = to_older(&played.record);
    let report = verify::<G>(&join(&older)).unwrap();
    assert_eq!(report.state_hash, *played.hashes.last().unwrap());
    assert_eq!(report.chance, Chance::Redrawn);
    // Its hashes still protect it.
    let mut lines = documents(&join(&older));
    *at(&mut lines[1], "result/state_hash") = at(&mut lines[0], "state_hash").clone();
    let forged: Vec<String> = lines.iter().map(Json::to_string).collect();
    let fault = verify::<G>(&join(&forged)).unwrap_err();
    assert_eq!((fault.line, fault.code), (2, "wrong_state_hash"));
}

#[test]
fn the_older_format_cannot_hold_a_commitment() {
    let opening = Opening::new([1; 32], [2; 32]);
    let played = play::<Smugglers>(&smugglers(), Source::commit(&opening), None, 1);
    let fault = verify::<Smugglers>(&join(&to_older(&played.record))).unwrap_err();
    assert_eq!((fault.line, fault.code), (2, "chance_missing"));
}

/// The record as the older format wrote it, without chain, chance and closing line.
fn to_older(record: &[u8]) -> Vec<String> {
    let lines = documents(record).into_iter();
    let open = lines.filter(|line| line.get("closing").is_none());
    let older = |mut line: Json| {
        *at(&mut line, "schema_version") = Json::Text("0.1.0".to_owned());
        if let Json::Object(fields) = &mut line {
            fields.remove("chain");
            if let Some(Json::Object(result)) = fields.get_mut("result") {
                result.remove("chance");
            }
        }
        line.to_string()
    };
    open.map(older).collect()
}
