//! Stellar Fleet as a live game.

use kernel::Seat;
use kernel::live::{BotManner, Live, Pace, Policy, Reading};
use kernel::words::{self, Word, Words};

use crate::{Action, Event, Stellar};

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
        ("choose_a_verb_first", "After the fleet comes a verb."),
        (
            "finish_the_order_first",
            "Complete the current order before starting another.",
        ),
        ("not_in_orbit", "The fleet is in flight."),
        ("already_there", "The fleet is already there."),
        ("too_far", "The system is out of jump range."),
        ("insufficient_fuel", "The fleet does not have enough fuel."),
        ("no_army_aboard", "The fleet carries no army."),
        (
            "no_own_system_in_reach",
            "None of the faction's own systems is within range.",
        ),
        ("no_empty_transport", "The fleet has no empty transport."),
        ("no_army_there", "The faction has no army there."),
        ("one_ship_only", "A fleet of one ship cannot be split."),
        (
            "too_many_fleets",
            "The faction has the maximum number of fleets.",
        ),
        ("fleet_not_beside", "The fleets are not in the same orbit."),
        (
            "not_your_system",
            "Armies can be unloaded only in the faction's own systems.",
        ),
        (
            "not_a_proper_part",
            "A split names ships in rising order and leaves at least one behind.",
        ),
        ("name_a_ship_first", "A split names at least one ship."),
        (
            "already_so",
            "The fleet already has this retreat threshold.",
        ),
        ("no_such_body", "The system has no such body."),
        (
            "does_not_belong_here",
            "This word cannot follow the one before it.",
        ),
    ];

    /// A turn lasts two minutes, for all factions at once.
    const POLICY: Policy = Policy {
        pace: Pace {
            turn_ms: 120_000,
            ..Policy::TURNS.pace
        },
        // Up to seven bots send all their orders at once.
        in_flight_max: 8_192,
        ..Policy::TURNS
    };

    const BOT_MANNER: BotManner = BotManner::Thinking;
    const PLAYED_FROM: u32 = 3;

    fn interpret(&self, _: Seat, ask: &Words<Action>) -> Reading<Action> {
        Reading::Play(ask.actions())
    }

    fn legal_words(&self, seat: Seat) -> Vec<String> {
        words::legal(self, seat)
    }

    /// An accepted order changes nothing else in the view, and sending the full view of a large
    /// galaxy after each order would be expensive.
    fn calls_for_standing(seen: &Event) -> bool {
        !matches!(seen, Event::Ordered { .. })
    }
}
