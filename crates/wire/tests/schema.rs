//! The schemas of the protocol describe every message in both directions, in every game.
//!
//! Promise: The published schemas describe every message.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

use std::collections::BTreeSet;

use catalog::{GameName, Orcain, Stellar, with_game};
use jsonschema::Validator;
use kernel::{Game, Seat, SeatSet, Viewer};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::{Value, json};
use session::{Live, Message};
use wire::codes::ErrorCode;
use wire::native::{ClientMessage, ServerMessage, refuse};
use wire::schema::{client_schema, server_schema, words_schema};

const MATCH_ID: &str = "00000000-0000-4000-8000-000000000000";

fn judge(schema: &Schema) -> Validator {
    jsonschema::draft202012::meta::validate(schema.as_value()).unwrap();
    jsonschema::validator_for(schema.as_value()).unwrap()
}

fn ask(ask: &Value) -> Value {
    json!({"type": "ask", "match_id": MATCH_ID, "seq": 1, "ask": ask})
}

fn consider(ask: &Value) -> Value {
    json!({"type": "consider", "match_id": MATCH_ID, "question": 1, "ask": ask})
}

/// The words that the first decision of a match can begin with.
fn first_words<G: Live>() -> Vec<String> {
    let position = G::start(&G::Setup::default());
    let seats = Seat::first(position.n_seats());
    seats.flat_map(|seat| position.legal_words(seat)).collect()
}

/// Asks of one game that are invalid in the other games.
fn asks() -> [(GameName, Value); 4] {
    [
        (GameName::Catan, json!({"actions": ["knight", "robber:7"]})),
        (
            GameName::Orcain,
            json!({"type": "draft", "layout": ["attack", null, "heal"]}),
        ),
        (GameName::LiarsDice, json!({"actions": ["bid:3x4"]})),
        (
            GameName::Stellar,
            json!({"actions": ["fleet:0", "move", "system:12"]}),
        ),
    ]
}

#[test]
fn an_ask_fits_the_schema_of_all_games_and_of_its_own_game_only() {
    let all = judge(&client_schema(&GameName::ALL));
    for (game, own) in asks() {
        for message in [ask(&own), consider(&own)] {
            assert!(all.is_valid(&message), "{message}");
            for other in GameName::ALL {
                let one = judge(&client_schema(&[other]));
                assert_eq!(one.is_valid(&message), other == game, "{other}: {message}");
            }
        }
    }
    for game in GameName::ALL {
        let own = judge(&client_schema(&[game]));
        for word in with_game!(game, G => first_words::<G>()) {
            let message = ask(&json!({"actions": [word]}));
            assert!(
                own.is_valid(&message) && all.is_valid(&message),
                "{message}"
            );
        }
    }
    for ask in [
        json!({"actions": ["knigth"]}),
        json!({"actions": ["settle:54"]}),
        json!({"actions": ["roll"], "seq": 1}),
        json!({"actions": "roll"}),
        json!({"type": "draft", "layout": ["GRASS"]}),
        json!("draft"),
        json!({}),
    ] {
        assert!(!all.is_valid(&consider(&ask)), "{ask}");
    }
}

/// One message of each type that a client can send.
fn said() -> Vec<Value> {
    let of_match = |kind: &str| json!({"type": kind, "match_id": MATCH_ID});
    let with_code = |kind: &str| json!({"type": kind, "code": "abc"});
    let (_, own) = &asks()[0];
    let mut all = vec![
        json!({"type": "hello", "protocol": 1, "token": "t"}),
        json!({"type": "queue_join", "game": "catan", "stake": 1}),
        json!({"type": "queue_leave"}),
        json!({"type": "play_bot", "game": "stellar", "bot": "random"}),
        json!({"type": "invite_create", "game": "orcain"}),
        ask(own),
        consider(own),
        json!({"type": "resign", "match_id": MATCH_ID, "seq": 1}),
        json!({"type": "sit", "match_id": MATCH_ID, "seat": 1}),
        json!({"type": "resync", "match_id": MATCH_ID, "seen": 0}),
        json!({"type": "contribute", "commitment": format!("sha256:{}", "0".repeat(64)),
               "contribution": "ab".repeat(32)}),
        json!({"type": "ping", "at": 5}),
    ];
    all.extend(
        [
            "invite_accept",
            "invite_cancel",
            "table_join",
            "table_leave",
        ]
        .map(with_code),
    );
    all.extend(["rematch", "rematch_decline", "chances", "watch", "unwatch"].map(of_match));
    all
}

fn kinds(schema: &Schema) -> BTreeSet<String> {
    let messages = schema.as_value()["oneOf"].as_array().unwrap();
    let kind = |it: &Value| it.pointer("/properties/type/const").unwrap().clone();
    let kinds = messages
        .iter()
        .map(|it| kind(it).as_str().unwrap().to_owned());
    kinds.collect()
}

