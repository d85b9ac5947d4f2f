//! One test for each resolution of an ambiguity in the specification, A to AD.

use super::*;
use crate::percentage::Percentage;
use crate::setup::Goal;
use crate::state::Hold;
use kernel::{Close, Recorded, Refusal, Verdict};

const FRIGATE: [ShipKind; 1] = [ShipKind::Frigate];
const ELIMINATION: &str = r#"[{"type": "elimination"}]"#;
const DOMINATION: &str = r#"[{"type": "domination", "percentage": 0.5}]"#;
const HILL_3: &str = r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 3}]"#;

fn held(holder: Seat, n_turns: u32) -> Option<Hold> {
    Some(Hold { holder, n_turns })
}

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
fn b_survival_counts_for_survivors_only_and_the_rest_for_everybody() {
    let victory = r#"[{"type": "survival", "turns": 1}]"#;
    let setup = Setup::with_survivors(bare(2, 12, victory, None), 1, SeatSet::only(RED)).unwrap();
    let mut desk = Desk::with(&setup).own(BLUE, 0..5).own(RED, 5..6);
    desk.resolve();
    assert_eq!(desk.end(), Some((Some(RED), Cause::Condition(0), 1)));
    for victory in [
        DOMINATION,
        r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 1}]"#,
    ] {
        let mut desk = Desk::new(2, 12, victory, None)
            .own(RED, 0..7)
            .own(BLUE, 7..8);
        desk.resolve();
        assert_eq!(desk.end(), Some((Some(RED), Cause::Condition(0), 1)));
    }
}

#[test]
fn c_every_hill_is_counted_before_any_condition_is_checked() {
    let victory = r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 1},
                      {"type": "king_of_the_hill", "systemId": "sys-0002", "turnsHeld": 5}]"#;
    let mut desk = Desk::new(2, 12, victory, None)
        .own(BLUE, 0..1)
        .own(RED, 1..2);
    desk.resolve();
    assert_eq!(desk.end(), Some((Some(BLUE), Cause::Condition(0), 1)));
    assert_eq!(desk.at.holds(), [held(BLUE, 1), held(RED, 1)]);
}

#[test]
fn d_the_tie_break_is_among_those_who_satisfy_the_condition_only() {
    let victory = r#"[{"type": "survival", "turns": 1}]"#;
    let both = SeatSet::first(2);
    let setup = Setup::with_survivors(bare(3, 12, victory, None), 1, both).unwrap();
    let mut desk = Desk::with(&setup)
        .own(BLUE, 0..1)
        .own(RED, 1..3)
        .own(green(), 3..9);
    desk.resolve();
    assert_eq!(desk.end(), Some((Some(RED), Cause::Condition(0), 1)));
}

#[test]
fn e_only_the_living_eliminate() {
    let mut desk = Desk::new(3, 12, ELIMINATION, None).own(RED, 0..1);
    desk.at.alive = SeatSet::only(RED);
    desk.resolve();
    assert_eq!(desk.end(), Some((Some(RED), Cause::Condition(0), 1)));
}

