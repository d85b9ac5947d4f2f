//! Replays a record and checks every claim in it.

use std::fmt;

use serde::Serialize;

use super::line::{CHANCE, DEADLINE, LEAVE, Leave};
use super::{ActionLine, Closing, Header, Line, Reader, RecordFault, WITH_ENDING};
use crate::doc::{self, Document, Faults, Named, Node};
use crate::fair::{Contribution, Opening};
use crate::json::{self, Hash, Json};
use crate::rng::Generator;
use crate::{
    Draw, GameExt, Odds, Outcome, Recorded, Source, Step, Table, Timestamp, Turn, Version,
};

/// A replay of a record, line by line. Each line is checked against the result that the rules give.
pub struct Replay<G: Recorded> {
    table: Table<G>,
    n_actions: u32,
    last_at: Option<Timestamp>,
    /// The players' contributions to the committed seed; `None` when the header was not read.
    contributions: Option<Vec<Contribution>>,
    /// Draws of a secret generator, to be checked once its seed is revealed.
    committed: Vec<(Odds, Draw)>,
    events: Vec<G::Event>,
    /// The number of actions that forced chance.
    n_forced: u32,
    /// False for the older format, whose lines do not contain chance.
    has_chance: bool,
}

/// The result of verifying an entire record.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The name of the game.
    pub game: String,
    /// The match's id.
    pub game_id: String,
    /// The number of actions replayed.
    pub n_actions: u32,
    /// The hash after the last action.
    pub state_hash: Hash,
    /// The outcome; `None` when the record stops before the end.
    pub outcome: Option<Outcome>,
    /// The origin of chance, as far as the record proves it.
    pub chance: Chance,
    /// The protection that the record has against changes.
    pub protection: Protection,
    /// The count of forced actions if the setup declares a test match; `None` for a match that
    /// counts.
    pub test: Option<TestMatch>,
}

/// A match that its setup declares a test, so that it counts for nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct TestMatch {
    /// The number of actions by which a player forced the outcome of chance.
    pub n_forced: u32,
}

/// The protection of a record against changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Protection {
    /// The chain protects every byte.
    Chain,
    /// The hashes protect only the course of the match: times and names could have been changed.
    /// This is the case with the older format.
    HashesOnly,
}

/// The origin of a record's chance, as far as the record proves it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Chance {
    /// The generator is in the record and draws what the record says.
    Redrawn,
    /// The seed was committed to, then revealed, and draws what the record says.
    #[serde(rename = "opened")]
    Revealed,
    /// The same, and players contributed to the seed before it was revealed.
    Joint,
    /// The seed was committed to, and the record is not closed yet.
    #[serde(rename = "promised")]
    Committed,
}

