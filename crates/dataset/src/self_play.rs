//! Datasets from matches between agents.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use bots::simulate::{Stage, Streams};
use bots::{Agent, Playout};
use kernel::rng::{Generator, Seed, SeedSequence};
use learn::{Encoder, Learn, Space};

use crate::folder::Folder;
use crate::rows::{Rows, Scribe};
use crate::shards::Shards;
use crate::{Fault, Manifest, Options, Source};

/// The maximum number of matches in a dataset.
pub const GAMES_MAX: u32 = 100_000_000;
/// The maximum number of matches played before they are sorted.
const WAVE_MAX: usize = 4096;

/// The matches to play. Match `i` equals match `i` of a simulation with the same setup, agents and
/// seed.
pub struct SelfPlay<'a, G: Learn> {
    /// The setup of every match. Open choices are drawn for each match.
    pub setup: &'a G::Setup,
    /// The agents, by seat.
    pub agents: &'a [Box<dyn Agent<G>>],
    /// The number of matches.
    pub n_games: u32,
    /// The seed of chance and agents.
    pub seed: Seed,
}

/// Plays matches and writes them into a folder, which must be empty or not exist yet. `done`
/// receives the number of matches stored so far.
pub fn self_play<G: Learn>(
    play: &SelfPlay<'_, G>,
    options: &Options,
    out: &Path,
    done: &dyn Fn(u64),
) -> Result<Manifest, Fault> {
    options.check::<G>()?;
    let space =
        Space::new::<G>(play.setup).map_err(|fault| Fault::Options(vec![fault.to_string()]))?;
    play.check(&space)?;
    let rows = Rows::new(space.n_values, space.n_actions, options.number);
    let mut shards = Shards::new(Folder::create(out)?, options, rows);
    let mut workers: Vec<Worker<'_, G>> = (0..options.n_threads)
        .map(|_| Worker::new(play, &space, options))
        .collect();
    let (mut next, mut n_rows) = (0, 0);
    while next < play.n_games {
        let n_wave = wave(options, next, n_rows).min(play.n_games - next);
        for rows in play_wave(&mut workers, next, n_wave) {
            let rows = rows.map_err(Fault::Play)?;
            n_rows += rows.len();
            shards.push(rows)?;
        }
        next += n_wave;
        done(next.into());
    }
    let (folder, entries) = shards.finish()?;
    let source = Source::SelfPlay {
        seats: play.agents.iter().map(|it| it.name().to_owned()).collect(),
        seed: play.seed.to_string(),
        games: play.n_games,
    };
    let setup = play.only_setup();
    let manifest = Manifest::new::<G>(space, setup.as_ref(), source, options, entries)?;
    folder.finish(&manifest.to_text()?)?;
    Ok(manifest)
}

impl<G: Learn> SelfPlay<'_, G> {
    /// The setup that all matches share, if there is one.
    fn only_setup(&self) -> Option<G::Setup> {
        let run = SeedSequence::new(&self.seed, &[]);
        let mut stage = Stage::<G>::new(self.setup);
        let mut setup_of = |game_idx| {
            stage.set(&Streams::new(&run, game_idx));
            stage.setup.clone()
        };
        let first = setup_of(0);
        let is_only =
            !G::leaves_open(self.setup) || (1..self.n_games).all(|it| setup_of(it) == first);
        is_only.then_some(first)
    }

    fn check(&self, space: &Space) -> Result<(), Fault> {
        let mut faults = Vec::new();
        if G::start(self.setup).is_test() {
            faults.push(crate::TEST_MATCH.to_owned());
        }
        let (n_agents, n_seats) = (self.agents.len(), space.n_seats);
        if n_agents != n_seats {
            faults.push(format!("{n_agents} agents for {n_seats} seats"));
        }
        if !(1..=GAMES_MAX).contains(&self.n_games) {
            let n_games = self.n_games;
            faults.push(format!("{n_games} games: expected 1 to {GAMES_MAX}"));
        }
        match faults.is_empty() {
            true => Ok(()),
            false => Err(Fault::Options(faults)),
        }
    }
}

/// The number of matches to play before they are sorted: about a shard, estimated from the lengths
/// so far. It affects only memory use.
fn wave(options: &Options, n_played: u32, n_rows: usize) -> u32 {
    let each = n_rows.div_ceil(n_played.max(1) as usize).max(1);
    let wanted = if n_played == 0 {
        1
    } else {
        options.shard_rows / each
    };
    wanted.clamp(options.n_threads, WAVE_MAX) as u32
}

/// Plays some matches on all threads and returns them in order.
fn play_wave<G: Learn>(
    workers: &mut [Worker<'_, G>],
    first: u32,
    n_games: u32,
) -> Vec<Result<Rows, String>> {
    let taken = AtomicU32::new(0);
    let played: Vec<Mutex<Option<Result<Rows, String>>>> =
        (0..n_games).map(|_| Mutex::new(None)).collect();
    let work = |worker: &mut Worker<'_, G>| {
        loop {
            let idx = taken.fetch_add(1, Ordering::Relaxed);
            let Some(slot) = played.get(idx as usize) else {
                return;
            };
            let rows = worker.play(first + idx);
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(rows);
        }
    };
    thread::scope(|scope| {
        for worker in workers {
            scope.spawn(|| work(worker));
        }
    });
    let rows = |slot: Mutex<Option<_>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
    played.into_iter().filter_map(rows).collect()
}

/// The agents and the row buffer of a thread.
struct Worker<'a, G: Learn> {
    agents: Vec<Box<dyn Agent<G>>>,
    agent_rngs: Vec<Generator>,
    stage: Stage<'a, G>,
    scribe: Scribe,
    run: SeedSequence,
}

impl<'a, G: Learn> Worker<'a, G> {
    fn new(play: &SelfPlay<'a, G>, space: &Space, options: &Options) -> Worker<'a, G> {
        let encoder = Encoder::new::<G>(play.setup);
        Worker {
            agents: play.agents.iter().map(|agent| agent.again()).collect(),
            agent_rngs: Vec::new(),
            stage: Stage::new(play.setup),
            scribe: Scribe::new(encoder, space.n_actions, options),
            run: SeedSequence::new(&play.seed, &[]),
        }
    }

    fn play(&mut self, game_idx: u32) -> Result<Rows, String> {
        let mut streams = Streams::new(&self.run, game_idx);
        self.stage.set(&streams);
        let mut position = self.stage.start.clone();
        let mut playout = Playout {
            agents: &mut self.agents,
            agent_rngs: &mut self.agent_rngs,
        };
        let scribe = &mut self.scribe;
        scribe.begin();
        let watch = |position: &G, seat, action| scribe.decide(position, seat, action);
        let played = playout.play_watched(&mut position, &mut streams, watch);
        let played = played.map_err(|fault| format!("match {game_idx}: {fault}"))?;
        Ok(scribe.end(&position, &played.outcome))
    }
}
