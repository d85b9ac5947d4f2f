//! Replays to any action, and resumes from any snapshot.

use kernel::fair::Opening;
use kernel::json::{Hash, read};
use kernel::record::{Line, Reader, Replay, verify};
use kernel::rng::GeneratorKind;
use kernel::{Discard, MatchId, Recorded, Source, Step, Table, Timestamp};

use crate::matches::{Played, armada, generator, join, lines, open_source, play, smugglers};
use crate::toys::armada::Armada;
use crate::toys::smugglers::Smugglers;

fn sources() -> impl Iterator<Item = Source> {
    let open = GeneratorKind::ALL.map(|kind| Source::Open(generator(kind, 11)));
    let promised = Source::commit(&Opening::new([5; 32], [6; 32]));
    open.into_iter().chain([promised])
}

#[test]
fn a_replay_has_the_hashes_of_the_live_table() {
    for source in sources() {
        check_replay(&play::<Smugglers>(&smugglers(), source.clone(), None, 2));
        check_replay(&play::<Armada>(&armada(), source, None, 2));
    }
}

fn check_replay<G: Recorded>(played: &Played<G>) {
    let hashes = replay_to::<G>(&played.record, usize::MAX);
    // Each line ends where a live step ended, in the same order, including the last.
    let mut live = played.hashes.iter();
    for hash in &hashes[1..] {
        assert!(
            live.any(|it| it == hash),
            "{hash} does not occur live at this point"
        );
    }
    assert_eq!(hashes.last(), played.hashes.last());
    for n_actions in 0..hashes.len() {
        let stopped = replay_to::<G>(&played.record, n_actions);
        assert_eq!(stopped, hashes[..=n_actions]);
    }
}

/// The hashes at the start and after each action, up to `n_actions`.
fn replay_to<G: Recorded>(record: &[u8], n_actions: usize) -> Vec<Hash> {
    let mut reader = Reader::new();
    let mut replay: Option<Replay<G>> = None;
    let mut hashes = Vec::new();
    for bytes in lines(record).iter().take(n_actions.saturating_add(1)) {
        match (reader.push(bytes).unwrap(), &mut replay) {
            (Line::Header(header), _) => replay = Some(Replay::begin(&header).unwrap()),
            (Line::Action(line), Some(replay)) => {
                replay.advance(&line, reader.n_lines()).unwrap();
                assert_eq!(line.result.state_hash, replay.table().state_hash());
            }
            _ => break,
        }
        hashes.extend(replay.as_ref().map(|it| it.table().state_hash()));
    }
    hashes
}

#[test]
fn a_table_continues_from_any_snapshot_as_if_never_stopped() {
    for kind in GeneratorKind::ALL {
        check_resume::<Smugglers>(&smugglers(), kind);
        check_resume::<Armada>(&armada(), kind);
    }
}

fn check_resume<G: Recorded>(setup: &G::Setup, kind: GeneratorKind) {
    let source = Source::Open(generator(kind, 11));
    let played = play::<G>(setup, source.clone(), None, 6);
    let game_id = MatchId::draw(&mut generator(GeneratorKind::Pcg64, 6 ^ 0xabcd));
    let mut table = Table::<G>::open(setup, game_id, source);
    for (idx, step) in played.steps.iter().enumerate() {
        let mut resumed = restored(&table);
        assert_eq!(resumed, table);
        let again = drive(&mut resumed, &played.steps[idx..]);
        assert_eq!(again, played.hashes[idx..], "from step {idx}");
        drive(&mut table, std::slice::from_ref(step));
    }
}

/// The table after a round trip through its own snapshot.
fn restored<G: Recorded>(table: &Table<G>) -> Table<G> {
    let mut bytes = Vec::new();
    table.write_snapshot(&mut bytes);
    Table::restore(&read(&bytes).unwrap()).unwrap()
}

/// Applies steps, each with the chance that it causes.
fn drive<G: Recorded>(table: &mut Table<G>, steps: &[Step<G::Action>]) -> Vec<Hash> {
    let mut hashes = Vec::new();
    for step in steps {
        table.apply(*step, &mut Discard).unwrap();
        while let Some(draw) = table.draw() {
            table.apply(Step::Chance(draw), &mut Discard).unwrap();
        }
        hashes.push(table.state_hash());
    }
    hashes
}

