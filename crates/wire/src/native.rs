//! Referee's own protocol: one JSON object per WebSocket text message, at `/ws`.
//!
//! A client says `hello` first. What a seat decides carries a number, `seq`, that rises by
//! one; the answer to it comes once it is durable, and a message sent twice is done once.
//! What a match tells a viewer has versions without gaps, so that a client that was away
//! says the last one it saw and gets the rest.

use catalog::GameName;
use kernel::doc::{self, Document};
use kernel::fair::{Commitment, Contribution, Opening, read_hex};
use kernel::json::{self, Json};
use kernel::{GameId, Outcome};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use crate::Misread;
use crate::codes::ErrorCode;
use crate::limits::measure;

/// The version of this protocol. A client that names another major is refused.
pub const PROTOCOL: u32 = 1;

// `A` is the decision that it asks for in a match: any document, until its game reads it.
/// A message of a client.
#[derive(Clone, Debug, Document, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schemars(rename = "ClientMessage")]
pub enum ClientMessage<A: Document = Json> {
    /// Who is there: always first.
    Hello(Hello),
    /// Wait for an opponent.
    QueueJoin(QueueJoin),
    /// Wait no more.
    QueueLeave {},
    /// Play against a bot, without a stake.
    PlayBot(PlayBot),
    /// Make an invitation link for a private match.
    InviteCreate(QueueJoin),
    /// Take an invitation: the match begins when its maker is there.
    InviteAccept {
        /// The code of the link.
        code: String,
    },
    /// Take an own invitation back.
    InviteCancel {
        /// The code of the link.
        code: String,
    },
    /// Sit down at a table by the code of its link. The match begins once every seat for
    /// people is taken and all of them are here.
    TableJoin {
        /// The code of the link.
        code: String,
    },
    /// Stand up from a table again. When its host does, the table is closed.
    TableLeave {
        /// The code of the link.
        code: String,
    },
    /// A decision in a match.
    Ask(Ask<A>),
    /// A question what could be done after this much of a decision. Nothing is done.
    Consider(Consider<A>),
    /// Give a match up.
    Resign {
        /// Which match.
        match_id: MatchId,
        /// The number of this message.
        seq: u64,
    },
    /// Play the same match again, with the same people and bots: it begins once all of its
    /// people have said so.
    Rematch {
        /// Which match.
        match_id: MatchId,
    },
    /// Do not play it again.
    RematchDecline {
        /// Which match.
        match_id: MatchId,
    },
    /// The player of this seat sits in front of the screen now. For people who share a screen:
    /// whoever the match waits for may sit down.
    Sit {
        /// Which match.
        match_id: MatchId,
        /// Whose turn it is at the screen.
        seat: u8,
    },
    /// How does the bot see the chances, by what the own seat may see? Only for who plays alone
    /// against bots.
    Chances {
        /// Which match.
        match_id: MatchId,
    },
    /// Everything after a version of a match, please.
    Resync {
        /// Which match.
        match_id: MatchId,
        /// The last version that was seen; 0 for none.
        seen: u64,
    },
    /// Watch a match.
    Watch {
        /// Which match.
        match_id: MatchId,
    },
    /// Watch no more.
    Unwatch {
        /// Which match.
        match_id: MatchId,
    },
    /// Take part in the seed of the next match over this connection.
    Contribute(Contribute),
    /// Measure the way there and back.
    Ping {
        /// Comes back as it is.
        at: u64,
    },
}

/// A part in the seed of the next match. See "Fair seeds" in `docs/records.md`.
#[derive(Clone, Copy, Debug, Document, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contribute {
    /// The commitment that this connection was given last, in `welcome` or `match_found`.
    pub commitment: Commitment,
    /// 32 random bytes, as 64 lower-case hex digits.
    #[document(read_with = read_hex)]
    #[schemars(with = "String", regex(pattern = "^[0-9a-f]{64}$"))]
    pub contribution: [u8; 32],
}

/// Who is there. Exactly one of `ticket` and `token`.
#[derive(Clone, Debug, Document, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The protocol's version, 1.
    pub protocol: u32,
    /// A single-use ticket from `POST /auth/ticket`; the way for browsers.
    #[serde(default)]
    pub ticket: Option<String>,
    /// The account's token; for programs.
    #[serde(default)]
    pub token: Option<String>,
    /// Where a client that was away left its match.
    #[serde(default)]
    pub resume: Option<Resume>,
}

