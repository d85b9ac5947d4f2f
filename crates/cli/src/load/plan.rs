//! The plan that all players of a run share.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::time::Instant;

use super::{Args, Think};

/// The plan that all players of a run share.
#[derive(Clone)]
pub(super) struct Plan {
    pub(super) server: SocketAddr,
    pub(super) think: Think,
    pub(super) drafts_max: u64,
    pub(super) rounds_max: Option<u8>,
    pub(super) step: Duration,
    pub(super) seed: u64,
    pub(super) socketio: bool,
    pub(super) after: After,
    /// When to begin no more matches; nothing when one is enough.
    pub(super) until: Option<Instant>,
    /// How far the server's clock is ahead of this one.
    pub(super) ahead_us: i64,
}

/// What players do after a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum After {
    /// They look for another match.
    Others,
    /// They ask for the same match again; once, where no time is given.
    Rematch,
}

impl Plan {
    pub(super) fn new(args: &Args, ahead_us: i64) -> Plan {
        let until = args
            .seconds
            .map(|s| Instant::now() + Duration::from_secs(s));
        Plan {
            server: args.server,
            think: args.think,
            drafts_max: args.drafts.into(),
            rounds_max: args.rounds,
            step: Duration::from_millis(args.step_ms),
            seed: args.seed,
            socketio: args.socketio,
            after: if args.rematch {
                After::Rematch
            } else {
                After::Others
            },
            until,
            ahead_us,
        }
    }
}
