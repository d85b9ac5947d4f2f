//! Stellar Fleet: factions, fleets and armies in a galaxy.
pub mod constants;
mod decimal;
pub mod scenario;
pub use decimal::{Decimal, Ly, NotADecimal, Share};
