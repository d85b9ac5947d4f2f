//! The events of every game that is written as [`Rules`](super::Rules).

use schemars::JsonSchema;
use serde::Serialize;

use crate::doc::Names;
use crate::{Departure, Outcome, Seat, Sink, Viewer};

/// An event caused by a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Names)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
pub enum Event {
    /// A player decided. In a simultaneous decision, only that player sees this event.
    Played {
        /// The player's seat.
        #[serde(rename = "player_id")]
        seat: Seat,
        /// The action as a word.
        word: String,
        /// The action for people.
        label: String,
        /// True if only the player may see it.
        #[serde(skip)]
        sealed: bool,
    },
    /// Chance was resolved. The views show the result to those who may know it.
    Drew {},
    /// A sentence about a public fact, for the game log. `@0` stands for the player in seat 0.
    Said {
        /// The sentence.
        text: String,
    },
    /// A player left the match.
    PlayerLeft {
        /// The player's seat.
        #[serde(rename = "player_id")]
        seat: Seat,
        /// The reason for leaving.
        cause: Departure,
    },
    /// The match is over.
    MatchEnded {
        /// The outcome of the match.
        outcome: Outcome,
    },
}

impl crate::Event for Event {
    type Seen = Event;

    fn seen_by(&self, viewer: Viewer) -> Option<Event> {
        match self {
            Event::Played {
                seat, sealed: true, ..
            } if !viewer.is(*seat) => None,
            _ => Some(self.clone()),
        }
    }
}

/// The game log, to which rules can add sentences.
pub trait Log: Sink<Event> {
    /// Adds a sentence. Everyone reads it, so it must hold public facts only. `@0` stands for the
    /// player in seat 0.
    fn say(&mut self, text: impl FnOnce() -> String) {
        self.push_with(|| Event::Said { text: text() });
    }
}

impl<S: Sink<Event>> Log for S {}
