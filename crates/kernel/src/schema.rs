//! JSON Schemas of what the kernel reads and writes, generated from the types.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, schema_for};
use serde_json::{Value, json};

use crate::doc::Named;
use crate::fair::{Commitment, Contribution, Opening};
use crate::json::{Hash, Json};
use crate::record::{ActionLine, Closing, EXTENSION_TYPES, Header, LogEntry, SCHEMA_VERSION};
use crate::rng::Generator;
use crate::{Describe, Endings, MatchId, Outcome, SEATS_MAX, Seat, SeatSet, Source, Timestamp};

/// The schema of a table's snapshot: the game's schema of its position, with the fields that the
/// table adds.
pub fn snapshot_schema<G: Describe>() -> Schema {
    let mut schema = G::snapshot_schema();
    let own = schema_for!(TableFields);
    for part in ["properties", "$defs"] {
        let added = own.get(part).and_then(Value::as_object).cloned();
        let target = schema
            .ensure_object()
            .entry(part)
            .or_insert_with(|| json!({}));
        if let (Some(target), Some(added)) = (target.as_object_mut(), added) {
            target.extend(added);
        }
    }
    if let Some(kind) = schema.pointer_mut("/$defs/LogEntry/properties/type") {
        let types = [G::Decision::NAMES, &EXTENSION_TYPES].concat();
        kind["enum"] = types.into();
        kind["x-extension-types"] = EXTENSION_TYPES.to_vec().into();
    }
    let required = ["game_id", "rng_state", "schema_version"].map(Value::from);
    if let Some(list) = schema.get_mut("required").and_then(Value::as_array_mut) {
        list.extend(required);
    }
    schema.insert("additionalProperties".to_owned(), Value::Bool(false));
    schema.insert("x-schema-version".to_owned(), G::SNAPSHOT_VERSION.into());
    schema
}

/// The schema of what the [reader](crate::doc::Document) of a type accepts: a nullable field must
/// be present unless it has a default.
pub fn of_read<T: JsonSchema>() -> Schema {
    let mut schema = schema_for!(T);
    let written = of_written::<T>();
    if let Some(object) = schema.as_object_mut() {
        let mut read = Value::Object(std::mem::take(object));
        require_nulls(&mut read, written.as_value());
        *object = read.as_object().cloned().unwrap_or_default();
    }
    schema
}

/// The schema of what a type serializes to.
pub fn of_written<T: JsonSchema>() -> Schema {
    writing().into_root_schema_for::<T>()
}

fn writing() -> SchemaGenerator {
    SchemaSettings::default().for_serialize().into_generator()
}

/// Makes nullable fields required if they are always written and have no default.
fn require_nulls(read: &mut Value, written: &Value) {
    let always = written.get("required").and_then(Value::as_array);
    for name in always.into_iter().flatten() {
        let field = name
            .as_str()
            .and_then(|name| read.get("properties")?.get(name));
        let needed = field.is_some_and(|it| may_be_null(it) && it.get("default").is_none());
        if needed && let Some(object) = read.as_object_mut() {
            let required = object.entry("required").or_insert_with(|| json!([]));
            if let Some(list) = required.as_array_mut().filter(|it| !it.contains(name)) {
                list.push(name.clone());
            }
        }
    }
    match read {
        Value::Object(fields) => {
            for (key, value) in fields {
                require_nulls(value, &written[key.as_str()]);
            }
        }
        Value::Array(items) => {
            for (idx, item) in items.iter_mut().enumerate() {
                require_nulls(item, &written[idx]);
            }
        }
        _ => {}
    }
}

fn may_be_null(schema: &Value) -> bool {
    let has = |list: &str, null: &Value| {
        let list = schema.get(list).and_then(Value::as_array);
        list.is_some_and(|list| list.contains(null))
    };
    has("type", &json!("null"))
        || has("anyOf", &json!({"type": "null"}))
        || has("enum", &json!(null))
}

/// The schema of null, or one of the possible outcomes of a game: for `#[schemars(schema_with)]`.
pub fn outcomes<E: Endings>(_: &mut SchemaGenerator) -> Schema {
    let outcomes = E::all().map(|it| json!(it)).chain([Value::Null]);
    json_schema!({ "enum": outcomes.collect::<Vec<Value>>() })
}

/// The schema of a name of an enum: for `#[schemars(schema_with)]`.
pub fn names<T: Named>(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": T::NAMES })
}

/// The schema of one line of a record.
pub fn record_schema() -> Schema {
    let mut generator = writing();
    let lines = [
        generator.subschema_for::<Header>(),
        generator.subschema_for::<ActionLine>(),
        generator.subschema_for::<Closing>(),
    ];
    let mut definitions = generator.take_definitions(true);
    for name in ["Header", "ActionLine", "Closing"] {
        if let Some(line) = definitions.get_mut(name).and_then(Value::as_object_mut) {
            add_chain(line);
        }
    }
    if let Some(line) = definitions.get_mut("ActionLine") {
        line["properties"]["type"]["x-extension-types"] = EXTENSION_TYPES.to_vec().into();
    }
    json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a Referee record",
        "x-schema-version": SCHEMA_VERSION,
        "oneOf": lines,
        "$defs": definitions,
    })
}

