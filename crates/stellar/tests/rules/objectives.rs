//! One test for each deviation of the first implementation from the specification.
//!
//! Promise: The objectives of Stellar Fleet follow their specification, point by point.

use kernel::record::{Origin, Recorder, verify};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{MatchId, Seat, Step, Timestamp, Turn};
use stellar::Percentage;

use super::*;

const HILL_1: &str = r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 1}]"#;
const HILL_2: &str = r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 2}]"#;
const HILL_3: &str = r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 3}]"#;

#[test]
fn d01_conditions_come_before_the_tie_break_at_the_cap() {
    check(
        &two(HILL_2, Some(2)),
        "red owns 0..1; blue owns 1..9",
        "deadline*2",
        &end(Some(1), "condition:0", 2),
    );
}

#[test]
fn d02_the_order_of_conditions_decides_and_not_that_of_factions() {
    let victory = r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 1},
                      {"type": "domination", "percentage": 0.5}]"#;
    check(
        &two(victory, None),
        "red owns 0..1; blue owns 1..9",
        "deadline",
        &end(Some(1), "condition:0", 1),
    );
}

#[test]
fn d03_exactly_max_turns_are_resolved() {
    let (base, pieces) = (two("[]", Some(3)), "blue owns 0..2; red owns 2..3");
    check(&base, pieces, "deadline*2", "end=null");
    check(
        &base,
        pieces,
        "deadline*3",
        &end(Some(0), "tie_break_control", 3),
    );
}

#[test]
fn d04_a_hill_must_be_held_for_all_its_turns() {
    let (base, pieces) = (two(HILL_3, None), "blue owns 0..1; red owns 1..3");
    check(&base, pieces, "deadline*2", "end=null");
    check(&base, pieces, "deadline*3", &end(Some(0), "condition:0", 3));
}

#[test]
fn d05_a_contested_orbit_resets_the_hill() {
    let base = two(HILL_3, None);
    let pieces = "blue owns 0..1; red owns 1..3";
    check(&base, pieces, "deadline*2", "holds.0.turns=2");
    let (held, _) = after(given(&base, pieces), "deadline*2");
    let (contested, events) = after(and(&held, "red fleet 0: frigate"), "deadline");
    script::expect(&contested, &events, "holds.0=null end=null");
    assert!(events.contains(&Event::Hill {
        condition: 0,
        holder: None,
        n_turns: 0
    }));
}

#[test]
fn d06_survival_fires_at_its_turn_without_a_cap() {
    let base = two(r#"[{"type": "survival", "turns": 4}]"#, None);
    let pieces = "blue owns 0..1; red owns 1..9";
    check(&base, pieces, "deadline*3", "end=null");
    check(&base, pieces, "deadline*4", &end(Some(0), "condition:0", 4));
}

#[test]
fn d07_a_faction_with_systems_and_no_fleet_survives() {
    let base = two(r#"[{"type": "survival", "turns": 1}]"#, None);
    for pieces in [
        "blue owns 0..5; red fleet 9: frigate",
        "red owns 0..5; blue fleet 9: frigate",
    ] {
        check(&base, pieces, "deadline", &end(Some(0), "condition:0", 1));
    }
}

#[test]
fn d08_power_decides_between_equal_control() {
    check(
        &two("[]", Some(1)),
        "blue owns 0..2; red owns 2..4; blue fleet 0: frigate; red fleet 2: cruiser",
        "deadline",
        &end(Some(1), "tie_break_power", 1),
    );
}

#[test]
fn d09_without_any_system_power_still_decides() {
    check(
        &two("[]", Some(1)),
        "blue fleet 0: cruiser; red fleet 2: frigate",
        "deadline",
        &end(Some(0), "tie_break_power", 1),
    );
}

#[test]
fn d10_domination_is_a_share_and_not_a_number_out_of_100() {
    let victory = r#"[{"type": "domination", "percentage": 0.75}]"#;
    let base = start(bare(2, 20, victory, None));
    let pieces = "blue owns 0..14; red owns 15..16";
    // 14 of 20 is less than 0.75.
    check(&base, pieces, "deadline", "end=null");
    let (before, _) = after(given(&base, pieces), "deadline");
    let more = board::more(&before, "blue owns 14..15");
    script::check(&before, &more, "deadline", &end(Some(0), "condition:0", 2));
}

fn share(text: &str) -> Percentage {
    text.parse().unwrap()
}

#[test]
fn d11_thresholds_are_exact() {
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
fn a_percentage_is_read_digit_by_digit_as_written() {
    let stored = |percentage: &str| {
        let objectives = format!(
            r#"{{"victory": [{{"type": "domination", "percentage": {percentage}}}],
                 "constraints": {{"maxTurns": 9}}}}"#
        );
        let report = scenario::examine(&with_objectives(&objectives));
        let victory = report.scenario.unwrap().objectives.victory;
        let [scenario::Condition::Domination { percentage }] = victory.as_slice() else {
            panic!("one condition");
        };
        percentage.clone()
    };
    // The shortest text of the nearest double ends in 6.
    assert_eq!(
        stored("0.9482887355665845").to_string(),
        "0.9482887355665845"
    );
    assert_eq!(stored("0.5").of(60), 30);
    assert_eq!(stored("0.50000000000000001").of(60), 31);
    assert_eq!(stored("5e-1"), share("0.5"));
    assert_eq!(stored("1.0e0"), share("1"));
    assert_eq!(stored("1e-400").of(60), 1);
}

#[test]
fn a_percentage_just_above_one_or_with_too_many_digits_is_refused() {
    let found = |percentage: &str| {
        codes(&format!(
            r#"{{"victory": [{{"type": "domination", "percentage": {percentage}}}],
                 "constraints": {{"maxTurns": 9}}}}"#
        ))
    };
    assert_eq!(
        found("1.00000000000000001"),
        ["error:percentage_out_of_range"]
    );
    assert_eq!(found("1e-401"), ["error:too_many_digits"]);
    assert_eq!(found("1e400"), ["error:too_many_digits"]);
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
fn a_condition_beyond_the_hard_limit_gets_a_warning() {
    let objectives = r#"{"victory": [{"type": "survival", "turns": 1001},
                                     {"type": "survival", "turns": 1000},
                                     {"type": "king_of_the_hill", "systemId": "core",
                                      "turnsHeld": 5000}]}"#;
    assert_eq!(
        codes(objectives),
        [
            "warning:may_not_terminate",
            "warning:survival_beyond_cap",
            "warning:hill_beyond_cap"
        ]
    );
}