/// Where a client left its match.
#[derive(Clone, Copy, Debug, Document, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Resume {
    /// Which match.
    pub match_id: MatchId,
    /// The last version that was seen; 0 for none.
    pub seen: u64,
    /// The lowest number among the messages without an answer, or the next one to be used.
    pub next_seq: u64,
}

/// What to wait for.
#[derive(Clone, Copy, Debug, Document, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueueJoin {
    /// Which game.
    #[schemars(schema_with = "game_names")]
    pub game: GameName,
    /// Tokens that each seat puts in. Left out, it is the standard stake.
    #[serde(default)]
    pub stake: Option<u64>,
}

/// Whom to play.
#[derive(Clone, Debug, Document, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayBot {
    /// Which game.
    #[schemars(schema_with = "game_names")]
    pub game: GameName,
    /// The bot's name, as the lobby lists it.
    pub bot: String,
}

/// A decision in a match.
#[derive(Clone, Debug, Document, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Ask")]
pub struct Ask<A: Document> {
    /// Which match.
    pub match_id: MatchId,
    /// The number of this message: one more than the last one's.
    pub seq: u64,
    /// What is asked for, in the game's own words.
    pub ask: GameAsk<A>,
}

/// A question what could be done. The answer is the message `options` of the match.
#[derive(Clone, Debug, Document, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Consider")]
pub struct Consider<A: Document> {
    /// Which match.
    pub match_id: MatchId,
    /// Comes back in the answer.
    pub question: u64,
    /// The beginning of a decision or a whole one, in the game's own words.
    pub ask: GameAsk<A>,
}

/// A decision or the beginning of one, in the words of the match's game.
#[derive(Clone, Debug, Document, JsonSchema)]
#[serde(transparent)]
#[schemars(rename = "GameAsk")]
pub struct GameAsk<A: Document>(pub A);

/// Which match it is.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, JsonSchema, Document,
)]
#[serde(transparent)]
pub struct MatchId(pub GameId);

fn game_names(_: &mut SchemaGenerator) -> Schema {
    let names = GameName::ALL.map(GameName::as_str).join("|");
    json_schema!({"type": "string", "pattern": format!("^({names})$")})
}

impl ClientMessage {
    /// Reads one text message, or says all that is wrong with it.
    pub fn read(text: &str) -> Result<ClientMessage, Misread> {
        measure(text)?;
        let json = json::read(text.as_bytes()).map_err(|it| Misread::malformed(&it.to_string()))?;
        doc::parse(&json).map_err(|faults| Misread::malformed(&faults.one_line()))
    }
}

/// What the server says. `M` is a message of a match: `session::Message` of its game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage<M> {
    /// The answer to `hello`.
    Welcome(Welcome),
    /// The account waits for an opponent.
    Queued(Queued),
    /// The account waits no more.
    Unqueued {
        /// Why: `left`, or the code of the error that ended the wait: `already_queued` where
        /// another connection of the account waits in its place, `already_in_match` where
        /// another plays. A match that begins over this connection, and a connection that is
        /// lost, end it without a word.
        reason: &'static str,
    },
    /// An invitation was made.
    Invited(Invited),
    /// An invitation is no more.
    Uninvited {
        /// The code of its link.
        code: String,
    },
    /// How a table stands that the account sits at.
    Table(Table),
    /// A table is no more, or the account sits at it no more.
    TableClosed {
        /// The code of its link.
        code: String,
        /// Why: `left`, `host_left`, `replaced`, `expired`, or the code of the error that kept
        /// its match from beginning. A match that begins is told by `match_found`.
        reason: &'static str,
    },
    /// A match begins, or goes on after this client was away.
    MatchFound(Box<MatchFound>),
    /// Something that a match tells this viewer.
    Match {
        /// Which match.
        match_id: MatchId,
        /// What.
        message: M,
    },
    /// The account has left a match that goes on without it, and may play another.
    Left {
        /// Which match.
        match_id: MatchId,
    },
    /// A match is over and settled: the last word on it.
    MatchEnd(Box<MatchEnd>),
    /// Somebody wants to play a match of this account again.
    Rematch(Rematch),
    /// A match is not played again after all.
    RematchOff {
        /// Which match.
        match_id: MatchId,
        /// Why: `declined`, or the code of the error that kept it from beginning.
        reason: &'static str,
    },
    /// How a bot sees the chances.
    Chances(Chances),
    /// Watching begins; what the public may know follows as messages of the match.
    Watching(Box<Watching>),
    /// Watching is over.
    Unwatched {
        /// Which match.
        match_id: MatchId,
    },
    /// The answer to `ping`.
    Pong {
        /// What the ping said.
        at: u64,
        /// The server's time in milliseconds.
        now_ms: u64,
    },
    /// The server stops soon: running matches end first, or go on after the restart.
    Draining {
        /// When it stops at the latest, by the server's time.
        until_ms: u64,
    },
    /// Something was refused, and nothing was changed.
    Error(Refused),
}

