//! Agents against each other, each pair in both seats with the same dice.
//!
//! Every two agents meet in *bouts* of two matches: the second has the same chance and
//! swapped seats, so that neither the dice nor who begins favours one. Bout `i` of every
//! pairing draws from the seed's child `i`, so pairings are comparable too. A bout depends on
//! nothing but the plan, so a run that was cut off goes on with what it has and ends with
//! the same result.

mod report;
mod times;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use kernel::rng::{Generator, Seed, SeedSequence};
use kernel::{Close, Outcome, Recorded, Seat};
use serde::{Deserialize, Serialize};

pub use report::{AgentReport, DecisionTimes, PairingReport, Report};
pub use times::Times;
use times::{Clock, Timed};

use crate::simulate::{Stage, Streams};
use crate::{Agent, Playout};

/// The most agents that meet.
pub const AGENTS_MAX: usize = 64;

/// Who meets, and how often.
pub struct Plan<'a, G: Recorded> {
    /// The setup of every match. What it leaves open is drawn for each bout, and the same for all
    /// pairings.
    pub setup: &'a G::Setup,
    /// Who meets: every two of them.
    pub agents: &'a [Box<dyn Agent<G>>],
    /// How many bouts, of two matches each, every two agents fight.
    pub n_bouts: u32,
    /// What bouts draw from.
    pub seed: Seed,
    /// How many threads.
    pub n_threads: usize,
}

/// Which bout it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct BoutId {
    /// The agent that has the first seat in the first match.
    pub first: usize,
    /// The other one.
    pub second: usize,
    /// The number of the bout among theirs.
    pub number: u32,
}

/// Two matches with the same chance and swapped seats.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bout {
    /// Which one it is.
    #[serde(flatten)]
    pub id: BoutId,
    /// The first match, and the one with swapped seats.
    pub matches: [BoutMatch; 2],
    /// How long each agent thought, the first one's first.
    pub times: [Times; 2],
}

/// One match of a bout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BoutMatch {
    /// Who won.
    pub winner: Winner,
    /// Whether it was cut off by the game's bound.
    pub truncated: bool,
    /// The number of the last turn or round.
    pub turns: u32,
    /// Steps of every kind.
    pub steps: u64,
}

/// Which agent of a bout won a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Winner {
    /// The first one.
    First,
    /// The second one.
    Second,
    /// Neither, or both.
    Nobody,
}

impl<G: Recorded> Plan<'_, G> {
    /// Every bout, in order.
    pub fn bouts(&self) -> impl Iterator<Item = BoutId> {
        let (n_agents, n_bouts) = (self.agents.len(), self.n_bouts);
        (0..n_agents).flat_map(move |first| {
            (first + 1..n_agents).flat_map(move |second| {
                (0..n_bouts).map(move |number| BoutId {
                    first,
                    second,
                    number,
                })
            })
        })
    }

    /// Fights every bout that is not among `done`, and hands each to `keep` as it ends, in
    /// any order. The first fault ends the run. Test matches rank nobody: they are refused.
    pub fn run(
        &self,
        done: &BTreeSet<BoutId>,
        keep: &(dyn Fn(Bout) -> Result<(), String> + Sync),
    ) -> Result<(), String> {
        if G::start(self.setup).is_test() {
            let message = "the setup declares a test match: no agent is ranked by it";
            return Err(message.to_owned());
        }
        let todo: Vec<BoutId> = self.bouts().filter(|id| !done.contains(id)).collect();
        let next = AtomicUsize::new(0);
        let fault: Mutex<Option<String>> = Mutex::new(None);
        let work = || {
            let mut ring = Ring::new(self);
            while let Some(id) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                if let Err(message) = ring.fight(*id).and_then(keep) {
                    next.store(todo.len(), Ordering::Relaxed);
                    let mut fault = fault.lock().unwrap_or_else(PoisonError::into_inner);
                    fault.get_or_insert(message);
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.n_threads {
                scope.spawn(work);
            }
            work();
        });
        let fault = fault.into_inner().unwrap_or_else(PoisonError::into_inner);
        fault.map_or(Ok(()), Err)
    }
}

/// What one thread needs to let agents meet.
struct Ring<'a, 'p, G: Recorded> {
    plan: &'a Plan<'p, G>,
    run: SeedSequence,
    rngs: Vec<Generator>,
}

impl<'a, 'p, G: Recorded> Ring<'a, 'p, G> {
    fn new(plan: &'a Plan<'p, G>) -> Ring<'a, 'p, G> {
        Ring {
            plan,
            run: SeedSequence::new(&plan.seed, &[]),
            rngs: Vec::new(),
        }
    }

    fn fight(&mut self, id: BoutId) -> Result<Bout, String> {
        let clocks = [Clock::default(), Clock::default()];
        let mut stage = Stage::<G>::new(self.plan.setup);
        stage.set(&Streams::new(&self.run, id.number));
        let mut matches = [None, None];
        for (swapped, place) in matches.iter_mut().enumerate() {
            *place = Some(self.play(id, swapped, stage.start.clone(), &clocks)?);
        }
        let [Some(one), Some(two)] = matches else {
            return Err("a bout has two matches".to_owned());
        };
        Ok(Bout {
            id,
            matches: [one, two],
            times: clocks.map(Clock::times),
        })
    }

    /// Seats alternate between the two; the second match begins with the other one.
    fn play(
        &mut self,
        id: BoutId,
        swapped: usize,
        mut position: G,
        clocks: &[Clock; 2],
    ) -> Result<BoutMatch, String> {
        let side = |seat: usize| (seat + swapped) % 2;
        let mut agents: Vec<Box<dyn Agent<G>>> = (0..position.n_seats())
            .map(|seat| {
                let agent = &self.plan.agents[[id.first, id.second][side(seat)]];
                Timed::seat(agent.again(), clocks[side(seat)].clone())
            })
            .collect();
        let n_seats = agents.len();
        let mut playout = Playout {
            agents: &mut agents,
            agent_rngs: &mut self.rngs,
        };
        let mut streams = Streams::new(&self.run, id.number);
        let played = playout.play(&mut position, &mut streams);
        let played = played.map_err(|fault| {
            let number = id.number;
            format!("bout {number}, match {}: {fault}", swapped + 1)
        })?;
        Ok(BoutMatch {
            winner: winner(&played.outcome, n_seats, side),
            truncated: played.outcome.close == Close::Truncated,
            turns: played.n_turns,
            steps: played.n_steps,
        })
    }
}

/// Who won: the side whose best seat did better.
fn winner(outcome: &Outcome, n_seats: usize, side: impl Fn(usize) -> usize) -> Winner {
    let best = |wanted: usize| {
        let seats = Seat::first(n_seats).filter(|seat| side(seat.index()) == wanted);
        seats.map(|seat| outcome.score(seat)).max()
    };
    match best(0).cmp(&best(1)) {
        std::cmp::Ordering::Greater => Winner::First,
        std::cmp::Ordering::Less => Winner::Second,
        std::cmp::Ordering::Equal => Winner::Nobody,
    }
}
