//! The rules, one statement per test.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

mod script;

use kernel::doc::Named;
use kernel::{Event as _, Game, GameExt, Recorded, Seat, Turn, Viewer, doc, json};
use orcain::{Event, Orcain, Setup};

/// Plays a script from the standard start and compares the last position.
#[track_caller]
fn check(script: &str, expected: &str) {
    check_with("{}", script, expected);
}

/// The same with a different setup.
#[track_caller]
fn check_with(setup: &str, script: &str, expected: &str) {
    let (position, _) = play(setup, script);
    assert_eq!(position.to_string(), expected, "{script}");
}

fn play(setup: &str, script: &str) -> (Orcain, Vec<Event>) {
    let setup = json::read(setup.as_bytes()).unwrap();
    let mut position = Orcain::start(&doc::parse::<Setup>(&setup).unwrap());
    let events = script::play(&mut position, script);
    (position, events)
}

/// The names of the events that a script causes, without layout events.
fn names(script: &str) -> Vec<&'static str> {
    let (_, events) = play("{}", script);
    let names = events.iter().map(Named::name);
    names
        .filter(|name| !["DRAFT_RECEIVED", "LAYOUT_CONFIRMED"].contains(name))
        .collect()
}

// Rounds and phases.

#[test]
fn a_match_begins_in_the_first_round_at_full_health_with_both_players_silent() {
    check("", "r1 prep 10-10 ---. 0z ---. 0z");
}

#[test]
fn a_round_is_preparation_then_three_reveals_then_the_next_round() {
    check("0 draft:A; 1 draft:D", "r1 prep 10-10 A--? 0z D--? 0z");
    check(
        "0 draft:A; 1 draft:D; deadline",
        "r1 reveal0 10-10 A--? 0z D--? 0z",
    );
    check(
        "0 draft:A; 1 draft:-; deadline; tick*3",
        "r1 reveal3 10-8 A--? 0z ---? 0z",
    );
    check(
        "0 draft:A; 1 draft:-; deadline; tick*4",
        "r2 prep 10-8 ---. 0z ---. 0z",
    );
}

#[test]
fn a_round_reports_its_parts_in_order() {
    assert_eq!(
        names("round ADH CAD"),
        [
            "ROUND_FINALIZED",
            "STEP_REVEALED",
            "STEP_REVEALED",
            "STEP_REVEALED",
            "ROUND_ENDED",
            "ROUND_STARTED",
        ]
    );
}

#[test]
fn the_second_confirm_finalizes_the_round_without_the_deadline() {
    check("0 confirm:ADH", "r1 prep 10-10 ADH! 0z ---. 0z");
    check(
        "0 confirm:ADH; 1 confirm:CHD",
        "r1 reveal0 10-10 ADH! 0z CHD! 0z",
    );
}

#[test]
fn a_confirm_and_a_draft_wait_for_the_deadline() {
    check(
        "0 confirm:ADH; 1 draft:CHD",
        "r1 prep 10-10 ADH! 0z CHD? 0z",
    );
}

#[test]
fn a_round_is_finalized_once_whether_by_confirms_or_by_the_deadline() {
    let n_finalised = |script| {
        let all = names(script);
        all.iter().filter(|it| **it == "ROUND_FINALIZED").count()
    };
    assert_eq!(n_finalised("0 confirm:ADH; 1 confirm:CHD; tick*4"), 1);
    assert_eq!(n_finalised("round ADH CHD"), 1);
    assert_eq!(n_finalised("round . ."), 1);
}

#[test]
fn the_hand_is_complete_again_in_every_round() {
    check(
        "round ADH ADH; 0 confirm:ADH; 1 draft:ADH",
        "r2 prep 9-9 ADH! 0z ADH? 0z",
    );
}

// Layouts.

#[test]
fn the_last_draft_counts() {
    check("0 draft:ADH; 0 draft:--C", "r1 prep 10-10 --C? 0z ---. 0z");
    check(
        "0 draft:ADH; 0 draft:-; deadline; tick*3",
        "r1 reveal3 10-10 ---? 0z ---. 1z",
    );
}

#[test]
fn a_confirm_replaces_the_draft() {
    check(
        "0 draft:--C; 0 confirm:ADH",
        "r1 prep 10-10 ADH! 0z ---. 0z",
    );
}

