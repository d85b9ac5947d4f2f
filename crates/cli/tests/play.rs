//! `referee play` with piped input.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue must fail")]

mod command;

use catalog::GameName;
use command::scratch;

/// The output of a match with this input. The program must not fail.
fn play(args: &[&str], input: &str) -> String {
    run(&[&["play"], args].concat(), input)
}

fn run(args: &[&str], input: &str) -> String {
    let output = command::run(args, input);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

// Promise: Leaving a match in the terminal does not resign it.
#[test]
fn every_game_explains_itself_and_can_be_left_without_a_result() {
    let dir = scratch("play-left");
    for game in GameName::ALL {
        for (nth, input) in ["help\nquit\n", "help\n"].into_iter().enumerate() {
            let file = dir.join(format!("{game}-{nth}.jsonl"));
            let file = file.to_str().unwrap();
            let args = [game.as_str(), "--against", "random", "--out", file];
            let said = play(&args, input);
            for part in [
                "Also: help, show, wait, resign, quit.",
                "Legal now:",
                "  quit    leaves the match without a result",
                "You left the match. It has no result: nobody won or lost.",
                "The record so far is in ",
            ] {
                assert!(said.contains(part), "{game}: no {part:?} in:\n{said}");
            }
            assert!(!said.contains("Over: "), "{game}: {said}");
            let verdict = run(&["verify", file], "");
            assert!(verdict.contains("not over yet"), "{game}: {verdict}");
        }
    }
}

#[test]
fn commands_are_understood_in_any_case() {
    let said = play(&["orcain", "--seed", "1"], "HELP\n Quit \n");
    assert!(said.contains("Legal now:"), "{said}");
    assert!(said.contains("You left the match."), "{said}");
    assert!(!said.contains("is not legal now"), "{said}");
    let said = play(&["orcain", "--seed", "1"], "Resign\n");
    assert!(said.contains("Over: seat 1 wins (resign)"), "{said}");
}

#[test]
fn resigning_is_a_word_of_its_own() {
    let said = play(&["orcain", "--seed", "1"], "resign\n");
    assert!(said.contains("Over: seat 1 wins (resign)"), "{said}");
    assert!(!said.contains("You left"), "{said}");
}

#[test]
fn orcain_explains_its_rules_and_takes_first_letters() {
    let said = play(
        &["orcain", "--seed", "4", "--against", "random"],
        "adh\nshow\n",
    );
    for part in [
        "  A  attack   the opponent loses 2, unless they defend or counter",
        "  H  heal     you gain 1, up to 10, before any damage of the step",
        "adh plays attack, defense, heal",
        "step 1: attack ",
        "step 3: heal ",
        "Round 2 of 3",
    ] {
        assert!(said.contains(part), "no {part:?} in:\n{said}");
    }
}

#[test]
fn a_draft_can_be_changed_until_the_time_runs_out() {
    let args = ["orcain", "--seed", "4", "--against", "random"];
    let drafted = play(&args, "draft:A-H\nwait\n");
    assert!(drafted.contains("step 2: nothing"), "{drafted}");
    let changed = play(&args, "draft:A-H\nadh\n");
    assert!(changed.contains("step 2: defense"), "{changed}");
}

#[test]
fn stellar_shows_a_map_names_and_distances() {
    let said = play(
        &["stellar", "--scenario", "first_orders", "--seed", "1"],
        "",
    );
    let map: Vec<&str> = said
        .lines()
        .filter(|line| line.contains(" ly across"))
        .collect();
    assert_eq!(map.len(), 1, "one map: {said}");
    for part in [
        "Turn 1 of 12 · A blue (you) 1 · B red 1",
        "To win: own 5 systems.",
        "A blue, B red · + your fleet · ! another fleet · * hill",
        "  fleet 0 at ",
        ": 1 cruiser, 2 frigates",
        ": 3 troop transports, 3 armies",
        "    near: ",
        " turns)",
    ] {
        assert!(said.contains(part), "no {part:?} in:\n{said}");
    }
}

#[test]
fn an_order_of_stellar_is_one_line_with_numbers_or_names() {
    let args = ["stellar", "--scenario", "first_orders", "--seed", "1"];
    let start = play(&args, "");
    // The nearest targets of the transports: `near: 3 Some Name 7.1 ly (2 turns), …`.
    let targets = start.lines().filter(|line| line.contains("near: ")).nth(1);
    let (_, targets) = targets.unwrap().split_once("near: ").unwrap();
    let target = targets.split(" ly").next().unwrap();
    let (target, _distance) = target.rsplit_once(' ').unwrap();
    let (number, name) = target.split_once(' ').unwrap();
    let ordered = format!("order: invade {number} {name}");
    for order in [
        format!("1 invade {name} any"),
        format!("fleet 1 invade {number} any"),
        format!("fleet:1\ninvade\nsystem:{number}\nbody:any"),
        format!("1 INVADE {} body:any", name.to_uppercase()),
    ] {
        let said = play(&args, &format!("{order}\ndone\n"));
        assert!(said.contains(&ordered), "{order}: {said}");
        assert!(said.contains("Turn 2 of 12"), "{order}: {said}");
        assert_eq!(said.matches(" ly across").count(), 2, "a map for each turn");
    }
}

#[test]
fn a_line_that_is_not_legal_changes_nothing_and_says_why() {
    let args = ["stellar", "--scenario", "first_orders", "--seed", "1"];
    let said = play(&args, "0 move Nowhere\nmove 3\ndone done\n");
    for part in [
        "\"Nowhere\" is not legal after \"0 move\"; help lists the legal actions",
        "\"move 3\" is not legal now: ",
        "\"done\" comes after the turn, which \"done\" ends",
    ] {
        assert!(said.contains(part), "no {part:?} in:\n{said}");
    }
    assert!(
        !said.contains("order: ") && !said.contains("Turn 2"),
        "{said}"
    );
}
