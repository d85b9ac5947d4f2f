//! The view of a position: the state without secrets, with what pages need in every game.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::{ActionSpace, Position, Rules, veil};
use crate::picture::Picture;
use crate::{Game, GameExt, Outcome, SeatSet, Viewer};

/// The facts that a viewer may know, with everything that a page needs to show them.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Seen")]
pub struct Seen<S> {
    /// The game's name for people.
    pub title: &'static str,
    /// The number of decisions so far.
    pub turn_number: u32,
    /// The seats that must decide now.
    pub to_move: SeatSet,
    /// The outcome of the match, once it is over.
    pub outcome: Option<Outcome>,
    /// The legal actions of the viewer's own seat.
    pub choices: Vec<Choice>,
    /// The picture of the position.
    pub picture: Picture,
    /// The facts in the game's own form.
    pub state: S,
}

/// A legal action.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The word to send.
    pub word: String,
    /// The action for people.
    pub label: String,
    /// The heading under which it is listed, if any.
    pub group: Option<&'static str>,
}

impl<R: Rules> Seen<R> {
    pub(super) fn of(position: &Position<R>, viewer: Viewer) -> Seen<R> {
        let turn = position.turn();
        let state = veil::view(position.state(), viewer);
        Seen {
            title: R::TITLE,
            turn_number: position.turn_number(),
            to_move: turn.open(),
            outcome: turn.outcome(),
            choices: choices(position, viewer),
            picture: R::picture(&state, viewer),
            state,
        }
    }
}

fn choices<R: Rules>(position: &Position<R>, viewer: Viewer) -> Vec<Choice> {
    let Viewer::Seat(seat) = viewer else {
        return Vec::new();
    };
    let legal = position.legal(seat);
    let actions = legal.iter().filter_map(|id| position.action(id));
    let choice = |action: R::Action| Choice {
        word: action.to_string(),
        label: action.label(),
        group: action.group(),
    };
    actions.map(choice).collect()
}

impl<S> fmt::Display for Seen<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seats: Vec<String> = self.to_move.iter().map(|seat| seat.to_string()).collect();
        match &self.outcome {
            Some(outcome) => writeln!(f, "Over after {} decisions: {outcome}", self.turn_number)?,
            None => writeln!(
                f,
                "Decision {}, to move: seat {}",
                self.turn_number + 1,
                seats.join(", ")
            )?,
        }
        self.picture.fmt(f)
    }
}
