//! The command `scenario` as its users meet it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn referee(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .arg("scenario")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

fn told(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn a_generated_scenario_is_valid_and_has_a_map() {
    let dir = scratch("scenario-generate");
    let (file, svg) = (shown(&dir.join("war.json")), shown(&dir.join("war.svg")));
    let made = referee(
        &[
            "generate",
            "--topology",
            "spiral",
            "--systems",
            "50",
            "--factions",
            "3",
            "--seed",
            "4",
            "--out",
            &file,
        ],
        "",
    );
    assert_eq!(told(&made), (Some(0), String::new(), String::new()));
    let (code, out, _) = told(&referee(&["validate", &file], ""));
    assert_eq!(
        (code, out.trim_end()),
        (
            Some(0),
            format!("{file}: valid, 0 errors, 0 warnings").as_str()
        )
    );
    let (code, _, error) = told(&referee(&["map", &file, "--svg", &svg], ""));
    assert_eq!(code, Some(0), "{error}");
    assert!(fs::read_to_string(&svg).unwrap().starts_with("<svg"));
}

#[test]
fn refused_documents_are_told_in_full_and_exit_with_one() {
    let dir = scratch("scenario-validate");
    let bad = shown(&dir.join("bad.json"));
    let (_, text, _) = told(&referee(&["show", "skirmish"], ""));
    let text = text.replace("\"ring\"", "\"flat\"").replace("0.6", "6");
    fs::write(&bad, text).unwrap();
    let (code, out, _) = told(&referee(&["validate", &bad], ""));
    assert_eq!(code, Some(1));
    assert!(out.contains("refused, 2 errors"), "{out}");
    assert!(
        out.contains("percentage_out_of_range  /objectives/victory/1/percentage"),
        "{out}"
    );
    let (code, out, _) = told(&referee(&["validate", "--json", &bad, "nowhere.json"], ""));
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, Some(1));
    assert_eq!(report[0]["findings"][0]["pointer"], "/generation/topology");
    assert_eq!(report[1]["findings"][0]["code"], "not_json");
}

#[test]
fn an_older_document_is_brought_up_to_date() {
    let dir = scratch("scenario-upgrade");
    let old = shown(&dir.join("old.json"));
    let (_, text, _) = told(&referee(&["show", "skirmish"], ""));
    let mut document: Value = serde_json::from_str(&text).unwrap();
    document["objectives"] = serde_json::json!({
        "win": [{"type": "domination", "value": 65}], "maxTurns": 30
    });
    fs::write(&old, document.to_string()).unwrap();
    let (code, out, error) = told(&referee(&["upgrade", &old], ""));
    let upgraded: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, Some(0));
    assert_eq!(upgraded["objectives"]["victory"][0]["percentage"], 0.65);
    assert_eq!(
        error.lines().count(),
        3,
        "a warning for each change: {error}"
    );
}

#[test]
fn a_scenario_is_made_by_questions() {
    let answers = "Test War\ncluster\n40\n2\n\n0.7\n";
    let (code, out, error) = told(&referee(&["new"], answers));
    assert_eq!(code, Some(0), "{error}");
    let made: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(made["id"], "test_war");
    assert_eq!(made["generation"]["topology"], "cluster");
    assert_eq!(made["objectives"]["victory"][0]["percentage"], 0.7);
    assert_eq!(made["objectives"]["constraints"]["maxTurns"], 100);
}

#[test]
fn the_schema_and_the_shipped_scenarios_can_be_had() {
    let (code, out, _) = told(&referee(&["schema"], ""));
    let schema: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (code, &schema["title"]),
        (Some(0), &Value::from("A Stellar Fleet scenario"))
    );
    let (_, list, _) = told(&referee(&["show"], ""));
    assert_eq!(list.lines().count(), 9);
    let (code, _, error) = told(&referee(&["show", "nothing"], ""));
    assert_eq!(code, Some(2));
    assert!(error.contains("there is no shipped scenario"));
}
