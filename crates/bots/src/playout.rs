//! One match between agents.

use std::fmt;

use arrayvec::ArrayVec;
use kernel::json::Hash;
use kernel::record::{Origin, Recorder};
use kernel::rng::Generator;
use kernel::{
    Discard, MatchId, Outcome, Perspective, Recorded, Refusal, SEATS_MAX, Seat, Step, Timestamp,
    Turn,
};

use crate::simulate::Streams;
use crate::{Agent, AgentFault, Random};

/// The result of a match between agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// The outcome of the match.
    pub outcome: Outcome,
    /// Steps of every kind.
    pub n_steps: u64,
    /// Decisions of single seats.
    pub n_decisions: u64,
    /// Turns in which at least one seat decided: simultaneous decisions count once.
    pub n_joint_decisions: u64,
    /// The number of the last turn or round.
    pub n_turns: u32,
}

/// A match between agents with its own clock. Every seat that has not decided is asked. When no
/// seat has to decide, or none of those asked wants to act, the deadline expires.
pub struct Playout<'a, G: Recorded> {
    /// The agents, by seat.
    pub agents: &'a mut [Box<dyn Agent<G>>],
    /// The generator of each agent, by seat; refilled for every match.
    pub agent_rngs: &'a mut Vec<Generator>,
}

impl<G: Recorded> Playout<'_, G> {
    /// Plays to the end without a record and without checking actions: conformance tests ensure
    /// that agents only choose what the mask allows. An agent that cannot continue ends the match
    /// without a result.
    pub fn play(&mut self, position: &mut G, streams: &mut Streams) -> Result<Played, AgentFault> {
        self.play_watched(position, streams, |_, _, _| {})
    }

    /// Plays like [`play`](Playout::play), and shows every decision before it is taken, with the
    /// position it is taken in.
    #[inline]
    pub fn play_watched(
        &mut self,
        position: &mut G,
        streams: &mut Streams,
        mut watch: impl FnMut(&G, Seat, G::Action),
    ) -> Result<Played, AgentFault> {
        seat_agents(self.agents, self.agent_rngs, streams);
        drive(
            &mut Seated(self.agents),
            self.agent_rngs,
            position,
            streams,
            &mut watch,
        )
    }
}

/// Plays like [`Playout::play`] with these generators, one for each seat at its beginning.
#[inline]
pub(crate) fn play_from<G: Recorded>(
    agents: &mut [Box<dyn Agent<G>>],
    rngs: &mut [Generator],
    position: &mut G,
    streams: &mut Streams,
) -> Result<Played, AgentFault> {
    let mut watch = |_: &G, _, _| {};
    if agents.iter().all(|agent| agent.is_uniform()) {
        return drive(&mut Random::default(), rngs, position, streams, &mut watch);
    }
    agents.iter_mut().for_each(|agent| agent.begin());
    drive(&mut Seated(agents), rngs, position, streams, &mut watch)
}

/// The players of all seats.
trait Players<G: Recorded> {
    /// Lets every missing seat of the turn decide once. Time may pass after simultaneous decisions.
    fn decide(
        &mut self,
        turn: &Turn,
        position: &mut G,
        rngs: &mut [Generator],
        tally: &mut Tally,
        watch: &mut impl FnMut(&G, Seat, G::Action),
    ) -> Result<(), AgentFault>;
}

/// An agent in each seat.
struct Seated<'a, G: Recorded>(&'a mut [Box<dyn Agent<G>>]);

impl<G: Recorded> Players<G> for Seated<'_, G> {
    /// A sealed decision of one seat does not change the choices of the others; the conformance
    /// suite checks this for every game.
    #[inline]
    fn decide(
        &mut self,
        turn: &Turn,
        position: &mut G,
        rngs: &mut [Generator],
        tally: &mut Tally,
        watch: &mut impl FnMut(&G, Seat, G::Action),
    ) -> Result<(), AgentFault> {
        for seat in turn.missing().iter() {
            let seen = Perspective::new(&*position, seat);
            let agent = &mut self.0[seat.index()];
            let Some(action) = agent.choose(&seen, &mut rngs[seat.index()]) else {
                fault_of(&**agent, seat)?;
                continue;
            };
            tally.count_decision();
            watch(position, seat, action);
            position.play_trusted(seat, action, &mut Discard);
        }
        Ok(())
    }
}

/// A random decision in every seat, drawn without asking an agent.
impl<G: Recorded> Players<G> for Random {
    #[inline]
    fn decide(
        &mut self,
        turn: &Turn,
        position: &mut G,
        rngs: &mut [Generator],
        tally: &mut Tally,
        watch: &mut impl FnMut(&G, Seat, G::Action),
    ) -> Result<(), AgentFault> {
        let mut plays: ArrayVec<(Seat, G::Action), SEATS_MAX> = ArrayVec::new();
        for seat in turn.missing().iter() {
            let seen = Perspective::new(&*position, seat);
            if let Some(action) = self.choose(&seen, &mut rngs[seat.index()]) {
                tally.count_decision();
                watch(position, seat, action);
                plays.push((seat, action));
            }
        }
        match (turn, plays.as_slice()) {
            (_, []) => {}
            (Turn::Sealed(_), plays) => {
                tally.n_steps += position.play_sealed_trusted(plays, &mut Discard);
            }
            (_, plays) => {
                for &(seat, action) in plays {
                    position.play_trusted(seat, action, &mut Discard);
                }
            }
        }
        Ok(())
    }
}

