//! A match resumes from a snapshot, from a record, and from a snapshot with the record's tail, as
//! if it had never stopped.
//!
//! Promise: A resumed match of Catan continues as it would have.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use catan::{Action, Catan, RawSetup, Setup};
use kernel::json::{self, Hash};
use kernel::record::{ActionLine, Line, Origin, Reader, Recorder, Replay, split_lines};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Game, GameExt, MatchId, Step, Table, Timestamp};

/// A record of a short match, with every action that was played.
struct Match {
    record: Vec<u8>,
    steps: Vec<Step<Action>>,
    setup: Setup,
}

fn generator(kind: GeneratorKind, seed: u64) -> Generator {
    Generator::from_seed(kind, &Seed::from(seed))
}

fn begin(setup: &Setup, kind: GeneratorKind) -> Recorder<Catan> {
    let game_id = MatchId::draw(&mut generator(GeneratorKind::Pcg64, 5));
    let origin = Origin::Open(generator(kind, 17));
    Recorder::begin(setup, game_id, origin, &["a", "b"], Timestamp::SIMULATED)
}

fn play(kind: GeneratorKind) -> Match {
    let setup = Setup::try_from(RawSetup {
        max_turns: 60,
        discard_threshold: 5,
        ..RawSetup::default()
    })
    .unwrap();
    let mut recorder = begin(&setup, kind);
    let mut rng = generator(GeneratorKind::Pcg64, 99);
    let mut steps = Vec::new();
    while let Some(seat) = recorder.table().position().turn().open().lowest() {
        let position = recorder.table().position();
        let id = position.legal(seat).sample(&mut rng).unwrap();
        let step = Step::Play(seat, position.action(id).unwrap());
        recorder.apply(step, at(steps.len())).unwrap();
        steps.push(step);
    }
    Match {
        record: recorder.finish(),
        steps,
        setup,
    }
}

fn at(n_steps: usize) -> Timestamp {
    Timestamp::SIMULATED.plus_ms(1000 * (n_steps as i64 + 1))
}

/// The table restored from its own snapshot.
fn restored(table: &Table<Catan>) -> Table<Catan> {
    let mut bytes = Vec::new();
    table.write_snapshot(&mut bytes);
    Table::restore(&json::read(&bytes).unwrap()).unwrap()
}

/// Applies a step and the chance that follows it.
fn drive(table: &mut Table<Catan>, step: Step<Action>) -> Hash {
    table.apply(step, &mut kernel::Discard).unwrap();
    while let Some(draw) = table.draw() {
        let chance = Step::Chance(draw);
        table.apply(chance, &mut kernel::Discard).unwrap();
    }
    table.state_hash()
}

#[test]
fn a_match_resumes_from_a_snapshot_alone() {
    for kind in GeneratorKind::ALL {
        let Match { steps, setup, .. } = play(kind);
        let mut table = restored(begin(&setup, kind).table());
        let mut hashes = Vec::new();
        let mut tables = Vec::new();
        for step in &steps {
            tables.push(table.clone());
            hashes.push(drive(&mut table, *step));
        }
        for first in (0..steps.len()).step_by(37) {
            let mut resumed = restored(&tables[first]);
            assert_eq!(resumed, tables[first], "{kind} at {first}");
            for (idx, step) in steps.iter().enumerate().skip(first) {
                assert_eq!(
                    drive(&mut resumed, *step),
                    hashes[idx],
                    "{kind} from {first}"
                );
            }
        }
    }
}

/// The replay from the header, and the lines after it.
fn opened(record: &[u8]) -> (Replay<Catan>, Reader, Vec<(ActionLine, usize)>) {
    let mut reader = Reader::new();
    let (mut replay, mut lines) = (None, Vec::new());
    for line in split_lines(record).0 {
        match reader.push(line).unwrap() {
            Line::Header(header) => replay = Some(Replay::begin(&header).unwrap()),
            Line::Action(line) => lines.push((*line, reader.n_lines())),
            Line::Closing(_) => {}
        }
    }
    (replay.unwrap(), reader, lines)
}

#[test]
fn a_match_resumes_from_a_record_alone() {
    for kind in GeneratorKind::ALL {
        let Match { record, steps, .. } = play(kind);
        let (lines, rest) = split_lines(&record);
        assert!(rest.is_empty());
        let lines: Vec<&[u8]> = lines.collect();
        for n_lines in (2..lines.len()).step_by(41) {
            let mut kept: Vec<u8> = Vec::new();
            for line in &lines[..n_lines] {
                kept.extend(*line);
                kept.push(b'\n');
            }
            let (mut replay, reader, actions) = opened(&kept);
            for (line, n_line) in &actions {
                replay.advance(line, *n_line).unwrap();
            }
            let n_done = n_played(&steps, kind, replay.table());
            let mut recorder = replay.resume(&reader, None).unwrap();
            for (idx, step) in steps.iter().enumerate().skip(n_done) {
                recorder.apply(*step, at(idx)).unwrap();
            }
            kept.extend(recorder.finish());
            assert!(kept == record, "{kind} after {n_lines} lines");
        }
    }
}

/// The number of steps that lead to this table.
fn n_played(steps: &[Step<Action>], kind: GeneratorKind, table: &Table<Catan>) -> usize {
    let mut at = begin(table.position().setup(), kind).table().clone();
    for (idx, step) in steps.iter().enumerate() {
        if at == *table {
            return idx;
        }
        drive(&mut at, *step);
    }
    steps.len()
}

#[test]
fn a_match_resumes_from_a_snapshot_and_the_tail_of_its_record() {
    for kind in GeneratorKind::ALL {
        let Match { record, .. } = play(kind);
        let (mut whole, reader, lines) = opened(&record);
        assert!(reader.is_closed());
        let mut tables = vec![whole.table().clone()];
        for (line, n_line) in &lines {
            whole.advance(line, *n_line).unwrap();
            tables.push(whole.table().clone());
        }
        for first in (0..lines.len()).step_by(29) {
            let table = restored(&tables[first]);
            let mut tail = Replay::from_snapshot(table, first as u32);
            for (line, n_line) in &lines[first..] {
                tail.advance(line, *n_line).unwrap();
            }
            assert_eq!(tail.table(), whole.table(), "{kind} from {first}");
        }
        // A tail that does not belong to the snapshot is detected at its first line.
        let mut stray = Replay::from_snapshot(restored(&tables[3]), 3);
        let fault = stray.advance(&lines[4].0, lines[4].1).unwrap_err();
        assert_eq!(fault.code, "wrong_action_id");
    }
}