#[test]
fn f_unarmed_ships_count_and_neutral_systems_and_armies_do_not() {
    let mut tanker =
        Desk::new(2, 12, ELIMINATION, None)
            .own(BLUE, 0..2)
            .fleet(RED, 5, &[ShipKind::Tanker]);
    tanker.resolve();
    assert!(!tanker.is_over(), "a tanker is a fleet");
    let mut army = Desk::new(2, 12, ELIMINATION, None)
        .own(BLUE, 0..2)
        .army(RED, 7, 0);
    army.at.owners[7] = None;
    army.at.armies[0].post = Post::Ground(SystemIdx(1), 0);
    let mut army = army.army(BLUE, 1, 0);
    army.resolve();
    assert_eq!(army.end(), Some((Some(BLUE), Cause::Condition(0), 1)));
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
    assert_eq!(setup.world().goals(), [Goal::Domination(11)]);
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
fn j_ground_fights_without_ships_do_not_stop_the_hill() {
    let mut desk = Desk::new(2, 12, HILL_3, None)
        .own(BLUE, 0..1)
        .own(RED, 1..2)
        .army(BLUE, 0, 0)
        .army(BLUE, 0, 0)
        .army(RED, 0, 0);
    desk.resolve();
    assert_eq!(desk.at.holds()[0], held(BLUE, 1));
    assert!(
        desk.events
            .iter()
            .any(|it| matches!(it, Event::GroundCombat { .. }))
    );
}

#[test]
fn k_a_foreign_fleet_alone_contests_the_hill_but_no_other_orbit() {
    let mut desk = Desk::new(2, 12, HILL_3, None)
        .own(BLUE, 0..1)
        .fleet(RED, 0, &FRIGATE);
    desk.resolve();
    assert_eq!(desk.at.holds()[0], None);
    let presence = desk.at.presence();
    assert!(
        !presence.is_contested(SystemIdx(0)),
        "a single faction contests nothing"
    );
    assert!(!presence.is_clean_for(SystemIdx(0), BLUE) && presence.is_clean_for(SystemIdx(0), RED));
}

#[test]
fn l_a_new_owner_starts_at_one_and_hills_are_independent() {
    let victory = r#"[{"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 9},
                      {"type": "king_of_the_hill", "systemId": "sys-0001", "turnsHeld": 2}]"#;
    let desk = Desk::new(2, 12, victory, None)
        .own(BLUE, 0..1)
        .own(RED, 1..2);
    assert_eq!(
        desk.at.holds(),
        [None, None],
        "the initial state counts nothing"
    );
    let mut desk = desk;
    desk.resolve();
    assert_eq!(desk.at.holds(), [held(BLUE, 1), held(BLUE, 1)]);
    let mut desk = Desk {
        at: desk.at,
        events: Vec::new(),
    }
    .own(RED, 0..1)
    .own(BLUE, 3..4);
    desk.resolve();
    assert_eq!(desk.at.holds(), [held(RED, 1), held(RED, 1)]);
    desk.resolve();
    assert_eq!(desk.end(), Some((Some(RED), Cause::Condition(1), 3)));
}

#[test]
fn l2_a_contested_hill_resets_the_count_instead_of_pausing_it() {
    let mut desk = Desk::new(2, 12, HILL_3, None)
        .own(BLUE, 0..1)
        .own(RED, 1..2);
    desk.resolve_turns(2);
    let mut desk = Desk {
        at: desk.at,
        events: Vec::new(),
    }
    .fleet(RED, 0, &FRIGATE);
    desk.resolve();
    desk.at.fleets.clear();
    desk.resolve();
    assert_eq!(desk.at.holds()[0], held(BLUE, 1));
}

#[test]
fn m_only_the_end_of_a_turn_counts() {
    // Red's frigate passes the hill during the turn and ends it elsewhere.
    let mut desk = Desk::new(2, 12, HILL_3, None)
        .own(BLUE, 0..1)
        .own(RED, 1..2);
    let hill = desk.at.galaxy().at(SystemIdx(0));
    let before = crate::space::Point {
        x: hill.x - 10_000,
        ..hill
    };
    desk = desk.fleet(RED, 1, &FRIGATE);
    desk.at.fleets[0].place = Place::Moving {
        at: before,
        to: SystemIdx(1),
    };
    desk.resolve();
    assert_eq!(desk.at.holds()[0], held(BLUE, 1));
}

#[test]
fn n_survival_holds_at_the_end_of_its_turn_and_later() {
    let victory = r#"[{"type": "survival", "turns": 2}]"#;
    let mut desk = Desk::new(2, 12, victory, None)
        .own(BLUE, 0..1)
        .own(RED, 1..2);
    desk.at.turn = 5;
    desk.resolve();
    assert_eq!(desk.end(), Some((Some(BLUE), Cause::Condition(0), 5)));
}

#[test]
fn o_survival_at_the_cap_wins() {
    let victory = r#"[{"type": "survival", "turns": 3}]"#;
    let mut desk = Desk::new(2, 12, victory, Some(3))
        .own(BLUE, 0..1)
        .own(RED, 1..9);
    desk.resolve_turns(3);
    assert_eq!(desk.end(), Some((Some(BLUE), Cause::Condition(0), 3)));
}

