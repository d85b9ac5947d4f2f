//! Running commands and keeping the score.

use std::io::{self, Read, Write};
use std::ops::AddAssign;
use std::process::Command;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::counts;

/// How many checks passed and how many failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl Tally {
    pub(crate) fn is_clean(self) -> bool {
        self.failed == 0
    }

    /// The last line of a run.
    pub(crate) fn closing_line(self) -> String {
        format!("{} passed, {} failed", self.passed, self.failed)
    }

    /// A few words: `54 tests, 1 failed, 2 skipped`.
    fn note(self) -> String {
        let mut note = match self.passed + self.failed {
            1 => "1 test".to_owned(),
            n => format!("{n} tests"),
        };
        for (count, what) in [(self.failed, "failed"), (self.skipped, "skipped")] {
            if count > 0 {
                note.push_str(&format!(", {count} {what}"));
            }
        }
        note
    }

    fn one(ok: bool) -> Self {
        Self {
            passed: u64::from(ok),
            failed: u64::from(!ok),
            skipped: 0,
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

/// The result of one step.
pub(crate) struct Outcome {
    tally: Tally,
    /// A few words beside the step's name.
    note: String,
    /// Shown in full when the step failed.
    output: String,
}

impl Outcome {
    /// A step that counts as one check and passes when it found no fault.
    pub(crate) fn faults(faults: &[String]) -> Self {
        Self {
            tally: Tally::one(faults.is_empty()),
            note: String::new(),
            output: faults.join("\n"),
        }
    }

    /// A step that counts as one check: a command that ran.
    pub(crate) fn command(captured: Captured) -> Self {
        Self {
            tally: Tally::one(captured.ok),
            note: String::new(),
            output: captured.text,
        }
    }

    /// A step made of many tests. A command that failed without a failed test counts as one failure.
    pub(crate) fn tests(captured: Captured, counts: Option<Tally>) -> Self {
        let mut tally = counts.unwrap_or_default();
        if tally.is_clean() && (!captured.ok || counts.is_none()) {
            tally.failed = 1;
        }
        Self {
            tally,
            note: tally.note(),
            output: captured.text,
        }
    }

    /// The tests of `node --test` with the reporter `tap`.
    pub(crate) fn node_tests(captured: &Captured) -> Self {
        let counts = counts::node(&captured.text);
        let faults = Captured {
            ok: captured.ok,
            text: counts::node_faults(&captured.text),
        };
        Self::tests(faults, counts)
    }

    pub(crate) fn with_note(mut self, note: String) -> Self {
        self.note = note;
        self
    }
}

/// Runs steps one after the other, prints a line for each and adds up.
#[derive(Default)]
pub(crate) struct Board {
    pub(crate) tally: Tally,
}

impl Board {
    /// Runs one step; a step that could not run at all is a failed step.
    pub(crate) fn step(&mut self, name: &str, run: impl FnOnce() -> Result<Outcome>) {
        let (outcome, seconds) = timed(name, run);
        self.tell(name, &outcome, seconds);
    }

    /// Runs one step while others run, for a step that keeps a single core busy. Its line is
    /// printed when all are done.
    pub(crate) fn beside(
        &mut self,
        name: &str,
        run: impl FnOnce() -> Result<Outcome> + Send,
        others: impl FnOnce(&mut Board),
    ) {
        let (outcome, seconds) = thread::scope(|scope| {
            let step = scope.spawn(|| timed(name, run));
            others(self);
            step.join().unwrap_or_else(|_| {
                let fault = format!("{name}: this step broke off");
                (Outcome::faults(&[fault]), 0.0)
            })
        });
        self.tell(name, &outcome, seconds);
    }

    fn tell(&mut self, name: &str, outcome: &Outcome, seconds: f64) {
        let mark = match outcome.tally {
            Tally { failed: 1.., .. } => "FAILED",
            Tally {
                passed: 0,
                skipped: 1..,
                ..
            } => "SKIP",
            _ => "ok",
        };
        let line = format!("{mark:<6} {seconds:>7.1} s  {name:<32} {}", outcome.note);
        println!("{}", line.trim_end());
        if !outcome.tally.is_clean() {
            println!("{}\n", outcome.output.trim_end());
        }
        io::stdout().flush().ok();
        self.tally += outcome.tally;
    }
}

fn timed(name: &str, run: impl FnOnce() -> Result<Outcome>) -> (Outcome, f64) {
    let start = Instant::now();
    let outcome = run().unwrap_or_else(|error| Outcome::faults(&[format!("{name}: {error:#}")]));
    (outcome, start.elapsed().as_secs_f64())
}

/// The output of a command, both streams in the order written, and its success.
#[derive(Debug)]
pub(crate) struct Captured {
    pub(crate) ok: bool,
    pub(crate) text: String,
}

/// Runs a command to its end and captures its output.
pub(crate) fn capture(mut command: Command) -> Result<Captured> {
    let program = command.get_program().to_string_lossy().into_owned();
    let (mut reader, writer) = io::pipe()?;
    command.stdout(writer.try_clone()?).stderr(writer);
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {program}"))?;
    // The command holds the writing ends: without them the reader sees the end of the output.
    drop(command);
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    let status = child.wait()?;
    Ok(Captured {
        ok: status.success(),
        text: String::from_utf8_lossy(&bytes).into_owned(),
    })
}

/// `cargo` with these arguments.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = command("cargo", args);
    without_package(&mut command);
    command
}

/// Hides from a command that cargo runs this program, as which package and from where: the build
/// scripts of some crates run again whenever that differs.
pub(crate) fn without_package(command: &mut Command) {
    let prefixes = ["CARGO_PKG_", "CARGO_MANIFEST_"];
    for (name, _) in std::env::vars() {
        if prefixes.iter().any(|prefix| name.starts_with(prefix)) {
            command.env_remove(name);
        }
    }
}

/// A program with these arguments.
pub(crate) fn command(program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(ok: bool) -> Captured {
        let text = String::new();
        Captured { ok, text }
    }

    #[test]
    fn a_step_that_cannot_run_is_a_failed_step() {
        let mut board = Board::default();
        board.step("missing", || {
            Ok(Outcome::command(capture(command(
                "no-such-program-anywhere",
                &[],
            ))?))
        });
        assert_eq!(board.tally.closing_line(), "0 passed, 1 failed");
    }

    #[test]
    fn later_steps_run_after_a_failed_one() {
        let mut board = Board::default();
        board.step("first", || Ok(Outcome::faults(&["wrong".to_owned()])));
        board.step("second", || Ok(Outcome::faults(&[])));
        assert_eq!(board.tally.closing_line(), "1 passed, 1 failed");
    }

    #[test]
    fn steps_beside_each_other_all_count() {
        let mut board = Board::default();
        let wrong = || Ok(Outcome::faults(&["wrong".to_owned()]));
        board.beside("first", wrong, |board| {
            board.step("second", || Ok(Outcome::faults(&[])));
        });
        assert_eq!(board.tally.closing_line(), "1 passed, 1 failed");
    }

    #[test]
    fn a_test_run_without_a_summary_has_failed() {
        assert_eq!(Outcome::tests(captured(false), None).tally.failed, 1);
        assert_eq!(Outcome::tests(captured(true), None).tally.failed, 1);
    }

    #[test]
    fn a_command_that_fails_with_no_failed_test_is_one_failure() {
        let counts = Tally {
            passed: 5,
            ..Tally::default()
        };
        assert_eq!(
            Outcome::tests(captured(false), Some(counts)).note,
            "6 tests, 1 failed"
        );
    }

    #[test]
    fn both_streams_are_kept_in_order() {
        let captured = capture(command("sh", &["-c", "echo a; echo b >&2; exit 3"])).unwrap();
        assert!(!captured.ok);
        assert_eq!(captured.text, "a\nb\n");
    }
}
