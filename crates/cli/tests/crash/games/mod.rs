//! The game-specific parts of the tests. Players, kills and checks know no game.

mod catan;
mod orcain;
mod stellar;
mod words;

use catalog::{GameName, with_game};
use kernel::Describe;
use serde_json::{Value, json};

use crate::draws::Draws;

/// A game and the way in which its players meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pastime {
    /// Orcain through the queue.
    Orcain,
    /// Catan through the queue.
    Catan,
    /// Catan for two at one shared screen.
    CatanAtOneScreen,
    /// Stellar Fleet in a lobby for three.
    Stellar,
    /// Another game, in a lobby for three if it has as many seats.
    Other(GameName),
}

/// The style of a player.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Misses a deadline now and then.
    Moody,
    /// Makes every decision.
    Steady,
    /// Begins and then decides nothing, so that the match stays open.
    Hesitant,
}

/// A message from a seat in a match.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Saying {
    /// A decision as sent, and as recorded.
    Ask(Value, Vec<String>),
    /// A question about how a decision can continue.
    Consider(u64, Value),
    /// Another player at this screen should sit down.
    PassOn,
}

/// The play of one seat in one match.
pub(crate) trait Hand: Send {
    /// Handles a message of the match and returns the replies. `n_pending` decisions are
    /// unanswered.
    fn receive(&mut self, message: &Value, n_pending: usize, draws: &mut Draws) -> Vec<Saying>;

    /// Handles a reconnect: drops unanswered questions.
    fn come_back(&mut self);

    /// True if the player resigns at the end of the test because the match would last too long.
    fn gives_up(&self) -> bool;
}

impl Pastime {
    /// Every game that has no part of its own here.
    pub(crate) fn others() -> impl Iterator<Item = Pastime> {
        let own = [Pastime::Orcain, Pastime::Catan, Pastime::Stellar].map(Pastime::game);
        let others = GameName::ALL.into_iter();
        let others = others.filter(move |game| !own.contains(&game.as_str()));
        others.map(Pastime::Other)
    }

    pub(crate) fn game(self) -> &'static str {
        match self {
            Pastime::Orcain => "orcain",
            Pastime::Catan | Pastime::CatanAtOneScreen => "catan",
            Pastime::Stellar => "stellar",
            Pastime::Other(game) => game.as_str(),
        }
    }

    /// The lobby to open; `None` for the queue.
    pub(crate) fn table(self) -> Option<Value> {
        let (setup, seats) = match self {
            Pastime::Orcain | Pastime::Catan => return None,
            Pastime::CatanAtOneScreen => (catan::short(), json!(["host", "beside"])),
            Pastime::Stellar => (stellar::short(), json!(["host", "guest", "guest"])),
            Pastime::Other(game) => with_game!(game, G => short::<G>()),
        };
        Some(json!({ "game": self.game(), "setup": setup, "seats": seats }))
    }

    pub(crate) fn hand(self, manner: Manner) -> Box<dyn Hand> {
        match self {
            Pastime::Orcain => Box::new(orcain::Layouts::new(manner)),
            Pastime::Catan => Box::new(words::Words::new(catan::weight, manner)),
            // Nobody else is in this match, so only the deadline would end a missed turn.
            Pastime::CatanAtOneScreen => Box::new(words::Words::new(catan::weight, Manner::Steady)),
            Pastime::Stellar => Box::new(words::Words::new(stellar::weight, manner)),
            Pastime::Other(_) => Box::new(words::Words::new(|_| 1, manner)),
        }
    }
}

/// The setup of a short match for up to three, and its seats.
fn short<G: Describe>() -> (Value, Value) {
    let n_seats = 3.min(*G::SEATS.end());
    let guests = (1..n_seats).map(|_| "guest");
    let seats: Vec<&str> = ["host"].into_iter().chain(guests).collect();
    (json!(G::quick_setup_for(n_seats)), json!(seats))
}
