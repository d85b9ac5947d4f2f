//! What players of both protocols hear and say.

use std::time::Duration;

/// What a message means to a player.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Heard {
    /// The server waits for the player's name.
    Open,
    /// The server knows the player.
    Welcome,
    /// A match begins.
    Found,
    /// A time to lay out begins: its round and deadline.
    Prep { round: u8, deadline_ms: Option<u64> },
    /// Something was turned over, or the time to lay out is over.
    Shown(Shown),
    /// A decision was answered; nothing is refused when there is no code.
    Answered { seq: u64, code: Option<String> },
    /// The match is over and settled.
    Ended,
    /// The framing wants this answer.
    Reply(&'static str),
    /// Something was refused.
    Refused { code: String },
    /// Nothing that matters here.
    Other,
}

/// Something that time brought about, by the server's clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Shown {
    pub(super) what: What,
    /// When the next thing is due, where the server tells it.
    pub(super) next_ms: Option<u64>,
    /// The next time to lay out, if it begins in the same breath.
    pub(super) round: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// Both layouts are final.
    Finalized,
    /// A step was turned over.
    Step,
    /// The round is over.
    RoundEnd,
}

/// A decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deed {
    Draft,
    Confirm,
}

/// One protocol, as one player speaks it.
pub(super) trait Talk: Send + Sync {
    /// Where to connect.
    fn path(&self) -> &'static str;

    /// What a text message means.
    fn hear(&mut self, text: &str) -> Heard;

    /// The first thing to say, once the server is [`Heard::Open`].
    fn hello(&self, token: &str) -> String;

    fn queue_join(&self) -> String;

    /// A decision in the match, and the number under which it is answered.
    fn decide(&mut self, deed: Deed, layout: &str) -> (u64, String);

    /// Giving the match up; nothing where the protocol has no way but to leave.
    fn resign(&mut self) -> Option<String>;

    /// Whether the server must speak first.
    fn waits_for_open(&self) -> bool;
}

/// How much later than due something was received, with the server's clock this far ahead.
pub(super) fn lateness(due_ms: u64, received_unix_us: i64, ahead_us: i64) -> Duration {
    let due_us = i64::try_from(due_ms)
        .unwrap_or(i64::MAX)
        .saturating_mul(1000);
    let late_us = received_unix_us + ahead_us - due_us;
    Duration::from_micros(u64::try_from(late_us).unwrap_or_default())
}
