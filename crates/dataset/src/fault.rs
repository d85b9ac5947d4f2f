//! Why there is no dataset.

use std::fmt;
use std::path::{Path, PathBuf};

use kernel::record::RecordFault;

/// How many faults of records are named; all are counted.
const NAMED_MAX: usize = 64;

/// Why there is no dataset. Whatever was written is gone or has a name that no reader takes
/// for a shard, and there is no `dataset.json`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// What was asked for cannot be, each with what would be right.
    Options(Vec<String>),
    /// A file or folder that cannot be read or written.
    Files(String),
    /// Records that are wrong.
    Records(Problems),
    /// A match came to nothing: an agent could not go on.
    Play(String),
}

/// Faults of records: the first of them, and how many there are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problems {
    first: Vec<RecordProblem>,
    n_all: usize,
}

/// What is wrong with a record, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordProblem {
    /// The file.
    pub file: PathBuf,
    /// The line of the file, the code and the message.
    pub fault: RecordFault,
}

impl Problems {
    pub(crate) fn push(&mut self, file: &Path, fault: RecordFault) {
        self.n_all += 1;
        if self.first.len() < NAMED_MAX {
            let file = file.to_owned();
            self.first.push(RecordProblem { file, fault });
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.n_all == 0
    }

    /// The first of them.
    pub fn first(&self) -> &[RecordProblem] {
        &self.first
    }

    /// How many there are.
    pub fn n_all(&self) -> usize {
        self.n_all
    }
}

impl Fault {
    /// A file that cannot be read or written.
    pub(crate) fn file(file: &Path, error: impl fmt::Display) -> Fault {
        Fault::Files(format!("{}: {error}", file.display()))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Options(faults) => f.write_str(&faults.join("; ")),
            Fault::Files(message) | Fault::Play(message) => f.write_str(message),
            Fault::Records(problems) => problems.fmt(f),
        }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (idx, RecordProblem { file, fault }) in self.first.iter().enumerate() {
            let line_end = if idx > 0 { "\n" } else { "" };
            write!(f, "{line_end}{}: {fault}", file.display())?;
        }
        match self.n_all - self.first.len() {
            0 => Ok(()),
            n_more => write!(f, "\nand {n_more} more records with faults"),
        }
    }
}

impl std::error::Error for Fault {}
