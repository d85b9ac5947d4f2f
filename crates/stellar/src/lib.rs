//! Stellar Fleet: two to eight factions in a galaxy.
//!
//! Every turn all factions give sealed orders; then fleets move, fight, land troops, bombard,
//! conquer and refuel, and the scenario's objectives are checked. A match is defined by a
//! [`scenario`]: a document with the map, the factions and the victory conditions.
//!
//! ```
//! use kernel::{Game, GameExt, Seat};
//! use stellar::{Action, Setup, Stellar};
//!
//! let mut match_ = Stellar::start(&Setup::default());
//! for seat in [Seat::FIRST, Seat::SECOND] {
//!     match_.play(seat, Action::Done, &mut kernel::Discard)?;
//! }
//! assert_eq!(match_.turn_number(), 2);
//! # Ok::<(), kernel::Refusal>(())
//! ```

pub mod constants;
pub mod scenario;
pub mod shipped;

mod action;
mod check;
mod choices;
mod compose;
mod decimal;
mod describe;
mod dice;
mod ending;
mod entry;
mod event;
mod galaxy;
mod learn;
mod legal;
mod live;
mod notation;
mod objectives;
mod observe;
mod percentage;
mod play;
mod redraw;
mod setup;
mod sight;
mod snapshot;
mod space;
mod state;
mod survey;
mod terminal;
mod turn;
mod view;
mod words;
mod world;

pub use action::Action;
pub use choices::Choice;
pub use decimal::{Decimal, Ly, NotADecimal, Share};
pub use entry::Decision;
pub use event::{Event, Sighting};
pub use galaxy::{
    Body, Galaxy, Garrison, NoGalaxy, StartFleet, StartPlace, System, SystemIdx, draw_svg,
};
pub use notation::NotAnAction;
pub use percentage::Percentage;
pub use setup::Setup;
pub use snapshot::Snapshot;
pub use space::Point;
pub use state::{
    Army, Cause, Draft, Ending, Fleet, Hold, Mission, Order, Place, Post, Score, Ship, Stellar,
    Verb,
};
pub use survey::survey;
pub use view::{Contact, View};
pub use world::{Goal, World};
