//! Every format stores the same document, and damage is refused.
//!
//! Promise: A snapshot is the same in every format, and a damaged file is refused.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use envelope::{Envelope, Format, msgpack};
use kernel::json::{self, Json};
use proptest::prelude::*;

fn documents() -> impl Strategy<Value = Json> {
    let ints = prop_oneof![
        any::<i64>().prop_map(i128::from),
        any::<u64>().prop_map(i128::from),
        any::<i8>().prop_map(i128::from),
        any::<i16>().prop_map(i128::from),
    ];
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        ints.prop_map(Json::Int),
        ".{0,40}".prop_map(Json::Text),
        "[a-z]{250,300}".prop_map(Json::Text),
    ];
    leaf.prop_recursive(4, 80, 20, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..20).prop_map(Json::List),
            prop::collection::btree_map(".{0,6}", inner, 0..20).prop_map(Json::Object),
        ]
    })
}

fn sample() -> Envelope {
    let text = br#"{"log": [{"action_id": 1}], "players": [{"name": "\u00c9mile"}],
        "rng_state": {"state": [3, [2147483648, 0, 18446744073709551615], null]}, "turn": -7}"#;
    Envelope::new("catan", json::read(text).unwrap())
}

proptest! {
    #[test]
    fn every_format_preserves_the_document_and_its_hash(document in documents()) {
        let envelope = Envelope::new("catan", document);
        let hash = envelope.state_hash().unwrap();
        for format in Format::ALL {
            let bytes = envelope.write(format).unwrap();
            let (found, read) = Envelope::read(&bytes).unwrap();
            prop_assert_eq!(found, format);
            prop_assert_eq!(read.state_hash().unwrap(), hash);
            prop_assert_eq!(&read, &envelope);
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Envelope::read(&bytes);
        let _ = msgpack::read(&bytes);
        let _ = Envelope::read(&[b"PK".as_slice(), &bytes].concat());
    }
}

#[test]
fn zeros_at_the_end_of_a_string_are_kept() {
    for (game, text) in [("catan", "\0"), ("catan", "a\0\0"), ("orcain\0", "")] {
        let envelope = Envelope::new(game, Json::Text(text.to_owned()));
        for format in Format::ALL {
            let bytes = envelope.write(format).unwrap();
            assert_eq!(Envelope::read(&bytes).unwrap(), (format, envelope.clone()));
        }
    }
}

#[test]
fn a_changed_byte_is_refused_or_changes_nothing() {
    let envelope = sample();
    for format in Format::ALL {
        let bytes = envelope.write(format).unwrap();
        for idx in 0..bytes.len() {
            for flip in [1, 0x80] {
                let mut damaged = bytes.clone();
                damaged[idx] ^= flip;
                if let Ok((_, read)) = Envelope::read(&damaged) {
                    // The game's name and the log are not in the hash.
                    assert_eq!(read.state_hash(), envelope.state_hash(), "{format:?} {idx}");
                }
            }
        }
    }
}

#[test]
fn a_truncated_envelope_is_refused() {
    for format in Format::ALL {
        let bytes = sample().write(format).unwrap();
        for len in 0..bytes.len() {
            assert!(Envelope::read(&bytes[..len]).is_err(), "{format:?} {len}");
        }
    }
}

#[test]
fn every_fault_is_reported_at_once() {
    let text = br#"{"compressed": true, "format": "npz", "game": 7, "more": 1,
        "snapshot": {"turn": 1}, "state_hash": "sha256:0"}"#;
    let faults = Envelope::read(text).unwrap_err();
    let places: Vec<&str> = faults.iter().map(|it| it.pointer.as_str()).collect();
    for place in ["/compressed", "/format", "/game", "/more"] {
        assert!(places.contains(&place), "{place} is not among {places:?}");
    }
    let text = br#"{"compressed": false, "format": "json", "game": "catan",
        "snapshot": {"turn": 1}, "state_hash": "sha256:0"}"#;
    let faults = Envelope::read(text).unwrap_err();
    assert!(
        faults
            .to_string()
            .contains("the snapshot's hash is sha256:"),
        "{faults}"
    );
}

#[test]
fn the_log_is_history_and_not_in_the_hash() {
    let envelope = sample();
    let mut fields = envelope.snapshot().as_object().unwrap().clone();
    fields.remove("log");
    let bare = Envelope::new("catan", Json::Object(fields));
    assert_eq!(bare.state_hash(), envelope.state_hash());
    assert_ne!(bare, envelope);
}

#[test]
fn numbers_have_their_shortest_form() {
    let cases: [(i128, usize); 12] = [
        (0, 1),
        (127, 1),
        (-32, 1),
        (128, 2),
        (-33, 2),
        (255, 2),
        (256, 3),
        (-129, 3),
        (65_536, 5),
        (-32_769, 5),
        (1 << 32, 9),
        (i128::from(u64::MAX), 9),
    ];
    for (int, len) in cases {
        let bytes = msgpack::write(&Json::Int(int));
        assert_eq!(bytes.len(), len, "{int}");
        assert_eq!(msgpack::read(&bytes), Ok(Json::Int(int)));
    }
}
