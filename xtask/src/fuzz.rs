//! Running the fuzz targets.
//!
//! Promise: No input panics a reader or the rules.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail, ensure};

use crate::step::{Board, Captured, Outcome, capture, command};
use crate::tools;

const FOLDER: &str = "fuzz";

/// Seed corpora for targets that would hardly find a valid input alone.
const SEEDS: &[(&str, &str)] = &[
    ("record_reader_never_panics", "testdata/orcain"),
    ("frames_are_read_or_refused", "testdata/frames"),
    ("scenarios_are_read_or_refused", "crates/stellar/scenarios"),
];

/// The time that `cargo xtask test --long` spends on each target.
const LONG_SECONDS: u32 = 60;

/// One step for each target, which fails when the target found something.
pub(crate) fn steps(board: &mut Board) {
    let compiler = Compiler::choose();
    let targets = match targets(compiler, &[]) {
        Ok(targets) => targets,
        Err(error) => return board.step("fuzzing", || Err(error)),
    };
    for target in &targets {
        board.step(&format!("fuzz {target}"), || {
            let captured = fuzz(compiler, target, LONG_SECONDS)?;
            let note = finding(&captured);
            Ok(Outcome::command(captured).with_note(note))
        });
    }
}

/// Fuzzes each target for a while; false when one of them found something.
pub(crate) fn run(seconds: u32, wanted: &[String]) -> Result<bool> {
    let compiler = Compiler::choose();
    let targets = targets(compiler, wanted)?;
    let mut n_findings = 0;
    for target in &targets {
        let captured = fuzz(compiler, target, seconds)?;
        println!("{}", report(target, &captured));
        if !captured.ok {
            println!("{}\n", captured.text.trim_end());
            n_findings += 1;
        }
    }
    println!("targets: {}, with findings: {n_findings}", targets.len());
    Ok(n_findings == 0)
}

/// The sanitizers need an unstable compiler flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compiler {
    Nightly,
    /// The pinned compiler, with unstable flags allowed.
    Pinned,
}

impl Compiler {
    /// A nightly toolchain if there is one that is not older than the pinned compiler.
    fn choose() -> Self {
        let nightly = rustc_minor(command("rustup", &["run", "nightly", "rustc", "--version"]));
        let pinned = rustc_minor(command("rustc", &["--version"]));
        if nightly.is_some() && nightly >= pinned {
            Self::Nightly
        } else {
            Self::Pinned
        }
    }

    fn cargo_fuzz(self, args: &[&str]) -> Command {
        let mut fuzz = match self {
            Self::Nightly => command("rustup", &["run", "nightly", "cargo"]),
            Self::Pinned => command("cargo", &[]),
        };
        if self == Self::Pinned {
            fuzz.env("RUSTC_BOOTSTRAP", "1");
        }
        fuzz.arg("fuzz").args(args);
        fuzz
    }
}

fn rustc_minor(version: Command) -> Option<u32> {
    let captured = capture(version).ok()?;
    if captured.ok {
        minor(&captured.text)
    } else {
        None
    }
}

/// The 95 of `rustc 1.95.0 (…)`.
fn minor(version: &str) -> Option<u32> {
    version
        .strip_prefix("rustc 1.")?
        .split('.')
        .next()?
        .parse()
        .ok()
}

fn list(compiler: Compiler) -> Result<Vec<String>> {
    let listing = capture(compiler.cargo_fuzz(&["list", "--fuzz-dir", FOLDER]))?;
    ensure!(listing.ok, "cannot list the targets:\n{}", listing.text);
    Ok(listing
        .text
        .lines()
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect())
}

/// The wanted targets, or all of them, once they can be run.
fn targets(compiler: Compiler, wanted: &[String]) -> Result<Vec<String>> {
    ensure!(
        Path::new(FOLDER).join("Cargo.toml").is_file(),
        "There is no folder {FOLDER}/ with targets to run."
    );
    tools::FUZZ.ensure()?;
    choose(&list(compiler)?, wanted)
}

