//! Referee's own protocol: one JSON object per WebSocket text message, at `/ws`.
//!
//! A client sends `hello` first. Each decision carries a number, `seq`, that increases by one. The
//! answer arrives once the decision is durable, and a message that is sent twice takes effect once.
//! A viewer receives the events of a match with consecutive versions, so a client that reconnects
//! names the last version it saw and receives the rest.

use catalog::GameName;
use kernel::doc::{self, Document};
use kernel::fair::{Commitment, Contribution, Opening, read_hex};
use kernel::json::{self, Json};
use kernel::{MatchId, Outcome};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use crate::Misread;
use crate::codes::ErrorCode;
use crate::limits::measure;

/// The version of this protocol. A client that names another one is refused.
pub const PROTOCOL: u32 = 1;

// `A` is the type of a decision in a match: any JSON, until the match's game parses it.
/// A message from a client.
#[derive(Clone, Debug, Document, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schemars(rename = "ClientMessage")]
pub enum ClientMessage<A: Document = Json> {
    /// Identifies the client: always the first message.
    Hello(Hello),
    /// Joins the queue for an opponent.
    QueueJoin(QueueJoin),
    /// Leaves the queue.
    QueueLeave {},
    /// Starts a match against a bot, without a stake.
    PlayBot(PlayBot),
    /// Creates an invitation link for a private match.
    InviteCreate(QueueJoin),
    /// Accepts an invitation. The match begins once the player who made it is online.
    InviteAccept {
        /// The code from the link.
        code: String,
    },
    /// Cancels one of your own invitations.
    InviteCancel {
        /// The code from the link.
        code: String,
    },
    /// Joins a lobby by the code from its link. The match begins once every seat for people is
    /// taken and all of them are online.
    #[serde(rename = "table_join")]
    LobbyJoin {
        /// The code from the link.
        code: String,
    },
    /// Leaves a lobby. When the host leaves, the lobby is closed.
    #[serde(rename = "table_leave")]
    LobbyLeave {
        /// The code from the link.
        code: String,
    },
    /// A decision in a match.
    Ask(Ask<A>),
    /// Asks what could follow the beginning of a decision. Changes nothing.
    Consider(Consider<A>),
    /// Resigns from a match.
    Resign {
        /// The match's id.
        match_id: MatchId,
        /// The number of this message, from the same sequence as that of `ask`.
        seq: u64,
    },
    /// Asks for a rematch with the same people and bots. It begins once all of its people have
    /// asked for it.
    Rematch {
        /// The id of the match that was played.
        match_id: MatchId,
    },
    /// Declines a rematch.
    RematchDecline {
        /// The id of the match that was played.
        match_id: MatchId,
    },
    /// Says that the player of this seat is now in front of the screen. Only for people who share a
    /// screen; any seat that the match is waiting for may sit down.
    Sit {
        /// The match's id.
        match_id: MatchId,
        /// The seat of the player in front of the screen.
        seat: u8,
    },
    /// Asks for a bot's evaluation, based on what your own seat may see. Only in matches of one
    /// person against bots.
    Chances {
        /// The match's id.
        match_id: MatchId,
    },
    /// Asks for everything after a version of a match.
    Resync {
        /// The match's id.
        match_id: MatchId,
        /// The last version that the client saw; 0 for none.
        seen: u64,
    },
    /// Starts to watch a match as a spectator.
    Watch {
        /// The match's id.
        match_id: MatchId,
    },
    /// Stops watching a match.
    Unwatch {
        /// The match's id.
        match_id: MatchId,
    },
    /// Contributes to the seed of the next match over this connection.
    Contribute(Contribute),
    /// Measures the round trip to the server.
    Ping {
        /// Any number; `pong` repeats it.
        at: u64,
    },
}

/// A contribution to the seed of the next match. See "Fair seeds" in `docs/records.md`.
#[derive(Clone, Copy, Debug, Document, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contribute {
    /// The latest commitment that this connection received, in `welcome` or `match_found`.
    pub commitment: Commitment,
    /// 32 random bytes, as 64 lower-case hex digits.
    #[document(read_with = read_hex)]
    #[schemars(with = "String", regex(pattern = "^[0-9a-f]{64}$"))]
    pub contribution: [u8; 32],
}

