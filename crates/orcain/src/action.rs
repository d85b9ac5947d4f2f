//! What a player can do, and its number.

use kernel::doc::{Document, Fault, Faults, Node};
use kernel::json;
use kernel::{ActionId, Entry};
use serde::Serialize;

use crate::layout::Slots;
use crate::{Full, Layout, Orcain, STEPS_MAX};

/// What a player can do while layouts are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Lay out cards for now; the last draft counts if no confirm comes.
    Draft(Layout),
    /// Lay out cards for good.
    Confirm(Full),
}

/// The types of actions in records.
pub(crate) const KINDS: [&str; 2] = ["LAYOUT_DRAFT", "LAYOUT_CONFIRM"];

impl Action {
    /// The layout of either kind.
    pub fn layout(self) -> Layout {
        match self {
            Action::Draft(layout) => layout,
            Action::Confirm(full) => full.layout(),
        }
    }
}

/// How many drafts there are: the ids of confirms come after them.
#[inline]
pub(crate) fn n_drafts(n_steps: usize) -> usize {
    const N_DRAFTS: [usize; STEPS_MAX + 1] = [1, 5, 25, 125, 625];
    N_DRAFTS[n_steps]
}

/// How many actions there are.
#[inline]
pub(crate) fn n_actions(n_steps: usize) -> usize {
    const N_CONFIRMS: [usize; STEPS_MAX + 1] = [1, 4, 16, 64, 256];
    n_drafts(n_steps) + N_CONFIRMS[n_steps]
}

#[inline]
pub(crate) fn id_of(action: Action, n_steps: usize) -> ActionId {
    ActionId::new(match action {
        Action::Draft(layout) => layout.number(n_steps),
        Action::Confirm(full) => n_drafts(n_steps) + full.number(n_steps),
    })
}

#[inline]
pub(crate) fn with_id(id: ActionId, n_steps: usize) -> Option<Action> {
    let n_drafts = n_drafts(n_steps);
    match id.index() {
        idx if idx < n_drafts => Some(Action::Draft(Layout::from_number(idx, n_steps))),
        idx if idx < n_actions(n_steps) => {
            Some(Action::Confirm(Full::from_number(idx - n_drafts, n_steps)))
        }
        _ => None,
    }
}

/// An action as it stands in a record, beside its type.
#[derive(Serialize, Document)]
struct Payload {
    layout: Slots,
}

impl Orcain {
    pub(crate) fn encode_action(&self, action: Action) -> Entry {
        let layout = action.layout().slots(self.setup.steps()).collect();
        Entry {
            kind: KINDS[usize::from(matches!(action, Action::Confirm(_)))],
            payload: json::from_value(&Payload { layout }).expect("a layout holds no floats"),
        }
    }

    pub(crate) fn decode_action(
        &self,
        kind: &str,
        payload: &Node<'_>,
        faults: &mut Faults,
    ) -> Option<Action> {
        let read = Payload::read(payload, faults);
        let node = payload.field("layout");
        node.list_of_len(self.setup.steps(), faults);
        if !KINDS.contains(&kind) {
            let message = format!("expected LAYOUT_DRAFT or LAYOUT_CONFIRM, found {kind:?}");
            faults.push(Fault::new("/type", "unknown_value", message));
        }
        let layout = Layout::of(&read?.layout);
        if kind != KINDS[1] {
            return (kind == KINDS[0]).then_some(Action::Draft(layout));
        }
        let full = layout.full(self.setup.steps());
        if full.is_none() {
            faults.at(
                &node,
                "invalid_layout",
                "a confirm has a card in every slot",
            );
        }
        full.map(Action::Confirm)
    }
}
