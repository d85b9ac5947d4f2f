//! Follows the author's guide, docs/scenarios.md, with the program.
//!
//! - A block `console` has commands, each after a `$`, and their output. They are run in a folder
//!   with copies of the guide's files. No other block has commands.
//! - A command in a sentence is run too, with a file in place of `FILE`, and must succeed.
//! - A block `json` in the step-by-step part is a part of the file that the last link of its step
//!   names.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue must fail")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const FILES: &str = "docs/examples/scenarios";

fn guide() -> String {
    fs::read_to_string(format!("{ROOT}/docs/scenarios.md")).unwrap()
}

/// The part that builds a scenario: from its heading to the next one.
fn steps() -> String {
    let text = guide();
    let (_, rest) = text.split_once("\n## A scenario, step by step\n").unwrap();
    let (steps, _) = rest.split_once("\n## ").unwrap();
    steps.to_owned()
}

/// The blocks of this kind in a text.
fn blocks<'a>(text: &'a str, kind: &str) -> Vec<&'a str> {
    let fence = format!("```{kind}\n");
    let rest = text.split(&fence).skip(1);
    rest.map(|it| it.split_once("```").unwrap().0).collect()
}

/// A folder with copies of the guide's files.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for file in fs::read_dir(format!("{ROOT}/{FILES}")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), folder.join(file.file_name())).unwrap();
    }
    folder
}

// Promise: Every command of the author's guide works and prints what the guide shows.
#[test]
fn the_commands_of_the_guide_print_what_it_shows() {
    let (guide, folder) = (guide(), folder("guide"));
    let mut n_commands = 0;
    for block in blocks(&guide, "console") {
        for command in block.split("$ ").skip(1) {
            let (command, shown) = command.split_once('\n').unwrap();
            let output = run(command, &folder);
            let (out, error) = (text(&output.stdout), text(&output.stderr));
            assert_same(&out, shown, command, &error);
            let is_refused = shown.contains("refused");
            assert_eq!(output.status.success(), !is_refused, "{command}: {error}");
            n_commands += 1;
        }
    }
    assert!(n_commands >= 16, "{n_commands} commands");
    let n_typed = guide.lines().filter(|it| it.contains("$ referee ")).count();
    assert_eq!(
        n_typed, n_commands,
        "a command outside of the console blocks"
    );
    assert!(!guide.contains("\nreferee "), "a command without a $");
}

// Promise: Every command of the author's guide works and prints what the guide shows.
#[test]
fn the_commands_in_the_sentences_of_the_guide_work() {
    let (guide, folder) = (guide(), folder("guide-sentences"));
    let spans = guide.split('`').skip(1).step_by(2);
    let commands: BTreeSet<String> = spans
        .filter(|it| it.starts_with("referee "))
        .map(|it| {
            it.replace('\n', " ")
                .replace("NAME|FILE", "FILE")
                .replace("FILE", "lantern.json")
        })
        .collect();
    assert!(commands.len() >= 6, "{commands:?}");
    for command in commands {
        let output = run(&command, &folder);
        assert!(
            output.status.success(),
            "{command}: {}",
            text(&output.stderr)
        );
    }
}

/// Runs a command of the guide without input.
fn run(command: &str, folder: &Path) -> Output {
    let mut words = command.split(' ');
    assert_eq!(words.next(), Some("referee"), "{command}");
    let program = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output();
    program.unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Compares output with what the guide shows. An ellipsis as the last line stands for any lines.
fn assert_same(out: &str, shown: &str, command: &str, error: &str) {
    let is_same = match shown.strip_suffix("…\n") {
        Some(start) => out.starts_with(start),
        None => out == shown,
    };
    assert!(
        is_same,
        "{command} prints:\n{out}{error}\nand the guide shows:\n{shown}"
    );
}

#[test]
fn the_parts_that_the_guide_shows_are_in_the_files_of_their_steps() {
    let steps = steps();
    let mut n_parts = 0;
    for step in steps.split("\n### ").skip(1) {
        let links: Vec<&str> = step.split("(examples/scenarios/").skip(1).collect();
        let parts = blocks(step, "json");
        let Some(link) = links.last() else {
            assert!(parts.is_empty(), "no file for {parts:?}");
            continue;
        };
        let (file, _) = link.split_once(')').unwrap();
        let text = fs::read_to_string(format!("{ROOT}/{FILES}/{file}")).unwrap();
        let file: Value = serde_json::from_str(&text).unwrap();
        for part in parts {
            let part: Value = serde_json::from_str(&format!("{{{part}}}")).unwrap();
            assert!(contains(&file, &part), "{part} is not in {text}");
            n_parts += 1;
        }
    }
    assert!(n_parts >= 6, "{n_parts} parts");
}

/// True if every field of `part` is in `whole`, with lists compared item by item.
fn contains(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => part
            .iter()
            .all(|(key, it)| whole.get(key).is_some_and(|whole| contains(whole, it))),
        (Value::Array(whole), Value::Array(part)) => {
            let mut pairs = whole.iter().zip(part);
            whole.len() == part.len() && pairs.all(|(whole, it)| contains(whole, it))
        }
        _ => whole == part,
    }
}

#[test]
fn every_file_of_the_guide_is_in_its_text() {
    let steps = steps();
    for file in fs::read_dir(format!("{ROOT}/{FILES}")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(steps.contains(&name), "{name}");
    }
}
