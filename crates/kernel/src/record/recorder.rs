//! A table that records what happens.

use super::line::{CHANCE, DEADLINE, LEAVE, Leave};
use super::sealing::Chain;
use super::{ActionLine, ActionResult, Closing, Header, WITH_ENDING, WITHOUT_ENDING, closing};
use crate::doc::Named;
use crate::fair::Opening;
use crate::json::{self, Json};
use crate::rng::Generator;
use crate::{GameExt, MatchId, Recorded, Refusal, Seat, Source, Step, Table, Timestamp, Turn};

/// A table that records what happens.
///
/// It draws the chance that its steps cause and writes each decision with that chance on one line.
/// Lines accumulate in a buffer: [`take`](Recorder::take) returns them.
pub struct Recorder<G: Recorded> {
    table: Table<G>,
    /// The committed seed, kept for the closing line.
    opening: Option<Opening>,
    chain: Chain,
    n_actions: u32,
    n_steps: u64,
    last_at: Timestamp,
    closed: bool,
    open: Option<OpenLine<G>>,
    events: Vec<G::Event>,
    out: Vec<u8>,
}

/// The source of chance of a recorded match. A recorder always has the generator, because it draws.
#[derive(Clone, Debug)]
pub enum Origin {
    /// A generator that anyone may know.
    Open(Generator),
    /// A seed that the header commits to and the closing line reveals.
    Committed(Opening),
}

/// A composite action that is still missing steps.
struct OpenLine<G: Recorded> {
    seat: Seat,
    actions: Vec<G::Action>,
    lead: Lead,
}

/// The parts of a line known before its last step.
struct Lead {
    turn_number: u32,
    at: Timestamp,
    chance: Vec<Json>,
    events: Vec<String>,
}

impl<G: Recorded> Recorder<G> {
    /// Starts a match and its record. Chance that is due in the first position is drawn
    /// immediately.
    pub fn begin(
        setup: &G::Setup,
        game_id: MatchId,
        origin: Origin,
        seats: &[&str],
        at: Timestamp,
    ) -> Recorder<G> {
        let (source, opening) = match origin {
            Origin::Open(generator) => (Source::Open(generator), None),
            Origin::Committed(opening) => (Source::commit(&opening), Some(opening)),
        };
        Recorder::begin_at(setup, game_id, source, opening, seats, at)
    }

    /// Starts a match whose commitment and generator need not belong together, to test that a
    /// cheating host is detected. Without a generator, chance stays due forever.
    #[doc(hidden)]
    pub fn begin_at(
        setup: &G::Setup,
        game_id: MatchId,
        source: Source,
        opening: Option<Opening>,
        seats: &[&str],
        at: Timestamp,
    ) -> Recorder<G> {
        let table = Table::open(setup, game_id, source);
        let contributions = opening.as_ref().map(Opening::contributions);
        let header = Header {
            contributions: contributions.unwrap_or_default(),
            game: G::NAME.to_owned(),
            game_id,
            rng_state: table.source().clone(),
            rules_version: G::RULES_VERSION.to_owned(),
            schema_version: WITHOUT_ENDING.to_owned(),
            seats: seats.iter().map(|&name| name.to_owned()).collect(),
            setup: json::from_value(setup).expect("a setup holds no floats"),
            state_hash: table.state_hash(),
        };
        let mut recorder = Recorder::at(table, opening, Chain::START, at);
        recorder.chain.seal(&header, &mut recorder.out);
        recorder.settle_first(at);
        recorder
    }

    /// A recorder that has written nothing yet.
    pub(super) fn at(
        table: Table<G>,
        opening: Option<Opening>,
        chain: Chain,
        last_at: Timestamp,
    ) -> Recorder<G> {
        Recorder {
            table,
            opening,
            chain,
            n_actions: 0,
            n_steps: 0,
            last_at,
            closed: false,
            open: None,
            events: Vec::new(),
            out: Vec::new(),
        }
    }

    /// Continues the count of actions where an earlier recorder stopped.
    pub(super) fn after(mut self, n_actions: u32) -> Recorder<G> {
        self.n_actions = n_actions;
        self
    }

    /// The current table.
    pub fn table(&self) -> &Table<G> {
        &self.table
    }

    /// The number of steps this recorder applied, including chance. A line may hold several.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Applies a step if it is legal, along with the chance it causes; otherwise returns the
    /// refusal and changes nothing. Callers never pass chance as a step.
    ///
    /// The returned events are valid until the next step. If the clock was set back, the step is
    /// recorded at the time of the previous one, since a record's time never runs backwards.
    pub fn apply(&mut self, step: Step<G::Action>, at: Timestamp) -> Result<&[G::Event], Refusal> {
        self.table.position().check(&step)?;
        if matches!(step, Step::Chance(_)) {
            return Err(Refusal::NoChanceDue);
        }
        self.events.clear();
        self.last_at = self.last_at.max(at);
        let at = self.last_at;
        self.close_interrupted_line(&step);
        match step {
            Step::Play(seat, action) => self.play(seat, action, at),
            Step::Deadline => self.write_single(step, DEADLINE, Json::object([]), None, at),
            Step::Leave(seats, cause) => {
                let payload =
                    json::from_value(&Leave { cause, seats }).expect("a departure holds no floats");
                self.write_single(step, LEAVE, payload, seats.sole(), at);
            }
            Step::Chance(_) => {}
        }
        self.close_if_over();
        Ok(&self.events)
    }

