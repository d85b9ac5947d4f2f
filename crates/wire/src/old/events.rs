//! The events that old clients receive: one type for each payload.

use catalog::orcain::{Card, Slot};
use kernel::MatchId;
use kernel::fair::{Commitment, Opening};
use kernel::schema::of_written;
use schemars::{JsonSchema, Schema};
use serde::Serialize;

/// One event with its payload, for the docs.
pub struct OldEvent {
    /// The name on the wire.
    pub name: &'static str,
    /// The sentence that says when it is sent.
    pub when: &'static str,
    /// The schema of the payload; `None` for events without one.
    pub payload: Option<fn() -> Schema>,
}

/// Every event that old clients receive.
pub const EVENTS: &[OldEvent] = &[
    OldEvent {
        name: "hello_ok",
        when: "The answer to `hello`.",
        payload: Some(of_written::<HelloOk<'static>>),
    },
    OldEvent {
        name: "sync_state",
        when: "After `hello_ok`, if the account has a seat in a match. Then come `prep_start` of \
               the round, `confirm_ok` if it was confirmed, and the steps that were revealed. Sent \
               again when the match pauses and when it continues.",
        payload: Some(of_written::<SyncState<'static>>),
    },
    OldEvent {
        name: "error_msg",
        when: "An event was refused.",
        payload: Some(of_written::<ErrorMsg<'static>>),
    },
    OldEvent {
        name: "queue_ok",
        when: "The account is in the queue.",
        payload: Some(of_written::<QueueOk>),
    },
    OldEvent {
        name: "queue_left",
        when: "The answer to `queue_leave`.",
        payload: None,
    },
    OldEvent {
        name: "match_found",
        when: "A match begins. Never sent twice for the same match.",
        payload: Some(of_written::<MatchFound<'static>>),
    },
    OldEvent {
        name: "prep_start",
        when: "A round begins: place cards before the deadline.",
        payload: Some(of_written::<PrepStart<'static>>),
    },
    OldEvent {
        name: "confirm_ok",
        when: "A confirm is durable. No one else is notified.",
        payload: None,
    },
    OldEvent {
        name: "step_reveal",
        when: "A step was revealed: three in a round.",
        payload: Some(of_written::<StepReveal<'static>>),
    },
    OldEvent {
        name: "round_end",
        when: "A round is over: sent one step's delay after its last step.",
        payload: Some(of_written::<RoundEnd<'static>>),
    },
    OldEvent {
        name: "match_end",
        when: "The match is over and settled. Sent exactly once.",
        payload: Some(of_written::<MatchEnded<'static>>),
    },
];

/// The answer to `hello`.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HelloOk<'a> {
    /// The account's balance, in tokens.
    pub tokens: u64,
    /// The account's nickname, if it has chosen one.
    pub nickname: Option<&'a str>,
    /// `ru` or `en`.
    pub language: &'a str,
    /// The key of the avatar.
    pub avatar: &'a str,
    /// League points.
    pub rating: i64,
    /// The key of the league.
    pub league_key: &'a str,
}

/// An event was refused.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ErrorMsg<'a> {
    /// One sentence for people.
    pub message: &'a str,
    /// The stable code, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'a str>,
}

/// The account is in the queue.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct QueueOk {
    /// The account's balance, in tokens.
    pub tokens: u64,
}

/// The nicknames of both players.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Names<'a> {
    /// Your own nickname.
    pub(super) your_nickname: Option<&'a str>,
    /// The opponent's name.
    pub(super) opp_nickname: Option<&'a str>,
}

/// Hit points.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Hp {
    /// Your own hit points.
    pub(super) your_hp: u8,
    /// The opponent's hit points.
    pub(super) opp_hp: u8,
}

/// The state of a match.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncState<'a> {
    /// Always true: an account without a match receives no such event.
    pub(super) in_match: bool,
    /// The match's id.
    pub(super) match_id: MatchId,
    /// `PREP`, `REVEAL` or `END`.
    pub(super) phase: &'static str,
    /// The round, from 1.
    pub(super) round_index: u8,
    /// True in sudden death, when any difference in hit points decides.
    pub(super) sudden_death: bool,
    #[serde(flatten)]
    pub(super) hp: Hp,
    /// The deadline for placing cards; only in `PREP`, and not while the match is paused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deadline_ts: Option<u64>,
    /// The server's time, in milliseconds since 1970 (added).
    pub(super) server_ts: u64,
    /// True while the match is paused for a player who disconnected (added).
    pub(super) paused: bool,
    /// The sum of all stakes, in tokens (added).
    pub(super) pot: u64,
    #[serde(flatten)]
    pub(super) names: Names<'a>,
    #[serde(flatten)]
    pub(super) own: Option<OwnSide>,
}

/// The fields that only a full state of the match has.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OwnSide {
    /// Your own cards (added).
    pub(super) your_hand: [Card; 4],
    /// The cards that you have placed (added).
    pub(super) draft: Vec<Slot>,
    /// True if they are final for the round (added).
    pub(super) confirmed: bool,
    /// Rounds that you missed in a row (added).
    pub(super) your_afk_streak: u8,
    /// Rounds that the opponent missed in a row (added).
    pub(super) opp_afk_streak: u8,
}

/// A match begins.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatchFound<'a> {
    /// The match's id.
    pub(super) match_id: MatchId,
    #[serde(flatten)]
    pub(super) hp: Hp,
    /// The account's balance after its stake, in tokens.
    pub(super) your_tokens: u64,
    /// The sum of all stakes, in tokens.
    pub(super) pot: u64,
    #[serde(flatten)]
    pub(super) names: Names<'a>,
    /// Your own cards, the same in every round.
    pub(super) your_hand: [Card; 4],
    /// The commitment to the seed, which `match_end` reveals (added).
    pub(super) commitment: Commitment,
}

