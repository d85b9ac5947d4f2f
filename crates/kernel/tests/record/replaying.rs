//! Replaying to any action, and going on from any snapshot.

use kernel::fair::Opening;
use kernel::json::{Hash, read};
use kernel::record::{Line, Reader, Replay};
use kernel::rng::GeneratorKind;
use kernel::{Discard, Game, GameId, Source, Step, Table};

use crate::matches::{Played, armada, generator, lines, play, smugglers};
use crate::toys::armada::Armada;
use crate::toys::smugglers::Smugglers;

fn sources() -> impl Iterator<Item = Source> {
    let open = GeneratorKind::ALL.map(|kind| Source::Open(generator(kind, 11)));
    let promised = Source::promise(&Opening::new([5; 32], [6; 32]));
    open.into_iter().chain([promised])
}

#[test]
fn a_replay_has_the_hashes_of_the_live_table() {
    for source in sources() {
        check_replay(&play::<Smugglers>(&smugglers(), source.clone(), None, 2));
        check_replay(&play::<Armada>(&armada(), source, None, 2));
    }
}

fn check_replay<G: Game>(played: &Played<G>) {
    let hashes = replay_to::<G>(&played.record, usize::MAX);
    // Each line ends where a live step ended, in the same order, up to the last.
    let mut live = played.hashes.iter();
    for hash in &hashes[1..] {
        assert!(
            live.any(|it| it == hash),
            "{hash} was not live, or not then"
        );
    }
    assert_eq!(hashes.last(), played.hashes.last());
    for n_actions in 0..hashes.len() {
        let stopped = replay_to::<G>(&played.record, n_actions);
        assert_eq!(stopped, hashes[..=n_actions]);
    }
}

/// The hashes at the start and after each action, up to this one.
fn replay_to<G: Game>(record: &[u8], n_actions: usize) -> Vec<Hash> {
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
fn a_table_goes_on_from_any_snapshot_as_it_would_have() {
    for kind in GeneratorKind::ALL {
        check_resume::<Smugglers>(&smugglers(), kind);
        check_resume::<Armada>(&armada(), kind);
    }
}

fn check_resume<G: Game>(setup: &G::Setup, kind: GeneratorKind) {
    let source = Source::Open(generator(kind, 11));
    let played = play::<G>(setup, source.clone(), None, 6);
    let game_id = GameId::draw(&mut generator(GeneratorKind::Pcg64, 6 ^ 0xabcd));
    let mut table = Table::<G>::open(setup, game_id, source);
    for (idx, step) in played.steps.iter().enumerate() {
        let mut resumed = restored(&table);
        assert_eq!(resumed, table);
        let again = drive(&mut resumed, &played.steps[idx..]);
        assert_eq!(again, played.hashes[idx..], "from step {idx}");
        drive(&mut table, std::slice::from_ref(step));
    }
}

/// The table as it comes out of its own snapshot.
fn restored<G: Game>(table: &Table<G>) -> Table<G> {
    let mut bytes = Vec::new();
    table.write_snapshot(&mut bytes);
    Table::restore(&read(&bytes).unwrap()).unwrap()
}

/// Does steps, each with the chance that it brings about.
fn drive<G: Game>(table: &mut Table<G>, steps: &[Step<G::Action>]) -> Vec<Hash> {
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
fn a_snapshot_does_not_give_a_promised_generator_away() {
    let source = Source::promise(&Opening::new([5; 32], [6; 32]));
    let game_id = GameId::draw(&mut generator(GeneratorKind::Pcg64, 1));
    let mut table = Table::<Smugglers>::open(&smugglers(), game_id, source);
    let roll = crate::toys::smugglers::Action::Roll;
    let step = Step::Play(kernel::Seat::FIRST, roll);
    table.apply(step, &mut Discard).unwrap();
    let mut resumed = restored(&table);
    assert_eq!(resumed.state_hash(), table.state_hash());
    assert_eq!(resumed.draw(), None);
    assert!(table.draw().is_some());
}
