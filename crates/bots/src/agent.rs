//! The failure of an agent.

use std::fmt;

use kernel::Seat;

/// An agent could not decide, so its match has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentFault {
    /// The agent's seat.
    pub seat: Seat,
    /// The agent's name.
    pub agent: String,
    /// The reason it failed.
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