/// Identifies the client. Exactly one of `ticket` and `token` is required.
#[derive(Clone, Debug, Document, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The version of the protocol: 1.
    pub protocol: u32,
    /// A single-use ticket from `POST /auth/ticket`, for browsers.
    #[serde(default)]
    pub ticket: Option<String>,
    /// The account's token, for programs.
    #[serde(default)]
    pub token: Option<String>,
    /// The match to resume after a reconnect.
    #[serde(default)]
    pub resume: Option<Resume>,
}

/// The point from which a client resumes its match.
#[derive(Clone, Copy, Debug, Document, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Resume {
    /// The match's id.
    pub match_id: MatchId,
    /// The last version that the client saw; 0 for none.
    pub seen: u64,
    /// The lowest number among the messages without an answer, or the next one that the client will
    /// use.
    pub next_seq: u64,
}

/// The kind of match to wait for.
#[derive(Clone, Copy, Debug, Document, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueueJoin {
    /// The game to play.
    #[schemars(schema_with = "game_names")]
    pub game: GameName,
    /// The tokens that each seat stakes; the standard stake if omitted.
    #[serde(default)]
    pub stake: Option<u64>,
}

/// The opponent to play.
#[derive(Clone, Debug, Document, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayBot {
    /// The game to play.
    #[schemars(schema_with = "game_names")]
    pub game: GameName,
    /// The bot's name, as listed by `GET /api/lobby`.
    pub bot: String,
}

/// A decision in a match.
#[derive(Clone, Debug, Document, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Ask")]
pub struct Ask<A: Document> {
    /// The match's id.
    pub match_id: MatchId,
    /// The number of this message: one more than that of the previous one.
    pub seq: u64,
    /// The decision, in the format of the match's game.
    pub ask: GameAsk<A>,
}

/// A question about what could follow. The answer is the `options` message of the match.
#[derive(Clone, Debug, Document, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Consider")]
pub struct Consider<A: Document> {
    /// The match's id.
    pub match_id: MatchId,
    /// Any number; the answer repeats it.
    pub question: u64,
    /// A whole decision or the beginning of one, in the format of the match's game.
    pub ask: GameAsk<A>,
}

/// A decision or the beginning of one, in the format of the match's game.
#[derive(Clone, Debug, Document, JsonSchema)]
#[serde(transparent)]
#[schemars(rename = "GameAsk")]
pub struct GameAsk<A: Document>(pub A);

fn game_names(_: &mut SchemaGenerator) -> Schema {
    let names = GameName::ALL.map(GameName::as_str).join("|");
    json_schema!({"type": "string", "pattern": format!("^({names})$")})
}

impl ClientMessage {
    /// Parses one text message. On failure, the sentence lists everything that is wrong with it.
    pub fn read(text: &str) -> Result<ClientMessage, Misread> {
        measure(text)?;
        let json = json::read(text.as_bytes()).map_err(|it| Misread::malformed(&it.to_string()))?;
        doc::parse(&json).map_err(|faults| Misread::malformed(&faults.one_line()))
    }
}

/// A message from the server. `M` is a message of a match: `session::Message` of its game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage<M> {
    /// The answer to `hello`.
    Welcome(Welcome),
    /// The account is in the queue.
    Queued(Queued),
    /// The account is no longer in the queue.
    Unqueued {
        /// `left`, or the code of the error that ended the wait: `already_queued` if another
        /// connection of the account took its place in the queue, `already_in_match` if another one
        /// is in a match. Nothing is sent when a match begins over this connection or the
        /// connection is lost.
        reason: &'static str,
    },
    /// An invitation was created.
    Invited(Invited),
    /// An invitation no longer exists.
    Uninvited {
        /// The code from its link.
        code: String,
    },
    /// The state of a lobby in which the account has a seat.
    #[serde(rename = "table")]
    Lobby(Lobby),
    /// A lobby was closed, or the account left it.
    #[serde(rename = "table_closed")]
    LobbyClosed {
        /// The code from its link.
        code: String,
        /// `left`, `host_left`, `replaced`, `expired`, or the code of the error that kept the match
        /// from starting. When the match starts, `match_found` is sent instead.
        reason: &'static str,
    },
    /// A match begins, or continues after this client reconnected.
    MatchFound(Box<MatchFound>),
    /// A message of a match to this viewer.
    Match {
        /// The match's id.
        match_id: MatchId,
        /// The message itself.
        message: M,
    },
    /// The account has left a match that continues without it, and may play another.
    Left {
        /// The match's id.
        match_id: MatchId,
    },
    /// A match is over and settled: the final message about it.
    MatchEnd(Box<MatchEnd>),
    /// A player wants a rematch of a match that this account played.
    Rematch(Rematch),
    /// There will be no rematch after all.
    RematchOff {
        /// The id of the match that was played.
        match_id: MatchId,
        /// `declined`, or the code of the error that kept the rematch from starting.
        reason: &'static str,
    },
    /// A bot's evaluation of a match.
    Chances(Chances),
    /// The client is now a spectator; the public messages of the match follow.
    Watching(Box<Watching>),
    /// The client is no longer a spectator.
    Unwatched {
        /// The match's id.
        match_id: MatchId,
    },
    /// The answer to `ping`.
    Pong {
        /// The number from the `ping`.
        at: u64,
        /// The server's time, in milliseconds since 1970.
        now_ms: u64,
    },
    /// The server will stop soon: live matches end first, or continue after the restart.
    Draining {
        /// The latest time at which it stops, in milliseconds since 1970 by the server's clock.
        until_ms: u64,
    },
    /// A message was refused, and nothing was changed.
    Error(Refused),
}

