//! The arena and external bots, tested through the command line.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue must fail")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(args).stdin(Stdio::null());
    command
}

fn referee(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = referee(args);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The standard error of a run that must fail with this exit code.
fn wrong(code: i32, args: &[&str]) -> String {
    let output = referee(args);
    assert_eq!(output.status.code(), Some(code), "{}", text(&output.stdout));
    text(&output.stderr)
}

fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

/// Writes a Python program to a scratch directory and returns its name for `--seats`.
fn python(name: &str, source: &str) -> String {
    let file = scratch(name).join("bot.py");
    fs::write(&file, source).unwrap();
    format!("exec:python3 {}", file.display())
}

/// The source of the bot in the documentation.
fn documented() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/bots.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once("```python\n").unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

fn simulate(game: &str, seats: &str, more: &[&str]) -> Vec<String> {
    let args = [&["simulate", game, "--seats", seats, "--games", "2"], more].concat();
    args.into_iter().map(str::to_owned).collect()
}

fn as_strs(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
}

#[test]
fn the_documented_bot_has_ten_lines_and_plays_every_game() {
    let source = documented();
    assert!(source.lines().count() <= 10, "{source}");
    let bot = python("documented_bot", &source);
    for game in ["catan", "orcain", "stellar"] {
        let args = simulate(
            game,
            &format!("{bot},random"),
            &["--json", "--threads", "1"],
        );
        let report = json(&as_strs(&args));
        assert_eq!(report["games"], 2, "{report}");
        if game == "orcain" {
            assert_eq!(report, without_times(json(&as_strs(&args)), &report));
        }
    }
}

/// The second report with the first one's times, so that only results are compared.
fn without_times(mut report: Value, other: &Value) -> Value {
    let fields = report.as_object_mut().unwrap();
    for (key, value) in fields {
        if key.ends_with("_seconds") || key.contains("_second") {
            *value = other[key].clone();
        }
    }
    report
}

#[test]
fn a_bot_receives_its_view_and_legal_actions_but_not_the_opponents_hand() {
    let dir = scratch("told");
    let seen = dir.join("seen.jsonl");
    let source = format!(
        "import json, sys\nlog = open({:?}, 'w')\nfor line in sys.stdin:\n    log.write(line)\n    \
         log.flush()\n    message = json.loads(line)\n    if message['type'] == 'decide':\n        \
         print(message['legal'][-1]['id'], flush=True)\n",
        seen.display().to_string()
    );
    let bot = python("told_bot", &source);
    let seats = format!("random,{bot}");
    let args = ["simulate", "catan", "--seats", &seats, "--games", "1"];
    assert_eq!(referee(&args).status.code(), Some(0));
    let lines = fs::read_to_string(seen).unwrap();
    let mut lines = lines
        .lines()
        .map(|it| serde_json::from_str::<Value>(it).unwrap());
    let begin = lines.next().unwrap();
    assert_eq!(
        (
            &begin["type"],
            &begin["game"],
            &begin["player_id"],
            &begin["match_number"]
        ),
        (&"begin".into(), &"catan".into(), &1.into(), &1.into())
    );
    let mut n_asked = 0;
    for ask in lines {
        let view = &ask["view"];
        assert!(view["players"][0]["own"].is_null(), "{ask}");
        assert!(!view["players"][1]["own"].is_null(), "{ask}");
        assert!(view.get("dev_deck").is_none() && view.get("seed").is_none());
        let legal = ask["legal"].as_array().unwrap();
        assert!(
            legal
                .iter()
                .all(|it| it["id"].is_u64() && it["action"].is_string())
        );
        n_asked += 1;
    }
    assert!(n_asked > 20);
}

#[test]
fn a_failing_bot_stops_the_run_with_an_error_that_explains_why() {
    let answering = |answer: &str| {
        format!(
            "import sys\nfor line in sys.stdin:\n    if 'decide' in line: print({answer:?}, flush=True)\n"
        )
    };
    let cases = [
        (
            "garbage",
            answering("roll the dice"),
            "an answer is the id of a legal action",
        ),
        ("illegal", answering("460"), "which is not among the"),
        (
            "silent",
            "import time\ntime.sleep(60)\n".to_owned(),
            "did not answer within 700 ms",
        ),
        (
            "dead",
            "import sys\nsys.exit(3)\n".to_owned(),
            "it closed its output (exit status: 3)",
        ),
        (
            "chatty",
            "import sys\nfor line in sys.stdin:\n    print(282, flush=True)\n".to_owned(),
            "failed: it",
        ),
        (
            "endless",
            "print('7' * 100000, flush=True)\nimport time\ntime.sleep(60)".to_owned(),
            "longer than 65536 bytes",
        ),
    ];
    for (name, source, expected) in cases {
        let bot = python(name, &source);
        // Long enough for Python to start slowly, but short for the bot that never answers.
        let time_ms = if name == "silent" { "700" } else { "60000" };
        let seats = format!("{bot},random");
        let args = simulate("catan", &seats, &["--decision-ms", time_ms]);
        let said = wrong(1, &as_strs(&args));
        assert!(said.contains(expected), "{name}: {said}");
        assert!(
            said.contains("match 0") && said.contains("in seat 0"),
            "{said}"
        );
    }
    let said = wrong(
        1,
        &as_strs(&simulate("orcain", "exec:./there_is_none,random", &[])),
    );
    assert!(said.contains("./there_is_none cannot be started"), "{said}");
    let said = wrong(2, &as_strs(&simulate("orcain", "exec:,random", &[])));
    assert!(said.contains("names no program"), "{said}");
}

/// A bot that starts a child, notes both process ids and then hangs.
fn hanging(name: &str) -> (String, PathBuf) {
    let pids = scratch(&format!("{name}_pids")).join("pids");
    let source = format!(
        "import os, subprocess, time\nchild = subprocess.Popen(['sleep', '300'])\n\
         with open({0:?} + '.new', 'w') as file: file.write(f'{{os.getpid()}} {{child.pid}}')\n\
         os.rename({0:?} + '.new', {0:?})\ntime.sleep(300)\n",
        pids.display().to_string()
    );
    (python(name, &source), pids)
}

fn pids(file: &Path) -> Vec<u32> {
    let begun = Instant::now();
    loop {
        if let Ok(text) = fs::read_to_string(file) {
            return text.split(' ').map(|pid| pid.parse().unwrap()).collect();
        }
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "the bot never started"
        );
        thread::sleep(Duration::from_millis(20));
    }
}

