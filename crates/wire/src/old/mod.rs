//! Orcain's old events: the names and payloads that existing clients know, on the default
//! namespace of [`socketio`](crate::socketio).
//!
//! What a client says becomes a [`Heard`]; what a session says becomes frames through a
//! [`Dialect`], one for each seat and connection. Fields that old clients do not know are
//! only ever added. An empty slot is `null`, always.

mod dialect;
mod events;
mod heard;

use crate::socketio::{bare_event_frame, event_frame};

pub use dialect::{Context, Dialect};
pub use events::{
    EVENTS, ErrorMsg, HelloOk, MatchEnded, MatchFound, OldEvent, PrepStart, QueueOk, RoundEnd,
    StepReveal, SyncState,
};
pub use heard::{HEARD, Heard, SESSION_ID_BYTES_MAX, TOKEN_BYTES_MAX, Unheard};

/// What old clients compare with to log their user out.
pub const UNAUTHORIZED: &str = "Unauthorized";

/// The answer to anything that comes before `hello`.
pub const HELLO_FIRST: &str = "Please send hello first";

/// The answer to `pve_start` of somebody who sits in a match.
pub const ALREADY_IN_MATCH: &str = "Already in a match";

/// The answer to a confirm that is not made of cards of the hand.
pub const INVALID_LAYOUT: &str = "Invalid cards: cards must be from your hand";

/// The answer to `hello`.
pub fn hello_ok(hello: &HelloOk<'_>) -> String {
    event_frame("hello_ok", hello)
}

/// Something was refused.
pub fn error_msg(code: Option<&str>, message: &str) -> String {
    event_frame("error_msg", &ErrorMsg { code, message })
}

/// The account waits for an opponent.
pub fn queue_ok(tokens: u64) -> String {
    event_frame("queue_ok", &QueueOk { tokens })
}

/// The account does not wait, whether or not it did before.
pub fn queue_left() -> String {
    bare_event_frame("queue_left")
}
