//! The promises of every game, as checks that run on any game.
//!
//! A game's tests make one [`Suite`] and call [`Suite::run`]. Each check plays random matches and
//! looks at every position along the way. Toy games that break one promise each prove that every
//! check can fail.

mod actions;
mod documents;
mod driver;
mod hidden;
mod notation;
mod resources;
mod shortcuts;

use std::fmt;

use crate::rng::{Generator, GeneratorKind, Seed};
use crate::{Describe, Game, Observe, Recorded, Redraw, json};

/// The parameters for running all checks on one game.
pub struct Suite<G: Game> {
    /// Setups to play: at least one, preferably several that differ.
    pub setups: Vec<G::Setup>,
    /// Random matches per setup and check.
    pub n_matches: u32,
    /// The seed of the run, which makes it repeatable.
    pub seed: u64,
    /// The maximum size of a position in bytes.
    pub position_bytes_max: usize,
    /// Declares whether the game has secrets. If it has, redrawing must change something.
    pub secrets: Secrets,
    /// Declares whether a step may allocate.
    pub memory: Memory,
    /// Runs the closure and returns the number of its allocations. A counting allocator belongs to
    /// the test program, not to the kernel.
    pub count_allocations: fn(&mut dyn FnMut()) -> u64,
}

/// Reads a setup, for tests.
///
/// # Panics
/// Panics with all faults of the document.
pub fn setup<G: Recorded>(text: &str) -> G::Setup {
    let json = json::read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    G::read_setup(&json).unwrap_or_else(|faults| panic!("{text}: {faults}"))
}

/// Declares whether a game hides anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Secrets {
    /// Every viewer always knows everything.
    None,
    /// Some viewer does not know something at some point.
    Some,
}

/// Declares whether a step of a game may allocate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// No step allocates.
    PerMatch,
    /// Steps may allocate: for games whose position has no fixed size.
    PerStep,
}

/// A promise that a game broke.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The name of the check that failed.
    pub check: &'static str,
    /// The finding, with the position.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.check, self.message)
    }
}

/// The result of a check: `Err` describes the violation.
type Finding = Result<(), String>;

/// A check over an entire suite.
type Check<G> = fn(&Suite<G>) -> Finding;

impl<G: Game + Redraw + Observe + Describe> Suite<G> {
    /// Every check with its name.
    pub fn checks() -> Vec<(&'static str, Check<G>)> {
        vec![
            ("action ids and actions are one to one", actions::ids_biject),
            ("action texts are unique", actions::texts_are_unique),
            (
                "exactly the open seats have legal actions",
                actions::mask_fits_the_turn,
            ),
            (
                "exactly the masked actions can be played",
                actions::mask_is_legality,
            ),
            (
                "a refused step changes nothing",
                actions::refusals_change_nothing,
            ),
            ("every match ends within its bound", actions::matches_end),
            ("sealed commits commute", actions::sealed_commits_commute),
            (
                "passing time equals single deadlines",
                shortcuts::time_passes,
            ),
            (
                "sealed decisions played together equal single ones",
                shortcuts::sealed_decisions_play_together,
            ),
            (
                "dropping events changes no position",
                shortcuts::events_have_no_effect,
            ),
            (
                "prepared choices are what the mask allows",
                shortcuts::choices_agree_with_the_mask,
            ),
            ("positions keep their form", actions::form_is_kept),
            (
                "chance is forced only in test matches",
                actions::chance_is_forced_in_tests_only,
            ),
            ("snapshots round-trip", documents::snapshots_round_trip),
            (
                "damaged snapshots are refused with every fault",
                documents::damage_is_refused,
            ),
            (
                "positions read back from their notation",
                notation::notation_reads_back,
            ),
            (
                "the same inputs give the same bytes",
                documents::matches_repeat,
            ),
            (
                "replaying a record reproduces every hash",
                documents::records_replay,
            ),
            (
                "secrets do not affect what a viewer sees",
                hidden::secrets_stay_secret,
            ),
            (
                "sealed plays are invisible to others",
                hidden::sealed_plays_are_silent,
            ),
            (
                "observations are complete and in range",
                hidden::observations_fit,
            ),
            (
                "no allocation per step after warm-up",
                resources::steps_do_not_allocate,
            ),
            (
                "a position stays within its budget",
                resources::position_is_small,
            ),
        ]
    }

    /// Runs one check from [`checks`](Suite::checks).
    pub fn run_check(&self, name: &'static str, check: Check<G>) -> Result<(), Violation> {
        check(self).map_err(|message| Violation {
            check: name,
            message,
        })
    }

    /// Runs every check and returns all violations.
    pub fn violations(&self) -> Vec<Violation> {
        Self::checks()
            .into_iter()
            .filter_map(|(name, check)| self.run_check(name, check).err())
            .collect()
    }

    /// Runs every check; the body of a test.
    ///
    /// # Panics
    /// Panics with all violations if the game breaks a promise.
    pub fn run(&self) {
        let listed: Vec<String> = self.violations().iter().map(ToString::to_string).collect();
        assert!(
            listed.is_empty(),
            "{} breaks {} promises:\n{}",
            G::NAME,
            listed.len(),
            listed.join("\n")
        );
    }
}

impl<G: Game> Suite<G> {
    /// The generator of one match of one check.
    fn rng(&self, check: u64, match_idx: u32) -> Generator {
        let seed = Seed::from(self.seed ^ check << 32 ^ u64::from(match_idx));
        Generator::from_seed(GeneratorKind::Pcg64, &seed)
    }
}
