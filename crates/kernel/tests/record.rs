//! Records of toy games: every change to them is found, and they replay exactly.
//!
//! Promise: A record replays, and every change to it is found.

#![allow(clippy::unwrap_used, reason = "a missing value fails the test")]

#[path = "record/damage.rs"]
mod damage;
#[path = "record/forgery.rs"]
mod forgery;
#[path = "record/formats.rs"]
mod formats;
#[path = "record/lines.rs"]
mod lines;
#[path = "record/matches.rs"]
mod matches;
#[path = "record/replaying.rs"]
mod replaying;
mod toys;
