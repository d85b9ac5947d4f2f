//! The longest road, and where roads can be built.

use kernel::{Seat, words};

use super::*;

/// Turn 2. Player 0 has the longest road, around the center, and player 1 can cut it at 20.
fn to_cut(road: &[u8], len: u8, other: &[u8], other_len: u8) -> String {
    let sides = [
        Side {
            settlements: &[3, 31],
            roads: &[&[3, 4], road],
            longest: len,
        },
        Side {
            settlements: &[34, 53],
            roads: &[&[52, 53], other],
            longest: other_len,
        },
    ];
    let given = board(sides);
    let cards = gives(1, catan::SETTLEMENT_COST);
    format!(
        "{given} turn.number=2 turn.current_player=1 longest_road_owner=0
         players.0.victory_points=4{cards}"
    )
}

#[test]
fn longest_road_is_lost_when_cut_below_five() {
    check(
        &to_cut(&[31, 32, 20, 19, 18, 30], 5, &[20, 21, 22, 34], 3),
        "1 settle:20",
        "longest_road_owner=null players.0.longest_road_len=3 players.0.victory_points=2",
    );
}

#[test]
fn the_title_is_lost_below_five_even_by_the_longest_road() {
    // Cut to four, still longer than the opponent's three.
    check(
        &to_cut(&[31, 32, 20, 19, 18, 30, 29], 6, &[20, 21, 22, 34], 3),
        "1 settle:20",
        "longest_road_owner=null players.0.longest_road_len=4 players.1.longest_road_len=3",
    );
}

#[test]
fn the_holder_keeps_the_longest_road_in_a_tie_after_a_cut() {
    check(
        &to_cut(
            &[31, 32, 20, 19, 18, 30, 29, 39],
            7,
            &[20, 21, 22, 34, 35, 36],
            5,
        ),
        "1 settle:20",
        "longest_road_owner=0 players.0.longest_road_len=5 players.1.longest_road_len=5",
    );
}

#[test]
fn the_opponent_takes_the_longest_road_when_a_cut_makes_theirs_longer() {
    check(
        &to_cut(&[31, 32, 20, 19, 18, 30], 5, &[20, 21, 22, 34, 35, 36], 5),
        "1 settle:20",
        "longest_road_owner=1 players.1.victory_points=5",
    );
}

/// A position in which player 0 has these roads, and player 1 these settlements with a road each.
fn with_roads(
    settlement: u8,
    roads: &[&[u8]],
    longest: u8,
    others: [u8; 2],
    other_roads: &[&[u8]],
) -> String {
    let roads: Vec<&[u8]> = roads.iter().copied().chain([&[3, 4][..]]).collect();
    let given = board([
        Side {
            settlements: &[3, settlement],
            roads: &roads,
            longest,
        },
        Side {
            settlements: &others,
            roads: other_roads,
            longest: 1,
        },
    ]);
    match longest {
        0..5 => given,
        _ => format!("{given} longest_road_owner=0 players.0.victory_points=4"),
    }
}

#[test]
fn a_road_may_end_at_an_enemy_building_but_not_continue_past_it() {
    // The road up to the building counts.
    let given = with_roads(31, &[&[31, 32, 20]], 2, [20, 53], &[&[20, 21], &[52, 53]]);
    let (past, beside) = (edge(19, 20), edge(32, 33));
    check(
        &format!("{given}{}", gives(0, catan::ROAD_COST)),
        &format!("0 road:{past} !not_connected; 0 road:{beside} ?"),
        "players.0.longest_road_len=2",
    );
}

#[test]
fn three_roads_meeting_at_a_point_are_two_long() {
    let star: [&[u8]; 2] = [&[31, 32, 33], &[32, 20]];
    let given = with_roads(31, &star, 2, [37, 53], &[&[36, 37], &[52, 53]]);
    check(&given, "", "players.0.longest_road_len=2");
}

#[test]
fn a_ring_with_a_tail_counts_in_full() {
    let ring: &[u8] = &[31, 32, 20, 19, 18, 30, 31];
    let away: [&[u8]; 2] = [&[36, 37], &[52, 53]];
    for given in [
        with_roads(31, &[ring], 6, [37, 53], &away),
        with_roads(31, &[ring, &[20, 21]], 7, [37, 53], &away),
        // A ring may begin at the enemy's building.
        with_roads(19, &[ring], 6, [31, 53], &[&[31, 42], &[52, 53]]),
        // Two buildings of the enemy cut the ring in half.
        with_roads(21, &[ring, &[20, 21]], 3, [19, 31], &[&[6, 19], &[31, 42]]),
    ] {
        // The reader refuses any other length.
        check(&given, "", "");
        let wrong = format!("{given} players.0.longest_road_len+=1");
        assert!(kernel::notation::read(&start(), &wrong).is_err());
    }
}

#[test]
fn road_building_with_one_piece_left_builds_one_road() {
    let fourteen: [&[u8]; 5] = [
        &[3, 4],
        &[27, 28],
        &[31, 32, 20, 19, 18, 30, 31],
        &[32, 33, 34, 22, 21, 20],
        &[33, 44],
    ];
    let roads = edges(&fourteen);
    assert_eq!(roads.len(), 14);
    let given = format!(
        "{}{} players.0.settlements=[3,27,31] players.0.roads={roads:?} longest_road_owner=0
         players.0.longest_road_len=11 players.0.victory_points=5",
        plain(),
        deals(0, "ROAD_BUILDING"),
    );
    check(
        &given,
        "0 roads",
        "turn.phase=ROAD_BUILDING turn.free_roads=1",
    );
    let script = format!("0 roads free-road:{}", edge(4, 5));
    let all = edges(&[&fourteen[..], &[&[4, 5]]].concat());
    assert_eq!(all.len(), catan::ROADS_MAX as usize);
    check(
        &given,
        &script,
        &format!("turn.phase=ACTION turn.free_roads=0 players.0.roads={all:?}"),
    );
    let another = format!("turn.dev_card_played=false{}", deals(0, "ROAD_BUILDING"));
    script::check(
        &after(&given, &script),
        &another,
        "0 roads !no_road_possible",
        "",
    );
}

#[test]
fn road_building_with_one_edge_left_builds_one_road() {
    // Player 1 closes in player 0 at 12, and at 4 except for the edge from 4 to 5.
    let given = board([
        Side {
            settlements: &[4, 12],
            roads: &[&[3, 4], &[12, 13]],
            longest: 1,
        },
        Side {
            settlements: &[2, 8, 10, 16],
            roads: &[&[1, 2, 3], &[0, 5, 16, 17], &[8, 13], &[10, 11, 12]],
            longest: 3,
        },
    ]);
    let given = format!("{given}{}", deals(0, "ROAD_BUILDING"));
    let last = format!("free-road:{}", edge(4, 5));
    let legal = words::legal(&after(&given, "0 roads"), Seat::FIRST);
    assert_eq!(legal, [last.as_str()]);
    check(
        &given,
        &format!("0 roads {last}"),
        "turn.phase=ACTION turn.free_roads=0",
    );
}

#[test]
fn free_roads_are_legal_only_while_they_are_due() {
    let script = format!("0 free-road:{} !wrong_phase", edge(4, 5));
    check(&plain(), &script, "");
}
