//! One test for each deviation of the first implementation from the specification.
//!
//! Promise: The objectives of Stellar Fleet follow their specification, point by point.

use super::*;
use crate::percentage::Percentage;
use kernel::Refusal;
use kernel::record::{Origin, Recorder, verify};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{MatchId, Timestamp};

const FRIGATE: [ShipKind; 1] = [ShipKind::Frigate];
const HILL_1: &str = r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 1}]"#;

#[test]
fn d01_conditions_come_before_the_tie_break_at_the_cap() {
    let victory = r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 2}]"#;
    let mut desk = Desk::new(2, 12, victory, Some(2))
        .own(RED, 0..1)
        .own(BLUE, 1..9);
    desk.resolve_turns(2);
    assert_eq!(desk.end(), Some((Some(RED), Cause::Condition(0), 2)));
}

#[test]
fn d02_the_order_of_conditions_decides_and_not_that_of_factions() {
    let victory = r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 1},
                      {"type": "domination", "percentage": 0.5}]"#;
    let mut desk = Desk::new(2, 12, victory, None)
        .own(RED, 0..1)
        .own(BLUE, 1..9);
    desk.resolve();
    assert_eq!(desk.end(), Some((Some(RED), Cause::Condition(0), 1)));
}

#[test]
fn d03_exactly_max_turns_are_resolved() {
    let mut desk = Desk::new(2, 12, "[]", Some(3))
        .own(BLUE, 0..2)
        .own(RED, 2..3);
    desk.resolve_turns(2);
    assert!(!desk.is_over());
    desk.resolve();
    assert_eq!(desk.end(), Some((Some(BLUE), Cause::Control, 3)));
}

#[test]
fn d04_a_hill_must_be_held_for_all_its_turns() {
    let victory = r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 3}]"#;
    let mut desk = Desk::new(2, 12, victory, None)
        .own(BLUE, 0..1)
        .own(RED, 1..3);
    desk.resolve_turns(2);
    assert!(!desk.is_over());
    desk.resolve();
    assert_eq!(desk.end(), Some((Some(BLUE), Cause::Condition(0), 3)));
}

#[test]
fn d05_a_contested_orbit_resets_the_hill() {
    let victory = r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 3}]"#;
    let mut desk = Desk::new(2, 12, victory, None)
        .own(BLUE, 0..1)
        .own(RED, 1..3);
    desk.resolve_turns(2);
    assert_eq!(desk.at.holds()[0].map(|it| it.n_turns), Some(2));
    let mut desk = Desk {
        at: desk.at,
        events: Vec::new(),
    }
    .fleet(RED, 0, &FRIGATE);
    desk.resolve();
    assert_eq!(desk.at.holds()[0], None);
    assert!(!desk.is_over());
    assert!(desk.happened(&Event::Hill {
        condition: 0,
        holder: None,
        n_turns: 0
    }));
}