/// Adds the chain, which is not part of a line's type but ties the line to those before it.
fn add_chain(line: &mut serde_json::Map<String, Value>) {
    if let Some(fields) = line.get_mut("properties").and_then(Value::as_object_mut) {
        fields.insert(
            "chain".to_owned(),
            json!({
                "description": "The hash of the previous line's chain and of this line without it.",
                "type": "string",
                "pattern": "^sha256:[0-9a-f]{64}$",
            }),
        );
    }
    if let Some(required) = line.get_mut("required").and_then(Value::as_array_mut) {
        required.push("chain".into());
    }
}

#[derive(JsonSchema)]
#[expect(
    dead_code,
    reason = "the fields that a table adds to a snapshot, used only for the schema"
)]
struct TableFields {
    /// The match's id.
    game_id: MatchId,
    /// The generator's state, or the commitment to one that is still secret.
    rng_state: Source,
    /// The version of the snapshot's format.
    schema_version: String,
    /// The actions so far, on request. They are history, not state, and not part of the hash.
    #[schemars(with = "Vec<LogEntry>")]
    log: Option<Vec<LogEntry>>,
}

impl JsonSchema for Json {
    fn schema_name() -> Cow<'static, str> {
        "Json".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::from(true)
    }
}

impl JsonSchema for MatchId {
    fn schema_name() -> Cow<'static, str> {
        "MatchId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A random (version 4) UUID in lowercase.",
            "type": "string",
            "format": "uuid",
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
        })
    }
}

impl JsonSchema for Timestamp {
    fn schema_name() -> Cow<'static, str> {
        "Timestamp".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A time in UTC, with milliseconds unless they are zero.",
            "type": "string",
            "format": "date-time",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{3})?Z$",
        })
    }
}

impl JsonSchema for Source {
    fn schema_name() -> Cow<'static, str> {
        "Source".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let state = generator.subschema_for::<Generator>();
        let commitment = generator.subschema_for::<Commitment>();
        json_schema!({
            "description": "A generator's state, or the commitment to one that is still secret.",
            "anyOf": [state, {
                "type": "object",
                "properties": {"type": {"const": "commitment"}, "state": commitment},
                "required": ["state", "type"],
                "additionalProperties": false,
            }],
        })
    }
}

impl JsonSchema for Commitment {
    fn schema_name() -> Cow<'static, str> {
        "Commitment".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Hash::json_schema(generator);
        let words = "The commitment to a seed: SHA-256 of the salt followed by the seed.";
        schema.insert("description".to_owned(), words.into());
        schema
    }
}

impl JsonSchema for Contribution {
    fn schema_name() -> Cow<'static, str> {
        "Contribution".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let commitment = generator.subschema_for::<Commitment>();
        let seat = generator.subschema_for::<Seat>();
        json_schema!({
            "description": "A player's part in a seed: random bytes that the player sent after \
                            receiving this commitment from the host.",
            "type": "object",
            "properties": {
                "commitment": commitment,
                "contribution": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
                "seat": seat,
            },
            "required": ["commitment", "contribution", "seat"],
            "additionalProperties": false,
        })
    }
}

impl JsonSchema for Opening {
    fn schema_name() -> Cow<'static, str> {
        "Opening".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let hex = |words: &str| {
            let pattern = "^[0-9a-f]{64}$";
            json!({"type": "string", "pattern": pattern, "description": words})
        };
        let salt = hex("The salt that was hashed with the seed, in hex.");
        let seed = hex("The seed of the generator, in hex.");
        let parts = json!({
            "type": "array",
            "description": "The parts of the seed, by seat; absent when the host drew it alone.",
            "items": {
                "type": "object",
                "properties": {
                    "contribution": hex("The player's random bytes, in hex."),
                    "salt": hex("The salt that was hashed with the secret, in hex."),
                    "seat": generator.subschema_for::<Seat>(),
                    "secret": hex("The host's secret for this player, in hex."),
                },
                "required": ["contribution", "salt", "seat", "secret"],
                "additionalProperties": false,
            },
        });
        json_schema!({
            "description": "A seed and its salt; sha256(salt ‖ seed) is the commitment.",
            "type": "object",
            "properties": {"parts": parts, "salt": salt, "seed": seed},
            "required": ["salt", "seed"],
            "additionalProperties": false,
        })
    }
}

impl JsonSchema for SeatSet {
    fn schema_name() -> Cow<'static, str> {
        "SeatSet".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let seat = generator.subschema_for::<Seat>();
        json_schema!({
            "description": "Seats in ascending order.",
            "type": "array",
            "items": seat,
            "maxItems": SEATS_MAX,
            "uniqueItems": true,
        })
    }
}

impl JsonSchema for Outcome {
    fn schema_name() -> Cow<'static, str> {
        "Outcome".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let seats = generator.subschema_for::<SeatSet>();
        json_schema!({
            "description": "The result of a match.",
            "type": "object",
            "properties": {
                "reason": {"type": "string", "description": "The reason, as a code of the game."},
                "result": {
                    "enum": ["win", "draw", "all_lose", "void"],
                    "description": "The verdict: the winners won and the others lost, nobody \
                        won or lost, everybody lost, or it does not count.",
                },
                "truncated": {
                    "type": "boolean",
                    "description": "True if the game's length limit cut the match off.",
                },
                "winners": seats,
            },
            "required": ["reason", "result", "truncated", "winners"],
            "additionalProperties": false,
        })
    }
}
