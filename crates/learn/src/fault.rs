//! Errors of this crate.

use std::fmt;

/// The reason for a refusal. Nothing was changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Buffers of the wrong size, one message for each.
    Sizes(Vec<String>),
    /// Actions that are not legal.
    Illegal {
        /// Environment, seat and action of the first few.
        first: Vec<(usize, usize, i32)>,
        /// The total number of illegal actions.
        n_all: usize,
    },
    /// The game does not support what was asked for.
    Unsupported(String),
    /// A document with faults.
    Document(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Sizes(faults) => f.write_str(&faults.join("; ")),
            Fault::Illegal { first, n_all } => {
                let each = |(env, seat, action): &(usize, usize, i32)| {
                    format!("environment {env}, seat {seat}: action {action}")
                };
                let shown: Vec<String> = first.iter().map(each).collect();
                write!(f, "{n_all} illegal: {}", shown.join("; "))
            }
            Fault::Unsupported(message) | Fault::Document(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Fault {}
