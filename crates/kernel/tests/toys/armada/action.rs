//! The small steps of an order, and their form in a record.

use std::fmt;

use kernel::doc::{Document, Faults, Names, Node, given};
use kernel::{ActionId, DecisionOf};
use serde::Serialize;

use super::Armada;

/// A small step of a faction's orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Select the fleets of this system.
    Choose(u8),
    /// Send the selected fleets to this system.
    Target(u8),
    /// Finish the faction's orders.
    Done,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Choose(system) => write!(f, "from:{system}"),
            Action::Target(system) => write!(f, "to:{system}"),
            Action::Done => f.write_str("done"),
        }
    }
}

impl Armada {
    pub(super) fn id_of(&self, action: Action) -> ActionId {
        let n_systems = usize::from(self.setup.n_systems);
        ActionId::new(match action {
            Action::Choose(system) => system.into(),
            Action::Target(system) => n_systems + usize::from(system),
            Action::Done => 2 * n_systems,
        })
    }

    pub(super) fn with_id(&self, id: ActionId) -> Option<Action> {
        let n_systems = usize::from(self.setup.n_systems);
        match id.index() {
            idx if idx < n_systems => Some(Action::Choose(idx as u8)),
            idx if idx < 2 * n_systems => Some(Action::Target((idx - n_systems) as u8)),
            idx if idx == 2 * n_systems => Some(Action::Done),
            _ => None,
        }
    }
}

/// A decision as written in a record.
#[derive(Serialize, Document, Names)]
#[serde(tag = "type", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Decision {
    /// All orders are given.
    Done {},
    /// An order is one line with `from` and `to`. If something came between the two steps, it is
    /// two lines with one field each.
    Order {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[document(read_with = given)]
        from: Option<u8>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[document(read_with = given)]
        to: Option<u8>,
    },
}

impl DecisionOf<Armada> for Decision {
    fn of(_: &Armada, actions: &[Action]) -> Decision {
        let (from, to) = match *actions {
            [Action::Done] => return Decision::Done {},
            [Action::Choose(from), Action::Target(to)] => (Some(from), Some(to)),
            [Action::Choose(from)] => (Some(from), None),
            [Action::Target(to)] => (None, Some(to)),
            _ => unreachable!("{actions:?} is more than one order"),
        };
        Decision::Order { from, to }
    }

    fn actions(self, armada: &Armada, node: &Node<'_>, faults: &mut Faults) -> Option<Vec<Action>> {
        let Decision::Order { from, to } = self else {
            return Some(vec![Action::Done]);
        };
        let last = i64::from(armada.setup.n_systems) - 1;
        for key in ["from", "to"] {
            if node.field(key).exists() {
                node.field(key).int_in(0..=last, faults);
            }
        }
        let steps = [from.map(Action::Choose), to.map(Action::Target)];
        Some(steps.into_iter().flatten().collect())
    }
}
