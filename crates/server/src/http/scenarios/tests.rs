//! The scenario endpoints return what the validator finds.

use super::*;

fn codes(survey: &ScenarioSurvey) -> Vec<String> {
    let told = survey.findings.iter();
    told.map(|it| format!("{}:{} {}", it.severity, it.code, it.pointer))
        .collect()
}

#[test]
fn every_shipped_scenario_is_playable_and_has_its_galaxy() {
    for name in shipped::NAMES {
        let text = shipped::text(name).unwrap_or_default();
        let survey = look_at(text.as_bytes(), 1);
        assert!(survey.playable, "{name}: {:?}", codes(&survey));
        let galaxy = survey.galaxy.expect(name);
        assert_eq!(galaxy.systems.len(), galaxy.owners.len());
        assert!(galaxy.systems.iter().any(|it| it.home_of.is_some()));
    }
}

#[test]
fn text_that_is_not_json_is_reported_with_its_place() {
    let survey = look_at(b"{\"schemaVersion\": 1,,}", 0);
    assert!(!survey.playable);
    assert_eq!(codes(&survey), ["error:malformed_json "]);
}

#[test]
fn all_faults_of_an_empty_document_are_reported_at_once() {
    let survey = look_at(b"{}", 0);
    assert!(!survey.playable);
    assert!(survey.findings.len() >= 5, "{:?}", codes(&survey));
}

#[test]
fn survival_beyond_the_cap_is_reported() {
    let text = shipped::text("last_stand").unwrap_or_default();
    let mut document: Value = serde_json::from_str(text).expect("shipped");
    document["objectives"]["constraints"]["maxTurns"] = 5.into();
    let survey = look_at(document.to_string().as_bytes(), 0);
    let unreachable = |it: &&ScenarioFinding| it.pointer.starts_with("/objectives");
    let finding = survey.findings.iter().find(unreachable);
    assert!(survey.playable, "it is a warning: {:?}", codes(&survey));
    assert_eq!(
        finding.map(|it| it.severity.as_str()),
        Some("warning"),
        "{:?}",
        codes(&survey)
    );
}

#[test]
fn a_blueprint_becomes_a_scenario_without_findings() {
    let asked = ScenarioBlueprint {
        title: "Trial".to_owned(),
        topology: "spiral".to_owned(),
        n_systems: 50,
        n_factions: 3,
        seed: 7,
        n_turns: 40,
        domination: "0.6".to_owned(),
    };
    let made = blueprint(asked).expect("it is valid").build().expect("too");
    let text = serde_json::to_string(&made.document(Dialect::File)).expect("no floats");
    let survey = look_at(text.as_bytes(), 0);
    assert_eq!(codes(&survey), [""; 0]);
    assert_eq!(survey.galaxy.map(|it| it.systems.len()), Some(50));
}

#[test]
fn a_galaxy_that_is_too_big_to_draw_is_still_checked() {
    let text = shipped::text("thousand_suns").unwrap_or_default();
    let text = text.replace("\"systemCount\": 1000", "\"systemCount\": 19000");
    let text = text.replace("\"radius\": 320", "\"radius\": 3200");
    let survey = look_at(text.as_bytes(), 0);
    assert!(survey.playable, "{:?}", codes(&survey));
    assert!(survey.galaxy.is_none());
}
