//! The command line: arguments in, text and exit codes out.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue must fail")]

mod command;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use catalog::{GameName, with_game};
use command::scratch;
use kernel::Recorded;
use serde_json::Value;

fn referee(args: &[&str]) -> Output {
    command::run(args, "")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The standard output of a command that must succeed.
fn ok(args: &[&str]) -> String {
    let output = referee(args);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// Both outputs of a command that must exit with code 1.
fn wrong(args: &[&str]) -> String {
    let output = referee(args);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    text(&output.stdout) + &text(&output.stderr)
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&ok(args)).unwrap()
}

/// A fresh directory for one test.
fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// One recorded match and its lines.
fn recorded(name: &str, seed: &str) -> (PathBuf, Vec<String>) {
    let dir = scratch(name);
    ok(&[
        "simulate",
        "orcain",
        "--games",
        "1",
        "--seed",
        seed,
        "--out",
        path(&dir),
    ]);
    let file = dir.join("orcain-00000000.jsonl");
    let lines = fs::read_to_string(&file).unwrap();
    (file, lines.lines().map(str::to_owned).collect())
}

fn write_lines(file: &Path, lines: &[String]) {
    fs::write(file, lines.join("\n") + "\n").unwrap();
}

#[test]
fn the_same_seed_gives_the_same_output_except_for_times() {
    let run = || {
        let output = ok(&[
            "simulate",
            "orcain",
            "--games",
            "3000",
            "--seed",
            "1",
            "--threads",
            "1",
        ]);
        let lines = output.lines().filter(|line| !line.starts_with("  time "));
        lines.map(str::to_owned).collect::<Vec<String>>()
    };
    let first = run();
    assert!(first.len() > 5, "{first:?}");
    assert_eq!(first, run());
}

// Promise: The same seed and inputs give the same match.
#[test]
fn results_and_final_hashes_do_not_depend_on_threads() {
    let dir = scratch("threads");
    let run = |seed: &str, more: &[&str]| {
        let mut args = vec!["simulate", "orcain", "--games", "2500", "--json"];
        args.extend(["--seats", "random,equilibrium", "--seed", seed]);
        args.extend(more);
        let report = json(&args);
        [
            "digest",
            "final_hashes",
            "steps",
            "joint_decisions",
            "seats",
        ]
        .map(|field| report[field].clone())
    };
    let one = run("7", &["--threads", "1", "--hashes"]);
    assert!(one[1].is_string());
    assert_eq!(one, run("7", &["--threads", "2", "--hashes"]));
    assert_eq!(one, run("7", &["--threads", "2", "--out", path(&dir)]));
    assert_ne!(one[0], run("8", &["--hashes"])[0]);
}

#[test]
fn verify_accepts_a_directory_of_a_thousand_records() {
    let dir = scratch("thousand");
    ok(&[
        "simulate",
        "orcain",
        "--games",
        "1000",
        "--seed",
        "3",
        "--out",
        path(&dir),
    ]);
    assert_eq!(
        ok(&["verify", path(&dir)]),
        "1000 records: 1000 valid, 0 invalid\n"
    );
    let verdicts = json(&["verify", path(&dir), "--json"]);
    let verdicts = verdicts.as_array().unwrap();
    assert_eq!(verdicts.len(), 1000);
    assert!(
        verdicts
            .iter()
            .all(|it| it["ok"] == true && it["report"]["chance"] == "redrawn")
    );
}

#[test]
fn verify_names_the_line_of_a_flipped_byte() {
    let (file, mut lines) = recorded("flipped", "1");
    lines[4] = lines[4].replacen("2000-01-01", "2000-01-02", 1);
    write_lines(&file, &lines);
    let said = wrong(&["verify", path(&file)]);
    assert!(
        said.contains("line 5: ") && said.contains("(broken_chain)"),
        "{said}"
    );
}

#[test]
fn verify_names_the_line_after_a_removed_one() {
    let (file, mut lines) = recorded("removed", "1");
    lines.remove(3);
    write_lines(&file, &lines);
    let said = wrong(&["verify", path(&file)]);
    assert!(
        said.contains("line 4: ") && said.contains("(broken_chain)"),
        "{said}"
    );
}

#[test]
fn verify_detects_a_missing_last_line() {
    let (file, mut lines) = recorded("no-closing", "1");
    let n_lines = lines.len();
    lines.pop();
    write_lines(&file, &lines);
    let said = wrong(&["verify", path(&file)]);
    let expected = format!("line {n_lines}: ");
    assert!(
        said.contains(&expected) && said.contains("(not_closed)"),
        "{said}"
    );
}

#[test]
fn verify_names_the_first_of_two_swapped_lines() {
    let (file, mut lines) = recorded("swapped", "1");
    lines.swap(2, 3);
    write_lines(&file, &lines);
    let said = wrong(&["verify", path(&file)]);
    assert!(
        said.contains("line 3: ") && said.contains("(broken_chain)"),
        "{said}"
    );
}

#[test]
fn verify_reports_a_torn_line_and_replay_uses_the_rest() {
    let (file, lines) = recorded("torn", "1");
    let whole = lines[..4].join("\n") + "\n" + &lines[4][..40];
    fs::write(&file, whole).unwrap();
    let said = wrong(&["verify", path(&file)]);
    assert!(
        said.contains("line 5: ") && said.contains("(torn_line)"),
        "{said}"
    );
    let output = referee(&["replay", path(&file), "--json"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("torn_line"));
    let state: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!(state["action_id"], 3);
}

fn game_of(lines: &[String]) -> String {
    let header: Value = serde_json::from_str(&lines[0]).unwrap();
    header["game"].as_str().unwrap().to_owned()
}

#[test]
fn replay_shows_the_state_after_an_action_with_the_hash_of_its_line() {
    let (file, lines) = recorded("replay", "5");
    for action in [1, 3, 7] {
        let state = json(&["replay", path(&file), "--to", &action.to_string(), "--json"]);
        let line: Value = serde_json::from_str(&lines[action]).unwrap();
        assert_eq!(state["action_id"], action);
        assert_eq!(state["state_hash"], line["result"]["state_hash"]);
        assert_eq!(state["snapshot"]["game_id"], line["game_id"]);
        assert_eq!(state["snapshot"].get("log"), None);
    }
    let with_log = json(&["replay", path(&file), "--to", "7", "--json", "--log"]);
    let log = with_log["snapshot"]["log"].as_array().unwrap();
    let ids: Vec<u64> = log
        .iter()
        .filter_map(|it| it["action_id"].as_u64())
        .collect();
    assert_eq!(ids, Vec::from_iter(1..=7));
    let saved = file.with_extension("state.json");
    std::fs::write(&saved, with_log.to_string()).unwrap();
    let game = game_of(&lines);
    let checked = json(&["snapshot", path(&saved), "--game", &game, "--json"]);
    assert_eq!(checked["state_hash"], with_log["state_hash"]);
    let start = json(&["replay", path(&file), "--to", "0", "--json"]);
    let header: Value = serde_json::from_str(&lines[0]).unwrap();
    assert_eq!(start["state_hash"], header["state_hash"]);
    let said = wrong(&["replay", path(&file), "--to", "9999"]);
    assert!(
        said.contains("there is no state after action 9999"),
        "{said}"
    );
}

#[test]
fn replay_steps_through_every_action() {
    let (file, lines) = recorded("steps", "5");
    let output = ok(&["replay", path(&file), "--step", "--json"]);
    // The start and every action, but neither the header nor the closing line.
    assert_eq!(output.lines().count(), lines.len() - 1);
    let human = ok(&["replay", path(&file), "--step"]);
    assert!(
        human.contains("LAYOUT_DRAFT") && human.contains("r1 prep 10-10"),
        "{human}"
    );
}

#[test]
fn a_match_in_the_terminal_is_committed_recorded_and_verified() {
    let dir = scratch("play");
    let file = dir.join("match.jsonl");
    let args = [
        "play",
        "orcain",
        "--against",
        "random",
        "--out",
        path(&file),
    ];
    let script = "?\nnonsense\nadh\nconfirm:HCA\nwait\nDCA\n".to_owned() + &"adh\n".repeat(40);
    let output = command::run(&args, &script);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    for part in [
        "Seed commitment: sha256:",
        "\"nonsense\" is not legal",
        "step 3:",
        "Over: ",
    ] {
        assert!(said.contains(part), "no {part:?} in:\n{said}");
    }
    let verdicts = json(&["verify", path(&file), "--json"]);
    assert_eq!(verdicts[0]["report"]["chance"], "opened");

    let record = fs::read_to_string(&file).unwrap();
    assert!(record.contains("\"opening\": {\"salt\""));
}

#[test]
fn dice_can_be_forced_in_a_test_match_and_verify_reports_it() {
    let dir = scratch("forced");
    let setup = dir.join("setup.json");
    fs::write(&setup, r#"{"test": true}"#).unwrap();
    let lines =
        |word: &str, n: usize| -> String { (0..n).map(|idx| format!("{word}:{idx}\n")).collect() };
    // The first legal place is taken; the remaining lines are refused.
    let placed = lines("first-settle", 54) + &lines("first-road", 72);
    let script = format!("{placed}{placed}roll:6+5\nresign\n");
    let play = |file: &Path, more: &[&str]| {
        let mut args = vec!["play", "catan", "--against", "random", "--out", path(file)];
        args.extend(more);
        let output = command::run(&args, &script);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let file = dir.join("test.jsonl");
    play(&file, &["--setup", path(&setup)]);
    let record = fs::read_to_string(&file).unwrap();
    assert!(record.contains(r#""payload": {"forced_value": [6, 5]}"#));
    let said = ok(&["verify", path(&file)]);
    assert!(said.contains("a test match with "), "{said}");
    let verdicts = json(&["verify", path(&file), "--json"]);
    assert!(verdicts[0]["report"]["test"]["n_forced"].as_u64() >= Some(1));
    let changed = record.replacen(r#""forced_value": [6, 5]"#, r#""forced_value": [5, 6]"#, 1);
    fs::write(&file, changed).unwrap();
    let output = referee(&["verify", path(&file)]);
    assert_eq!(output.status.code(), Some(1));

    let file = dir.join("ordinary.jsonl");
    assert!(play(&file, &[]).contains(r#""roll:6+5" is not legal"#));
    let verdicts = json(&["verify", path(&file), "--json"]);
    assert_eq!(verdicts[0]["report"]["test"], Value::Null);
    assert!(!ok(&["verify", path(&file)]).contains("test match"));
}

// Promise: A match with forced chance counts nowhere: no stake, rating, statistic or dataset.
#[test]
fn an_arena_refuses_test_matches() {
    let file = scratch("test-arena").join("setup.json");
    fs::write(&file, r#"{"test": true}"#).unwrap();
    let seats = ["--seats", "random,heuristic", "--games", "2"];
    let args = [&["arena", "catan", "--setup", path(&file)], &seats[..]].concat();
    let said = wrong(&args);
    assert!(said.contains("declares a test match"), "{said}");
}

#[test]
fn a_match_is_on_disk_move_by_move_and_no_file_is_overwritten() {
    let file = scratch("moves").join("match.jsonl");
    let args = ["play", "orcain", "--seed", "1", "--out", path(&file)];
    // Invalid input, then end of input, which leaves the match as it is.
    let output = command::run(&args, "adh\n\u{fffd}\n");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(ok(&["verify", path(&file)]).contains("not over yet"));
    let before = fs::read(&file).unwrap();
    assert!(wrong(&args).contains("exists"));
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn verify_continues_after_a_file_that_cannot_be_opened() {
    let (file, _) = recorded("continues", "1");
    let output = referee(&["verify", "--json", "no-such-file", path(&file)]);
    assert_eq!(output.status.code(), Some(1));
    let verdicts: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!(verdicts[0]["fault"]["code"], "cannot_open");
    assert_eq!(verdicts[1]["ok"], true);
    assert_eq!(verdicts[1]["report"]["protection"], "chain");
}

#[test]
fn records_of_two_runs_are_not_mixed() {
    let (file, _) = recorded("mixed", "1");
    let dir = path(file.parent().unwrap());
    let said = wrong(&["simulate", "orcain", "--games", "1", "--out", dir]);
    assert!(
        said.contains("already contains records of orcain"),
        "{said}"
    );
    let said = wrong(&["simulate", "orcain", "--out", path(&file)]);
    assert!(said.contains("is not a directory"), "{said}");
}

#[test]
fn resigning_ends_a_match_in_the_terminal() {
    let output = command::run(&["play", "orcain", "--seed", "1"], "resign\n");
    let said = text(&output.stdout);
    assert!(said.contains("Over: seat 1 wins (resign)"), "{said}");
}

#[test]
fn describe_lists_the_entire_action_table() {
    let described = json(&["describe", "orcain", "--json"]);
    assert_eq!(described["seats"], 2);
    assert_eq!(described["n_actions"], 189);
    let actions = described["actions"].as_array().unwrap();
    assert_eq!(actions.len(), 189);
    assert!(
        actions
            .iter()
            .enumerate()
            .all(|(idx, action)| action["id"] == idx)
    );
    let blocks = described["observation"].as_array().unwrap();
    assert_eq!(blocks[0]["name"], "hp");
    // The effect of each card on its player: attack into counter costs 2, heal gives 1.
    assert_eq!(described["tables"]["hp_change"][0][3], -2);
    assert_eq!(described["tables"]["hp_change"][2][4], 1);
    assert!(ok(&["describe", "orcain"]).contains("equilibrium"));
}

#[test]
fn every_schema_prints_and_every_stored_document_has_a_version() {
    // An unknown name is refused with the list of all names.
    let refused = text(&referee(&["schema", "nothing"]).stderr);
    let (_, list) = refused.split_once("[possible values: ").unwrap();
    let names: Vec<&str> = list.split_once(']').unwrap().0.split(", ").collect();
    for game in GameName::ALL {
        let snapshot = format!("{game}-snapshot");
        assert!(names.contains(&snapshot.as_str()), "{names:?}");
        let schema = json(&["schema", &snapshot]);
        let version = with_game!(game, G => G::SNAPSHOT_VERSION);
        assert_eq!(schema["x-schema-version"], version, "{game}");
        assert!(schema["properties"]["rng_state"].is_object(), "{game}");
    }
    for name in names {
        let schema = json(&["schema", name]);
        if name == "http" {
            assert!(schema["openapi"].is_string());
        } else {
            assert!(schema["title"].is_string(), "{name}");
            let of_a_document = ["properties", "oneOf", "$ref", "anyOf"];
            assert!(
                of_a_document.iter().any(|key| !schema[*key].is_null()),
                "{name}"
            );
        }
        let is_stored = name == "record" || name.ends_with("-snapshot");
        assert_eq!(is_stored, schema["x-schema-version"].is_string(), "{name}");
    }
}

#[test]
fn a_bad_setup_is_refused_with_every_reason() {
    let file = scratch("setup").join("setup.json");
    fs::write(&file, r#"{"max_hp": 0, "steps": "three", "spede": 1}"#).unwrap();
    let said = wrong(&["simulate", "orcain", "--setup", path(&file)]);
    for part in [
        "/max_hp",
        "from 1 to 100",
        "/steps",
        "found \"three\"",
        "/spede",
    ] {
        assert!(said.contains(part), "no {part:?} in:\n{said}");
    }
    fs::write(&file, "{\"max_hp\": 3,").unwrap();
    assert!(wrong(&["describe", "orcain", "--setup", path(&file)]).contains("line 1"));
}

#[test]
fn wrong_input_is_exit_code_1_and_wrong_usage_2() {
    assert!(wrong(&["verify", "no-such-file.jsonl"]).contains("no-such-file.jsonl"));
    for (args, part) in [
        (
            ["simulate", "orcain", "--seats", "random,genius"],
            "there is no agent \"genius\"",
        ),
        (
            ["simulate", "orcain", "--seats", "random,random,random"],
            "orcain has 2 seats",
        ),
        (["play", "orcain", "--seat", "99"], "there is no seat 99"),
    ] {
        let output = referee(&args);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            text(&output.stderr).contains(part),
            "{}",
            text(&output.stderr)
        );
        assert_eq!(text(&output.stdout), "");
    }
    for args in [
        &["simulate", "chess"][..],
        &["simulate", "orcain", "--games", "0"],
        &["simulate", "orcain", "--seed", "seven"],
        &["simulate", "orcain", "--seed", "-5"],
        &["schema", "nothing"],
        &["frobnicate"],
        &[],
    ] {
        assert_eq!(referee(args).status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn completions_and_help_are_printed() {
    assert!(ok(&["completions", "bash"]).contains("referee"));
    for command in ["simulate", "replay", "verify", "describe", "play", "schema"] {
        let help = ok(&[command, "--help"]);
        assert!(help.contains("Example"), "{command}: {help}");
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let (file, _) = recorded("pipe", "2");
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["replay", path(&file), "--step", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn sim_checks_live_matches_of_every_game_and_a_seed_repeats_them() {
    let n_matches = (20 * GameName::ALL.len()).to_string();
    let args = ["sim", "--matches", &n_matches, "--seed", "3", "--json"];
    let [first, second] = [json(&args), json(&args)];
    assert_eq!(first["n_matches"], 20 * GameName::ALL.len());
    assert_eq!(first["violations"], Value::Array(Vec::new()));
    assert_eq!(first["games"], second["games"]);
    for game in GameName::ALL {
        assert_eq!(first["games"][game.as_str()]["n_matches"], 20, "{game}");
    }
    let text = ok(&["sim", "--matches", "60", "--seed", "3"]);
    assert!(
        text.contains("violations: 0") && text.contains("cells reached"),
        "{text}"
    );
}

#[test]
fn sim_runs_one_game_alone() {
    let args = ["sim", "--game", "stellar", "--matches", "8", "--json"];
    let report = json(&args);
    assert_eq!(report["games"]["stellar"]["n_matches"], 8);
    let games: Vec<&String> = report["games"].as_object().unwrap().keys().collect();
    assert_eq!(games, ["stellar"]);
}

#[test]
fn both_sides_of_the_protocol_have_schemas_for_all_games_or_for_one() {
    for (name, part) in [("protocol-client", "Ask"), ("protocol-server", "View")] {
        let all = json(&["schema", name]);
        let catan = json(&["schema", name, "--game", "catan"]);
        assert!(all["oneOf"].as_array().unwrap().len() > 10, "{name}");
        for (game, in_catan) in [("Catan", true), ("Orcain", false), ("Stellar", false)] {
            let has = |schema: &Value| schema["$defs"].get(format!("{game}{part}")).is_some();
            assert_eq!((has(&all), has(&catan)), (true, in_catan), "{name} {game}");
        }
    }
    let output = referee(&["schema", "record", "--game", "catan"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("not to record"));
}
