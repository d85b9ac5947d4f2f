//! The first line of a record: the starting conditions of the match.

use schemars::JsonSchema;
use serde::Serialize;

use super::SCHEMA_VERSION;
use crate::doc::{Document, Faults, Node};
use crate::fair::{self, Contribution};
use crate::json::{Hash, Json};
use crate::{MatchId, SEATS_MAX, Source, Version};

/// The first line of a record: the starting conditions of the match.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema, Document)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The players' contributions to the committed seed, by seat; absent when the host drew it
    /// alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[document(read_with = read_contributions)]
    pub contributions: Vec<Contribution>,
    /// The name of the game.
    pub game: String,
    /// The match's id.
    pub game_id: MatchId,
    /// The generator at the start, or the commitment to one that is still secret.
    pub rng_state: Source,
    /// The version of the rules that made the record.
    pub rules_version: String,
    /// The version of the record's format.
    #[document(read_with = read_version)]
    pub schema_version: String,
    /// The players' names by seat, or an empty list.
    #[schemars(length(max = SEATS_MAX))]
    pub seats: Vec<String>,
    /// The setup, as the game writes it.
    pub setup: Json,
    /// The hash of the first position.
    pub state_hash: Hash,
}

/// The version of a record's format, if this reader supports it.
pub(super) fn read_version(node: &Node<'_>, faults: &mut Faults) -> Option<String> {
    let version = Version::read_supported(node, SCHEMA_VERSION, faults);
    version.map(|version| version.to_string())
}

fn read_contributions(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<Contribution>> {
    fair::read_by_seat(node, faults, |it: &Contribution| it.seat)
}
