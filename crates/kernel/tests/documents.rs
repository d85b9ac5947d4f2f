//! A type that describes a document is written, read and described by one declaration.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use kernel::doc::{self, Document, Faults, Named, Names, Node, given};
use kernel::json;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema, Document, Names)]
#[serde(rename_all = "snake_case")]
enum Suit {
    Clubs,
    FineDiamonds,
    #[serde(rename = "love")]
    Hearts,
}

#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[document(check = Card::check)]
struct Card {
    #[schemars(range(min = 1, max = 13))]
    rank: u8,
    main_suit: Suit,
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[document(read_with = given)]
    worth: Option<i32>,
    #[serde(default)]
    #[schemars(length(max = 2))]
    marks: Vec<bool>,
}

impl Card {
    fn check(&self, node: &Node<'_>, faults: &mut Faults) {
        if self.main_suit == Suit::Hearts && self.rank == 1 {
            faults.at(
                &node.field("rank"),
                "contradiction",
                "there is no such card",
            );
        }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema, Document)]
#[serde(default)]
struct Rules {
    pairs: [u8; 2],
    suit: Suit,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            pairs: [1, 2],
            suit: Suit::Clubs,
        }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema, Document, Names)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
enum Event {
    AllGone,
    CardPlayed {
        #[serde(rename = "player_id")]
        seat: kernel::Seat,
        #[schemars(range(max = 3))]
        step: u8,
    },
    Ruled(Rules),
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema, Document)]
#[serde(from = "[u8; 2]", into = "[u8; 2]")]
struct Pair {
    sum: u8,
    first: u8,
}

impl From<[u8; 2]> for Pair {
    fn from([first, second]: [u8; 2]) -> Pair {
        let sum = first.wrapping_add(second);
        Pair { sum, first }
    }
}

impl From<Pair> for [u8; 2] {
    fn from(pair: Pair) -> [u8; 2] {
        [pair.first, pair.sum.wrapping_sub(pair.first)]
    }
}

fn read<T: Document>(text: &str) -> Result<T, String> {
    let json = json::read(text.as_bytes()).unwrap();
    doc::parse(&json).map_err(|faults| faults.to_string())
}

fn written<T: Serialize>(value: &T) -> String {
    String::from_utf8(json::to_canonical(value).unwrap()).unwrap()
}

#[test]
fn a_value_is_read_as_it_was_written() {
    let card = Card {
        rank: 12,
        main_suit: Suit::FineDiamonds,
        kind: None,
        worth: Some(-4),
        marks: vec![true],
    };
    let text = written(&card);
    let expected =
        r#"{"mainSuit": "fine_diamonds", "marks": [true], "rank": 12, "type": null, "worth": -4}"#;
    assert_eq!(text, expected);
    assert_eq!(read(&text), Ok(card));
    for event in [
        Event::AllGone,
        Event::CardPlayed {
            seat: kernel::Seat::SECOND,
            step: 3,
        },
        Event::Ruled(Rules::default()),
    ] {
        assert_eq!(read(&written(&event)), Ok(event));
    }
    let pair = Pair::from([3, 4]);
    assert_eq!(
        (written(&pair).as_str(), read("[3, 4]")),
        ("[3, 4]", Ok(pair))
    );
}

#[test]
fn every_fault_is_told_with_its_place() {
    let text =
        r#"{"rank": 14, "mainSuit": "cubs", "worth": null, "marks": [1, true, false], "king": 1}"#;
    assert_eq!(
        read::<Card>(text).unwrap_err(),
        "at /king: unknown field \"king\"; the fields are rank, mainSuit, type, worth, \
         marks\n\
         at /rank: expected an integer from 1 to 13, found 14\n\
         at /mainSuit: expected one of \"clubs\", \"fine_diamonds\", \"love\", found \"cubs\"; \
         did you mean \"clubs\"?\n\
         at /type: expected a string, found nothing\n\
         at /worth: expected an integer from -2147483648 to 2147483647, found null\n\
         at /marks: expected a list of at most 2, found a list of 3"
    );
}

#[test]
fn a_check_sees_the_whole_value() {
    let text = r#"{"rank": 1, "mainSuit": "love", "type": null}"#;
    let refused = read::<Card>(text).unwrap_err();
    assert_eq!(refused, "at /rank: there is no such card");
}

#[test]
fn fields_left_out_take_the_standard_of_their_type() {
    assert_eq!(read("{}"), Ok(Rules::default()));
    let given = read::<Rules>(r#"{"suit": "love"}"#).unwrap();
    assert_eq!((given.suit, given.pairs), (Suit::Hearts, [1, 2]));
    assert!(read::<Rules>(r#"{"pairs": [1]}"#).is_err());
}

#[test]
fn variants_are_told_apart_by_their_tag() {
    let read = |text: &str| read::<Event>(text).unwrap_err();
    let unknown = read(r#"{"type": "CARD_PLAID"}"#);
    assert!(
        unknown.contains("did you mean \"CARD_PLAYED\"?"),
        "{unknown}"
    );
    let beside = read(r#"{"type": "RULED", "suits": 1}"#);
    assert!(beside.starts_with("at /suits: unknown field"), "{beside}");
    assert_eq!(
        read(r#"{"type": "CARD_PLAYED", "player_id": 16, "step": 4}"#),
        "at /player_id: expected an integer from 0 to 15, found 16\n\
         at /step: expected an integer from 0 to 3, found 4"
    );
    assert!(read(r#"{"type": "ALL_GONE", "step": 1}"#).contains("/step"));
}

#[test]
fn names_are_those_of_the_documents() {
    assert_eq!(Suit::NAMES, ["clubs", "fine_diamonds", "love"]);
    assert_eq!(Suit::ALL.map(Suit::name), Suit::NAMES);
    assert_eq!(Event::NAMES, ["ALL_GONE", "CARD_PLAYED", "RULED"]);
    assert_eq!(Event::Ruled(Rules::default()).name(), "RULED");
}

#[test]
fn the_schema_has_the_same_names_and_bounds() {
    let schema = kernel::schema::of_read::<Card>().to_value();
    let at = |pointer: &str| schema.pointer(pointer).cloned().unwrap_or_default();
    assert_eq!(at("/properties/rank/maximum"), 13);
    assert_eq!(at("/properties/marks/maxItems"), 2);
    assert_eq!(
        at("/required"),
        serde_json::json!(["rank", "mainSuit", "type"])
    );
    assert_eq!(at("/additionalProperties"), false);
    let suits = schema_for!(Suit).to_value();
    for name in Suit::NAMES {
        assert!(suits.to_string().contains(&format!("{name:?}")), "{suits}");
    }
}
