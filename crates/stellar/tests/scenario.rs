//! Scenario documents: valid, with warnings, refused, upgraded, mutated.
//!
//! Promise: An invalid scenario is refused with every fault and its location.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::sync::LazyLock;

use kernel::json::{self, Json};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Game, GameExt, Observe, Recorded, doc};
use proptest::prelude::*;
use stellar::scenario::{self, Dialect, Severity};
use stellar::{Setup, Stellar};

const TABLE: &str = include_str!("../../../testdata/stellar/scenarios.json");

fn table() -> (Json, Vec<Json>) {
    let table = json::read(TABLE.as_bytes()).unwrap();
    let cases = table.get("cases").unwrap().as_list().unwrap().to_vec();
    (table.get("base").unwrap().clone(), cases)
}

/// Sets or removes the value at a pointer.
fn put(document: &mut Json, pointer: &str, value: Option<Json>) {
    let Some((parent, key)) = pointer.rsplit_once('/') else {
        *document = value.unwrap();
        return;
    };
    let mut place = document;
    for step in parent.split('/').skip(1) {
        place = match place {
            Json::Object(fields) => fields.get_mut(step).unwrap(),
            Json::List(items) => &mut items[step.parse::<usize>().unwrap()],
            _ => panic!("{pointer}"),
        };
    }
    match (place, value) {
        (Json::Object(fields), Some(value)) => drop(fields.insert(key.to_owned(), value)),
        (Json::Object(fields), None) => drop(fields.remove(key)),
        (Json::List(items), Some(value)) => items[key.parse::<usize>().unwrap()] = value,
        (Json::List(items), None) => drop(items.remove(key.parse().unwrap())),
        _ => panic!("{pointer}"),
    }
}

fn document(base: &Json, case: &Json) -> Json {
    let mut document = base.clone();
    for pointer in case.get("remove").unwrap().as_list().unwrap() {
        put(&mut document, pointer.as_text().unwrap(), None);
    }
    for (pointer, value) in case.get("set").unwrap().as_object().unwrap() {
        put(&mut document, pointer, Some(value.clone()));
    }
    document
}