/// True if a process is running. A zombie is not.
fn runs(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit(") ").next().unwrap_or("").chars().next();
    !matches!(state, None | Some('Z' | 'X'))
}

fn all_end(pids: &[u32]) {
    let begun = Instant::now();
    while pids.iter().any(|&pid| runs(pid)) {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "{pids:?} are still running"
        );
        thread::sleep(Duration::from_millis(20));
    }
}

// Promise: No bot's process outlives its run.
#[test]
fn a_hanging_bot_is_killed_with_its_children() {
    let (bot, file) = hanging("hanging");
    // On a slow machine the bot may not even start within the first limit.
    for ms in ["3000", "30000", "120000"] {
        let args = simulate("catan", &format!("{bot},random"), &["--decision-ms", ms]);
        assert!(wrong(1, &as_strs(&args)).contains("did not answer"));
        if file.exists() {
            break;
        }
    }
    all_end(&pids(&file));
}

// Promise: No bot's process outlives its run.
#[test]
fn a_run_that_is_terminated_kills_its_bots() {
    let (bot, file) = hanging("orphaned");
    let args = simulate(
        "catan",
        &format!("{bot},random"),
        &["--decision-ms", "600000"],
    );
    let mut child = command(&as_strs(&args))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let pids = pids(&file);
    let pid = i32::try_from(child.id()).unwrap();
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(143));
    all_end(&pids);
}

const ARENA: [&str; 7] = [
    "arena",
    "orcain",
    "--seats",
    "random,equilibrium",
    "--games",
    "40",
    "--json",
];

#[test]
fn an_arena_reports_rates_ratings_and_times_for_every_game() {
    for (game, seats) in [
        ("catan", "random,heuristic"),
        ("orcain", "random,equilibrium"),
        ("stellar", "random,balanced"),
    ] {
        let report = json(&["arena", game, "--seats", seats, "--games", "20", "--json"]);
        let best = &report["agents"][0];
        assert_eq!(
            best["agent"],
            seats.split(',').next_back().unwrap(),
            "{report}"
        );
        assert_eq!((&best["games"], &report["games"]), (&20.into(), &20.into()));
        assert!(best["elo"].as_f64().unwrap() > 1500.0);
        let (low, rate) = (&best["win_rate"]["low"], &best["win_rate"]["rate"]);
        assert!(low.as_f64() < rate.as_f64());
        assert!(best["decisions"]["p95_us"].as_f64() >= best["decisions"]["p50_us"].as_f64());
    }
    let table = referee(&[
        "arena",
        "orcain",
        "--seats",
        "random,equilibrium",
        "--games",
        "4",
    ]);
    let (table, bar) = (text(&table.stdout), text(&table.stderr));
    assert!(
        table.contains("Elo") && table.contains("random beats equilibrium in"),
        "{table}"
    );
    assert_eq!(bar, "", "no progress bar without a terminal");
}

