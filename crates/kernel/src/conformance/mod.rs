//! What every game promises, as checks that run on any game.
//!
//! A game's tests make one [`Suite`] and call [`Suite::run`]. Each check plays random
//! matches and looks at every position on the way. That each check can fail is itself
//! tested, with toy games that break one promise each.

mod actions;
mod documents;
mod driver;
mod hidden;
mod resources;

use std::fmt;

use crate::rng::{Generator, GeneratorKind, Seed};
use crate::{Describe, Game, Observe, Redraw};

/// How to put one game through all checks.
pub struct Suite<G: Game> {
    /// Setups to play: at least one, better several that differ.
    pub setups: Vec<G::Setup>,
    /// Random matches per setup and check.
    pub n_matches: u32,
    /// Makes the run repeatable.
    pub seed: u64,
    /// The most bytes a position may have.
    pub position_bytes_max: usize,
    /// Whether somebody cannot know something at some time: then redrawing must show it.
    pub secrets: Secrets,
    /// Whether a step may allocate.
    pub memory: Memory,
    /// Runs something and counts its allocations: a counting allocator belongs to the
    /// test program, not to the kernel.
    pub count_allocations: fn(&mut dyn FnMut()) -> u64,
}

/// Whether a game hides anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Secrets {
    /// Everybody knows everything.
    None,
    /// Some viewer at some time does not know something.
    Some,
}

/// Whether a step of a game may allocate.
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
    /// The check that found it.
    pub check: &'static str,
    /// What was found, with the position.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.check, self.message)
    }
}

/// What a check finds.
type Finding = Result<(), String>;

/// A check over a whole suite.
type Check<G> = fn(&Suite<G>) -> Finding;

impl<G: Game + Redraw + Observe + Describe> Suite<G> {
    /// Every check by name, in the order of the house's promises.
    pub fn checks() -> Vec<(&'static str, Check<G>)> {
        vec![
            ("action ids and actions are one to one", actions::ids_biject),
            ("action texts are unique", actions::texts_are_unique),
            (
                "the mask is not empty exactly for open seats",
                actions::mask_fits_the_turn,
            ),
            (
                "every masked action plays and no other does",
                actions::mask_is_legality,
            ),
            (
                "a refused step changes nothing",
                actions::refusals_change_nothing,
            ),
            ("every match ends within its bound", actions::matches_end),
            ("sealed commits commute", actions::sealed_commits_commute),
            (
                "time passes as one deadline after the other",
                actions::time_passes,
            ),
            ("positions keep their form", actions::form_is_kept),
            (
                "chance is forced in test matches only",
                actions::chance_is_forced_in_tests_only,
            ),
            ("snapshots round-trip", documents::snapshots_round_trip),
            (
                "damaged snapshots are refused with all reasons",
                documents::damage_is_refused,
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
                "what a viewer cannot know changes nothing it sees",
                hidden::secrets_stay_secret,
            ),
            (
                "sealed plays are seen by nobody else",
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
                "a position stays in its budget",
                resources::position_is_small,
            ),
        ]
    }

    /// Runs one check by its place in [`checks`](Suite::checks).
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

    /// Runs every check and fails with all violations.
    ///
    /// # Panics
    /// When the game breaks a promise: this is the body of a test.
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
