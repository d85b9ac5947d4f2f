//! A decision in the game's own words: what two of the three games are asked in.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use kernel::doc::{Document, Faults, Node};
use kernel::{ActionId, Game, GameExt, Seat};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// The most words of one decision: a fleet of many ships is split by naming each that goes.
pub const WORDS_MAX: usize = 256;

/// Actions in a row that make one decision: `{"actions": ["knight", "robber:7"]}`.
///
/// A composite decision is asked for whole. Half of one would have to be stored and to be
/// taken back again; so a client composes it, helped by `consider`, and undoing is its own
/// affair until it asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words<A>(pub Vec<A>);

impl<A: FromStr<Err: fmt::Display>> Document for Words<A> {
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

fn read_word<A: FromStr<Err: fmt::Display>>(node: &Node<'_>, faults: &mut Faults) -> Option<A> {
    match node.text(faults)?.parse() {
        Ok(action) => Some(action),
        Err(expected) => {
            let expected: A::Err = expected;
            faults.at(node, "unknown_action", expected.to_string());
            None
        }
    }
}

impl<A> JsonSchema for Words<A> {
    fn schema_name() -> Cow<'static, str> {
        "Words".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Actions in a row that make one decision, each in the game's own word.",
            "type": "object",
            "properties": {
                "actions": {
                    "description": "The words: `knight`, `robber:7`.",
                    "type": "array",
                    "items": {"type": "string"},
                    "maxItems": WORDS_MAX,
                },
            },
            "required": ["actions"],
            "additionalProperties": false,
        })
    }
}

/// The words of all that a seat may do now.
pub(crate) fn legal<G: Game>(position: &G, seat: Seat) -> Vec<String> {
    let mask = position.legal(seat);
    let word = |id: ActionId| position.action(id).map(|action| action.to_string());
    mask.iter().filter_map(word).collect()
}
