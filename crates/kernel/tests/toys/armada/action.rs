//! The small steps of an order, and how a record says them.

use std::fmt;

use kernel::doc::{Fault, Faults, Node};
use kernel::json::Json;
use kernel::{ActionId, Entry};

use super::Armada;

/// A small step of a faction's orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// The fleets of this system.
    Choose(u8),
    /// Go to that system.
    Target(u8),
    /// All orders are given.
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

    /// An order is one line with `from` and `to`. Where something came between the two
    /// steps, it is two lines with one of them each.
    pub(super) fn entry(actions: &[Action]) -> Entry {
        let system = |system: u8| Json::Int(system.into());
        let payload = match *actions {
            [Action::Done] => {
                return Entry {
                    kind: "DONE",
                    payload: Json::object([]),
                };
            }
            [Action::Choose(from), Action::Target(to)] => {
                Json::object([("from", system(from)), ("to", system(to))])
            }
            [Action::Choose(from)] => Json::object([("from", system(from))]),
            [Action::Target(to)] => Json::object([("to", system(to))]),
            _ => unreachable!("{actions:?} is more than one order"),
        };
        Entry {
            kind: "ORDER",
            payload,
        }
    }

    pub(super) fn actions_of(
        &self,
        kind: &str,
        payload: &Node<'_>,
        faults: &mut Faults,
    ) -> Option<Vec<Action>> {
        match kind {
            "DONE" => {
                payload.only_fields(&[], faults);
                Some(vec![Action::Done])
            }
            "ORDER" => {
                payload.only_fields(&["from", "to"], faults);
                let mut system = |key: &str| {
                    let node = payload.field(key);
                    let last = i64::from(self.setup.n_systems) - 1;
                    let read = |node: &Node<'_>, faults: &mut Faults| node.int_in(0..=last, faults);
                    node.exists().then(|| read(&node, faults)?.try_into().ok())
                };
                let (from, to) = (system("from"), system("to"));
                let steps = [
                    from.map(|it| it.map(Action::Choose)),
                    to.map(|it| it.map(Action::Target)),
                ];
                steps.into_iter().flatten().collect()
            }
            _ => {
                let message = format!("{kind:?} is no action of Armada");
                faults.push(Fault::new("/type", "unknown_value", message));
                None
            }
        }
    }
}
