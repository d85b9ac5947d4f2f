//! The last line of a record: how it ended, and the seed that was promised.

use schemars::JsonSchema;
use serde::Serialize;

use super::SCHEMA_VERSION;
use crate::doc::{Document, Faults, Node};
use crate::fair::Opening;
use crate::json::Json;
use crate::{GameId, Version};

/// The last line of a record: how it ended, and the seed that was promised.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Closing {
    /// What the line says.
    pub closing: ClosingBody,
    /// Which match it is.
    pub game_id: GameId,
    /// The version of the record's format.
    pub schema_version: String,
}

/// What a closing line says.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ClosingBody {
    /// How many actions came before.
    pub n_actions: u32,
    /// The seed that the header promised; absent when it promised none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
    /// How the match ended, as the game says it.
    pub outcome: Json,
}

impl Document for Closing {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Closing> {
        node.only_fields(&["closing", "game_id", "schema_version"], faults);
        let closing = ClosingBody::read(&node.field("closing"), faults);
        let game_id = GameId::read(&node.field("game_id"), faults);
        let schema = node.field("schema_version");
        let schema_version = Version::read_supported(&schema, SCHEMA_VERSION, faults);
        Some(Closing {
            closing: closing?,
            game_id: game_id?,
            schema_version: schema_version?.to_string(),
        })
    }
}

impl Document for ClosingBody {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<ClosingBody> {
        node.only_fields(&["n_actions", "opening", "outcome"], faults);
        let n_actions = node
            .field("n_actions")
            .int_in(0..=i64::from(u32::MAX), faults);
        let opening_node = node.field("opening");
        let opening = if opening_node.exists() {
            Opening::read(&opening_node, faults).map(Some)
        } else {
            Some(None)
        };
        let outcome = node.field("outcome").present(faults).cloned();
        Some(ClosingBody {
            n_actions: u32::try_from(n_actions?).ok()?,
            opening: opening?,
            outcome: outcome?,
        })
    }
}
