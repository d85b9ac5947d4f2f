//! The step that follows docs/tutorial.md in a copy of the project.
//!
//! - A block `sh` is run. While `cargo xtask serve` runs, a browser plays the game.
//! - A block `python` is run.
//! - Every line of a block `text` must be in the output of the block before it.
//! - A block `rust` follows one of three sentences. "Write `FILE`:" makes it the whole file, and
//!   "Continue `FILE`:" adds it after an empty line. "Replace `fn view` in `FILE` with:" replaces the item
//!   whose first line begins so, with its doc comment and attributes.
//!
//! Promise: An author who follows the tutorial can play the game in a browser and through Python.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::scratch::Scratch;
use crate::step::{Board, Outcome};
use crate::test::metadata;
use crate::web;

const DOCUMENT: &str = "docs/tutorial.md";
/// The command that runs until it is stopped.
const SERVE: &str = "cargo xtask serve";

/// Follows the tutorial alone; false if a step fails.
pub(crate) fn run() -> Result<bool> {
    let mut board = Board::default();
    let target = metadata()?.target_directory;
    board.step("tutorial", || step(target.as_std_path()));
    Ok(board.tally.is_clean())
}

/// Follows the tutorial.
pub(crate) fn step(target: &Path) -> Result<Outcome> {
    let text = fs::read_to_string(DOCUMENT).with_context(|| format!("cannot read {DOCUMENT}"))?;
    let steps = read(&text)?;
    let scratch = Scratch::make(target)?;
    let mut output = String::new();
    for step in &steps {
        match step {
            Step::Run(commands) => output = scratch.run(commands)?,
            Step::Serve => scratch.serve(SERVE, |url| web::play_at(url, target))?,
            Step::Python(script) => output = scratch.python(script)?,
            Step::Expect(lines) => {
                let missing = lines.lines().find(|line| !output.contains(line.trim()));
                if let Some(line) = missing {
                    bail!("the tutorial shows {line:?}, but the output is:\n{output}");
                }
            }
            Step::Edit { file, change, code } => {
                let file = scratch.place(file);
                fs::write(&file, change.made(&file, code)?)
                    .with_context(|| format!("cannot write {}", file.display()))?;
            }
        }
    }
    let note = format!("{} steps", steps.len());
    Ok(Outcome::faults(&[]).with_note(note))
}

/// A step of the tutorial.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    Run(String),
    Serve,
    Python(String),
    Expect(String),
    Edit {
        file: String,
        change: Change,
        code: String,
    },
}

/// The effect of a block of code on its file.
#[derive(Debug, PartialEq, Eq)]
enum Change {
    Write,
    Continue,
    Replace { item: String },
}

impl Change {
    /// The text of a file after the change.
    fn made(&self, file: &Path, code: &str) -> Result<String> {
        let text = || {
            let text = fs::read_to_string(file);
            text.with_context(|| format!("cannot read {}", file.display()))
        };
        match self {
            Change::Write => Ok(code.to_owned()),
            Change::Continue => Ok(text()? + "\n" + code),
            Change::Replace { item } => replaced(&text()?, item, code),
        }
    }
}

/// The steps of the tutorial, in order.
fn read(text: &str) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    let mut sentence = "";
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else {
            sentence = if line.is_empty() { sentence } else { line };
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|it| *it != "```").collect();
        let block = block.join("\n") + "\n";
        steps.push(match kind {
            "sh" if block.trim() == SERVE => Step::Serve,
            "sh" => Step::Run(block),
            "python" => Step::Python(block),
            "text" => Step::Expect(block),
            "rust" => edit(sentence, block)?,
            _ => bail!("the tutorial has a block of the unknown kind {kind:?}"),
        });
        sentence = "";
    }
    ensure!(!steps.is_empty(), "the tutorial has no steps");
    Ok(steps)
}

