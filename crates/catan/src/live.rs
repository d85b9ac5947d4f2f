//! Catan in live play: refusals, and when clients need a new standing.

use kernel::Seat;
use kernel::live::{BotManner, Live, Policy, Reading};
use kernel::words::{self, Word, Words};

use crate::{Action, Catan, Event};

impl Live for Catan {
    type Ask = Words<Action>;
    type Word = Word<Action>;

    const CONSIDERED: &'static str = words::CONSIDERED;

    const REFUSALS: &'static [(&'static str, &'static str)] = &[
        ("roll_first", "The dice must be rolled first."),
        (
            "needs_test_setup",
            "Dice can be forced only in a match whose setup has `test`.",
        ),
        (
            "not_enough_resources",
            "The player does not have the cards for it.",
        ),
        (
            "no_pieces_left",
            "All pieces of this kind are on the board.",
        ),
        (
            "not_connected",
            "No road of the player leads there, or the place is taken.",
        ),
        ("too_close", "There is a building there or next to it."),
        (
            "no_settlement_there",
            "Only one of the player's settlements can become a city.",
        ),
        ("deck_empty", "All development cards have been bought."),
        ("card_not_held", "The player has no such card."),
        (
            "card_bought_this_turn",
            "A development card cannot be played in the turn it was bought.",
        ),
        (
            "one_card_a_turn",
            "A development card has already been played in this turn.",
        ),
        ("no_road_possible", "There is no place for a free road."),
        ("bank_empty", "The bank does not have the card."),
        ("no_such_port", "The player has no harbor for this trade."),
        (
            "too_many_offers",
            "No more trades can be offered in this turn.",
        ),
        (
            "same_resource",
            "A resource cannot be on both sides of a trade.",
        ),
        (
            "out_of_order",
            "List given cards before requested ones, and resources in their fixed order.",
        ),
        (
            "offer_too_large",
            "An offer has at most five cards on each side.",
        ),
        (
            "offer_incomplete",
            "An offer needs cards on both sides; one card for one has its own action.",
        ),
        (
            "other_lacks_it",
            "The other player does not have the requested cards.",
        ),
        ("robber_must_move", "The robber must move to another tile."),
        (
            "friendly_robber",
            "The robber cannot block a player with few points.",
        ),
    ];

    const POLICY: Policy = Policy::TURNS;
    const BOT_MANNER: BotManner = BotManner::Watched;
    const PLAYED_FROM: u32 = 10;
    const AT_ONE_SCREEN: bool = true;

    fn interpret(&self, _: Seat, ask: &Words<Action>) -> Reading<Action> {
        Reading::Play(ask.actions())
    }

    fn legal_words(&self, seat: Seat) -> Vec<String> {
        words::legal(self, seat)
    }

    /// Points, titles and hands follow from events by rules that the page should not repeat.
    fn calls_for_standing(_: &Event) -> bool {
        true
    }
}
