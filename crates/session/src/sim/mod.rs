//! Thousands of matches in virtual time, through everything that can go wrong.
//!
//! One match is one seed: the network, the clients, the disk and the crashes all draw from
//! it, so a seed reproduces a failure exactly. A run of `n` matches from seed `s` plays the
//! seeds `s`, `s + 1` and so on.
//!
//! The checker keeps books of its own from what leaves the session (stored bytes, messages,
//! settlements) and never asks the session what it thinks.
//!
//! ```
//! let report = session::sim::run(&session::sim::Plan::new(7, 20));
//! assert_eq!(report.n_matches, 20);
//! assert!(report.violations.is_empty());
//! ```

mod cells;
mod checker;
mod client;
mod draw;
mod fate;
mod host;
mod leak;
mod network;
mod world;

use serde::Serialize;

pub use cells::{Cell, Cells, Fault, Phase};

use crate::Ms;
use world::World;

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The seed of the first match.
    pub seed: u64,
    /// How many matches.
    pub n_matches: u64,
    /// Matches whose number is a multiple of this are also verified offline, from their
    /// record alone.
    pub verify_every: u64,
    /// Matches whose number is a multiple of this are also played twice up to the first
    /// reveal, with other cards for one seat, to see that the other is sent the same bytes.
    pub leak_every: u64,
    /// A bug to plant.
    #[cfg(feature = "planted")]
    pub planted: Option<crate::Planted>,
}

impl Plan {
    /// A run with the usual checks.
    pub fn new(seed: u64, n_matches: u64) -> Plan {
        Plan {
            seed,
            n_matches,
            verify_every: 8,
            leak_every: 16,
            #[cfg(feature = "planted")]
            planted: None,
        }
    }
}

/// What came of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// How many matches were played.
    pub n_matches: u64,
    /// How much time passed in them.
    pub simulated_ms: Ms,
    /// How many events they stored.
    pub n_events: u64,
    /// How many crashes they survived.
    pub n_crashes: u64,
    /// How many records were verified offline.
    pub n_verified: u64,
    /// How many matches were played again with other cards.
    pub n_leak_checks: u64,
    /// How often each end was reached.
    pub ends: std::collections::BTreeMap<String, u64>,
    /// Which faults struck in which phases.
    pub cells: Cells,
    /// What went wrong: at most [`VIOLATIONS_MAX`] are kept.
    pub violations: Vec<Violation>,
}

/// A report keeps this many violations and counts no further.
pub const VIOLATIONS_MAX: usize = 100;

/// A promise that was broken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Violation {
    /// The seed of the match: run one match from it to see it again.
    pub seed: u64,
    /// Which promise, as a stable code.
    pub code: &'static str,
    /// What was seen.
    pub message: String,
}

/// Runs the matches of a plan, one after the other.
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::default();
    for idx in 0..plan.n_matches {
        if report.violations.len() >= VIOLATIONS_MAX {
            break;
        }
        play(plan, idx, &mut report);
    }
    report
}

fn play(plan: &Plan, idx: u64, report: &mut Report) {
    let seed = plan.seed.wrapping_add(idx);
    let mut world = World::new(seed, plan);
    world.run();
    report.n_matches += 1;
    world.finish(seed.is_multiple_of(plan.verify_every.max(1)), report);
    if seed.is_multiple_of(plan.leak_every.max(1)) {
        report.n_leak_checks += 1;
        report.violations.extend(leak::check(seed, plan));
    }
}
