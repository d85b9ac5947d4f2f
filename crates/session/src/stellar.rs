//! Stellar Fleet, live.

use catalog::Stellar;
use catalog::stellar::{Action, Seen};
use kernel::Seat;

use crate::{Heard, Live, Ms, Pace, Policy, Word, Words, words};

impl Live for Stellar {
    type Ask = Words<Action>;
    type Word = Word<Action>;

    const CONSIDERED: &'static str = words::CONSIDERED;

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

    fn hear(&self, _: Seat, ask: &Words<Action>) -> Heard<Action> {
        Heard::Play(ask.0.clone())
    }

    fn legal_words(&self, seat: Seat) -> Vec<String> {
        words::legal(self, seat)
    }

    /// An order that was given shows nothing but itself, and a whole view of a large galaxy
    /// for each would cost much.
    fn calls_for_standing(seen: &Seen) -> bool {
        seen.name != "ORDERED"
    }

    fn wait_ms(&self, pace: &Pace) -> Ms {
        pace.turn_ms
    }
}
