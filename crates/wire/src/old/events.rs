//! What old clients are told: one type for each payload.

use catalog::orcain::{Card, Slot};
use kernel::GameId;
use kernel::fair::{Commitment, Opening};
use kernel::schema::of_written;
use schemars::{JsonSchema, Schema};
use serde::Serialize;

/// One event with its payload, for the documents.
pub struct OldEvent {
    /// Its name.
    pub name: &'static str,
    /// When it is sent.
    pub when: &'static str,
    /// The payload's schema; nothing for events without one.
    pub payload: Option<fn() -> Schema>,
}

/// Every event that old clients are sent.
pub const EVENTS: &[OldEvent] = &[
    OldEvent {
        name: "hello_ok",
        when: "The answer to `hello`.",
        payload: Some(of_written::<HelloOk<'static>>),
    },
    OldEvent {
        name: "sync_state",
        when: "After `hello_ok`, if the account sits in a match; then `prep_start` of the round, \
               `confirm_ok` if it was confirmed, and the steps already turned over. Again when \
               the match stands still, and when it goes on.",
        payload: Some(of_written::<SyncState<'static>>),
    },
    OldEvent {
        name: "error_msg",
        when: "Something was refused.",
        payload: Some(of_written::<ErrorMsg<'static>>),
    },
    OldEvent {
        name: "queue_ok",
        when: "The account waits for an opponent.",
        payload: Some(of_written::<QueueOk>),
    },
    OldEvent {
        name: "queue_left",
        when: "The answer to `queue_leave`.",
        payload: None,
    },
    OldEvent {
        name: "match_found",
        when: "A match begins; never sent again for the same match.",
        payload: Some(of_written::<MatchFound<'static>>),
    },
    OldEvent {
        name: "prep_start",
        when: "A round begins: lay out cards until the deadline.",
        payload: Some(of_written::<PrepStart<'static>>),
    },
    OldEvent {
        name: "confirm_ok",
        when: "A confirm is durable; nobody else learns of it.",
        payload: None,
    },
    OldEvent {
        name: "step_reveal",
        when: "A step was turned over: three in a round.",
        payload: Some(of_written::<StepReveal<'static>>),
    },
    OldEvent {
        name: "round_end",
        when: "One step's delay after the last step of a round.",
        payload: Some(of_written::<RoundEnd<'static>>),
    },
    OldEvent {
        name: "match_end",
        when: "The match is over and settled: exactly once.",
        payload: Some(of_written::<MatchEnded<'static>>),
    },
];

/// The answer to `hello`.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HelloOk<'a> {
    /// What the account has.
    pub tokens: u64,
    /// Its name, if it has chosen one.
    pub nickname: Option<&'a str>,
    /// `ru` or `en`.
    pub language: &'a str,
    /// The picture's key.
    pub avatar: &'a str,
    /// League points.
    pub rating: i64,
    /// The league's key.
    pub league_key: &'a str,
}

/// Something was refused.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ErrorMsg<'a> {
    /// One sentence.
    pub message: &'a str,
    /// The stable code, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'a str>,
}

/// The account waits for an opponent.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct QueueOk {
    /// What the account has.
    pub tokens: u64,
}

/// The names at a match.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Names<'a> {
    /// The own name.
    pub(super) your_nickname: Option<&'a str>,
    /// The opponent's name.
    pub(super) opp_nickname: Option<&'a str>,
}

/// Hit points.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Hp {
    /// The own hit points.
    pub(super) your_hp: u8,
    /// The opponent's hit points.
    pub(super) opp_hp: u8,
}

/// Where a match stands.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncState<'a> {
    /// Always true: whoever is in no match gets no such event.
    pub(super) in_match: bool,
    /// Which match.
    pub(super) match_id: GameId,
    /// `PREP`, `REVEAL` or `END`.
    pub(super) phase: &'static str,
    /// The round, from 1.
    pub(super) round_index: u8,
    /// Whether any difference in hit points now decides.
    pub(super) sudden_death: bool,
    #[serde(flatten)]
    pub(super) hp: Hp,
    /// When the time to lay out ends; only in `PREP`, and not while the match stands still.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deadline_ts: Option<u64>,
    /// The server's time (added).
    pub(super) server_ts: u64,
    /// Whether the match stands still for somebody whose connection was lost (added).
    pub(super) paused: bool,
    /// What is at stake (added).
    pub(super) pot: u64,
    #[serde(flatten)]
    pub(super) names: Names<'a>,
    #[serde(flatten)]
    pub(super) own: Option<OwnSide>,
}

/// What only comes with a full account of the match.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OwnSide {
    /// The own cards (added).
    pub(super) your_hand: [Card; 4],
    /// What the own seat has laid out (added).
    pub(super) draft: Vec<Slot>,
    /// Whether that is final for the round (added).
    pub(super) confirmed: bool,
    /// Rounds that the own seat missed in a row (added).
    pub(super) your_afk_streak: u8,
    /// Rounds that the opponent missed in a row (added).
    pub(super) opp_afk_streak: u8,
}

/// A match begins.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatchFound<'a> {
    /// Which match.
    pub(super) match_id: GameId,
    #[serde(flatten)]
    pub(super) hp: Hp,
    /// What the account has after its stake.
    pub(super) your_tokens: u64,
    /// What is at stake.
    pub(super) pot: u64,
    #[serde(flatten)]
    pub(super) names: Names<'a>,
    /// The own cards, the same in every round.
    pub(super) your_hand: [Card; 4],
    /// The promise of the seed; opened in `match_end` (added).
    pub(super) commitment: Commitment,
}

