//! Players of Catan.
//!
//! - [`Heuristic`] takes the decision after which the position is worth most.
//! - [`Search`] tries decisions out over the next turns, with redrawn cards and new dice.
//! - [`Fit`] is where the worth of a position comes from: a regression over matches.

mod features;
mod fit;
mod ground;
mod heuristic;
mod lookahead;
mod policy;
mod search;
mod value;
mod weights;

pub use fit::Fit;
pub use heuristic::Heuristic;
pub use search::{Bound, Search};
