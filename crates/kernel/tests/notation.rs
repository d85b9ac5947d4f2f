//! Positions as one line of text.

#![allow(clippy::unwrap_used, reason = "a missing value fails the test")]

mod toys;

use kernel::{Game, notation};
use toys::armada::{self, Armada};
use toys::smugglers::{self, Smugglers};

fn start() -> Smugglers {
    Smugglers::start(&smugglers::Setup::default())
}

/// Reads an edited start position and compares how it is written, or what is wrong with it.
#[track_caller]
fn check(text: &str, expected: &str) {
    let told = match notation::read(&start(), text) {
        Ok(position) => notation::write(&start(), &position),
        Err(faults) => faults.one_line(),
    };
    assert_eq!(told, expected, "{text}");
}

#[test]
fn a_position_is_written_as_what_differs_from_the_base() {
    check("", "");
    check("turn=2 phase=roll", "turn=2");
    check("end={by:left,winner:1}", "end={by:left,winner:1}");
}

#[test]
fn the_items_of_a_list_are_written_unless_the_whole_is_shorter() {
    check("points=[0,1]", "points.1=1");
    check("points=[1,1]", "points=[1,1]");
    check("hands.1.2=2 bag.2=4", "bag.2=4 hands.1.2=2");
    let base = Armada::start(&armada::Setup::default());
    let other = armada::Setup {
        max_turns: 3,
        ..armada::Setup::default()
    };
    assert_eq!(
        notation::write(&base, &Armada::start(&other)),
        "setup.max_turns=3"
    );
}

#[test]
fn a_person_may_add_and_subtract_and_edit_twice() {
    check("hands.0.1+=3 bag.1-=4 hands.0.1+=1", "bag.1=2 hands.0.1=4");
    check(
        r#"end = {"by": "left", "winner": 1}"#,
        r#"at the document: expected =, += or -= after the path in "end"; at the document: expected a key in "="; at the document: expected a key in "{\"by\": \"left\", \"winner\": 1}""#,
    );
    check(
        r#"end={"by": "left", "winner": 1}"#,
        "end={by:left,winner:1}",
    );
}

#[test]
fn every_malformed_edit_is_reported() {
    check(
        "turn phase=roll,1 bag=[1 2] turn=",
        r#"at the document: expected =, += or -= after the path in "turn"; at the document: expected the end before ",1" in "phase=roll,1"; at the document: expected a comma or ] in "bag=[1 2]"; at the document: expected a value in "turn=""#,
    );
    check(
        "end={by:left,by:left} =1 turn=1=2 phase=\"x",
        r#"at the document: expected the key "by" once in "end={by:left,by:left}"; at the document: expected a key in "=1"; at the document: expected the end before "=2" in "turn=1=2"; at the document: expected a closing quote in "phase=\"x""#,
    );
}

#[test]
fn every_edit_of_a_place_that_does_not_exist_is_reported() {
    check(
        "hands.2.0=1 setup.n_each.x=1 due=absent due=absent",
        "at /hands/2: the position has nothing at this place; \
         at /setup/n_each/x: the position has nothing at this place; \
         at /due: the position has nothing at this place",
    );
    check(
        "phase+=1 turn+=x bag.0=absent hands-=7",
        "at /phase: expected an integer or a list, found roll; \
         at /turn: expected an integer to add, found x; \
         at /bag/0: an item of a list cannot be absent: use -= or write the whole list; \
         at /hands: the list has no item 7",
    );
}

#[test]
fn the_game_refuses_an_impossible_position_with_every_fault() {
    check(
        "hands.0.0=1 turn=0.5 extra=1",
        "at /extra: unknown field \"extra\"; the fields are bag, due, end, hands, phase, points, \
         setup, turn, schema_version, game_id, rng_state, log; \
         at /turn: expected an integer from 1 to 500, found 0.5",
    );
    check(
        "hands.0.0=1 phase=steal",
        "at /bag: bag and hands contain 7 rum in total, not n_each; \
         at /phase: there is nothing to draw or steal",
    );
}