/// The code and message of a fault, before the line's number is known.
pub(super) type Wrong = (&'static str, String);

impl<G: Recorded> Replay<G> {
    /// Sets up the match that a header describes.
    pub fn begin(header: &Header) -> Result<Replay<G>, RecordFault> {
        begin(header).map_err(|wrong| at_line(1, wrong))
    }

    /// Continues from the table of a snapshot taken after `n_actions` actions of its record: the
    /// lines that follow are the record's tail. Draws of a secret generator before the snapshot are
    /// unknown here, so a tail alone cannot verify a commitment.
    pub fn from_snapshot(table: Table<G>, n_actions: u32) -> Replay<G> {
        Replay {
            table,
            n_actions,
            last_at: None,
            contributions: None,
            committed: Vec::new(),
            events: Vec::new(),
            n_forced: 0,
            has_chance: true,
        }
    }

    /// The current table.
    pub fn table(&self) -> &Table<G> {
        &self.table
    }

    /// The current table, by value.
    pub fn into_table(self) -> Table<G> {
        self.table
    }

    /// The time of the last action.
    pub(super) fn last_at(&self) -> Option<Timestamp> {
        self.last_at
    }

    /// The number of actions replayed.
    pub fn n_actions(&self) -> u32 {
        self.n_actions
    }

    /// Replays one line and checks everything it says. After a fault the table must not be used.
    pub fn advance(
        &mut self,
        line: &ActionLine,
        n_line: usize,
    ) -> Result<&[G::Event], RecordFault> {
        self.advance_watched(line, n_line, |_, _| {})
    }

    /// Replays one line as [`advance`](Replay::advance) does, and calls back before each of its
    /// steps with the position in which it is taken. The chance that the steps cause is not shown.
    /// The steps can be trusted only if the line has no fault.
    pub fn advance_watched(
        &mut self,
        line: &ActionLine,
        n_line: usize,
        watch: impl FnMut(&G, Step<G::Action>),
    ) -> Result<&[G::Event], RecordFault> {
        let framed = self.check_frame(line);
        let played = framed.and_then(|()| self.play(line, watch));
        played.map_err(|wrong| at_line(n_line, wrong))?;
        self.n_actions = line.action_id;
        self.last_at = Some(line.timestamp_utc);
        Ok(&self.events)
    }

    /// Checks the closing line.
    pub fn close(&self, closing: &Closing, n_line: usize) -> Result<Chance, RecordFault> {
        self.check_closing(closing)
            .map_err(|wrong| at_line(n_line, wrong))
    }

    fn check_frame(&self, line: &ActionLine) -> Result<(), Wrong> {
        let position = self.table.position();
        let expected = self.n_actions + 1;
        if line.action_id != expected {
            let found = line.action_id;
            return Err(wrong(
                "wrong_action_id",
                format!(
                    "action {found} follows action {}: expected {expected}",
                    self.n_actions
                ),
            ));
        }
        same_game(&self.table, &line.game_id)?;
        if line.turn_number != position.turn_number() {
            let (found, expected) = (line.turn_number, position.turn_number());
            return Err(wrong(
                "wrong_turn_number",
                format!("the line says turn {found}, but the match is in turn {expected}"),
            ));
        }
        if self.last_at.is_some_and(|last| line.timestamp_utc < last) {
            return Err(wrong(
                "time_runs_back",
                format!(
                    "{} is earlier than the time of the previous line",
                    line.timestamp_utc
                ),
            ));
        }
        Ok(())
    }

    fn play(
        &mut self,
        line: &ActionLine,
        mut watch: impl FnMut(&G, Step<G::Action>),
    ) -> Result<(), Wrong> {
        self.events.clear();
        let steps = self.leading_steps(line)?;
        let mut draws = line.result.chance.iter().enumerate();
        if steps.is_empty() {
            self.check_chance_leads(line)?;
            self.settle(&mut draws)?;
        }
        for step in steps {
            watch(self.table.position(), step);
            if let Step::Play(_, action) = step {
                let forces = self.table.position().forces_chance(action);
                self.n_forced += u32::from(forces);
            }
            if let Err(refusal) = self.table.apply(step, &mut self.events) {
                return Err(wrong(
                    "illegal_step",
                    format!("the rules refuse it: {refusal}"),
                ));
            }
            self.settle(&mut draws)?;
        }
        for (idx, draw) in draws {
            self.resolve(idx, draw)?;
        }
        self.check_result(line)
    }

    /// Checks that chance is due, which is the only valid reason for a line without a step.
    fn check_chance_leads(&self, line: &ActionLine) -> Result<(), Wrong> {
        if line.kind != CHANCE {
            return Err(wrong("malformed_payload", "the line contains no action"));
        }
        if self.table.position().turn() != Turn::Chance {
            return Err(wrong("no_chance_due", "no chance is due here"));
        }
        Ok(())
    }

    /// Resolves the chance that is due, with the outcomes on the line. Records of the older format
    /// do not contain them: there the generator draws.
    fn settle<'a>(
        &mut self,
        draws: &mut impl Iterator<Item = (usize, &'a Json)>,
    ) -> Result<(), Wrong> {
        while self.table.position().turn() == Turn::Chance {
            match draws.next() {
                Some((idx, draw)) => self.resolve(idx, draw)?,
                None => self.resolve_older_format()?,
            }
        }
        Ok(())
    }

    fn leading_steps(&self, line: &ActionLine) -> Result<Vec<Step<G::Action>>, Wrong> {
        let mut faults = Faults::default();
        let payload = Node::root(&line.payload);
        let (seats, steps) = match line.kind.as_str() {
            CHANCE | DEADLINE => {
                payload.only_fields(&[], &mut faults);
                let step = (line.kind == DEADLINE).then_some(Step::Deadline);
                (None, Some(step.into_iter().collect()))
            }
            LEAVE => match Leave::read(&payload, &mut faults) {
                Some(Leave { cause, seats }) => {
                    (seats.sole(), Some(vec![Step::Leave(seats, cause)]))
                }
                None => (None, None),
            },
            kind => {
                let Some(seat) = line.player_id else {
                    return Err(wrong(
                        "wrong_player",
                        "an action needs the seat that took it",
                    ));
                };
                let actions = self.table.position().decode(kind, &payload, &mut faults);
                let play = |action| Step::Play(seat, action);
                let steps = actions.map(|actions| actions.into_iter().map(play).collect());
                (line.player_id, steps)
            }
        };
        let steps = faults
            .into_result(steps)
            .map_err(|faults| wrong("malformed_payload", faults.one_line()))?;
        if seats != line.player_id {
            return Err(wrong("wrong_player", "player_id does not match the type"));
        }
        Ok(steps)
    }

    /// Resolves one chance with the recorded outcome, and compares it with what the generator
    /// draws, where that is known.
    fn resolve(&mut self, idx: usize, draw: &Json) -> Result<(), Wrong> {
        if self.table.position().turn() != Turn::Chance {
            return Err(wrong(
                "no_chance_due",
                format!("result.chance has more outcomes than the {idx} that were due"),
            ));
        }
        let mut faults = Faults::default();
        let node = Node::root(draw);
        let recorded = self.table.position().decode_draw(&node, &mut faults);
        let recorded = faults
            .into_result(recorded)
            .map_err(|faults| wrong("malformed_chance", faults.one_line()))?;
        let odds = self.table.position().odds();
        match self.table.draw() {
            Some(drawn) if drawn != recorded => {
                let drawn = self.table.position().encode_draw(drawn);
                return Err(wrong(
                    "wrong_chance",
                    format!("the record says {draw}, but the generator draws {drawn}"),
                ));
            }
            Some(_) => {}
            None => self.committed.push((odds, recorded)),
        }
        let resolved = self.table.apply(Step::Chance(recorded), &mut self.events);
        resolved.map_err(|refusal| wrong("wrong_chance", refusal.to_string()))
    }

    fn resolve_older_format(&mut self) -> Result<(), Wrong> {
        let drawn = (!self.has_chance).then(|| self.table.draw()).flatten();
        let Some(draw) = drawn else {
            return Err(wrong(
                "chance_missing",
                "chance is due after this action, but result.chance does not have its outcome",
            ));
        };
        let resolved = self.table.apply(Step::Chance(draw), &mut self.events);
        resolved.map_err(|refusal| wrong("wrong_chance", refusal.to_string()))
    }

    fn check_result(&self, line: &ActionLine) -> Result<(), Wrong> {
        let names: Vec<&str> = self.events.iter().map(Named::name).collect();
        if line.result.events != names {
            let found = &line.result.events;
            return Err(wrong(
                "wrong_events",
                format!("the line says {found:?}, but the action causes {names:?}"),
            ));
        }
        same_hash(line.result.state_hash, self.table.state_hash())
    }

    fn check_closing(&self, closing: &Closing) -> Result<Chance, Wrong> {
        same_game(&self.table, &closing.game_id)?;
        let body = &closing.closing;
        if body.n_actions != self.n_actions {
            let (found, expected) = (body.n_actions, self.n_actions);
            return Err(wrong(
                "wrong_n_actions",
                format!("the record closes after {found} actions, but it contains {expected}"),
            ));
        }
        let outcome = self.table.position().outcome();
        let expected = outcome.and_then(|outcome| json::from_value(&outcome).ok());
        if expected.as_ref() != Some(&body.outcome) {
            let expected = expected.map_or("the match is not over".to_owned(), |it| it.to_string());
            return Err(wrong(
                "wrong_outcome",
                format!("the record closes with {}, but: {expected}", body.outcome),
            ));
        }
        self.check_ending(closing)?;
        match (self.table.source(), &body.opening) {
            (Source::Open(_), None) => Ok(Chance::Redrawn),
            (Source::Open(_), Some(_)) => Err(wrong(
                "nothing_promised",
                "the record reveals a seed, but the header committed to none",
            )),
            (Source::Committed(..), None) => Err(wrong(
                "not_opened",
                "the header committed to a seed, but the closing line does not reveal it",
            )),
            (Source::Committed(commitment, _), Some(opening)) => {
                let opened = commitment.verify(opening);
                opened.map_err(|error| wrong("wrong_opening", error.to_string()))?;
                self.check_parts(opening)?;
                self.redraw_committed(opening.generator())?;
                Ok(match opening.contributions().is_empty() {
                    true => Chance::Revealed,
                    false => Chance::Joint,
                })
            }
        }
    }

    /// Checks the facts that decided the match. Closing lines before version 0.4.0 have none.
    fn check_ending(&self, closing: &Closing) -> Result<(), Wrong> {
        let version = |text: &str| text.parse::<Version>().ok();
        let is_older = version(&closing.schema_version) < version(WITH_ENDING);
        let expected = match is_older {
            true => None,
            false => self.table.position().ending_document(),
        };
        if closing.closing.ending == expected {
            return Ok(());
        }
        let said = |ending: &Option<Json>| match ending {
            Some(ending) => ending.to_string(),
            None => "no ending".to_owned(),
        };
        Err(wrong(
            "wrong_ending",
            format!(
                "the record closes with {}, but the rules give {}",
                said(&closing.closing.ending),
                said(&expected)
            ),
        ))
    }

    /// Checks that the revealed seed is made from the contributions in the header.
    pub(super) fn check_parts(&self, opening: &Opening) -> Result<(), Wrong> {
        let Some(contributions) = &self.contributions else {
            return Ok(());
        };
        let checked = opening.check_parts(contributions);
        checked.map_err(|error| wrong("wrong_contributions", error.to_string()))
    }

    /// Redraws all recorded chance from the revealed seed's generator and compares. Returns the
    /// generator in its state after the last draw.
    pub(super) fn redraw_committed(&self, mut generator: Generator) -> Result<Generator, Wrong> {
        for (idx, (odds, recorded)) in self.committed.iter().enumerate() {
            let drawn = odds.draw(&mut generator);
            if drawn != *recorded {
                let (nth, recorded, drawn) = (idx + 1, recorded.0, drawn.0);
                return Err(wrong(
                    "wrong_chance",
                    format!(
                        "chance number {nth} was {recorded}, but the revealed seed draws {drawn}"
                    ),
                ));
            }
        }
        Ok(generator)
    }
}

/// Replays an entire record in memory and reports the first fault.
pub fn verify<G: Recorded>(bytes: &[u8]) -> Result<Report, RecordFault> {
    let mut reader = Reader::new();
    let mut replay: Option<Replay<G>> = None;
    let mut chance = None;
    let (lines, torn) = super::split_lines(bytes);
    for bytes in lines {
        match (reader.push(bytes)?, &mut replay) {
            (Line::Header(header), None) => replay = Some(Replay::begin(&header)?),
            (Line::Action(line), Some(replay)) => {
                replay.advance(&line, reader.n_lines())?;
            }
            (Line::Closing(closing), Some(replay)) => {
                chance = Some(replay.close(&closing, reader.n_lines())?);
            }
            _ => unreachable!("a reader returns exactly one header, and returns it first"),
        }
    }
    if !torn.is_empty() {
        return Err(reader.torn(torn.len()));
    }
    let Some(replay) = replay else {
        return Err(at_line(1, wrong("empty", "the record is empty")));
    };
    replay.report(&reader, chance)
}

impl<G: Recorded> Replay<G> {
    /// The result of verifying the record, once all its lines have been replayed.
    pub fn report(&self, reader: &Reader, closed: Option<Chance>) -> Result<Report, RecordFault> {
        let outcome = self.table.position().outcome();
        if outcome.is_some() && closed.is_none() && reader.is_chained() {
            let message = "the match is over, but the closing line is missing";
            return Err(at_line(reader.n_lines() + 1, wrong("not_closed", message)));
        }
        let open = match self.table.source() {
            Source::Open(_) => Chance::Redrawn,
            Source::Committed(..) => Chance::Committed,
        };
        Ok(Report {
            game: G::NAME.to_owned(),
            game_id: self.table.game_id().to_string(),
            n_actions: self.n_actions,
            state_hash: self.table.state_hash(),
            outcome,
            chance: closed.unwrap_or(open),
            protection: if reader.is_chained() {
                Protection::Chain
            } else {
                Protection::HashesOnly
            },
            test: self.table.position().is_test().then_some(TestMatch {
                n_forced: self.n_forced,
            }),
        })
    }
}

fn begin<G: Recorded>(header: &Header) -> Result<Replay<G>, Wrong> {
    if header.game != G::NAME {
        let found = &header.game;
        return Err(wrong(
            "wrong_game",
            format!("this is a record of {found:?}, not of {:?}", G::NAME),
        ));
    }
    check_rules_version::<G>(&header.rules_version)?;
    let setup = doc::parse::<G::Setup>(&header.setup)
        .map_err(|faults| wrong("malformed_setup", faults.one_line()))?;
    let table: Table<G> = Table::open(&setup, header.game_id, header.rng_state.clone());
    if !header.seats.is_empty() && header.seats.len() != table.position().n_seats() {
        let (found, expected) = (header.seats.len(), table.position().n_seats());
        return Err(wrong(
            "wrong_seats",
            format!("the header names {found} seats, but the setup has {expected}"),
        ));
    }
    check_contributions(header, &table)?;
    same_hash(header.state_hash, table.state_hash())?;
    Ok(Replay {
        table,
        n_actions: 0,
        last_at: None,
        contributions: Some(header.contributions.clone()),
        committed: Vec::new(),
        events: Vec::new(),
        n_forced: 0,
        has_chance: !header.schema_version.starts_with("0.1."),
    })
}

/// Checks that contributions come from existing seats and belong to a committed seed.
fn check_contributions<G: Recorded>(header: &Header, table: &Table<G>) -> Result<(), Wrong> {
    let n_seats = table.position().n_seats();
    let mut contributions = header.contributions.iter();
    if contributions.any(|it| it.seat.index() >= n_seats) {
        return Err(wrong(
            "wrong_contributions",
            format!(
                "a contribution is for a seat that does not exist: the setup has {n_seats} seats"
            ),
        ));
    }
    if matches!(table.source(), Source::Open(_)) && !header.contributions.is_empty() {
        return Err(wrong(
            "wrong_contributions",
            "the header has contributions to a seed, but commits to none",
        ));
    }
    Ok(())
}

fn check_rules_version<G: Recorded>(written: &str) -> Result<(), Wrong> {
    let own: Option<Version> = G::RULES_VERSION.parse().ok();
    let readable = own.zip(written.parse().ok());
    if readable.is_some_and(|(own, written)| own.reads(written)) {
        return Ok(());
    }
    Err(wrong(
        "other_rules",
        format!(
            "the record was made by rules {written:?} of {}; this program has rules {}, which may \
             decide differently",
            G::NAME,
            G::RULES_VERSION
        ),
    ))
}

fn same_game<G: Recorded>(table: &Table<G>, found: &crate::MatchId) -> Result<(), Wrong> {
    if *found == table.game_id() {
        return Ok(());
    }
    let expected = table.game_id();
    Err(wrong(
        "wrong_game_id",
        format!("the line belongs to match {found}, the record to {expected}"),
    ))
}

fn same_hash(found: Hash, expected: Hash) -> Result<(), Wrong> {
    if found == expected {
        return Ok(());
    }
    Err(wrong(
        "wrong_state_hash",
        format!("the record says {found}, but replaying gives {expected}"),
    ))
}

pub(super) fn wrong(code: &'static str, message: impl fmt::Display) -> Wrong {
    (code, message.to_string())
}

pub(super) fn at_line(line: usize, (code, message): Wrong) -> RecordFault {
    RecordFault {
        line,
        code,
        message,
    }
}
