//! Many matches on several threads. The result does not depend on the number of threads.

mod report;
mod streams;

use std::fmt::Display;
use std::sync::atomic::{AtomicU64, Ordering};

use kernel::json::Hash;
use kernel::rng::{Seed, SeedSequence};
use kernel::{MatchId, Recorded, Source, Table};

use report::Tally;
pub use report::{Report, SeatReport};
use streams::Ahead;
pub use streams::Streams;

use crate::playout::play_from;
use crate::{Agent, crew, play_recorded};

/// Matches per chunk. Chunks are handed out and merged in order, so the result does not depend on
/// the number of threads or their timing.
const GAMES_PER_CHUNK: u32 = 1024;

/// The parameters of a simulation.
pub struct Plan<'a, G: Recorded> {
    /// The setup of every match. Anything it leaves open is drawn for each match.
    pub setup: &'a G::Setup,
    /// The agents, by seat.
    pub agents: &'a [Box<dyn Agent<G>>],
    /// The number of matches.
    pub n_games: u32,
    /// Match `i` draws from the NumPy seed sequences of this seed with spawn keys
    /// `(i, 0)` for chance, `(i, 1, seat)` for the agent in each seat, `(i, 2)` for the
    /// match's id and `(i, 3)` for what its setup leaves open.
    pub seed: Seed,
    /// The number of threads.
    pub n_threads: usize,
    /// The parts of each match to keep.
    pub keep: Keep<'a>,
}

/// The parts of each match to keep in addition to the tally.
#[derive(Clone, Copy)]
pub enum Keep<'a> {
    /// Nothing else.
    Tally,
    /// The hash of its last state, in the report's `final_hashes`.
    Hashes,
    /// Its record, passed to this function with the match's number; the hashes too.
    Records(&'a (dyn Fn(u32, Vec<u8>) -> Result<(), String> + Sync)),
}

/// Plays all matches and increments `n_done` after each, for a progress bar. Returns the first
/// fault in the order of matches: a record that could not be stored, or an agent that broke the
/// rules or failed.
pub fn run<G: Recorded>(plan: &Plan<'_, G>, n_done: &AtomicU64) -> Result<Report, String> {
    let n_chunks = plan.n_games.div_ceil(GAMES_PER_CHUNK);
    let worker = || Worker::new(plan);
    let chunks = crew::share(plan.n_threads, n_chunks as usize, worker, |worker, idx| {
        worker.play_chunk(idx as u32, n_done)
    })?;
    let mut total = Tally::default();
    chunks.into_iter().for_each(|chunk| total.add(chunk));
    Ok(total.report(plan.agents))
}

struct Worker<'a, 'p, G: Recorded> {
    plan: &'a Plan<'p, G>,
    agents: Vec<Box<dyn Agent<G>>>,
    ahead: Ahead,
}

impl<'a, 'p, G: Recorded> Worker<'a, 'p, G> {
    fn new(plan: &'a Plan<'p, G>) -> Worker<'a, 'p, G> {
        Worker {
            plan,
            agents: plan.agents.iter().map(|agent| agent.again()).collect(),
            ahead: Ahead::new(SeedSequence::new(&plan.seed, &[]), plan.agents.len()),
        }
    }

    fn play_chunk(&mut self, chunk_idx: u32, n_done: &AtomicU64) -> Result<Tally, String> {
        let first = chunk_idx * GAMES_PER_CHUNK;
        let last = first.saturating_add(GAMES_PER_CHUNK).min(self.plan.n_games);
        let mut tally = Tally::default();
        let mut stage = Stage::<G>::new(self.plan.setup);
        for game_idx in first..last {
            let at_match = |fault: &dyn Display| format!("match {game_idx}: {fault}");
            let (streams, rngs) = self.ahead.of_match(game_idx);
            tally.count_setup(stage.set(streams))?;
            if let Keep::Records(keep) = self.plan.keep {
                let recorded = play_recorded(&stage.setup, &mut self.agents, streams);
                let (played, record, hash) = recorded.map_err(|fault| at_match(&fault))?;
                tally.count(&played, Some(hash));
                keep(game_idx, record)?;
                continue;
            }
            let mut position = stage.start.clone();
            let played = play_from(&mut self.agents, rngs, &mut position, streams);
            let played = played.map_err(|fault| at_match(&fault))?;
            let keeps_hash = matches!(self.plan.keep, Keep::Hashes);
            tally.count(&played, keeps_hash.then(|| final_hash(position, streams)));
        }
        tally.seal();
        n_done.fetch_add(u64::from(last - first), Ordering::Relaxed);
        Ok(tally)
    }
}

/// The setup and starting position of one match after another.
pub struct Stage<'a, G: Recorded> {
    given: &'a G::Setup,
    is_open: bool,
    /// The setup of the current match.
    pub setup: G::Setup,
    /// The starting position of the current match.
    pub start: G,
}

impl<'a, G: Recorded> Stage<'a, G> {
    /// Prepares matches with this setup.
    pub fn new(given: &'a G::Setup) -> Stage<'a, G> {
        Stage {
            given,
            is_open: G::leaves_open(given),
            setup: given.clone(),
            start: G::start(given),
        }
    }

    /// Draws what the setup leaves open for the match with these streams. Returns the match's setup
    /// if it differs from the given one.
    #[inline]
    pub fn set(&mut self, streams: &Streams) -> Option<&G::Setup> {
        if !self.is_open {
            return None;
        }
        self.setup = G::draw_setup(self.given, &mut streams.setup());
        self.start = G::start(&self.setup);
        Some(&self.setup)
    }
}

/// The hash that a record of this match would end with.
fn final_hash<G: Recorded>(position: G, streams: &mut Streams) -> Hash {
    let game_id = MatchId::draw(&mut streams.identity());
    let source = Source::Open(streams.chance().clone());
    Table::at(position, game_id, source).state_hash()
}
