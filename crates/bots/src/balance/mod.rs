//! How even a setup is: many matches in many drawn setups, with rates by seat.

mod report;
mod slice;

use std::sync::atomic::{AtomicU64, Ordering};

use kernel::rng::{Generator, Seed, SeedSequence};
use kernel::{Outcome, Recorded};

pub use report::{Lengths, Report, SeatRate, SkillReport, even_rates, may_be_even};
pub use slice::{Pace, Slice};

use crate::simulate::{Stage, Streams};
use crate::{Agent, Playout, crew};

/// The agents of one match, by seat.
pub type LineUp<G> = Vec<Box<dyn Agent<G>>>;

/// The matches of a balance report.
pub struct Plan<'a, G: Recorded> {
    /// The setup. Anything it leaves open is drawn [`n_setups`](Plan::n_setups) times.
    pub setup: &'a G::Setup,
    /// The line-ups, at least one; matches take them in turn.
    pub line_ups: &'a [LineUp<G>],
    /// The number of setups to draw; 1 is used if the setup leaves nothing open.
    pub n_setups: u32,
    /// The number of matches, spread evenly over the setups and rounded up.
    pub n_games: u32,
    /// Setup `i` is drawn from the seed sequence with spawn key `(0, i)`, and match `j` with
    /// `(1, j)`.
    pub seed: Seed,
    /// The number of threads, which does not change the result.
    pub n_threads: usize,
}

/// The result of one match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Match {
    /// The number of its setup.
    pub setup: u32,
    /// The index of its line-up.
    pub line_up: usize,
    /// Its outcome.
    pub outcome: Outcome,
    /// The number of its last turn or round.
    pub n_turns: u32,
}

impl<G: Recorded> Plan<'_, G> {
    /// The number of setups that are used.
    pub fn n_setups(&self) -> u32 {
        match G::leaves_open(self.setup) {
            true => self.n_setups.clamp(1, self.n_games.max(1)),
            false => 1,
        }
    }

    /// The number of matches in each setup.
    fn n_per_setup(&self) -> u32 {
        self.n_games.div_ceil(self.n_setups())
    }

    /// The number of matches that are played.
    pub fn n_matches(&self) -> u32 {
        self.n_setups() * self.n_per_setup()
    }

    /// Plays all matches and returns them in order. Adds to `n_done` for a progress bar. Returns
    /// the fault of the first agent that failed.
    pub fn run(&self, n_done: &AtomicU64) -> Result<Vec<Match>, String> {
        let worker = || Worker {
            plan: self,
            line_ups: self.line_ups.iter().map(again).collect(),
            rngs: Vec::new(),
        };
        let n_setups = self.n_setups() as usize;
        let played = crew::share(self.n_threads, n_setups, worker, |worker, idx| {
            worker.play_setup(idx as u32, n_done)
        })?;
        Ok(played.into_iter().flatten().collect())
    }
}

fn again<G: Recorded>(line_up: &LineUp<G>) -> LineUp<G> {
    line_up.iter().map(|it| it.again()).collect()
}

struct Worker<'a, 'p, G: Recorded> {
    plan: &'a Plan<'p, G>,
    line_ups: Vec<LineUp<G>>,
    rngs: Vec<Generator>,
}

impl<'p, G: Recorded> Worker<'_, 'p, G> {
    fn play_setup(&mut self, setup: u32, n_done: &AtomicU64) -> Result<Vec<Match>, String> {
        let stage = self.stage(setup);
        let n = self.plan.n_per_setup();
        let mut played = Vec::new();
        for number in setup * n..(setup + 1) * n {
            played.push(self.play(&stage, number)?);
            n_done.fetch_add(1, Ordering::Relaxed);
        }
        Ok(played)
    }

    fn stage(&self, setup: u32) -> Stage<'p, G> {
        let setups = SeedSequence::new(&self.plan.seed, &[0]);
        let mut stage = Stage::<G>::new(self.plan.setup);
        stage.set(&Streams::new(&setups, setup));
        stage
    }

    fn play(&mut self, stage: &Stage<'_, G>, number: u32) -> Result<Match, String> {
        let matches = SeedSequence::new(&self.plan.seed, &[1]);
        let line_up = number as usize % self.line_ups.len();
        let mut playout = Playout {
            agents: &mut self.line_ups[line_up],
            agent_rngs: &mut self.rngs,
        };
        let mut position = stage.start.clone();
        let end = playout.play(&mut position, &mut Streams::new(&matches, number));
        let end = end.map_err(|fault| format!("match {number}: {fault}"))?;
        Ok(Match {
            setup: number / self.plan.n_per_setup(),
            line_up,
            outcome: end.outcome,
            n_turns: end.n_turns,
        })
    }
}
