//! The games' parts of the simulator.

mod catan;
mod orcain;
mod stellar;
mod words;
