//! Stellar Fleet: factions, fleets and armies in a galaxy.
pub mod constants;
pub mod scenario;

mod decimal;
mod dice;
mod galaxy;
mod objectives;
mod space;
mod survey;

pub use decimal::{Decimal, Ly, NotADecimal, Share};
pub use galaxy::{
    Body, Galaxy, Garrison, NoGalaxy, StartFleet, StartPlace, System, SystemIdx, draw_svg,
};
pub use objectives::threshold;
pub use space::Point;
pub use survey::survey;
