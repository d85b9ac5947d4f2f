//! One action of a record.

use schemars::JsonSchema;
use serde::Serialize;

use super::header::read_version;
use crate::doc::Document;
use crate::json::{Hash, Json};
use crate::{Departure, GameId, Seat, SeatSet, Timestamp};

/// The type of a line that chance leads, as when the first position waits for it.
pub const CHANCE: &str = "CHANCE";
/// The type of a line for time that ran out.
pub const DEADLINE: &str = "DEADLINE";
/// The type of a line for seats that left.
pub const LEAVE: &str = "LEAVE";

/// One action: a seat's decision, chance, the clock or a departure, with the chance that
/// it brought about.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema, Document)]
#[serde(deny_unknown_fields)]
pub struct ActionLine {
    /// From 1, rising by one.
    pub action_id: u32,
    /// Which match it is.
    pub game_id: GameId,
    /// What belongs to the type.
    pub payload: Json,
    /// The seat that decided; nothing for chance and clock, nor when several seats left at once.
    pub player_id: Option<Seat>,
    /// What came of it.
    pub result: ActionResult,
    /// The version of the record's format.
    #[document(read_with = read_version)]
    pub schema_version: String,
    /// When it was accepted.
    pub timestamp_utc: Timestamp,
    /// The turn in which it was accepted.
    pub turn_number: u32,
    /// The game's type of the action, or one of the extension types `CHANCE`, `DEADLINE` and
    /// `LEAVE`, which every game has. A reader of the game's own types skips lines of these: they
    /// hold no action of the game.
    #[serde(rename = "type")]
    pub kind: String,
}

/// What came of an action.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema, Document)]
#[serde(deny_unknown_fields)]
pub struct ActionResult {
    /// How the chance that the action brought about came out, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chance: Vec<Json>,
    /// The names of the events, in order.
    pub events: Vec<String>,
    /// The hash of the snapshot after it.
    pub state_hash: Hash,
}

/// The payload of a departure.
#[derive(Serialize, Document)]
pub(super) struct Leave {
    pub(super) cause: Departure,
    pub(super) seats: SeatSet,
}
