//! JSON Schemas of both sides of Referee's own protocol, with Orcain's words filled in, and of
//! each game's own words.

use catalog::{GameName, Orcain, with_game};
use kernel::{Event, Game};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, schema_for};
use serde_json::{Map, Value, json};
use session::{Live, Message, OrcainAsk};

use crate::native::{ClientMessage, ServerMessage};

/// What a client may say. The ask is Orcain's: other games put their own in its place.
pub fn client_schema() -> Schema {
    let mut schema = schema_for!(ClientMessage);
    let ask = schema_for!(OrcainAsk).to_value();
    let (Value::Object(mut ask), Some(root)) = (ask, schema.as_object_mut()) else {
        return schema;
    };
    let defs = ask.remove("$defs");
    ask.remove("$schema");
    ask.remove("title");
    put_ask(root, &ask.into());
    let known = root.entry("$defs").or_insert_with(|| json!({}));
    if let (Some(known), Some(Value::Object(defs))) = (known.as_object_mut(), defs) {
        known.extend(defs);
    }
    schema
}

/// What the server says, with the messages of a match of Orcain.
pub fn server_schema() -> Schema {
    let settings = SchemaSettings::default().for_serialize();
    settings
        .into_generator()
        .into_root_schema_for::<ServerMessage<Message<Orcain>>>()
}

/// A game's own words: what a viewer may know, what happens, and what may be asked.
pub fn words_schema(game: GameName) -> Schema {
    with_game!(game, G => {
        let settings = SchemaSettings::default().for_serialize();
        settings.into_generator().into_root_schema_for::<GameWords<G>>()
    })
}

/// A game's own words.
#[derive(JsonSchema)]
#[schemars(
    rename = "GameWords",
    bound = "G::View: JsonSchema, <G::Event as Event>::Seen: JsonSchema, G::Ask: JsonSchema"
)]
#[expect(dead_code, reason = "for the schema alone")]
struct GameWords<G: Live + Game> {
    /// What a viewer may know.
    view: G::View,
    /// What happens, as a viewer sees it.
    event: <G::Event as Event>::Seen,
    /// What may be asked for.
    ask: G::Ask,
}

/// Puts a game's ask in its place in the message that carries it.
fn put_ask(root: &mut Map<String, Value>, ask: &Value) {
    let messages = root.get_mut("oneOf").and_then(Value::as_array_mut);
    for message in messages.into_iter().flatten() {
        let kind = message.pointer("/properties/type/const");
        if kind == Some(&json!("ask")) || kind == Some(&json!("consider")) {
            message["properties"]["ask"] = ask.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_client_may_say_includes_orcains_own_words() {
        let schema = client_schema().to_value();
        jsonschema::draft202012::meta::validate(&schema).unwrap();
        let judge = jsonschema::validator_for(&schema).unwrap();
        let match_id = "00000000-0000-4000-8000-000000000000";
        let ask = |ask: Value| json!({"type": "ask", "match_id": match_id, "seq": 1, "ask": ask});
        let draft = json!({"type": "draft", "layout": ["attack", null, "heal"]});
        for (message, fits) in [
            (ask(draft.clone()), true),
            (ask(json!({"type": "draft", "layout": ["GRASS"]})), false),
            (ask(json!("draft")), false),
            (json!({"type": "hello", "protocol": 1, "token": "t"}), true),
            (
                json!({"type": "hello", "protocol": 1, "password": "p"}),
                false,
            ),
            (json!({"type": "draft"}), false),
        ] {
            assert_eq!(judge.is_valid(&message), fits, "{message}");
            let read = ClientMessage::read(&message.to_string());
            assert!(!fits || read.is_ok(), "{message}: {read:?}");
        }
    }

    #[test]
    fn what_the_server_says_fits() {
        let schema = server_schema().to_value();
        jsonschema::draft202012::meta::validate(&schema).unwrap();
        let judge = jsonschema::validator_for(&schema).unwrap();
        let error = crate::native::refuse(crate::codes::ErrorCode::Busy, Some(3));
        let error: Value = serde_json::from_str(&error).unwrap();
        assert!(judge.is_valid(&error), "{error}");
        assert!(!judge.is_valid(&json!({"type": "error", "code": 7})));
    }
}
