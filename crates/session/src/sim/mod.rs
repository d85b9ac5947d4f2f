//! Thousands of matches in virtual time, through everything that can go wrong.
//!
//! One match is one game and one seed: the network, the clients, the disk and the crashes all
//! draw from it, so a seed reproduces a failure exactly. A run of `n` matches from seed `s`
//! plays the seeds `s`, `s + 1` and so on, each with the next of its games in turn. A game says
//! how it is simulated by [`Simulated`].
//!
//! The checker keeps books of its own from what leaves the session (stored bytes, messages,
//! settlements) and the rules of the game, and never asks the session what it thinks.

mod cells;
mod checker;
mod client;
mod draw;
mod fate;
mod host;
mod leak;
mod network;
mod simulated;
mod words;
mod world;

use std::collections::BTreeMap;

use serde::Serialize;

pub use cells::{Cell, Cells, Fault, Phase, PhaseKind};
pub use client::{Act, Deed};
pub use draw::Draws;
pub use fate::Habit;
pub use simulated::{Action, Ask, Mind, Notion, Setup, Shows, Simulated, Word};
pub use words::{Composer, Wordy};

use crate::Ms;
use kernel::Game;
use world::World;

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The games, played in turn.
    pub games: Vec<Simulation>,
    /// The seed of the first match.
    pub seed: u64,
    /// How many matches.
    pub n_matches: u64,
    /// Matches whose seed is a multiple of this are also verified offline, from their record
    /// alone, and the views that they send are compared with the rules.
    pub verify_every: u64,
    /// Matches whose seed is a multiple of this are also played twice until a secret is shown,
    /// with another secret in one seat, to see that the others are sent the same bytes.
    pub leak_every: u64,
    /// A bug to plant.
    #[cfg(feature = "planted")]
    pub planted: Option<crate::Planted>,
}

impl Plan {
    /// A run of these games with the usual checks.
    pub fn new(games: &[Simulation], seed: u64, n_matches: u64) -> Plan {
        Plan {
            games: games.to_vec(),
            seed,
            n_matches,
            verify_every: 8,
            leak_every: 16,
            #[cfg(feature = "planted")]
            planted: None,
        }
    }

    fn verifies(&self, seed: u64) -> bool {
        seed.is_multiple_of(self.verify_every.max(1))
    }
}

/// Plays the match with this seed and adds to the report: [`play`] for some game.
pub type Simulation = fn(&Plan, u64, &mut Report);

/// What came of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// What was counted, by the name of the game.
    pub games: BTreeMap<&'static str, Tally>,
    /// The promises that were broken: at most [`VIOLATIONS_MAX`] are kept.
    pub violations: Vec<Violation>,
}

/// What was counted in the matches of one game.
#[derive(Clone, Debug, Serialize)]
pub struct Tally {
    /// How many matches were played.
    pub n_matches: u64,
    /// How many of them had so many seats.
    pub seats: BTreeMap<usize, u64>,
    /// In how many of them people shared a screen.
    pub n_with_shared_screen: u64,
    /// In how many of them bots played.
    pub n_with_bots: u64,
    /// How much time passed in them.
    pub simulated_ms: Ms,
    /// How many events they stored.
    pub n_events: u64,
    /// How many crashes they survived.
    pub n_crashes: u64,
    /// How many records were verified offline.
    pub n_verified: u64,
    /// How many matches were played again with another secret.
    pub n_leak_checks: u64,
    /// How often each end was reached.
    pub ends: BTreeMap<String, u64>,
    /// Which faults struck in which phases.
    pub cells: Cells,
}

/// A report keeps this many violations and counts no further.
pub const VIOLATIONS_MAX: usize = 100;

/// A promise that was broken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Violation {
    /// The name of the game.
    pub game: &'static str,
    /// The seed of the match: run one match of the game from it to see it again.
    pub seed: u64,
    /// Which promise, as a stable code.
    pub code: &'static str,
    /// What was seen.
    pub message: String,
}

/// Runs the matches of a plan, one after the other.
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::default();
    let games = plan.games.iter().cycle();
    for (idx, &game) in (0..plan.n_matches).zip(games) {
        if report.violations.len() >= VIOLATIONS_MAX {
            break;
        }
        let seed = plan.seed.wrapping_add(idx);
        game(plan, seed, &mut report);
    }
    report
}

/// Plays one match of a game.
pub fn play<S: Simulated>(plan: &Plan, seed: u64, report: &mut Report) {
    let tally = report
        .games
        .entry(<S::Game>::NAME)
        .or_insert_with(Tally::of::<S>);
    let mut world = World::<S>::new(seed, plan);
    world.run();
    let violations = world.finish(plan.verifies(seed), tally);
    report.violations.extend(violations);
    let leaks = seed.is_multiple_of(plan.leak_every.max(1));
    if let Some(checked) = leaks.then(|| leak::check::<S>(seed, plan)).flatten() {
        tally.n_leak_checks += 1;
        report.violations.extend(checked.err());
    }
}

impl Tally {
    fn of<S: Simulated>() -> Tally {
        Tally {
            n_matches: 0,
            seats: BTreeMap::new(),
            n_with_shared_screen: 0,
            n_with_bots: 0,
            simulated_ms: 0,
            n_events: 0,
            n_crashes: 0,
            n_verified: 0,
            n_leak_checks: 0,
            ends: BTreeMap::new(),
            cells: Cells::of::<S>(),
        }
    }
}
