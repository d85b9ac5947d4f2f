//! Offers between players, and trades with the bank.

use super::*;

#[test]
fn offers_are_answered_and_capped() {
    let (own, theirs) = (gives(0, [3, 0, 0, 0, 0]), gives(1, [0, 0, 0, 0, 2]));
    let given = format!("{}{own}{theirs}", plain());
    check(
        &given,
        "0 offer:BRICK>WOOL !other_lacks_it; 0 offer:BRICK>ORE",
        "waits_for=seat:1",
    );
    let traded = "0 offer:BRICK>ORE; 1 accept";
    let (own, theirs) = (hand([2, 0, 0, 0, 1]), hand([1, 0, 0, 0, 1]));
    check(
        &given,
        traded,
        &format!("players.0.resources={own} players.1.resources={theirs}"),
    );
    check(
        &given,
        &format!(
            "{traded}; 0 offer:BRICK>ORE; 1 decline; 0 offer:BRICK>ORE; 1 decline;
             0 offer:BRICK>ORE !too_many_offers"
        ),
        "turn.offers_made=3",
    );
}

#[test]
fn harbors_lower_the_price() {
    // Port 6, at 3 and 4, takes anything.
    let given = format!("{}{}", plain(), gives(0, [4, 3, 2, 0, 0]));
    check(
        &given,
        "0 bank:BRICK>ORE ?; 0 bank:LUMBER>ORE !not_enough_resources;
         0 port2:WOOL>ORE !no_such_port; 0 port3:LUMBER>ORE",
        &format!("players.0.resources={}", hand([4, 0, 2, 0, 1])),
    );
}

/// Player 0 with bricks, lumber and wool, and player 1 with grain and ore.
fn traders() -> String {
    let (own, theirs) = (gives(0, [3, 2, 1, 0, 0]), gives(1, [0, 0, 0, 2, 6]));
    format!("{}{own}{theirs}", plain())
}

#[test]
fn bundles_change_hands_whole_and_count_as_one_offer() {
    let offered = "0 give:BRICK give:BRICK give:WOOL ask:ORE send";
    let kept = hand([3, 2, 1, 0, 0]);
    check(
        &traders(),
        offered,
        &format!("waits_for=seat:1 players.0.resources={kept} turn.offers_made=1"),
    );
    let traded = format!("{offered}; 1 accept");
    let (own, theirs) = (hand([1, 2, 0, 0, 1]), hand([2, 0, 1, 2, 5]));
    check(
        &traders(),
        &traded,
        &format!("players.0.resources={own} players.1.resources={theirs}"),
    );
    let declined = "0 give:LUMBER ask:GRAIN ask:ORE send; 1 decline";
    check(
        &traders(),
        &format!("{traded}; {declined}; {declined}; 0 give:LUMBER !too_many_offers"),
        "pending_trade=null turn.offers_made=3",
    );
}

#[test]
fn a_composition_keeps_its_order_and_its_bounds() {
    for input in [
        "0 give:WOOL give:BRICK !out_of_order",
        "0 give:WOOL ask:ORE ask:GRAIN !out_of_order",
        "0 give:WOOL ask:ORE give:WOOL !out_of_order",
        "0 give:WOOL give:WOOL !not_enough_resources",
        "0 give:WOOL ask:LUMBER !other_lacks_it",
        "0 give:WOOL ask:WOOL !same_resource",
        "0 give:WOOL send !offer_incomplete",
        "0 give:WOOL ask:ORE send !offer_incomplete",
        "0 give:WOOL end !wrong_phase",
        "0 give:WOOL ask:ORE ask:ORE ask:ORE ask:ORE ask:ORE ask:ORE !offer_too_large",
    ] {
        check(&traders(), input, "");
    }
}

#[test]
fn an_offer_that_was_not_sent_ends_with_its_turn_and_with_the_match() {
    check(
        &traders(),
        "0 give:BRICK; resign 1",
        "pending_trade=null winner=0",
    );
    let kept = hand([3, 2, 1, 0, 0]);
    check(
        &traders(),
        "0 give:BRICK; deadline",
        &format!(
            "turn.phase=ROLL turn.current_player=1 turn.offers_made=0 pending_trade=null
             players.0.resources={kept}"
        ),
    );
}
