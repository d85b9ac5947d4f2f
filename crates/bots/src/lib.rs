//! Agents, a registry to find them by name, and matches between them.
//!
//! - [`Agent`] decides for a seat and sees only what the seat may see.
//! - [`Bots`] lists the agents of one game and is implemented in the game's own folder; [`agent()`]
//!   finds one by name. `random`, `mcts` and `net:FILE`, a trained network, play any game.
//! - [`simulate`] plays many matches on several threads; the number of threads does
//!   not change the result.
//! - [`client`] lets load-test clients play a game.
//! - [`arena`] lets agents play each other and rates them.
//! - [`balance`] measures how even the seats of a setup are.
//! - [`mcts`] searches any game.
//! - [`matrix_game`] solves finite two-player zero-sum games, the core of every simultaneous move.

mod agent;
pub mod arena;
pub mod balance;
pub mod client;
mod crew;
pub mod matrix_game;
pub mod mcts;
mod net;
mod playout;
mod roster;
pub mod simulate;
mod wilson;

pub use agent::AgentFault;
pub use kernel::{Agent, Evaluation, Random};
pub use playout::{PlayFault, Played, Playout, play_recorded};
pub use roster::{Bots, GENERIC, NoAgent, NoBots, Peers, agent, roster};
pub use wilson::{Interval, wilson_95};
