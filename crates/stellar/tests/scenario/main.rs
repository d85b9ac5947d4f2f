//! Scenario documents: valid, with warnings, refused, upgraded, mutated.
//!
//! Promise: An invalid scenario is refused with every fault and its location.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod agreement;
mod documents;
mod generated;

use kernel::json::{self, Json};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Game, GameExt, Observe, Recorded, doc};
use proptest::prelude::*;
use stellar::scenario::{self, Dialect, Severity};
use stellar::{Setup, Stellar};

use documents::{any_json, document, places, put, table};

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
        Some(&Json::Real(0.65.into()))
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
