//! The list of promises, made from the comments on the tests that keep them.
//!
//! A comment line `Promise: …` is placed above the test, check or step that keeps the promise, or at
//! the top of a file that keeps it as a whole. Several places may keep the same one.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, ensure};

use crate::files;

/// Where the list is written.
pub(crate) const DOCUMENT: &str = "docs/promises.md";

const HEAD: &str = "# Promises

<!-- Made by `cargo xtask codegen` from the comments `Promise: …` on the tests. -->

Each promise is kept by the tests, conformance checks or steps of `cargo xtask test` beside it. The
conformance suite (`crates/kernel/src/conformance`) runs on every game, and the simulator's checker
(`crates/session/src/sim/checker.rs`) watches every simulated match.
";

/// The sections, with the places whose promises they hold. The longest that fits counts: a crate
/// that no section names is a game.
const SECTIONS: &[(&str, &[&str])] = &[
    (
        "Rules, records and snapshots",
        &["crates/", "testdata/", "tests/python/"],
    ),
    (
        "Live matches",
        &["crates/session/", "crates/cli/tests/crash/"],
    ),
    ("Storage", &["crates/store/"]),
    (
        "Server and protocol",
        &["crates/server/", "crates/wire/", "crates/cli/", "tests/"],
    ),
    ("Page", &["web/"]),
    (
        "Bots and learning",
        &[
            "crates/bots/",
            "crates/learn/",
            "crates/dataset/",
            "crates/python/",
            "python/",
        ],
    ),
    ("The project", &["", "crates/catalog/", "crates/document/"]),
];

/// A promise, and the places that keep it.
#[derive(Debug, PartialEq, Eq)]
struct Kept {
    promise: String,
    by: Place,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    file: String,
    /// The test, or nothing if the whole file keeps the promise.
    name: Option<String>,
}

/// The document that lists all promises.
pub(crate) fn document() -> Result<String> {
    let mut kept = Vec::new();
    let mut files = files::tracked()?;
    files.sort();
    for file in files {
        let name = file.to_string_lossy();
        let name = name.strip_prefix("./").unwrap_or(&name).to_owned();
        if [".rs", ".mjs", ".py"].iter().any(|end| name.ends_with(end)) {
            let text = fs::read_to_string(&file);
            let text = text.with_context(|| format!("cannot read {name}"))?;
            kept.extend(find(&name, &text));
        }
    }
    ensure!(!kept.is_empty(), "no test has a promise");
    Ok(write(kept))
}

fn write(kept: Vec<Kept>) -> String {
    let mut sections: BTreeMap<usize, BTreeMap<String, Vec<Place>>> = BTreeMap::new();
    let mut section_of: BTreeMap<String, usize> = BTreeMap::new();
    for Kept { promise, by } in kept {
        let nth = *section_of
            .entry(promise.clone())
            .or_insert_with(|| section(&by.file));
        sections
            .entry(nth)
            .or_default()
            .entry(promise)
            .or_default()
            .push(by);
    }
    let mut document = HEAD.to_owned();
    for (nth, promises) in sections {
        let (title, _) = SECTIONS[nth];
        let _ = write!(
            document,
            "\n## {title}\n\n| promise | kept by |\n| --- | --- |\n"
        );
        for (promise, places) in promises {
            let places: Vec<String> = places.iter().map(Place::link).collect();
            let _ = writeln!(document, "| {promise} | {} |", places.join("<br>"));
        }
    }
    document
}

fn section(file: &str) -> usize {
    let longest = |(_, places): &(&str, &[&str])| {
        let fitting = places.iter().filter(|it| file.starts_with(**it));
        fitting.map(|it| it.len() + 1).max()
    };
    let best = (0..SECTIONS.len()).max_by_key(|nth| longest(&SECTIONS[*nth]));
    best.unwrap_or_default()
}

impl Place {
    fn link(&self) -> String {
        let shown = self.name.as_ref().unwrap_or(&self.file);
        format!("[{shown}](../{})", self.file)
    }
}

/// The promises of one file.
fn find(file: &str, text: &str) -> Vec<Kept> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let promises = lines.iter().enumerate().filter_map(|(at, line)| {
        let words = comment(line)?.strip_prefix("Promise: ")?;
        let code = lines[at..].iter().find(|line| !is_about_code(line))?;
        let is_whole = line.starts_with("//!");
        Some(Kept {
            promise: words.to_owned(),
            by: Place {
                file: file.to_owned(),
                name: test_name(code).filter(|_| !is_whole),
            },
        })
    });
    promises.collect()
}

fn comment(line: &str) -> Option<&str> {
    let marks = ["//! ", "// ", "# "];
    marks.iter().find_map(|mark| line.strip_prefix(mark))
}

/// Comments, attributes and decorators may separate a promise from its test.
fn is_about_code(line: &str) -> bool {
    let starts = ["//", "#", "@", "ignore = ", ")]"];
    starts.iter().any(|it| line.starts_with(it))
}

fn test_name(line: &str) -> Option<String> {
    if let Some((_, rest)) = line.split_once("test(") {
        let quote = rest.chars().next()?;
        let title = rest[1..].split(quote).next()?;
        return matches!(quote, '"' | '\'' | '`').then(|| title.to_owned());
    }
    let (_, rest) = line.split_once("fn ").or_else(|| line.split_once("def "))?;
    let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_')?;
    Some(rest[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(promise: &str, file: &str, name: Option<&str>) -> Kept {
        Kept {
            promise: promise.to_owned(),
            by: Place {
                file: file.to_owned(),
                name: name.map(str::to_owned),
            },
        }
    }

    #[test]
    fn a_promise_belongs_to_the_test_below_it_or_to_the_file() {
        // In pieces, so that this file makes no promise itself.
        let marked = |text: &str| text.replace('§', "Promise: ");
        let rust =
            "//! Tests.\n//!\n//! §All.\n\n// §One.\n/// Doc.\n#[tokio::test]\nasync fn one() {}\n";
        assert_eq!(
            find("a.rs", &marked(rust)),
            [
                kept("All.", "a.rs", None),
                kept("One.", "a.rs", Some("one"))
            ]
        );
        let script = "// §All.\n\nimport x;\n// §One.\ntest(\"one is one\", async () => {\n";
        assert_eq!(
            find("a.mjs", &marked(script)),
            [
                kept("All.", "a.mjs", None),
                kept("One.", "a.mjs", Some("one is one"))
            ]
        );
        let python = "# §All.\n\"\"\"Doc.\"\"\"\n    # §One.\n    def test_one(self):\n";
        assert_eq!(
            find("a.py", &marked(python)),
            [
                kept("All.", "a.py", None),
                kept("One.", "a.py", Some("test_one"))
            ]
        );
    }

    #[test]
    fn a_promise_that_several_places_keep_is_listed_once() {
        let both = vec![
            kept("Nothing is lost.", "crates/store/tests/a.rs", Some("one")),
            kept("Nothing is lost.", "crates/server/tests/b.rs", None),
        ];
        let document = write(both);
        let row = "| Nothing is lost. | [one](../crates/store/tests/a.rs)<br>\
                   [crates/server/tests/b.rs](../crates/server/tests/b.rs) |\n";
        assert!(document.ends_with(row), "{document}");
        assert!(document.contains("## Storage"));
        assert!(!document.contains("## Page"));
    }
}
