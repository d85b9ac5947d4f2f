//! What a step causes.

use kernel::doc::Names;
use kernel::{Departure, Outcome, Seat, Viewer};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Ending, Slot};

/// An event that a step causes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Names)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
pub enum Event {
    /// A draft was taken: only its player learns of it.
    DraftReceived {
        /// The player's seat.
        #[serde(rename = "player_id")]
        seat: Seat,
    },
    /// A layout was confirmed: only its player learns of it.
    LayoutConfirmed {
        /// The player's seat.
        #[serde(rename = "player_id")]
        seat: Seat,
    },
    /// Both layouts are final.
    RoundFinalized {
        /// The round, from 1.
        round: u8,
        /// Whether each seat missed it.
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
        /// The player's seat.
        #[serde(rename = "player_id")]
        seat: Seat,
        /// The cause.
        cause: Departure,
    },
    /// The match is over.
    MatchEnded {
        /// How it ended.
        #[serde(rename = "outcome")]
        #[schemars(with = "Outcome")]
        ending: Ending,
    },
}

impl kernel::Event for Event {
    type Seen = Event;

    fn seen_by(&self, viewer: Viewer) -> Option<Event> {
        match self {
            Event::DraftReceived { seat } | Event::LayoutConfirmed { seat } => {
                viewer.is(*seat).then_some(*self)
            }
            _ => Some(*self),
        }
    }
}
