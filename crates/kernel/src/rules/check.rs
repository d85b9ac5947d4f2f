//! Contradictions in a state that was read from a document.

use crate::Seat;
use crate::doc::{Faults, Node};

/// Collects everything that is inconsistent in a state.
pub struct Check<'a, 'b> {
    /// The place of the state.
    pub(super) node: Node<'a>,
    pub(super) faults: &'b mut Faults,
    pub(super) n_seats: usize,
}

impl Check<'_, '_> {
    /// Reports `message` about a field of the state unless the condition holds. Returns the
    /// condition, so that later checks can depend on it.
    pub fn that(&mut self, holds: bool, field: &str, message: &str) -> bool {
        if !holds {
            let node = self.node.field(field);
            self.faults.at(&node, "contradiction", message);
        }
        holds
    }

    /// Reports seats in a field of the state that the match does not have. Returns true if it has
    /// them all.
    pub fn seats(&mut self, field: &str, seats: impl IntoIterator<Item = Seat>) -> bool {
        let n_seats = self.n_seats;
        let exist = seats.into_iter().all(|seat| seat.index() < n_seats);
        self.that(exist, field, "the match has no such player")
    }
}
