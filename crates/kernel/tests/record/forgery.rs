//! Lines changed on purpose, with their chain recomputed.

use kernel::fair::{Opening, Part};
use kernel::json::{Hash, Json};
use kernel::record::{Chance, verify};
use kernel::{Recorded, Seat, Source};

use crate::matches::{armada, at, documents, play, rechain, records, smugglers};
use crate::toys::armada::Armada;
use crate::toys::smugglers::Smugglers;

fn text(text: &str) -> Json {
    Json::Text(text.to_owned())
}

#[test]
fn the_forger_chains_lines_as_the_recorder_does() {
    for case in records() {
        assert_eq!(rechain(&documents(&case.record)), case.record);
        (case.verify)(&case.record).unwrap();
    }
}

#[test]
fn a_forged_state_hash_is_found_at_its_line() {
    for case in records() {
        let lines = documents(&case.record);
        let forged = text(&Hash::of_bytes(b"forged").to_string());
        for idx in 0..lines.len() - 1 {
            let mut lines = lines.clone();
            let path = if idx == 0 {
                "state_hash"
            } else {
                "result/state_hash"
            };
            *at(&mut lines[idx], path) = forged.clone();
            assert_eq!(case.fault(&rechain(&lines)), (idx + 1, "wrong_state_hash"));
        }
    }
}

#[test]
fn forged_chance_is_found_when_the_generator_is_known() {
    for case in records() {
        let lines = documents(&case.record);
        let mut n_forged = 0;
        for idx in 1..lines.len() - 1 {
            let Some(draws) = lines[idx].pointer("/result/chance") else {
                continue;
            };
            for nth in 0..draws.as_list().unwrap().len() {
                let mut lines = lines.clone();
                let draw = at(&mut lines[idx], &format!("result/chance/{nth}"));
                *draw = another(draw);
                assert_eq!(case.fault(&rechain(&lines)), (idx + 1, "wrong_chance"));
                n_forged += 1;
            }
        }
        assert!(n_forged > 1, "the match must have chance to forge");
    }
}

/// Another outcome of the same kind: different dice, a different good, a different seed.
fn another(draw: &Json) -> Json {
    match draw {
        Json::List(faces) => {
            let face = faces[0].as_int().unwrap() % 6 + 1;
            Json::List(vec![Json::Int(face), faces[1].clone()])
        }
        Json::Text(name) if name == "rum" => text("tea"),
        Json::Text(name) if name.parse::<u64>().is_err() => text("rum"),
        _ => Json::Int(12345),
    }
}

#[test]
fn missing_surplus_or_malformed_chance_is_reported() {
    for case in records() {
        let lines = documents(&case.record);
        let has_chance = |line: &Json| line.pointer("/result/chance").is_some();
        let idx = lines.iter().position(has_chance).unwrap();
        let fault_with = |change: &dyn Fn(&mut Vec<Json>)| {
            let mut lines = lines.clone();
            match at(&mut lines[idx], "result/chance") {
                Json::List(draws) => change(draws),
                other => panic!("{other}"),
            }
            case.fault(&rechain(&lines))
        };
        assert_eq!(
            fault_with(&|it| it.truncate(0)),
            (idx + 1, "chance_missing")
        );
        assert_eq!(
            fault_with(&|it| it.push(Json::Int(1))),
            (idx + 1, "no_chance_due")
        );
        assert_eq!(
            fault_with(&|it| it[0] = Json::Bool(true)),
            (idx + 1, "malformed_chance")
        );
    }
}

#[test]
fn everything_else_on_a_line_is_checked() {
    for case in records() {
        let lines = documents(&case.record);
        let n_lines = lines.len();
        let another_id = text("00000000-0000-4000-8000-000000000000");
        let changes = [
            (1, "game", text("chess"), "wrong_game"),
            (1, "rules_version", text("2.0.0"), "other_rules"),
            (1, "seats", Json::texts(["one"]), "wrong_seats"),
            (1, "setup", Json::Int(1), "malformed_setup"),
            (1, "schema_version", text("9.0.0"), "malformed_line"),
            (3, "action_id", Json::Int(7), "wrong_action_id"),
            (3, "game_id", another_id.clone(), "wrong_game_id"),
            (3, "turn_number", Json::Int(8), "wrong_turn_number"),
            (
                3,
                "timestamp_utc",
                text("1999-01-01T00:00:00Z"),
                "time_runs_back",
            ),
            (3, "type", text("JUMP"), "malformed_payload"),
            (3, "payload", Json::Int(1), "malformed_payload"),
            (3, "result/events", Json::texts(["BOOM"]), "wrong_events"),
            (n_lines, "game_id", another_id, "wrong_game_id"),
            (
                n_lines,
                "closing/n_actions",
                Json::Int(1),
                "wrong_n_actions",
            ),
            (
                n_lines,
                "closing/outcome/result",
                text("none"),
                "wrong_outcome",
            ),
        ];
        for (n_line, path, value, code) in changes {
            let mut lines = lines.clone();
            *at(&mut lines[n_line - 1], path) = value;
            assert_eq!(case.fault(&rechain(&lines)), (n_line, code), "{path}");
        }
    }
}

