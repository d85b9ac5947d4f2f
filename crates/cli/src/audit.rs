//! `referee audit`: plays many random matches and checks the game's promises.

mod play;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use catalog::{GameName, with_game};
use kernel::{Conserve, Recorded};
use serde::Serialize;

use crate::common::{self, Done, Failure, SetupArgs, counted, print, print_json, thousands};
use play::{Audit, Counts};

/// Play many random matches and check the game's promises.
///
/// Every legal action must be accepted, no step may break an invariant of the game, and every match
/// must end within its bound. Now and then, and at the end of every match, the rules must agree with
/// the list of legal actions, and the state is written as a snapshot and read back, and must be
/// identical, including the random generator. One match in 16 is recorded, and replaying its record
/// must reproduce every hash.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee audit catan --games 10000
  referee audit catan --games 2500000 --seed 7500000 --progress 30
  referee audit catan --games 1 --seed 4711
  referee audit stellar --scenario crown_of_stars --games 100

Without --setup and --scenario, the matches take turns at setups that the game provides. The
matches of a run have the seeds SEED, SEED + 1 and so on. A violation is reported with its seed:
reproduce it with --seed and --games 1.")]
pub(crate) struct Args {
    /// The game.
    #[arg(value_parser = common::game_parser())]
    game: GameName,
    /// Number of matches.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The seed of the first match.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    setup: SetupArgs,
    /// Number of threads [default: one per processor].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Report progress on standard error every this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    progress: Option<u64>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Number of matches that a thread claims at a time.
const CHUNK: u64 = 64;
/// Violations beyond this many are counted but not listed.
const TOLD_MAX: usize = 20;

pub(crate) fn run(args: &Args) -> Done {
    with_game!(args.game, G => run_game::<G>(args))
}

fn run_game<G: Conserve + Recorded>(args: &Args) -> Done {
    let setups = match args.setup.is_given() {
        true => vec![args.setup.read::<G>()?],
        false => G::audited_setups(),
    };
    let began = Instant::now();
    let sums = Sums::default();
    let (next, over) = (AtomicU64::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let watcher = scope.spawn(|| watch(args, &sums, &over, began));
        let n_threads = args.threads.map_or_else(
            || thread::available_parallelism().map_or(1, Into::into),
            usize::from,
        );
        let workers: Vec<_> = (0..n_threads)
            .map(|_| scope.spawn(|| work::<G>(args, &setups, &next, &sums)))
            .collect();
        for worker in workers {
            // A panic in the rules counts as a violation; its thread has printed the message.
            sums.n_panics
                .fetch_add(u64::from(worker.join().is_err()), Ordering::Relaxed);
        }
        over.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
    });
    report(args, &sums, began.elapsed().as_secs_f64())
}

#[derive(Default)]
struct Sums {
    n_matches: AtomicU64,
    n_steps: AtomicU64,
    n_round_trips: AtomicU64,
    n_replays: AtomicU64,
    n_truncated: AtomicU64,
    n_panics: AtomicU64,
    violations: Mutex<Vec<Violation>>,
}

impl Sums {
    fn add(&self, counts: &Counts) {
        for (sum, n) in [
            (&self.n_steps, counts.n_steps),
            (&self.n_round_trips, counts.n_round_trips),
            (&self.n_replays, counts.n_replays),
            (&self.n_truncated, counts.is_truncated.into()),
        ] {
            sum.fetch_add(n, Ordering::Relaxed);
        }
    }
}

#[derive(Clone, Serialize)]
struct Violation {
    seed: u64,
    step: u64,
    message: String,
}

fn watch(args: &Args, sums: &Sums, over: &AtomicBool, began: Instant) {
    let Some(seconds) = args.progress else { return };
    while !over.load(Ordering::Relaxed) {
        thread::park_timeout(Duration::from_secs(seconds));
        let n_done = sums.n_matches.load(Ordering::Relaxed);
        let rate = n_done as f64 / began.elapsed().as_secs_f64().max(1e-9);
        eprintln!(
            "{} of {}, {} per second",
            thousands(n_done),
            counted(args.games, "match", "matches"),
            thousands(rate as u64)
        );
    }
}

fn work<G: Conserve + Recorded>(args: &Args, setups: &[G::Setup], next: &AtomicU64, sums: &Sums) {
    let mut audit = Audit::default();
    loop {
        let first = next.fetch_add(CHUNK, Ordering::Relaxed);
        if first >= args.games {
            return;
        }
        for idx in first..(first + CHUNK).min(args.games) {
            let seed = args.seed.wrapping_add(idx);
            let setup = &setups[(seed % setups.len() as u64) as usize];
            match (audit.play::<G>(setup, seed), sums.violations.lock()) {
                (Ok(counts), _) => sums.add(&counts),
                (Err(broken), Ok(mut all)) => all.push(Violation {
                    seed,
                    step: broken.n_steps,
                    message: broken.message,
                }),
                (Err(_), Err(_)) => {}
            }
            sums.n_matches.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[derive(Serialize)]
struct Report {
    game: &'static str,
    seed: u64,
    matches: u64,
    steps: u64,
    round_trips: u64,
    replays: u64,
    truncated: u64,
    violations: u64,
    first_violations: Vec<Violation>,
    wall_seconds: f64,
    /// The options that choose the setup, for the command that reproduces a violation.
    #[serde(skip)]
    options: String,
}

fn report(args: &Args, sums: &Sums, wall_seconds: f64) -> Done {
    let mut violations = sums.violations.lock().map_or_else(
        |poisoned| poisoned.into_inner().clone(),
        |violations| violations.clone(),
    );
    violations.sort_by_key(|it| it.seed);
    let count = |sum: &AtomicU64| sum.load(Ordering::Relaxed);
    let report = Report {
        game: args.game.as_str(),
        seed: args.seed,
        matches: count(&sums.n_matches),
        steps: count(&sums.n_steps),
        round_trips: count(&sums.n_round_trips),
        replays: count(&sums.n_replays),
        truncated: count(&sums.n_truncated),
        violations: violations.len() as u64 + count(&sums.n_panics),
        first_violations: violations.into_iter().take(TOLD_MAX).collect(),
        wall_seconds,
        options: args.setup.to_string(),
    };
    if args.json {
        print_json(&report)?;
    } else {
        print(report.text())?;
    }
    if report.violations == 0 {
        Ok(())
    } else {
        Err(Failure::Told)
    }
}

impl Report {
    fn text(&self) -> String {
        let mut lines = vec![
            format!(
                "{} of {} from seed {}: {}, each checked",
                counted(self.matches, "match", "matches"),
                self.game,
                self.seed,
                counted(self.steps, "step", "steps")
            ),
            format!(
                "{}, {}, {} truncated by the turn limit",
                counted(
                    self.round_trips,
                    "snapshot round trip",
                    "snapshot round trips"
                ),
                counted(self.replays, "replay", "replays"),
                counted(self.truncated, "match", "matches")
            ),
            format!("violations: {}", thousands(self.violations)),
        ];
        for it in &self.first_violations {
            lines.push(format!(
                "  step {}: {}\n    reproduce with: referee audit {}{} --games 1 --seed {}",
                it.step, it.message, self.game, self.options, it.seed
            ));
        }
        let rate = self.matches as f64 / self.wall_seconds.max(1e-9);
        lines.push(format!(
            "{:.1} s, {} per second",
            self.wall_seconds,
            counted(rate as u64, "match", "matches")
        ));
        lines.join("\n")
    }
}
