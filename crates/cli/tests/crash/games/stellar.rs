//! Playing Stellar Fleet.

use serde_json::{Value, json};
use stellar::scenario::{Blueprint, Dialect, Topology};

/// The setup of a short match for three.
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

/// Keeps turns to an order or two.
pub(super) fn weight(word: &str) -> u64 {
    if word == "done" { 2 } else { 1 }
}
