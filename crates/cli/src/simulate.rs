//! `referee simulate`: plays many matches between agents.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bots::simulate::{Keep, Plan, Report, run as simulate};
use bots::{Agent, NoAgent};
use catalog::Roster;
use catalog::{GameName, with_game};
use indicatif::{ProgressBar, ProgressStyle};
use kernel::Recorded;
use kernel::rng::Seed;
use serde::Serialize;

use crate::common::{self, Done, Failure, SetupArgs, matches_on, print, print_json, thousands};
use crate::program::{self, Program};

/// Play many matches between agents.
///
/// The same seed gives the same results and byte-identical records for any number of threads.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee simulate orcain --games 1000000 --seats random,random --threads 1 --seed 1
  referee simulate orcain --games 1000 --seats equilibrium,random --out records
  referee simulate orcain --games 1000 --hashes --json")]
pub(crate) struct Args {
    /// The game.
    #[arg(value_parser = common::game_parser())]
    game: GameName,
    /// Number of matches.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The agent of each seat, separated by commas. A single name plays all seats. exec:PROGRAM
    /// runs your own program (docs/bots.md).
    #[arg(long, value_delimiter = ',', default_value = "random")]
    seats: Vec<String>,
    /// A non-negative integer of up to 4096 bits.
    #[arg(long, default_value = "0", value_parser = common::parse_seed, allow_hyphen_values = true)]
    seed: Seed,
    /// Number of threads [default: one per processor].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    setup: SetupArgs,
    /// Write a record of every match to this directory, which must not contain any yet.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Hash the final state of every match, even without --out.
    #[arg(long)]
    hashes: bool,
    #[command(flatten)]
    patience: Patience,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The time limit for external programs.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct Patience {
    /// Time limit for each decision of exec:PROGRAM, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=3_600_000))]
    decision_ms: u32,
}

pub(crate) fn run(args: &Args) -> Done {
    with_game!(args.game, G => run_game::<G>(args))
}

fn run_game<G: Roster>(args: &Args) -> Done {
    let setup = args.setup.read::<G>()?;
    let agents = seat_agents::<G>(&args.seats, &setup, args.patience)?;
    if let Some(dir) = &args.out {
        prepare::<G>(dir)?;
    }
    let write =
        |game_idx: u32, record: Vec<u8>| write_record::<G>(args.out.as_deref(), game_idx, &record);
    let plan = Plan {
        setup: &setup,
        agents: &agents,
        n_games: args.games,
        seed: args.seed.clone(),
        n_threads: n_threads(args.threads),
        keep: match (&args.out, args.hashes) {
            (Some(_), _) => Keep::Records(&write),
            (None, true) => Keep::Hashes,
            (None, false) => Keep::Tally,
        },
    };
    let (report, times) = timed(&plan)?;
    let output = Output {
        game: G::NAME,
        rules_version: G::RULES_VERSION,
        seed: args.seed.to_string(),
        report: &report,
        times,
    };
    if args.json {
        print_json(&output)
    } else {
        print(output.text())
    }
}

/// Creates an agent for every seat. A single name plays all seats.
pub(crate) fn seat_agents<G: Roster>(
    names: &[String],
    setup: &G::Setup,
    patience: Patience,
) -> Result<Vec<Box<dyn Agent<G>>>, Failure> {
    let n_seats = G::start(setup).n_seats();
    if names.len() != 1 && names.len() != n_seats {
        let n_names = names.len();
        return Err(Failure::Usage(format!(
            "{} has {n_seats} seats, but --seats names {n_names} agents: name one for each seat, or one for all",
            G::NAME
        )));
    }
    let mut agents: Vec<Box<dyn Agent<G>>> = Vec::new();
    for idx in 0..n_seats {
        // An agent named twice is prepared only once.
        let name = &names[idx % names.len()];
        let known = agents.iter().find(|agent| agent.name() == name);
        let agent = match known {
            Some(agent) => agent.again(),
            None => seat_agent::<G>(name, setup, patience)?,
        };
        agents.push(agent);
    }
    Ok(agents)
}

/// Creates an agent by name, or from an external program. An unknown name is a usage error.
pub(crate) fn seat_agent<G: Roster>(
    name: &str,
    setup: &G::Setup,
    patience: Patience,
) -> Result<Box<dyn Agent<G>>, Failure> {
    if name.starts_with(program::PREFIX) {
        let patience = Duration::from_millis(patience.decision_ms.into());
        let program = Program::named(name, patience).map_err(Failure::Usage)?;
        return Ok(Box::new(program));
    }
    G::agent(name, setup).map_err(|error| match error {
        NoAgent::Unknown { .. } => Failure::Usage(error.to_string()),
        NoAgent::Unfit { .. } => Failure::Wrong(error.to_string()),
    })
}

/// Creates the directory. Fails if it already contains records of this game, as those of two runs
/// could not be distinguished.
fn prepare<G: Recorded>(dir: &Path) -> Done {
    let shown = dir.display();
    if dir.exists() && !dir.is_dir() {
        return Err(Failure::Wrong(format!("{shown} is not a directory")));
    }
    std::fs::create_dir_all(dir).map_err(|error| format!("{shown}: {error}"))?;
    let prefix = format!("{}-", G::NAME);
    for entry in dir
        .read_dir()
        .map_err(|error| format!("{shown}: {error}"))?
    {
        let name = entry
            .map_err(|error| format!("{shown}: {error}"))?
            .file_name();
        if name.to_string_lossy().starts_with(&prefix) {
            return Err(Failure::Wrong(format!(
                "{shown} already contains records of {}: choose another directory, or empty it",
                G::NAME
            )));
        }
    }
    Ok(())
}

pub(crate) fn n_threads(asked: Option<u16>) -> usize {
    match asked {
        Some(n) => n.into(),
        None => thread::available_parallelism().map_or(1, Into::into),
    }
}

fn write_record<G: Recorded>(
    dir: Option<&Path>,
    game_idx: u32,
    record: &[u8],
) -> Result<(), String> {
    let Some(dir) = dir else {
        return Ok(());
    };
    let file = dir.join(format!("{}-{game_idx:08}.jsonl", G::NAME));
    std::fs::write(&file, record).map_err(|error| format!("{}: {error}", file.display()))
}

/// Plays with a progress bar and measures the time.
fn timed<G: Recorded>(plan: &Plan<'_, G>) -> Result<(Report, Times), Failure> {
    let n_done = AtomicU64::new(0);
    let (wall, cpu) = (Instant::now(), cpu_seconds());
    let report = with_bar(plan.n_games.into(), &n_done, || simulate(plan, &n_done));
    let (wall, cpu) = (wall.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    let report = report?;
    let times = Times::new(&report, wall, cpu);
    Ok((report, times))
}

/// Does the work, with a progress bar on the terminal that follows `n_done`.
pub(crate) fn with_bar<T>(n_games: u64, n_done: &AtomicU64, work: impl FnOnce() -> T) -> T {
    let over = AtomicBool::new(false);
    let bar = ProgressBar::new(n_games).with_style(progress_style());
    let done = thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                thread::park_timeout(Duration::from_millis(100));
                bar.set_position(n_done.load(Ordering::Relaxed));
            }
        });
        let done = work();
        over.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        done
    });
    bar.finish_and_clear();
    done
}

