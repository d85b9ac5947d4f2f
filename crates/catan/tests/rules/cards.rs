//! Production, development cards and discards.

use catan::Action;
use kernel::{Draw, GameExt, Seat};

use super::*;

/// Player 0 or both at tile 3, which yields wool on a six and has the corners 20 to 22 and 32 to
/// 34. Player 1 has all wool but one card.
fn short_of_wool(sides: [Side<'_>; 2]) -> String {
    let cards = gives(1, [0, 0, 18, 0, 0]);
    format!("{} {TO_ROLL}{cards}", board(sides))
}

#[test]
fn a_sole_claimant_takes_what_a_short_bank_has() {
    let given = short_of_wool([
        Side {
            settlements: &[20, 33],
            roads: &[&[20, 21], &[33, 34]],
            longest: 1,
        },
        Side {
            settlements: &[3, 53],
            roads: &[&[3, 4], &[52, 53]],
            longest: 1,
        },
    ]);
    check(
        &given,
        "0 roll; chance [3,3]",
        "players.0.resources.WOOL=1 bank.resources.WOOL=0",
    );
}

#[test]
fn several_claimants_of_a_short_bank_get_nothing() {
    let given = short_of_wool([
        Side {
            settlements: &[3, 33],
            roads: &[&[3, 4], &[33, 34]],
            longest: 1,
        },
        Side {
            settlements: &[20, 53],
            roads: &[&[20, 21], &[52, 53]],
            longest: 1,
        },
    ]);
    check(
        &given,
        "0 roll; chance [3,3]",
        "players.0.resources.WOOL=0 players.1.resources.WOOL=18 bank.resources.WOOL=1",
    );
}

#[test]
fn year_of_plenty_takes_what_a_nearly_empty_bank_has() {
    let given = format!("{}{}", plain(), deals(0, "YEAR_OF_PLENTY"));
    check(
        &format!("{given}{}", gives(1, [19, 19, 19, 19, 17])),
        "0 plenty:ORE+ORE ?; 0 plenty:ORE !bank_empty; 0 plenty:BRICK+ORE !bank_empty",
        "",
    );
    let given = format!("{given}{}", gives(1, [19, 19, 19, 19, 18]));
    let script = "0 plenty:ORE+ORE !bank_empty; 0 plenty:ORE";
    check(
        &given,
        script,
        "players.0.resources.ORE=1 bank.resources.ORE=0",
    );
    let another = format!("turn.dev_card_played=false{}", deals(0, "YEAR_OF_PLENTY"));
    let empty = script::read(&after(&given, script), &another);
    let legal = empty.legal(Seat::FIRST);
    let is_plenty = |id| matches!(Action::with_id(id), Some(Action::PlayYearOfPlenty(_)));
    assert!(!legal.is_empty() && !legal.iter().any(is_plenty));
}

#[test]
fn a_card_bought_this_turn_waits_and_an_older_one_does_not() {
    let given = format!("{}{}", plain(), gives(0, [0, 0, 2, 2, 2]));
    check(
        &given,
        "0 buy; 0 knight !card_bought_this_turn",
        "players.0.new_dev_cards.KNIGHT=1",
    );
    let (bought, older) = (after(&given, "0 buy"), deals(0, "KNIGHT"));
    script::check(&bought, &older, "0 knight robber:1", "turn.phase=ACTION");
    let mut played = script::read(&bought, &older);
    script::play(&mut played, "0 knight robber:1");
    script::check(
        &played,
        &deals(0, "KNIGHT"),
        "0 knight !one_card_a_turn; 0 end",
        "players.0.new_dev_cards.KNIGHT=0 players.0.dev_cards.KNIGHT=2",
    );
}

#[test]
fn a_knight_may_be_played_before_the_roll_and_causes_no_discard() {
    let (knight, cards) = (deals(0, "KNIGHT"), gives(1, [10, 10, 0, 0, 0]));
    let given = format!("{} {TO_ROLL}{knight}{cards}", plain());
    check(&given, "0 knight", "turn.phase=MOVE_ROBBER");
    // Tile 8 has vertex 53, where player 1 has a building.
    let theft = after(&given, "0 knight robber:8");
    assert_eq!(
        theft.odds().probability(Draw(0)),
        Some((10, 20)),
        "uniform over the cards"
    );
    // Only held cards can be stolen.
    script::check(
        &theft,
        "",
        "chance BRICK ?; chance WOOL !no_such_draw; chance LUMBER",
        "players.0.resources.LUMBER=1 players.1.resources.LUMBER=9 turn.phase=ROLL",
    );
}

#[test]
fn a_hidden_point_wins_at_once() {
    let cards = gives(0, catan::DEV_COST);
    // The first card of the deck is a point.
    let deck = "bank.dev_deck.0=VICTORY_POINT bank.dev_deck.20=KNIGHT";
    check(
        &format!("{} variant.vp_to_win=3 {deck}{cards}", plain()),
        "0 buy",
        "winner=0 outcome.reason=points players.0.victory_points=2
         players.0.hidden_victory_points=1 waits_for=over",
    );
}

#[test]
fn monopoly_takes_all_even_if_that_is_nothing() {
    let (card, cards) = (deals(0, "MONOPOLY"), gives(1, [3, 0, 0, 0, 0]));
    let given = format!("{}{card}{cards}", plain());
    check(
        &given,
        "0 monopoly:BRICK",
        "players.0.resources.BRICK=3 players.1.resources.BRICK=0",
    );
    let (nothing, kept) = (hand([0; 5]), hand([3, 0, 0, 0, 0]));
    check(
        &given,
        "0 monopoly:ORE",
        &format!(
            "players.0.resources={nothing} players.1.resources={kept} turn.dev_card_played=true"
        ),
    );
}

#[test]
fn nine_cards_are_kept_and_ten_are_halved() {
    let (nine, eleven) = (gives(0, [9, 0, 0, 0, 0]), gives(1, [10, 1, 0, 0, 0]));
    let given = format!("{} {TO_ROLL}{nine}{eleven}", plain());
    // Half of eleven, rounded down.
    check(
        &given,
        "0 roll; chance [1,6]",
        "turn.phase=DISCARD waits_for=seat:1 pending_discards=[{left:5,player_id:1,total:5}]",
    );
    check(
        &given,
        "0 roll; chance [1,6]; 1 discard:BRICK*5",
        "turn.phase=MOVE_ROBBER waits_for=seat:0",
    );
    let ten = gives(0, [10, 0, 0, 0, 0]);
    check(
        &format!("{} {TO_ROLL}{ten}", plain()),
        "0 roll; chance [2,5]",
        "pending_discards=[{left:5,player_id:0,total:5}]",
    );
}

#[test]
fn discarding_to_the_threshold_leaves_nine() {
    let cards = gives(0, [12, 0, 0, 0, 0]);
    check(
        &format!(
            "{} {TO_ROLL} variant.discard_rule=to_threshold{cards}",
            plain()
        ),
        "0 roll; chance [2,5]",
        "pending_discards=[{left:3,player_id:0,total:3}]",
    );
}

#[test]
fn the_largest_army_needs_more_knights_than_the_holder() {
    let played = "players.0.played_dev_cards.KNIGHT=2 players.0.largest_army_size=2
        players.1.played_dev_cards.KNIGHT=3 players.1.largest_army_size=3
        players.1.victory_points=4 largest_army_owner=1
        discard_pile.dev_cards=[KNIGHT,KNIGHT,KNIGHT,KNIGHT,KNIGHT]";
    let taken = " bank.dev_deck-=KNIGHT".repeat(5);
    let given = format!("{} {played}{taken}{}", plain(), deals(0, "KNIGHT"));
    check(
        &given,
        "0 knight",
        "players.0.played_dev_cards.KNIGHT=3 largest_army_owner=1",
    );
    let another = format!("turn.dev_card_played=false{}", deals(0, "KNIGHT"));
    script::check(
        &after(&given, "0 knight robber:1"),
        &another,
        "0 knight robber:2",
        "players.0.played_dev_cards.KNIGHT=4 largest_army_owner=0",
    );
}
