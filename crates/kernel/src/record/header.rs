//! The first line of a record: what the match starts from.

use schemars::JsonSchema;
use serde::Serialize;

use super::SCHEMA_VERSION;
use crate::doc::{Document, Faults, Node};
use crate::fair::{self, Contribution};
use crate::json::{Hash, Json};
use crate::{GameId, SEATS_MAX, Source, Version};

/// The first line of a record: what the match starts from.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Header {
    /// The players' parts in the promised seed, by seat; absent when the host drew it alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub contributions: Vec<Contribution>,
    /// The name of the game.
    pub game: String,
    /// Which match it is.
    pub game_id: GameId,
    /// The generator at the start, or the promise of one.
    pub rng_state: Source,
    /// The version of the rules that made the record.
    pub rules_version: String,
    /// The version of the record's format.
    pub schema_version: String,
    /// Who sat where: a name per seat, or nothing.
    pub seats: Vec<String>,
    /// The setup, as the game writes it.
    pub setup: Json,
    /// The hash of the first position.
    pub state_hash: Hash,
}

impl Header {
    const FIELDS: [&'static str; 9] = [
        "contributions",
        "game",
        "game_id",
        "rng_state",
        "rules_version",
        "schema_version",
        "seats",
        "setup",
        "state_hash",
    ];
}

impl Document for Header {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Header> {
        node.only_fields(&Header::FIELDS, faults);
        let schema = node.field("schema_version");
        let schema_version = Version::read_supported(&schema, SCHEMA_VERSION, faults);
        let contributions = read_contributions(&node.field("contributions"), faults);
        let game = node.field("game").text(faults).map(str::to_owned);
        let game_id = GameId::read(&node.field("game_id"), faults);
        let rng_state = Source::read(&node.field("rng_state"), faults);
        let rules_version = node.field("rules_version").text(faults).map(str::to_owned);
        let seats = read_seats(&node.field("seats"), faults);
        let setup = node.field("setup").present(faults).cloned();
        let state_hash = read_hash(&node.field("state_hash"), faults);
        Some(Header {
            contributions: contributions?,
            game: game?,
            game_id: game_id?,
            rng_state: rng_state?,
            rules_version: rules_version?,
            schema_version: schema_version?.to_string(),
            seats: seats?,
            setup: setup?,
            state_hash: state_hash?,
        })
    }
}

fn read_contributions(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<Contribution>> {
    if !node.exists() {
        return Some(Vec::new());
    }
    fair::read_by_seat(node, faults, |it: &Contribution| it.seat)
}

/// A hash within a line.
pub(super) fn read_hash(node: &Node<'_>, faults: &mut Faults) -> Option<Hash> {
    let hash = node.text(faults)?.parse();
    if hash.is_err() {
        faults.at(
            node,
            "not_a_hash",
            "expected sha256: and 64 lower-case hex digits",
        );
    }
    hash.ok()
}

fn read_seats(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<String>> {
    let names = node.list(faults)?;
    if names.len() > SEATS_MAX {
        faults.at(node, "wrong_length", "expected at most 16 names");
        return None;
    }
    names
        .iter()
        .map(|name| name.text(faults).map(str::to_owned))
        .collect()
}
