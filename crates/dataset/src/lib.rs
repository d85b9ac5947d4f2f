//! Matches as NumPy arrays, for whoever learns from what was played.
//!
//! A dataset is a folder of NPZ shards and a `dataset.json` that says what they hold
//! ([`Manifest`]). Every decision of every seat is a row: what the seat saw, what it might
//! do, what it did and what came of it. Matches are never torn apart between two shards.
//!
//! - [`self_play`] plays matches between agents and keeps them.
//! - [`from_records`] replays records, each line checked, and streams them: no record is
//!   ever wholly in memory.
//!
//! The same arguments give the same bytes, whatever the number of threads; and a dataset of
//! records of self-play has the same shards as the dataset of that self-play. `dataset.json`
//! is written last: a folder without it is not a dataset.

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

/// Why a test match is in no dataset.
const TEST_MATCH: &str = "the setup declares a test match: chance may be forced in it, so a \
     dataset does not take it";
