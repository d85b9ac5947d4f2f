//! `referee arena`: a tournament between agents, with ratings.

mod file;

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use bots::Agent;
use bots::arena::{AGENTS_MAX, Bout, BoutId, Plan, Report};
use catalog::Roster;
use catalog::{GameName, with_game};
use indicatif::{ProgressBar, ProgressDrawTarget};
use kernel::json::Hash;
use kernel::rng::Seed;
use serde::Serialize;

use crate::common::{self, Done, Failure, SetupArgs, matches_on, print, print_json, thousands};
use crate::simulate::{Patience, n_threads, progress_style, seat_agent};
use file::{BoutFile, Header};

/// Run a round-robin tournament between agents and rate them.
///
/// Each pairing plays its matches in pairs, with the same dice and swapped seats. The report
/// lists win rates with confidence bounds, ratings and decision times.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee arena catan --seats random,heuristic,search --games 400
  referee arena catan --seats heuristic,search:nodes=2000 --games 1000 --out run.jsonl
  referee arena orcain --seats \"equilibrium,exec:python3 my_bot.py\" --games 200 --json

An interrupted run with --out resumes when the same command is run again, and ends with the
same result.")]
pub(crate) struct Args {
    /// The game.
    #[arg(value_parser = common::game_parser())]
    game: GameName,
    /// The names of at least two agents, separated by commas. exec:PROGRAM runs your own
    /// program (docs/bots.md).
    #[arg(long, value_delimiter = ',', required = true)]
    seats: Vec<String>,
    /// Matches per pairing; an even number.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(2..))]
    games: u32,
    /// A non-negative integer of up to 4096 bits.
    #[arg(long, default_value = "0", value_parser = common::parse_seed, allow_hyphen_values = true)]
    seed: Seed,
    /// Number of threads [default: one per processor].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    setup: SetupArgs,
    /// Append every result to this file, and resume from it if it exists.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    patience: Patience,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    with_game!(args.game, G => run_game::<G>(args))
}

fn run_game<G: Roster>(args: &Args) -> Done {
    check(args)?;
    let setup = args.setup.read::<G>()?;
    let mut agents: Vec<Box<dyn Agent<G>>> = Vec::new();
    for name in &args.seats {
        agents.push(seat_agent::<G>(name, &setup, args.patience)?);
    }
    let plan = Plan {
        setup: &setup,
        agents: &agents,
        n_bouts: args.games / 2,
        seed: args.seed.clone(),
        n_threads: n_threads(args.threads),
    };
    let header = Header {
        arena: file::FORMAT.to_owned(),
        game: G::NAME.to_owned(),
        rules_version: G::RULES_VERSION.to_owned(),
        setup: match G::leaves_open(&setup) {
            true => format!("{}, drawn for each bout", Hash::of(&setup)?),
            false => Hash::of(&setup)?.to_string(),
        },
        seats: args.seats.clone(),
        games: args.games,
        seed: args.seed.to_string(),
    };
    let bouts = fight(&plan, args, &header)?;
    let output = Output {
        game: G::NAME,
        rules_version: G::RULES_VERSION,
        seed: args.seed.to_string(),
        report: Report::new(&plan, &bouts),
    };
    if args.json {
        print_json(&output)
    } else {
        print(output.text())
    }
}

/// Checks what the argument parser cannot, and reports all faults together.
fn check(args: &Args) -> Done {
    let mut faults = Vec::new();
    if !(2..=AGENTS_MAX).contains(&args.seats.len()) {
        faults.push(format!(
            "--seats names {} agents: expected 2 to {AGENTS_MAX}",
            args.seats.len()
        ));
    }
    let names: BTreeSet<&String> = args.seats.iter().collect();
    if names.len() < args.seats.len() {
        faults.push("--seats names an agent twice: name each agent once".to_owned());
    }
    if !args.games.is_multiple_of(2) {
        let games = args.games;
        faults.push(format!(
            "--games {games} is odd: matches come in pairs with swapped seats"
        ));
    }
    match faults.is_empty() {
        true => Ok(()),
        false => Err(Failure::Usage(faults.join("\n"))),
    }
}

/// Plays the bouts that are not in the file yet, with a progress bar on a terminal.
fn fight<G: Roster>(
    plan: &Plan<'_, G>,
    args: &Args,
    header: &Header,
) -> Result<Vec<Bout>, Failure> {
    let all: BTreeSet<BoutId> = plan.bouts().collect();
    let (file, bouts) = match &args.out {
        None => (None, Vec::new()),
        Some(path) => {
            let (file, bouts) = BoutFile::open(path, header, &all)?;
            (Some(file), bouts)
        }
    };
    let done: BTreeSet<BoutId> = bouts.iter().map(|bout| bout.id).collect();
    let target = match std::io::stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(Some(2 * all.len() as u64), target);
    let bar = bar
        .with_style(progress_style())
        .with_position(2 * done.len() as u64);
    let kept = Mutex::new((file, bouts));
    let keep = |bout: Bout| {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = &mut kept.0 {
            file.push(&bout)?;
        }
        kept.1.push(bout);
        bar.inc(2);
        Ok(())
    };
    let fought = plan.run(&done, &keep);
    bar.finish_and_clear();
    fought?;
    Ok(kept.into_inner().unwrap_or_else(PoisonError::into_inner).1)
}

#[derive(Serialize)]
struct Output {
    game: &'static str,
    rules_version: &'static str,
    seed: String,
    #[serde(flatten)]
    report: Report,
}

impl Output {
    fn text(&self) -> String {
        let report = &self.report;
        let width = report
            .agents
            .iter()
            .map(|it| it.agent.chars().count())
            .max();
        let width = width.unwrap_or(0).max(8);
        let mut lines = vec![
            format!(
                "{} · {} · seed {}",
                self.game,
                matches_on(report.games, report.setups),
                self.seed
            ),
            format!(
                "  {:<width$}    Elo   wins      95 % bounds   decisions: mean      p50      p95      p99",
                "agent"
            ),
        ];
        for agent in &report.agents {
            let (rate, times) = (agent.win_rate, &agent.decisions);
            lines.push(format!(
                "  {:<width$} {:6.0} {:6.2} %  {:6.2}–{:6.2} %     {:>8} {:>8} {:>8} {:>8}",
                agent.agent,
                agent.elo,
                100.0 * rate.rate,
                100.0 * rate.low,
                100.0 * rate.high,
                time(times.mean_us),
                time(times.p50_us),
                time(times.p95_us),
                time(times.p99_us),
            ));
        }
        for pairing in &report.pairings {
            let rate = pairing.first_win_rate;
            let [first_seat, second_seat] = pairing.first_wins;
            lines.push(format!(
                "  {} beats {} in {:.2} % (95 %: {:.2}–{:.2}) of {}: {first_seat} in the first seat, \
                 {second_seat} in the second; lost {}, drawn {}; {:.1} turns per match",
                pairing.first,
                pairing.second,
                100.0 * rate.rate,
                100.0 * rate.low,
                100.0 * rate.high,
                thousands(pairing.games),
                thousands(pairing.second_wins),
                thousands(pairing.draws),
                pairing.mean_turns,
            ));
        }
        lines.push(format!("  truncated {}", thousands(report.truncated)));
        lines.push(format!("  digest {}", report.digest));
        lines.join("\n")
    }
}

/// Formats microseconds as µs, ms or s.
fn time(us: f64) -> String {
    match us {
        _ if us < 1000.0 => format!("{us:.1} µs"),
        _ if us < 1_000_000.0 => format!("{:.1} ms", us / 1000.0),
        _ => format!("{:.1} s", us / 1_000_000.0),
    }
}
