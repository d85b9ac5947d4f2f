//! What players of both protocols hear and say.

use kernel::rng::Generator;

pub(super) use bots::client::{Deed, Shown, What};

/// What a message means to a player.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Heard {
    /// The server waits for the player's name.
    Open,
    /// The server knows the player.
    Welcome,
    /// A match begins.
    Found,
    /// The player is to decide: in which round, and until when.
    Turn {
        round: u64,
        deadline_ms: Option<u64>,
    },
    /// The player has nothing to decide now.
    Idle,
    /// Something was turned over, or the time to decide is over.
    Shown(Shown),
    /// The server says how a decision can continue.
    Options,
    /// A decision was answered; nothing is refused when there is no code.
    Answered { seq: u64, code: Option<String> },
    /// The match is over and settled.
    Ended,
    /// The player has left a match that continues.
    Left,
    /// Somebody wants to play the last match again.
    Rematch,
    /// The last match is not played again.
    NoRematch,
    /// The framing wants this answer.
    Reply(&'static str),
    /// Something was refused.
    Refused { code: String },
    /// A decision was refused; it may have come after the end of its match.
    DecisionRefused { code: String },
    /// Nothing that matters here.
    Other,
}

/// The next message towards a decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Said {
    /// The decision itself, and the number under which it is answered.
    Ask { seq: u64, text: String },
    /// A question how it can continue, answered with [`Heard::Options`].
    Question(String),
    /// There is nothing to say.
    Nothing,
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

    /// Sitting down at a table; nothing where the protocol has no tables.
    fn table_join(&self, code: &str) -> Option<String>;

    /// Asking for the last match again; nothing where the protocol has no rematches.
    fn rematch(&self) -> Option<String>;

    /// Begins a decision in the match.
    fn decide(&mut self, deed: Deed, rng: &mut Generator) -> Said;

    /// Continues a decision by what the server said last.
    fn continue_deciding(&mut self, rng: &mut Generator) -> Said;

    /// Whether a decision is on its way.
    fn is_deciding(&self) -> bool;

    /// Whether there may be more to decide at once.
    fn may_decide(&self) -> bool;

    /// Whether the game has drafts.
    fn has_drafts(&self) -> bool;

    /// Giving the match up; nothing where the protocol has no way but to leave.
    fn resign(&mut self) -> Option<String>;

    /// Whether the server must speak first.
    fn waits_for_open(&self) -> bool;
}
