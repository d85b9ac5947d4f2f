//! How matches are played and decided.

use kernel::doc::{Faults, Node};
use kernel::{Close, GameExt, Recorded, Seat, SeatSet, Verdict};
use stellar::survey;

use super::*;

const ELIMINATION: &str = r#"[{"type": "elimination"}]"#;
const DOMINATION: &str = r#"[{"type": "domination", "percentage": 0.5}]"#;
const HILL_1: &str = r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 1}]"#;
const HILL_3: &str = r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 3}]"#;
const SURVIVAL_1: &str = r#"[{"type": "survival", "turns": 1}]"#;

#[test]
fn b_survival_counts_for_survivors_only_and_the_rest_for_everybody() {
    let red = SeatSet::only(Seat::SECOND);
    let setup = Setup::with_survivors(bare(2, 12, SURVIVAL_1, None), 1, red).unwrap();
    check(
        &Stellar::start(&setup),
        "blue owns 0..5; red owns 5..6",
        "deadline",
        &end(Some(1), "condition:0", 1),
    );
    for victory in [DOMINATION, HILL_1] {
        check(
            &two(victory, None),
            "red owns 0..7; blue owns 7..8",
            "deadline",
            &end(Some(1), "condition:0", 1),
        );
    }
}

#[test]
fn c_every_hill_is_counted_before_any_condition_is_checked() {
    let victory = r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 1},
                      {"type": "king_of_the_hill", "systemId": "sys-0002", "turnsHeld": 5}]"#;
    let ended = end(Some(0), "condition:0", 1);
    check(
        &two(victory, None),
        "blue owns 0..1; red owns 1..2",
        "deadline",
        &format!("{ended} holds=[{{holder:0,turns:1}},{{holder:1,turns:1}}]"),
    );
}

#[test]
fn d_the_tie_break_is_among_those_who_satisfy_the_condition_only() {
    let both = SeatSet::first(2);
    let setup = Setup::with_survivors(bare(3, 12, SURVIVAL_1, None), 1, both).unwrap();
    check(
        &Stellar::start(&setup),
        "blue owns 0..1; red owns 1..3; green owns 3..9",
        "deadline",
        &end(Some(1), "condition:0", 1),
    );
}

#[test]
fn e_only_the_living_eliminate() {
    check(
        &three(ELIMINATION, None),
        "red owns 0..1",
        "deadline",
        &end(Some(1), "condition:0", 1),
    );
}

#[test]
fn f_unarmed_ships_count_and_neutral_systems_and_armies_do_not() {
    let base = two(ELIMINATION, None);
    // A tanker is a fleet.
    check(
        &base,
        "blue owns 0..2; red fleet 5: tanker",
        "deadline",
        "end=null",
    );
    check(
        &base,
        "blue owns 0..2; red army 1.0; blue army 1.0",
        "deadline",
        &end(Some(0), "condition:0", 1),
    );
}

#[test]
fn j_ground_fights_without_ships_do_not_stop_the_hill() {
    let pieces = "blue owns 0..1; red owns 1..2; blue army 0.0; blue army 0.0; red army 0.0";
    let (position, events) = after(given(&two(HILL_3, None), pieces), "deadline");
    script::expect(&position, &events, "holds.0={holder:0,turns:1}");
    let is_fight = |it: &Event| matches!(it, Event::GroundCombat { .. });
    assert!(events.iter().any(is_fight));
}

#[test]
fn k_a_foreign_fleet_alone_contests_the_hill_but_no_other_orbit() {
    let base = two(HILL_3, None);
    check(
        &base,
        "blue owns 0..1; red fleet 0: frigate",
        "deadline",
        "holds.0=null",
    );
    // The owner's fleet contests nothing.
    check(
        &base,
        "red owns 0..1; blue owns 1..2; red fleet 0: frigate",
        "deadline",
        "holds.0={holder:1,turns:1}",
    );
    // A single faction in orbit does not stop a conquest.
    check(
        &base,
        "blue owns 0..2; red fleet 1: frigate; red army 1.0",
        "deadline",
        "owners.1=1",
    );
    check(
        &base,
        "blue owns 0..2; red owns 2..3; red army 1.0; blue fleet 1: tanker",
        "deadline",
        "owners.1=1",
    );
}

