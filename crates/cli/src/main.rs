//! The program `referee`: serve, backup, restore, doctor, ledger, moderate, load, simulate, arena,
//! dataset, sim, audit, host, replay, verify, snapshot, describe, play, schema, scenario.
//!
//! Exit codes: 0 fine, 1 the input is wrong, 2 the command line is wrong.
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

/// One deterministic referee for turn-based games. A match is a log: setup, seed and
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
    /// Tell where every token is, check the books, and correct balances by bookings.
    Ledger(Box<ledger::Args>),
    /// Copy the server's database to a file, while the server runs or not.
    Backup(Box<backup::BackupArgs>),
    /// Make a backup the database of a server that is stopped.
    Restore(Box<backup::RestoreArgs>),
    /// Check the server's database: locks, files, space, schema, books, audit and events.
    Doctor(Box<doctor::Args>),
    /// Ban, mute and rename accounts, void matches, look at pairs, export and prune the audit.
    Moderate(Box<moderate::Args>),
    /// Put a server on this machine under load, and measure how it bears it.
    Load(load::Args),
    /// Play many matches between agents.
    Simulate(simulate::Args),
    /// Let agents meet each other and rate them.
    Arena(arena::Args),
    /// Write matches as NumPy arrays: self-play, or recorded matches.
    Dataset(dataset::Args),
    /// Run live matches through crashes, bad networks and bad clients, and check them.
    Sim(sim::Args),
    /// Play very many random matches and check that no law of the game is ever broken.
    Audit(audit::Args),
    /// Let another program drive a table over standard input and output.
    Host(host::Args),
    /// Play a record again and show it.
    Replay(replay::Args),
    /// Check records: every line, every hash, every rule, every draw.
    Verify(verify::Args),
    /// Check a snapshot, and pack it as JSON, MessagePack or NPZ.
    Snapshot(snapshot::Args),
    /// Tell about a game: seats, actions, tables, observation, agents.
    Describe(describe::Args),
    /// Play a game in the terminal against an agent.
    Play(play::Args),
    /// Print a JSON Schema.
    Schema(schema::Args),
    /// Check, make and draw scenarios of Stellar Fleet.
    Scenario(scenario::Args),
    /// Print a completion script for a shell.
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
