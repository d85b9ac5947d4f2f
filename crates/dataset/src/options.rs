//! Options of a dataset.

use kernel::doc::Names;
use learn::{Form, Learn};

use crate::Fault;

/// The default number of rows in a shard.
pub const SHARD_ROWS: usize = 1 << 16;
/// The maximum number of rows after which a shard is closed.
pub const SHARD_ROWS_MAX: usize = 1 << 20;
/// The maximum number of threads.
pub const THREADS_MAX: usize = 1024;

/// The form of a dataset, and the resources to make it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The form of observations.
    pub form: Form,
    /// The element type of observations.
    pub number: Number,
    /// A shard is closed at the end of the first match with which it reaches this many rows.
    pub shard_rows: usize,
    /// The number of threads that play and pack. It does not change the bytes.
    pub n_threads: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            form: Form::default(),
            number: Number::default(),
            shard_rows: SHARD_ROWS,
            n_threads: 1,
        }
    }
}

/// The element type of observations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Names)]
pub enum Number {
    /// Bytes.
    #[default]
    #[serde(rename = "uint8")]
    U8,
    /// Floats: each value divided by its scale.
    #[serde(rename = "float32")]
    F32,
}

impl Options {
    /// Refuses options that the game or the format does not support, listing every fault.
    pub(crate) fn check<G: Learn>(&self) -> Result<(), Fault> {
        let mut faults = Vec::new();
        for (what, n, n_max) in [
            ("shard_rows", self.shard_rows, SHARD_ROWS_MAX),
            ("threads", self.n_threads, THREADS_MAX),
        ] {
            if !(1..=n_max).contains(&n) {
                faults.push(format!("{what} is {n}: expected 1 to {n_max}"));
            }
        }
        let Form { sight, frame } = self.form;
        if !G::SIGHTS.contains(&sight) {
            faults.push(format!("{} has no {sight:?} sight", G::NAME));
        }
        if !G::FRAMES.contains(&frame) {
            faults.push(format!("{} has no {frame:?} frame", G::NAME));
        }
        match faults.is_empty() {
            true => Ok(()),
            false => Err(Fault::Options(faults)),
        }
    }
}
