//! `dataset.json`: what a dataset holds.

use kernel::json::{Hash, Json};
use learn::{Frame, Learn, Sight, Space, Tensor};
use serde::Serialize;

use crate::rows::{ABOUT, Rows};
use crate::{Fault, Options};

/// The version of the format (semver): an added field or array is a new minor.
pub const SCHEMA_VERSION: &str = "1.0.0";

/// What a dataset holds and where it comes from.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Manifest {
    /// What this document is.
    pub format: &'static str,
    /// The version of the format.
    pub schema_version: &'static str,
    /// The game.
    pub game: &'static str,
    /// The version of its rules.
    pub rules_version: &'static str,
    /// The version of its observation.
    pub observation_version: &'static str,
    /// The hash of its action table: two with the same hash have the same ids.
    pub actions_hash: Hash,
    /// How many seats there are.
    pub n_seats: usize,
    /// How many actions there are.
    pub n_actions: usize,
    /// How many numbers an observation has.
    pub n_values: usize,
    /// What observations tell.
    pub sight: Sight,
    /// How they number seats.
    pub frame: Frame,
    /// The setup; none where matches have different ones.
    pub setup: Option<Json>,
    /// Where the matches come from.
    pub source: Source,
    /// How many rows there are.
    pub n_rows: u64,
    /// How many matches there are.
    pub n_episodes: u64,
    /// The arrays of every shard.
    pub arrays: Vec<ArrayEntry>,
    /// The shards in order.
    pub shards: Vec<ShardEntry>,
    /// The tensors of an observation, one after the other.
    pub tensors: Vec<Tensor>,
}

/// Where the matches of a dataset come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// Agents played them.
    SelfPlay {
        /// Who played, by seat.
        seats: Vec<String>,
        /// The seed of the run.
        seed: String,
        /// How many matches.
        games: u32,
    },
    /// They were recorded.
    Records {
        /// How many matches.
        records: u64,
        /// The hash of all bytes of the files, one after the other.
        sha256: String,
    },
}

/// An array of every shard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ArrayEntry {
    /// Its name.
    pub name: &'static str,
    /// NumPy's name of its numbers.
    pub dtype: &'static str,
    /// The lengths of its axes after the first.
    pub shape: Vec<usize>,
    /// What it says.
    pub about: &'static str,
}

/// A shard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShardEntry {
    /// The name of its file.
    pub file: String,
    /// How many rows it has.
    pub n_rows: u64,
    /// How many matches.
    pub n_episodes: u64,
    /// The first of them.
    pub first_episode: u64,
    /// How many bytes the file has.
    pub n_bytes: u64,
    /// Their hash.
    pub sha256: Hash,
}

impl Manifest {
    /// The manifest of these shards.
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

    /// The document, for people and programs.
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
