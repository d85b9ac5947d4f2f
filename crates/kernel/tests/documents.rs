//! One declaration of a type writes, reads and describes its document.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use std::collections::BTreeMap;

use kernel::doc::{self, Document, Faults, Named, Names, Node, Object, Variants, given};
use kernel::json;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema, Document, Names,
)]
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
            faults.at(&node.field("rank"), "contradiction", "no such card exists");
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

#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema, Document, Names)]
#[serde(tag = "type", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
enum Entry {
    AllPassed {},
    Pair(Pair),
    CardPlayed {
        #[schemars(range(max = 3))]
        step: u8,
        suit: Suit,
    },
}

#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "snake_case")]
enum Chair {
    Host,
    AnyGuest,
    Bot(String),
    Pairs { pairs: Vec<Pair> },
}

#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema, Document)]
#[schemars(rename = "Boxed")]
struct Boxed<T: Document> {
    at: u64,
    inside: T,
}

#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema, Document)]
#[serde(
    tag = "type",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
enum Order {
    SailAway {
        #[serde(default = "three")]
        n_days: u8,
        with_crew: bool,
    },
}

fn three() -> u8 {
    3
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
fn variants_with_separate_content_are_read_as_they_were_written() {
    let played = Entry::CardPlayed {
        step: 3,
        suit: Suit::Hearts,
    };
    assert_eq!(
        written(&played),
        r#"{"payload": {"step": 3, "suit": "love"}, "type": "CARD_PLAYED"}"#
    );
    assert_eq!(
        written(&Entry::AllPassed {}),
        r#"{"payload": {}, "type": "ALL_PASSED"}"#
    );
    for entry in [
        played.clone(),
        Entry::AllPassed {},
        Entry::Pair(Pair::from([3, 4])),
    ] {
        assert_eq!(read(&written(&entry)), Ok(entry));
    }
    let json = json::read(br#"{"step": 3, "suit": "love"}"#).unwrap();
    let (mut faults, node) = (Faults::default(), Node::root(&json));
    assert_eq!(Entry::read_variant(2, &node, &mut faults), Some(played));
    assert!(faults.is_empty() && Entry::CONTENT == "payload");
    assert_eq!(
        read::<Entry>(r#"{"type": "CARD_PLAYED", "payload": {"step": 4, "suit": 1}, "by": 0}"#)
            .unwrap_err(),
        "at /by: unknown field \"by\"; the fields are type, payload\n\
         at /payload/step: expected an integer from 0 to 3, found 4\n\
         at /payload/suit: expected one of \"clubs\", \"fine_diamonds\", \"love\", found 1"
    );
    let more = read::<Entry>(r#"{"type": "ALL_PASSED", "payload": {"step": 1}}"#).unwrap_err();
    assert!(
        more.starts_with("at /payload/step: unknown field"),
        "{more}"
    );
}

#[test]
fn a_variant_is_its_name_or_the_one_key_of_an_object() {
    let all = [
        (r#""host""#, Chair::Host),
        (r#""any_guest""#, Chair::AnyGuest),
        (r#"{"bot": "random"}"#, Chair::Bot("random".to_owned())),
        (
            r#"{"pairs": {"pairs": [[1, 2]]}}"#,
            Chair::Pairs {
                pairs: vec![Pair::from([1, 2])],
            },
        ),
    ];
    for (text, chair) in all {
        assert_eq!(written(&chair), text);
        assert_eq!(read(text), Ok(chair));
    }
    let refused = |text: &str| read::<Chair>(text).unwrap_err();
    let expected = "expected one of \"host\", \"any_guest\", or an object with one of \"bot\", \
                    \"pairs\" as its one key";
    assert_eq!(
        refused(r#""hos""#),
        format!("at the document: {expected}, found \"hos\"; did you mean \"host\"?")
    );
    for text in [r#"{"bot": "a", "host": 1}"#, r#"{"bott": "a"}"#, "7", "{}"] {
        let refused = refused(text);
        assert!(refused.contains(expected), "{text}: {refused}");
    }
    assert_eq!(
        refused(r#"{"bot": 7}"#),
        "at /bot: expected a string, found 7"
    );
}

#[test]
fn a_map_has_names_of_a_list_as_its_keys() {
    let counts = BTreeMap::from([(Suit::Clubs, 3_u8), (Suit::Hearts, 1)]);
    let text = written(&counts);
    assert_eq!(text, r#"{"clubs": 3, "love": 1}"#);
    assert_eq!(read(&text), Ok(counts));
    assert_eq!(
        read::<BTreeMap<Suit, u8>>(r#"{"clubs": 256, "loves": 1}"#).unwrap_err(),
        "at /loves: unknown field \"loves\"; did you mean \"love\"?\n\
         at /clubs: expected an integer from 0 to 255, found 256"
    );
    assert!(read::<BTreeMap<Suit, u8>>("[]").is_err());
}

#[test]
fn unsigned_64_bit_integers_are_read_up_to_their_maximum() {
    let boxed = Boxed {
        at: u64::MAX,
        inside: Suit::Clubs,
    };
    let text = r#"{"at": 18446744073709551615, "inside": "clubs"}"#;
    assert_eq!(read(text), Ok(boxed));
    let refused = read::<Boxed<Suit>>(r#"{"at": -1, "inside": "clubs"}"#).unwrap_err();
    assert_eq!(
        refused,
        "at /at: expected an integer of at least 0, found -1"
    );
}

#[test]
fn every_fault_is_reported_with_its_place() {
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
fn a_check_sees_the_entire_value() {
    let text = r#"{"rank": 1, "mainSuit": "love", "type": null}"#;
    let refused = read::<Card>(text).unwrap_err();
    assert_eq!(refused, "at /rank: no such card exists");
}

#[test]
fn omitted_fields_take_the_default_of_their_type() {
    assert_eq!(read("{}"), Ok(Rules::default()));
    let given = read::<Rules>(r#"{"suit": "love"}"#).unwrap();
    assert_eq!((given.suit, given.pairs), (Suit::Hearts, [1, 2]));
    assert!(read::<Rules>(r#"{"pairs": [1]}"#).is_err());
}

#[test]
fn fields_of_variants_have_their_own_case_and_defaults() {
    let order = Order::SailAway {
        n_days: 3,
        with_crew: true,
    };
    let text = r#"{"nDays": 3, "type": "sail_away", "withCrew": true}"#;
    assert_eq!(written(&order), text);
    assert_eq!(read(text), Ok(order.clone()));
    let left_out = r#"{"type": "sail_away", "withCrew": true}"#;
    assert_eq!(read(left_out), Ok(order));
    let wrong = read::<Order>(r#"{"type": "sail_away", "n_days": 4}"#).unwrap_err();
    assert_eq!(
        wrong,
        "at /n_days: unknown field \"n_days\"; did you mean \"nDays\"?\n\
         at /withCrew: expected true or false, found nothing"
    );
    let schema = schema_for!(Order);
    assert_eq!(
        schema.pointer("/oneOf/0/properties/nDays/default"),
        Some(&3.into())
    );
}

#[test]
fn variants_are_distinguished_by_their_tag() {
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
fn names_match_the_documents() {
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

/// A place on a map, written as two fields of its holder.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema, Document)]
#[serde(from = "PlaceFields", into = "PlaceFields")]
#[document(object)]
enum Place {
    Home(u8),
    Away { room: u8, since: u8 },
}

#[derive(Serialize, JsonSchema, Document)]
struct PlaceFields {
    room: u8,
    since: Option<u8>,
}

impl From<Place> for PlaceFields {
    fn from(place: Place) -> PlaceFields {
        let (room, since) = match place {
            Place::Home(room) => (room, None),
            Place::Away { room, since } => (room, Some(since)),
        };
        PlaceFields { room, since }
    }
}

impl From<PlaceFields> for Place {
    fn from(PlaceFields { room, since }: PlaceFields) -> Place {
        since.map_or(Place::Home(room), |since| Place::Away { room, since })
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema, Document)]
struct Guest {
    name: String,
    #[serde(flatten)]
    place: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<u8>,
    #[schemars(with = "Vec<Small>", length(max = 2))]
    lots: Vec<u8>,
}

/// A small number.
#[derive(JsonSchema, Document)]
#[serde(transparent)]
struct Small(#[schemars(range(max = 8))] u8);

#[test]
fn flattened_fields_are_mixed_with_the_others() {
    for text in [
        r#"{"lots": [2, 4], "name": "Ann", "room": 3, "since": null}"#,
        r#"{"lots": [], "name": "Bob", "room": 3, "since": 7, "table": 1}"#,
    ] {
        let guest: Guest = read(text).unwrap();
        assert_eq!(written(&guest), text);
    }
    assert_eq!(Guest::keys(), ["name", "table", "lots", "room", "since"]);
    let required = schema_for!(Guest).to_value()["required"].to_string();
    assert!(required.contains("room"), "{required}");
}

#[test]
fn a_fault_of_a_flattened_field_is_reported_once() {
    let faults = read::<Guest>(r#"{"lots": [], "name": "Ann", "rom": 3, "since": "x"}"#);
    assert_eq!(
        faults.unwrap_err(),
        "at /rom: unknown field \"rom\"; did you mean \"room\"?\n\
         at /room: expected an integer from 0 to 255, found nothing\n\
         at /since: expected an integer from 0 to 255, found \"x\""
    );
}

#[test]
fn a_field_that_is_skipped_if_absent_may_be_omitted_but_not_null() {
    let faults =
        read::<Guest>(r#"{"lots": [], "name": "A", "room": 1, "since": null, "table": null}"#);
    assert_eq!(
        faults.unwrap_err(),
        "at /table: expected an integer from 0 to 255, found null"
    );
}

#[test]
fn a_stand_in_reads_and_describes_a_field() {
    let guest: Guest = read(r#"{"lots": [3, 8], "name": "A", "room": 1, "since": null}"#).unwrap();
    assert_eq!(guest.lots, [3, 8]);
    let faults = read::<Guest>(r#"{"lots": [9, 1, 1], "name": "A", "room": 1, "since": null}"#);
    assert_eq!(
        faults.unwrap_err(),
        "at /lots: expected a list of at most 2, found a list of 3"
    );
    let schema = schema_for!(Guest).to_value();
    assert_eq!(
        schema.pointer("/$defs/Small/maximum"),
        Some(&8.into()),
        "{schema}"
    );
}

#[test]
fn a_value_that_differs_from_what_would_be_written_is_named() {
    let given = r#"{"id": 7, "list": [1, 2], "more": 1, "sizes": [1], "who": {"a": 1, "b": null}}"#;
    let written = r#"{"left_out": 0, "list": [1, 3], "sizes": [1, 2], "who": {"b": "x"}}"#;
    let [given, written] = [given, written].map(|it| json::read(it.as_bytes()).unwrap());
    let mut faults = Faults::default();
    Node::root(&given).must_repeat(&written, &["id"], &mut faults);
    assert_eq!(
        faults.to_string(),
        "at /list/1: the rest of the document gives 3, but here it says 2\n\
         at /more: expected no such field here\n\
         at /sizes: the rest of the document gives a list of 2, but here it says a list of 1\n\
         at /who/a: expected no such field here\n\
         at /who/b: the rest of the document gives \"x\", but here it says null"
    );
    let mut faults = Faults::default();
    Node::root(&written).must_repeat(&written, &[], &mut faults);
    assert!(faults.is_empty(), "{faults}");
}

#[derive(Clone, PartialEq, Debug, JsonSchema, Document)]
struct Note {
    #[schemars(length(min = 1, max = 3))]
    text: String,
    #[schemars(length(max = 2))]
    author: Option<String>,
}

#[test]
fn a_length_bounds_the_characters_of_a_string() {
    let note: Note = read(r#"{"author": null, "text": "äöü"}"#).unwrap();
    assert_eq!(note.text, "äöü");
    let faults = read::<Note>(r#"{"author": "Ann", "text": ""}"#);
    assert_eq!(
        faults.unwrap_err(),
        "at /text: expected a length of at least 1, found 0\n\
         at /author: expected at most 2 characters, found 3"
    );
}