#[test]
fn an_ending_that_the_rules_do_not_give_is_refused() {
    for case in records() {
        for version in ["0.3.0", "0.4.0"] {
            let mut lines = documents(&case.record);
            let n_lines = lines.len();
            let closing = lines.last_mut().unwrap();
            *at(closing, "schema_version") = text(version);
            (case.verify)(&rechain(&lines)).unwrap();
            let Json::Object(body) = at(lines.last_mut().unwrap(), "closing") else {
                panic!("the last line is the closing line");
            };
            body.insert("ending".to_owned(), Json::object([("turn", Json::Int(1))]));
            assert_eq!(case.fault(&rechain(&lines)), (n_lines, "wrong_ending"));
        }
    }
}

#[test]
fn an_action_of_another_seat_is_refused_by_the_rules() {
    for case in records() {
        let mut lines = documents(&case.record);
        let plays = |line: &Json| {
            line.get("player_id")
                .is_some_and(|id| id.as_int().is_some())
        };
        let idx = lines.iter().position(plays).unwrap();
        *at(&mut lines[idx], "player_id") = Json::Int(9);
        assert_eq!(case.fault(&rechain(&lines)), (idx + 1, "illegal_step"));
        *at(&mut lines[idx], "player_id") = Json::Null;
        assert_eq!(case.fault(&rechain(&lines)), (idx + 1, "wrong_player"));
    }
}

#[test]
fn lines_that_do_nothing_are_refused() {
    for case in records() {
        let lines = documents(&case.record);
        let mut padding = lines[1].clone();
        for (path, value) in [
            ("action_id", Json::Int(2)),
            ("payload", Json::object([])),
            ("player_id", Json::Null),
            ("type", text("CHANCE")),
            ("result/events", Json::List(Vec::new())),
        ] {
            *at(&mut padding, path) = value;
        }
        if let Json::Object(fields) = at(&mut padding, "result") {
            fields.remove("chance");
        }
        let turn = lines[2].get("turn_number").unwrap().clone();
        *at(&mut padding, "turn_number") = turn;
        let padded = [&lines[..2], &[padding], &lines[2..]].concat();
        assert_eq!(case.fault(&rechain(&padded)), (3, "no_chance_due"));
    }
}

#[test]
fn an_empty_discard_is_refused() {
    let played = play::<Smugglers>(&smugglers(), crate::matches::open_source(3), None, 3);
    let mut lines = documents(&played.record);
    let is_discard = |line: &Json| line.get("type").and_then(Json::as_text) == Some("DISCARD");
    let idx = lines.iter().position(is_discard).unwrap();
    *at(&mut lines[idx], "payload/goods") = Json::object([]);
    let fault = verify::<Smugglers>(&rechain(&lines)).unwrap_err();
    assert_eq!((fault.line, fault.code), (idx + 1, "malformed_payload"));
}

#[test]
fn the_revealed_seed_must_match_the_commitment() {
    check_promise::<Smugglers>(&smugglers());
    check_promise::<Armada>(&armada());
}

fn check_promise<G: Recorded>(setup: &G::Setup) {
    let (promised, other) = (
        Opening::new([1; 32], [2; 32]),
        Opening::new([3; 32], [2; 32]),
    );
    let honest = || Source::commit(&promised);
    // The host commits to one seed and draws from another.
    let cheating = || Source::Committed(promised.commitment(), Some(other.generator()));
    let outcome = |source: Source, opening: Option<&Opening>| {
        let played = play::<G>(setup, source, opening.cloned(), 1);
        let n_lines = documents(&played.record).len();
        verify::<G>(&played.record)
            .map(|report| report.chance)
            .map_err(|fault| (n_lines - fault.line, fault.code))
    };
    assert_eq!(outcome(honest(), Some(&promised)), Ok(Chance::Revealed));
    assert_eq!(outcome(honest(), None), Err((0, "not_opened")));
    assert_eq!(outcome(honest(), Some(&other)), Err((0, "wrong_opening")));
    let salted = Opening::new([1; 32], [9; 32]);
    assert_eq!(outcome(honest(), Some(&salted)), Err((0, "wrong_opening")));
    assert_eq!(
        outcome(cheating(), Some(&promised)),
        Err((0, "wrong_chance"))
    );
    assert_eq!(outcome(cheating(), Some(&other)), Err((0, "wrong_opening")));
    let open = crate::matches::open_source(1);
    assert_eq!(outcome(open, Some(&promised)), Err((0, "nothing_promised")));
}