#[test]
fn d15_survival_that_cannot_be_reached_goes_to_the_tie_break() {
    check(
        &two(r#"[{"type": "survival", "turns": 9}]"#, Some(2)),
        "blue owns 0..1; red owns 1..9",
        "deadline*2",
        &end(Some(1), "tie_break_control", 2),
    );
}

#[test]
fn d16_the_first_faction_does_not_win_when_nobody_is_alive() {
    check(
        &two(r#"[{"type": "elimination"}]"#, None),
        "blue fleet 0: fighter; red fleet 0: fighter;
         fleets.0.ships.0.hull=5 fleets.1.ships.0.hull=5",
        "deadline; chance 7",
        &end(None, "mutual_annihilation", 1),
    );
}

#[test]
fn d17_the_tie_break_decides_between_two_factions_at_once() {
    let base = two(r#"[{"type": "domination", "percentage": 0.5}]"#, None);
    let equal = "blue owns 0..6; red owns 6..12";
    check(&base, equal, "deadline", &end(None, "condition:0", 1));
    check(
        &base,
        &format!("{equal}; red fleet 7: frigate"),
        "deadline",
        &end(Some(1), "condition:0", 1),
    );
}

#[test]
fn d18_the_tie_break_comes_after_all_updates_of_the_turn() {
    // Red is repaired by 60 in the last turn's supply, which makes both equal.
    check(
        &two("[]", Some(1)),
        "blue owns 0..2; red owns 2..4; blue fleet 8: destroyer; red fleet 2: destroyer;
         fleets.1.ships.0.hull=540",
        "deadline",
        &end(None, "draw", 1),
    );
}

#[test]
fn d19_a_generated_system_can_be_the_hill_whatever_the_seed() {
    for seed in 0..10 {
        let base = Stellar::start(&Setup::new(bare(2, 12, HILL_1, None), seed).unwrap());
        assert_eq!(base.galaxy().find("sys-0001"), Some(SystemIdx(0)));
        check(
            &base,
            "red owns 0..1; blue owns 1..2",
            "deadline",
            &end(Some(1), "condition:0", 1),
        );
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
    let base = two(r#"[{"type": "elimination"}]"#, None);
    let position = given(
        &base,
        "blue owns 0..2; blue fleet 5: cruiser*2; red fleet 5: fighter; fleets.1.ships.0.hull=1",
    );
    let (position, events) = after(position, "deadline; chance 7; deadline !match_over");
    script::expect(&position, &events, "end.winner=0 waits_for=over");
    assert!(events.contains(&Event::Eliminated { seat: Seat::SECOND }));
}

#[test]
fn d22_objectives_and_progress_are_in_every_view() {
    let victory = r#"[{"type": "domination", "percentage": 0.75},
        {"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 3},
        {"type": "survival", "turns": 9}]"#;
    let (base, pieces) = (two(victory, Some(9)), "blue owns 0..2; red owns 2..3");
    for view in ["view0", "view1", "view"] {
        check(
            &base,
            pieces,
            "deadline",
            &format!(
                "{view}.turns_left=8 {view}.objectives.0.needed=9
                 {view}.objectives.0.progress.0=2 {view}.objectives.1.held=1
                 {view}.objectives.1.holder=0 {view}.objectives.2.survivors.0=0"
            ),
        );
    }
    check(
        &base,
        pieces,
        "deadline*3",
        "view.result.reason=king_of_the_hill view.result.condition=1
         view.result.scores.0.n_systems=2",
    );
}
