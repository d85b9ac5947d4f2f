//! The messages that both protocols have in common.

use kernel::rng::Generator;

pub(super) use bots::client::{Deed, Shown, What};

/// The meaning of a server message.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Reply {
    /// The server waits for the hello.
    Open,
    /// The server has accepted the hello.
    Welcome,
    /// A match begins.
    Found,
    /// The player must decide.
    Turn {
        round: u64,
        deadline_ms: Option<u64>,
    },
    /// The player has nothing to decide now.
    Idle,
    /// A card was revealed, or the time to decide is over.
    Shown(Shown),
    /// The server lists how a decision can continue.
    Options,
    /// A decision was answered. `code` is set if it was refused.
    Answered { seq: u64, code: Option<String> },
    /// The match is over and settled.
    Ended,
    /// The player has left a match that continues.
    Left,
    /// Another player asks for a rematch.
    Rematch,
    /// There will be no rematch.
    NoRematch,
    /// The framing requires the player to send this text back.
    SendBack(&'static str),
    /// A message other than a decision was refused.
    Refused { code: String },
    /// A decision was refused. It may have arrived after the end of its match.
    DecisionRefused { code: String },
    /// A message that players ignore.
    Other,
}

/// The next message towards a decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Said {
    /// The decision itself, and the number under which it is answered.
    Ask { seq: u64, text: String },
    /// A question about how it can continue, answered with [`Reply::Options`].
    Question(String),
    /// There is nothing to send.
    Nothing,
}

/// The client side of one protocol, for one player.
pub(super) trait Talk: Send + Sync {
    /// The path of the WebSocket endpoint.
    fn path(&self) -> &'static str;

    /// Interprets a text message.
    fn receive(&mut self, text: &str) -> Reply;

    /// The first message, sent once the server is [`Reply::Open`].
    fn hello(&self, token: &str) -> String;

    fn queue_join(&self) -> String;

    /// The message that joins a lobby; `None` if the protocol has no lobbies.
    fn table_join(&self, code: &str) -> Option<String>;

    /// The message that asks for a rematch; `None` if the protocol has no rematches.
    fn rematch(&self) -> Option<String>;

    /// Begins a decision in the match.
    fn decide(&mut self, deed: Deed, rng: &mut Generator) -> Said;

    /// Continues a decision with the server's latest answer.
    fn continue_deciding(&mut self, rng: &mut Generator) -> Said;

    /// True while a decision is being composed or awaits its answer.
    fn is_deciding(&self) -> bool;

    /// True if there may be more to decide right away.
    fn may_decide(&self) -> bool;

    /// True if the game has drafts.
    fn has_drafts(&self) -> bool;

    /// The message that resigns the match; `None` if the protocol only allows disconnecting.
    fn resign(&mut self) -> Option<String>;

    /// True if the server sends the first message.
    fn waits_for_open(&self) -> bool;
}
