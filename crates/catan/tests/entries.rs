//! Entries of records: the actions of valid ones, and every fault of invalid ones.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use catan::{Catan, Decision, Setup};
use kernel::doc::{Faults, Named, Node};
use kernel::{Game, Recorded, json};

/// The actions of an entry at the start of a match, or its faults.
#[track_caller]
fn check(kind: &str, payload: &str, expected: &[&str]) {
    let json = json::read(payload.as_bytes()).unwrap();
    let (start, mut faults) = (Catan::start(&Setup::default()), Faults::default());
    let actions = start.decode(kind, &Node::root(&json), &mut faults);
    let told: Vec<String> = match faults.into_result(actions) {
        Ok(actions) => actions.iter().map(ToString::to_string).collect(),
        Err(faults) => faults
            .iter()
            .map(|it| format!("{} {}", it.pointer, it.code))
            .collect(),
    };
    assert_eq!(told, expected, "{kind} {payload}");
}

#[test]
fn an_entry_is_read_as_the_actions_it_names() {
    check("ROLL_DICE", "{}", &["roll"]);
    check("BUILD_CITY", r#"{"vertex_id": 53}"#, &["city:53"]);
    check(
        "BUILD_ROAD",
        r#"{"edge_id": 7, "free": false, "pay_with": {"BRICK": 1, "LUMBER": 1}}"#,
        &["road:7"],
    );
    check("MOVE_ROBBER", r#"{"tile_id": 3}"#, &["robber:3"]);
    check(
        "PLAY_KNIGHT",
        r#"{"steal_from": null, "tile_id": null}"#,
        &["knight"],
    );
    check(
        "PLAY_PROGRESS",
        r#"{"card": "MONOPOLY", "resource": "ORE"}"#,
        &["monopoly:ORE"],
    );
    check(
        "DISCARD",
        r#"{"resources": {"ORE": 2, "BRICK": 1}}"#,
        &["discard:BRICK", "discard:ORE", "discard:ORE"],
    );
    check(
        "TRADE_BANK",
        r#"{"give": {"WOOL": 4}, "receive": {"ORE": 1}}"#,
        &["bank:WOOL>ORE"],
    );
}

#[test]
fn an_invalid_entry_is_refused_with_every_fault() {
    check("ROLL_DISE", "{}", &["/type unknown_value"]);
    check(
        "BUILD_ROAD",
        r#"{"edge_id": 72, "fre": true, "pay_with": {"BRICK": 0, "FISH": 1}}"#,
        &[
            "/fre unknown_field",
            "/edge_id out_of_range",
            "/free missing",
            "/pay_with/FISH unknown_field",
            "/pay_with/BRICK out_of_range",
        ],
    );
    check(
        "BUILD_SETTLEMENT",
        r#"{"free": true, "pay_with": {"ORE": 1}, "vertex_id": 0}"#,
        &["/free not_free", "/pay_with wrong_payment"],
    );
    check(
        "MOVE_ROBBER",
        r#"{"steal_from": 1, "tile_id": 3}"#,
        &["/steal_from contradiction"],
    );
    check(
        "MOVE_ROBBER",
        r#"{"tile_id": null}"#,
        &["/tile_id wrong_type"],
    );
    check(
        "PLAY_PROGRESS",
        r#"{"card": "ROAD_BUILDING", "edges": [1, 72, "x"], "resource": "ORE"}"#,
        &[
            "/resource unknown_field",
            "/edges/1 out_of_range",
            "/edges/2 wrong_type",
        ],
    );
    check(
        "PLAY_PROGRESS",
        r#"{"card": "KNIGHT"}"#,
        &["/card unknown_value"],
    );
    check(
        "TRADE_PORT",
        r#"{"give": {"WOOL": 1}, "port_id": 9, "receive": []}"#,
        &["/port_id out_of_range", "/receive wrong_type"],
    );
    check(
        "SETUP_PLACE_ROAD",
        r#"{"edge_id": 1, "turn": 2}"#,
        &["/turn out_of_range"],
    );
    check("END_TURN", r#"{"now": true}"#, &["/now unknown_field"]);
}

#[test]
fn the_types_are_those_of_the_specification_and_then_ours() {
    assert_eq!(Decision::NAMES.len(), 17);
    assert_eq!(Decision::NAMES[0], "ROLL_DICE");
    assert_eq!(Decision::NAMES[11], "END_TURN");
    let ours = [
        "SETUP_PLACE_SETTLEMENT",
        "SETUP_PLACE_ROAD",
        "DISCARD",
        "TRADE_ACCEPT",
        "TRADE_DECLINE",
    ];
    assert_eq!(Decision::NAMES[12..], ours);
}
