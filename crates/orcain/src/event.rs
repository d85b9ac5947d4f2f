//! Events that a step causes.

use kernel::doc::Names;
use kernel::{Departure, Outcome, Seat, Viewer};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Ending, Slot};

/// An event caused by a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Names)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
pub enum Event {
    /// A draft was accepted. Only its player sees this event.
    DraftReceived {
        /// The player's seat.
        player_id: Seat,
    },
    /// A layout was confirmed. Only its player sees this event.
    LayoutConfirmed {
        /// The player's seat.
        player_id: Seat,
    },
    /// Both layouts became final.
    RoundFinalized {
        /// The round, from 1.
        round: u8,
        /// True for each seat that missed it.
        missed: [bool; 2],
    },
    /// A step was revealed.
    StepRevealed {
        /// The round, from 1.
        round: u8,
        /// The step, from 0.
        step: u8,
        /// The cards by seat; an empty slot is null.
        cards: [Slot; 2],
        /// Hit points after the step, by seat.
        hp: [u8; 2],
    },
    /// All steps of a round were revealed.
    RoundEnded {
        /// The round, from 1.
        round: u8,
        /// Hit points after the round, by seat.
        hp: [u8; 2],
    },
    /// The next round began.
    RoundStarted {
        /// The round, from 1.
        round: u8,
        /// True if any difference in hit points now decides the match.
        sudden_death: bool,
    },
    /// A player left the match.
    PlayerLeft {
        /// The player's seat.
        player_id: Seat,
        /// The reason for leaving.
        cause: Departure,
    },
    /// The match is over.
    MatchEnded {
        /// The outcome of the match.
        #[schemars(with = "Outcome")]
        outcome: Ending,
    },
}

impl kernel::Event for Event {
    type Seen = Event;

    fn seen_by(&self, viewer: Viewer) -> Option<Event> {
        match self {
            Event::DraftReceived { player_id } | Event::LayoutConfirmed { player_id } => {
                viewer.is(*player_id).then_some(*self)
            }
            _ => Some(*self),
        }
    }
}
