//! Properties of canonical JSON and its reader that hold for every input.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use std::collections::BTreeMap;

use kernel::json::{Json, from_value, read, to_canonical, write_canonical};
use proptest::prelude::*;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

proptest! {
    #[test]
    fn canonical_bytes_are_a_fixed_point(document in documents()) {
        let bytes = to_canonical(&document).unwrap();
        prop_assert_eq!(&read(&bytes).unwrap(), &document);
        prop_assert_eq!(to_canonical(&read(&bytes).unwrap()).unwrap(), bytes.clone());
        let other: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        prop_assert_eq!(to_canonical(&other).unwrap(), bytes);
    }

    #[test]
    fn entries_in_any_order_give_the_same_bytes(
        entries in prop::collection::btree_map(any::<String>(), any::<u8>(), 0..80),
        order in any::<u64>(),
    ) {
        let sorted = to_canonical(&entries).unwrap();
        let mut mixed: Vec<_> = entries.into_iter().collect();
        mixed.sort_by_key(|(key, value)| (key.len() as u64 ^ u64::from(*value)).wrapping_mul(order));
        prop_assert_eq!(to_canonical(&InOrder(mixed)).unwrap(), sorted);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes);
    }

    #[test]
    fn any_near_json_is_read_as_serde_json_reads_it(text in "[\\[\\]{}:,\"\\\\u0aefd1-9. -]{0,24}") {
        let ours = read(text.as_bytes());
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        // serde_json keeps the last of equal keys and refuses numbers too large for a float.
        let ours_stricter = matches!(&ours, Err(error) if error.message.contains("same key"));
        let theirs_stricter = matches!(&theirs, Err(error) if error.to_string().contains("out of range"));
        prop_assert!(ours_stricter || theirs_stricter || ours.is_ok() == theirs.is_ok(), "{text}");
    }
}

#[test]
fn anything_but_strict_json_is_refused_with_its_place() {
    let cases = [
        (
            "",
            "line 1, column 1: expected a value, found the end of the text",
        ),
        (
            "{\"a\": 1,\n \"a\": 2}",
            "line 2, column 2: this object already has the same key",
        ),
        (
            "[1] x",
            "line 1, column 5: expected nothing after the document, found 'x'",
        ),
        (
            r#"["é\ud800"]"#,
            "line 1, column 4: half of a surrogate pair is not a character",
        ),
        (
            r#""\udc00\ud800""#,
            "line 1, column 2: half of a surrogate pair is not a character",
        ),
        (
            "[01]",
            "line 1, column 3: a number must not have a leading zero, found '1'",
        ),
        ("[1,]", "line 1, column 4: expected a value, found ']'"),
        (
            "{a: 1}",
            "line 1, column 2: expected a key in double quotes, found 'a'",
        ),
        (
            "\"\t\"",
            "line 1, column 2: a control character must be escaped, found '\\t'",
        ),
        ("NaN", "line 1, column 1: expected a value, found 'N'"),
        (
            "1.",
            "line 1, column 3: expected a digit after the decimal point, found the end of the text",
        ),
        (
            "\u{feff}{}",
            "line 1, column 1: expected a value, found '\\u{feff}'",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), message);
    }
    let error = read(b"[\"\xff\"]").unwrap_err();
    assert_eq!(error.to_string(), "line 1, column 3: this is not UTF-8");
}

#[test]
fn sixty_four_levels_are_read_and_written_and_no_more() {
    let nested = |n: usize| "[".repeat(n) + &"]".repeat(n);
    let deepest = read(nested(64).as_bytes()).unwrap();
    assert_eq!(to_canonical(&deepest).unwrap(), nested(64).as_bytes());
    assert!(read(nested(65).as_bytes()).is_err());
    assert!(read(nested(1_000_000).as_bytes()).is_err());
    assert!(to_canonical(&Json::List(vec![deepest])).is_err());
}

fn real(text: &str) -> Json {
    Json::Real(text.parse().unwrap())
}

