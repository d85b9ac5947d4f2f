//! Clients for load tests: they play from what the protocol shows, without thinking.

use std::marker::PhantomData;

use kernel::Describe;
use kernel::rng::Generator;
use serde::Deserialize;
use serde_json::Value;

/// Game-specific knowledge that a load-test client needs in addition to the protocol.
pub trait Client: Send + Sync {
    /// The way players find each other, unless lobbies are requested.
    fn meets(&self) -> Meets {
        Meets::Queue
    }

    /// The number of seats to use in a match when this many are requested.
    fn n_seats(&self, _wanted: u8) -> u8 {
        2
    }

    /// The setup of a lobby; `None` for the default one.
    fn setup(&self, _n_seats: u8, _seed: u64) -> Result<Option<Value>, String> {
        Ok(None)
    }

    /// The round in which the seat must decide now, from a view and the legal words. `None` when it
    /// has nothing to decide.
    fn round(&self, view: &str, legal: &[String]) -> Option<u64>;

    /// A change caused by time, from the events of one message.
    fn shown(&self, _events: &str, _next_ms: Option<u64>) -> Option<Shown> {
        None
    }

    /// A complete decision, for a game whose decisions are not composed of legal words.
    fn whole(&self, _deed: Deed, _rng: &mut Generator) -> Option<String> {
        None
    }

    /// True if a decision may be drafted before it is final.
    fn has_drafts(&self) -> bool {
        false
    }

    /// The relative frequency with which a legal word is chosen.
    fn weight(&self, _word: &str) -> u64 {
        1
    }
}

/// The client of a game that is written as [`Rules`](kernel::rules::Rules).
pub struct Generic<G>(PhantomData<fn() -> G>);

impl<G> Generic<G> {
    /// The client.
    pub const NEW: Generic<G> = Generic(PhantomData);
}

#[derive(Deserialize)]
struct View {
    turn_number: u64,
}

impl<G: Describe> Client for Generic<G> {
    /// The queue is for two.
    fn meets(&self) -> Meets {
        match G::SEATS.end() {
            2 => Meets::Queue,
            _ => Meets::Table,
        }
    }

    fn n_seats(&self, wanted: u8) -> u8 {
        wanted.clamp(*G::SEATS.start(), *G::SEATS.end())
    }

    fn setup(&self, n_seats: u8, _: u64) -> Result<Option<Value>, String> {
        let setup = G::setup_for(n_seats).ok_or(format!("there is no match for {n_seats}"))?;
        let setup = serde_json::to_value(setup).map_err(|error| error.to_string())?;
        Ok(Some(setup))
    }

    fn round(&self, view: &str, legal: &[String]) -> Option<u64> {
        let view: View = serde_json::from_str(view).ok()?;
        (!legal.is_empty()).then_some(view.turn_number)
    }
}

/// The way players find each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meets {
    /// In the game's queue.
    Queue,
    /// In a lobby that one of them opens.
    Table,
}

/// The finality of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// It can still be replaced; only some games have drafts.
    Draft,
    /// It is final.
    Confirm,
}

/// A change caused by time on the server's clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shown {
    /// The kind of change.
    pub what: What,
    /// The time on the server's clock at which the next change is due, if the server sends it.
    pub next_ms: Option<u64>,
    /// The next round to decide in, if it begins immediately.
    pub round: Option<u64>,
}

/// A kind of change caused by time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// All decisions are final.
    Finalized,
    /// A step was revealed.
    Step,
    /// The round is over.
    RoundEnd,
}
