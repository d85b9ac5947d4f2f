//! A decision in the game's own words: what two of the three games are asked in.

use std::any::type_name;
use std::borrow::Cow;
use std::marker::PhantomData;

use kernel::doc::{Document, Faults, Node};
use kernel::words::Vocabulary;
use kernel::{ActionId, Game, GameExt, Seat};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// What `consider` answers in a game that is asked in words.
pub(crate) const CONSIDERED: &str = "\
    `code` is the reason why the rules refuse one of the words where it stands, or null. `legal` has \
    every word that can follow those in `actions`; it is empty once `whole` says that the decision \
    can be asked for. With no words in `actions`, `legal` has every word that a decision can begin \
    with, as in a `standing`.";

/// The most words of one decision: a fleet of many ships is split by naming each that goes.
pub const WORDS_MAX: usize = 256;

/// Actions in a row that make one decision: `{"actions": ["knight", "robber:7"]}`.
///
/// A composite decision is asked for whole. Half of one would have to be stored and to be
/// taken back again; so a client composes it, helped by `consider`, and undoing is its own
/// affair until it asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words<A>(pub Vec<A>);

impl<A: Vocabulary> Document for Words<A> {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Words<A>> {
        node.only_fields(&["actions"], faults);
        let list = node.field("actions");
        let items = list.list(faults)?;
        if items.len() > WORDS_MAX {
            let expected = format!("a list of at most {WORDS_MAX}");
            return list.refuse("wrong_length", &expected, faults);
        }
        let words: Vec<Option<A>> = items.iter().map(|it| read_word(it, faults)).collect();
        Some(Words(words.into_iter().collect::<Option<_>>()?))
    }
}

fn read_word<A: Vocabulary>(node: &Node<'_>, faults: &mut Faults) -> Option<A> {
    match node.text(faults)?.parse() {
        Ok(action) => Some(action),
        Err(expected) => {
            let expected: A::Err = expected;
            faults.at(node, "unknown_action", expected.to_string());
            None
        }
    }
}

impl<A: Vocabulary> JsonSchema for Words<A> {
    fn schema_name() -> Cow<'static, str> {
        "Ask".into()
    }

    fn schema_id() -> Cow<'static, str> {
        type_name::<Words<A>>().into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let word = generator.subschema_for::<Word<A>>();
        json_schema!({
            "description": "Words in a row that make one decision.",
            "type": "object",
            "properties": {
                "actions": {
                    "description": "The words, in the order in which they are done.",
                    "type": "array",
                    "items": word,
                    "maxItems": WORDS_MAX,
                },
            },
            "required": ["actions"],
            "additionalProperties": false,
        })
    }
}

/// A word of a decision, for schemas alone.
pub struct Word<A>(PhantomData<A>);

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
pub(crate) fn legal<G: Game>(position: &G, seat: Seat) -> Vec<String> {
    let mask = position.legal(seat);
    let word = |id: ActionId| position.action(id).map(|action| action.to_string());
    mask.iter().filter_map(word).collect()
}
