//! The rules of Liar's Dice as text: a position, inputs, and what holds afterwards.

use kernel::conformance::setup;
use kernel::{Game, script};

type Dice = liars_dice::LiarsDice;

/// Three players with two dice each.
#[track_caller]
fn check(given: &str, script: &str, expected: &str) {
    let start = Dice::start(&setup::<Dice>(r#"{"seats": 3, "dice": 2}"#));
    script::check(&start, given, script, expected);
}

/// Three twos and two sixes.
const ROLLED: &str = "state.dice=[[1,2],[2,2],[6,6]]";

#[test]
fn all_dice_are_rolled_before_the_first_bid() {
    check(
        "",
        "chance 0; chance 1; chance 2; chance 3; chance 4; 0 bid:1x1 !chance_due; chance 5",
        "state.dice=[[1,2],[3,4],[5,6]] waits_for=seat:0",
    );
}

#[test]
fn a_bid_raises_the_number_of_dice_or_the_face() {
    check(
        ROLLED,
        "0 bid:2x3; 1 bid:2x3 !illegal_action; 1 bid:1x6 !illegal_action; 1 bid:2x4; 2 bid:3x1",
        "state.bid={count:3,face:1,player_id:2} waits_for=seat:0",
    );
}

#[test]
fn nobody_bids_more_dice_than_there_are() {
    check(
        ROLLED,
        "0 bid:6x6 ?; 0 bid:7x1 !illegal_action",
        "state.bid=null",
    );
}

#[test]
fn there_must_be_a_bid_to_call() {
    check(ROLLED, "0 liar !illegal_action; 0 bid:1x1; 1 liar ?", "");
}

#[test]
fn a_lie_costs_its_bidder_a_die() {
    check(
        ROLLED,
        "0 bid:4x2; 1 liar",
        "state.dice=[[0],[0,0],[0,0]] state.bid=null state.mover=0 waits_for=chance",
    );
}

#[test]
fn a_true_bid_costs_its_caller_a_die() {
    check(
        ROLLED,
        "0 bid:3x2; 1 liar",
        "state.dice=[[0,0],[0],[0,0]] state.mover=1 state.call.caller=1 waits_for=chance",
    );
}

#[test]
fn a_player_without_dice_is_out_and_the_next_one_starts() {
    check(
        "state.dice=[[1],[2],[3]]",
        "0 bid:2x1; 1 liar; chance 4; chance 5; 1 bid:1x5; 2 bid:1x6",
        "state.dice=[[],[5],[6]] waits_for=seat:1",
    );
}

#[test]
fn the_last_player_with_dice_wins() {
    check(
        "state.dice=[[1],[],[3]]",
        "0 bid:1x3; 2 liar",
        "state.dice=[[0],[],[]] waits_for=over view.outcome.winners=[0]",
    );
}

#[test]
fn players_see_their_own_dice_until_a_call_shows_all() {
    check(
        ROLLED,
        "0 bid:1x1",
        "view1.state.dice=[[0,0],[2,2],[0,0]] view.state.dice=[[0,0],[0,0],[0,0]]",
    );
    check(
        ROLLED,
        "0 bid:1x1; 1 liar",
        "view.state.call.dice=[[1,2],[2,2],[6,6]]",
    );
}

#[test]
fn the_dice_of_a_player_who_leaves_are_out() {
    check(
        ROLLED,
        "0 bid:1x1; resign 1",
        "state.dice=[[0,0],[],[0,0]] state.bid=null waits_for=chance",
    );
}
