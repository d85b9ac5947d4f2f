//! The picture of a position, and what it says in words.

use kernel::rules::prelude::*;

use crate::{Call, State};

/// The last call with all its dice, then the bid and the dice of this round.
pub(crate) fn of(view: &State, viewer: Viewer) -> Picture {
    let mut picture = Picture::new();
    if let Some(call) = &view.call {
        let is_counted = |die: &Die| die.face() == Some(call.bid.face);
        let card = |die: &Die| Card::from(die).accent_if(is_counted(die));
        let rows = call.dice.iter().map(|hand| hand.iter().map(card));
        picture = picture.text(sentence(call));
        picture = picture.hands("dice", Viewer::Public, rows);
    }
    if let Next::Over(_) = view.next() {
        return picture;
    }
    let turn = match view.bid {
        Some(last) => format!("@{} bid {}.", last.seat, bid(last.count, last.face)),
        None => format!("@{} bids first.", view.mover),
    };
    picture.text(turn).hands("dice", viewer, &view.dice)
}

/// A call and its result as a sentence.
pub(crate) fn sentence(call: &Call) -> String {
    let bid = bid(call.bid.count, call.bid.face);
    let (caller, bidder, loser) = (call.caller, call.bid.seat, call.loser());
    let n_found = call.n_found();
    format!(
        "@{caller} called @{bidder}'s bid of {bid}. The dice show {n_found}: @{loser} lost a die."
    )
}

/// A bid, such as `3 × ⚃`.
pub(crate) fn bid(count: u8, face: u8) -> String {
    format!("{count} × {}", Die::showing(face))
}
