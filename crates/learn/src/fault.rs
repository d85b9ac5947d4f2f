//! What can be wrong with what a caller asks.

use std::fmt;

/// Why something was refused. Nothing was changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Buffers of the wrong size, each with what is wrong.
    Sizes(Vec<String>),
    /// Actions that are not legal: environment, seat and action, the first few of them.
    Illegal {
        /// Environment, seat and action.
        first: Vec<(usize, usize, i32)>,
        /// How many there are in all.
        n_all: usize,
    },
    /// The game does not have what was asked for.
    Unsupported(String),
    /// A document that is not what it should be.
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
