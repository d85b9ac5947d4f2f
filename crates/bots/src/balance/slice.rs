//! The matches of a plan in slices, for a caller that has little time at once.

use std::sync::Arc;

use kernel::rng::Generator;
use kernel::{Agent, Game, Perspective, Recorded};

use super::{LineUp, Match, Plan, Worker};

/// The limits of a slice.
pub trait Pace: Send + Sync + 'static {
    /// True if another match may begin.
    fn may_begin(&self) -> bool;

    /// True if the match that has begun may continue.
    fn may_continue(&self) -> bool;
}

/// The matches of one slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slice {
    /// The matches that ended, in order.
    pub matches: Vec<Match>,
    /// True if a match was stopped. It has no result, and a later slice plays it from its start.
    pub was_stopped: bool,
}

impl<G: Recorded> Plan<'_, G> {
    /// Plays matches from number `from` on in this thread, until all are played or the pace ends
    /// the slice. All slices together have the same matches as [`run`](Plan::run). Returns the
    /// fault of the first agent that failed.
    pub fn slice(&self, from: u32, pace: &Arc<impl Pace>) -> Result<Slice, String> {
        let seated = |line_up: &LineUp<G>| -> LineUp<G> {
            let watched = line_up.iter().map(|it| Watched {
                agent: it.again(),
                pace: Arc::clone(pace),
            });
            watched
                .map(|it| Box::new(it) as Box<dyn Agent<G>>)
                .collect()
        };
        let mut worker = Worker {
            plan: self,
            line_ups: self.line_ups.iter().map(seated).collect(),
            rngs: Vec::new(),
        };
        let mut slice = Slice {
            matches: Vec::new(),
            was_stopped: false,
        };
        let mut stage = None;
        for number in from..self.n_matches() {
            if !pace.may_begin() {
                break;
            }
            let setup = number / self.n_per_setup();
            let stage = match &mut stage {
                Some((known, stage)) if *known == setup => stage,
                other => &mut other.insert((setup, worker.stage(setup))).1,
            };
            match worker.play(stage, number) {
                Ok(played) => slice.matches.push(played),
                Err(_) if !pace.may_continue() => {
                    slice.was_stopped = true;
                    break;
                }
                Err(fault) => return Err(fault),
            }
        }
        Ok(slice)
    }
}

/// An agent that gives up when the pace does not let the match continue.
struct Watched<G, P> {
    agent: Box<dyn Agent<G>>,
    pace: Arc<P>,
}

impl<G: Game, P: Pace> Agent<G> for Watched<G, P> {
    fn name(&self) -> &str {
        self.agent.name()
    }

    fn begin(&mut self) {
        self.agent.begin();
    }

    fn choose(&mut self, seen: &Perspective<'_, G>, rng: &mut Generator) -> Option<G::Action> {
        match self.pace.may_continue() {
            true => self.agent.choose(seen, rng),
            false => None,
        }
    }

    fn fault(&self) -> Option<String> {
        match self.pace.may_continue() {
            true => self.agent.fault(),
            false => Some("stopped".to_owned()),
        }
    }

    fn again(&self) -> Box<dyn Agent<G>> {
        Box::new(Watched {
            agent: self.agent.again(),
            pace: Arc::clone(&self.pace),
        })
    }
}
