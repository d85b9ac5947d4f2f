//! `referee sim`: simulates live matches in virtual time under injected faults.

use std::time::Instant;

use catalog::GameName;
use serde::Serialize;
use session::sim::{Plan, Report, Tally, run as simulate};

use crate::common::{Done, Failure, game_parser, print, print_json, thousands};

/// With at least this many matches of a game, a fault that never struck in some phase is a
/// failure too.
const ALL_CELLS_FROM: u64 = 50_000;

/// Simulate live matches with crashes, bad networks and bad clients, and check them.
///
/// Time is virtual, writes may be torn, and an independent checker verifies the results.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee sim --matches 100000
  referee sim --game stellar --matches 10000
  referee sim --game catan --matches 1 --seed 1021043
  referee sim --json

The matches of a run have the seeds SEED, SEED + 1 and so on. Games take turns unless --game names
one. A violation is reported with its game and seed: reproduce it with --game, --seed and
--matches 1.")]
pub(crate) struct Args {
    /// The game [default: all games in turn].
    #[arg(long, value_name = "NAME", value_parser = game_parser())]
    game: Option<GameName>,
    /// Number of matches.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    matches: u64,
    /// The seed of the first match.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let started = Instant::now();
    let games = args.game.map_or(GameName::ALL.to_vec(), |game| vec![game]);
    let games: Vec<_> = games.into_iter().map(GameName::simulation).collect();
    let report = simulate(&Plan::new(&games, args.seed, args.matches));
    let wall_seconds = started.elapsed().as_secs_f64();
    let n_matches = report.games.values().map(|it| it.n_matches).sum();
    let output = Output {
        seed: args.seed,
        n_matches,
        cells_reached: report.games.values().map(|it| it.cells.n_reached()).sum(),
        cells_total: report.games.values().map(|it| it.cells.n_possible()).sum(),
        matches_per_second: n_matches as f64 / wall_seconds.max(1e-9),
        wall_seconds,
        report: &report,
    };
    if args.json {
        print_json(&output)?;
    } else {
        print(output.text())?;
    }
    let mut played = report.games.values();
    if report.violations.is_empty() && !played.any(is_blind) {
        Ok(())
    } else {
        Err(Failure::Told)
    }
}

fn is_blind(tally: &Tally) -> bool {
    tally.n_matches >= ALL_CELLS_FROM && tally.cells.unreached().next().is_some()
}

#[derive(Serialize)]
struct Output<'a> {
    seed: u64,
    n_matches: u64,
    cells_reached: usize,
    cells_total: usize,
    wall_seconds: f64,
    matches_per_second: f64,
    #[serde(flatten)]
    report: &'a Report,
}

impl Output<'_> {
    fn text(&self) -> String {
        let mut lines = vec![format!(
            "{} matches from seed {}",
            thousands(self.n_matches),
            self.seed
        )];
        for (game, tally) in &self.report.games {
            lines.extend(game_lines(game, tally));
        }
        lines.push(format!(
            "fault × phase cells reached: {} of {}",
            self.cells_reached, self.cells_total
        ));
        lines.push(format!("violations: {}", self.report.violations.len()));
        for it in &self.report.violations {
            lines.push(format!(
                "  {}: {}\n    reproduce with: referee sim --game {} --matches 1 --seed {}",
                it.code, it.message, it.game, it.seed
            ));
        }
        lines.push(format!(
            "{:.1} s, {} matches per second",
            self.wall_seconds,
            thousands(self.matches_per_second as u64)
        ));
        lines.join("\n")
    }
}

fn game_lines(game: &str, tally: &Tally) -> Vec<String> {
    let counted = |(what, n): (String, &u64)| format!("{what} {}", thousands(*n));
    let ends = tally.ends.iter().map(|(end, n)| (end.clone(), n));
    let ends: Vec<String> = ends.map(counted).collect();
    let seats = tally
        .seats
        .iter()
        .map(|(n_seats, n)| (format!("{n_seats}:"), n));
    let seats: Vec<String> = seats.map(counted).collect();
    let mut lines = vec![
        format!(
            "{game}: {} matches, {} simulated hours, {} events, {} crashes",
            thousands(tally.n_matches),
            thousands(tally.simulated_ms / 3_600_000),
            thousands(tally.n_events),
            thousands(tally.n_crashes)
        ),
        format!(
            "  {} records verified offline, {} matches repeated with another secret",
            thousands(tally.n_verified),
            thousands(tally.n_leak_checks)
        ),
        format!("  stakes: {}", ends.join(", ")),
        format!(
            "  seats: {}; {} at a shared screen, {} with bots",
            seats.join(", "),
            thousands(tally.n_with_shared_screen),
            thousands(tally.n_with_bots)
        ),
        format!(
            "  cells reached: {} of {}",
            tally.cells.n_reached(),
            tally.cells.n_possible()
        ),
    ];
    let unreached = tally.cells.unreached();
    lines.extend(
        unreached.map(|(fault, phase)| format!("    not reached: {fault:?} in {}", phase.name)),
    );
    lines
}
