//! The results of a simulation.

use std::collections::{BTreeMap, BTreeSet};

use kernel::json::Hash;
use kernel::{Close, Outcome, Recorded, Seat};
use serde::Serialize;

use crate::{Agent, Interval, Played, wilson_95};

/// The results of a simulation.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The number of matches played.
    pub games: u64,
    /// The number of different setups: more than one if each match draws what the setup leaves
    /// open.
    pub setups: u64,
    /// Steps of every kind.
    pub steps: u64,
    /// Decisions of single seats.
    pub decisions: u64,
    /// Turns in which at least one seat decided: simultaneous decisions count once.
    pub joint_decisions: u64,
    /// Turns or rounds, as the game counts them.
    pub turns: u64,
    /// The results of each seat.
    pub seats: Vec<SeatReport>,
    /// Matches that nobody won or lost.
    pub draws: u64,
    /// Matches cut off by the game's step limit.
    pub truncated: u64,
    /// The number of matches for each outcome.
    pub outcomes: BTreeMap<String, u64>,
    /// A hash of the result and length of every match, in order: the same for the same seed,
    /// whatever the number of threads.
    pub digest: Hash,
    /// A hash of the final state hash of every match, in order, if they were kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_hashes: Option<Hash>,
}

/// The results of one seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeatReport {
    /// The index of the seat.
    pub player_id: usize,
    /// The agent that played it.
    pub agent: String,
    /// Matches won.
    pub wins: u64,
    /// Matches lost.
    pub losses: u64,
    /// The share of matches won, with its 95 % bounds.
    pub win_rate: Interval,
}

/// Sums over matches, and the input of their digests.
#[derive(Default)]
pub(super) struct Tally {
    games: u64,
    steps: u64,
    decisions: u64,
    joint_decisions: u64,
    turns: u64,
    draws: u64,
    truncated: u64,
    wins: [u64; 16],
    losses: [u64; 16],
    outcomes: Vec<(Outcome, u64)>,
    /// The hashes of setups that were drawn for a match.
    setups: BTreeSet<[u8; 32]>,
    /// Results and lengths, until sealed; then the hashes of chunks.
    results: Vec<u8>,
    hashes: Vec<u8>,
}

impl Tally {
    /// Counts the setup of a match if it was drawn for it.
    #[inline]
    pub(super) fn count_setup<S: Serialize>(&mut self, setup: Option<&S>) -> Result<(), String> {
        if let Some(setup) = setup {
            let hash = Hash::of(setup).map_err(|error| error.to_string())?;
            self.setups.insert(*hash.as_bytes());
        }
        Ok(())
    }

    #[inline]
    pub(super) fn count(&mut self, played: &Played, hash: Option<Hash>) {
        self.games += 1;
        self.steps += played.n_steps;
        self.decisions += played.n_decisions;
        self.joint_decisions += played.n_joint_decisions;
        self.turns += u64::from(played.n_turns);
        let outcome = &played.outcome;
        self.truncated += u64::from(outcome.close == Close::Truncated);
        self.count_outcome(outcome);
        let mut result = [0; 9];
        result[..8].copy_from_slice(&played.n_steps.to_le_bytes());
        result[8] = outcome.score(Seat::FIRST) as u8;
        self.results.extend_from_slice(&result);
        if let Some(hash) = hash {
            self.hashes.extend(hash.as_bytes());
        }
    }

    #[inline]
    fn count_outcome(&mut self, outcome: &Outcome) {
        let known = self.outcomes.iter_mut().find(|(known, _)| known == outcome);
        match known {
            Some((_, n)) => *n += 1,
            None => self.outcomes.push((*outcome, 1)),
        }
    }

    /// Folds a chunk's results into one hash, so that long runs stay small.
    pub(super) fn seal(&mut self) {
        for bytes in [&mut self.results, &mut self.hashes] {
            if !bytes.is_empty() {
                *bytes = Hash::of_bytes(bytes).as_bytes().to_vec();
            }
        }
    }

    /// Adds the tally of a later chunk.
    pub(super) fn add(&mut self, later: Tally) {
        self.games += later.games;
        self.steps += later.steps;
        self.decisions += later.decisions;
        self.joint_decisions += later.joint_decisions;
        self.turns += later.turns;
        self.truncated += later.truncated;
        self.setups.extend(later.setups);
        self.results.extend(later.results);
        self.hashes.extend(later.hashes);
        for (outcome, n) in later.outcomes {
            match self
                .outcomes
                .iter_mut()
                .find(|(known, _)| *known == outcome)
            {
                Some((_, sum)) => *sum += n,
                None => self.outcomes.push((outcome, n)),
            }
        }
    }

    pub(super) fn report<G: Recorded>(mut self, agents: &[Box<dyn Agent<G>>]) -> Report {
        for (outcome, n) in &self.outcomes {
            let scores: Vec<i8> = Seat::first(agents.len())
                .map(|it| outcome.score(it))
                .collect();
            for (idx, score) in scores.iter().enumerate() {
                self.wins[idx] += if *score > 0 { *n } else { 0 };
                self.losses[idx] += if *score < 0 { *n } else { 0 };
            }
            self.draws += if scores.iter().all(|score| *score == 0) {
                *n
            } else {
                0
            };
        }
        let seat = |idx: usize| SeatReport {
            player_id: idx,
            agent: agents[idx].name().to_owned(),
            wins: self.wins[idx],
            losses: self.losses[idx],
            win_rate: wilson_95(self.wins[idx], self.games),
        };
        Report {
            games: self.games,
            setups: self.setups.len().max(1) as u64,
            steps: self.steps,
            decisions: self.decisions,
            joint_decisions: self.joint_decisions,
            turns: self.turns,
            seats: (0..agents.len()).map(seat).collect(),
            draws: self.draws,
            truncated: self.truncated,
            outcomes: self
                .outcomes
                .iter()
                .map(|(it, n)| (it.to_string(), *n))
                .collect(),
            digest: Hash::of_bytes(&self.results),
            final_hashes: (!self.hashes.is_empty()).then(|| Hash::of_bytes(&self.hashes)),
        }
    }
}
