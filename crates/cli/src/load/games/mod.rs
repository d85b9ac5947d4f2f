//! What each game needs beside the protocol. The driver knows no game.

mod catan;
pub(super) mod orcain;
mod stellar;

use catalog::GameName;
use kernel::rng::Generator;
use serde_json::Value;

use super::talk::{Deed, Shown};

/// The part of one game.
pub(super) trait Part: Send + Sync {
    /// Which game it is.
    fn game(&self) -> GameName;

    /// How its players find each other, unless tables are asked for.
    fn meets(&self) -> Meets {
        Meets::Queue
    }

    /// How many seats a match has, of those that were asked for.
    fn n_seats(&self, _wanted: u8) -> u8 {
        2
    }

    /// The setup of a table; nothing for the standard one.
    fn setup(&self, _n_seats: u8, _seed: u64) -> Result<Option<Value>, String> {
        Ok(None)
    }

    /// The round in which the seat is to decide now, by a view and the words that are legal.
    /// Nothing when it has nothing to decide.
    fn round(&self, view: &str, legal: &[String]) -> Option<u64>;

    /// What time brought about, by the events of one message.
    fn shown(&self, _events: &str, _next_ms: Option<u64>) -> Option<Shown> {
        None
    }

    /// A whole decision, for a game whose decisions are not composed of legal words.
    fn whole(&self, _deed: Deed, _rng: &mut Generator) -> Option<String> {
        None
    }

    /// Whether a decision may be drafted before it is made.
    fn has_drafts(&self) -> bool {
        false
    }

    /// How often a legal word is chosen, beside the others.
    fn weight(&self, _word: &str) -> u64 {
        1
    }
}

/// How players find each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meets {
    /// In the queue of the game.
    Queue,
    /// At tables that one of them opens.
    Table,
}

/// The part of a game.
pub(super) fn part(game: GameName) -> &'static dyn Part {
    match game {
        GameName::Catan => &catan::Catan,
        GameName::Orcain => &orcain::Orcain,
        GameName::Stellar => &stellar::Stellar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_its_own_part() {
        for game in GameName::ALL {
            assert_eq!(part(game).game(), game);
        }
    }
}