/// Reads the sentence before a block of code.
fn edit(sentence: &str, code: String) -> Result<Step> {
    let parts: Vec<&str> = sentence.split('`').collect();
    let (file, change) = match parts[..] {
        ["Write ", file, ":"] => (file, Change::Write),
        ["Continue ", file, ":"] => (file, Change::Continue),
        ["Replace ", item, " in ", file, " with:"] => {
            let item = item.to_owned();
            (file, Change::Replace { item })
        }
        _ => bail!("the sentence before this block does not say where it goes:\n{code}"),
    };
    Ok(Step::Edit {
        file: file.to_owned(),
        change,
        code,
    })
}

/// The text with an item replaced by this code.
fn replaced(text: &str, item: &str, code: &str) -> Result<String> {
    let lines: Vec<&str> = text.lines().collect();
    let at = lines
        .iter()
        .position(|it| it.trim_start().starts_with(item));
    let at = at.with_context(|| format!("there is no {item:?}"))?;
    let belongs = |line: &&&str| {
        let line = line.trim_start();
        line.starts_with("///") || line.starts_with("#[")
    };
    let n_above = lines[..at].iter().rev().take_while(belongs).count();
    let end = match lines[at].ends_with([';', ',']) {
        true => at,
        false => {
            let indent = lines[at].len() - lines[at].trim_start().len();
            let closing = format!("{}}}", " ".repeat(indent));
            let after = lines[at..].iter().position(|it| *it == closing);
            at + after.with_context(|| format!("{item:?} has no end"))?
        }
    };
    let (above, below) = (&lines[..at - n_above], &lines[end + 1..]);
    let parts = [above, &code.lines().collect::<Vec<_>>(), below];
    Ok(parts.concat().join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITEMS: &str = "use a::{B, C};\n\nimpl X {\n    /// Doc.\n    #[attribute]\n    fn f() {\n        \
                         g();\n    }\n\n    fn h() {}\n}\n";

    #[test]
    fn an_item_is_replaced_with_its_doc_comment() {
        let code = "    fn f() {\n        h();\n    }\n";
        let changed = replaced(ITEMS, "fn f", code).unwrap();
        assert_eq!(
            changed,
            "use a::{B, C};\n\nimpl X {\n    fn f() {\n        h();\n    }\n\n    fn h() {}\n}\n"
        );
        let changed = replaced(ITEMS, "use a::", "use d;\n").unwrap();
        assert!(changed.starts_with("use d;\n\nimpl X {\n    /// Doc.\n"));
        assert!(replaced(ITEMS, "fn k", code).is_err());
    }

    #[test]
    fn blocks_are_steps() {
        let text = "Run:\n\n```sh\nls\n```\n\n```text\nsrc\n```\n\nReplace `fn f` in `a.rs` with:\n\n\
                    ```rust\nfn f() {}\n```\n\nWrite `b.rs`:\n\n```rust\nfn g() {}\n```\n\n\
                    Continue `b.rs`:\n\n```rust\nfn h() {}\n```\n\n```sh\ncargo xtask serve\n```\n\n\
                    ```python\n1\n```\n";
        let edit = |file: &str, change, code: &str| Step::Edit {
            file: file.to_owned(),
            change,
            code: code.to_owned(),
        };
        let item = "fn f".to_owned();
        let steps = [
            Step::Run("ls\n".to_owned()),
            Step::Expect("src\n".to_owned()),
            edit("a.rs", Change::Replace { item }, "fn f() {}\n"),
            edit("b.rs", Change::Write, "fn g() {}\n"),
            edit("b.rs", Change::Continue, "fn h() {}\n"),
            Step::Serve,
            Step::Python("1\n".to_owned()),
        ];
        assert_eq!(read(text).unwrap(), steps);
        assert!(read("```rust\nfn f() {}\n```\n").is_err());
        assert!(read("```perl\n```\n").is_err());
        assert!(read("No steps.").is_err());
    }
}
