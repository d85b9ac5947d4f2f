//! Everything that the rules of a small game use: `use kernel::rules::prelude::*;`

pub use std::ops::RangeInclusive;

pub use arrayvec::ArrayVec;
pub use schemars::JsonSchema;
pub use serde::Serialize;

pub use super::{ActionSpace, Check, Die, Log, Next, Numbers, PerSeat, Position, Rules, Veil};
pub use crate::doc::Document;
pub use crate::picture::{Card, Cell, Picture, Spot, Tone};
pub use crate::{Draw, Odds, Outcome, Seat, SeatSet, Verdict, Viewer};