    /// Returns the lines written since the last call.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    /// Ends the record: closes a line that is still open and returns the lines not yet taken. The
    /// closing line needs no call: it was written when the match ended.
    pub fn finish(mut self) -> Vec<u8> {
        self.flush();
        self.close_if_over();
        self.out
    }

    /// Writes the closing line, which reveals a committed seed, as soon as the match is over:
    /// together with the step that ended it, so that no crash can separate them.
    pub(super) fn close_if_over(&mut self) {
        let outcome = self.table.position().outcome();
        let Some(outcome) = outcome.filter(|_| !self.closed) else {
            return;
        };
        self.flush();
        let ending = self.table.position().ending_document();
        let version = match ending {
            Some(_) => WITH_ENDING,
            None => WITHOUT_ENDING,
        };
        let closing = Closing {
            closing: closing::ClosingBody {
                ending,
                n_actions: self.n_actions,
                opening: self.opening.take(),
                outcome: json::from_value(&outcome).expect("an outcome holds no floats"),
            },
            game_id: self.table.game_id(),
            schema_version: version.to_owned(),
        };
        self.chain.seal(&closing, &mut self.out);
        self.closed = true;
    }

    fn settle_first(&mut self, at: Timestamp) {
        if self.table.position().turn() == Turn::Chance {
            let mut lead = self.lead(at);
            self.settle(&mut lead);
            self.write(lead, CHANCE, Json::object([]), None);
        }
    }

    fn play(&mut self, seat: Seat, action: G::Action, at: Timestamp) {
        let mut line = self.open.take().unwrap_or_else(|| OpenLine {
            seat,
            actions: Vec::new(),
            lead: self.lead(at),
        });
        line.lead.at = at;
        line.actions.push(action);
        self.step(Step::Play(seat, action), &mut line.lead);
        self.settle(&mut line.lead);
        self.open = Some(line);
        if !self.table.position().line_open_for(seat) {
            self.flush();
        }
    }

    fn write_single(
        &mut self,
        step: Step<G::Action>,
        kind: &str,
        payload: Json,
        seat: Option<Seat>,
        at: Timestamp,
    ) {
        let mut lead = self.lead(at);
        self.step(step, &mut lead);
        self.settle(&mut lead);
        self.write(lead, kind, payload, seat);
    }

    /// Closes an open composite action when anything but its own next step arrives.
    fn close_interrupted_line(&mut self, step: &Step<G::Action>) {
        let goes_on =
            |line: &OpenLine<G>| matches!(step, Step::Play(seat, _) if *seat == line.seat);
        if self.open.as_ref().is_some_and(|line| !goes_on(line)) {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if let Some(line) = self.open.take() {
            let entry = self.table.position().encode(&line.actions);
            self.write(line.lead, entry.kind, entry.payload, Some(line.seat));
        }
    }

    fn lead(&self, at: Timestamp) -> Lead {
        Lead {
            turn_number: self.table.position().turn_number(),
            at,
            chance: Vec::new(),
            events: Vec::new(),
        }
    }

    /// Applies a checked step and notes its events.
    fn step(&mut self, step: Step<G::Action>, lead: &mut Lead) {
        let first = self.events.len();
        self.n_steps += 1;
        let done = self.table.apply(step, &mut self.events);
        assert_eq!(done, Ok(()), "a checked step was refused");
        let names = self.events[first..].iter().map(Named::name);
        lead.events.extend(names.map(str::to_owned));
    }

    /// Draws all chance that is due.
    fn settle(&mut self, lead: &mut Lead) {
        while let Some(draw) = self.table.draw() {
            lead.chance.push(self.table.position().encode_draw(draw));
            self.step(Step::Chance(draw), lead);
        }
    }

    fn write(&mut self, lead: Lead, kind: &str, payload: Json, seat: Option<Seat>) {
        assert!(!self.closed, "the closing line is the last of a record");
        self.n_actions += 1;
        let line = ActionLine {
            action_id: self.n_actions,
            game_id: self.table.game_id(),
            payload,
            player_id: seat,
            result: ActionResult {
                chance: lead.chance,
                events: lead.events,
                state_hash: self.table.state_hash(),
            },
            schema_version: WITHOUT_ENDING.to_owned(),
            timestamp_utc: lead.at,
            turn_number: lead.turn_number,
            kind: kind.to_owned(),
        };
        self.chain.seal(&line, &mut self.out);
    }
}
