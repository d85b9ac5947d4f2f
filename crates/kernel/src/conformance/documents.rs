//! Checks of snapshots and records.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::driver::{Manner, next_step, visit};
use super::{Finding, Suite};
use crate::doc::Faults;
use crate::fair::Opening;
use crate::json::{self, Json};
use crate::record::{Moment, Origin, Recorder, state_at, verify};
use crate::rng::{Generator, GeneratorKind, Seed};
use crate::{MatchId, Recorded, Source, Table, Timestamp, Turn};

// Promise: A snapshot loses nothing, and a damaged one is refused.
pub(super) fn snapshots_round_trip<G: Recorded>(suite: &Suite<G>) -> Finding {
    visit_tables(suite, 10, |table, _| {
        let document = document_of(table)?;
        let restored = restore::<G>(&document)?
            .map_err(|faults| format!("{} is refused: {faults}", table.position()))?;
        if restored != *table {
            let (was, is) = (table.position(), restored.position());
            return Err(format!("{was} is restored as {is}"));
        }
        let again = document_of(&restored)?;
        if again != document {
            return Err(format!("{document} is restored as {again}"));
        }
        Ok(())
    })
}

// Promise: A snapshot loses nothing, and a damaged one is refused.
/// Changes documents in one place: an accepted document must be read exactly as it is written.
/// Breaks documents in two places: both must be reported.
pub(super) fn damage_is_refused<G: Recorded>(suite: &Suite<G>) -> Finding {
    visit_tables(suite, 11, |table, rng| {
        let document = document_of(table)?;
        for _ in 0..4 {
            change_once::<G>(&document, rng)?;
        }
        break_twice::<G>(&document, rng)
    })
}

fn change_once<G: Recorded>(document: &Json, rng: &mut Generator) -> Finding {
    let mut changed = document.clone();
    let places = places_of(document);
    let place = &places[rng.below(places.len() as u64) as usize];
    if let Some(value) = at_mut(&mut changed, place) {
        change(value, rng);
    }
    match restore::<G>(&changed)? {
        Err(faults) if faults.is_empty() => Err("refused without a reason".to_owned()),
        Err(_) => Ok(()),
        Ok(table) => {
            let again = document_of(&table)?;
            match contains(&again, &changed) {
                true => Ok(()),
                false => Err(format!("{changed} is accepted and read as {again}")),
            }
        }
    }
}

fn change(value: &mut Json, rng: &mut Generator) {
    *value = match (rng.below(6), &*value) {
        (0, _) => Json::Null,
        (1, Json::Int(int)) => Json::Int(int + 1),
        (2, Json::Int(int)) => Json::Int(int - 1),
        (3, Json::Int(_)) => Json::Int(i128::from(rng.bits64() as i64)),
        (1..4, Json::Bool(it)) => Json::Bool(!it),
        (1 | 2, Json::Text(text)) => Json::Text(format!("{text}x")),
        (3, Json::Text(_)) => Json::Text(String::new()),
        (1, Json::List(items)) => Json::List(items.iter().skip(1).cloned().collect()),
        (2, Json::List(items)) => Json::List(items.iter().chain(items).cloned().collect()),
        (3, Json::List(items)) => Json::List(items.iter().rev().cloned().collect()),
        (1..4, Json::Object(fields)) => {
            let skipped = rng.below(fields.len().max(1) as u64) as usize;
            let kept = fields.iter().enumerate().filter(|(idx, _)| *idx != skipped);
            Json::Object(
                kept.map(|(_, (key, it))| (key.clone(), it.clone()))
                    .collect(),
            )
        }
        (4, Json::Object(fields)) => {
            let surplus = ("surplus".to_owned(), Json::Int(0));
            Json::Object(fields.clone().into_iter().chain([surplus]).collect())
        }
        (4, _) => Json::Text("?".to_owned()),
        _ => Json::List(Vec::new()),
    };
}

