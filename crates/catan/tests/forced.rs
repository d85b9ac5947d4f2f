//! Forced dice: only in matches whose setup declares a test.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use catan::{Action, Catan, DiceKind, Due, Phase, RawSetup, Setup, Throw};
use kernel::doc::{self, Faults, Node};
use kernel::fair::Opening;
use kernel::json::{self, Json};
use kernel::record::{
    ActionLine, Header, Line, Origin, Reader, Recorder, Replay, split_lines, verify,
};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{
    Discard, Draw, Game, GameExt, MatchId, Recorded, Refusal, Step, Table, Timestamp, Turn,
};

fn setup(test: bool) -> Setup {
    Setup::try_from(RawSetup {
        max_turns: 30,
        test,
        ..RawSetup::default()
    })
    .unwrap()
}

fn generator(seed: u64) -> Generator {
    Generator::from_seed(GeneratorKind::PyRandom, &Seed::from(seed))
}

fn begin(setup: &Setup, origin: Origin) -> Recorder<Catan> {
    let game_id = MatchId::draw(&mut generator(5));
    Recorder::begin(setup, game_id, origin, &["a", "b"], Timestamp::SIMULATED)
}

fn forced(faces: [u8; 2]) -> Action {
    Action::ForceDice(Throw::new(faces).unwrap())
}

/// Plays at random. The first player always forces these faces, the second never does.
fn play(recorder: &mut Recorder<Catan>, faces: [u8; 2], n_steps: usize) -> u32 {
    let mut rng = generator(99);
    let mut n_forced = 0;
    for _ in 0..n_steps {
        let position = recorder.table().position();
        let Some(seat) = position.turn().open().lowest() else {
            break;
        };
        let action = match (position.phase(), seat.index()) {
            (Phase::Roll, 0) => forced(faces),
            (Phase::Roll, _) => Action::RollDice,
            _ => {
                let id = position.legal(seat).sample(&mut rng).unwrap();
                position.action(id).unwrap()
            }
        };
        n_forced += u32::from(position.forces_chance(action));
        let at = Timestamp::SIMULATED;
        recorder.apply(Step::Play(seat, action), at).unwrap();
    }
    n_forced
}

/// A position of a match in which the dice come next.
fn before_the_throw(setup: &Setup) -> Catan {
    let mut position = Catan::start(setup);
    position.apply(Step::Chance(Draw(1)), &mut Discard).unwrap();
    while position.phase() != Phase::Roll {
        position.apply(Step::Deadline, &mut Discard).unwrap();
    }
    position
}

fn read(position: &Catan, payload: &str) -> Result<Vec<Action>, Faults> {
    let json = json::read(payload.as_bytes()).unwrap();
    let mut faults = Faults::default();
    let actions = position.decode("ROLL_DICE", &Node::root(&json), &mut faults);
    faults.into_result(actions)
}

#[test]
fn a_test_match_reads_and_writes_forced_rolls() {
    let position = before_the_throw(&setup(true));
    assert_eq!(read(&position, "{}").unwrap(), [Action::RollDice]);
    for first in 1..=6 {
        for second in 1..=6 {
            let action = forced([first, second]);
            let payload = format!("{{\"forced_value\": [{first}, {second}]}}");
            assert_eq!(read(&position, &payload).unwrap(), [action]);
            let entry = position.encode(&[action]);
            assert_eq!(
                (entry.kind, entry.payload.to_string()),
                ("ROLL_DICE", payload)
            );
            assert_eq!(action.to_string().parse(), Ok(action));
            let mut after = position;
            let seat = position.turn().open().lowest().unwrap();
            after.play(seat, action, &mut Discard).unwrap();
            let draw = Draw(u64::from(first - 1) * 6 + u64::from(second - 1));
            let other = Draw((draw.0 + 1) % 36);
            let refused = after.clone().resolve(other, &mut Discard);
            assert_eq!(refused, Err(Refusal::NoSuchDraw(other)));
            after.resolve(draw, &mut Discard).unwrap();
            assert_ne!(after.turn(), Turn::Chance);
        }
    }
}

