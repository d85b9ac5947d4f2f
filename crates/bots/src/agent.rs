//! Agents that fail.

use std::fmt;

use kernel::Seat;

/// An agent that could not decide, so that its match has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentFault {
    /// Its seat.
    pub seat: Seat,
    /// Its name.
    pub agent: String,
    /// What went wrong.
    pub message: String,
}

impl fmt::Display for AgentFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AgentFault {
            seat,
            agent,
            message,
        } = self;
        write!(f, "the agent {agent:?} in seat {seat} failed: {message}")
    }
}

impl std::error::Error for AgentFault {}