/// The answer to `hello`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Welcome {
    /// The version of the protocol.
    pub protocol: u32,
    /// The version of the server.
    pub server: &'static str,
    /// The account's id.
    pub account_id: String,
    /// The account's nickname, if it has chosen one.
    pub nickname: Option<String>,
    /// The account's balance, in tokens.
    pub tokens: u64,
    /// The server's time, in milliseconds since 1970.
    pub now_ms: u64,
    /// The match in which the account has a seat; `match_found` follows.
    pub match_id: Option<MatchId>,
    /// The commitment that a contribution to the seed of the next match over this connection must
    /// name.
    pub seed_commitment: Commitment,
}

/// The account is in the queue.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Queued {
    /// The game.
    pub game: &'static str,
    /// The stake of each seat, in tokens.
    pub stake: u64,
    /// The account's balance, in tokens.
    pub tokens: u64,
}

/// An invitation was created.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Invited {
    /// The code that the opponent needs to accept the invitation.
    pub code: String,
    /// The link to send to the opponent: a path on this server.
    pub path: String,
    /// The game.
    pub game: &'static str,
    /// The stake of each seat, in tokens.
    pub stake: u64,
    /// The time until which it can be accepted, in milliseconds since 1970 by the server's clock.
    pub expires_ms: u64,
}

/// A lobby: a match that its host has set up and that waits for its players.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Lobby {
    /// The code that the other players need to join.
    pub code: String,
    /// The link to send to the other players: a path on this server.
    pub path: String,
    /// The game.
    pub game: &'static str,
    /// The seats, in order.
    pub seats: Vec<LobbySeat>,
    /// The account's own seat; `null` if it has none.
    pub own: Option<u8>,
    /// The time until which the lobby waits, in milliseconds since 1970 by the server's clock.
    pub expires_ms: u64,
}

/// A seat in a lobby.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LobbySeat {
    /// The kind of player that the seat is for.
    pub kind: LobbySeatKind,
    /// The player's nickname, if one was chosen.
    pub name: Option<String>,
    /// The bot in this seat, if it is a bot's.
    pub bot: Option<String>,
    /// True if the seat has a player.
    pub taken: bool,
    /// True if the player is online. The match begins once all of them are.
    pub present: bool,
}

/// The kind of player that a seat in a lobby is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LobbySeatKind {
    /// The host.
    Host,
    /// Anyone with the link.
    #[serde(rename = "guest")]
    Invited,
    /// A bot.
    Bot,
    /// A person at the host's screen.
    Beside,
}

