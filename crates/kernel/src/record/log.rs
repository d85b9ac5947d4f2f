//! The history that a snapshot may carry.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use super::line::{ActionLine, CHANCE, DEADLINE, LEAVE};
use super::{Line, Reader, RecordFault, Replay, split_lines};
use crate::doc::{Document, Faults, Named, Node};
use crate::json::Json;
use crate::{Recorded, Seat, Table};

/// The types of entries that every game has in addition to its own: chance, clock and departures. A
/// reader that knows only a game's own types skips these entries.
pub const EXTENSION_TYPES: [&str; 3] = [CHANCE, DEADLINE, LEAVE];

/// One entry of a snapshot's `log`: an action without its effects.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct LogEntry {
    /// The number of the action in the record; numbers increase.
    pub action_id: u32,
    /// The fields of the action; they depend on the type.
    #[schemars(schema_with = "object")]
    pub payload: Json,
    /// The seat that decided; null for chance and clock, and when several seats left at once.
    pub player_id: Option<Seat>,
    /// The game's type of the action, or an extension type.
    #[serde(rename = "type")]
    pub kind: String,
}

fn object(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object" })
}

impl From<&ActionLine> for LogEntry {
    fn from(line: &ActionLine) -> LogEntry {
        LogEntry {
            action_id: line.action_id,
            payload: line.payload.clone(),
            player_id: line.player_id,
            kind: line.kind.clone(),
        }
    }
}

/// Checks the `log` of a snapshot, which may be absent. `n_seats` is `None` when the position could
/// not be read.
pub(crate) fn check_log<G: Recorded>(node: &Node<'_>, n_seats: Option<usize>, faults: &mut Faults) {
    let entries = node.exists().then(|| node.list(faults)).flatten();
    let mut last = 0;
    for entry in entries.unwrap_or_default() {
        let Some(action_id) = check_entry::<G>(&entry, n_seats, faults) else {
            continue;
        };
        if action_id <= last {
            let message = format!("action {action_id} follows action {last}");
            faults.at(&entry.field("action_id"), "out_of_order", message);
        }
        last = last.max(action_id);
    }
}

fn check_entry<G: Recorded>(
    node: &Node<'_>,
    n_seats: Option<usize>,
    faults: &mut Faults,
) -> Option<i64> {
    node.only_fields(&["action_id", "payload", "player_id", "type"], faults);
    let types = [G::Decision::NAMES, &EXTENSION_TYPES].concat();
    node.field("type").one_of(&types, faults);
    node.field("payload").entries(faults);
    let player_id = node.field("player_id");
    let seat = Option::<Seat>::read(&player_id, faults).flatten();
    if let Some(seat) = seat.filter(|it| n_seats.is_some_and(|n| it.index() >= n)) {
        let message = format!("there is no seat {seat} in this match");
        faults.at(&player_id, "no_such_seat", message);
    }
    node.field("action_id")
        .int_in(1..=i64::from(u32::MAX), faults)
}

/// A moment of a match: its table, and the actions that led to it.
pub struct Moment<G: Recorded> {
    /// The table at that moment.
    pub table: Table<G>,
    /// The actions so far.
    pub log: Vec<LogEntry>,
}

/// The moment after action `to` of a record, or after its last action. Every line up to there is
/// checked. `None` when the record has fewer actions, or when `is_wanted`, called before every
/// line, returns false.
pub fn state_at<G: Recorded>(
    record: &[u8],
    to: Option<u32>,
    mut is_wanted: impl FnMut() -> bool,
) -> Result<Option<Moment<G>>, RecordFault> {
    let mut reader = Reader::new();
    let (lines, _) = split_lines(record);
    let mut replay: Option<Replay<G>> = None;
    let mut log = Vec::new();
    for bytes in lines {
        let reached = replay.as_ref().map(Replay::n_actions);
        if to.is_some() && reached == to {
            break;
        }
        if !is_wanted() {
            return Ok(None);
        }
        match (reader.push(bytes)?, replay.as_mut()) {
            (Line::Header(header), None) => replay = Some(Replay::begin(&header)?),
            (Line::Action(line), Some(replay)) => {
                replay.advance(&line, reader.n_lines())?;
                log.push(LogEntry::from(&*line));
            }
            _ => {}
        }
    }
    let found = replay.filter(|it| to.is_none_or(|to| it.n_actions() == to));
    Ok(found.map(|replay| Moment {
        table: replay.into_table(),
        log,
    }))
}

/// The log of a record as written, without replaying it.
pub fn log_of(record: &[u8]) -> Result<Vec<LogEntry>, RecordFault> {
    let mut reader = Reader::new();
    let mut log = Vec::new();
    for bytes in split_lines(record).0 {
        if let Line::Action(line) = reader.push(bytes)? {
            log.push(LogEntry::from(&*line));
        }
    }
    Ok(log)
}
