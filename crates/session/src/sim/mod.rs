//! Thousands of matches in virtual time, exposed to everything that can go wrong.
//!
//! One match is one game and one seed. The network, the clients, the disk and the crashes all draw
//! from the seed, so it reproduces a failure exactly. A run of `n` matches from seed `s` plays the
//! seeds `s`, `s + 1` and so on, taking its games in turn. A game implements [`Simulated`] to take
//! part.
//!
//! The checker keeps its own books from what leaves the session (stored bytes, messages,
//! settlements) and from the rules of the game. It never asks the session for its state.

mod cells;
mod checker;
mod client;
mod draw;
mod fate;
mod generic;
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
pub use generic::Generic;
pub use simulated::{Action, Ask, Mind, Notion, Setup, Shows, Simulated, Word};
pub use words::{Composer, Wordy};

use crate::Ms;
use kernel::Game;
use world::World;

/// The matches and checks of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The games, played in turn.
    pub games: Vec<Simulation>,
    /// The seed of the first match.
    pub seed: u64,
    /// The number of matches to play.
    pub n_matches: u64,
    /// Matches whose seed is a multiple of this are also verified offline, from their record alone,
    /// and the views that they send are compared with the rules.
    pub verify_every: u64,
    /// Matches whose seed is a multiple of this are also played twice up to the reveal, with a
    /// different secret in one seat, to check that the other seats receive the same bytes.
    pub leak_every: u64,
    /// The bug to plant, if any.
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

/// The result of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The counts, by the name of the game.
    pub games: BTreeMap<&'static str, Tally>,
    /// The broken promises: at most [`VIOLATIONS_MAX`] are kept.
    pub violations: Vec<Violation>,
}

/// The counts over the matches of one game.
#[derive(Clone, Debug, Serialize)]
pub struct Tally {
    /// The number of matches that were played.
    pub n_matches: u64,
    /// The number of matches by their number of seats.
    pub seats: BTreeMap<usize, u64>,
    /// The number of matches in which people shared a screen.
    pub n_with_shared_screen: u64,
    /// The number of matches with bots.
    pub n_with_bots: u64,
    /// The number of decisions that their bots made.
    pub n_bot_decisions: u64,
    /// The virtual time that passed in them, in milliseconds.
    pub simulated_ms: Ms,
    /// The number of events that they stored.
    pub n_events: u64,
    /// The number of crashes that they survived.
    pub n_crashes: u64,
    /// The number of records that were verified offline.
    pub n_verified: u64,
    /// The number of matches that were played again with a different secret.
    pub n_leak_checks: u64,
    /// The number of matches by the way they ended.
    pub ends: BTreeMap<String, u64>,
    /// The faults by the phases in which they struck.
    pub cells: Cells,
}

/// The maximum number of violations in a report. Later ones are not counted.
pub const VIOLATIONS_MAX: usize = 100;

/// A promise that was broken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Violation {
    /// The name of the game.
    pub game: &'static str,
    /// The seed of the match: run one match of the game from it to reproduce the violation.
    pub seed: u64,
    /// The stable code of the promise.
    pub code: &'static str,
    /// A sentence that says what was observed.
    pub message: String,
}

/// Runs the matches of a plan, one after another.
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

/// Plays the match with this seed and adds its counts and violations to the report.
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
            n_bot_decisions: 0,
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
