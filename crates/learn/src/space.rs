//! A game's observation and actions, described.

use kernel::json::{Hash, Json};
use kernel::{ActionId, Block, GameExt};
use serde::Serialize;

use crate::{ByteStep, Fault, Frame, Learn, Sight};

/// What a policy gets and gives, for one setup.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Space {
    /// The game.
    pub game: &'static str,
    /// The version of the rules.
    pub rules_version: &'static str,
    /// The version of the observation.
    pub observation_version: &'static str,
    /// How many seats there are.
    pub n_seats: usize,
    /// How many numbers an observation has.
    pub n_values: usize,
    /// The tensors, one after the other.
    pub tensors: Vec<Tensor>,
    /// What exact inversion needs beside them; empty where a game has none. It is never
    /// handed to a policy.
    pub aux: Vec<Tensor>,
    /// What observations can tell.
    pub sights: &'static [Sight],
    /// How seats can be numbered.
    pub frames: &'static [Frame],
    /// How many actions there are.
    pub n_actions: usize,
    /// Every action by id.
    pub actions: Vec<ActionRow>,
    /// The hash of the action table: two with the same hash have the same ids.
    pub actions_hash: Hash,
}

/// A named tensor and where it stands.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Tensor {
    /// Where it begins in the flat observation.
    pub offset: usize,
    /// Its name, shape, range, scale and meaning.
    #[serde(flatten)]
    pub block: Block,
    /// How its numbers become bytes: one step for all of them, or one for each.
    pub bytes: Vec<ByteStep>,
}

/// An action and its number.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ActionRow {
    /// The number.
    pub id: ActionId,
    /// Short text for terminals.
    pub text: String,
    /// The type in records.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// What belongs to it in records.
    pub payload: Json,
}

impl Space {
    /// The space of a game with this setup.
    pub fn new<G: Learn>(setup: &G::Setup) -> Result<Space, Fault> {
        let start = G::start(setup);
        let row = |(id, action): (ActionId, G::Action)| {
            let entry = start.encode(&[action]);
            ActionRow {
                id,
                text: action.to_string(),
                kind: entry.kind,
                payload: entry.payload,
            }
        };
        let actions: Vec<ActionRow> = start.actions().map(row).collect();
        let hash = Hash::of(&actions).map_err(|error| Fault::Document(error.to_string()))?;
        let tensors = tensors(G::observation(setup).blocks, G::byte_steps);
        Ok(Space {
            game: G::NAME,
            rules_version: G::RULES_VERSION,
            observation_version: G::OBSERVATION_VERSION,
            n_seats: start.n_seats(),
            n_values: tensors.iter().map(|tensor| tensor.block.len()).sum(),
            tensors,
            aux: tensors_of_bytes(G::aux()),
            sights: G::SIGHTS,
            frames: G::FRAMES,
            n_actions: start.n_actions(),
            actions,
            actions_hash: hash,
        })
    }
}

fn tensors(blocks: Vec<Block>, bytes: impl Fn(&Block) -> Vec<ByteStep>) -> Vec<Tensor> {
    let mut offset = 0;
    let place = |block: Block| {
        let bytes = bytes(&block);
        let tensor = Tensor {
            offset,
            block,
            bytes,
        };
        offset += tensor.block.len();
        tensor
    };
    blocks.into_iter().map(place).collect()
}

fn tensors_of_bytes(blocks: Vec<Block>) -> Vec<Tensor> {
    tensors(blocks, |_| vec![ByteStep { add: 0, unit: 1 }])
}
