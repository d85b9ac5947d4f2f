//! The last line of a record: how it ended, and the seed that was promised.

use schemars::JsonSchema;
use serde::Serialize;

use super::header::read_version;
use crate::GameId;
use crate::doc::{Document, given};
use crate::fair::Opening;
use crate::json::Json;

/// The last line of a record: how it ended, and the seed that was promised.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema, Document)]
#[serde(deny_unknown_fields)]
pub struct Closing {
    /// What the line says.
    pub closing: ClosingBody,
    /// Which match it is.
    pub game_id: GameId,
    /// The version of the record's format.
    #[document(read_with = read_version)]
    pub schema_version: String,
}

/// What a closing line says.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema, Document)]
#[serde(deny_unknown_fields)]
pub struct ClosingBody {
    /// How many actions came before.
    pub n_actions: u32,
    /// The seed that the header promised; absent when it promised none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[document(read_with = given)]
    pub opening: Option<Opening>,
    /// How the match ended, as the game says it.
    pub outcome: Json,
}