/// The answer to `hello`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Welcome {
    /// The protocol's version.
    pub protocol: u32,
    /// The server's version.
    pub server: &'static str,
    /// The account.
    pub account_id: String,
    /// Its name, if it has chosen one.
    pub nickname: Option<String>,
    /// What it has.
    pub tokens: u64,
    /// The server's time in milliseconds.
    pub now_ms: u64,
    /// The match it sits in; `match_found` follows.
    pub match_id: Option<MatchId>,
    /// What a contribution to the seed of the next match over this connection must name.
    pub seed_commitment: Commitment,
}

/// The account waits for an opponent.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Queued {
    /// For which game.
    pub game: &'static str,
    /// For which stake.
    pub stake: u64,
    /// What the account has.
    pub tokens: u64,
}

/// An invitation was made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Invited {
    /// What the other needs to have.
    pub code: String,
    /// Where the other may go: a path on this server.
    pub path: String,
    /// For which game.
    pub game: &'static str,
    /// For which stake.
    pub stake: u64,
    /// Until when it can be taken, by the server's time.
    pub expires_ms: u64,
}

/// A table: a match that its host has set up and that waits for its people.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Table {
    /// What the others need to have.
    pub code: String,
    /// Where the others may go: a path on this server.
    pub path: String,
    /// Which game.
    pub game: &'static str,
    /// Who sits where.
    pub seats: Vec<TableSeat>,
    /// The own seat; nothing for who does not sit here.
    pub own: Option<u8>,
    /// Until when it waits, by the server's time.
    pub expires_ms: u64,
}

/// A seat of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct TableSeat {
    /// Whose it is to be.
    pub kind: TableSeatKind,
    /// The name of who sits there, if one was chosen.
    pub name: Option<String>,
    /// The bot that plays, if it is one.
    pub bot: Option<String>,
    /// Whether somebody sits there.
    pub taken: bool,
    /// Whether who sits there is here now. The match begins when all are.
    pub present: bool,
}

/// Whose a seat of a table is to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableSeatKind {
    /// The host's own.
    Host,
    /// Anybody's who has the link.
    Guest,
    /// A bot's.
    Bot,
    /// Somebody's beside the host, at the same screen.
    Beside,
}

/// A match begins, or goes on after this client was away.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MatchFound {
    /// Which match.
    pub match_id: MatchId,
    /// Which game.
    pub game: &'static str,
    /// The client's seat; of several, the one whose player is to sit down.
    pub seat: u8,
    /// All seats of the client: more than one where people share its screen.
    pub own_seats: Vec<u8>,
    /// Whether nothing is shown before the client says `sit`: who sits in front of the screen
    /// must be known first.
    pub curtain: bool,
    /// Who sits where.
    pub players: Vec<Player>,
    /// Tokens that each seat has put in.
    pub stake: u64,
    /// All of them together.
    pub pot: u64,
    /// Whether the result changes ratings and league points.
    pub rated: bool,
    /// The daily bound that made the match free of the stake that was asked for:
    /// `daily_tokens` or `newcomer_tokens`; `test_match` for a match that its setup declares a test.
    pub stake_bound: Option<&'static str>,
    /// The daily bound that made it unrated: `daily_points`, `newcomer_points` or
    /// `daily_pairings`; `test_match` for a match that its setup declares a test.
    pub rating_bound: Option<&'static str>,
    /// What the account has now.
    pub tokens: u64,
    /// The promise of the seed: opened in `match_end`.
    pub commitment: Commitment,
    /// The players' parts in the seed, by seat: those who contributed.
    pub contributions: Vec<Contribution>,
    /// What a contribution to the seed of the next match over this connection must name;
    /// nothing for clients of the old protocol.
    pub seed_commitment: Option<Commitment>,
    /// How time and absence are dealt with.
    pub clock: ClockRules,
    /// The number of the next message that wants an answer.
    pub next_seq: u64,
    /// Whether it goes on after this client was away.
    pub resumed: bool,
    /// The server's time in milliseconds.
    pub now_ms: u64,
}

