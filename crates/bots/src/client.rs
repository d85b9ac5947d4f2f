//! How a client plays a game from what the protocol shows it, without thinking: for load.

use kernel::rng::Generator;
use serde_json::Value;

/// The knowledge of a game that a client needs beside the protocol to put load on a server.
pub trait Client: Send + Sync {
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
pub enum Meets {
    /// In the queue of the game.
    Queue,
    /// At tables that one of them opens.
    Table,
}

/// A decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// It counts until the next one; only some games have drafts.
    Draft,
    /// It is final.
    Confirm,
}

/// Something that time brought about, by the server's clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shown {
    /// Its kind.
    pub what: What,
    /// When the next thing is due, where the server tells it.
    pub next_ms: Option<u64>,
    /// The next time to decide, if it begins in the same breath.
    pub round: Option<u64>,
}

/// A kind of change that time brings about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// All decisions are final.
    Finalized,
    /// A step was turned over.
    Step,
    /// The round is over.
    RoundEnd,
}
