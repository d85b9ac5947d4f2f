//! Scenario documents: valid, warned, refused, upgraded, mutated.

#![allow(clippy::unwrap_used, reason = "what cannot be had fails the test")]

use kernel::json::{self, Json};
use proptest::prelude::*;
use stellar::scenario::{self, Dialect, Severity};

const TABLE: &str = include_str!("../../../testdata/stellar/scenarios.json");

fn table() -> (Json, Vec<Json>) {
    let table = json::read(TABLE.as_bytes()).unwrap();
    let cases = table.get("cases").unwrap().as_list().unwrap().to_vec();
    (table.get("base").unwrap().clone(), cases)
}

/// Puts a value at a pointer, or takes out what is there.
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
fn every_document_of_the_table_is_found_as_it_should_be() {
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
fn a_scenario_is_written_as_it_is_read_in_both_dialects() {
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

/// Every place of a document.
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

#[test]
fn errors_and_warnings_are_told_apart() {
    let (mut base, _) = table();
    put(&mut base, "/rules/totalWar", Some(Json::Bool(false)));
    let report = scenario::examine(&base);
    assert!(report.scenario.is_some() && !report.has_errors());
    assert_eq!(report.findings[0].severity, Severity::Warning);
    assert_eq!(
        report.findings[0].to_string(),
        "warning no_effect at /rules/totalWar: there is no peace in this version: false has no \
         effect"
    );
}
