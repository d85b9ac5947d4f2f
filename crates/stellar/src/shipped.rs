//! The scenarios that come with the game.

use kernel::json;

use crate::scenario::{self, Scenario};

/// Their ids, the standard one first.
pub const NAMES: [&str; 1] = ["skirmish"];

const TEXTS: [&str; 1] = [include_str!("../scenarios/skirmish.json")];

/// The document of a shipped scenario.
pub fn text(name: &str) -> Option<&'static str> {
    let idx = NAMES.iter().position(|it| *it == name)?;
    Some(TEXTS[idx])
}

/// A shipped scenario.
pub fn scenario(name: &str) -> Option<Scenario> {
    let document = json::read(text(name)?.as_bytes()).ok()?;
    scenario::examine(&document).scenario
}
