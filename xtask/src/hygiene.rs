//! No unfinished marks, no overlong files, no assertions that release builds leave out.
//!
//! Promise: Assertions at the borders of recorder, session, store and room are in every build.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::files;

/// Words that mark something unfinished, written so that this file does not contain them.
const MARKS: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("to", "do!("),
    concat!("unimple", "mented!("),
];

/// Files that are searched for marks.
const WRITTEN: &[&str] = &["rs", "py", "ts", "svelte", "md"];

/// Files whose length is bounded.
const CODE: &[&str] = &["rs", "py", "ts", "svelte"];

const LINES_MAX: usize = 800;

/// The borders of a live match: its recorder, its session, its storage, its rooms. An assertion
/// there runs in every build.
const BORDERS: &[&str] = &[
    "crates/kernel/src/record",
    "crates/session/src",
    "crates/store/src",
    "crates/wire/src",
    "crates/server/src",
];

/// The assertions that only builds for tests have.
const SOFT_ASSERTION: &str = concat!("debug_", "assert");

/// Every mark in a tracked file, with its place.
pub(crate) fn marks() -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for (path, text) in read(WRITTEN)? {
        for (idx, line) in text.lines().enumerate() {
            if let Some(mark) = mark_in(line) {
                faults.push(format!("{}:{}: {mark}", path.display(), idx + 1));
            }
        }
    }
    Ok(faults)
}

/// Every tracked file of code that is too long and neither a table nor a test.
pub(crate) fn long_files() -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for (path, text) in read(CODE)? {
        let n_lines = code_lines(&text);
        if n_lines > LINES_MAX && !is_table_or_test(&path, &text) {
            faults.push(format!(
                "{} has {n_lines} lines; only tables and tests may have more than {LINES_MAX}.",
                path.display()
            ));
        }
    }
    Ok(faults)
}

/// Every assertion at a border that a release build would leave out, with its place.
pub(crate) fn soft_assertions() -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for (path, text) in read(&["rs"])? {
        faults.extend(soft_lines(&path, &text).into_iter().map(|line| {
            let path = path.display();
            format!("{path}:{line}: release builds leave out {SOFT_ASSERTION}; use assert")
        }));
    }
    Ok(faults)
}

fn soft_lines(path: &Path, text: &str) -> Vec<usize> {
    if !BORDERS.iter().any(|border| path.starts_with(border)) {
        return Vec::new();
    }
    // `debug_assertions` is a build setting, not an assertion.
    let is_macro = |rest: &str| rest.starts_with(['!', '_']);
    let soft = |(_, line): &(usize, &str)| line.split(SOFT_ASSERTION).skip(1).any(is_macro);
    let lines = (1..).zip(text.lines()).filter(soft);
    lines.map(|(number, _)| number).collect()
}

pub(crate) fn read(extensions: &[&str]) -> Result<Vec<(PathBuf, String)>> {
    let mut texts = Vec::new();
    for path in files::tracked()? {
        let wanted = path
            .extension()
            .is_some_and(|found| extensions.iter().any(|ext| found == *ext));
        if wanted {
            let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
            texts.push((path, text));
        }
    }
    Ok(texts)
}

/// The first mark in a line that is a separate word.
fn mark_in(line: &str) -> Option<&'static str> {
    MARKS.iter().copied().find(|mark| {
        line.match_indices(mark).any(|(idx, _)| {
            let before = line[..idx].chars().next_back();
            let after = line[idx + mark.len()..].chars().next();
            !before.is_some_and(is_word) && (mark.ends_with('(') || !after.is_some_and(is_word))
        })
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The number of lines before a file's own tests.
fn code_lines(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    lines
        .windows(2)
        .position(|pair| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod "))
        .unwrap_or(lines.len())
}

fn is_table_or_test(path: &Path, text: &str) -> bool {
    let generated = text.lines().take(5).any(|line| line.contains("@generated"));
    generated
        || path.iter().any(|part| {
            let part = part.to_string_lossy();
            let stem = part.split('.').next().unwrap_or_default();
            matches!(stem, "table" | "tables" | "test" | "tests" | "testdata")
                || stem.ends_with("_tables")
                || stem.ends_with("_tests")
                || stem.starts_with("test_")
                || part.contains(".test.")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_as_words_only() {
        for mark in MARKS {
            assert_eq!(mark_in(&format!("    // {mark}: later")), Some(*mark));
            assert_eq!(mark_in(&format!("a_{mark}b")), None);
        }
        assert_eq!(mark_in("all done"), None);
    }

    #[test]
    fn a_files_own_tests_do_not_count() {
        assert_eq!(code_lines("a\nb\n#[cfg(test)]\nmod tests {\n}\n"), 2);
        assert_eq!(code_lines("a\nb\nc\n"), 3);
    }

    #[test]
    fn soft_assertions_are_found_at_borders_only() {
        let text = format!(
            "fn f() {{\n    {SOFT_ASSERTION}!(true);\n    assert!(cfg!({SOFT_ASSERTION}ions));\n}}\n"
        );
        let lines = |path: &str| soft_lines(Path::new(path), &text);
        assert_eq!(lines("crates/session/src/machine.rs"), [2]);
        assert_eq!(lines("crates/kernel/src/record/recorder.rs"), [2]);
        assert!(lines("crates/kernel/src/mask.rs").is_empty());
    }

    #[test]
    fn tables_and_tests_may_be_long() {
        for path in [
            "crates/catan/src/tables.rs",
            "crates/catan/tests/play.rs",
            "web/src/board.test.ts",
            "tests/python/test_cli.py",
            "testdata/rng/make.py",
        ] {
            assert!(is_table_or_test(Path::new(path), ""), "{path}");
        }
        assert!(is_table_or_test(
            Path::new("web/types.ts"),
            "// @generated by codegen\n"
        ));
        assert!(!is_table_or_test(Path::new("crates/kernel/src/lib.rs"), ""));
    }
}
