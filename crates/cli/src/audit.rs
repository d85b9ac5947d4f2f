//! `referee audit`: plays many random matches and checks the game's invariants.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use catan::{BoardKind, Catan, DiceKind, DiscardRule, RawSetup, Setup, Switch};
use clap::builder::PossibleValuesParser;
use kernel::json;
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Conserve, Game, GameExt, Mask, MatchId, Recorded, Source, Step, Table, Turn};
use serde::Serialize;

use crate::common::{Done, Failure, print, print_json, thousands};

/// Play many random matches and check the game's invariants after every step.
///
/// Now and then, and at the end of every match, the state is written as a snapshot and read back,
/// and must be identical, including the random generator.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee audit catan --games 10000
  referee audit catan --games 2500000 --seed 7500000 --progress 30
  referee audit catan --games 1 --seed 4711

The matches of a run have the seeds SEED, SEED + 1 and so on. A violation is reported with its
seed: reproduce it with --seed and --games 1.")]
pub(crate) struct Args {
    /// The game.
    #[arg(value_parser = PossibleValuesParser::new([Catan::NAME]))]
    game: String,
    /// Number of matches.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The seed of the first match.
    #[arg(long, default_value_t = 0)]
    seed: u64,
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

/// Average number of steps between two snapshot round trips.
const STEPS_PER_ROUND_TRIP: u64 = 2000;
/// Number of matches that a thread claims at a time.
const CHUNK: u64 = 64;
/// Violations beyond this many are counted but not listed.
const TOLD_MAX: usize = 20;

pub(crate) fn run(args: &Args) -> Done {
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
            .map(|_| scope.spawn(|| work(args, &next, &sums)))
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
    n_truncated: AtomicU64,
    n_panics: AtomicU64,
    violations: Mutex<Vec<Violation>>,
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
            "{} of {} matches, {} per second",
            thousands(n_done),
            thousands(args.games),
            thousands(rate as u64)
        );
    }
}