#[test]
fn a_partial_layout_leaves_the_other_slots_empty() {
    check(
        "0 draft:A; 1 draft:-A; deadline; tick*3",
        "r1 reveal3 8-8 A--? 0z -A-? 0z",
    );
}

#[test]
fn a_confirm_needs_three_cards() {
    check(
        "0 confirm:A !invalid_layout; 0 confirm:AD !invalid_layout; 0 confirm:ADHC !invalid_layout",
        "r1 prep 10-10 ---. 0z ---. 0z",
    );
}

#[test]
fn a_layout_has_only_cards_of_the_hand() {
    let setup = r#"{"hands": [["attack", "attack", "heal", "counter"],
                              ["defense", "defense", "defense", "defense"]]}"#;
    check_with(
        setup,
        "0 confirm:ADH !invalid_layout; 0 draft:D !invalid_layout; 1 draft:A !invalid_layout;
         0 confirm:AHC; 1 confirm:DDD",
        "r1 reveal0 10-10 AHC! 0z DDD! 0z",
    );
}

#[test]
fn a_card_is_used_at_most_as_often_as_it_is_held() {
    check(
        "0 draft:AA !invalid_layout; 0 confirm:AAD !invalid_layout",
        "r1 prep 10-10 ---. 0z ---. 0z",
    );
    let setup = r#"{"hands": [["attack", "attack", "heal", "counter"],
                              ["attack", "defense", "heal", "counter"]]}"#;
    check_with(
        setup,
        "0 draft:AAA !invalid_layout; 0 draft:AA; 0 confirm:AAC; 1 draft:AA !invalid_layout",
        "r1 prep 10-10 AAC! 0z ---. 0z",
    );
}

#[test]
fn a_draft_has_no_card_beyond_the_last_step() {
    check(
        "0 draft:ADHC !invalid_layout; 0 draft:---A !invalid_layout; 0 draft:ADH-",
        "r1 prep 10-10 ADH? 0z ---. 0z",
    );
}

#[test]
fn a_refused_confirm_keeps_the_draft() {
    check(
        "0 draft:-DA; 0 confirm:AAA !invalid_layout",
        "r1 prep 10-10 -DA? 0z ---. 0z",
    );
}

#[test]
fn a_draft_after_the_confirm_is_refused() {
    check(
        "0 confirm:ADH; 0 draft:C !not_your_turn; 1 draft:C",
        "r1 prep 10-10 ADH! 0z C--? 0z",
    );
}

#[test]
fn a_second_confirm_is_refused() {
    check(
        "0 confirm:ADH; 0 confirm:CHD !not_your_turn; 0 confirm:ADH !not_your_turn",
        "r1 prep 10-10 ADH! 0z ---. 0z",
    );
}

#[test]
fn layouts_are_refused_during_the_reveal() {
    check(
        "0 draft:A; 1 draft:D; deadline; 0 draft:C !not_your_turn; 1 confirm:ADH !not_your_turn;
         tick*3; 0 confirm:ADH !not_your_turn",
        "r1 reveal3 10-10 A--? 0z D--? 0z",
    );
}

#[test]
fn a_seat_that_does_not_exist_plays_nothing_and_cannot_leave() {
    check(
        "2 draft:A !not_your_turn; 15 confirm:ADH !not_your_turn; disconnect 2 !cannot_leave;
         disconnect 0 2 !cannot_leave; disconnect !cannot_leave",
        "r1 prep 10-10 ---. 0z ---. 0z",
    );
}

#[test]
fn drafts_are_counted_and_limited_per_round() {
    let setup = r#"{"drafts_max": 2}"#;
    check_with(
        setup,
        "0 draft:A; 0 draft:D; 0 draft:H !too_many_drafts; 0 confirm:CHD; 1 draft:A",
        "r1 prep 10-10 CHD! 0z A--? 0z",
    );
    check_with(
        setup,
        "0 draft:A; 0 draft:D; 0 draft:H !too_many_drafts; deadline; tick*4; 0 draft:H",
        "r2 prep 10-10 H--? 0z ---. 1z",
    );
}

// Cards.