#[test]
fn the_schema_allows_exactly_the_messages_that_are_accepted() {
    let schema = client_schema(&GameName::ALL);
    let judge = judge(&schema);
    let named: BTreeSet<String> = said()
        .iter()
        .map(|it| it["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(named, kinds(&schema));
    let agree = |message: &Value, fits: bool| {
        let read = ClientMessage::read(&message.to_string());
        assert_eq!(
            (judge.is_valid(message), read.is_ok()),
            (fits, fits),
            "{message}: {read:?}"
        );
    };
    for message in said() {
        agree(&message, true);
        let mut more = message.clone();
        more["extra"] = json!(1);
        agree(&more, false);
        for field in message.as_object().unwrap().keys() {
            let mut other = message.clone();
            other[field] = json!({"no": "such value"});
            // An ask is kept as it was sent, and parsed later by its game.
            let is_read = ClientMessage::read(&other.to_string()).is_ok();
            assert!(!judge.is_valid(&other), "{other}");
            assert_eq!(is_read, field == "ask", "{other}");
        }
    }
    agree(&json!({"type": "queue_join", "game": "chess"}), false);
    agree(&json!({"type": "watch", "match_id": "BOT"}), false);
    let other_variant = MATCH_ID.replace("-8000-", "-0000-");
    agree(&json!({"type": "watch", "match_id": other_variant}), false);
    agree(&json!({"type": "draft"}), false);
}

fn value(message: &impl Serialize) -> Value {
    serde_json::to_value(message).unwrap()
}

/// The first messages of a match, as each viewer receives them.
fn told<G: Live>() -> Vec<Value> {
    let position = G::start(&G::Setup::default());
    let match_id = MATCH_ID.parse().unwrap();
    let seats = Seat::first(position.n_seats()).map(Viewer::Seat);
    let mut all = Vec::new();
    for viewer in seats.chain([Viewer::Public]) {
        let legal = match viewer {
            Viewer::Seat(seat) => position.legal_words(seat),
            Viewer::Public => Vec::new(),
        };
        let options = Message::<G>::Options {
            question: 1,
            code: None,
            whole: false,
            legal: legal.clone(),
        };
        let standing = Message::<G>::Standing {
            version: 1,
            view: position.view(viewer),
            legal,
            absent: SeatSet::EMPTY,
            deadline_ms: None,
            now_ms: 0,
        };
        for message in [standing, options] {
            all.push(value(&ServerMessage::Match { match_id, message }));
        }
    }
    all
}

#[test]
fn a_standing_fits_the_schema_of_all_games_and_of_its_own_game_only() {
    let all = judge(&server_schema(&GameName::ALL));
    for game in GameName::ALL {
        let told = with_game!(game, G => told::<G>());
        for message in &told {
            let errors: Vec<String> = all.iter_errors(message).map(|it| it.to_string()).collect();
            assert!(errors.is_empty(), "{errors:?}: {message}");
        }
        for other in GameName::ALL {
            let one = judge(&server_schema(&[other]));
            let standing = &told[0];
            assert_eq!(one.is_valid(standing), other == game, "{other}: {standing}");
        }
    }
}

#[test]
fn an_invalid_message_from_the_server_does_not_fit() {
    let judge = judge(&server_schema(&GameName::ALL));
    let error: Value = serde_json::from_str(&refuse(ErrorCode::Busy, Some(3))).unwrap();
    assert!(judge.is_valid(&error), "{error}");
    assert!(!judge.is_valid(&json!({"type": "error", "code": 7})));
    let mut standing = told::<Stellar>().remove(0);
    standing["message"]["legal"] = json!(["roll the dice"]);
    assert!(!judge.is_valid(&standing));
    let mut standing = told::<Orcain>().remove(0);
    standing["message"]["view"]["hp"] = json!(["many", 7]);
    assert!(!judge.is_valid(&standing));
}

fn capitalized(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

#[test]
fn the_types_of_games_are_prefixed_and_the_same_in_every_schema() {
    let definitions = |schema: &Schema| schema.as_value()["$defs"].as_object().unwrap().clone();
    let (client, server) = (
        definitions(&client_schema(&GameName::ALL)),
        definitions(&server_schema(&GameName::ALL)),
    );
    // `Choice` and the types of a picture belong to the views of games from rules alone.
    let shared = ["Outcome", "Seat", "SeatSet", "Choice"];
    for game in GameName::ALL {
        let prefix: String = game.as_str().split('_').map(capitalized).collect();
        let view = with_game!(game, G => <<G as Game>::View as JsonSchema>::schema_name());
        for (name, schema) in definitions(&words_schema(game)) {
            let known = server.get(&name).or_else(|| client.get(&name));
            assert_eq!(known, Some(&schema), "{name}");
            let is_shared = shared.contains(&name.as_str()) || name.starts_with("Picture");
            assert!(is_shared || name.starts_with(&prefix), "{name}");
        }
        for part in [&*view, "Event"] {
            assert!(
                server.contains_key(&format!("{prefix}{part}")),
                "{prefix}{part}"
            );
        }
        assert!(client.contains_key(&format!("{prefix}Ask")), "{prefix}Ask");
    }
}