/// Plays a match to the end.
#[inline]
fn drive<G: Recorded>(
    players: &mut impl Players<G>,
    rngs: &mut [Generator],
    position: &mut G,
    streams: &mut Streams,
    watch: &mut impl FnMut(&G, Seat, G::Action),
) -> Result<Played, AgentFault> {
    let mut tally = Tally::default();
    loop {
        let turn = position.turn();
        match turn {
            Turn::Over(outcome) => return Ok(tally.played(outcome, position.turn_number())),
            Turn::Chance => {
                tally.n_steps += 1;
                let draw = position.odds().draw(streams.chance());
                position.resolve_trusted(draw, &mut Discard);
            }
            Turn::Clock => tally.n_steps += position.pass_time_trusted(&mut Discard),
            Turn::Seat(_) | Turn::Sealed(_) => {
                let n_before = tally.n_decisions;
                players.decide(&turn, position, rngs, &mut tally, watch)?;
                if tally.n_decisions > n_before {
                    tally.n_joint_decisions += 1;
                } else {
                    tally.n_steps += 1;
                    position.deadline_trusted(&mut Discard);
                }
            }
        }
    }
}

/// An agent that chose nothing either lets the time run out or has failed.
#[cold]
fn fault_of<G: Recorded>(agent: &dyn Agent<G>, seat: Seat) -> Result<(), AgentFault> {
    match agent.fault() {
        None => Ok(()),
        Some(message) => Err(AgentFault {
            seat,
            agent: agent.name().to_owned(),
            message,
        }),
    }
}

/// The reason a recorded match has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayFault {
    /// An agent chose an illegal action.
    Refused(Refusal),
    /// An agent could not continue.
    Agent(AgentFault),
}

impl fmt::Display for PlayFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayFault::Refused(refusal) => write!(f, "an agent broke the rules: {refusal}"),
            PlayFault::Agent(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for PlayFault {}

impl From<Refusal> for PlayFault {
    fn from(refusal: Refusal) -> PlayFault {
        PlayFault::Refused(refusal)
    }
}

impl From<AgentFault> for PlayFault {
    fn from(fault: AgentFault) -> PlayFault {
        PlayFault::Agent(fault)
    }
}

/// Plays to the end with a record, and also returns the hash of the last state. The same streams
/// give the same match as without a record.
///
/// Actions are checked here; an agent that breaks the rules is reported.
pub fn play_recorded<G: Recorded>(
    setup: &G::Setup,
    agents: &mut [Box<dyn Agent<G>>],
    streams: &mut Streams,
) -> Result<(Played, Vec<u8>, Hash), PlayFault> {
    let mut rngs = Vec::new();
    seat_agents(agents, &mut rngs, streams);
    let names: Vec<String> = agents.iter().map(|it| it.name().to_owned()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let game_id = MatchId::draw(&mut streams.identity());
    let origin = Origin::Open(streams.chance().clone());
    let mut at = Timestamp::SIMULATED;
    let mut recorder = Recorder::<G>::begin(setup, game_id, origin, &names, at);
    let mut tally = Tally::default();
    let mut record = |recorder: &mut Recorder<G>, step| {
        at = at.plus_ms(1000);
        recorder.apply(step, at).map(|_| ())
    };
    loop {
        let turn = recorder.table().position().turn();
        if let Turn::Over(outcome) = turn {
            tally.n_steps = recorder.n_steps();
            let hash = recorder.table().state_hash();
            let n_turns = recorder.table().position().turn_number();
            return Ok((tally.played(outcome, n_turns), recorder.finish(), hash));
        }
        let n_before = tally.n_decisions;
        for seat in turn.missing().iter() {
            let seen = Perspective::new(recorder.table().position(), seat);
            let agent = &mut agents[seat.index()];
            let Some(action) = agent.choose(&seen, &mut rngs[seat.index()]) else {
                fault_of(&**agent, seat)?;
                continue;
            };
            tally.n_decisions += 1;
            record(&mut recorder, Step::Play(seat, action))?;
        }
        if tally.n_decisions > n_before {
            tally.n_joint_decisions += 1;
        } else {
            record(&mut recorder, Step::Deadline)?;
        }
    }
}

/// Prepares every agent for a new match, with its own generator.
#[inline]
fn seat_agents<G: Recorded>(
    agents: &mut [Box<dyn Agent<G>>],
    rngs: &mut Vec<Generator>,
    streams: &Streams,
) {
    rngs.clear();
    for (agent, seat) in agents.iter_mut().zip(Seat::first(SEATS_MAX)) {
        agent.begin();
        rngs.push(streams.agent(seat));
    }
}

#[derive(Default)]
struct Tally {
    n_steps: u64,
    n_decisions: u64,
    n_joint_decisions: u64,
}

impl Tally {
    #[inline]
    fn count_decision(&mut self) {
        self.n_steps += 1;
        self.n_decisions += 1;
    }

    fn played(&self, outcome: Outcome, n_turns: u32) -> Played {
        Played {
            outcome,
            n_steps: self.n_steps,
            n_decisions: self.n_decisions,
            n_joint_decisions: self.n_joint_decisions,
            n_turns,
        }
    }
}
