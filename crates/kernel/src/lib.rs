//! The ground every game stands on.

pub mod doc;
pub mod json;
pub mod rng;