/// A round begins.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrepStart<'a> {
    /// The match's id.
    pub(super) match_id: MatchId,
    /// The round, from 1.
    pub(super) round_index: u8,
    /// True in sudden death, when any difference in hit points decides.
    pub(super) sudden_death: bool,
    /// The deadline for placing cards, in milliseconds since 1970 by the server's clock.
    pub(super) deadline_ts: u64,
    /// The server's time, in milliseconds since 1970 (added).
    pub(super) server_ts: u64,
    #[serde(flatten)]
    pub(super) hp: Hp,
    /// The sum of all stakes, in tokens.
    pub(super) pot: u64,
    /// The account's balance, in tokens.
    pub(super) your_tokens: u64,
    /// Your own cards.
    pub(super) your_hand: [Card; 4],
    /// The same as `yourHand`, under the name that the rules use (added).
    pub(super) cards: [Card; 4],
    #[serde(flatten)]
    pub(super) names: Names<'a>,
}

/// A step was revealed.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepReveal<'a> {
    /// The match's id.
    pub(super) match_id: MatchId,
    /// The round, from 1.
    pub(super) round_index: u8,
    /// The step, from 0.
    pub(super) step_index: u8,
    /// Your own card; `null` for an empty slot.
    pub(super) your_card: Slot,
    /// The opponent's card; `null` for an empty slot.
    pub(super) opp_card: Slot,
    /// Hit points after the step.
    #[serde(flatten)]
    pub(super) hp: Hp,
    #[serde(flatten)]
    pub(super) names: Names<'a>,
}

/// All steps of a round were revealed.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoundEnd<'a> {
    /// The match's id.
    pub(super) match_id: MatchId,
    /// The round, from 1.
    pub(super) round_index: u8,
    /// True if the round was played in sudden death.
    pub(super) sudden_death: bool,
    #[serde(flatten)]
    pub(super) hp: Hp,
    #[serde(flatten)]
    pub(super) names: Names<'a>,
}

/// The match is over.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatchEnded<'a> {
    /// The match's id.
    pub(super) match_id: MatchId,
    /// `YOU` or `OPPONENT`. It is `OPPONENT` also when nobody won.
    pub(super) winner: &'static str,
    /// The winner's seat as `MATCH:SEAT`; `null` when nobody won. It is not a `sessionId`.
    pub(super) winner_id: Option<String>,
    /// The loser's seat as `MATCH:SEAT`; `null` when nobody or everybody lost.
    pub(super) loser_id: Option<String>,
    #[serde(flatten)]
    pub(super) hp: Hp,
    /// The account's balance after the settlement, in tokens.
    pub(super) your_tokens: u64,
    /// League points after the match.
    pub(super) rating: i64,
    /// The key of the league after the match.
    pub(super) league_key: &'a str,
    /// `normal`, `timeout` or `disconnect`.
    pub(super) reason: &'static str,
    #[serde(flatten)]
    pub(super) names: Names<'a>,
    /// `win`, `loss`, `draw` or `void` (added).
    pub(super) result: &'static str,
    /// Referee's own code for the reason (added).
    pub(super) cause: &'static str,
    /// The `seed` and `salt` behind the commitment in `match_found` (added).
    #[serde(flatten)]
    pub(super) opening: &'a Opening,
}
