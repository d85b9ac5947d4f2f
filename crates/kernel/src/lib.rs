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
//!
//! # A tour
//!
//! 1. **Rules.** The author of a small game writes [`rules::Rules`]; everything below follows from
//!    it. [`Game`] is what a large game implements: the position, whose [`Turn`] it is, the
//!    legal actions as a [`Mask`], the transition for each action and for each [`Draw`] of chance,
//!    and the view of each [`Viewer`]. [`GameExt`] adds the checked functions that refuse an
//!    illegal [`Step`] with a [`Refusal`] and change nothing.
//! 2. **Documents.** [`Recorded`] declares the game's snapshot and its decisions. The readers of
//!    [`doc`] report every fault of a document with its place; [`schema`] describes the same types;
//!    [`json`] writes canonical bytes and hashes them; [`notation`] writes a position as one line.
//! 3. **Matches.** A [`Table`] plays a position with a generator of [`rng`], under a [`MatchId`].
//!    [`record::Recorder`] writes its log, [`record::verify`] checks one, and [`record::Replay`]
//!    walks through it or resumes it. [`fair`] commits to a seed before a match and reveals it
//!    afterwards.
//! 4. **Players.** An [`Agent`] decides from a [`Perspective`], which holds only what its seat may
//!    know. [`Redraw`] draws a position that agrees with that knowledge, for search; [`learn`] and
//!    [`Observe`] turn it into numbers.
//! 5. **Live play.** [`live::Live`] adds deadlines and the meaning of client messages. The crate
//!    `session` runs such a match without I/O, and the crate `server` runs sessions.
//!    [`terminal::Terminal`] adds what a person needs to play in a terminal.
//! 6. **Conformance.** The module `conformance` (behind a feature) checks all of this for any game,
//!    and the module `script` (behind the same feature) plays matches that tests write as text.
//!
//! The crate `catalog` lists the games and has an example that plays, records and verifies a match.

extern crate self as kernel;

mod agent;
mod chance;
mod choices;
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
pub mod notation;
pub mod picture;
pub mod record;
pub mod rng;
pub mod rules;
pub mod schema;
#[cfg(feature = "conformance")]
pub mod script;
pub mod terminal;
pub mod words;

pub use agent::{Agent, Evaluation, Random};
pub use chance::{Draw, OUTCOMES_MAX, Odds, Weights};
pub use choices::Choices;
pub use conserve::Conserve;
pub use event::{Discard, Event, Sink};
pub use game::{ActionId, Describe, Game, GameExt, Redraw};
pub use mask::Mask;
pub use observe::{Block, Layout, Observe};
pub use outcome::{Close, Endings, Outcome, Reason, Verdict};
pub use perspective::Perspective;
pub use recorded::{DecisionOf, Entry, Recorded, SnapshotOf};
pub use refusal::Refusal;
pub use seat::{SEATS_MAX, SEATS_MIN, Seat, SeatSet, Viewer};
pub use step::{Departure, Step};
pub use table::{MatchId, Source, Table, TableSnapshot};
pub use time::Timestamp;
pub use turn::{Sealed, Turn};
pub use version::Version;
