//! The JSON Schema and the validator agree on everything but the references between the parts of a
//! document.

use std::sync::LazyLock;

use kernel::json::Json;
use proptest::prelude::*;
use stellar::scenario::{self, Severity};

use crate::documents::{any_json, places, put, table};

/// The errors of a document by the schema, and by the validator for reasons that a schema can
/// express.
pub(crate) fn refusals(document: &Json) -> (Vec<String>, Vec<String>) {
    let value = serde_json::to_value(document).unwrap();
    let by_schema = VALIDATOR.iter_errors(&value).map(|it| it.to_string());
    let report = scenario::examine(document);
    let errors = (report.findings.iter()).filter(|it| it.severity == Severity::Error);
    let by_shape = errors.filter(|it| !CROSS_REFERENCES.contains(&it.code));
    (
        by_schema.collect(),
        by_shape.map(ToString::to_string).collect(),
    )
}

/// Faults between the parts of a document, which a schema cannot detect.
const CROSS_REFERENCES: [&str; 11] = [
    "duplicate_id",
    "duplicate_name",
    "nobody_playable",
    "reserved_id",
    "shares_exceed_one",
    "symmetry_factions",
    "symmetry_uneven",
    "too_few_systems",
    "too_many",
    "unknown_faction",
    "unknown_system",
];

/// Values at and next to every bound.
fn near_a_bound() -> impl Strategy<Value = Json> {
    let ints = [
        -100_001,
        -100_000,
        -1,
        0,
        1,
        2,
        3,
        5,
        6,
        1000,
        20_000,
        20_001,
        100_000,
        100_001,
        2_147_483_647,
        2_147_483_648,
        4_294_967_295,
        4_294_967_296,
    ];
    let reals = [
        -100_000.000_1,
        -0.5,
        -0.0,
        5e-324,
        1e-12,
        0.000_4,
        0.000_9,
        0.001,
        0.001_4,
        0.5,
        0.999_9,
        0.333_333_333_333_333_3,
        1.0,
        1.000_000_1,
        5.0,
        5.5,
        100_000.0,
        100_000.000_1,
        1e300,
    ];
    let words = [
        "",
        " ",
        "\u{85}",
        "\u{feff}",
        "a",
        "blue",
        "red",
        "core",
        "sys-0002",
        "#12ab3F",
        "#12ab3",
        "solid",
        "ring",
        "none",
        "cruiser",
        "random",
        "draw",
        "mirror",
        "rotational",
        "fair",
    ];
    let lengths = [64, 65, 120, 121, 4000, 4001];
    prop_oneof![
        prop::sample::select(ints.to_vec()).prop_map(Json::Int),
        prop::sample::select(reals.to_vec()).prop_map(|it| Json::Real(it.into())),
        prop::sample::select(words.to_vec()).prop_map(|it| Json::Text(it.to_owned())),
        prop::sample::select(lengths.to_vec()).prop_map(|n| Json::Text("é".repeat(n))),
    ]
}

#[derive(Clone, Debug)]
pub(crate) enum Change {
    Put(Json),
    Remove,
    /// Repeats the first item of a list this many times.
    Repeat(usize),
    /// Adds an unknown field to an object.
    Stray,
}

pub(crate) fn any_change() -> impl Strategy<Value = Change> {
    let repeats = vec![0, 1, 2, 8, 9, 16, 17, 32, 33];
    prop_oneof![
        4 => near_a_bound().prop_map(Change::Put),
        2 => any_json().prop_map(Change::Put),
        2 => Just(Change::Remove),
        1 => prop::sample::select(repeats).prop_map(Change::Repeat),
        1 => Just(Change::Stray),
    ]
}

fn apply(change: Change, document: &mut Json, pointer: &str) {
    let here = document.pointer(pointer).cloned();
    let value = match (change, here) {
        (Change::Put(value), _) => Some(value),
        (Change::Repeat(n), Some(Json::List(items))) if !items.is_empty() => {
            Some(Json::List(vec![items[0].clone(); n]))
        }
        (Change::Stray, Some(Json::Object(mut fields))) => {
            fields.insert("stray".to_owned(), Json::Int(1));
            Some(Json::Object(fields))
        }
        (Change::Remove, _) => None,
        _ => return,
    };
    if value.is_some() || !pointer.is_empty() {
        put(document, pointer, value);
    }
}

/// Applies a change at one of the values of a document.
pub(crate) fn apply_somewhere(change: Change, document: &mut Json, place: &prop::sample::Index) {
    let mut all = Vec::new();
    places(document, "", &mut all);
    let pointer = place.get(&all).clone();
    apply(change, document, &pointer);
}

static VALIDATOR: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let schema = serde_json::to_value(scenario::schema()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
});
static FULL: LazyLock<Json> = LazyLock::new(full);

#[test]
fn the_full_document_is_valid_by_the_schema_and_the_validator() {
    assert!(VALIDATOR.is_valid(&serde_json::to_value(&*FULL).unwrap()));
    assert!(scenario::examine(&FULL).scenario.is_some());
}

/// A valid document of the current shape in which every optional field is given.
fn full() -> Json {
    let (mut base, _) = table();
    let body = Json::object([
        ("id", Json::Text("rock".into())),
        ("name", Json::Text("Rock".into())),
        ("bodyType", Json::Text("moon".into())),
        ("class", Json::Text("solid".into())),
        ("size", Json::Real(0.5.into())),
        ("ownerFactionId", Json::Text("red".into())),
    ]);
    let place = |n: i128| Json::object(["x", "y", "z"].map(|it| (it, Json::Int(n))));
    for (pointer, value) in [
        ("/generation/fixedSeed", Json::Int(7)),
        ("/generation/symmetry", Json::Text("none".into())),
        ("/generation/homes", Json::Text("fair".into())),
        ("/generation/staticSystems/0/planets/0", body),
        (
            "/setup/territoryAllocation/contiguity",
            Json::Text("clustered".into()),
        ),
        ("/setup/initialFleets/1/spawnLocation", place(3)),
        ("/rules/unlimitedFuel", Json::Bool(true)),
        ("/rules/supply", Json::Bool(false)),
    ] {
        put(&mut base, pointer, Some(value));
    }
    base
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6000))]
    #[test]
// Promise: The scenario schema and the validator agree.
    fn the_schema_and_the_validator_agree(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any_change()), 1..3),
    ) {
        let mut document = FULL.clone();
        for (place, change) in changes {
            apply_somewhere(change, &mut document, &place);
        }
        let (by_schema, by_shape) = refusals(&document);
        prop_assert_eq!(
            by_schema.is_empty(), by_shape.is_empty(), "{:?} {:?} in {}", by_schema, by_shape, document
        );
    }
}