// Promise: An arena that was interrupted ends like one that was not.
#[test]
fn an_interrupted_arena_resumes_from_its_file_with_the_same_result() {
    let file = scratch("arena_file").join("run.jsonl");
    let out = [&ARENA[..], &["--out", file.to_str().unwrap()]].concat();
    let whole = json(&ARENA)["digest"].clone();
    assert_eq!(json(&out)["digest"], whole);
    let written = fs::read(&file).unwrap();
    for kept in [0, 10, written.len() / 3, written.len() - 5] {
        fs::write(&file, &written[..kept]).unwrap();
        assert_eq!(json(&out)["digest"], whole, "after {kept} bytes");
        let n_lines = fs::read_to_string(&file).unwrap().lines().count();
        assert_eq!(n_lines, 21, "a header and one line per bout");
    }
}

#[test]
fn a_file_of_another_run_is_refused_with_the_differences_and_not_modified() {
    let file = scratch("arena_other").join("run.jsonl");
    let path = file.to_str().unwrap();
    json(&[&ARENA[..], &["--out", path]].concat());
    let before = fs::read(&file).unwrap();
    let said = wrong(1, &[&ARENA[..], &["--out", path, "--seed", "9"]].concat());
    assert!(said.contains("seed is 0 in the file and 9 here"), "{said}");
    assert_eq!(fs::read(&file).unwrap(), before);
    fs::write(&file, "my diary\n").unwrap();
    let said = wrong(1, &[&ARENA[..], &["--out", path]].concat());
    assert!(said.contains("not an arena file"), "{said}");
    fs::write(&file, "my diary, without an end").unwrap();
    wrong(1, &[&ARENA[..], &["--out", path]].concat());
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        "my diary, without an end"
    );
}

#[test]
fn all_faults_of_an_arena_command_line_are_reported_together() {
    let said = wrong(
        2,
        &[
            "arena",
            "orcain",
            "--seats",
            "random,random",
            "--games",
            "3",
        ],
    );
    assert!(
        said.contains("twice") && said.contains("--games 3 is odd"),
        "{said}"
    );
    let said = wrong(2, &["arena", "orcain", "--seats", "random"]);
    assert!(said.contains("expected 2 to 64"), "{said}");
    let said = wrong(2, &["arena", "catan", "--seats", "random,genius"]);
    assert!(said.contains("random, mcts, heuristic, search"), "{said}");
}

#[test]
fn advice_to_a_host_plays_nothing() {
    let commands = [
        r#"{"do": "advise", "player_id": 0, "agent": "heuristic"}"#,
        r#"{"do": "open", "seed": "1"}"#,
        r#"{"do": "chance"}"#,
        r#"{"do": "advise", "player_id": 0, "agent": "heuristic"}"#,
        r#"{"do": "advise", "player_id": 0, "agent": "search:nodes=10", "seed": "7"}"#,
        r#"{"do": "advise", "player_id": 1, "agent": "heuristic"}"#,
        r#"{"do": "advise", "player_id": 0, "agent": "genius"}"#,
    ];
    let mut child = command(&["host", "catan", "--snapshots"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input
        .write_all((commands.join("\n") + "\n").as_bytes())
        .unwrap();
    drop(input);
    let told = text(&child.wait_with_output().unwrap().stdout);
    let told: Vec<Value> = told
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let code = |idx: usize| told[idx]["refused"]["code"].as_str();
    assert_eq!(code(0), Some("no_table"));
    for answer in &told[3..5] {
        let legal = answer["legal"]["0"].as_array().unwrap();
        assert!(legal.contains(&answer["advice"]), "{answer}");
        assert_eq!(answer["state_hash"], told[2]["state_hash"]);
    }
    assert_eq!(
        (code(5), code(6)),
        (Some("not_to_decide"), Some("no_agent"))
    );
}