#[test]
fn l_a_new_owner_starts_at_one_and_hills_are_independent() {
    let victory = r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 9},
                      {"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 2}]"#;
    let (base, pieces) = (two(victory, None), "blue owns 0..1; red owns 1..2");
    // The initial state counts nothing.
    check(&base, pieces, "", "holds=[null,null]");
    let held = |seat: u8| {
        let hold = format!("{{holder:{seat},turns:1}}");
        format!("holds=[{hold},{hold}]")
    };
    check(&base, pieces, "deadline", &held(0));
    let (before, _) = after(given(&base, pieces), "deadline");
    let changed = board::more(&before, "red owns 0..1; blue owns 3..4");
    script::check(&before, &changed, "deadline", &held(1));
    let ended = end(Some(1), "condition:1", 3);
    script::check(&before, &changed, "deadline*2", &ended);
}

#[test]
fn l2_a_contested_hill_resets_the_count_instead_of_pausing_it() {
    let position = given(&two(HILL_3, None), "blue owns 0..1; red owns 1..2");
    let (held, _) = after(position, "deadline*2");
    let (contested, _) = after(and(&held, "red fleet 0: frigate"), "deadline");
    script::check(
        &contested,
        "fleets=[]",
        "deadline",
        "holds.0={holder:0,turns:1}",
    );
}

#[test]
fn m_only_the_end_of_a_turn_counts() {
    // Red's frigate passes the hill during the turn and ends it elsewhere.
    let base = two(HILL_3, None);
    let hill = base.galaxy().at(SystemIdx(0));
    let (x, y, z) = (hill.x - 10_000, hill.y, hill.z);
    check(
        &base,
        &format!("blue owns 0..1; red owns 1..2; red fleet 1: frigate; fleets.0.at=[{x},{y},{z}]"),
        "deadline",
        "holds.0={holder:0,turns:1}",
    );
}