fn work(args: &Args, next: &AtomicU64, sums: &Sums) {
    let setups = setups();
    let mut audit = Audit::default();
    loop {
        let first = next.fetch_add(CHUNK, Ordering::Relaxed);
        if first >= args.games {
            return;
        }
        for idx in first..(first + CHUNK).min(args.games) {
            let seed = args.seed.wrapping_add(idx);
            let setup = &setups[(seed % setups.len() as u64) as usize];
            let found = audit.play::<Catan>(setup, seed, sums);
            if let (Err((step, message)), Ok(mut all)) = (found, sums.violations.lock()) {
                all.push(Violation {
                    seed,
                    step,
                    message,
                });
            }
            sums.n_matches.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// The standard setup, and setups that between them change every configurable rule.
fn setups() -> [Setup; 4] {
    let raw = RawSetup::default;
    [
        raw(),
        RawSetup {
            board: BoardKind::Random,
            player_trades: Switch::Off,
            ..raw()
        },
        RawSetup {
            board: BoardKind::Random,
            dice: DiceKind::Bag36,
            discard_rule: DiscardRule::ToThreshold,
            discard_threshold: 5,
            friendly_robber: true,
            vp_to_win: 12,
            ..raw()
        },
        RawSetup {
            discard_threshold: 3,
            trades_per_turn: 1,
            vp_to_win: 22,
            max_turns: 600,
            ..raw()
        },
    ]
    .map(|raw| Setup::try_from(raw).expect("these setups are valid"))
}

/// Buffers that a thread reuses from match to match.
#[derive(Default)]
struct Audit {
    mask: Mask,
    bytes: Vec<u8>,
}

impl Audit {
    /// Plays a match. Fails with the first violation and the step at which it occurred.
    fn play<G: Conserve + Recorded>(
        &mut self,
        setup: &G::Setup,
        seed: u64,
        sums: &Sums,
    ) -> Result<(), (u64, String)> {
        let kind = GeneratorKind::ALL[(seed / 4 % 4) as usize];
        let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
        let game_id = MatchId::draw(&mut rng);
        let source = Source::Open(Generator::from_seed(kind, &Seed::from(seed)));
        let mut table = Table::<G>::open(setup, game_id, source);
        let mut n_steps = 0;
        let mut next_trip = 1 + rng.below(2 * STEPS_PER_ROUND_TRIP);
        let steps_max = G::steps_max(setup);
        loop {
            let step = match table.position().turn() {
                Turn::Over(outcome) => {
                    sums.n_truncated.fetch_add(
                        u64::from(outcome.close == kernel::Close::Truncated),
                        Ordering::Relaxed,
                    );
                    sums.n_steps.fetch_add(n_steps, Ordering::Relaxed);
                    return self.check_all(&mut table, sums).map_err(|it| (n_steps, it));
                }
                turn => self.choose(&mut table, turn, &mut rng),
            };
            let done = step.ok_or_else(|| "no seat has a legal action".to_owned());
            let done = done.and_then(|step| {
                let refused =
                    |refusal: kernel::Refusal| format!("a legal action is refused: {refusal}");
                table.apply(step, &mut kernel::Discard).map_err(refused)
            });
            n_steps += 1;
            done.map_err(|message| (n_steps, message))?;
            if let Some(broken) = table.position().broken() {
                return Err((n_steps, broken));
            }
            if n_steps > steps_max {
                return Err((n_steps, format!("the match exceeds {steps_max} steps")));
            }
            if n_steps == next_trip {
                next_trip += 1 + rng.below(2 * STEPS_PER_ROUND_TRIP);
                self.check_all(&mut table, sums)
                    .map_err(|it| (n_steps, it))?;
            }
        }
    }

    fn choose<G: Recorded>(
        &mut self,
        table: &mut Table<G>,
        turn: Turn,
        rng: &mut Generator,
    ) -> Option<Step<G::Action>> {
        if turn == Turn::Chance {
            return table.draw().map(Step::Chance);
        }
        let Some(seat) = turn.missing().lowest() else {
            return Some(Step::Deadline);
        };
        let position = table.position();
        position.fill_legal(seat, &mut self.mask);
        let action = position.action(self.mask.sample(rng)?)?;
        Some(Step::Play(seat, action))
    }

    /// Checks the expensive invariants and a snapshot round trip. The match continues with the
    /// restored table.
    fn check_all<G: Conserve + Recorded>(
        &mut self,
        table: &mut Table<G>,
        sums: &Sums,
    ) -> Result<(), String> {
        if let Some(broken) = table.position().broken_in_depth() {
            return Err(broken);
        }
        self.bytes.clear();
        table.write_snapshot(&mut self.bytes);
        let document = json::read(&self.bytes).map_err(|error| error.to_string())?;
        let restored = Table::<G>::restore(&document).map_err(|faults| faults.one_line())?;
        if restored != *table {
            return Err("the table restored from a snapshot differs".to_owned());
        }
        let n_before = self.bytes.len();
        restored.write_snapshot(&mut self.bytes);
        let (first, second) = self.bytes.split_at(n_before);
        if first != second {
            return Err("the snapshot of a restored table differs".to_owned());
        }
        *table = restored;
        sums.n_round_trips.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

#[derive(Serialize)]
struct Report {
    game: &'static str,
    seed: u64,
    matches: u64,
    steps: u64,
    round_trips: u64,
    truncated: u64,
    violations: u64,
    first_violations: Vec<Violation>,
    wall_seconds: f64,
}

fn report(args: &Args, sums: &Sums, wall_seconds: f64) -> Done {
    let mut violations = sums.violations.lock().map_or_else(
        |poisoned| poisoned.into_inner().clone(),
        |violations| violations.clone(),
    );
    violations.sort_by_key(|it| it.seed);
    let count = |sum: &AtomicU64| sum.load(Ordering::Relaxed);
    let report = Report {
        game: Catan::NAME,
        seed: args.seed,
        matches: count(&sums.n_matches),
        steps: count(&sums.n_steps),
        round_trips: count(&sums.n_round_trips),
        truncated: count(&sums.n_truncated),
        violations: violations.len() as u64 + count(&sums.n_panics),
        first_violations: violations.into_iter().take(TOLD_MAX).collect(),
        wall_seconds,
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
                "{} matches of {} from seed {}: {} steps, each checked",
                thousands(self.matches),
                self.game,
                self.seed,
                thousands(self.steps)
            ),
            format!(
                "{} snapshot round trips, {} matches truncated by the turn limit",
                thousands(self.round_trips),
                thousands(self.truncated)
            ),
            format!("violations: {}", thousands(self.violations)),
        ];
        for it in &self.first_violations {
            lines.push(format!(
                "  step {}: {}\n    reproduce with: referee audit {} --games 1 --seed {}",
                it.step, it.message, self.game, it.seed
            ));
        }
        let rate = self.matches as f64 / self.wall_seconds.max(1e-9);
        lines.push(format!(
            "{:.1} s, {} matches per second",
            self.wall_seconds,
            thousands(rate as u64)
        ));
        lines.join("\n")
    }
}