/// Who sits in a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Player {
    /// The name, if one was chosen.
    pub name: Option<String>,
    /// The bot that plays, if it is one.
    pub bot: Option<String>,
    /// The picture.
    pub avatar: String,
    /// The league's key; nothing for bots.
    pub league: Option<&'static str>,
    /// The league's points; nothing for bots.
    pub points: Option<i64>,
    /// The rating, rounded; nothing before the first rated match.
    pub rating: Option<i64>,
}

/// How time and absence are dealt with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ClockRules {
    /// For seats that decide.
    pub turn_ms: u64,
    /// Before the first of several reveals.
    pub first_step_ms: u64,
    /// Between reveals.
    pub step_ms: u64,
    /// How long a lost connection may be away; with 0 it loses at once.
    pub grace_ms: u64,
}

/// A match is over and settled.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MatchEnd {
    /// Which match.
    pub match_id: MatchId,
    /// How.
    pub outcome: Outcome,
    /// What this seat got of the stakes.
    pub share: u64,
    /// What the account has now; nothing for spectators.
    pub tokens: Option<u64>,
    /// The seed that was promised, with its salt.
    pub opening: Opening,
    /// What it did to the own standing; nothing for spectators and unrated matches.
    pub standing: Option<Standing>,
    /// Where the record is: a path on this server.
    pub record: String,
}

/// Somebody wants to play a match again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Rematch {
    /// Which match it was.
    pub match_id: MatchId,
    /// The seats, of that match, whose players want it.
    pub wanted_by: Vec<u8>,
    /// The seats whose players have not said yet.
    pub missing: Vec<u8>,
    /// Those of the missing who are not here, or play something else.
    pub away: Vec<u8>,
}

/// How a bot sees the chances.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Chances {
    /// Which match.
    pub match_id: MatchId,
    /// The bot.
    pub by: Option<String>,
    /// The chance of each seat to win, in thousandths; nothing when no bot of the match has an
    /// opinion.
    pub win_permille: Option<Vec<u16>>,
}

/// An account's standing in a game after a match.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Standing {
    /// League points, for games with leagues.
    pub points: i64,
    /// What the match did to them.
    pub points_change: i64,
    /// The league's key.
    pub league: &'static str,
    /// The rating, rounded.
    pub rating: i64,
    /// How far the rating may be off, rounded.
    pub deviation: i64,
    /// Whether the match was long enough to count as played. The winner of one that was not
    /// gains no points and no rating.
    pub played: bool,
}

/// Watching begins.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Watching {
    /// Which match.
    pub match_id: MatchId,
    /// Which game.
    pub game: &'static str,
    /// Who sits where.
    pub players: Vec<Player>,
    /// Tokens that each seat has put in.
    pub stake: u64,
    /// The promise of the seed.
    pub commitment: Commitment,
    /// How time and absence are dealt with.
    pub clock: ClockRules,
    /// The server's time in milliseconds.
    pub now_ms: u64,
}

/// Something was refused, and nothing was changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Refused {
    /// The stable code.
    pub code: &'static str,
    /// One sentence for people.
    pub message: String,
    /// The number of the message, if it had one.
    pub seq: Option<u64>,
}

/// An `error` message, ready to send.
pub fn refuse(code: ErrorCode, seq: Option<u64>) -> String {
    let refused = Refused {
        code: code.code(),
        message: code.sentence().to_owned(),
        seq,
    };
    ServerMessage::<()>::Error(refused).write()
}

impl<M: Serialize> ServerMessage<M> {
    /// The text message to send.
    pub fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_whole_or_refused_with_a_reason() {
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
    fn all_that_is_wrong_with_a_message_is_told_with_its_place() {
        let text =
            r#"{"type":"hello","protocol":"1","resume":{"seen":-1,"next_seq":2},"tiket":""}"#;
        let Err(Misread::Malformed(what)) = ClientMessage::read(text) else {
            panic!("{text} was read");
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
    fn a_number_that_comes_back_may_have_64_bits() {
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
    fn a_contribution_is_read_whole_or_refused_with_a_reason() {
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
