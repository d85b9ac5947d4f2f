//! Orcain's old events: the names and payloads that existing clients know, on the default namespace
//! of [`socketio`](crate::socketio).
//!
//! A client's event becomes a [`ClientEvent`]. A session's message becomes frames through a [`Dialect`],
//! one for each seat and connection. Fields may be added, but those that old clients know never
//! change. An empty slot is always `null`.

mod client_event;
mod dialect;
mod events;

use crate::socketio::{bare_event_frame, event_frame};

pub use client_event::{
    CLIENT_EVENTS, ClientEvent, SESSION_ID_BYTES_MAX, TOKEN_BYTES_MAX, Unreadable,
};
pub use dialect::{Context, Dialect};
pub use events::{
    EVENTS, ErrorMsg, HelloOk, MatchEnded, MatchFound, OldEvent, PrepStart, QueueOk, RoundEnd,
    StepReveal, SyncState,
};

/// The message that makes old clients sign out.
pub const UNAUTHORIZED: &str = "Unauthorized";

/// The answer to any event before `hello`.
pub const HELLO_FIRST: &str = "Please send hello first";

/// The answer to `pve_start` from a player who is already in a match.
pub const ALREADY_IN_MATCH: &str = "Already in a match";

/// The answer to a confirm with a card that is not in the hand.
pub const INVALID_LAYOUT: &str = "Invalid cards: cards must be from your hand";

/// The answer to `hello`.
pub fn hello_ok(hello: &HelloOk<'_>) -> String {
    event_frame("hello_ok", hello)
}

/// Refuses an event.
pub fn error_msg(code: Option<&str>, message: &str) -> String {
    event_frame("error_msg", &ErrorMsg { code, message })
}

/// The account is in the queue.
pub fn queue_ok(tokens: u64) -> String {
    event_frame("queue_ok", &QueueOk { tokens })
}

/// The account is not in the queue, whether or not it was before.
pub fn queue_left() -> String {
    bare_event_frame("queue_left")
}