#[test]
fn p_survival_beyond_the_cap_is_never_an_error() {
    let objectives = r#"{"victory": [{"type": "survival", "turns": 99}],
                         "constraints": {"maxTurns": 9}}"#;
    let report = scenario::examine(&with_objectives(objectives));
    assert!(report.scenario.is_some() && !report.has_errors());
}

#[test]
fn q_power_is_compared_among_those_tied_on_control_only() {
    let mut desk = Desk::new(3, 12, "[]", Some(1))
        .own(BLUE, 0..2)
        .own(RED, 2..4)
        .own(green(), 4..5)
        .fleet(BLUE, 0, &FRIGATE)
        .fleet(green(), 4, &[ShipKind::Carrier]);
    desk.resolve();
    assert_eq!(desk.end(), Some((Some(BLUE), Cause::Power, 1)));
    let mut nothing = Desk::new(2, 12, "[]", Some(1))
        .own(BLUE, 0..2)
        .own(RED, 2..4);
    nothing.resolve();
    assert_eq!(nothing.end(), Some((None, Cause::Draw, 1)));
}

#[test]
fn r_power_is_the_remaining_hull() {
    let mut desk = Desk::new(2, 12, "[]", Some(1))
        .fleet(BLUE, 0, &[ShipKind::Carrier])
        .fleet(RED, 2, &[ShipKind::Destroyer]);
    desk.at.fleets[0].ships[0].hull = 599;
    assert_eq!(desk.at.score(BLUE).power, 599);
    desk.resolve();
    assert_eq!(desk.end(), Some((Some(RED), Cause::Power, 1)));
}

#[test]
fn s_no_condition_means_elimination_and_no_objectives_is_an_error() {
    assert_eq!(
        codes(r#"{"victory": [], "constraints": {"maxTurns": 9}}"#),
        ["warning:empty_victory"]
    );
    assert_eq!(codes("null"), ["error:wrong_type"]);
    let mut desk = Desk::new(2, 12, "[]", None).own(BLUE, 0..2);
    desk.resolve();
    assert_eq!(desk.end(), Some((Some(BLUE), Cause::Condition(0), 1)));
    assert_eq!(
        desk.at.ending().unwrap().cause.code(desk.at.world()),
        "elimination"
    );
}

#[test]
fn t_a_missing_cap_gets_a_warning_and_a_failed_survival_is_reported() {
    assert_eq!(
        codes(r#"{"victory": [{"type": "elimination"}]}"#),
        ["warning:may_not_terminate"]
    );
    let mut desk = Desk::new(2, 12, ELIMINATION, None)
        .own(BLUE, 0..2)
        .own(RED, 2..3);
    desk.at.turn = crate::constants::TURNS_MAX;
    desk.resolve();
    let outcome = desk.at.outcome().unwrap();
    assert_eq!(
        (outcome.close, outcome.verdict),
        (Close::Truncated, Verdict::Winner(BLUE))
    );
    let victory = r#"[{"type": "survival", "turns": 9}]"#;
    let mut lost = Desk::new(3, 12, victory, Some(20))
        .own(RED, 0..2)
        .own(green(), 2..4);
    lost.at.alive = lost.at.alive.with(BLUE);
    lost.resolve_unsound();
    assert!(lost.happened(&Event::Eliminated(BLUE)));
    assert!(lost.happened(&Event::SurvivalFailed(BLUE)));
    assert!(!lost.is_over());
}

#[test]
fn u_the_match_continues_for_the_others_when_a_player_is_gone() {
    let mut desk = Desk::new(3, 12, ELIMINATION, Some(9))
        .own(RED, 0..2)
        .own(green(), 2..4);
    desk.at.alive = desk.at.alive.with(BLUE);
    desk.resolve_unsound();
    assert!(!desk.is_over());
    let turn = desk.at.turn();
    assert!(!turn.open().contains(BLUE) && turn.open().len() == 2);
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
            let galaxy = crate::Galaxy::generate(&scenario, seed).unwrap();
            assert_eq!(galaxy.find(id).is_some(), exists, "{id} after generation");
        }
    }
}

