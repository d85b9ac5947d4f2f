//! The arena: agents meet in pairs, in both seats with the same dice.
//!
//! Every two agents meet in *bouts* of two matches. The second match has the same chance and
//! swapped seats, so that neither the dice nor the first move favors one of them. Bout `i` of every
//! pairing draws from child `i` of the seed, so pairings are comparable too. A bout depends only on
//! the plan, so an interrupted run can be resumed and ends with the same result.

mod report;
mod times;

use std::collections::BTreeSet;

use kernel::rng::{Generator, Seed, SeedSequence};
use kernel::{Close, Outcome, Recorded, Seat};
use serde::{Deserialize, Serialize};

pub use report::{AgentReport, DecisionTimes, PairingReport, Report};
pub use times::Times;
use times::{Clock, Timed};

use crate::simulate::{Stage, Streams};
use crate::{Agent, Playout, crew};

/// The maximum number of agents in an arena.
pub const AGENTS_MAX: usize = 64;

/// The agents that meet, and the number of bouts.
pub struct Plan<'a, G: Recorded> {
    /// The setup of every match. Anything it leaves open is drawn for each bout, the same for all
    /// pairings.
    pub setup: &'a G::Setup,
    /// The agents; every two of them meet.
    pub agents: &'a [Box<dyn Agent<G>>],
    /// The number of bouts, of two matches each, between every two agents.
    pub n_bouts: u32,
    /// The seed that bouts draw from.
    pub seed: Seed,
    /// The number of threads.
    pub n_threads: usize,
}

/// The identity of a bout within a plan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct BoutId {
    /// The index of the agent that has the first seat in the first match.
    pub first: usize,
    /// The index of its opponent.
    pub second: usize,
    /// The number of the bout within the pairing.
    pub number: u32,
}

/// Two matches with the same chance and swapped seats.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bout {
    /// The bout's identity.
    #[serde(flatten)]
    pub id: BoutId,
    /// The first match, and the one with swapped seats.
    pub matches: [BoutMatch; 2],
    /// The decision times of each agent, the first agent's first.
    pub times: [Times; 2],
}

/// One match of a bout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BoutMatch {
    /// The agent that won, if one did.
    pub winner: Winner,
    /// True if the game's step limit cut it off.
    pub truncated: bool,
    /// The number of the last turn or round.
    pub turns: u32,
    /// The number of steps of every kind.
    pub steps: u64,
}

/// The winner of a match of a bout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Winner {
    /// The bout's first agent.
    First,
    /// The bout's second agent.
    Second,
    /// Neither agent, or both.
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

    /// Plays every bout that is not in `done`, and passes each to `keep` as it ends, in any order.
    /// The first fault ends the run. Refuses a setup that declares a test match, since those must
    /// not affect ratings.
    pub fn run(
        &self,
        done: &BTreeSet<BoutId>,
        keep: &(dyn Fn(Bout) -> Result<(), String> + Sync),
    ) -> Result<(), String> {
        if G::start(self.setup).is_test() {
            let message = "the setup declares a test match, which cannot rank agents";
            return Err(message.to_owned());
        }
        let todo: Vec<BoutId> = self.bouts().filter(|id| !done.contains(id)).collect();
        let worker = || Ring::new(self);
        crew::share(self.n_threads, todo.len(), worker, |ring, idx| {
            ring.fight(todo[idx]).and_then(keep)
        })?;
        Ok(())
    }
}

/// The state of one thread that plays bouts.
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

    /// Seats alternate between the two agents; in the second match the second agent begins.
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

/// The winner: the agent whose best seat did better.
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
