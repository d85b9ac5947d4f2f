//! Matches as NumPy arrays, for training on played matches.
//!
//! A dataset is a folder of NPZ shards and a `dataset.json` that describes them ([`Manifest`]).
//! Every decision of every seat is a row: the observation, the legal actions, the action taken and
//! the reward. A match is never split between two shards.
//!
//! - [`self_play`] plays matches between agents and stores them.
//! - [`from_records`] replays records and checks each line. It streams them: no record is ever
//!   entirely in memory.
//!
//! The same arguments give the same bytes, whatever the number of threads, and a dataset from the
//! records of a self-play has the same shards as the dataset of that self-play. `dataset.json` is
//! written last: a folder without it is not a dataset.

mod fault;
mod folder;
mod manifest;
mod options;
mod records;
mod rows;
mod self_play;
mod shards;

pub use fault::{Fault, RecordProblem};
pub use manifest::{ArrayEntry, Manifest, SCHEMA_VERSION, ShardEntry, Source};
pub use options::{Number, Options, SHARD_ROWS, SHARD_ROWS_MAX, THREADS_MAX};
pub use records::{from_records, record_files};
pub use self_play::{GAMES_MAX, SelfPlay, self_play};

/// The message that refuses a test match.
const TEST_MATCH: &str = "the setup declares a test match: its chance may be forced, so it cannot \
     be part of a dataset";