#[test]
fn every_document_in_the_table_has_the_expected_findings() {
    let (base, cases) = table();
    let mut wrong = Vec::new();
    for case in &cases {
        let name = case.get("name").unwrap().as_text().unwrap();
        let document = document(&base, case);
        let report = scenario::examine(&document);
        let found: Vec<String> = report
            .findings
            .iter()
            .map(|it| format!("{}:{} {}", it.severity.name(), it.code, it.pointer))
            .collect();
        let wanted: Vec<&str> = case
            .get("findings")
            .unwrap()
            .as_list()
            .unwrap()
            .iter()
            .map(|it| it.as_text().unwrap())
            .collect();
        let refused = wanted.iter().any(|it| it.starts_with("error"));
        if found != wanted || report.scenario.is_none() != refused {
            wrong.push(format!("{name}: wanted {wanted:?}, found {found:?}"));
        }
    }
    assert!(cases.len() >= 60, "{} documents", cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_scenario_round_trips_in_both_dialects() {
    let (base, cases) = table();
    for case in &cases {
        let Some(first) = scenario::examine(&document(&base, case)).scenario else {
            continue;
        };
        let file = first.document(Dialect::File);
        let again = scenario::examine(&file).scenario.unwrap();
        assert_eq!(first, again);
        assert_eq!(again.document(Dialect::File), file);
        let canonical = first.document(Dialect::Canonical);
        assert!(json::to_canonical(&canonical).is_ok(), "no floats");
    }
}

#[test]
fn valid_documents_are_valid_by_the_schema_and_refused_shapes_are_not() {
    let schema = serde_json::to_value(scenario::schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let (base, cases) = table();
    let mut n_refused = 0;
    for case in &cases {
        let document = document(&base, case);
        let value: serde_json::Value = serde_json::to_value(&document).unwrap();
        let report = scenario::examine(&document);
        let older = report.codes().iter().any(|it| it.contains("upgraded"));
        if report.scenario.is_some() && !older {
            let errors: Vec<String> = validator
                .iter_errors(&value)
                .map(|it| it.to_string())
                .collect();
            assert!(errors.is_empty(), "{case}: {errors:?}");
        }
        n_refused += u32::from(!validator.is_valid(&value));
    }
    assert!(n_refused > 30, "the schema refuses {n_refused}");
}

#[test]
fn an_upgraded_document_is_of_the_current_shape() {
    let (base, cases) = table();
    let case = cases
        .iter()
        .find(|it| it.get("name").unwrap().as_text() == Some("the older shape"));
    let upgraded = scenario::upgrade(&document(&base, case.unwrap()));
    assert!(upgraded.changed);
    let current = upgraded.document.unwrap();
    assert_eq!(
        current.pointer("/objectives/victory/1/percentage"),
        Some(&Json::Real(0.65))
    );
    assert_eq!(
        current.pointer("/objectives/constraints/maxTurns"),
        Some(&Json::Int(40))
    );
    let again = scenario::upgrade(&current);
    assert!(!again.changed && again.findings.is_empty());
    assert!(scenario::examine(&current).findings.is_empty());
}

#[test]
fn a_setup_can_be_read_in_every_form_and_records_use_one() {
    let (base, _) = table();
    let scenario = scenario::examine(&base).scenario.unwrap();
    let wanted = Setup::new(scenario, 0).unwrap();
    let canonical = json::from_value(&wanted).unwrap();
    let around = Json::object([("scenario", base.clone())]);
    for form in [&base, &around, &canonical] {
        let read = Stellar::read_setup(form).unwrap();
        assert_eq!(read, wanted);
        assert_eq!(json::from_value(&read).unwrap(), canonical);
    }
    assert!(doc::parse::<Setup>(&canonical).is_ok());
    assert!(
        doc::parse::<Setup>(&around).is_err(),
        "records use one spelling"
    );
    let named = Stellar::read_setup(&Json::Text("skirmish".to_owned()));
    assert_eq!(named.unwrap(), Setup::default());
}

#[test]
fn faults_in_a_setup_are_reported_with_their_pointers() {
    let (mut base, _) = table();
    put(&mut base, "/rules/fogOfWar", Some(Json::Int(1)));
    let places = |document: &Json| -> Vec<String> {
        let faults = Stellar::read_setup(document).unwrap_err();
        faults.iter().map(|it| it.pointer.clone()).collect()
    };
    assert_eq!(places(&base), ["/rules/fogOfWar"]);
    let around = Json::object([("scenario", base.clone()), ("seed", Json::Int(-1))]);
    assert_eq!(places(&around), ["/scenario/rules/fogOfWar", "/seed"]);
    assert_eq!(places(&Json::object([])), ["/scenario"]);
    assert_eq!(places(&Json::Text("skirmisch".to_owned())), [""]);
    assert_eq!(places(&Json::Int(3)), [""]);
}

#[test]
fn a_galaxy_is_drawn_for_each_match_unless_one_is_chosen() {
    let read = |document: &Json| Stellar::read_setup(document).unwrap();
    let (mut base, _) = table();
    let named = Json::Text("crown_of_stars".to_owned());
    let around = Json::object([("scenario", named.clone())]);
    for open in [&base, &named, &around] {
        assert!(Stellar::leaves_open(&read(open)));
    }
    assert!(Stellar::leaves_open(&Setup::default()));
    let seeded = Json::object([("scenario", named), ("seed", Json::Int(0))]);
    put(&mut base, "/generation/fixedSeed", Some(Json::Int(4)));
    let recorded = json::from_value(&Setup::default()).unwrap();
    for closed in [&seeded, &base, &recorded] {
        let setup = read(closed);
        assert!(!Stellar::leaves_open(&setup));
        let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(1));
        assert_eq!(Stellar::draw_setup(&setup, &mut rng), setup);
    }
}

#[test]
fn drawn_galaxies_differ_and_have_the_same_actions_and_observations() {
    let given = Setup::default();
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(7));
    let drawn: Vec<Setup> = (0..4)
        .map(|_| Stellar::draw_setup(&given, &mut rng))
        .collect();
    let rows = |setup: &Setup| -> Vec<String> {
        let start = Stellar::start(setup);
        let row = |(_, action)| format!("{action} {:?}", start.encode(&[action]));
        start.actions().map(row).collect()
    };
    for (idx, setup) in drawn.iter().enumerate() {
        assert!(!Stellar::leaves_open(setup));
        assert!(drawn[..idx].iter().all(|it| it.galaxy() != setup.galaxy()));
        assert_eq!(setup.scenario(), given.scenario());
        assert_eq!(Stellar::observation(setup), Stellar::observation(&given));
        assert_eq!(rows(setup), rows(&given));
    }
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(7));
    assert_eq!(Stellar::draw_setup(&given, &mut rng), drawn[0]);
}

