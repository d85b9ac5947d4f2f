//! Matches as text: every kind of input and expectation, and how a wrong one is reported.

#![cfg(feature = "conformance")]
#![allow(clippy::unwrap_used, reason = "a missing value fails the test")]

mod toys;

use std::panic::catch_unwind;

use kernel::{Game, script};
use toys::smugglers::{Setup, Smugglers};

#[track_caller]
fn check(given: &str, script: &str, expected: &str) {
    script::check(
        &Smugglers::start(&Setup::default()),
        given,
        script,
        expected,
    );
}

/// The message with which a wrong test fails.
#[track_caller]
fn failure(given: &str, script: &str, expected: &str) -> String {
    let panic = catch_unwind(|| check(given, script, expected)).unwrap_err();
    *panic.downcast::<String>().unwrap()
}

const RICH: &str = "hands=[[4,3,0,0],[0,1,0,0]] bag=[2,2,6,6]";

#[test]
fn inputs_are_played_in_order() {
    check(
        RICH,
        "0 roll; chance [3,3]; chance silk; 0 sell:rum sell:salt end",
        "turn=2 points.0=2 hands=[[1,0,1,0],[0,1,0,0]] waits_for=seat:1
         events=[ROLLED,DREW,SOLD,SOLD,TURN_ENDED]",
    );
}

#[test]
fn an_input_is_repeated() {
    check(
        RICH,
        "0 roll; chance [1,6]; 0 discard:rum*3; chance salt; 0 end; deadline",
        "hands=[[1,4,0,0],[0,0,0,0]] phase=dice waits_for=chance",
    );
}

#[test]
fn seats_leave_together() {
    check("", "resign 1", "end={by:left,winner:0} waits_for=over");
    check("", "cancel 0 1", "end.by=void end.winner=null");
    check("", "disconnect !cannot_leave", "end=null");
}

#[test]
fn a_mark_concerns_the_last_action() {
    check(
        RICH,
        "0 roll ?; 1 roll !not_your_turn; chance silk !no_chance_due",
        "phase=roll events=[]",
    );
    let trade = format!("{RICH} phase=trade");
    check(
        &trade,
        "0 sell:rum ?; 0 sell:rum sell:rum !illegal_action; 0 end ?",
        "points=[1,0] turn=1",
    );
}

#[test]
fn views_are_expected_by_viewer() {
    check(
        RICH,
        "",
        "view0.hand=[4,3,0,0] view1.hand=[0,1,0,0] view.hand=null view.n_hand.0=7 view.x=absent",
    );
}

#[test]
fn a_wrong_expectation_is_reported_with_the_position() {
    assert_eq!(
        failure(
            RICH,
            "0 roll",
            "phase=trade turn=1 end.by=left waits_for=over"
        ),
        "phase: expected trade, found dice\n\
         end.by: expected left, found nothing\n\
         waits_for: expected over, found chance\n\
         after [0 roll] the position is [bag=[2,2,6,6] hands=[[4,3,0,0],[0,1,0,0]] phase=dice]"
    );
    let told = failure("", "", "turn+=1 turn");
    assert!(
        told.starts_with("expected =, += or -= after the path in \"turn\"\n"),
        "{told}"
    );
    assert!(
        told.contains("turn: an expectation has the form path=value\n"),
        "{told}"
    );
}

#[test]
fn an_input_that_does_something_else_is_reported() {
    for (script, expected) in [
        (
            "1 roll",
            "1 roll: seat 1 has nothing to decide now\nafter [1 roll] the position is []",
        ),
        (
            "0 roll end",
            "0 roll end: chance is due first\nafter [0 roll end] the position is [phase=dice]",
        ),
        (
            "0 roll !illegal_action",
            "0 roll !illegal_action: expected the refusal illegal_action, but it was accepted\n",
        ),
        (
            "0 end !wrong",
            "0 end !wrong: expected the refusal wrong, found illegal_action\n",
        ),
        (
            "0 end ?",
            "0 end ?: seat 0 cannot play this now (illegal_action)\n",
        ),
        (
            "0 dance",
            "0 dance: dance: expected roll, discard:, sell: or end\n",
        ),
        ("0", "0: expected an action\n"),
        (
            "0 roll; chance [7,1]",
            "chance [7,1]: at /0: expected an integer from 1 to 6, found 7\n",
        ),
        (
            "0 roll; chance [1",
            "chance [1: expected a comma or ] in \"[1\"\n",
        ),
        ("tick", "tick: the position does not wait for a tick\n"),
        ("resign x", "resign x: expected a seat, found \"x\"\n"),
        ("0 roll*x", "0 roll*x: expected a number after *\n"),
        (
            "dance",
            "dance: expected a seat, chance, deadline, tick, ticks or a departure\n",
        ),
    ] {
        let told = failure("", script, "");
        assert!(told.starts_with(expected), "{told}");
    }
}

#[test]
fn an_impossible_position_is_reported_with_every_fault() {
    assert_eq!(
        failure("turn=99 bag.0=5", "", ""),
        "at /bag: bag and hands contain 5 rum in total, not n_each\n\
         at /turn: this turn is after the turn cap\n\
         in [turn=99 bag.0=5]"
    );
}
