//! `referee dataset`, tested through the command line.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue must fail")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn referee(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(args)
        .output()
        .unwrap()
}

fn ok(args: &[&str]) -> String {
    let output = referee(args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    String::from_utf8(output.stdout).unwrap()
}

/// The standard error of a command that must exit with this code.
fn refused(args: &[&str], code: i32) -> String {
    let output = referee(args);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// A fresh folder for one test, and a path in it that does not exist.
fn scratch(name: &str) -> (PathBuf, String) {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("dataset-{name}"));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    let out = dir.join("out").to_str().unwrap().to_owned();
    (dir, out)
}

// Promise: A dataset is the same with any number of threads, and equals its records.
/// The Python package is tested against the same file. `BLESS` rewrites it.
#[test]
fn the_command_and_python_write_the_same_bytes() {
    let (_, out) = scratch("golden");
    let told = ok(&[
        "dataset",
        "catan",
        "--seats",
        "heuristic,random",
        "--games",
        "3",
        "--seed",
        "1",
        "--shard-rows",
        "200",
        "--out",
        &out,
    ]);
    assert!(told.starts_with("catan · "), "{told}");
    let written = fs::read_to_string(Path::new(&out).join("dataset.json")).unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/datasets/catan.json");
    if std::env::var("BLESS").is_ok() {
        fs::create_dir_all(golden.parent().unwrap()).unwrap();
        fs::write(&golden, &written).unwrap();
    }
    assert_eq!(written, fs::read_to_string(&golden).unwrap());
}

#[test]
fn recorded_matches_give_the_shards_of_the_simulation() {
    let (dir, out) = scratch("records");
    let records = dir.join("records").to_str().unwrap().to_owned();
    let matches = ["--games", "20", "--seed", "4"];
    ok(&[&["simulate", "orcain", "--out", &records][..], &matches].concat());
    let played = ok(&[
        &["dataset", "orcain", "--json", "--out", &out][..],
        &matches,
    ]
    .concat());
    let again = dir.join("again").to_str().unwrap().to_owned();
    let read = ok(&[
        "dataset",
        "orcain",
        "--records",
        &records,
        "--out",
        &again,
        "--json",
    ]);
    let shards = |text: &str| serde_json::from_str::<Value>(text).unwrap()["shards"].take();
    assert!(shards(&played)[0]["n_rows"].as_u64() > Some(20), "{played}");
    assert_eq!(shards(&played), shards(&read));
}

#[test]
fn a_bad_record_is_reported_by_file_and_line_and_leaves_no_folder() {
    let (dir, out) = scratch("bad");
    let file = dir.join("bad.jsonl");
    fs::write(&file, "{}\n").unwrap();
    let file = file.to_str().unwrap();
    let told = refused(&["dataset", "catan", "--records", file, "--out", &out], 1);
    assert!(told.contains("bad.jsonl: line 1: "), "{told}");
    assert!(!Path::new(&out).exists());
}

#[test]
fn contradictory_options_are_refused() {
    let (_, out) = scratch("contradiction");
    let both = [
        "dataset",
        "orcain",
        "--records",
        "x",
        "--games",
        "1",
        "--out",
        &out,
    ];
    assert!(refused(&both, 2).contains("--games"));
    let none = ["dataset", "orcain", "--out", &out];
    assert!(refused(&none, 2).contains("--games"));
    let frame = [
        "dataset", "orcain", "--games", "1", "--frame", "ego", "--out", &out,
    ];
    assert!(refused(&frame, 2).contains("orcain has no Ego frame"));
}