// Promise: No side alone chooses a jointly drawn seed, and no contribution is left out.
#[test]
fn a_joint_seed_is_made_from_the_contributions_in_the_header() {
    check_joint::<Smugglers>(&smugglers());
    check_joint::<Armada>(&armada());
}

fn check_joint<G: Recorded>(setup: &G::Setup) {
    let part = |seat, n: u8| Part::new(seat, Opening::new([n; 32], [2; 32]), [n + 1; 32]);
    let parts = vec![part(Seat::FIRST, 3), part(Seat::SECOND, 5)];
    let opening = Opening::joint(parts, [7; 32]);
    let played = play::<G>(setup, Source::commit(&opening), Some(opening.clone()), 1);
    let lines = documents(&played.record);
    let last = lines.len() - 1;
    assert_eq!(verify::<G>(&played.record).unwrap().chance, Chance::Joint);
    assert_eq!(lines[0].get("schema_version").unwrap(), &text("0.3.0"));
    let fault = |forge: &dyn Fn(&mut [Json])| {
        let mut lines = lines.clone();
        forge(&mut lines);
        let fault = verify::<G>(&rechain(&lines)).unwrap_err();
        (fault.line - 1, fault.code)
    };
    let published = "contributions/0/contribution";
    let opened = "closing/opening/parts/0/contribution";
    let other = text(&"ab".repeat(32));
    let wrong = (last, "wrong_contributions");
    assert_eq!(
        fault(&|it| *at(&mut it[0], published) = other.clone()),
        wrong
    );
    assert_eq!(
        fault(&|it| *at(&mut it[last], opened) = other.clone()),
        wrong
    );
    let both = |it: &mut [Json]| {
        *at(&mut it[0], published) = other.clone();
        *at(&mut it[last], opened) = other.clone();
    };
    assert_eq!(
        fault(&both),
        wrong,
        "the contribution does not give the seed"
    );
    let reorder = |it: &mut Json, path: &str| match at(it, path) {
        Json::List(items) => items.reverse(),
        other => panic!("{other}"),
    };
    let reordered = |it: &mut [Json]| reorder(&mut it[0], "contributions");
    assert_eq!(fault(&reordered), (0, "malformed_line"));
    let forget = |it: &mut [Json]| match &mut it[0] {
        Json::Object(fields) => drop(fields.remove("contributions")),
        other => panic!("{other}"),
    };
    assert_eq!(fault(&forget), wrong, "a contribution cannot be omitted");
    let no_such_seat = |it: &mut [Json]| *at(&mut it[0], "contributions/1/seat") = Json::Int(15);
    assert_eq!(fault(&no_such_seat), (0, "wrong_contributions"));
}

#[test]
fn a_record_without_contributions_does_not_mention_them() {
    let opening = Opening::new([1; 32], [2; 32]);
    let source = Source::commit(&opening);
    let played = play::<Smugglers>(&smugglers(), source, Some(opening), 1);
    for line in documents(&played.record) {
        assert_eq!(line.get("contributions"), None);
    }
}

#[test]
fn a_forged_die_without_effect_is_found_when_the_seed_is_revealed() {
    let opening = Opening::new([1; 32], [2; 32]);
    let source = Source::commit(&opening);
    let played = play::<Smugglers>(&smugglers(), source, Some(opening), 1);
    let mut lines = documents(&played.record);
    let draw = at(&mut lines[1], "result/chance/0");
    *draw = another(draw);
    // Neither roll is a 7, so the position after it is the same.
    let fault = verify::<Smugglers>(&rechain(&lines)).unwrap_err();
    assert_eq!((fault.line, fault.code), (lines.len(), "wrong_chance"));
    assert!(fault.message.starts_with("chance number 1 was"), "{fault}");
    // Until the seed is revealed, nobody can detect the forgery.
    lines.pop();
    let unopened = verify::<Smugglers>(&rechain(&lines)).unwrap_err();
    assert_eq!(unopened.code, "not_closed");
}