#[test]
fn every_other_match_refuses_forced_rolls_and_names_the_switch() {
    let position = before_the_throw(&setup(false));
    let faults = read(&position, "{\"forced_value\": [3, 4]}").unwrap_err();
    let fault = faults.iter().next().unwrap();
    assert_eq!(
        (fault.pointer.as_str(), fault.code),
        ("/forced_value", "needs_test_setup")
    );
    assert!(fault.message.contains("\"test\": true"), "{faults}");
    let seat = position.turn().open().lowest().unwrap();
    let refused = position.clone().play(seat, forced([3, 4]), &mut Discard);
    let reason = kernel::Reason("needs_test_setup");
    assert_eq!(refused, Err(Refusal::Illegal(seat, reason)));
    let legal = position.legal(seat);
    let forcing = position
        .actions()
        .filter(|(_, it)| position.forces_chance(*it));
    let ids: Vec<_> = forcing.map(|(id, _)| id).collect();
    assert_eq!(ids.len(), 36);
    assert!(ids.into_iter().all(|id| !legal.allows(id)));
}

#[test]
fn anything_but_two_faces_is_refused() {
    let position = before_the_throw(&setup(true));
    for payload in [
        "{\"forced_value\": 7}",
        "{\"forced_value\": null}",
        "{\"forced_value\": []}",
        "{\"forced_value\": [3]}",
        "{\"forced_value\": [3, 4, 5]}",
        "{\"forced_value\": [0, 4]}",
        "{\"forced_value\": [3, 7]}",
        "{\"forced_value\": [3, \"4\"]}",
        "{\"forced_value\": [3, 4.0]}",
        "{\"forced\": [3, 4]}",
    ] {
        assert!(read(&position, payload).is_err(), "{payload}");
    }
    assert_eq!(Throw::new([0, 1]), None);
    assert_eq!(Throw::new([1, 7]), None);
}

/// The header and the action lines of a record.
fn lines(record: &[u8]) -> (Header, Vec<ActionLine>) {
    let mut reader = Reader::new();
    let (mut header, mut actions) = (None, Vec::new());
    for line in split_lines(record).0 {
        match reader.push(line).unwrap() {
            Line::Header(it) => header = Some(*it),
            Line::Action(line) => actions.push(*line),
            Line::Closing(_) => {}
        }
    }
    (header.unwrap(), actions)
}

#[test]
fn a_record_holds_the_faces_as_chance_and_verification_counts_them() {
    let opening = Opening::new([1; 32], [2; 32]);
    for origin in [Origin::Open(generator(17)), Origin::Committed(opening)] {
        let mut recorder = begin(&setup(true), origin);
        let n_forced = play(&mut recorder, [2, 5], usize::MAX);
        let record = recorder.finish();
        let report = verify::<Catan>(&record).unwrap();
        assert!(n_forced > 10 && report.outcome.is_some());
        assert_eq!(report.test.map(|it| it.n_forced), Some(n_forced));
        let (header, actions) = lines(&record);
        assert_eq!(header.setup.get("test"), Some(&Json::Bool(true)));
        let faces = |line: &&ActionLine| line.payload.get("forced_value").cloned();
        let forced: Vec<&ActionLine> = actions.iter().filter(|it| faces(it).is_some()).collect();
        assert_eq!(forced.len(), n_forced as usize);
        for line in forced {
            assert_eq!(line.result.chance[0], faces(&line).unwrap());
        }
    }
}

#[test]
fn an_ordinary_match_is_reported_as_one_and_its_documents_do_not_mention_tests() {
    let mut recorder = begin(&setup(false), Origin::Open(generator(17)));
    let position = *recorder.table().position();
    let document = json::from_value(&position.snapshot()).unwrap();
    assert_eq!(document.pointer("/variant/test"), None);
    recorder
        .apply(Step::Deadline, Timestamp::SIMULATED)
        .unwrap();
    let record = recorder.finish();
    assert_eq!(verify::<Catan>(&record).unwrap().test, None);
    assert_eq!(lines(&record).0.setup.get("test"), None);
    let said = json::read(b"{\"max_turns\": 30, \"test\": false}").unwrap();
    assert_eq!(doc::parse::<Setup>(&said).unwrap(), setup(false));
}

