//! The program `referee`: serve, backup, restore, doctor, ledger, moderate, load, simulate, arena,
//! dataset, sim, audit, host, replay, verify, snapshot, describe, play, schema, scenario.
//!
//! Exit codes: 0 for success, 1 if the input is wrong, 2 if the command line is wrong. `serve`
//! exits with 3 if it loses its storage.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is the program that talks to people"
)]

mod arena;
mod audit;
mod backup;
mod common;
mod dataset;
mod describe;
mod doctor;
mod host;
mod ledger;
mod load;
mod moderate;
mod place;
mod play;
mod program;
mod replay;
mod scenario;
mod schema;
mod serve;
mod sim;
mod simulate;
mod snapshot;
mod verify;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// A deterministic referee for turn-based games. A match is a log: a setup, a seed and
/// ordered inputs.
#[derive(Parser)]
#[command(name = "referee", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  referee serve
  referee backup copy.sqlite
  referee doctor
  referee simulate orcain --games 100000 --seats equilibrium,random --seed 1
  referee simulate orcain --games 1000 --seats random,random --out records
  referee verify records
  referee arena catan --seats random,heuristic,search --games 400
  referee dataset catan --seats heuristic,random --games 1000 --out data
  referee replay records/orcain-00000000.jsonl --to 5
  referee play orcain --against equilibrium
  referee sim --matches 100000
  referee describe orcain --json
  referee scenario validate war.json";

#[derive(Subcommand)]
enum Command {
    Serve(Box<serve::Args>),
    Ledger(Box<ledger::Args>),
    Backup(Box<backup::BackupArgs>),
    Restore(Box<backup::RestoreArgs>),
    Doctor(Box<doctor::Args>),
    Moderate(Box<moderate::Args>),
    Load(load::Args),
    Simulate(simulate::Args),
    Arena(arena::Args),
    Dataset(dataset::Args),
    Sim(sim::Args),
    Audit(audit::Args),
    Host(host::Args),
    Replay(replay::Args),
    Verify(verify::Args),
    Snapshot(snapshot::Args),
    Describe(describe::Args),
    Play(play::Args),
    Schema(schema::Args),
    Scenario(scenario::Args),
    /// Print a shell completion script.
    #[command(
        after_help = "Example:\n  referee completions bash > ~/.local/share/bash-completion/completions/referee"
    )]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Serve(args) => serve::run(*args),
        Command::Ledger(args) => ledger::run(&args),
        Command::Backup(args) => backup::back_up(&args),
        Command::Restore(args) => backup::restore(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Moderate(args) => moderate::run(&args),
        Command::Load(args) => load::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Arena(args) => arena::run(&args),
        Command::Dataset(args) => dataset::run(&args),
        Command::Sim(args) => sim::run(&args),
        Command::Audit(args) => audit::run(&args),
        Command::Host(args) => host::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Snapshot(args) => snapshot::run(&args),
        Command::Describe(args) => describe::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Scenario(args) => scenario::run(&args),
        Command::Completions { shell } => completions(shell),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(common::Failure::Told) => ExitCode::from(1),
        Err(common::Failure::Wrong(message)) => {
            eprintln!("referee: {message}");
            ExitCode::from(1)
        }
        Err(common::Failure::Usage(message)) => {
            eprintln!("referee: {message}\n\nFor more information, try '--help'.");
            ExitCode::from(2)
        }
        Err(common::Failure::Closed) => ExitCode::SUCCESS,
    }
}

fn completions(shell: clap_complete::Shell) -> common::Done {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "referee", &mut script);
    common::print(String::from_utf8_lossy(&script).trim_end())
}
