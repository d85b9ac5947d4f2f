//! What leaves a session: projections, and nothing else.

use std::borrow::Cow;

use kernel::{Event, Outcome, SeatSet};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Live, Ms};

/// One message to one viewer.
///
/// Versions count what this viewer was shown, without gaps. They are not the versions of
/// stored events, whose number would tell how often the other has drafted.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", bound = "")]
#[schemars(
    rename = "Message",
    bound = "G::View: JsonSchema, <G::Event as Event>::Seen: JsonSchema"
)]
pub enum Message<G: Live> {
    /// Where the match stands.
    Standing {
        /// The last version that is part of it.
        version: u64,
        /// What the viewer may know.
        view: G::View,
        /// Every word that a decision of the seat can begin with now; none in games that are
        /// not asked in words.
        #[schemars(with = "Vec<G::Word>")]
        legal: Vec<String>,
        /// For whom the match stands still.
        absent: SeatSet,
        /// When time runs out; nothing while the match stands still.
        deadline_ms: Option<Ms>,
        /// The host's time, for clients whose clock is wrong.
        now_ms: Ms,
    },
    /// Something happened.
    News {
        /// Its version.
        version: u64,
        /// What the viewer may know of it.
        events: Vec<<G::Event as Event>::Seen>,
        /// What happened to the clock, if it was that.
        note: Option<Note>,
        /// When time runs out after it.
        deadline_ms: Option<Ms>,
    },
    /// The answer to a numbered message: what it brought about is durable.
    Ack {
        /// Which.
        client_seq: u64,
        /// Why it was refused, mended or passed over; nothing when it was taken as it was.
        code: Option<Cow<'static, str>>,
        /// Whether it was taken, mended or not.
        taken: bool,
    },
    /// The answer to a question what could be done. Nothing was done.
    Options {
        /// Which question.
        question: u64,
        /// Why what was asked about is refused; nothing when it is legal so far.
        code: Option<&'static str>,
        /// Whether it is a whole decision, ready to be asked for.
        whole: bool,
        /// The words that can follow it; none when it is whole or refused.
        #[schemars(with = "Vec<G::Word>")]
        legal: Vec<String>,
    },
    /// A message before this one is missing: send again from the expected one on.
    Gap {
        /// The number of the next message that can be taken.
        expected: u64,
    },
    /// Storage takes no writes. The clock is stopped and nothing that was acknowledged is
    /// lost; what is sent now is answered once storage is back. News with the note
    /// `recovered` follow then.
    Stalled {
        /// Since when.
        since_ms: Ms,
    },
    /// The match is over.
    Over {
        /// How.
        outcome: Outcome,
        /// What the viewer gets of the stakes.
        tokens: u64,
    },
}

/// What happened to the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// The match is paused for these seats.
    Paused {
        /// Who is away.
        absent: SeatSet,
    },
    /// It continues.
    Resumed,
    /// The host or its storage was away; deadlines were moved by this much.
    Recovered {
        /// How long.
        down_ms: Ms,
    },
}

/// The text is for test failures.
impl<G: Live> std::fmt::Debug for Message<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bytes = kernel::json::to_canonical(self).map_err(|_| std::fmt::Error)?;
        f.write_str(&String::from_utf8_lossy(&bytes))
    }
}
