//! The starting conditions of a match.

use kernel::doc::{Document, Faults, Node};
use schemars::JsonSchema;
use serde::Serialize;

use crate::toys::int_or;

/// The constants of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Setup {
    /// A larger hand discards half on a 7.
    pub hand_limit: u8,
    /// The last turn, after which the match is cut off.
    pub max_turns: u16,
    /// The number of goods of each kind.
    pub n_each: u8,
    /// The number of points that wins.
    pub points_to_win: u8,
    /// The number of equal goods that sell for a point.
    pub set_size: u8,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            hand_limit: 4,
            max_turns: 40,
            n_each: 6,
            points_to_win: 3,
            set_size: 3,
        }
    }
}

impl Document for Setup {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Setup> {
        const FIELDS: [&str; 5] = [
            "hand_limit",
            "max_turns",
            "n_each",
            "points_to_win",
            "set_size",
        ];
        node.only_fields(&FIELDS, faults);
        let standard = Setup::default();
        let hand_limit = int_or(node, "hand_limit", 1..=40, standard.hand_limit, faults);
        let max_turns = int_or(node, "max_turns", 1..=500, standard.max_turns, faults);
        let n_each = int_or(node, "n_each", 1..=12, standard.n_each, faults);
        let to_win = int_or(
            node,
            "points_to_win",
            1..=10,
            standard.points_to_win,
            faults,
        );
        let set_size = int_or(node, "set_size", 1..=4, standard.set_size, faults);
        Some(Setup {
            hand_limit: hand_limit?,
            max_turns: max_turns?,
            n_each: n_each?,
            points_to_win: to_win?,
            set_size: set_size?,
        })
    }
}