/// The pointers of all values in a document.
fn places(value: &Json, here: &str, into: &mut Vec<String>) {
    into.push(here.to_owned());
    match value {
        Json::List(items) => {
            for (idx, item) in items.iter().enumerate() {
                places(item, &format!("{here}/{idx}"), into);
            }
        }
        Json::Object(fields) => {
            for (key, field) in fields {
                places(field, &format!("{here}/{key}"), into);
            }
        }
        _ => {}
    }
}

fn any_json() -> impl Strategy<Value = Json> {
    prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<i64>().prop_map(|it| Json::Int(it.into())),
        (-200i64..200).prop_map(|it| Json::Int(it.into())),
        any::<f64>().prop_map(Json::Real),
        "[a-z-]{0,12}".prop_map(Json::Text),
        Just(Json::List(Vec::new())),
        Just(Json::object([])),
        Just(Json::object([("type", Json::Text("survival".into()))])),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn any_mutation_is_valid_or_refused_at_a_real_place(
        case in 0usize..40,
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::option::of(any_json())), 1..4),
    ) {
        let (base, cases) = table();
        let mut changed = document(&base, &cases[case]);
        for (place, value) in changes {
            let mut all = Vec::new();
            places(&changed, "", &mut all);
            let pointer = place.get(&all).clone();
            if value.is_some() || !pointer.is_empty() {
                put(&mut changed, &pointer, value);
            }
        }
        let report = scenario::examine(&changed);
        prop_assert_eq!(report.scenario.is_none(), report.has_errors());
        for finding in &report.findings {
            let parent = finding.pointer.rsplit_once('/').map_or("", |it| it.0);
            let real = changed.pointer(&finding.pointer).is_some()
                || (finding.code.starts_with("missing") && changed.pointer(parent).is_some());
            prop_assert!(real, "{finding} in {changed}");
            prop_assert!(finding.message.len() > 10);
        }
        if let Some(scenario) = &report.scenario {
            let again = scenario::examine(&scenario.document(Dialect::File));
            prop_assert_eq!(again.scenario.as_ref(), Some(scenario));
        }
    }
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
        prop::sample::select(reals.to_vec()).prop_map(Json::Real),
        prop::sample::select(words.to_vec()).prop_map(|it| Json::Text(it.to_owned())),
        prop::sample::select(lengths.to_vec()).prop_map(|n| Json::Text("é".repeat(n))),
    ]
}

#[derive(Clone, Debug)]
enum Change {
    Put(Json),
    Remove,
    /// Repeats the first item of a list this many times.
    Repeat(usize),
    /// Adds an unknown field to an object.
    Stray,
}

fn any_change() -> impl Strategy<Value = Change> {
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
        ("size", Json::Real(0.5)),
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
            let mut all = Vec::new();
            places(&document, "", &mut all);
            let pointer = place.get(&all).clone();
            apply(change, &mut document, &pointer);
        }
        let value = serde_json::to_value(&document).unwrap();
        let errors: Vec<String> = VALIDATOR.iter_errors(&value).map(|it| it.to_string()).collect();
        let report = scenario::examine(&document);
        let mut refusals = report.findings.iter().filter(|it| it.severity == Severity::Error);
        let by_shape = refusals.any(|it| !CROSS_REFERENCES.contains(&it.code));
        prop_assert_eq!(by_shape, !errors.is_empty(), "{:?} {:?} in {}", report.findings, errors, document);
    }
}

#[test]
fn errors_and_warnings_are_distinguished() {
    let (mut base, _) = table();
    put(&mut base, "/rules/totalWar", Some(Json::Bool(false)));
    let report = scenario::examine(&base);
    assert!(report.scenario.is_some() && !report.has_errors());
    assert_eq!(report.findings[0].severity, Severity::Warning);
    assert_eq!(
        report.findings[0].to_string(),
        "warning no_effect at /rules/totalWar: factions cannot make peace in this version: false \
         has no effect"
    );
}
