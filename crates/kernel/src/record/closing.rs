//! The last line of a record: the outcome and the revealed seed.

use schemars::JsonSchema;
use serde::Serialize;

use super::header::read_version;
use crate::MatchId;
use crate::doc::{Document, given};
use crate::fair::Opening;
use crate::json::Json;

/// The last line of a record: the outcome and the revealed seed.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema, Document)]
#[serde(deny_unknown_fields)]
pub struct Closing {
    /// The content of the line.
    pub closing: ClosingBody,
    /// The match's id.
    pub game_id: MatchId,
    /// The version of the record's format.
    #[document(read_with = read_version)]
    pub schema_version: String,
}

/// The content of a closing line.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema, Document)]
#[serde(deny_unknown_fields)]
pub struct ClosingBody {
    /// The facts that decided the match, as the game writes them; absent in a game that has none
    /// beyond the outcome, and before version 0.4.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[document(read_with = given)]
    pub ending: Option<Json>,
    /// The number of actions in the record.
    pub n_actions: u32,
    /// The seed that the header committed to; absent when it committed to none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[document(read_with = given)]
    pub opening: Option<Opening>,
    /// The outcome of the match, as the game writes it.
    pub outcome: Json,
}
