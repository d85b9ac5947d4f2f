//! How each game is played here. Players, kills and checks know no game.

mod catan;
mod orcain;
mod stellar;
mod words;

use serde_json::{Value, json};

use crate::draws::Draws;

/// What somebody plays, and with whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pastime {
    /// Orcain with whom the queue brings.
    Orcain,
    /// Catan with whom the queue brings.
    Catan,
    /// Catan for two at one screen, alone.
    CatanAtOneScreen,
    /// Stellar Fleet at a table for three.
    Stellar,
}

/// How a player plays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Misses a deadline now and then.
    Moody,
    /// Makes every decision.
    Steady,
    /// Begins and then decides nothing, so that the match stays open.
    Hesitant,
}

/// What a seat says in a match.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Saying {
    /// A decision: as it is asked for, and as the record has it.
    Ask(Value, Vec<String>),
    /// A question what could be done after these words.
    Consider(u64, Value),
    /// Another player of this screen is to sit down.
    PassOn,
}

/// How one seat plays one match.
pub(crate) trait Hand: Send {
    /// Takes what the match tells, and says what to say. `n_pending` decisions are not answered.
    fn hear(&mut self, message: &Value, n_pending: usize, draws: &mut Draws) -> Vec<Saying>;

    /// The connection is new: questions without an answer are forgotten.
    fn come_back(&mut self);

    /// Whether a match is given up when nobody is to play any more: it would last too long.
    fn gives_up(&self) -> bool;
}

impl Pastime {
    /// The name of the game.
    pub(crate) fn game(self) -> &'static str {
        match self {
            Pastime::Orcain => "orcain",
            Pastime::Catan | Pastime::CatanAtOneScreen => "catan",
            Pastime::Stellar => "stellar",
        }
    }

    /// The table that is opened for it; nothing when the queue is joined.
    pub(crate) fn table(self) -> Option<Value> {
        let (setup, seats) = match self {
            Pastime::Orcain | Pastime::Catan => return None,
            Pastime::CatanAtOneScreen => (catan::short(), json!(["host", "beside"])),
            Pastime::Stellar => (stellar::short(), json!(["host", "guest", "guest"])),
        };
        Some(json!({ "game": self.game(), "setup": setup, "seats": seats }))
    }

    /// A player of it.
    pub(crate) fn hand(self, manner: Manner) -> Box<dyn Hand> {
        match self {
            Pastime::Orcain => Box::new(orcain::Layouts::new(manner)),
            Pastime::Catan => Box::new(words::Words::new(catan::weight, manner)),
            // Nobody but the player's own deadline would end the other's absence.
            Pastime::CatanAtOneScreen => Box::new(words::Words::new(catan::weight, Manner::Steady)),
            Pastime::Stellar => Box::new(words::Words::new(stellar::weight, manner)),
        }
    }
}
