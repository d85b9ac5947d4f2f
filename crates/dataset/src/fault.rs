//! Reasons why a dataset was not written.

use std::fmt;
use std::path::{Path, PathBuf};

use kernel::record::RecordFault;

/// The maximum number of record faults that are listed; all are counted.
const NAMED_MAX: usize = 64;

/// The reason why a dataset was not written. Files written so far are removed or have names that
/// no reader accepts as shards, and there is no `dataset.json`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Invalid options, each with the valid values.
    Options(Vec<String>),
    /// A file or folder cannot be read or written.
    Files(String),
    /// Records with faults.
    Records(Problems),
    /// A match failed: an agent could not decide.
    Play(String),
}

/// Faults of records: the first ones, and the total number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problems {
    first: Vec<RecordProblem>,
    n_all: usize,
}

/// A fault of a record, and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordProblem {
    /// The file with the record.
    pub file: PathBuf,
    /// The line in the file, the code and the message.
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

    /// True if there are no faults.
    pub fn is_empty(&self) -> bool {
        self.n_all == 0
    }

    /// The first faults, at most 64.
    pub fn first(&self) -> &[RecordProblem] {
        &self.first
    }

    /// The total number of faults.
    pub fn n_all(&self) -> usize {
        self.n_all
    }
}

impl Fault {
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
