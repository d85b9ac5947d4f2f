//! Agents, how they are seated, and matches between them.
//!
//! - [`Agent`] decides for a seat, seeing only what the seat may see.
//! - [`Roster`] names a game's agents; `net:FILE` is a trained network in any game.
//! - [`simulate`] plays many matches on several threads, with the same result whatever
//!   their number.
//! - [`arena`] lets agents meet each other and rates them.
//! - [`catan`] has players by value and by search.
//! - [`orcain`] has the exact equilibrium of the card duel.
//! - [`stellar`] has commanders by profile and skill.
//! - [`matrix_game`] solves finite two-player zero-sum games, the heart of any
//!   simultaneous move.

mod agent;
pub mod arena;
pub mod catan;
pub mod matrix_game;
mod net;
pub mod orcain;
mod playout;
mod roster;
pub mod simulate;
pub mod stellar;
mod wilson;

pub use agent::AgentFault;
pub use kernel::{Agent, Evaluation, Random};
pub use playout::{PlayFault, Played, Playout, play_recorded};
pub use roster::{NoAgent, Roster};
pub use wilson::{Interval, wilson_95};