/// A match begins, or continues after this client reconnected.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MatchFound {
    /// The match's id.
    pub match_id: MatchId,
    /// The game.
    pub game: &'static str,
    /// The client's seat. If it has several, the one whose player must sit down.
    pub seat: u8,
    /// All seats of the client: more than one if people share its screen.
    pub own_seats: Vec<u8>,
    /// True if nothing is shown before the client sends `sit`, because the server must first know
    /// which player is in front of the screen.
    pub curtain: bool,
    /// The players, by seat.
    pub players: Vec<Player>,
    /// The stake of each seat, in tokens.
    pub stake: u64,
    /// The sum of all stakes, in tokens.
    pub pot: u64,
    /// True if the result changes ratings and league points.
    pub rated: bool,
    /// The daily limit that reduced the requested stake to zero: `daily_tokens` or
    /// `newcomer_tokens`; `test_match` if the match's setup declares it a test.
    pub stake_bound: Option<&'static str>,
    /// The daily limit that made the match unrated: `daily_points`, `newcomer_points` or
    /// `daily_pairings`; `test_match` if the match's setup declares it a test.
    pub rating_bound: Option<&'static str>,
    /// The account's balance, in tokens.
    pub tokens: u64,
    /// The commitment to the seed, which `match_end` reveals.
    pub commitment: Commitment,
    /// The contributions of the players to the seed, by seat. Players who did not contribute are
    /// left out.
    pub contributions: Vec<Contribution>,
    /// The commitment that a contribution to the seed of the next match over this connection must
    /// name; `null` for clients of the old protocol.
    pub seed_commitment: Option<Commitment>,
    /// The time limits of the match.
    pub clock: ClockRules,
    /// The `seq` of the next numbered message.
    pub next_seq: u64,
    /// True if the match continues after this client reconnected.
    pub resumed: bool,
    /// The server's time, in milliseconds since 1970.
    pub now_ms: u64,
}

/// The player in a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Player {
    /// The nickname, if one was chosen.
    pub name: Option<String>,
    /// The bot in this seat, if it is a bot's.
    pub bot: Option<String>,
    /// The key of the avatar.
    pub avatar: String,
    /// The key of the league; `null` for bots.
    pub league: Option<&'static str>,
    /// The league points; `null` for bots.
    pub points: Option<i64>,
    /// The rating, rounded; `null` before the first rated match.
    pub rating: Option<i64>,
}

/// The time limits of a match, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ClockRules {
    /// The time for a decision.
    pub turn_ms: u64,
    /// The delay before the first of several reveals.
    pub first_step_ms: u64,
    /// The delay between reveals.
    pub step_ms: u64,
    /// The time that a disconnected player has to reconnect; with 0 they lose immediately.
    pub grace_ms: u64,
}

/// A match is over and settled.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MatchEnd {
    /// The match's id.
    pub match_id: MatchId,
    /// The result.
    pub outcome: Outcome,
    /// This seat's share of the stakes, in tokens.
    pub share: u64,
    /// The account's balance after the settlement, in tokens; `null` for spectators.
    pub tokens: Option<u64>,
    /// The revealed seed, with the salt of its commitment.
    pub opening: Opening,
    /// The account's standing after the match; `null` for spectators and unrated matches.
    pub standing: Option<Standing>,
    /// The record of the match: a path on this server.
    pub record: String,
}

/// A player wants a rematch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Rematch {
    /// The id of the match that was played.
    pub match_id: MatchId,
    /// The seats, in that match, whose players want a rematch.
    pub wanted_by: Vec<u8>,
    /// The seats whose players have not answered yet.
    pub missing: Vec<u8>,
    /// The missing seats whose players are offline or in another match.
    pub away: Vec<u8>,
}

/// A bot's evaluation of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Chances {
    /// The match's id.
    pub match_id: MatchId,
    /// The bot's name.
    pub by: Option<String>,
    /// Each seat's chance to win, in thousandths; `null` if no bot of the match can evaluate it.
    pub win_permille: Option<Vec<u16>>,
}

/// An account's standing in a game after a match.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Standing {
    /// League points, for games with leagues.
    pub points: i64,
    /// The change of the league points by the match.
    pub points_change: i64,
    /// The key of the league.
    pub league: &'static str,
    /// The rating, rounded.
    pub rating: i64,
    /// The rating deviation, rounded: the uncertainty of the rating.
    pub deviation: i64,
    /// True if the match was long enough to count as played. Otherwise the winner gains no points
    /// and no rating.
    pub played: bool,
}

/// The client is now a spectator.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Watching {
    /// The match's id.
    pub match_id: MatchId,
    /// The game.
    pub game: &'static str,
    /// The players, by seat.
    pub players: Vec<Player>,
    /// The stake of each seat, in tokens.
    pub stake: u64,
    /// The commitment to the seed, which `match_end` reveals.
    pub commitment: Commitment,
    /// The time limits of the match.
    pub clock: ClockRules,
    /// The server's time, in milliseconds since 1970.
    pub now_ms: u64,
}

/// A message was refused, and nothing was changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Refused {
    /// The stable code.
    pub code: &'static str,
    /// One sentence for people, which may change between versions.
    pub message: String,
    /// The `seq` of the refused message, if it had one.
    pub seq: Option<u64>,
}

