//! What a dataset is to look like.

use learn::{Form, Learn};

use crate::Fault;

/// So many rows make a shard, unless it is said otherwise.
pub const SHARD_ROWS: usize = 1 << 16;
/// The most rows after which a shard is closed.
pub const SHARD_ROWS_MAX: usize = 1 << 20;
/// The most threads.
pub const THREADS_MAX: usize = 1024;

/// What a dataset is to look like, and how it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// In which form positions are shown.
    pub form: Form,
    /// The numbers of observations.
    pub number: Number,
    /// A shard is closed at the end of the first match with which it has so many rows.
    pub shard_rows: usize,
    /// How many threads play and pack. The bytes are the same with any number.
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

/// The numbers of observations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Number {
    /// Bytes.
    #[default]
    U8,
    /// Floats: each number divided by its scale.
    F32,
}

impl Number {
    /// All of them.
    pub const ALL: [Number; 2] = [Number::U8, Number::F32];
    /// Their names, as NumPy has them.
    pub const NAMES: [&'static str; 2] = ["uint8", "float32"];
}

impl Options {
    /// Refuses what the game or the format does not have, with all that is wrong.
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