/// A round begins.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrepStart<'a> {
    /// Which match.
    pub(super) match_id: GameId,
    /// The round, from 1.
    pub(super) round_index: u8,
    /// Whether any difference in hit points now decides.
    pub(super) sudden_death: bool,
    /// When the time to lay out ends, in milliseconds since 1970 by the server's clock.
    pub(super) deadline_ts: u64,
    /// The server's time (added).
    pub(super) server_ts: u64,
    #[serde(flatten)]
    pub(super) hp: Hp,
    /// What is at stake.
    pub(super) pot: u64,
    /// What the account has.
    pub(super) your_tokens: u64,
    /// The own cards.
    pub(super) your_hand: [Card; 4],
    /// The same (added: the rules call them so).
    pub(super) cards: [Card; 4],
    #[serde(flatten)]
    pub(super) names: Names<'a>,
}

/// A step was turned over.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepReveal<'a> {
    /// Which match.
    pub(super) match_id: GameId,
    /// The round, from 1.
    pub(super) round_index: u8,
    /// The step, from 0.
    pub(super) step_index: u8,
    /// The own card; `null` for an empty slot.
    pub(super) your_card: Slot,
    /// The opponent's card; `null` for an empty slot.
    pub(super) opp_card: Slot,
    /// Hit points after the step.
    #[serde(flatten)]
    pub(super) hp: Hp,
    #[serde(flatten)]
    pub(super) names: Names<'a>,
}

/// All steps of a round were turned over.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoundEnd<'a> {
    /// Which match.
    pub(super) match_id: GameId,
    /// The round, from 1.
    pub(super) round_index: u8,
    /// Whether the round was one of sudden death.
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
    /// Which match.
    pub(super) match_id: GameId,
    /// `YOU` or `OPPONENT`; the latter also when nobody won.
    pub(super) winner: &'static str,
    /// The winner's seat as `MATCH:SEAT`; `null` when nobody won. It is no `sessionId`.
    pub(super) winner_id: Option<String>,
    /// The loser's seat; `null` when nobody or everybody lost.
    pub(super) loser_id: Option<String>,
    #[serde(flatten)]
    pub(super) hp: Hp,
    /// What the account has after the settlement.
    pub(super) your_tokens: u64,
    /// League points after the match.
    pub(super) rating: i64,
    /// The league's key after the match.
    pub(super) league_key: &'a str,
    /// `normal`, `timeout` or `disconnect`.
    pub(super) reason: &'static str,
    #[serde(flatten)]
    pub(super) names: Names<'a>,
    /// `win`, `loss`, `draw` or `void` (added).
    pub(super) result: &'static str,
    /// Referee's own code for why it ended (added).
    pub(super) cause: &'static str,
    /// The `seed` and `salt` behind the commitment of `match_found` (added).
    #[serde(flatten)]
    pub(super) opening: &'a Opening,
}
