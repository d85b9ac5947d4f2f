//! Properties of edits and values that hold for every document.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::edit::read_all;
use super::scan::Scanner;
use super::text::{edits_between, value_text};
use crate::doc::Faults;
use crate::json::{Json, read};

proptest! {
    #[test]
    fn every_value_reads_back(value in values()) {
        let text = value_text(&value);
        prop_assert_eq!(Scanner::new(&text).last_value(), Ok(value), "{}", text);
    }

    #[test]
    fn edits_turn_one_document_into_the_other(from in objects(values()), to in objects(values())) {
        let text = edits_between(&from, &to);
        prop_assert_eq!(edited(from, &text), Ok(to), "{}", text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[a-c0-2=+.,:\"\\\\\\[\\]{} -]{0,24}") {
        let document = read(br#"{"a": {"b": [1, {"c": 2}]}, "c": 1}"#).unwrap();
        let _ = edited(document, &text);
    }
}

fn edited(mut document: Json, text: &str) -> Result<Json, String> {
    let mut faults = Faults::default();
    for edit in read_all(text, &mut faults) {
        edit.apply(&mut document, &mut faults);
    }
    faults
        .into_result(Some(document))
        .map_err(|it| it.to_string())
}

fn values() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<i64>().prop_map(|int| Json::Int(int.into())),
        texts().prop_map(Json::Text),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::List),
            objects(inner),
        ]
    })
}

fn objects(inner: impl Strategy<Value = Json>) -> impl Strategy<Value = Json> {
    let entries = prop::collection::vec((texts(), inner), 0..5);
    entries.prop_map(|entries| Json::Object(entries.into_iter().collect::<BTreeMap<_, _>>()))
}

/// Mostly short texts that resemble other parts of the notation.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ab]",
        "[a0:._=+\" ,\\[{-]{0,3}",
        prop::sample::select(vec!["absent", "null", "true", "-1", "0.5", "1e3"])
            .prop_map(str::to_owned),
        any::<String>(),
    ]
}
