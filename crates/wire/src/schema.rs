//! The JSON Schemas of both sides of Referee's own protocol, for all games or some of them, and of
//! each game's own types.
//!
//! The name of a game's type is prefixed with the game's name (`CatanView`), so that no two games'
//! types clash. Where a message differs between games, the schema allows each game's form.

use std::collections::BTreeSet;

use catalog::{GameName, with_game};
use kernel::Event;
use kernel::picture::Picture;
use kernel::rules::Choice;
use kernel::schema::of_written;
use schemars::{JsonSchema, Schema, schema_for};
use serde_json::{Map, Value};
use session::{Live, Message};

use crate::native::{ClientMessage, ServerMessage};

/// The schema of the messages from a client, in matches of these games.
pub fn client_schema(games: &[GameName]) -> Schema {
    let document = |game: &GameName| with_game!(*game, G => client_document::<G>());
    schema(games.iter().map(document).reduce(merge))
}

/// The schema of the messages from the server, in matches of these games.
pub fn server_schema(games: &[GameName]) -> Schema {
    let document = |game: &GameName| with_game!(*game, G => server_document::<G>());
    schema(games.iter().map(document).reduce(merge))
}

/// The schema of a game's own types: views, events and asks.
pub fn words_schema(game: GameName) -> Schema {
    let words = with_game!(game, G => with_names_of_game::<G>(serialized::<GameWords<G>>()));
    schema(Some(words))
}

/// The types of one game that go over the wire.
#[derive(JsonSchema)]
#[schemars(rename = "GameWords", bound = "")]
#[expect(dead_code, reason = "for the schema alone")]
struct GameWords<G: Described> {
    /// A viewer's view of a position.
    view: G::View,
    /// An event, as one viewer sees it.
    event: <G::Event as Event>::Seen,
    /// A decision that a client asks for.
    ask: G::Ask,
}

/// A game whose types have schemas.
trait Described: Live<View: JsonSchema, Event: Event<Seen: JsonSchema>> {}

impl<G: Live<View: JsonSchema, Event: Event<Seen: JsonSchema>>> Described for G {}

fn client_document<G: Described>() -> Value {
    with_names_of_game::<G>(schema_for!(ClientMessage<G::Ask>).to_value())
}

fn server_document<G: Described>() -> Value {
    with_names_of_game::<G>(serialized::<ServerMessage<Message<G>>>())
}

/// The schema of a type as it is serialized, which may leave out empty fields.
fn serialized<T: JsonSchema>() -> Value {
    of_written::<T>().to_value()
}

fn schema(document: Option<Value>) -> Schema {
    let schema = document.and_then(|it| Schema::try_from(it).ok());
    schema.unwrap_or_default()
}

/// The prefix of the names of a game's types, such as `Catan`.
pub(crate) fn prefix(game: &str) -> String {
    let capitalized = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    };
    game.split('_').map(capitalized).collect()
}

/// A schema document with the game's name before the names of the game's own types.
pub(crate) fn named(game: GameName, document: Value) -> Value {
    with_game!(game, G => with_names_of_game::<G>(document))
}

fn with_names_of_game<G: Described>(document: Value) -> Value {
    let messages = definitions(&serialized::<ServerMessage<()>>());
    let pictures = definitions(&serialized::<Shared>());
    let mut own = definitions(&serialized::<GameWords<G>>());
    own.retain(|name, schema| !messages.contains_key(name) && pictures.get(name) != Some(schema));
    renamed(
        document,
        &own.into_iter().map(|(name, _)| name).collect(),
        &prefix(G::NAME),
    )
}

/// The types that all games from rules alone have in common.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "for the schema alone")]
struct Shared {
    choice: Choice,
    picture: Picture,
}

fn definitions(document: &Value) -> Map<String, Value> {
    let definitions = document.get("$defs").and_then(Value::as_object);
    definitions.cloned().unwrap_or_default()
}

const REFERENCE: &str = "#/$defs/";

fn renamed(value: Value, own: &BTreeSet<String>, prefix: &str) -> Value {
    let name = |name: String| match own.contains(&name) {
        true => format!("{prefix}{name}"),
        false => name,
    };
    let entry = |(key, value): (String, Value)| match (key.as_str(), value) {
        ("$defs", Value::Object(definitions)) => {
            let definitions = definitions.into_iter();
            let definitions =
                definitions.map(|(it, schema)| (name(it), renamed(schema, own, prefix)));
            (key, definitions.collect())
        }
        ("$ref", Value::String(target)) => {
            let target = target.strip_prefix(REFERENCE).unwrap_or(&target);
            let target = name(target.to_owned());
            (key, format!("{REFERENCE}{target}").into())
        }
        (_, value) => (key, renamed(value, own, prefix)),
    };
    match value {
        Value::Object(fields) => fields.into_iter().map(entry).collect(),
        Value::Array(items) => {
            let items = items.into_iter();
            items.map(|it| renamed(it, own, prefix)).collect()
        }
        other => other,
    }
}

/// A schema that allows whatever either of the two allows. Messages are merged field by field, so
/// that only a field that differs gets several schemas.
fn merge(first: Value, second: Value) -> Value {
    match (first, second) {
        (first, second) if first == second => first,
        (Value::Object(first), Value::Object(second))
            if ["oneOf", "properties"]
                .iter()
                .any(|it| first.contains_key(*it)) =>
        {
            merge_parts(first, second)
        }
        (first, second) => either(first, second),
    }
}

/// Merges the variants, the fields and the definitions of two schemas that have the same shape.
fn merge_parts(mut first: Map<String, Value>, second: Map<String, Value>) -> Value {
    for (key, theirs) in second {
        match (first.get_mut(&key), theirs) {
            (Some(Value::Object(ours)), Value::Object(theirs)) => {
                for (name, schema) in theirs {
                    let merged = match ours.remove(&name) {
                        Some(known) => merge(known, schema),
                        None => schema,
                    };
                    ours.insert(name, merged);
                }
            }
            (Some(Value::Array(ours)), Value::Array(theirs)) if key == "oneOf" => {
                let pairs = std::mem::take(ours).into_iter().zip(theirs);
                ours.extend(pairs.map(|(one, other)| merge(one, other)));
            }
            _ => {}
        }
    }
    Value::Object(first)
}

/// A schema that allows whatever one of the two allows.
fn either(mut first: Value, mut second: Value) -> Value {
    let about = take(&mut first, "description");
    take(&mut second, "description");
    let mut choices = match take(&mut first, "anyOf") {
        Some(Value::Array(choices)) => choices,
        _ => vec![first],
    };
    choices.push(second);
    let about = about.map(|it| ("description".to_owned(), it));
    let choices = ("anyOf".to_owned(), Value::Array(choices));
    about.into_iter().chain([choices]).collect()
}

fn take(schema: &mut Value, key: &str) -> Option<Value> {
    schema.as_object_mut()?.remove(key)
}
