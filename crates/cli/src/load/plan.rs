//! Settings shared by all players of a run.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::time::Instant;

use super::{Args, Think};

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
    /// No matches start after this instant. `None` means one match per player.
    pub(super) until: Option<Instant>,
    /// The offset of the server's clock from this one, in microseconds.
    pub(super) ahead_us: i64,
}

/// The players' next step after a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum After {
    /// Look for another match.
    Others,
    /// Ask for a rematch; only once if no duration is given.
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
