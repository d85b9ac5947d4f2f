//! What a step causes.

use std::borrow::Cow;

use kernel::{Departure, Outcome, Seat, Viewer};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::{Ending, Slot};

/// What a step causes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A draft was taken: only its player learns of it.
    DraftReceived {
        /// Whose.
        seat: Seat,
    },
    /// A layout was confirmed: only its player learns of it.
    LayoutConfirmed {
        /// Whose.
        seat: Seat,
    },
    /// Both layouts are final.
    RoundFinalized {
        /// The round.
        round: u8,
        /// Who missed it.
        missed: [bool; 2],
    },
    /// A step was turned over.
    StepRevealed {
        /// The round.
        round: u8,
        /// The step, from 0.
        step: u8,
        /// The cards by seat.
        cards: [Slot; 2],
        /// Hit points after it.
        hp: [u8; 2],
    },
    /// All steps of a round were turned over.
    RoundEnded {
        /// The round.
        round: u8,
        /// Hit points after it.
        hp: [u8; 2],
    },
    /// Another round begins.
    RoundStarted {
        /// The round.
        round: u8,
        /// Whether any difference in hit points now decides.
        sudden_death: bool,
    },
    /// A player left for good.
    PlayerLeft {
        /// Who.
        seat: Seat,
        /// Why.
        cause: Departure,
    },
    /// The match is over.
    MatchEnded {
        /// How.
        ending: Ending,
    },
}

impl kernel::Event for Event {
    type Seen = Event;

    const NAMES: &'static [&'static str] = &[
        "DRAFT_RECEIVED",
        "LAYOUT_CONFIRMED",
        "ROUND_FINALIZED",
        "STEP_REVEALED",
        "ROUND_ENDED",
        "ROUND_STARTED",
        "PLAYER_LEFT",
        "MATCH_ENDED",
    ];

    fn name(&self) -> &'static str {
        let idx = match self {
            Event::DraftReceived { .. } => 0,
            Event::LayoutConfirmed { .. } => 1,
            Event::RoundFinalized { .. } => 2,
            Event::StepRevealed { .. } => 3,
            Event::RoundEnded { .. } => 4,
            Event::RoundStarted { .. } => 5,
            Event::PlayerLeft { .. } => 6,
            Event::MatchEnded { .. } => 7,
        };
        Self::NAMES[idx]
    }

    fn seen_by(&self, viewer: Viewer) -> Option<Event> {
        match self {
            Event::DraftReceived { seat } | Event::LayoutConfirmed { seat } => {
                viewer.is(*seat).then_some(*self)
            }
            _ => Some(*self),
        }
    }
}

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", kernel::Event::name(self))?;
        match self {
            Event::DraftReceived { seat } | Event::LayoutConfirmed { seat } => {
                map.serialize_entry("player_id", seat)?;
            }
            Event::RoundFinalized { round, missed } => {
                map.serialize_entry("round", round)?;
                map.serialize_entry("missed", missed)?;
            }
            Event::StepRevealed {
                round,
                step,
                cards,
                hp,
            } => {
                map.serialize_entry("round", round)?;
                map.serialize_entry("step", step)?;
                map.serialize_entry("cards", cards)?;
                map.serialize_entry("hp", hp)?;
            }
            Event::RoundEnded { round, hp } => {
                map.serialize_entry("round", round)?;
                map.serialize_entry("hp", hp)?;
            }
            Event::RoundStarted {
                round,
                sudden_death,
            } => {
                map.serialize_entry("round", round)?;
                map.serialize_entry("sudden_death", sudden_death)?;
            }
            Event::PlayerLeft { seat, cause } => {
                map.serialize_entry("player_id", seat)?;
                map.serialize_entry("cause", cause.code())?;
            }
            Event::MatchEnded { ending } => map.serialize_entry("outcome", &ending.outcome())?,
        }
        map.end()
    }
}

impl JsonSchema for Event {
    fn schema_name() -> Cow<'static, str> {
        "Event".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        EventSchema::json_schema(generator)
    }
}

/// What a step causes.
#[derive(JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
#[expect(dead_code, reason = "the shapes of events, for the schema alone")]
enum EventSchema {
    /// A draft was taken: only its player learns of it.
    DraftReceived {
        /// Whose.
        player_id: Seat,
    },
    /// A layout was confirmed: only its player learns of it.
    LayoutConfirmed {
        /// Whose.
        player_id: Seat,
    },
    /// Both layouts are final.
    RoundFinalized {
        /// The round, from 1.
        round: u8,
        /// Who missed it, by seat.
        missed: [bool; 2],
    },
    /// A step was turned over.
    StepRevealed {
        /// The round, from 1.
        round: u8,
        /// The step, from 0.
        step: u8,
        /// The cards by seat; an empty slot is null.
        cards: [Slot; 2],
        /// Hit points after it, by seat.
        hp: [u8; 2],
    },
    /// All steps of a round were turned over.
    RoundEnded {
        /// The round, from 1.
        round: u8,
        /// Hit points after it, by seat.
        hp: [u8; 2],
    },
    /// Another round begins.
    RoundStarted {
        /// The round, from 1.
        round: u8,
        /// Whether any difference in hit points now decides.
        sudden_death: bool,
    },
    /// A player left for good.
    PlayerLeft {
        /// Who.
        player_id: Seat,
        /// Why.
        cause: CauseSchema,
    },
    /// The match is over.
    MatchEnded {
        /// How.
        outcome: Outcome,
    },
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
#[expect(dead_code, reason = "names for the schema alone")]
enum CauseSchema {
    Disconnect,
    Resign,
    Cancel,
    Timeout,
}