/// Puts a real number, which is never valid, in two places: both must be reported.
fn break_twice<G: Recorded>(document: &Json, rng: &mut Generator) -> Finding {
    let mut leaves = places_of(document);
    leaves.retain(|place| {
        let leaf = at(document, place)
            .is_some_and(|it| it.as_list().is_none() && it.as_object().is_none());
        leaf && place
            .first()
            .is_some_and(|key| key != "rng_state" && key != "log")
    });
    let mut broken = document.clone();
    let mut pick = || leaves[rng.below(leaves.len() as u64) as usize].clone();
    let places = [pick(), pick()];
    for place in &places {
        if let Some(value) = at_mut(&mut broken, place) {
            *value = Json::Real(0.5.into());
        }
    }
    let Err(faults) = restore::<G>(&broken)? else {
        return Err(format!("accepted with a real number at {places:?}"));
    };
    for place in &places {
        let pointer: String = place.iter().map(|key| format!("/{key}")).collect();
        let names = |fault: &crate::doc::Fault| {
            pointer.starts_with(&fault.pointer) && !fault.pointer.is_empty()
        };
        if !faults.iter().any(names) {
            return Err(format!(
                "{pointer} is broken but not reported among:\n{faults}"
            ));
        }
    }
    Ok(())
}

// Promise: The same seed and inputs give the same match.
pub(super) fn matches_repeat<G: Recorded>(suite: &Suite<G>) -> Finding {
    for setup in &suite.setups {
        for match_idx in 0..suite.n_matches {
            let origin = || Origin::Open(generator(match_idx));
            let record = || record_match::<G>(setup, origin(), suite, match_idx);
            let (first, second) = (record()?, record()?);
            if first != second {
                return Err(format!("match {match_idx} differs the second time"));
            }
        }
    }
    Ok(())
}

// Promise: A record replays, and every change to it is found.
pub(super) fn records_replay<G: Recorded>(suite: &Suite<G>) -> Finding {
    for setup in &suite.setups {
        for match_idx in 0..suite.n_matches {
            let opening = Opening::new([match_idx as u8; 32], [7; 32]);
            let open = Origin::Open(generator(match_idx));
            for origin in [open, Origin::Committed(opening)] {
                let record = record_match::<G>(setup, origin, suite, match_idx)?;
                verify::<G>(&record).map_err(|fault| fault.to_string())?;
                log_is_read_back::<G>(&record)?;
            }
        }
    }
    Ok(())
}

/// A snapshot with its log must be restored as the same table, and an invalid log must be refused.
fn log_is_read_back<G: Recorded>(record: &[u8]) -> Finding {
    let found = state_at::<G>(record, None, || true).map_err(|fault| fault.to_string())?;
    let Moment { table, log } = found.ok_or("the record has no state at its end")?;
    let bytes = json::to_canonical(&table.snapshot_with_log(&log));
    let bytes = bytes.map_err(|error| error.to_string())?;
    let mut document = json::read(&bytes).map_err(|error| error.to_string())?;
    if Table::<G>::restore(&document) != Ok(table) {
        return Err(format!(
            "a snapshot with its log is not restored: {document}"
        ));
    }
    if let Json::Object(fields) = &mut document {
        fields.insert("log".to_owned(), Json::Int(5));
    }
    match Table::<G>::restore(&document) {
        Ok(_) => Err("a snapshot whose log is 5 was accepted".to_owned()),
        Err(_) => Ok(()),
    }
}

/// A different kind of generator for each match.
fn generator(match_idx: u32) -> Generator {
    let kind = GeneratorKind::ALL[match_idx as usize % GeneratorKind::ALL.len()];
    Generator::from_seed(kind, &Seed::from(u64::from(match_idx)))
}

/// Plays a random match, with chance drawn by the recorder, and returns the record.
fn record_match<G: Recorded>(
    setup: &G::Setup,
    origin: Origin,
    suite: &Suite<G>,
    match_idx: u32,
) -> Result<Vec<u8>, String> {
    let mut rng = suite.rng(12, match_idx);
    let manner = [Manner::Wild, Manner::Orderly][match_idx as usize % 2];
    let mut at = Timestamp::SIMULATED;
    let game_id = MatchId::draw(&mut rng);
    let mut recorder = Recorder::<G>::begin(setup, game_id, origin, &[], at);
    // Ignores a match that does not end: another check reports that.
    for _ in 0..G::steps_max(setup) {
        let Some(step) = next_step(recorder.table().position(), manner, &mut rng) else {
            break;
        };
        at = at.plus_ms(1000);
        let refused = recorder.apply(step, at).err();
        if let Some(refusal) = refused {
            return Err(format!("{step:?}: {refusal}"));
        }
    }
    Ok(recorder.finish())
}

