//! Catan, live.

use catalog::Catan;
use catalog::catan::{Action, Event};
use kernel::Seat;

use crate::{Heard, Live, Policy, Word, Words, words};

impl Live for Catan {
    type Ask = Words<Action>;
    type Word = Word<Action>;

    const CONSIDERED: &'static str = words::CONSIDERED;

    const POLICY: Policy = Policy::TURNS;

    fn hear(&self, _: Seat, ask: &Words<Action>) -> Heard<Action> {
        Heard::Play(ask.0.clone())
    }

    fn legal_words(&self, seat: Seat) -> Vec<String> {
        words::legal(self, seat)
    }

    /// Points, titles and hands follow from events by rules that a page must not have twice.
    fn calls_for_standing(_: &Event) -> bool {
        true
    }
}
