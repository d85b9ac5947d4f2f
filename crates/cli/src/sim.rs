//! `referee sim`: live matches in virtual time, through everything that can go wrong.

use std::time::Instant;

use serde::Serialize;
use session::sim::{Cells, Plan, Report, run as simulate};

use crate::common::{Done, Failure, print, print_json, thousands};

/// From this many matches on, a fault that never struck in a phase is a failure too.
const ALL_CELLS_FROM: u64 = 50_000;

/// Run live matches in virtual time through a bad network, bad clients, crashes and torn
/// storage, beside a checker that believes none of it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee sim --matches 100000
  referee sim --matches 1 --seed 1021043
  referee sim --json

The matches of a run have the seeds SEED, SEED + 1 and so on; a violation names the seed
that shows it again with --matches 1.")]
pub(crate) struct Args {
    /// How many matches.
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
    let report = simulate(&Plan::new(args.seed, args.matches));
    let wall_seconds = started.elapsed().as_secs_f64();
    let output = Output {
        seed: args.seed,
        simulated_hours: report.simulated_ms / 3_600_000,
        cells_reached: report.cells.n_reached(),
        cells_total: Cells::n_possible(),
        matches_per_second: report.n_matches as f64 / wall_seconds.max(1e-9),
        wall_seconds,
        report: &report,
    };
    if args.json {
        print_json(&output)?;
    } else {
        print(output.text())?;
    }
    let blind = args.matches >= ALL_CELLS_FROM && report.cells.unreached().next().is_some();
    if report.violations.is_empty() && !blind {
        Ok(())
    } else {
        Err(Failure::Told)
    }
}

#[derive(Serialize)]
struct Output<'a> {
    seed: u64,
    simulated_hours: u64,
    cells_reached: usize,
    cells_total: usize,
    wall_seconds: f64,
    matches_per_second: f64,
    #[serde(flatten)]
    report: &'a Report,
}

impl Output<'_> {
    fn text(&self) -> String {
        let report = self.report;
        let mut lines = vec![
            format!(
                "{} matches from seed {}: {} simulated hours, {} events, {} crashes",
                thousands(report.n_matches),
                self.seed,
                thousands(self.simulated_hours),
                thousands(report.n_events),
                thousands(report.n_crashes)
            ),
            format!(
                "{} records verified offline, {} matches played again with other cards",
                thousands(report.n_verified),
                thousands(report.n_leak_checks)
            ),
        ];
        let ends = report.ends.iter();
        let ends: Vec<String> = ends
            .map(|(end, n)| format!("{end} {}", thousands(*n)))
            .collect();
        lines.push(format!("stakes: {}", ends.join(", ")));
        lines.push(format!(
            "fault × phase cells reached: {} of {}",
            self.cells_reached, self.cells_total
        ));
        let unreached = report.cells.unreached();
        lines.extend(
            unreached.map(|(fault, phase)| format!("  not reached: {fault:?} in {phase:?}")),
        );
        lines.push(format!("violations: {}", report.violations.len()));
        for it in &report.violations {
            lines.push(format!(
                "  {}: {}\n    again with: referee sim --matches 1 --seed {}",
                it.code, it.message, it.seed
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
