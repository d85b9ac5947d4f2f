//! Messages and asks fit their schemas, by an independent validator.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

mod desk;

use catalog::Orcain;
use catalog::orcain::{Ask, Asked, Card, read_cards};
use desk::{A, B, Desk};
use jsonschema::Validator;
use kernel::{doc, json};
use schemars::{JsonSchema, schema_for};
use serde_json::{Value, json};
use session::Message;

fn judge<T: JsonSchema>() -> Validator {
    let schema = serde_json::to_value(schema_for!(T)).unwrap();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn confirm(cards: [&str; 3]) -> Ask {
    Ask::Confirm(read_cards(&cards.map(Some)))
}

/// Every message to anybody in a match that has every kind of message.
fn all_messages() -> Vec<Value> {
    let mut desk = Desk::<Orcain>::open(
        session::Policy {
            grace_ms: 1_000,
            pause_budget_ms: 5_000,
            ..<Orcain as session::Live>::POLICY.with_people(kernel::SeatSet::first(2))
        },
        Default::default(),
    );
    desk.disconnect(B);
    desk.reconnect(B, 1);
    desk.consider(A, confirm(["attack", "heal", "defense"]));
    desk.ask_numbered(A, 9, confirm(["attack", "heal", "defense"]));
    desk.lose_storage(desk.now);
    desk.regain_storage();
    desk.ask(A, Ask::Draft(read_cards(&[Some("sword"), None, None])));
    desk.ask(A, confirm(["attack", "heal", "defense"]));
    desk.ask(B, confirm(["counter", "attack", "attack"]));
    desk.ask(B, confirm(["counter", "attack", "heal"]));
    desk.wait(60_000);
    let recovered = desk.recovered(desk.log.len() - 1, desk.now + 5_000);
    let mut sent = std::mem::take(&mut desk.sent);
    let mut desk = recovered;
    desk.connect(A);
    desk.connect(B);
    desk.wait(60_000);
    sent.append(&mut desk.sent);
    let value = |message: &Message<Orcain>| serde_json::to_value(message).unwrap();
    sent.iter().map(|(_, message)| value(message)).collect()
}

#[test]
fn every_message_fits_the_schema() {
    let judge = judge::<Message<Orcain>>();
    let messages = all_messages();
    let schema = schema_for!(Message<Orcain>).to_value();
    for kind in schema["oneOf"].as_array().unwrap() {
        let kind = kind.pointer("/properties/type/const").unwrap();
        let has = messages.iter().any(|message| message["type"] == *kind);
        assert!(has, "no {kind} among {} messages", messages.len());
    }
    for message in &messages {
        let errors: Vec<String> = judge
            .iter_errors(message)
            .map(|it| it.to_string())
            .collect();
        assert!(errors.is_empty(), "{message}: {errors:?}");
    }
}

#[test]
fn a_message_with_a_wrong_field_does_not_fit() {
    let judge = judge::<Message<Orcain>>();
    for message in [
        json!({"type": "ack", "client_seq": "1", "code": null, "taken": true}),
        json!({"type": "gap"}),
        json!({"type": "news", "version": 1, "events": [{"type": "GRASS"}], "note": null,
               "deadline_ms": null}),
        json!({"type": "over", "outcome": {"result": "win"}, "tokens": 2}),
    ] {
        assert!(!judge.is_valid(&message), "{message}");
    }
}

fn read(text: &str) -> Result<Ask, String> {
    let json = json::read(text.as_bytes()).unwrap();
    doc::parse(&json).map_err(|faults| faults.one_line())
}

#[test]
fn an_ask_with_unknown_cards_is_left_to_the_rules() {
    let slots: Vec<Asked> = vec![Ok(Some(Card::Attack)), Ok(None), Err(())];
    let layout = r#"["attack", null, "GRASS"]"#;
    assert_eq!(
        read(&format!(r#"{{"type": "draft", "layout": {layout}}}"#)),
        Ok(Ask::Draft(Some(slots.clone())))
    );
    assert_eq!(
        read(&format!(r#"{{"type": "confirm", "layout": {layout}}}"#)),
        Ok(Ask::Confirm(Some(slots)))
    );
}

#[test]
fn a_malformed_ask_is_refused_with_every_fault() {
    let refused = read(r#"{"kind": "draft", "type": "draught", "layout": [1, "heal", {}]}"#);
    let refused = refused.unwrap_err();
    for place in ["/kind", "/type", "/layout/0", "/layout/2"] {
        assert!(refused.contains(place), "{place}: {refused}");
    }
    for text in [
        "[]",
        "{}",
        r#"{"type": "draft"}"#,
        r#"{"type": "draft", "layout": null}"#,
        r#"{"type": "draft", "layout": [null, null, null, null, null]}"#,
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn the_schema_allows_the_asks_that_are_accepted_and_no_others() {
    let judge = judge::<Ask>();
    for (text, fits) in [
        (
            r#"{"type": "draft", "layout": ["attack", null, "heal"]}"#,
            true,
        ),
        (r#"{"type": "confirm", "layout": []}"#, true),
        (r#"{"type": "pass", "layout": []}"#, false),
        (
            r#"{"type": "draft", "layout": ["attack"], "seq": 1}"#,
            false,
        ),
        (
            r#"{"type": "draft", "layout": [null, null, null, null, null]}"#,
            false,
        ),
    ] {
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(
            (judge.is_valid(&value), read(text).is_ok()),
            (fits, fits),
            "{text}"
        );
    }
}