#[test]
fn d06_survival_fires_at_its_turn_without_a_cap() {
    let mut desk = Desk::new(2, 12, r#"[{"type": "survival", "turns": 4}]"#, None)
        .own(BLUE, 0..1)
        .own(RED, 1..9);
    desk.resolve_turns(3);
    assert!(!desk.is_over());
    desk.resolve();
    assert_eq!(desk.end(), Some((Some(BLUE), Cause::Condition(0), 4)));
}

#[test]
fn d07_a_faction_with_systems_and_no_fleet_survives() {
    let victory = r#"[{"type": "survival", "turns": 1}]"#;
    let mut systems = Desk::new(2, 12, victory, None)
        .own(BLUE, 0..5)
        .fleet(RED, 9, &FRIGATE);
    systems.resolve();
    assert_eq!(systems.end(), Some((Some(BLUE), Cause::Condition(0), 1)));
    let mut fleet = Desk::new(2, 12, victory, None)
        .own(RED, 0..5)
        .fleet(BLUE, 9, &FRIGATE);
    fleet.resolve();
    assert_eq!(fleet.end(), Some((Some(BLUE), Cause::Condition(0), 1)));
}

#[test]
fn d08_power_decides_between_equal_control() {
    let mut desk = Desk::new(2, 12, "[]", Some(1))
        .own(BLUE, 0..2)
        .own(RED, 2..4)
        .fleet(BLUE, 0, &FRIGATE)
        .fleet(RED, 2, &[ShipKind::Cruiser]);
    desk.resolve();
    assert_eq!(desk.end(), Some((Some(RED), Cause::Power, 1)));
}

#[test]
fn d09_without_any_system_power_still_decides() {
    let mut desk = Desk::new(2, 12, "[]", Some(1))
        .fleet(BLUE, 0, &[ShipKind::Cruiser])
        .fleet(RED, 2, &FRIGATE);
    desk.resolve();
    assert_eq!(desk.end(), Some((Some(BLUE), Cause::Power, 1)));
}

#[test]
fn d10_domination_is_a_share_and_not_a_number_out_of_100() {
    let victory = r#"[{"type": "domination", "percentage": 0.75}]"#;
    let mut desk = Desk::new(2, 20, victory, None)
        .own(BLUE, 0..14)
        .own(RED, 15..16);
    desk.resolve();
    assert!(!desk.is_over(), "14 of 20 is less than 0.75");
    let mut desk = desk.own(BLUE, 14..15);
    desk.resolve();
    assert_eq!(desk.end(), Some((Some(BLUE), Cause::Condition(0), 2)));
}

#[test]
fn d11_thresholds_are_exact() {
    let share = |text: &str| text.parse::<Percentage>().unwrap();
    for n_systems in 1..=300usize {
        for percent in 1..=100usize {
            let text = format!("{}.{:02}", percent / 100, percent % 100);
            let exact = (n_systems * percent).div_ceil(100);
            assert_eq!(
                share(&text).of(n_systems),
                exact,
                "{percent} % of {n_systems}"
            );
        }
    }
    assert_eq!(share("0.07").of(100), 7);
    assert_eq!(share("0.29").of(100), 29);
    assert_eq!(share("0.333333333").of(3), 1);
    assert_eq!(share("0.333333334").of(3), 2);
}

#[test]
fn d12_a_missing_parameter_is_refused() {
    for condition in [
        r#"{"type": "domination"}"#,
        r#"{"type": "king_of_the_hill", "turnsHeld": 1}"#,
        r#"{"type": "king_of_the_hill", "systemId": "core"}"#,
        r#"{"type": "survival"}"#,
    ] {
        let objectives =
            format!(r#"{{"victory": [{condition}], "constraints": {{"maxTurns": 9}}}}"#);
        assert_eq!(
            codes(&objectives),
            ["error:missing_parameter"],
            "{condition}"
        );
    }
}

#[test]
fn d13_conditions_that_the_specification_rejects_are_refused() {
    for (condition, code) in [
        (r#"{"type": "conquest"}"#, "unknown_condition"),
        (
            r#"{"type": "domination", "percentage": 0}"#,
            "percentage_out_of_range",
        ),
        (
            r#"{"type": "domination", "percentage": 1.5}"#,
            "percentage_out_of_range",
        ),
        (r#"{"type": "survival", "turns": 2.5}"#, "not_an_integer"),
        (r#"{"type": "survival", "turns": 0}"#, "out_of_range"),
        (
            r#"{"type": "king_of_the_hill", "systemId": "x", "turnsHeld": 1}"#,
            "unknown_system",
        ),
        (
            r#"{"type": "elimination", "turns": 5}"#,
            "superfluous_parameter",
        ),
    ] {
        let objectives =
            format!(r#"{{"victory": [{condition}], "constraints": {{"maxTurns": 9}}}}"#);
        assert_eq!(codes(&objectives), [format!("error:{code}")], "{condition}");
    }
}

#[test]
fn d14_survival_beyond_the_cap_gets_a_warning() {
    let objectives = r#"{"victory": [{"type": "survival", "turns": 10}],
                         "constraints": {"maxTurns": 9}}"#;
    assert_eq!(codes(objectives), ["warning:survival_beyond_cap"]);
}

#[test]
fn d15_survival_that_cannot_be_reached_goes_to_the_tie_break() {
    let mut desk = Desk::new(2, 12, r#"[{"type": "survival", "turns": 9}]"#, Some(2))
        .own(BLUE, 0..1)
        .own(RED, 1..9);
    desk.resolve_turns(2);
    assert_eq!(desk.end(), Some((Some(RED), Cause::Control, 2)));
}

#[test]
fn d16_the_first_faction_does_not_win_when_nobody_is_alive() {
    let mut desk = Desk::new(2, 12, r#"[{"type": "elimination"}]"#, None)
        .fleet(BLUE, 0, &[ShipKind::Fighter])
        .fleet(RED, 0, &[ShipKind::Fighter]);
    for fleet in &mut desk.at.fleets {
        fleet.ships[0].hull = 5;
    }
    desk.resolve();
    assert_eq!(desk.end(), Some((None, Cause::MutualAnnihilation, 1)));
}

#[test]
fn d17_the_tie_break_decides_between_two_factions_at_once() {
    let victory = r#"[{"type": "domination", "percentage": 0.5}]"#;
    let equal = || {
        Desk::new(2, 12, victory, None)
            .own(BLUE, 0..6)
            .own(RED, 6..12)
    };
    let mut draw = equal();
    draw.resolve();
    assert_eq!(draw.end(), Some((None, Cause::Condition(0), 1)));
    let mut stronger = equal().fleet(RED, 7, &FRIGATE);
    stronger.resolve();
    assert_eq!(stronger.end(), Some((Some(RED), Cause::Condition(0), 1)));
}

#[test]
fn d18_the_tie_break_comes_after_all_updates_of_the_turn() {
    let mut desk = Desk::new(2, 12, "[]", Some(1))
        .own(BLUE, 0..2)
        .own(RED, 2..4)
        .fleet(BLUE, 8, &[ShipKind::Destroyer])
        .fleet(RED, 2, &[ShipKind::Destroyer]);
    // Red is repaired by 60 in the last turn's supply, which makes both equal.
    desk.at.fleets[1].ships[0].hull = 540;
    desk.resolve();
    assert_eq!(desk.end(), Some((None, Cause::Draw, 1)));
}

#[test]
fn d19_a_generated_system_can_be_the_hill_whatever_the_seed() {
    for seed in 0..10 {
        let setup = Setup::new(bare(2, 12, HILL_1, None), seed).unwrap();
        let mut desk = Desk::with(&setup).own(RED, 0..1).own(BLUE, 1..2);
        assert_eq!(desk.at.galaxy().find("sys-0001"), Some(SystemIdx(0)));
        desk.resolve();
        assert_eq!(desk.end(), Some((Some(RED), Cause::Condition(0), 1)));
    }
}

#[test]
fn d20_a_match_is_a_record_that_verifies_and_says_why_it_ended() {
    let setup = Setup::new(bare(2, 12, "[]", Some(3)), 4).unwrap();
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(1));
    let game_id = MatchId::draw(&mut rng);
    let at = Timestamp::SIMULATED;
    let mut recorder = Recorder::<Stellar>::begin(&setup, game_id, Origin::Open(rng), &[], at);
    while !matches!(recorder.table().position().turn(), Turn::Over(_)) {
        recorder.apply(Step::Deadline, at).unwrap();
    }
    let ending = recorder.table().position().ending().cloned().unwrap();
    assert_eq!((ending.turn, ending.scores.len()), (3, 2));
    let report = verify::<Stellar>(&recorder.finish()).unwrap();
    assert!(["tie_break_power", "draw"].contains(&report.outcome.unwrap().reason.0));
}

#[test]
fn d21_a_finished_match_resolves_no_turn_and_defeat_is_reported() {
    let mut desk = Desk::new(2, 12, r#"[{"type": "elimination"}]"#, None)
        .own(BLUE, 0..2)
        .fleet(BLUE, 5, &[ShipKind::Cruiser, ShipKind::Cruiser])
        .fleet(RED, 5, &[ShipKind::Fighter]);
    desk.at.fleets[1].ships[0].hull = 1;
    desk.resolve_turns(1);
    assert_eq!(desk.end().map(|it| it.0), Some(Some(BLUE)));
    assert!(desk.happened(&Event::Eliminated(RED)));
    let refused = desk.at.apply(Step::Deadline, &mut desk.events);
    assert_eq!(refused, Err(Refusal::Over));
}

#[test]
fn d22_objectives_and_progress_are_in_every_view() {
    let victory = r#"[{"type": "domination", "percentage": 0.75},
        {"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 3},
        {"type": "survival", "turns": 9}]"#;
    let mut desk = Desk::new(2, 12, victory, Some(9))
        .own(BLUE, 0..2)
        .own(RED, 2..3);
    desk.resolve();
    for viewer in [Viewer::Seat(BLUE), Viewer::Seat(RED), Viewer::Public] {
        let view = desk.view(viewer);
        let at = |pointer: &str| view.pointer(pointer).cloned();
        assert_eq!(at("/turns_left"), Some(Json::Int(8)));
        assert_eq!(at("/objectives/0/needed"), Some(Json::Int(9)));
        assert_eq!(at("/objectives/0/progress/0"), Some(Json::Int(2)));
        assert_eq!(at("/objectives/1/held"), Some(Json::Int(1)));
        assert_eq!(at("/objectives/1/holder"), Some(Json::Int(0)));
        assert_eq!(at("/objectives/2/survivors/0"), Some(Json::Int(0)));
    }
    desk.resolve_turns(2);
    let view = desk.view(Viewer::Public);
    let text = |pointer: &str| {
        view.pointer(pointer)
            .and_then(Json::as_text)
            .map(str::to_owned)
    };
    assert_eq!(text("/result/reason").as_deref(), Some("king_of_the_hill"));
    assert_eq!(view.pointer("/result/condition"), Some(&Json::Int(1)));
    assert_eq!(
        view.pointer("/result/scores/0/n_systems"),
        Some(&Json::Int(2))
    );
}