fn choose(known: &[String], wanted: &[String]) -> Result<Vec<String>> {
    if let Some(unknown) = wanted.iter().find(|name| !known.contains(name)) {
        bail!(
            "There is no fuzz target {unknown}; there are: {}.",
            known.join(", ")
        );
    }
    let chosen = if wanted.is_empty() { known } else { wanted };
    Ok(chosen.to_vec())
}

fn fuzz(compiler: Compiler, target: &str, seconds: u32) -> Result<Captured> {
    let corpus = format!("{FOLDER}/corpus/{target}");
    std::fs::create_dir_all(&corpus)?;
    let mut args = vec!["run", "--fuzz-dir", FOLDER, target, &corpus];
    let seeds = SEEDS.iter().filter(|(named, _)| *named == target);
    args.extend(seeds.map(|(_, folder)| *folder));
    let limit = format!("-max_total_time={seconds}");
    // A record with its header is longer than the fuzzer's own limit of four kilobytes.
    args.extend(["--", &limit, "-max_len=65536", "-print_final_stats=1"]);
    capture(compiler.cargo_fuzz(&args))
}

/// One line: the target, its executions and what it found.
fn report(target: &str, captured: &Captured) -> String {
    format!("{target:<40} {}", finding(captured))
}

/// The number of executions of a target, and its findings.
fn finding(captured: &Captured) -> String {
    let executions = executions(&captured.text)
        .map_or_else(|| "no count of".to_owned(), |count| count.to_string());
    let finding = match (captured.ok, artifact(&captured.text)) {
        (true, _) => "nothing found".to_owned(),
        (false, Some(path)) => format!("FINDING in {path}"),
        (false, None) => "FAILED".to_owned(),
    };
    format!("{executions} executions, {finding}")
}

fn executions(output: &str) -> Option<u64> {
    let line = output
        .lines()
        .find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))?;
    line.trim().parse().ok()
}

fn artifact(output: &str) -> Option<&str> {
    let (_, path) = output.split_once("Test unit written to ")?;
    path.lines().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATS: &str = "\
Done 1048576 runs in 2 second(s)
stat::number_of_executed_units: 1048576
stat::average_exec_per_sec:     524288
";

    #[test]
    fn a_quiet_run_reports_its_executions() {
        let captured = Captured {
            ok: true,
            text: STATS.to_owned(),
        };
        let line = report("snapshot_parser", &captured);
        assert!(line.starts_with("snapshot_parser"));
        assert!(line.ends_with(" 1048576 executions, nothing found"));
    }

    #[test]
    fn a_finding_names_its_file() {
        let text = format!(
            "==1== ERROR: libFuzzer: deadly signal\n\
             artifact_prefix='/r/fuzz/artifacts/a/'; Test unit written to /r/fuzz/artifacts/a/crash-0a\n{STATS}"
        );
        let captured = Captured { ok: false, text };
        assert!(report("a", &captured).ends_with("FINDING in /r/fuzz/artifacts/a/crash-0a"));
    }

    #[test]
    fn a_target_that_does_not_build_has_failed() {
        let text = "error: could not compile `fuzz`".to_owned();
        let captured = Captured { ok: false, text };
        assert!(report("a", &captured).ends_with("no count of executions, FAILED"));
    }

    #[test]
    fn an_unknown_target_is_refused() {
        let known = ["a".to_owned(), "b".to_owned()];
        assert!(choose(&known, &["c".to_owned()]).is_err());
        assert_eq!(choose(&known, &["b".to_owned()]).unwrap(), ["b"]);
        assert_eq!(choose(&known, &[]).unwrap(), known);
    }

    #[test]
    fn compilers_compare_by_their_minor_version() {
        assert_eq!(minor("rustc 1.95.0 (59807616e 2026-04-14)"), Some(95));
        assert_eq!(
            minor("rustc 1.97.0-nightly (e50aa6fba 2026-05-19)"),
            Some(97)
        );
        assert_eq!(minor("error: toolchain not installed"), None);
    }
}
