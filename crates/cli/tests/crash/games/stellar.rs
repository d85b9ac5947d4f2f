//! Stellar Fleet, as it is played here.

use serde_json::{Value, json};
use stellar::scenario::{Blueprint, Dialect, Topology};

/// A match for three that is soon over.
pub(super) fn short() -> Value {
    let blueprint = Blueprint {
        title: "Crash".to_owned(),
        topology: Topology::Ring,
        n_systems: 45,
        n_factions: 3,
        seed: 7,
        n_turns: 12,
        domination: "0.6".parse().unwrap(),
    };
    let scenario = blueprint.build().unwrap();
    json!({ "scenario": scenario.document(Dialect::File) })
}

/// A turn has an order or two.
pub(super) fn weight(word: &str) -> u64 {
    if word == "done" { 2 } else { 1 }
}
