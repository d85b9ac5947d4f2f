//! The foundation of every game: seats, the trait [`Game`], chance, generators, canonical JSON and
//! its hash, records that can be replayed, and the conformance suite.
//!
//! A match is a log: *setup, seed and ordered inputs*. A [`Game`] is a position with pure rules. A
//! [`Table`] is a position with its generator and identity. A [`record`] is the log of a table, one
//! hashed line per action.
//!
//! Nothing here uses the clock, the outside world or threads. Time reaches a game as a
//! [`Step::Deadline`], a lost player as a [`Step::Leave`], and dice as a [`Step::Chance`], so a
//! replay repeats exactly what happened live.

extern crate self as kernel;

mod agent;
mod chance;
mod conserve;
mod event;
mod game;
mod mask;
mod observe;
mod outcome;
mod perspective;
mod recorded;
mod refusal;
mod seat;
mod step;
mod table;
mod time;
mod turn;
mod version;

#[cfg(feature = "conformance")]
pub mod conformance;
pub mod doc;
pub mod fair;
pub mod json;
pub mod learn;
pub mod live;
pub mod record;
pub mod rng;
pub mod schema;
pub mod words;

pub use agent::{Agent, Evaluation, Random};
pub use chance::{Draw, OUTCOMES_MAX, Odds, Weights};
pub use conserve::Conserve;
pub use event::{Discard, Event, Sink};
pub use game::{ActionId, Describe, Game, GameExt, Redraw};
pub use mask::Mask;
pub use observe::{Block, Layout, Observe};
pub use outcome::{Close, Outcome, Reason, Verdict};
pub use perspective::Perspective;
pub use recorded::{DecisionOf, Entry, Recorded, SnapshotOf};
pub use refusal::Refusal;
pub use seat::{SEATS_MAX, SEATS_MIN, Seat, SeatSet, Viewer};
pub use step::{Departure, Step};
pub use table::{MatchId, Source, Table, TableSnapshot};
pub use time::Timestamp;
pub use turn::{Sealed, Turn};
pub use version::Version;