#[test]
fn a_changed_roll_is_found_even_without_checking_the_chain() {
    let mut recorder = begin(&setup(true), Origin::Open(generator(17)));
    play(&mut recorder, [2, 5], usize::MAX);
    let record = recorder.finish();
    let text = String::from_utf8(record.clone()).unwrap();
    let changed = text.replacen("\"forced_value\": [2, 5]", "\"forced_value\": [5, 2]", 1);
    assert_ne!(changed, text);
    assert_eq!(
        verify::<Catan>(changed.as_bytes()).unwrap_err().code,
        "broken_chain"
    );
    let (header, actions) = lines(&record);
    let find = |line: &ActionLine| line.payload.get("forced_value").is_some();
    let nth = actions.iter().position(find).unwrap();
    let faces = json::read(b"[5, 2]").unwrap();
    let payload = json::read(b"{\"forced_value\": [5, 2]}").unwrap();
    let mut both = actions[nth].clone();
    both.result.chance[0] = faces;
    both.payload = payload.clone();
    let alone = ActionLine {
        payload,
        ..actions[nth].clone()
    };
    let unforced = ActionLine {
        payload: Json::object([]),
        ..actions[nth].clone()
    };
    for (forged, code) in [
        (alone, "wrong_chance"),
        (both, "wrong_state_hash"),
        (unforced, "wrong_chance"),
    ] {
        let mut replay = Replay::<Catan>::begin(&header).unwrap();
        for (idx, line) in actions[..nth].iter().enumerate() {
            replay.advance(line, idx + 2).unwrap();
        }
        let fault = replay.advance(&forged, nth + 2).unwrap_err();
        assert_eq!(fault.code, code, "{fault}");
    }
    let mut ordinary = header;
    if let Json::Object(fields) = &mut ordinary.setup {
        fields.remove("test");
    }
    let fault = Replay::<Catan>::begin(&ordinary).err().unwrap();
    assert_eq!(fault.code, "wrong_state_hash");
}

#[test]
fn a_match_resumes_from_a_snapshot_between_a_forced_roll_and_its_result() {
    let position = before_the_throw(&setup(true));
    let game_id = MatchId::draw(&mut generator(5));
    let source = kernel::Source::Open(generator(3));
    let mut table = Table::at(position, game_id, source);
    let seat = position.turn().open().lowest().unwrap();
    table
        .apply(Step::Play(seat, forced([6, 1])), &mut Discard)
        .unwrap();
    let mut bytes = Vec::new();
    table.write_snapshot(&mut bytes);
    let document = json::read(&bytes).unwrap();
    let due = Json::Text(Due::ForcedDice.name().to_owned());
    assert_eq!(document.get("pending_chance"), Some(&due));
    let mut resumed = Table::<Catan>::restore(&document).unwrap();
    assert_eq!(resumed, table);
    for table in [&mut table, &mut resumed] {
        let draw = table.draw().unwrap();
        assert_eq!(draw, Draw(30));
        table.apply(Step::Chance(draw), &mut Discard).unwrap();
    }
    assert_eq!(resumed.state_hash(), table.state_hash());
    let ordinary = String::from_utf8(bytes)
        .unwrap()
        .replace("\"test\": true, ", "");
    let ordinary = json::read(ordinary.as_bytes()).unwrap();
    let faults = Table::<Catan>::restore(&ordinary).unwrap_err();
    assert!(
        faults.iter().any(|it| it.pointer == "/pending_chance"),
        "{faults}"
    );
}

#[test]
fn a_forced_roll_leaves_the_bag_unchanged() {
    let setup = Setup::try_from(RawSetup {
        dice: DiceKind::Bag36,
        test: true,
        ..RawSetup::default()
    });
    let bag = |position: &Catan| {
        let document = json::from_value(&position.snapshot()).unwrap();
        document.pointer("/turn/dice/bag").unwrap().to_string()
    };
    let before = before_the_throw(&setup.unwrap());
    let seat = before.turn().open().lowest().unwrap();
    let mut after = before;
    after.play(seat, forced([1, 1]), &mut Discard).unwrap();
    after.resolve(Draw(0), &mut Discard).unwrap();
    assert_eq!(bag(&after), bag(&before));
}

#[test]
fn a_missed_deadline_rolls_without_force() {
    let mut position = before_the_throw(&setup(true));
    position.apply(Step::Deadline, &mut Discard).unwrap();
    assert_eq!(position.turn(), Turn::Chance);
    assert_eq!(position.odds().n_outcomes(), Some(36));
    assert!(position.odds().admits(Draw(0)) && position.odds().admits(Draw(35)));
}
