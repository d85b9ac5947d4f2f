//! The commands `host`, `audit` and `snapshot`, tested through the command line.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue must fail")]

mod command;

use std::fs;
use std::path::{Path, PathBuf};

use catalog::GameName;
use command::scratch;
use serde_json::{Value, json};

fn referee(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let output = command::run(args, input);
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
    for game in GameName::ALL.map(GameName::as_str) {
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
    assert_eq!(report["replays"], 10);
}

#[test]
fn every_game_can_be_audited() {
    for game in GameName::ALL.map(GameName::as_str) {
        let (code, out, err) = referee(&["audit", game, "--games", "2"], "");
        assert_eq!(code, Some(0), "{out}{err}");
        let start = format!("2 matches of {game} from seed 0: ");
        assert!(out.starts_with(&start), "{out}");
        assert!(out.contains(", 1 replay, "), "{out}");
        assert!(out.contains("\nviolations: 0\n"), "{out}");
    }
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

/// The repository's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn a_position_printed_by_replay_can_be_opened_again() {
    for (game, record) in [
        ("catan", "catan/five-points.jsonl"),
        ("orcain", "orcain/wild.jsonl"),
        ("stellar", "stellar/the_bridge.jsonl"),
    ] {
        let file = root().join("testdata").join(record);
        let replay = |form| {
            let args = ["replay", file.to_str().unwrap(), "--to", "9", form];
            let (code, out, err) = referee(&args, "");
            assert_eq!(code, Some(0), "{err}");
            out
        };
        let position = replay("--notation");
        assert_eq!(position.lines().count(), 1, "{position}");
        let answers = hosted(game, &[json!({"do": "open", "position": position})]);
        let state: Value = serde_json::from_str(&replay("--json")).unwrap();
        let [mut opened, mut replayed] =
            [&answers[0]["snapshot"], &state["snapshot"]].map(Value::clone);
        for snapshot in [&mut opened, &mut replayed] {
            let fields = snapshot.as_object_mut().unwrap();
            fields.retain(|key, _| key != "game_id" && key != "rng_state");
        }
        assert_eq!(opened, replayed, "{game}");
    }
}

#[test]
fn a_table_opens_at_a_position_relative_to_its_setup() {
    let answers = hosted(
        "orcain",
        &[
            json!({"do": "open", "setup": {"start_hp": 5}, "position": "turn.number=2 players.0.hp=4 players.0.round_hp=4"}),
            json!({"do": "advise", "player_id": 0, "agent": "random"}),
            json!({"do": "open", "position": "turn.number=0 players.0.hp=x turn"}),
            json!({"do": "open", "position": "turn.number=0 players.0.hp=x"}),
            json!({"do": "deadline"}),
        ],
    );
    let players = &answers[0]["snapshot"]["players"];
    assert_eq!([&players[0]["hp"], &players[1]["hp"]], [4, 5]);
    assert_eq!(answers[1]["refused"]["code"], "no_setup");
    let told = |idx: usize| answers[idx]["refused"]["message"].as_str().unwrap();
    assert_eq!(
        told(2),
        "at /position: expected =, += or -= after the path in \"turn\""
    );
    assert!(
        told(3).contains("at /position/turn/number: ")
            && told(3).contains("at /position/players/0/hp: "),
        "{}",
        told(3)
    );
    assert_eq!(
        answers[4]["snapshot"]["turn"]["number"], 2,
        "refused commands change nothing"
    );
}

#[test]
fn the_documented_position_is_what_replay_prints() {
    let document = fs::read_to_string(root().join("docs/records.md")).unwrap();
    let mut lines = document.lines();
    let command = lines
        .find_map(|line| line.strip_prefix("$ referee replay "))
        .unwrap();
    let args: Vec<&str> = command.split(' ').collect();
    let file = root().join(args[0]);
    let args = [&["replay", file.to_str().unwrap()], &args[1..]].concat();
    let (code, out, err) = referee(&args, "");
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(out.trim_end(), lines.next().unwrap());
}
