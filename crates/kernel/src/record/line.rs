//! The action lines of a record.

use schemars::JsonSchema;
use serde::Serialize;

use super::header::read_version;
use crate::doc::Document;
use crate::json::{Hash, Json};
use crate::{Departure, MatchId, Seat, SeatSet, Timestamp};

/// The type of a line that starts with chance, as when the first position waits for it.
pub const CHANCE: &str = "CHANCE";
/// The type of a line for a deadline that passed.
pub const DEADLINE: &str = "DEADLINE";
/// The type of a line for seats that left.
pub const LEAVE: &str = "LEAVE";

/// One action: a seat's decision, chance, the clock or a departure, together with the chance that
/// it caused.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema, Document)]
#[serde(deny_unknown_fields)]
pub struct ActionLine {
    /// The number of the action, from 1, increasing by one.
    pub action_id: u32,
    /// The match's id.
    pub game_id: MatchId,
    /// The fields of the action; they depend on the type.
    pub payload: Json,
    /// The seat that decided; null for chance and clock, and when several seats left at once.
    pub player_id: Option<Seat>,
    /// The effects of the action.
    pub result: ActionResult,
    /// The version of the record's format.
    #[document(read_with = read_version)]
    pub schema_version: String,
    /// The time at which the action was accepted.
    pub timestamp_utc: Timestamp,
    /// The turn in which the action was accepted.
    pub turn_number: u32,
    /// The game's type of the action, or one of the extension types `CHANCE`, `DEADLINE` and
    /// `LEAVE`, which every game has. A reader that knows only the game's own types skips lines of
    /// these: they hold no action of the game.
    #[serde(rename = "type")]
    pub kind: String,
}

/// The effects of an action.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema, Document)]
#[serde(deny_unknown_fields)]
pub struct ActionResult {
    /// The outcomes of the chance that the action caused, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chance: Vec<Json>,
    /// The names of the events, in order.
    pub events: Vec<String>,
    /// The hash of the snapshot after the action.
    pub state_hash: Hash,
}

#[derive(Serialize, Document)]
pub(super) struct Leave {
    pub(super) cause: Departure,
    pub(super) seats: SeatSet,
}
