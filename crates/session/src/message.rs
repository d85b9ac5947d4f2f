//! The messages that leave a session: projections, and nothing else.

use std::borrow::Cow;

use kernel::{Event, Outcome, SeatSet};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Live, Ms};

/// One message to one viewer.
///
/// Versions count the messages that this viewer was shown, without gaps. They are not the versions
/// of stored events, whose number would reveal how often the opponent has drafted.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", bound = "")]
#[schemars(
    rename = "Message",
    bound = "G::View: JsonSchema, <G::Event as Event>::Seen: JsonSchema"
)]
pub enum Message<G: Live> {
    /// The current state of the match.
    Standing {
        /// The last version that this state includes.
        version: u64,
        /// The viewer's view of the position.
        view: G::View,
        /// Every word that a decision of the seat can begin with now; empty in games whose
        /// decisions are not made of words.
        #[schemars(with = "Vec<G::Word>")]
        legal: Vec<String>,
        /// The seats that the match is paused for.
        absent: SeatSet,
        /// The deadline; `null` while the match is paused.
        deadline_ms: Option<Ms>,
        /// The server's time, for clients whose clock is wrong.
        now_ms: Ms,
    },
    /// Something happened.
    News {
        /// The version, one more than that of the viewer's previous `news`.
        version: u64,
        /// The events, as this viewer may see them.
        events: Vec<<G::Event as Event>::Seen>,
        /// A change of the clock, if there was one.
        note: Option<Note>,
        /// The deadline after these events.
        deadline_ms: Option<Ms>,
    },
    /// The answer to a numbered message, whose effects are durable.
    Ack {
        /// The number of the message.
        client_seq: u64,
        /// The code of the refusal or correction; `null` if the message was accepted as it was.
        code: Option<Cow<'static, str>>,
        /// True if the message was accepted, corrected or not.
        taken: bool,
    },
    /// The answer to a `consider`. Nothing was changed.
    Options {
        /// The number of the question.
        question: u64,
        /// The code of the refusal; `null` if the decision is legal so far.
        code: Option<&'static str>,
        /// True if the decision is whole and can be sent as an `ask`.
        whole: bool,
        /// The words that can follow; empty if the decision is whole or refused.
        #[schemars(with = "Vec<G::Word>")]
        legal: Vec<String>,
    },
    /// An earlier message is missing: send again, starting from the expected one.
    Gap {
        /// The number of the next message that can be accepted.
        expected: u64,
    },
    /// Storage cannot be written. The clock is stopped, and no acknowledged decision is lost.
    /// Messages sent now are answered once storage is back. `news` with the note `recovered`
    /// follows then.
    Stalled {
        /// The time since when storage cannot be written.
        since_ms: Ms,
    },
    /// The match is over.
    Over {
        /// The result.
        outcome: Outcome,
        /// The viewer's share of the stakes, in tokens.
        tokens: u64,
    },
}

/// A change of the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// The match is paused for disconnected players.
    Paused {
        /// The seats of the disconnected players.
        absent: SeatSet,
    },
    /// The match continues.
    Resumed,
    /// The server or its storage was unavailable, and deadlines were moved by this much.
    Recovered {
        /// The length of the outage, in milliseconds.
        down_ms: Ms,
    },
}

/// For test failures.
impl<G: Live> std::fmt::Debug for Message<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bytes = kernel::json::to_canonical(self).map_err(|_| std::fmt::Error)?;
        f.write_str(&String::from_utf8_lossy(&bytes))
    }
}
