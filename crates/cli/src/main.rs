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
    /// Run the server: live matches over sockets, with accounts, storage and recovery.
    Serve(Box<serve::Args>),
    /// Show where every token is, check the books, and correct balances.
    Ledger(Box<ledger::Args>),
    /// Back up the server's database to a file. The server may be running.
    Backup(Box<backup::BackupArgs>),
    /// Restore a backup while the server is stopped.
    Restore(Box<backup::RestoreArgs>),
    /// Check the server's database: locks, files, space, schema, books, audit and events.
    Doctor(Box<doctor::Args>),
    /// Moderate accounts and matches, look for collusion, and manage the audit log.
    Moderate(Box<moderate::Args>),
    /// Load-test a server on this machine.
    Load(load::Args),
    /// Play many matches between agents.
    Simulate(simulate::Args),
    /// Run a round-robin tournament between agents and rate them.
    Arena(arena::Args),
    /// Export self-play or recorded matches as NumPy arrays.
    Dataset(dataset::Args),
    /// Simulate live matches with crashes, bad networks and bad clients, and check them.
    Sim(sim::Args),
    /// Play many random matches and check the game's invariants after every step.
    Audit(audit::Args),
    /// Let another program drive a match over standard input and output.
    Host(host::Args),
    /// Replay a record and show its states.
    Replay(replay::Args),
    /// Check records: every line, every hash, every rule, every draw.
    Verify(verify::Args),
    /// Check a snapshot, or convert it to JSON, MessagePack or NPZ.
    Snapshot(snapshot::Args),
    /// Describe a game: seats, actions, tables, observation, agents.
    Describe(describe::Args),
    /// Play a game in the terminal against an agent.
    Play(play::Args),
    /// Print a JSON Schema.
    Schema(schema::Args),
    /// Validate, create and draw Stellar Fleet scenarios.
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