#[test]
fn numbers_are_64_bit_integers_or_real() {
    assert_eq!(read(b"-0").unwrap(), Json::Int(0));
    assert_eq!(
        read(b"18446744073709551615").unwrap(),
        Json::Int(u64::MAX.into())
    );
    assert_eq!(
        read(b"-9223372036854775808").unwrap(),
        Json::Int(i64::MIN.into())
    );
    assert_eq!(
        read(b"18446744073709551616").unwrap(),
        real("18446744073709551616")
    );
    assert_eq!(read(b"1.0").unwrap(), real("1.0"));
    assert_eq!(read(b"1e400").unwrap(), real("1e400"));
    assert_ne!(read(b"0.5").unwrap(), read(b"0.50000000000000001").unwrap());
}

#[test]
fn a_refusal_names_its_place_and_leaves_the_buffer_alone() {
    #[derive(Serialize)]
    enum Shape {
        Pair(u8, Inner),
    }
    #[derive(Serialize)]
    struct Inner {
        z: u8,
        #[serde(rename = "a/b")]
        a: BTreeMap<String, Vec<f64>>,
    }
    let a = BTreeMap::from([("~".to_owned(), vec![0.5])]);
    let mut out = b"kept".to_vec();
    let error = write_canonical(&Shape::Pair(1, Inner { z: 0, a }), &mut out).unwrap_err();
    assert_eq!(
        error.to_string(),
        "at /Pair/1/a~1b/~0/0: a document must not contain floats, found 0.5"
    );
    assert_eq!(out, b"kept");
    let twice = InOrder(vec![
        ("b".to_owned(), 1),
        ("a".to_owned(), 2),
        ("b".to_owned(), 3),
    ]);
    let error = to_canonical(&twice).unwrap_err();
    assert_eq!(
        error.to_string(),
        "at the document: the key \"b\" is written twice"
    );
    let keys = BTreeMap::from([(true, 1)]);
    assert!(to_canonical(&keys).is_err());
    assert!(to_canonical(&u128::MAX).is_err());
}

#[test]
fn enums_options_and_integer_keys_are_written_as_serde_json_writes_them() {
    #[derive(Serialize)]
    enum Shape {
        Unit,
        One(u8),
        Two(u8, i8),
        Named { z: Option<u8>, a: char },
    }
    let shapes = (
        Shape::Unit,
        Shape::One(1),
        Shape::Two(1, -2),
        Shape::Named { z: None, a: 'é' },
        BTreeMap::from([(9, ()), (10, ())]),
        (),
    );
    let expected = r#"["Unit", {"One": 1}, {"Two": [1, -2]}, {"Named": {"a": "\u00e9", "z": null}}, {"10": null, "9": null}, null]"#;
    assert_eq!(
        String::from_utf8(to_canonical(&shapes).unwrap()).unwrap(),
        expected
    );
    let through = serde_json::to_value(&shapes).unwrap();
    assert_eq!(from_value(&through).unwrap(), from_value(&shapes).unwrap());
}

#[test]
fn sorted_and_small_values_need_only_a_large_enough_buffer() {
    #[derive(Serialize)]
    struct Sorted {
        list: [u32; 8],
        name: &'static str,
        number: i64,
    }
    let value = [const {
        Sorted {
            list: [7; 8],
            name: "né\"",
            number: -5,
        }
    }; 20];
    let mut out = Vec::with_capacity(10_000);
    let counted = allocation_counter::measure(|| write_canonical(&value, &mut out).unwrap());
    assert_eq!(counted.count_total, 0);
}

/// An object whose keys are in the order of the list.
struct InOrder(Vec<(String, u8)>);

impl Serialize for InOrder {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

fn documents() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<i64>().prop_map(|int| Json::Int(int.into())),
        any::<u64>().prop_map(|int| Json::Int(int.into())),
        any::<String>().prop_map(Json::Text),
    ];
    leaf.prop_recursive(5, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Json::List),
            prop::collection::btree_map(any::<String>(), inner, 0..8).prop_map(Json::Object),
        ]
    })
}
