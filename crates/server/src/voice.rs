//! Translation between a match and one client's protocol.

use kernel::doc;
use kernel::json::Json;
use kernel::{MatchId, Seat};
use session::{Live, Message, Ms, Say};
use wire::native::{MatchEnd, MatchFound, Refused, ServerMessage};
use wire::old::ClientEvent;

use crate::old_clients;

/// The protocol of a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Speech {
    /// Referee's own protocol.
    Native,
    /// Socket.IO, with the events of old clients.
    Old,
}

impl Speech {
    /// True if clients of this protocol can play the game of this name.
    pub(crate) fn plays(self, game: &str) -> bool {
        self == Speech::Native || game == old_clients::GAME.as_str()
    }

    /// Returns the voice for a client of this protocol, or `None` if it cannot play the game.
    pub(crate) fn voice<G: Live>(
        self,
        seat: Seat,
        found: &MatchFound,
    ) -> Option<Box<dyn Voice<G>>> {
        match self {
            Speech::Native => Some(Box::new(Native::new(found.match_id))),
            Speech::Old => old_clients::voice(seat, found),
        }
    }
}

/// A client's message to a match, before the game is known.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    /// A numbered decision.
    Ask { seq: u64, ask: Json },
    /// A question about what a decision would do.
    Consider { question: u64, ask: Json },
    /// A numbered resignation.
    Resign { seq: u64 },
    /// A request for everything after a version.
    Resync { seen: u64 },
    /// The player of this seat now sits in front of the screen.
    Sit { seat: u8 },
    /// A request for a bot's evaluation.
    Chances,
    /// An event of an old client.
    Old(ClientEvent),
}

impl Said {
    /// Returns the sequence number of a numbered message.
    pub(crate) fn seq(&self) -> Option<u64> {
        match self {
            Said::Ask { seq, .. } | Said::Resign { seq } => Some(*seq),
            _ => None,
        }
    }
}

/// Translates between a match and one client's protocol.
pub(crate) trait Voice<G: Live>: Send {
    /// The match begins or resumes for this client.
    fn found(&mut self, found: &MatchFound) -> Vec<String>;

    /// Translates a message of the session for the client.
    fn tell(&mut self, message: Message<G>, now: Ms) -> Vec<String>;

    /// The match is over and settled.
    fn end(&mut self, end: &MatchEnd) -> Vec<String>;

    /// Translates a message of the client; `None` if it is not for this match.
    fn receive(&mut self, said: Said) -> Option<Result<Say<G>, String>>;
}

pub(crate) struct Native {
    match_id: MatchId,
}

impl Native {
    pub(crate) fn new(match_id: MatchId) -> Native {
        Native { match_id }
    }
}

impl<G: Live> Voice<G> for Native {
    fn found(&mut self, found: &MatchFound) -> Vec<String> {
        let found = Box::new(found.clone());
        vec![ServerMessage::<()>::MatchFound(found).write()]
    }

    fn tell(&mut self, message: Message<G>, _: Ms) -> Vec<String> {
        vec![news(self.match_id, message)]
    }

    fn end(&mut self, end: &MatchEnd) -> Vec<String> {
        vec![ServerMessage::<()>::MatchEnd(Box::new(end.clone())).write()]
    }

    fn receive(&mut self, said: Said) -> Option<Result<Say<G>, String>> {
        match said {
            Said::Ask { seq, ask } => Some(
                read_ask::<G>(&ask)
                    .map_err(|refused| {
                        let refused = Refused {
                            seq: Some(seq),
                            ..refused
                        };
                        ServerMessage::<()>::Error(refused).write()
                    })
                    .map(|ask| Say::Ask {
                        client_seq: seq,
                        ask,
                    }),
            ),
            Said::Consider { question, ask } => Some(
                read_ask::<G>(&ask)
                    .map_err(|refused| ServerMessage::<()>::Error(refused).write())
                    .map(|ask| Say::Consider { question, ask }),
            ),
            Said::Resign { seq } => Some(Ok(Say::Resign { client_seq: seq })),
            Said::Resync { seen } => Some(Ok(Say::Resync { seen })),
            // The room has already answered these.
            Said::Old(_) | Said::Sit { .. } | Said::Chances => None,
        }
    }
}

/// Writes a message of a match for the wire.
pub(crate) fn news<G: Live>(match_id: MatchId, message: Message<G>) -> String {
    ServerMessage::Match { match_id, message }.write()
}

/// Reads a decision in the game's own vocabulary. The error lists everything wrong with it.
fn read_ask<G: Live>(ask: &Json) -> Result<G::Ask, Refused> {
    doc::parse(ask).map_err(|faults| Refused {
        code: "malformed_ask",
        message: faults.one_line(),
        seq: None,
    })
}
