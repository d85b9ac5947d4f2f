//! In the seven shipped scenarios of moderate size, a commander of higher skill wins more than 55 %
//! of its matches against one of the next lower skill (the lower bound of 400 matches), simple
//! scripts lose at least 85 %, and conditions end more than 85 % of the matches between equals.
//!
//! Promise: A commander of higher skill beats one of lower skill, whatever decides the match.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use stellar::{Setup, shipped};
use stellar_bots::Script;
use stellar_bots::ladder::{Results, Side, play};

const N_GAMES: u32 = 400;

fn results(name: &str, sides: [Side; 2]) -> Results {
    let setup = Setup::new(shipped::scenario(name).unwrap(), 0).unwrap();
    play(&setup.with_open_galaxy(), sides, N_GAMES, 7).unwrap()
}

/// The shipped scenarios except two: matches of `thousand_suns` are too long to play many of them, and
/// `first_orders` is a tutorial that blue always wins.
const SMALL: [&str; 7] = [
    "skirmish",
    "crown_of_stars",
    "land_rush",
    "last_stand",
    "six_houses",
    "the_bridge",
    "three_crowns",
];

#[test]
fn each_skill_beats_the_one_below_it() {
    for name in SMALL {
        for [strong, weak] in [["", "-2"], ["-2", "-1"]] {
            let won = results(name, [Side::Skill(strong), Side::Skill(weak)]).won;
            assert!(
                won.low > 0.55,
                "{name}, {strong:?} against {weak:?}: {won:?}"
            );
        }
    }
}

#[test]
fn every_script_loses_at_least_85_percent() {
    for name in SMALL {
        for script in Script::names() {
            let won = results(name, [Side::Skill(""), Side::Script(script)]).won;
            assert!(won.rate >= 0.85, "{name}, {script}: {won:?}");
        }
    }
}

#[test]
fn conditions_end_most_matches_between_equal_commanders() {
    for name in SMALL {
        let by_condition = results(name, [Side::Skill(""); 2]).by_condition;
        assert!(by_condition > 0.85, "{name}: {by_condition}");
    }
}
