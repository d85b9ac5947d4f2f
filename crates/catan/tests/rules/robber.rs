//! The robber.

use super::*;

#[test]
fn the_robber_blocks_its_tile() {
    let given = board([
        Side {
            settlements: &[3, 33],
            roads: &[&[3, 4], &[33, 34]],
            longest: 1,
        },
        Side {
            settlements: &[37, 53],
            roads: &[&[36, 37], &[52, 53]],
            longest: 1,
        },
    ]);
    let given = format!("{given} {TO_ROLL}");
    let one_wool = hand([0, 0, 1, 0, 0]);
    check(
        &given,
        "0 roll; chance [3,3]",
        &format!("players.0.resources={one_wool}"),
    );
    let nothing = hand([0; 5]);
    check(
        &format!("{given} board.tiles.0.has_robber=false board.tiles.3.has_robber=true"),
        "0 roll; chance [3,3]",
        &format!("players.0.resources={nothing}"),
    );
}

#[test]
fn a_friendly_robber_spares_the_weak() {
    let given = format!(
        "{} variant.friendly_robber=true turn.phase=MOVE_ROBBER turn.dice.last_roll=[3,4]
         turn.dice.robber_triggered=true",
        plain()
    );
    check(&given, "0 robber:8 !friendly_robber; 0 robber:14 ?", "");
    let strong = "players.1.settlements=[] players.1.cities=[37,53] players.1.victory_points=4";
    check(
        &format!("{given} {strong}"),
        "0 robber:8 ?; 0 robber:0 !robber_must_move",
        "",
    );
}
