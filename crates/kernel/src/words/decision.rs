//! Decisions in the game's own words.

use std::any::type_name;
use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use super::Vocabulary;
use crate::doc::{Document, Faults, Node};
use crate::{ActionId, Game, GameExt, Seat};

/// A description of what `consider` answers in a game whose requests are words.
pub const CONSIDERED: &str = "\
    `code` is the reason the rules refuse one of the words in its place, or null. `legal` lists \
    every word that can follow those in `actions`; it is empty once `whole` says that the decision \
    can be submitted. With no words in `actions`, `legal` lists every word that a decision can begin \
    with, as in a `standing`.";

/// The maximum number of words of one decision: to split a fleet of many ships, a player names each
/// ship that leaves.
pub const WORDS_MAX: usize = 256;

/// The words of one decision, in order.
// A composite decision is submitted as one unit. A partial one would have to be stored, and later
// undone; so the client composes it with the help of `consider`, and can undo locally until it
// submits.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Document)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Ask", bound = "A: Vocabulary")]
pub struct Words<A: Vocabulary> {
    /// The words, in the order in which they are carried out.
    #[schemars(length(max = WORDS_MAX))]
    pub actions: Vec<Word<A>>,
}

impl<A: Vocabulary> Words<A> {
    /// The words of these actions.
    pub fn new(actions: Vec<A>) -> Words<A> {
        let actions = actions.into_iter().map(Word).collect();
        Words { actions }
    }

    /// The actions of these words.
    pub fn actions(&self) -> Vec<A>
    where
        A: Copy,
    {
        self.actions.iter().map(|word| word.0).collect()
    }
}

/// One word of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word<A>(pub A);

impl<A: Vocabulary> Document for Word<A> {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Word<A>> {
        node.parsed("unknown_action", faults).map(Word)
    }
}

impl<A: Vocabulary> JsonSchema for Word<A> {
    fn schema_name() -> Cow<'static, str> {
        "Word".into()
    }

    fn schema_id() -> Cow<'static, str> {
        type_name::<Word<A>>().into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let forms = A::forms().into_iter().map(|form| {
            json_schema!({
                "description": form.about,
                "type": "string",
                "pattern": form.pattern,
                "examples": [form.example],
            })
        });
        let forms: Vec<Schema> = forms.collect();
        json_schema!({"description": "One word of a decision.", "anyOf": forms})
    }
}

impl<A: fmt::Display> Serialize for Word<A> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// The error for a text that is not a word of the game. It holds an example of each form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotAWord {
    examples: Vec<String>,
}

impl NotAWord {
    /// The error for a text that is not one of these actions.
    pub fn of<A: Vocabulary>() -> NotAWord {
        let examples = A::forms().into_iter().map(|form| form.example);
        NotAWord {
            examples: examples.collect(),
        }
    }
}

impl fmt::Display for NotAWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.examples.split_last() {
            None => f.write_str("the game has no actions"),
            Some((last, [])) => write!(f, "expected an action such as {last}"),
            Some((last, others)) => {
                write!(
                    f,
                    "expected an action such as {} or {last}",
                    others.join(", ")
                )
            }
        }
    }
}

impl std::error::Error for NotAWord {}

/// A type without values, for the schemas of games whose requests are not words.
pub enum NoWord {}

impl JsonSchema for NoWord {
    fn schema_name() -> Cow<'static, str> {
        "NoWord".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::from(false)
    }
}

/// The words of every action that the seat may take now.
pub fn legal<G: Game>(position: &G, seat: Seat) -> Vec<String> {
    let mask = position.legal(seat);
    let word = |id: ActionId| position.action(id).map(|action| action.to_string());
    mask.iter().filter_map(word).collect()
}
