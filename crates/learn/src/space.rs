//! The description of a game's observation and actions.

use kernel::json::{Hash, Json};
use kernel::{ActionId, Block, GameExt};
use serde::Serialize;

use crate::{ByteStep, Fault, Frame, Learn, Sight};

/// The inputs and outputs of a policy, for one setup.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Space {
    /// The name of the game.
    pub game: &'static str,
    /// The version of the rules.
    pub rules_version: &'static str,
    /// The version of the observation.
    pub observation_version: &'static str,
    /// The number of seats.
    pub n_seats: usize,
    /// The number of values in an observation.
    pub n_values: usize,
    /// The tensors of an observation, in order.
    pub tensors: Vec<Tensor>,
    /// The additional bytes for exact inversion; empty if a game has none. A policy never receives
    /// them.
    pub aux: Vec<Tensor>,
    /// The available sights: the seat's own knowledge, or everything.
    pub sights: &'static [Sight],
    /// The available numberings of seats.
    pub frames: &'static [Frame],
    /// The number of actions.
    pub n_actions: usize,
    /// Every action, by id.
    pub actions: Vec<ActionRow>,
    /// The hash of the action table. Tables with the same hash have the same ids.
    pub actions_hash: Hash,
}

/// A named tensor and its offset.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Tensor {
    /// The index of its first value in the flat observation.
    pub offset: usize,
    /// Its name, shape, range, scale and meaning.
    #[serde(flatten)]
    pub block: Block,
    /// The conversion of its values to bytes: one step for all of them, or one for each.
    pub bytes: Vec<ByteStep>,
}

/// An action with its id.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ActionRow {
    /// The action's id.
    pub id: ActionId,
    /// Short text for terminals.
    pub text: String,
    /// The action's type in records.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The action's payload in records.
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
