//! `dataset.json`, the description of a dataset.

use kernel::json::{Hash, Json};
use learn::{Frame, Learn, Sight, Space, Tensor};
use serde::Serialize;

use crate::rows::{ABOUT, Rows};
use crate::{Fault, Options};

/// The version of the format (semver). An added field or array is a new minor version.
pub const SCHEMA_VERSION: &str = "1.0.0";

/// The content and the origin of a dataset.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Manifest {
    /// The name of this document's format.
    pub format: &'static str,
    /// The version of the format.
    pub schema_version: &'static str,
    /// The name of the game.
    pub game: &'static str,
    /// The version of its rules.
    pub rules_version: &'static str,
    /// The version of its observation.
    pub observation_version: &'static str,
    /// The hash of its action table. Tables with the same hash have the same ids.
    pub actions_hash: Hash,
    /// The number of seats.
    pub n_seats: usize,
    /// The number of actions.
    pub n_actions: usize,
    /// The number of values in an observation.
    pub n_values: usize,
    /// The facts that observations include: the seat's own knowledge, or everything.
    pub sight: Sight,
    /// The numbering of seats in observations.
    pub frame: Frame,
    /// The setup; `None` if matches have different ones.
    pub setup: Option<Json>,
    /// The origin of the matches.
    pub source: Source,
    /// The number of rows in all shards.
    pub n_rows: u64,
    /// The number of matches in all shards.
    pub n_episodes: u64,
    /// The arrays that every shard has.
    pub arrays: Vec<ArrayEntry>,
    /// The shards in order.
    pub shards: Vec<ShardEntry>,
    /// The tensors of an observation, in order.
    pub tensors: Vec<Tensor>,
}

/// The origin of the matches of a dataset.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// The matches were played between agents.
    SelfPlay {
        /// The names of the agents, by seat.
        seats: Vec<String>,
        /// The seed of the run.
        seed: String,
        /// The number of matches.
        games: u32,
    },
    /// The matches were read from records.
    Records {
        /// The number of matches.
        records: u64,
        /// The hash of the concatenated bytes of all files.
        sha256: String,
    },
}

/// An array that every shard has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ArrayEntry {
    /// The array's name.
    pub name: &'static str,
    /// NumPy's name for the element type.
    pub dtype: &'static str,
    /// The lengths of the axes after the first.
    pub shape: Vec<usize>,
    /// The meaning of the array.
    pub about: &'static str,
}

/// A shard's entry in the manifest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShardEntry {
    /// The name of the file.
    pub file: String,
    /// The number of rows.
    pub n_rows: u64,
    /// The number of matches.
    pub n_episodes: u64,
    /// The number of the first match.
    pub first_episode: u64,
    /// The size of the file in bytes.
    pub n_bytes: u64,
    /// The hash of the file.
    pub sha256: Hash,
}

impl Manifest {
    pub(crate) fn new<G: Learn>(
        space: Space,
        setup: Option<&G::Setup>,
        source: Source,
        options: &Options,
        shards: Vec<ShardEntry>,
    ) -> Result<Manifest, Fault> {
        let setup = setup.map(kernel::json::from_value).transpose();
        Ok(Manifest {
            format: "referee-dataset",
            schema_version: SCHEMA_VERSION,
            game: space.game,
            rules_version: space.rules_version,
            observation_version: space.observation_version,
            actions_hash: space.actions_hash,
            n_seats: space.n_seats,
            n_actions: space.n_actions,
            n_values: space.n_values,
            sight: options.form.sight,
            frame: options.form.frame,
            setup: setup.map_err(|error| Fault::Options(vec![error.to_string()]))?,
            source,
            n_rows: shards.iter().map(|shard| shard.n_rows).sum(),
            n_episodes: shards.iter().map(|shard| shard.n_episodes).sum(),
            arrays: arrays(&Rows::new(space.n_values, space.n_actions, options.number)),
            shards,
            tensors: space.tensors,
        })
    }

    /// The document as indented text.
    pub(crate) fn to_text(&self) -> Result<String, Fault> {
        let text = serde_json::to_string_pretty(self);
        let text = text.map_err(|error| Fault::Options(vec![error.to_string()]))?;
        Ok(text + "\n")
    }
}

fn arrays(rows: &Rows) -> Vec<ArrayEntry> {
    let all = rows.arrays();
    let each = all.iter().zip(ABOUT);
    each.map(|(array, (name, about))| ArrayEntry {
        name,
        dtype: array.values.dtype(),
        shape: array.shape[1..].to_vec(),
        about,
    })
    .collect()
}
