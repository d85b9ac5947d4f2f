//! Agents, and what they think with.
//!
//! - [`matrix_game`] solves finite two-player zero-sum games, the heart of any
//!   simultaneous move.

pub mod matrix_game;
