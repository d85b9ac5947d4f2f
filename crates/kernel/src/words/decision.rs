//! A decision in the game's own words.

use std::any::type_name;
use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::Vocabulary;
use crate::doc::{Document, Faults, Node};
use crate::{ActionId, Game, GameExt, Seat};

/// What `consider` answers in a game that is asked in words.
pub const CONSIDERED: &str = "\
    `code` is the reason why the rules refuse one of the words where it stands, or null. `legal` has \
    every word that can follow those in `actions`; it is empty once `whole` says that the decision \
    can be asked for. With no words in `actions`, `legal` has every word that a decision can begin \
    with, as in a `standing`.";

/// The most words of one decision: a fleet of many ships is split by naming each that goes.
pub const WORDS_MAX: usize = 256;

/// Words in a row that make one decision.
// A composite decision is asked for whole. Half of one would have to be stored and to be taken back
// again; so a client composes it, helped by `consider`, and undoing is its own affair until it asks.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Document)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Ask", bound = "A: Vocabulary")]
pub struct Words<A: Vocabulary> {
    /// The words, in the order in which they are done.
    #[schemars(length(max = WORDS_MAX))]
    pub actions: Vec<Word<A>>,
}

impl<A: Vocabulary> Words<A> {
    /// The words of these actions.
    pub fn new(actions: Vec<A>) -> Words<A> {
        let actions = actions.into_iter().map(Word).collect();
        Words { actions }
    }

    /// The actions.
    pub fn actions(&self) -> Vec<A>
    where
        A: Copy,
    {
        self.actions.iter().map(|word| word.0).collect()
    }
}

/// A word of a decision.
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
        json_schema!({"description": "A word of a decision.", "anyOf": forms})
    }
}

/// No word at all: of games that are not asked in words. For schemas alone.
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

/// The words of all that a seat may do now.
pub fn legal<G: Game>(position: &G, seat: Seat) -> Vec<String> {
    let mask = position.legal(seat);
    let word = |id: ActionId| position.action(id).map(|action| action.to_string());
    mask.iter().filter_map(word).collect()
}
