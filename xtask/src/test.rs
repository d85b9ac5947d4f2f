//! The plan of `cargo xtask test`.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};
use cargo_metadata::{CargoOpt, Metadata, MetadataCommand};

use crate::postgres::Cluster;
use crate::step::{Board, Outcome, capture, cargo};
use crate::{
    advisories, architecture, counts, deny, fuzz, hygiene, instructions, node, openapi, prose,
    protocol, python, tools, tutorial, web, wheel,
};

/// Where failed tests of browsers and servers leave their evidence, in the target folder.
pub(crate) const FAILURES: &str = "test-failures";

/// The extent of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Everything but the learning frameworks, which take gigabytes.
    Whole,
    /// The whole plan, then every fuzz target for a fixed time: before a release.
    Long,
    /// The whole plan without its slow steps.
    Quick,
    /// The adapters with their learning frameworks, and nothing else.
    Frameworks,
}

/// Runs the plan and prints the closing line; true if everything passed.
pub(crate) fn run(scope: Scope) -> bool {
    let mut board = Board::default();
    match (metadata(), scope) {
        (Ok(metadata), Scope::Frameworks) => {
            wheel::frameworks(&mut board, metadata.target_directory.as_std_path());
        }
        (Ok(metadata), _) => {
            plan(&mut board, &metadata, scope == Scope::Quick);
            if scope == Scope::Long {
                fuzz::steps(&mut board);
            }
        }
        (Err(error), _) => board.step("workspace", || Err(error)),
    }
    println!("{}", board.tally.closing_line());
    board.tally.is_clean()
}

/// The workspace as cargo sees it, with every feature on.
pub(crate) fn metadata() -> Result<Metadata> {
    MetadataCommand::new()
        .features(CargoOpt::AllFeatures)
        .exec()
        .context("cargo cannot read the workspace")
}

fn plan(board: &mut Board, metadata: &Metadata, quick: bool) {
    // Evidence of earlier runs must not be mistaken for this run's.
    fs::remove_dir_all(metadata.target_directory.join(FAILURES)).ok();
    board.step("format", format);
    board.step("lints", lints);
    board.step("dependency rules", || {
        Ok(Outcome::faults(&architecture::faults(metadata)?))
    });
    board.step("licenses, bans, sources", || licenses(metadata));
    let target = metadata.target_directory.as_std_path();
    board.step("advisories", || advisories::step(target));
    board.step("tests", || tests(quick));
    if !quick {
        board.step("doctests", doctests);
        board.step("documents", documents);
        board.step("fuzz targets", fuzz_targets);
        python::steps(board, target, |board| {
            wheel::steps(board, target);
            web::build_steps(board);
        });
        web::play_steps(board, target, |board| {
            node::step(board, target);
            openapi::step(board, target);
            protocol::step(board, target);
            board.step("instruction counts", instructions::step);
            // Last, because it leaves a program with one more game in the target folder.
            board.step("tutorial", || tutorial::step(target));
        });
    }
    board.step("no unfinished marks", || {
        Ok(Outcome::faults(&hygiene::marks()?))
    });
    board.step("plain words", || Ok(Outcome::faults(&prose::faults()?)));
    board.step("no overlong files", || {
        Ok(Outcome::faults(&hygiene::long_files()?))
    });
    board.step("assertions in every build", || {
        Ok(Outcome::faults(&hygiene::soft_assertions()?))
    });
}

fn format() -> Result<Outcome> {
    Ok(Outcome::command(capture(cargo(&[
        "fmt",
        "--all",
        "--check",
        "--",
        "--color=never",
    ]))?))
}

fn lints() -> Result<Outcome> {
    Ok(Outcome::command(capture(cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--keep-going",
        "--",
        "-D",
        "warnings",
    ]))?))
}

fn licenses(metadata: &Metadata) -> Result<Outcome> {
    let verdict = deny::check(metadata)?;
    let outcome = Outcome::faults(&verdict.faults);
    Ok(match verdict.warnings.len() {
        0 => outcome,
        n => outcome.with_note(format!("{n} warned: {}", verdict.warnings.join(" "))),
    })
}

/// Tests that need PostgreSQL fail without it here; a plain `cargo test` skips them.
fn tests(quick: bool) -> Result<Outcome> {
    tools::NEXTEST.ensure()?;
    tools::ensure_programs()?;
    let cluster = Cluster::start();
    let mut nextest = nextest(quick);
    nextest.env("REFEREE_REQUIRE_POSTGRES", "1");
    if let Ok(cluster) = &cluster {
        nextest.env("REFEREE_TEST_POSTGRES_URL", cluster.url());
    }
    let mut captured = capture(nextest)?;
    let counts = counts::nextest(&captured.text);
    if let Err(error) = &cluster {
        captured
            .text
            .push_str(&format!("\nno PostgreSQL for the tests: {error:#}\n"));
    }
    Ok(Outcome::tests(captured, counts))
}

fn nextest(quick: bool) -> Command {
    let profile = if quick { "quick" } else { "default" };
    let mut nextest = cargo(&[
        "nextest",
        "run",
        "--workspace",
        "--all-features",
        "--profile",
        profile,
        "--no-fail-fast",
        "--no-tests=pass",
        "--color=never",
        "--show-progress=none",
        "--status-level=fail",
        "--final-status-level=fail",
    ]);
    // The same cases in every run, unless the caller sets a seed.
    if std::env::var_os(PROPERTY_SEED).is_none() {
        nextest.env(PROPERTY_SEED, "20261115");
    }
    nextest
}

/// The seed of the cases of property tests.
const PROPERTY_SEED: &str = "PROPTEST_RNG_SEED";

fn doctests() -> Result<Outcome> {
    let captured = capture(cargo(&[
        "test",
        "--doc",
        "--workspace",
        "--all-features",
        "--no-fail-fast",
    ]))?;
    let counts = counts::doctest(&captured.text);
    Ok(Outcome::tests(captured, counts))
}

/// The fuzz targets are a separate workspace, which the steps above do not cover: this step
/// checks that they are formatted and compile.
fn fuzz_targets() -> Result<Outcome> {
    let manifest = ["--manifest-path", "fuzz/Cargo.toml"];
    let mut format = cargo(&["fmt"]);
    format
        .args(manifest)
        .args(["--check", "--", "--color=never"]);
    let formatted = capture(format)?;
    if !formatted.ok {
        return Ok(Outcome::command(formatted));
    }
    let mut check = cargo(&["check", "--locked"]);
    check.args(manifest);
    Ok(Outcome::command(capture(check)?))
}

fn documents() -> Result<Outcome> {
    let mut command = cargo(&["doc", "--workspace", "--no-deps", "--all-features"]);
    command.arg("--keep-going");
    command.env("RUSTDOCFLAGS", "-D warnings");
    Ok(Outcome::command(capture(command)?))
}
