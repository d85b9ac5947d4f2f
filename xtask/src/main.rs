//! The project's own commands, in Rust so that they run wherever the project builds.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program reports on its standard streams"
)]

mod advisories;
mod architecture;
mod bench;
mod bless;
mod codegen;
mod counts;
mod debian;
mod deny;
mod fields;
mod files;
mod fuzz;
mod hygiene;
mod instructions;
mod map;
mod new_game;
mod node;
mod openapi;
mod postgres;
mod promises;
mod prose;
mod protocol;
mod python;
mod scratch;
mod serve;
mod source;
mod step;
mod test;
mod tools;
mod tutorial;
mod typescript;
mod web;
mod wheel;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

/// The project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build everything and start the server at http://127.0.0.1:8080.
    Serve {
        /// Build with all optimizations, which takes longer.
        #[arg(long)]
        release: bool,
        /// Further arguments of `referee serve`, after `--`.
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Check everything: format, lints, dependency rules, tests, documents, vectors.
    Test {
        /// Skip slow tests, doctests, documents, Python and the browser.
        #[arg(long)]
        quick: bool,
        /// Test more: every fuzz target for a fixed time. For releases.
        #[arg(long, conflicts_with = "quick")]
        long: bool,
        /// Test instead the adapters, each with its learning framework: several gigabytes of
        /// packages, which are removed afterwards.
        #[arg(long, conflicts_with_all = ["quick", "long"])]
        frameworks: bool,
    },
    /// Run the fuzz targets, each for a while.
    Fuzz {
        /// Seconds for each target.
        #[arg(long, default_value_t = 60)]
        seconds: u32,
        /// The targets to run; all of them when none is named.
        targets: Vec<String>,
    },
    /// Measure the release build and its peers, and print a table.
    Bench {
        /// The measurement to take; all of them when none is named.
        name: Option<String>,
        /// Only count the instructions of each game, and fail if a count has risen by more than 5 %.
        #[arg(long, conflicts_with = "name")]
        check: bool,
        /// Only count the instructions of each game, and store them for later checks.
        #[arg(long, conflicts_with_all = ["name", "check"])]
        bless: bool,
    },
    /// Write the generated files: docs/protocol.md, docs/observations.md, docs/promises.md, the map
    /// in ARCHITECTURE.md and the browser client's types.
    Codegen {
        /// Write nothing; fail if a file is out of date.
        #[arg(long)]
        check: bool,
    },
    /// Rewrite the golden files from the code and the vectors from their generators.
    Bless,
    /// Create a small complete game, to be changed into another one: see docs/tutorial.md.
    NewGame {
        /// The game's name, such as night_race.
        name: String,
    },
    /// Follow docs/tutorial.md in a copy of the project, as the tests do.
    Tutorial,
    /// List words and sentences that readers stumble over in comments, messages and documents.
    Prose,
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one command; false if it found a fault.
fn run(command: Command) -> Result<bool> {
    enter_root()?;
    match command {
        Command::Serve { release, args } => serve::run(release, &args),
        Command::Test { quick: true, .. } => Ok(test::run(test::Scope::Quick)),
        Command::Test { long: true, .. } => Ok(test::run(test::Scope::Long)),
        Command::Test {
            frameworks: true, ..
        } => Ok(test::run(test::Scope::Frameworks)),
        Command::Test { .. } => Ok(test::run(test::Scope::Whole)),
        Command::Fuzz { seconds, targets } => fuzz::run(seconds, &targets),
        Command::Bench { check: true, .. } => instructions::check(),
        Command::Bench { bless: true, .. } => instructions::bless(),
        Command::Bench { name, .. } => bench::run(name.as_deref()),
        Command::Codegen { check } => codegen::run(check),
        Command::Bless => bless::run(),
        Command::NewGame { name } => new_game::run(&name),
        Command::Tutorial => tutorial::run(),
        Command::Prose => prose::run(),
    }
}

/// Every command works from the root of the repository, wherever it is started.
fn enter_root() -> Result<()> {
    let manifest_dir =
        std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").into());
    let mut root = PathBuf::from(manifest_dir);
    root.pop();
    std::env::set_current_dir(&root).with_context(|| format!("cannot enter {}", root.display()))
}
