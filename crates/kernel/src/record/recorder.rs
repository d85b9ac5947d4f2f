//! A table that writes down what it does.

use super::line::{CHANCE, DEADLINE, LEAVE, Leave};
use super::sealing::Chain;
use super::{ActionLine, ActionResult, Closing, Header, SCHEMA_VERSION, closing};
use crate::doc::Named;
use crate::fair::Opening;
use crate::json::{self, Json};
use crate::rng::Generator;
use crate::{GameExt, GameId, Recorded, Refusal, Seat, Source, Step, Table, Timestamp, Turn};

/// A table that writes down what it does.
///
/// It draws the chance that its steps bring about and puts each decision with that
/// chance on one line. Lines gather in a buffer: [`take`](Recorder::take) hands them out.
pub struct Recorder<G: Recorded> {
    table: Table<G>,
    /// The promised seed, kept for the closing line.
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

/// Where a recorded match draws its chance from. A recorder always has the generator: it
/// is the one that draws.
#[derive(Clone, Debug)]
pub enum Origin {
    /// A generator that everybody may know.
    Open(Generator),
    /// A seed that is promised in the header and opened in the closing line.
    Promised(Opening),
}

/// A composite action whose small steps are still coming.
struct OpenLine<G: Recorded> {
    seat: Seat,
    actions: Vec<G::Action>,
    lead: Lead,
}

/// What is known of a line before its last step.
struct Lead {
    turn_number: u32,
    at: Timestamp,
    chance: Vec<Json>,
    events: Vec<String>,
}

impl<G: Recorded> Recorder<G> {
    /// Starts a match and its record. Chance that is due at once is drawn at once.
    pub fn begin(
        setup: &G::Setup,
        game_id: GameId,
        origin: Origin,
        seats: &[&str],
        at: Timestamp,
    ) -> Recorder<G> {
        let (source, opening) = match origin {
            Origin::Open(generator) => (Source::Open(generator), None),
            Origin::Promised(opening) => (Source::promise(&opening), Some(opening)),
        };
        Recorder::begin_at(setup, game_id, source, opening, seats, at)
    }

    /// Starts a match whose promise and generator need not belong together: for tests that
    /// a host who cheats is found out. Without a generator, chance stays due for ever.
    #[doc(hidden)]
    pub fn begin_at(
        setup: &G::Setup,
        game_id: GameId,
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
            schema_version: SCHEMA_VERSION.to_owned(),
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

    /// Goes on counting where an earlier recorder stopped.
    pub(super) fn after(mut self, n_actions: u32) -> Recorder<G> {
        self.n_actions = n_actions;
        self
    }

    /// The table as it stands.
    pub fn table(&self) -> &Table<G> {
        &self.table
    }

    /// How many steps this recorder did, chance included. A line may hold several.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Does a step if it is legal, with the chance it brings about; otherwise says why
    /// not and changes nothing. The chance itself is never the caller's step.
    ///
    /// The events of the step are returned until the next one. A clock that was set back
    /// is held at the time of the step before, since a record's time never runs back.
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

    /// Hands out the lines written since the last time.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    /// Ends the record: closes a line that is still open. Returns the lines not yet handed
    /// out. The closing line needs no asking: it was written when the match ended.
    pub fn finish(mut self) -> Vec<u8> {
        self.flush();
        self.close_if_over();
        self.out
    }

    /// Writes the closing line, which opens a promised seed, as soon as the match is over:
    /// with the step that ended it, so that no crash can come between.
    pub(super) fn close_if_over(&mut self) {
        let outcome = self.table.position().outcome();
        let Some(outcome) = outcome.filter(|_| !self.closed) else {
            return;
        };
        self.flush();
        let closing = Closing {
            closing: closing::ClosingBody {
                n_actions: self.n_actions,
                opening: self.opening.take(),
                outcome: json::from_value(&outcome).expect("an outcome holds no floats"),
            },
            game_id: self.table.game_id(),
            schema_version: SCHEMA_VERSION.to_owned(),
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

    /// A composite action ends early when anything but its own next step comes.
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

    /// Does a checked step and notes its events.
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
            schema_version: SCHEMA_VERSION.to_owned(),
            timestamp_utc: lead.at,
            turn_number: lead.turn_number,
            kind: kind.to_owned(),
        };
        self.chain.seal(&line, &mut self.out);
    }
}