#[test]
fn a_record_resumes_after_any_line_as_if_never_stopped() {
    for kind in GeneratorKind::ALL {
        let open = Source::Open(generator(kind, 11));
        check_recovery::<Smugglers>(&smugglers(), &open, None);
        check_recovery::<Armada>(&armada(), &open, None);
    }
    let opening = Opening::new([5; 32], [6; 32]);
    let promised = Source::commit(&opening);
    check_recovery::<Smugglers>(&smugglers(), &promised, Some(&opening));
    check_recovery::<Armada>(&armada(), &promised, Some(&opening));
}

/// Stops after every line, resumes from the bytes alone with the remaining steps, and compares the
/// entire record.
fn check_recovery<G: Recorded>(setup: &G::Setup, source: &Source, opening: Option<&Opening>) {
    let played = play::<G>(setup, source.clone(), opening.cloned(), 6);
    let all = lines(&played.record);
    // Also after the last action, when only the closing line is left to write.
    for n_lines in 1..all.len() {
        let (replay, reader) = read_lines::<G>(&all[..n_lines]);
        let reached = replay.table().state_hash();
        let mut recorder = replay.resume(&reader, opening.cloned()).unwrap();
        assert_eq!(recorder.table().state_hash(), reached);
        // A line may cover several steps, and a step may leave the state unchanged.
        let last = played.hashes.iter().rposition(|hash| *hash == reached);
        assert!(
            last.is_some() || n_lines == 1,
            "a line must end where a step ended"
        );
        let n_done = last.map_or(0, |last| last + 1);
        for (step, hash) in played.steps.iter().zip(&played.hashes).skip(n_done) {
            recorder.apply(*step, Timestamp::SIMULATED).unwrap();
            assert_eq!(recorder.table().state_hash(), *hash, "after line {n_lines}");
        }
        let whole = [&join(&all[..n_lines])[..], &recorder.finish()].concat();
        let report = verify::<G>(&whole).unwrap();
        assert_eq!(Some(&report.state_hash), played.hashes.last());
    }
}

fn read_lines<G: Recorded>(lines: &[Vec<u8>]) -> (Replay<G>, Reader) {
    let mut reader = Reader::new();
    let mut replay: Option<Replay<G>> = None;
    for bytes in lines {
        match (reader.push(bytes).unwrap(), &mut replay) {
            (Line::Header(header), _) => replay = Some(Replay::begin(&header).unwrap()),
            (Line::Action(line), Some(replay)) => {
                replay.advance(&line, reader.n_lines()).unwrap();
            }
            (Line::Closing(_), Some(_)) => {}
            (_, None) => unreachable!("the header comes first"),
        }
    }
    (replay.unwrap(), reader)
}

#[test]
fn resuming_needs_the_committed_seed_and_an_unfinished_match() {
    let opening = Opening::new([5; 32], [6; 32]);
    let source = Source::commit(&opening);
    let played = play::<Smugglers>(&smugglers(), source, Some(opening.clone()), 6);
    let all = lines(&played.record);
    let refused = |n_lines: usize, opening: Option<Opening>| {
        let (replay, reader) = read_lines::<Smugglers>(&all[..n_lines]);
        replay
            .resume(&reader, opening)
            .err()
            .map(|fault| fault.code)
    };
    assert_eq!(refused(4, None), Some("seed_missing"));
    let other = Opening::new([4; 32], [6; 32]);
    assert_eq!(refused(4, Some(other)), Some("wrong_opening"));
    assert_eq!(refused(4, Some(opening.clone())), None);
    assert_eq!(refused(all.len() - 1, Some(opening.clone())), None);
    assert_eq!(refused(all.len(), Some(opening.clone())), Some("closed"));
    let open = play::<Smugglers>(&smugglers(), open_source(1), None, 6);
    let (replay, reader) = read_lines::<Smugglers>(&lines(&open.record)[..3]);
    let fault = replay.resume(&reader, Some(opening)).err().unwrap();
    assert_eq!((fault.line, fault.code), (3, "nothing_promised"));
}

#[test]
fn a_snapshot_does_not_reveal_a_committed_generator() {
    let source = Source::commit(&Opening::new([5; 32], [6; 32]));
    let game_id = MatchId::draw(&mut generator(GeneratorKind::Pcg64, 1));
    let mut table = Table::<Smugglers>::open(&smugglers(), game_id, source);
    let roll = crate::toys::smugglers::Action::Roll;
    let step = Step::Play(kernel::Seat::FIRST, roll);
    table.apply(step, &mut Discard).unwrap();
    let mut resumed = restored(&table);
    assert_eq!(resumed.state_hash(), table.state_hash());
    assert_eq!(resumed.draw(), None);
    assert!(table.draw().is_some());
}
