//! Live play: requests are words, and every event calls for a standing.

use super::{Event, Position, Rules};
use crate::Seat;
use crate::live::{BotManner, Live, Policy, Reading};
use crate::words::{self, Word, Words};

impl<R: Rules> Live for Position<R> {
    type Ask = Words<R::Action>;
    type Word = Word<R::Action>;

    const CONSIDERED: &'static str = words::CONSIDERED;
    const REFUSALS: &'static [(&'static str, &'static str)] = &[];
    const POLICY: Policy = R::POLICY;
    const BOT_MANNER: BotManner = BotManner::Watched;
    const PLAYED_FROM: u32 = R::PLAYED_FROM;
    const AT_ONE_SCREEN: bool = R::AT_ONE_SCREEN;

    fn interpret(&self, _: Seat, ask: &Words<R::Action>) -> Reading<R::Action> {
        Reading::Play(ask.actions())
    }

    fn legal_words(&self, seat: Seat) -> Vec<String> {
        words::legal(self, seat)
    }

    /// Only the rules know what an action changes.
    fn calls_for_standing(_: &Event) -> bool {
        true
    }
}
