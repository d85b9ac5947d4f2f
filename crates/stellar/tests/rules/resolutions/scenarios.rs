//! How scenarios are read.

use stellar::{Galaxy, Goal, Percentage};

use super::*;

#[test]
fn a_the_older_shape_is_upgraded_and_mixtures_are_refused() {
    let older = r#"{"win": [{"type": "domination", "value": 65}, {"type": "domination"},
        {"type": "king_of_the_hill", "value": "core"}, {"type": "survival", "value": 7},
        {"type": "survival"}], "maxTurns": 40}"#;
    let report = scenario::examine(&with_objectives(older));
    let scenario = report.scenario.unwrap();
    let share = |text: &str| scenario::Condition::Domination {
        percentage: text.parse().unwrap(),
    };
    let survival = |turns| scenario::Condition::Survival { turns };
    let hill = scenario::Condition::KingOfTheHill {
        system_id: "core".into(),
        turns_held: 1,
    };
    let wanted = [share("0.65"), share("0.5"), hill, survival(7), survival(40)];
    assert_eq!(scenario.objectives.victory, wanted);
    assert_eq!(scenario.objectives.constraints.max_turns, Some(40));
    assert_eq!(
        report.findings.len(),
        7,
        "expected a warning for each change"
    );
    let mixed = r#"{"win": [], "victory": []}"#;
    assert_eq!(codes(mixed), ["error:mixed_shapes"]);
}

#[test]
fn g_a_scenario_of_one_faction_is_refused() {
    let mut document = with_objectives(r#"{"victory": [], "constraints": {"maxTurns": 3}}"#);
    let Json::Object(root) = &mut document else {
        panic!()
    };
    let Some(Json::Object(setup)) = root.get_mut("setup") else {
        panic!()
    };
    setup.remove("territoryAllocation");
    for key in ["factions", "initialFleets"] {
        let Some(Json::List(items)) = setup.get_mut(key) else {
            panic!()
        };
        items.truncate(1);
    }
    let codes = scenario::examine(&document).codes();
    assert_eq!(codes, ["error:too_few_factions"]);
}

#[test]
fn h_domination_counts_all_existing_systems() {
    let table = with_objectives(
        r#"{"victory": [{"type": "domination", "percentage": 0.55}],
                                    "constraints": {"maxTurns": 3}}"#,
    );
    let scenario = scenario::examine(&table).scenario.unwrap();
    let setup = Setup::new(scenario, 1).unwrap();
    // One static and nineteen generated systems.
    assert_eq!(setup.galaxy().n_systems(), 20);
    assert_eq!(
        Stellar::start(&setup).world().goals(),
        [Goal::Domination(11)]
    );
}

#[test]
fn i_decimals_are_read_exactly() {
    for (text, needed) in [
        ("0.07", 7),
        ("0.14", 14),
        ("0.28", 28),
        ("0.55", 55),
        ("0.56", 56),
    ] {
        assert_eq!(text.parse::<Percentage>().unwrap().of(100), needed);
    }
    let objectives = r#"{"victory": [{"type": "domination", "percentage": 0.07}],
                         "constraints": {"maxTurns": 9}}"#;
    let scenario = scenario::examine(&with_objectives(objectives))
        .scenario
        .unwrap();
    let share: Percentage = "0.07".parse().unwrap();
    assert_eq!(
        scenario.objectives.victory,
        [scenario::Condition::Domination { percentage: share }]
    );
}

#[test]
fn p_survival_beyond_the_cap_is_never_an_error() {
    let objectives = r#"{"victory": [{"type": "survival", "turns": 99}],
                         "constraints": {"maxTurns": 9}}"#;
    let report = scenario::examine(&with_objectives(objectives));
    assert!(report.scenario.is_some() && !report.has_errors());
}

#[test]
fn v_foreign_and_null_parameters_are_errors() {
    for key in [
        "\"percentage\": 0.5",
        "\"systemId\": null",
        "\"note\": \"x\"",
    ] {
        let objectives = format!(
            r#"{{"victory": [{{"type": "survival", "turns": 5, {key}}}], "constraints": {{"maxTurns": 9}}}}"#
        );
        assert_eq!(codes(&objectives), ["error:superfluous_parameter"], "{key}");
    }
}

#[test]
fn w_integral_numbers_are_integers_and_nothing_else_is() {
    let turns = |text: &str| {
        codes(&format!(
            r#"{{"victory": [{{"type": "survival", "turns": {text}}}], "constraints": {{"maxTurns": 9}}}}"#
        ))
    };
    for good in ["5", "5.0", "5e0", "0.5e1"] {
        assert!(turns(good).is_empty(), "{good}: {:?}", turns(good));
    }
    for bad in [
        "5.5",
        "\"5\"",
        "true",
        "null",
        "0",
        "-1",
        "2147483648",
        "1e300",
    ] {
        assert!(turns(bad)[0].starts_with("error:"), "{bad}");
    }
}

#[test]
fn x_system_ids_are_known_before_the_galaxy_is_generated() {
    let table = with_objectives(r#"{"victory": [], "constraints": {"maxTurns": 3}}"#);
    let scenario = scenario::examine(&table).scenario.unwrap();
    for (id, exists) in [
        ("core", true),
        ("sys-0001", true),
        ("sys-0019", true),
        ("sys-0020", false),
        ("sys-0000", false),
        ("sys-019", false),
        ("Core", false),
    ] {
        assert_eq!(scenario.has_system(id), exists, "{id}");
        for seed in 0..3 {
            let galaxy = Galaxy::generate(&scenario, seed).unwrap();
            assert_eq!(galaxy.find(id).is_some(), exists, "{id} after generation");
        }
    }
}

#[test]
fn ad_no_faction_may_be_called_draw() {
    let mut scenario = bare(2, 12, r#"[{"type": "elimination"}]"#, Some(9));
    scenario.setup.factions[1].id = "draw".into();
    scenario.setup.initial_fleets[1].owner_faction_id = "draw".into();
    let codes = scenario::examine(&scenario.document(scenario::Dialect::File)).codes();
    assert_eq!(codes, ["error:reserved_id"]);
}
