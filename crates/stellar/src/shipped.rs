//! The scenarios that come with the game.

use kernel::json;

use crate::scenario::{self, Scenario};

/// The ids of the shipped scenarios, the default first.
pub const NAMES: [&str; 9] = [
    "skirmish",
    "crown_of_stars",
    "first_orders",
    "land_rush",
    "last_stand",
    "six_houses",
    "the_bridge",
    "thousand_suns",
    "three_crowns",
];

const TEXTS: [&str; 9] = [
    include_str!("../scenarios/skirmish.json"),
    include_str!("../scenarios/crown_of_stars.json"),
    include_str!("../scenarios/first_orders.json"),
    include_str!("../scenarios/land_rush.json"),
    include_str!("../scenarios/last_stand.json"),
    include_str!("../scenarios/six_houses.json"),
    include_str!("../scenarios/the_bridge.json"),
    include_str!("../scenarios/thousand_suns.json"),
    include_str!("../scenarios/three_crowns.json"),
];

/// The JSON text of a shipped scenario, or `None` if the name is unknown.
pub fn text(name: &str) -> Option<&'static str> {
    let idx = NAMES.iter().position(|it| *it == name)?;
    Some(TEXTS[idx])
}

/// A shipped scenario, or `None` if the name is unknown.
pub fn scenario(name: &str) -> Option<Scenario> {
    let document = json::read(text(name)?.as_bytes()).ok()?;
    scenario::examine(&document).scenario
}