pub(crate) fn progress_style() -> ProgressStyle {
    let template = "{bar:30} {human_pos}/{human_len} matches · {per_sec} · {eta} left";
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// The processor time used by all threads so far.
fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

#[derive(Serialize)]
struct Output<'a> {
    game: &'static str,
    rules_version: &'static str,
    seed: String,
    #[serde(flatten)]
    report: &'a Report,
    #[serde(flatten)]
    times: Times,
}

/// The only part of the output that differs between runs with the same arguments.
#[derive(Serialize)]
struct Times {
    wall_seconds: f64,
    core_seconds: f64,
    games_per_second: f64,
    games_per_core_second: f64,
    steps_per_second: f64,
    decisions_per_core_second: f64,
    joint_decisions_per_core_second: f64,
    turns_per_core_second: f64,
}

impl Times {
    fn new(report: &Report, wall: f64, cpu: f64) -> Times {
        Times {
            wall_seconds: wall,
            core_seconds: cpu,
            games_per_second: report.games as f64 / wall,
            games_per_core_second: report.games as f64 / cpu.max(1e-9),
            steps_per_second: report.steps as f64 / wall,
            decisions_per_core_second: report.decisions as f64 / cpu.max(1e-9),
            joint_decisions_per_core_second: report.joint_decisions as f64 / cpu.max(1e-9),
            turns_per_core_second: report.turns as f64 / cpu.max(1e-9),
        }
    }
}

impl Output<'_> {
    fn text(&self) -> String {
        let report = self.report;
        let played = matches_on(report.games, report.setups);
        let mut lines = vec![format!("{} · {played} · seed {}", self.game, self.seed)];
        for seat in &report.seats {
            let rate = seat.win_rate;
            lines.push(format!(
                "  seat {} {:<12} wins {:6.2} %  (95 %: {:.2}–{:.2})  {} won, {} lost",
                seat.player_id,
                seat.agent,
                100.0 * rate.rate,
                100.0 * rate.low,
                100.0 * rate.high,
                thousands(seat.wins),
                thousands(seat.losses)
            ));
        }
        lines.push(format!(
            "  draws {}, truncated {}",
            thousands(report.draws),
            thousands(report.truncated)
        ));
        for (outcome, n) in &report.outcomes {
            lines.push(format!("    {:>12}  {outcome}", thousands(*n)));
        }
        lines.push(format!(
            "  turns {}, steps {}, decisions {}, joint decisions {}",
            thousands(report.turns),
            thousands(report.steps),
            thousands(report.decisions),
            thousands(report.joint_decisions)
        ));
        lines.push(format!("  digest {}", report.digest));
        if let Some(hashes) = report.final_hashes {
            lines.push(format!("  final hashes {hashes}"));
        }
        lines.push(self.times.text());
        lines.join("\n")
    }
}

impl Times {
    fn text(&self) -> String {
        format!(
            "  time {:.2} s: {} games/s, {} steps/s, {} joint decisions per core-second",
            self.wall_seconds,
            thousands(self.games_per_second as u64),
            thousands(self.steps_per_second as u64),
            thousands(self.joint_decisions_per_core_second as u64)
        )
    }
}
