//! Stellar Fleet, live.

use kernel::Seat;
use kernel::live::{BotManner, Heard, Live, Pace, Policy};
use kernel::words::{self, Word, Words};

use crate::{Action, Seen, Stellar};

impl Live for Stellar {
    type Ask = Words<Action>;
    type Word = Word<Action>;

    const CONSIDERED: &'static str = words::CONSIDERED;

    const REFUSALS: &'static [(&'static str, &'static str)] = &[
        ("no_such_fleet", "The faction has no such fleet."),
        (
            "fleet_already_ordered",
            "The fleet already has its order for this turn.",
        ),
        ("choose_a_fleet_first", "An order begins with a fleet."),
        (
            "choose_a_verb_first",
            "The word after the fleet says what it does.",
        ),
        (
            "finish_the_order_first",
            "An order must be complete before the next one begins.",
        ),
        ("not_in_orbit", "The fleet is in flight."),
        ("already_there", "The fleet is already there."),
        ("too_far", "The system is out of jump range."),
        ("insufficient_fuel", "The fleet does not have enough fuel."),
        ("no_army_aboard", "The fleet carries no army."),
        (
            "no_own_system_in_reach",
            "None of the faction's systems is in reach.",
        ),
        ("no_empty_transport", "The fleet has no empty transport."),
        ("no_army_there", "The faction has no army there."),
        ("one_ship_only", "A fleet of one ship cannot be split."),
        (
            "too_many_fleets",
            "The faction has as many fleets as it may have.",
        ),
        (
            "fleet_not_beside",
            "The other fleet is not in the same orbit.",
        ),
        (
            "not_your_system",
            "Armies can be unloaded only on the faction's own systems.",
        ),
        (
            "not_a_proper_part",
            "A split names ships in rising order and leaves at least one behind.",
        ),
        ("name_a_ship_first", "A split names at least one ship."),
        ("already_so", "It is so already."),
        ("no_such_body", "The system has no such body."),
        (
            "does_not_belong_here",
            "This word cannot follow the one before it.",
        ),
    ];

    /// Two minutes to give the orders of a turn, whoever is done first.
    const POLICY: Policy = Policy {
        pace: Pace {
            turn_ms: 120_000,
            ..Policy::TURNS.pace
        },
        // Seven bots give all their orders at once.
        in_flight_max: 8_192,
        ..Policy::TURNS
    };

    const BOT_MANNER: BotManner = BotManner::Thinking;
    const PLAYED_FROM: u32 = 3;

    fn hear(&self, _: Seat, ask: &Words<Action>) -> Heard<Action> {
        Heard::Play(ask.actions())
    }

    fn legal_words(&self, seat: Seat) -> Vec<String> {
        words::legal(self, seat)
    }

    /// An order that was given shows nothing but itself, and a whole view of a large galaxy
    /// for each would cost much.
    fn calls_for_standing(seen: &Seen) -> bool {
        seen.name != "ORDERED"
    }
}