/// The text of an `error` message with the code's sentence.
pub fn refuse(code: ErrorCode, seq: Option<u64>) -> String {
    let refused = Refused {
        code: code.code(),
        message: code.sentence().to_owned(),
        seq,
    };
    ServerMessage::<()>::Error(refused).write()
}

impl<M: Serialize> ServerMessage<M> {
    /// The JSON text of the message.
    pub fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_parsed_or_refused_with_a_reason() {
        let hello = ClientMessage::read(r#"{"type":"hello","protocol":1,"token":"t"}"#);
        assert!(matches!(hello, Ok(ClientMessage::Hello(_))));
        let unknown = ClientMessage::read(r#"{"type":"hello","protocol":1,"admin":true}"#);
        assert!(matches!(unknown, Err(Misread::Malformed(what)) if what.contains("admin")));
        let game = ClientMessage::read(r#"{"type":"queue_join","game":"chess"}"#);
        assert!(matches!(game, Err(Misread::Malformed(what)) if what.contains("orcain")));
        assert!(ClientMessage::read(r#"{"type":"queue_leave"}"#).is_ok());
        for text in [
            "",
            "[]",
            "null",
            "{}",
            r#"{"type":7}"#,
            "\u{0}",
            "{\"type\":\"ping\"",
        ] {
            assert!(
                matches!(ClientMessage::read(text), Err(Misread::Malformed(_))),
                "{text}"
            );
        }
    }

    #[test]
    fn every_fault_of_a_message_is_reported_with_its_path() {
        let text =
            r#"{"type":"hello","protocol":"1","resume":{"seen":-1,"next_seq":2},"tiket":""}"#;
        let Err(Misread::Malformed(what)) = ClientMessage::read(text) else {
            panic!("{text} was accepted");
        };
        for fault in [
            "at /tiket: unknown field \"tiket\"; did you mean \"ticket\"?",
            "at /protocol: expected an integer",
            "at /resume/match_id: expected a string, found nothing",
            "at /resume/seen: expected an integer of at least 0, found -1",
        ] {
            assert!(what.contains(fault), "{fault}: {what}");
        }
    }

    #[test]
    fn a_ping_may_carry_a_64_bit_number() {
        let text = format!(r#"{{"type":"ping","at":{}}}"#, u64::MAX);
        let read = ClientMessage::read(&text);
        assert!(
            matches!(read, Ok(ClientMessage::Ping { at: u64::MAX })),
            "{read:?}"
        );
    }

    #[test]
    fn an_ask_is_kept_as_it_was_sent() {
        let id = "00000000-0000-4000-8000-000000000000";
        let ask = r#"{"type": "draft",  "layout": [null, 18446744073709551616]}"#;
        let read = |more: &str| {
            let text = format!(r#"{{"seq":3,"ask":{ask},"type":"ask","match_id":"{id}"{more}}}"#);
            ClientMessage::read(&text)
        };
        let Ok(ClientMessage::Ask(read_ask)) = read("") else {
            panic!("{:?}", read(""));
        };
        let as_sent = json::read(ask.as_bytes()).expect("JSON");
        assert_eq!((read_ask.seq, read_ask.ask.0), (3, as_sent));
        assert!(read(r#","extra":1"#).is_err());
        assert!(read(r#","type":"ask""#).is_err());
    }

    #[test]
    fn a_contribution_is_parsed_or_refused_with_a_reason() {
        let read = |commitment: &str, contribution: &str| {
            ClientMessage::read(&format!(
                r#"{{"type":"contribute","commitment":"{commitment}","contribution":"{contribution}"}}"#
            ))
        };
        let (hash, hex) = (format!("sha256:{}", "0".repeat(64)), "ab".repeat(32));
        assert!(
            matches!(read(&hash, &hex), Ok(ClientMessage::Contribute(it)) if it.contribution == [0xab; 32])
        );
        for (hash, hex) in [
            (hash.as_str(), "AB"),
            (hash.as_str(), ""),
            ("sha256:", hex.as_str()),
        ] {
            assert!(
                matches!(read(hash, hex), Err(Misread::Malformed(_))),
                "{hash} {hex}"
            );
        }
    }

    #[test]
    fn a_match_id_is_a_canonical_uuid() {
        let id = "00000000-0000-4000-8000-000000000000";
        let watch =
            |id: &str| ClientMessage::read(&format!(r#"{{"type":"watch","match_id":"{id}"}}"#));
        assert!(watch(id).is_ok());
        assert!(watch(&id.replace('-', "")).is_err());
        assert!(watch("BOT").is_err());
    }
}
