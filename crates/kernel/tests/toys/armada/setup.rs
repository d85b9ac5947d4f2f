//! The starting conditions of a match.

use kernel::doc::{Document, Faults, Node};
use schemars::JsonSchema;
use serde::Serialize;

use crate::toys::int_or;

/// The constants of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Setup {
    /// The last turn.
    pub max_turns: u16,
    /// The number of seats: 2 to 5, and no more than systems.
    pub n_factions: u8,
    /// The number of systems on the ring: 4 to 12.
    pub n_systems: u8,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            max_turns: 20,
            n_factions: 3,
            n_systems: 9,
        }
    }
}

impl Document for Setup {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Setup> {
        node.only_fields(&["max_turns", "n_factions", "n_systems"], faults);
        let standard = Setup::default();
        let max_turns = int_or(node, "max_turns", 1..=500, standard.max_turns, faults);
        let n_factions = int_or(node, "n_factions", 2..=5, standard.n_factions, faults);
        let n_systems = int_or(node, "n_systems", 4..=12, standard.n_systems, faults);
        let setup = Setup {
            max_turns: max_turns?,
            n_factions: n_factions?,
            n_systems: n_systems?,
        };
        if setup.n_factions > setup.n_systems {
            let message = "every faction needs its own system";
            faults.at(&node.field("n_factions"), "above_maximum", message);
        }
        Some(setup)
    }
}