#[test]
fn n_survival_holds_at_the_end_of_its_turn_and_later() {
    check(
        &two(r#"[{"type": "survival", "turns": 2}]"#, None),
        "blue owns 0..1; red owns 1..2; turn=5",
        "deadline",
        &end(Some(0), "condition:0", 5),
    );
}

#[test]
fn o_survival_at_the_cap_wins() {
    check(
        &two(r#"[{"type": "survival", "turns": 3}]"#, Some(3)),
        "blue owns 0..1; red owns 1..9",
        "deadline*3",
        &end(Some(0), "condition:0", 3),
    );
}

#[test]
fn q_power_is_compared_among_those_tied_on_control_only() {
    check(
        &three("[]", Some(1)),
        "blue owns 0..2; red owns 2..4; green owns 4..5; blue fleet 0: frigate;
         green fleet 4: carrier",
        "deadline",
        &end(Some(0), "tie_break_power", 1),
    );
    check(
        &two("[]", Some(1)),
        "blue owns 0..2; red owns 2..4",
        "deadline",
        &end(None, "draw", 1),
    );
}

#[test]
fn r_power_is_the_remaining_hull() {
    let base = two("[]", Some(1));
    let pieces = "blue fleet 0: carrier; red fleet 2: destroyer; fleets.0.ships.0.hull=599";
    assert_eq!(given(&base, pieces).score(Seat::FIRST).power, 599);
    check(
        &base,
        pieces,
        "deadline",
        &end(Some(1), "tie_break_power", 1),
    );
}

#[test]
fn s_no_condition_means_elimination_and_no_objectives_is_an_error() {
    assert_eq!(
        codes(r#"{"victory": [], "constraints": {"maxTurns": 9}}"#),
        ["warning:empty_victory"]
    );
    assert_eq!(codes("null"), ["error:wrong_type"]);
    let ended = end(Some(0), "condition:0", 1);
    check(
        &two("[]", None),
        "blue owns 0..2",
        "deadline",
        &format!("{ended} view.result.reason=elimination"),
    );
}

/// A fleet of blue that red destroys in the first turn.
const DOOMED: &str = "blue fleet 5: fighter; red fleet 5: cruiser*2; fleets.0.ships.0.hull=1";

#[test]
fn t_a_missing_cap_gets_a_warning_and_a_failed_survival_is_reported() {
    assert_eq!(
        codes(r#"{"victory": [{"type": "elimination"}]}"#),
        ["warning:may_not_terminate"]
    );
    let last = stellar::constants::TURNS_MAX;
    let pieces = format!("blue owns 0..2; red owns 2..3; turn={last}");
    let (position, _) = after(given(&two(ELIMINATION, None), &pieces), "deadline");
    let outcome = position.outcome().unwrap();
    assert_eq!(
        (outcome.close, outcome.verdict),
        (Close::Truncated, Verdict::Winner(Seat::FIRST))
    );
    let base = three(r#"[{"type": "survival", "turns": 9}]"#, Some(20));
    let pieces = format!("red owns 0..2; green owns 2..4; {DOOMED}");
    let (lost, events) = after(given(&base, &pieces), "deadline; chance 7");
    script::expect(&lost, &events, "end=null");
    assert!(events.contains(&Event::Eliminated { seat: Seat::FIRST }));
    assert!(events.contains(&Event::SurvivalFailed { seat: Seat::FIRST }));
}

#[test]
fn u_the_match_continues_for_the_others_when_a_player_is_gone() {
    check(
        &three(ELIMINATION, Some(9)),
        &format!("red owns 0..2; green owns 2..4; {DOOMED}"),
        "deadline; chance 7",
        "end=null waits_for=sealed:1+2",
    );
}

#[test]
fn y_no_condition_is_checked_before_the_first_turn() {
    check(
        &two(DOMINATION, None),
        "blue owns 0..12; red fleet 3: frigate",
        "",
        "end=null",
    );
    let mut document = with_objectives(
        r#"{"victory": [{"type": "domination", "percentage": 0.2}], "constraints": {"maxTurns": 9}}"#,
    );
    let (report, _) = survey(&document, 1);
    assert_eq!(report.codes(), ["warning:already_satisfied"]);
    document = with_objectives(
        r#"{"victory": [{"type": "domination", "percentage": 0.21}], "constraints": {"maxTurns": 9}}"#,
    );
    assert!(survey(&document, 1).0.findings.is_empty());
}

#[test]
fn z_there_are_no_alliances() {
    let mut scenario = bare(3, 12, ELIMINATION, None);
    scenario.rules.total_war = false;
    let findings = scenario::examine(&scenario.document(scenario::Dialect::File)).codes();
    assert!(
        findings.contains(&"warning:no_effect".to_owned()),
        "{findings:?}"
    );
    let pieces = "blue fleet 3: frigate; red fleet 3: frigate; green owns 0..1";
    let (_, events) = after(given(&start(scenario), pieces), "deadline; chance 7");
    let is_battle = |it: &Event| matches!(it, Event::Fought { .. });
    assert!(events.iter().any(is_battle));
}

#[test]
fn aa_the_result_is_frozen_and_complete() {
    check(
        &two(DOMINATION, None),
        "blue owns 0..6; red owns 6..8; red fleet 6: frigate",
        "deadline; deadline !match_over; 0 done !match_over; chance 0 !match_over",
        "end={cause:condition,condition:0,turn:1,winner:0,
         scores:[{power:0,systems:6},{power:300,systems:2}]}",
    );
}

#[test]
fn ab_a_snapshot_without_counts_starts_them_at_zero() {
    let position = given(&two(HILL_3, None), "blue owns 0..1; red owns 1..2");
    let (held, _) = after(position, "deadline*2");
    script::check(&held, "holds=absent", "", "holds=[null]");
    let mut document = json::from_value(&held.snapshot()).unwrap();
    let Json::Object(fields) = &mut document else {
        panic!()
    };
    fields.remove("holds");
    let mut faults = Faults::default();
    Stellar::restore(&Node::root(&document), &mut faults).unwrap();
    assert!(faults.is_empty());
    let warnings = faults.warnings().iter();
    let warnings: Vec<(&str, &str)> = warnings.map(|it| (it.pointer.as_str(), it.code)).collect();
    assert_eq!(warnings, [("/holds", "counts_start_at_zero")]);
}

#[test]
fn ac_the_first_declared_condition_decides_when_two_are_met() {
    let [elimination, domination] = [
        r#"{"type": "elimination"}"#,
        r#"{"type": "domination", "percentage": 0.5}"#,
    ];
    for victory in [
        format!("[{elimination}, {domination}]"),
        format!("[{domination}, {elimination}]"),
    ] {
        check(
            &two(&victory, None),
            "blue owns 0..12",
            "deadline",
            "end.cause=condition end.condition=0",
        );
    }
}
