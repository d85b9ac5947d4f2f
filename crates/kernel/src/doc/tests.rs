//! Each test feeds in a document and compares the faults.

use super::{Faults, Node};
use crate::json::{Json, read};

fn check<T: std::fmt::Debug>(text: &str, reader: fn(Node<'_>, &mut Faults) -> T) -> String {
    let json = read(text.as_bytes()).unwrap();
    let mut faults = Faults::default();
    let value = reader(Node::root(&json), &mut faults);
    match faults.is_empty() {
        true => format!("{value:?}"),
        false => faults.to_string(),
    }
}

#[test]
fn pointers_escape_their_steps() {
    let faults = check(r#"{"a/b": {"~": [0, [1]]}}"#, |node, faults| {
        node.field("a/b").field("~").item(1).item(0).text(faults);
        node.field("a/b").field("~").item(1).item(5).text(faults);
        node.bool(faults);
    });
    assert_eq!(
        faults,
        "at /a~1b/~0/1/0: expected a string, found 1\n\
         at /a~1b/~0/1/5: expected a string, found nothing\n\
         at the document: expected true or false, found an object"
    );
}

#[test]
fn a_missing_value_is_reported_once() {
    let faults = check(r#"{"n": 5}"#, |node, faults| {
        for place in [node.field("gone"), node.field("n")] {
            place.field("a").int_in(0..=3, faults);
            place.field("b").field("c").text(faults);
            place.only_fields(&["a", "b"], faults);
        }
    });
    assert!(faults.starts_with(
        "at /gone: expected an object, found nothing\nat /n: expected an object, found 5"
    ));
    assert_eq!(faults.lines().count(), 2, "{faults}");
}

#[test]
fn a_whole_number_with_a_decimal_point_is_shown_as_written() {
    let reader = |node: Node<'_>, faults: &mut Faults| node.int_in(0..=1, faults);
    assert_eq!(
        check("1.0", reader),
        "at the document: expected an integer from 0 to 1, found 1.0"
    );
}

#[test]
fn large_integers_are_read_from_integers_and_text() {
    let reader = |node: Node<'_>, faults: &mut Faults| node.u64_text(faults);
    assert_eq!(check("7", reader), "Some(7)");
    assert_eq!(
        check("\"18446744073709551615\"", reader),
        "Some(18446744073709551615)"
    );
    for bad in [
        "-1",
        "\"18446744073709551616\"",
        "1.5",
        "\"07\"",
        "\"+7\"",
        "\"\"",
    ] {
        let faults = check(bad, reader);
        assert!(
            faults.contains("expected an integer from 0 to 2^64 - 1"),
            "{faults}"
        );
    }
}

#[test]
fn null_and_missing_are_distinguished() {
    let null_or = |node: Node<'_>, faults: &mut Faults| node.field("a").null_or(faults, Node::bool);
    assert_eq!(check(r#"{"a": null}"#, null_or), "Some(None)");
    assert_eq!(check(r#"{"a": true}"#, null_or), "Some(Some(true))");
    assert_eq!(
        check("{}", null_or),
        "at /a: expected true or false, found nothing"
    );
    let optional =
        |node: Node<'_>, faults: &mut Faults| node.field("a").optional(faults, Node::bool);
    assert_eq!(check("{}", optional), "Some(None)");
    assert_eq!(check(r#"{"a": null}"#, optional), "Some(None)");
    assert_eq!(check(r#"{"a": true}"#, optional), "Some(Some(true))");
    assert_eq!(
        check(r#"{"a": 1}"#, optional),
        "at /a: expected true or false, found 1"
    );
}

#[test]
fn a_name_that_is_nearly_right_gets_a_hint() {
    let reader =
        |node: Node<'_>, faults: &mut Faults| node.one_of(&["lumber", "brick", "ore"], faults);
    assert_eq!(check("\"brick\"", reader), "Some(1)");
    assert_eq!(
        check("\"Lumbr\"", reader),
        "at the document: expected one of \"lumber\", \"brick\", \"ore\", found \"Lumbr\"; \
         did you mean \"lumber\"?"
    );
}

#[test]
fn a_hint_allows_a_third_of_the_letters_or_one_to_be_wrong() {
    let hint = |text: &str| {
        let faults = check(text, |node, faults| node.one_of(&["lumber", "ore"], faults));
        faults.split_once("did you mean ").map(|it| it.1.to_owned())
    };
    assert_eq!(hint("\"lmbr\"").as_deref(), Some("\"lumber\"?"));
    assert_eq!(hint("\"lmb\""), None);
    assert_eq!(hint("\"or\"").as_deref(), Some("\"ore\"?"));
    assert_eq!(hint("\"o\""), None);
}

#[test]
fn a_hundred_faults_are_kept_and_the_rest_counted() {
    let json = Json::List(vec![Json::Int(0); 1000]);
    let mut faults = Faults::default();
    for item in Node::root(&json).list(&mut faults).unwrap() {
        item.field("x").text(&mut faults);
    }
    assert_eq!((faults.iter().count(), faults.len()), (100, 1000));
    assert!(faults.to_string().ends_with("\nand 900 more"));
}

#[test]
fn long_values_are_cut_in_messages() {
    let long = format!("\"{}\"", "x".repeat(10_000));
    let faults = check(&long, |node, faults| node.int_in(0..=1, faults));
    assert!(faults.len() < 200, "{faults}");
}