#[test]
fn y_no_condition_is_checked_before_the_first_turn() {
    let desk = Desk::new(2, 12, DOMINATION, None)
        .own(BLUE, 0..12)
        .fleet(RED, 3, &FRIGATE);
    assert!(!desk.is_over());
    let mut document = with_objectives(
        r#"{"victory": [{"type": "domination", "percentage": 0.2}], "constraints": {"maxTurns": 9}}"#,
    );
    let (report, _) = crate::survey(&document, 1);
    assert_eq!(report.codes(), ["warning:already_satisfied"]);
    document = with_objectives(
        r#"{"victory": [{"type": "domination", "percentage": 0.21}], "constraints": {"maxTurns": 9}}"#,
    );
    assert!(crate::survey(&document, 1).0.findings.is_empty());
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
    let mut desk = Desk::of(scenario)
        .fleet(BLUE, 3, &FRIGATE)
        .fleet(RED, 3, &FRIGATE)
        .own(green(), 0..1);
    desk.resolve();
    assert!(
        desk.events
            .iter()
            .any(|it| matches!(it, Event::Fought { .. }))
    );
}

#[test]
fn aa_the_result_is_frozen_and_complete() {
    let mut desk = Desk::new(2, 12, DOMINATION, None)
        .own(BLUE, 0..6)
        .own(RED, 6..8)
        .fleet(RED, 6, &FRIGATE);
    desk.resolve();
    let ending = desk.at.ending().cloned().unwrap();
    assert_eq!(
        (ending.winner, ending.cause, ending.turn),
        (Some(BLUE), Cause::Condition(0), 1)
    );
    let scores: Vec<(u32, u64)> = ending
        .scores
        .iter()
        .map(|it| (it.n_systems, it.power))
        .collect();
    assert_eq!(scores, [(6, 0), (2, 300)]);
    for step in [
        Step::Deadline,
        Step::Play(BLUE, Action::Done),
        Step::Chance(Draw(0)),
    ] {
        assert_eq!(desk.at.apply(step, &mut desk.events), Err(Refusal::Over));
    }
    assert_eq!(desk.at.ending(), Some(&ending));
}

#[test]
fn ab_a_snapshot_without_counts_starts_them_at_zero() {
    let mut desk = Desk::new(2, 12, HILL_3, None)
        .own(BLUE, 0..1)
        .own(RED, 1..2);
    desk.resolve_turns(2);
    let mut document = json::from_value(&desk.at.snapshot()).unwrap();
    let Json::Object(fields) = &mut document else {
        panic!()
    };
    fields.remove("holds");
    let mut faults = kernel::doc::Faults::default();
    let loaded = Stellar::restore(&kernel::doc::Node::root(&document), &mut faults).unwrap();
    assert!(faults.is_empty());
    assert_eq!(loaded.holds(), [None]);
    let warnings: Vec<(&str, &str)> = faults
        .warnings()
        .iter()
        .map(|it| (it.pointer.as_str(), it.code))
        .collect();
    assert_eq!(warnings, [("/holds", "counts_start_at_zero")]);
}

#[test]
fn ac_the_first_declared_condition_decides_when_two_are_met() {
    let both = |victory: &str| {
        let mut desk = Desk::new(2, 12, victory, None).own(BLUE, 0..12);
        desk.resolve();
        desk.end().map(|it| it.1)
    };
    let [elimination, domination] = [
        r#"{"type": "elimination"}"#,
        r#"{"type": "domination", "percentage": 0.5}"#,
    ];
    for victory in [
        format!("[{elimination}, {domination}]"),
        format!("[{domination}, {elimination}]"),
    ] {
        assert_eq!(both(&victory), Some(Cause::Condition(0)));
    }
}

#[test]
fn ad_no_faction_may_be_called_draw() {
    let mut scenario = bare(2, 12, ELIMINATION, Some(9));
    scenario.setup.factions[1].id = "draw".into();
    scenario.setup.initial_fleets[1].owner_faction_id = "draw".into();
    let codes = scenario::examine(&scenario.document(scenario::Dialect::File)).codes();
    assert_eq!(codes, ["error:reserved_id"]);
}
