//! Records of toy games: whatever is changed in them is found, and what is in them plays
//! again as it was.
//!
//! Promise: A record replays, and every change to it is found.

#![allow(clippy::unwrap_used, reason = "what cannot be had fails the test")]

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