fn visit_tables<G: Recorded>(
    suite: &Suite<G>,
    check: u64,
    mut visitor: impl FnMut(&Table<G>, &mut Generator) -> Finding,
) -> Finding {
    let mut n_visited = 0;
    visit(suite, check, |_, position, rng| {
        n_visited += 1;
        let source = Source::Open(generator(if n_visited % 8 == 0 { n_visited } else { 2 }));
        let table = Table::at(position.clone(), MatchId::draw(rng), source);
        visitor(&table, rng)
    })
}

fn document_of<G: Recorded>(table: &Table<G>) -> Result<Json, String> {
    let bytes = json::to_canonical(&table.snapshot()).map_err(|error| error.to_string())?;
    let document = json::read(&bytes).map_err(|error| error.to_string())?;
    match json::to_canonical(&document) {
        Ok(again) if again == bytes => Ok(document),
        _ => Err(format!("the snapshot is not canonical: {document}")),
    }
}

/// Restores a table; a panic counts as a violation and does not end the run.
fn restore<G: Recorded>(document: &Json) -> Result<Result<Table<G>, Faults>, String> {
    catch_unwind(AssertUnwindSafe(|| {
        let restored = Table::<G>::restore(document);
        if let Ok(table) = &restored {
            // An accepted table must also survive being used.
            let _ = (table.position().turn() == Turn::Chance, table.state_hash());
        }
        restored
    }))
    .map_err(|_| format!("restoring panics on {document}"))
}

type Place = Vec<String>;

/// Every place in a document, starting with the document itself. The generator's state counts as
/// one place.
fn places_of(document: &Json) -> Vec<Place> {
    fn walk(value: &Json, here: &mut Place, places: &mut Vec<Place>) {
        places.push(here.clone());
        let mut enter = |key: String, value: &Json, here: &mut Place| {
            here.push(key);
            walk(value, here, places);
            here.pop();
        };
        match value {
            Json::List(items) => {
                for (idx, item) in items.iter().enumerate() {
                    enter(idx.to_string(), item, here);
                }
            }
            Json::Object(fields) => {
                for (key, field) in fields {
                    if key != "rng_state" {
                        enter(key.clone(), field, here);
                    }
                }
            }
            _ => {}
        }
    }
    let mut places = Vec::new();
    walk(document, &mut Vec::new(), &mut places);
    places
}

fn at<'a>(document: &'a Json, place: &[String]) -> Option<&'a Json> {
    place.iter().try_fold(document, |value, key| match value {
        Json::Object(fields) => fields.get(key),
        Json::List(items) => items.get(key.parse::<usize>().ok()?),
        _ => None,
    })
}

fn at_mut<'a>(document: &'a mut Json, place: &[String]) -> Option<&'a mut Json> {
    place.iter().try_fold(document, |value, key| match value {
        Json::Object(fields) => fields.get_mut(key),
        Json::List(items) => items.get_mut(key.parse::<usize>().ok()?),
        _ => None,
    })
}

/// True if `whole` contains everything in `part`: a reader may fill in omitted values, but must not
/// change any.
fn contains(whole: &Json, part: &Json) -> bool {
    match (whole, part) {
        (Json::Object(whole), Json::Object(part)) => part.iter().all(|(key, value)| {
            key == "log" || whole.get(key).is_some_and(|own| contains(own, value))
        }),
        _ => whole == part,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Compares everything that `change` makes of a value with `expected`, in order.
    fn check(value: &str, expected: &[&str]) {
        let changed = |seed: u64| {
            let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
            let mut value = json::read(value.as_bytes()).expect("JSON");
            change(&mut value, &mut rng);
            value.to_string()
        };
        let found: BTreeSet<String> = (0..200).map(changed).collect();
        assert!(found.iter().eq(expected), "{value} becomes {found:#?}");
    }

    #[test]
    fn every_kind_of_damage_is_tried() {
        check("true", &[r#""?""#, "[]", "false", "null"]);
        check(r#""ab""#, &[r#""""#, r#""?""#, r#""abx""#, "[]", "null"]);
        check(
            "[1, 2, 3]",
            &[
                r#""?""#,
                "[1, 2, 3, 1, 2, 3]",
                "[2, 3]",
                "[3, 2, 1]",
                "[]",
                "null",
            ],
        );
        check(
            r#"{"a": 1, "b": 2}"#,
            &[
                "[]",
                "null",
                r#"{"a": 1, "b": 2, "surplus": 0}"#,
                r#"{"a": 1}"#,
                r#"{"b": 2}"#,
            ],
        );
    }
}
