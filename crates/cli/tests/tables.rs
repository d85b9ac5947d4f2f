//! The commands `host`, `audit` and `snapshot`, tested through the command line.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue must fail")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

fn referee(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// The answers of `referee host` to these commands.
fn hosted(game: &str, commands: &[Value]) -> Vec<Value> {
    let input: String = commands.iter().map(|it| format!("{it}\n")).collect();
    let (code, out, err) = referee(&["host", game, "--snapshots"], &input);
    assert_eq!(code, Some(0), "{err}");
    out.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

#[test]
fn a_driver_opens_plays_and_chooses_the_outcome_of_chance() {
    let answers = hosted(
        "catan",
        &[
            json!({"do": "open", "seed": "7"}),
            json!({"do": "chance", "draw": 5}),
            json!({"do": "play", "player_id": 0, "action": 411}),
        ],
    );
    assert_eq!(answers[0]["waits_for"], "chance");
    assert_eq!(answers[0]["legal"], json!({}));
    assert_eq!(answers[1]["waits_for"], "seat");
    assert_eq!(answers[1]["events"], json!(["DECK_SHUFFLED"]));
    assert_eq!(answers[1]["legal"]["0"].as_array().unwrap().len(), 54);
    let [opened, dealt] = [0, 1].map(|idx| &answers[idx]["snapshot"]["rng_state"]);
    assert_eq!(opened, dealt, "a chosen outcome draws nothing");
    assert_eq!(answers[2]["snapshot"]["turn"]["phase"], "SETUP_ROAD");
}

#[test]
fn a_restored_table_continues_with_the_same_draws() {
    let first = hosted("catan", &[json!({"do": "open", "seed": "3"})]);
    let snapshot = &first[0]["snapshot"];
    let restored = hosted(
        "catan",
        &[
            json!({"do": "restore", "snapshot": snapshot}),
            json!({"do": "chance"}),
        ],
    );
    let whole = hosted(
        "catan",
        &[json!({"do": "open", "seed": "3"}), json!({"do": "chance"})],
    );
    assert_eq!(restored, whole);
}

#[test]
fn an_impossible_command_is_refused_and_changes_nothing() {
    let answers = hosted(
        "catan",
        &[
            json!({"do": "deadline"}),
            json!({"do": "open"}),
            json!({"do": "dance"}),
            json!({"do": "play", "player_id": 0, "action": 411}),
            json!({"do": "play", "player_id": 9, "action": 9999}),
            json!({"do": "restore", "snapshot": {"schema_version": "0.2.0"}}),
            json!({"do": "chance"}),
            json!({"do": "chance"}),
            json!({"do": "leave", "player_ids": [1], "cause": "resign"}),
            json!({"do": "deadline"}),
        ],
    );
    let codes: Vec<&str> = answers
        .iter()
        .map(|it| it["refused"]["code"].as_str().unwrap_or("done"))
        .collect();
    assert_eq!(
        codes,
        [
            "no_table",
            "done",
            "faulty",
            "chance_due",
            "faulty",
            "faulty",
            "done",
            "no_chance_due",
            "done",
            "match_over"
        ]
    );
    let told = answers[4]["refused"]["message"].as_str().unwrap();
    assert!(
        told.contains("/action") && told.contains("/player_id"),
        "{told}"
    );
    assert_eq!(answers[8]["outcome"]["reason"], "resign");
}

#[test]
fn every_game_can_be_hosted() {
    for game in ["catan", "orcain", "stellar"] {
        let answers = hosted(game, &[json!({"do": "open"})]);
        assert!(answers[0]["state_hash"].is_string(), "{game}");
    }
}

#[test]
fn an_audit_of_random_matches_finds_no_violation() {
    let args = [
        "audit", "catan", "--games", "160", "--seed", "1000", "--json",
    ];
    let (code, out, err) = referee(&args, "");
    assert_eq!(code, Some(0), "{out}{err}");
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["matches"], 160);
    assert_eq!(report["violations"], 0);
    assert!(report["round_trips"].as_u64().unwrap() >= 160);
}

#[test]
fn a_snapshot_keeps_its_hash_in_every_format() {
    let dir = scratch("snapshots");
    let answers = hosted("catan", &[json!({"do": "open", "generator": "py_random"})]);
    let state = dir.join("state.json");
    fs::write(&state, answers[0]["snapshot"].to_string()).unwrap();
    for format in ["json", "msgpack", "npz"] {
        let packed = dir.join(format!("packed.{format}"));
        let [state, packed] = [&state, &packed].map(|path| path.to_str().unwrap());
        let (code, _, err) = referee(
            &[
                "snapshot", state, "--game", "catan", "--out", packed, "--format", format,
            ],
            "",
        );
        assert_eq!(code, Some(0), "{err}");
        let (_, out, _) = referee(&["snapshot", packed, "--json"], "");
        let told: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(told["state_hash"], answers[0]["state_hash"], "{format}");
    }
}

#[test]
fn an_old_save_without_counts_is_read_with_a_warning() {
    let dir = scratch("old-saves");
    let mut snapshot = hosted("stellar", &[json!({"do": "open"})])[0]["snapshot"].clone();
    assert!(snapshot.as_object_mut().unwrap().remove("holds").is_some());
    let state = dir.join("state.json");
    fs::write(&state, snapshot.to_string()).unwrap();
    let state = state.to_str().unwrap();
    let (code, out, err) = referee(&["snapshot", state, "--game", "stellar"], "");
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("warning at /holds:"), "{out}");
}

#[test]
fn an_invalid_snapshot_is_refused_with_all_faults() {
    let dir = scratch("wrong-snapshots");
    let mut snapshot = hosted("catan", &[json!({"do": "open"})])[0]["snapshot"].clone();
    snapshot["bank"]["resources"]["ORE"] = json!(3);
    snapshot["turn"]["free_roads"] = json!(1);
    let state = dir.join("state.json");
    fs::write(&state, snapshot.to_string()).unwrap();
    let state = state.to_str().unwrap();
    let (code, _, err) = referee(&["snapshot", state, "--game", "catan"], "");
    assert_eq!(code, Some(1));
    assert!(
        err.contains("/bank/resources/ORE") && err.contains("/turn/free_roads"),
        "{err}"
    );
    let (code, _, err) = referee(&["snapshot", state], "");
    assert_eq!(code, Some(1));
    assert!(err.contains("--game"), "{err}");
}