/// One step of these two cards, from these hit points, with a maximum of 10.
#[track_caller]
fn check_step(cards: &str, hp: u8, expected: &str) {
    let setup = format!(r#"{{"steps": 1, "start_hp": {hp}}}"#);
    let (first, second) = cards.split_once(' ').unwrap();
    let script = format!("0 draft:{first}; 1 draft:{second}; deadline; tick");
    let (position, _) = play(&setup, &script);
    let [first, second] = position.hp();
    assert_eq!(format!("{first}-{second}"), expected, "{cards} from {hp}");
}

#[test]
fn an_attack_deals_two_unless_it_is_blocked_or_countered() {
    check_step("A -", 10, "10-8");
    check_step("- A", 10, "8-10");
    check_step("A A", 10, "8-8");
    check_step("A D", 10, "10-10");
    check_step("A C", 10, "8-10");
    check_step("C A", 10, "10-8");
}

#[test]
fn a_heal_gives_one_before_the_damage_and_never_above_the_maximum() {
    check_step("H -", 9, "10-9");
    check_step("H -", 10, "10-10");
    check_step("H A", 10, "8-10");
    check_step("H A", 9, "8-9");
    check_step("H A", 1, "0-1");
    check_step("H H", 5, "6-6");
    check_step("H D", 5, "6-5");
    check_step("H C", 5, "6-5");
}

#[test]
fn a_block_and_a_counter_do_nothing_to_anything_but_an_attack() {
    for cards in ["D D", "D C", "C C", "D -", "C -", "- -", "- D", "- C"] {
        check_step(cards, 5, "5-5");
    }
}

#[test]
fn hit_points_stop_at_0() {
    check_step("A A", 1, "0-0");
    check_step("A C", 1, "0-1");
}

// Missed rounds.

#[test]
fn a_match_never_ends_after_one_missed_round() {
    check("round . .", "r2 prep 10-10 ---. 1z ---. 1z");
    check("round ADH .", "r2 prep 10-8 ---. 0z ---. 1z");
    check("round . ADH", "r2 prep 8-10 ---. 1z ---. 0z");
}

#[test]
fn two_missed_rounds_in_a_row_lose_by_timeout() {
    check(
        "round . D; round . D",
        "r2 reveal0 10-10 ---. 2z D--? 0z over: seat 1 wins (timeout)",
    );
    check(
        "round D .; round D .",
        "r2 reveal0 10-10 D--? 0z ---. 2z over: seat 0 wins (timeout)",
    );
}

#[test]
fn missing_rounds_that_are_not_in_a_row_does_not_lose() {
    check(
        "round . D; round D D; round . H",
        "r4 prep 10-10 ---. 1z ---. 0z",
    );
    check(
        "round . D; 0 confirm:DHC; 1 confirm:DHC; tick*4; round . D",
        "r4 prep 10-10 ---. 1z ---. 0z",
    );
}

#[test]
fn a_draft_and_a_confirm_both_end_a_streak() {
    check("round . D; round - D", "r3 prep 10-10 ---. 0z ---. 0z");
    check(
        "round . D; 0 confirm:DHC; deadline; tick*4",
        "r3 prep 10-10 ---. 0z ---. 1z",
    );
}

#[test]
fn two_rounds_missed_by_both_are_lost_by_both() {
    check(
        "round . .; round . .",
        "r2 reveal0 10-10 ---. 2z ---. 2z over: everybody loses (timeout)",
    );
    let (position, _) = play("{}", "round . .; round . .");
    let outcome = position.outcome().unwrap();
    assert_eq!(
        [0, 1].map(|idx| outcome.score(Seat::new(idx).unwrap())),
        [-1, -1]
    );
}

#[test]
fn a_player_who_missed_two_rounds_loses_to_one_who_missed_only_the_second() {
    check(
        "round . D; round . .",
        "r2 reveal0 10-10 ---. 2z ---. 1z over: seat 1 wins (timeout)",
    );
    check(
        "round D .; round . .",
        "r2 reveal0 10-10 ---. 1z ---. 2z over: seat 0 wins (timeout)",
    );
}

#[test]
fn missing_rounds_by_turns_does_not_end_the_match() {
    check(
        "round . D; round D .; round . D; round D .",
        "r5 prep 10-10 ---. 0z ---. 1z",
    );
}

#[test]
fn an_empty_draft_counts_as_presence() {
    check("round - -; round - -", "r3 prep 10-10 ---. 0z ---. 0z");
    check(
        "round - A; round - -; round - -",
        "r3 reveal3 8-10 ---? 0z ---? 0z over: seat 1 wins (normal)",
    );
}

#[test]
fn the_steps_of_the_second_missed_round_are_not_played() {
    check(
        "round . ADH; round . ADH",
        "r2 reveal0 8-10 ---. 2z ADH? 0z over: seat 1 wins (timeout)",
    );
    assert_eq!(
        names("round . ADH; round . ADH")[6..],
        ["ROUND_FINALIZED", "MATCH_ENDED"]
    );
}

#[test]
fn streaks_carry_into_sudden_death() {
    check(
        "round D D; round D D; round . D; round . D",
        "r4 reveal0 10-10 ---. 2z D--? 0z over: seat 1 wins (timeout)",
    );
}

// Ends by hit points.

const LOW: &str = r#"{"start_hp": 2}"#;

#[test]
fn a_knocked_out_player_loses_only_after_the_third_step() {
    check_with(
        LOW,
        "0 draft:A; 1 draft:-; deadline; tick",
        "r1 reveal1 2-0 A--? 0z ---? 0z",
    );
    check_with(
        LOW,
        "0 draft:A; 1 draft:-; deadline; tick*3",
        "r1 reveal3 2-0 A--? 0z ---? 0z",
    );
    check_with(
        LOW,
        "0 draft:A; 1 draft:-; deadline; tick*4",
        "r1 reveal3 2-0 A--? 0z ---? 0z over: seat 0 wins (normal)",
    );
}

#[test]
fn a_heal_brings_a_player_back_within_the_round() {
    check_with(LOW, "round A -H", "r2 prep 2-1 ---. 0z ---. 0z");
    check_with(
        LOW,
        "round A -HA",
        "r1 reveal3 0-1 A--? 0z -HA? 0z over: seat 1 wins (normal)",
    );
}

#[test]
fn both_at_0_is_a_draw() {
    check_with(
        LOW,
        "round A A",
        "r1 reveal3 0-0 A--? 0z A--? 0z over: draw (normal)",
    );
    check_with(
        LOW,
        "round A- -A",
        "r1 reveal3 0-0 A--? 0z -A-? 0z over: draw (normal)",
    );
}

#[test]
fn different_hit_points_decide_at_the_round_limit_and_not_before() {
    check("round A -", "r2 prep 10-8 ---. 0z ---. 0z");
    check("round A -; round D D", "r3 prep 10-8 ---. 0z ---. 0z");
    check(
        "round A -; round D D; round D D",
        "r3 reveal3 10-8 D--? 0z D--? 0z over: seat 0 wins (normal)",
    );
}

#[test]
fn equal_hit_points_at_the_limit_lead_to_sudden_death() {
    let (position, events) = play("{}", "round D D; round D D; round D D");
    assert_eq!(position.to_string(), "r4 prep 10-10 ---. 0z ---. 0z");
    assert!(position.is_sudden_death());
    let started = events.last().unwrap();
    let sudden_death = true;
    assert_eq!(
        *started,
        Event::RoundStarted {
            round: 4,
            sudden_death
        }
    );
    assert!(!play("{}", "round D D; round D D").0.is_sudden_death());
}

#[test]
fn sudden_death_ends_with_the_first_difference() {
    check(
        "round D D; round D D; round D D; round D D; round A -",
        "r5 reveal3 10-8 A--? 0z ---? 0z over: seat 0 wins (normal)",
    );
}

#[test]
fn sudden_death_changes_no_card() {
    check(
        "round A A; round A A; round A A; round AHD HAC",
        "r5 prep 3-3 ---. 0z ---. 0z",
    );
}

#[test]
fn the_standard_cap_is_thirty_rounds_and_a_draw_there_is_a_truncation() {
    let rounds = "round D D;".repeat(29);
    check(&rounds, "r30 prep 10-10 ---. 0z ---. 0z");
    check(
        &format!("{rounds} round D D"),
        "r30 reveal3 10-10 D--? 0z D--? 0z over: draw (round_cap, cut off)",
    );
}

#[test]
fn a_win_in_the_last_round_is_not_a_truncation() {
    let setup = r#"{"round_limit": 1, "round_cap": 1, "start_hp": 2}"#;
    check_with(
        setup,
        "round A A",
        "r1 reveal3 0-0 A--? 0z A--? 0z over: draw (normal)",
    );
    check_with(
        setup,
        "round A -",
        "r1 reveal3 2-0 A--? 0z ---? 0z over: seat 0 wins (normal)",
    );
    check_with(
        setup,
        "round D -",
        "r1 reveal3 2-2 D--? 0z ---? 0z over: draw (round_cap, cut off)",
    );
}

#[test]
fn rounds_have_as_many_steps_as_the_setup_says() {
    check_with(
        r#"{"steps": 1}"#,
        "0 confirm:A; 1 confirm:C; tick; tick",
        "r2 prep 8-10 -. 0z -. 0z",
    );
    check_with(
        r#"{"steps": 4}"#,
        "0 confirm:ADHC; 1 confirm:CHDA; tick*5",
        "r2 prep 9-8 ----. 0z ----. 0z",
    );
}

// Departures.

#[test]
fn a_disconnect_loses_at_once_in_every_phase() {
    check(
        "disconnect 0",
        "r1 prep 10-10 ---. 0z ---. 0z over: seat 1 wins (disconnect)",
    );
    check(
        "0 confirm:ADH; disconnect 1",
        "r1 prep 10-10 ADH! 0z ---. 0z over: seat 0 wins (disconnect)",
    );
    check(
        "0 confirm:ADH; 1 draft:-; deadline; tick; disconnect 0",
        "r1 reveal1 10-8 ADH! 0z ---? 0z over: seat 1 wins (disconnect)",
    );
    check(
        "0 confirm:ADH; 1 draft:-; deadline; tick*3; disconnect 0",
        "r1 reveal3 10-8 ADH! 0z ---? 0z over: seat 1 wins (disconnect)",
    );
}

#[test]
fn a_disconnect_counts_even_from_a_knocked_out_opponent() {
    check_with(
        LOW,
        "0 draft:A; 1 draft:-; deadline; tick*3; disconnect 0",
        "r1 reveal3 2-0 A--? 0z ---? 0z over: seat 1 wins (disconnect)",
    );
}

#[test]
fn a_missed_round_gives_no_grace_for_a_disconnect() {
    check(
        "round . D; disconnect 1",
        "r2 prep 10-10 ---. 1z ---. 0z over: seat 0 wins (disconnect)",
    );
}

#[test]
fn a_resignation_loses() {
    check(
        "resign 1",
        "r1 prep 10-10 ---. 0z ---. 0z over: seat 0 wins (resign)",
    );
}

#[test]
fn the_first_to_disconnect_loses_even_if_the_opponent_follows() {
    check(
        "disconnect 1; disconnect 0 !match_over",
        "r1 prep 10-10 ---. 0z ---. 0z over: seat 0 wins (disconnect)",
    );
}

#[test]
fn both_leaving_at_once_is_void() {
    check(
        "disconnect 0 1",
        "r1 prep 10-10 ---. 0z ---. 0z over: void (disconnect)",
    );
    check(
        "round A -; 0 draft:A; 1 draft:-; deadline; tick; disconnect 0 1",
        "r2 reveal1 10-6 A--? 0z ---? 0z over: void (disconnect)",
    );
}

#[test]
fn a_match_that_the_host_calls_off_is_void() {
    for seats in ["0", "1", "0 1"] {
        check(
            &format!("cancel {seats}"),
            "r1 prep 10-10 ---. 0z ---. 0z over: void (cancel)",
        );
    }
}

// The end.

#[test]
fn after_the_end_everything_is_refused_and_changes_nothing() {
    let ends = [
        "round . .; round . .",
        "round . D; round . D",
        "round A -; round D D; round D D",
        "disconnect 0",
        "resign 1",
        "cancel 0 1",
    ];
    let late = "0 draft:A !match_over; 1 confirm:ADH !match_over; 2 draft:A !match_over;
        deadline !match_over; disconnect 0 !match_over; disconnect 0 1 !match_over;
        resign 1 !match_over; cancel 0 1 !match_over; disconnect !match_over";
    for end in ends {
        let (position, events) = play("{}", &format!("{end}; {late}"));
        assert!(matches!(position.turn(), Turn::Over(_)), "{end}");
        let n_ends = events
            .iter()
            .filter(|it| Named::name(*it) == "MATCH_ENDED")
            .count();
        assert_eq!(n_ends, 1, "{end}");
        assert_eq!(Named::name(events.last().unwrap()), "MATCH_ENDED", "{end}");
    }
}

#[test]
fn nothing_is_legal_after_the_end_or_during_the_reveal() {
    for script in ["disconnect 0", "0 draft:A; 1 draft:A; deadline"] {
        let (position, _) = play("{}", script);
        for seat in Seat::first(2) {
            assert!(position.legal(seat).is_empty(), "{script}");
        }
    }
}

// Entries of records.

#[track_caller]
fn check_entry(kind: &str, payload: &str, expected: &[&str]) {
    let (position, payload) = (play("{}", "").0, json::read(payload.as_bytes()).unwrap());
    let mut faults = doc::Faults::default();
    let decoded = position.decode(kind, &doc::Node::root(&payload), &mut faults);
    let told: Vec<String> = match decoded {
        Some(actions) => actions.iter().map(ToString::to_string).collect(),
        None => faults
            .iter()
            .map(|it| format!("{} {}", it.pointer, it.code))
            .collect(),
    };
    assert_eq!(told, expected, "{kind} {payload}");
}

#[test]
fn an_entry_is_read_as_the_action_it_names() {
    check_entry(
        "LAYOUT_DRAFT",
        r#"{"layout": ["attack", null, null]}"#,
        &["draft:A"],
    );
    check_entry(
        "LAYOUT_CONFIRM",
        r#"{"layout": ["attack", "heal", "counter"]}"#,
        &["confirm:AHC"],
    );
}

#[test]
fn an_invalid_entry_is_refused_with_every_fault() {
    check_entry(
        "LAYOUT_CONFIRM",
        r#"{"layout": ["attack", null, "heal"]}"#,
        &["/layout invalid_layout"],
    );
    check_entry("SURRENDER", "{}", &["/type unknown_value"]);
    check_entry(
        "LAYOUT_CONFIRM",
        r#"{"layout": ["attack", "heal"]}"#,
        &["/layout wrong_length"],
    );
    check_entry(
        "LAYOUT_CONFIRM",
        r#"{"layout": ["attack", "grass"], "now": true}"#,
        &["/now unknown_field", "/layout/1 unknown_value"],
    );
    check_entry("LAYOUT_DRAFT", "{}", &["/layout missing"]);
    check_entry(
        "LAYOUT_DRAFT",
        r#"{"layout": ["grass", 1, null]}"#,
        &["/layout/0 unknown_value", "/layout/1 wrong_type"],
    );
}

// Views.

#[test]
fn an_empty_slot_is_null_and_never_a_card() {
    let (position, events) = play("{}", "0 draft:A; 1 draft:--H; deadline; tick");
    let seen = events.last().unwrap().seen_by(Viewer::Public).unwrap();
    assert_eq!(
        String::from_utf8(json::to_canonical(&seen).unwrap()).unwrap(),
        r#"{"cards": ["attack", null], "hp": [10, 8], "round": 1, "step": 0, "type": "STEP_REVEALED"}"#
    );
    let view = json::from_value(&position.view(Viewer::Seat(Seat::SECOND))).unwrap();
    let layout = view.pointer("/own/layout").unwrap();
    assert_eq!(layout.to_string(), r#"[null, null, "heal"]"#);
    let cards = view.pointer("/exchanges/0/cards").unwrap();
    assert_eq!(cards.to_string(), r#"["attack", null]"#);
}

#[test]
fn drafts_and_confirms_are_visible_only_to_their_player() {
    let (_, events) = play("{}", "0 draft:A; 0 confirm:ADH");
    for event in &events {
        assert!(event.seen_by(Viewer::Seat(Seat::FIRST)).is_some());
        assert_eq!(event.seen_by(Viewer::Seat(Seat::SECOND)), None);
        assert_eq!(event.seen_by(Viewer::Public), None);
    }
    assert_eq!(events.len(), 2);
}

#[test]
fn drafts_count_for_a_viewer_only_while_they_can_be_made() {
    let can_draft = |setup, script| {
        let (position, _) = play(setup, script);
        position
            .view(Viewer::Seat(Seat::FIRST))
            .own
            .unwrap()
            .can_draft
    };
    assert!(can_draft("{}", "0 draft:A"));
    assert!(!can_draft(r#"{"drafts_max": 1}"#, "0 draft:A"));
    assert!(!can_draft("{}", "0 confirm:ADH"));
    assert!(!can_draft("{}", "0 draft:A; deadline"));
    assert!(!can_draft("{}", "disconnect 1"));
}

#[test]
fn a_seat_that_does_not_exist_sees_what_the_public_sees_and_may_do_nothing() {
    let (position, _) = play("{}", "0 draft:ADH; 1 draft:C");
    for seat in Seat::first(16).skip(2) {
        let view = position.view(Viewer::Seat(seat));
        assert_eq!(view, position.view(Viewer::Public), "seat {seat}");
        assert!(position.legal(seat).is_empty(), "seat {seat}");
    }
}
