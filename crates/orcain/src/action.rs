//! The actions of a player, and their ids.

use kernel::doc::{Document, Faults, Names, Node};
use kernel::{ActionId, DecisionOf};
use serde::Serialize;

use crate::layout::Slots;
use crate::{Full, Layout, Orcain, STEPS_MAX};

/// An action of a player while layouts are being made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Place cards for now. The last draft counts if no confirm follows.
    Draft(Layout),
    /// Place cards for good: the layout is final for the round.
    Confirm(Full),
}

impl Action {
    /// The layout of either action.
    pub fn layout(self) -> Layout {
        match self {
            Action::Draft(layout) => layout,
            Action::Confirm(full) => full.layout(),
        }
    }
}

/// The number of drafts. The ids of confirms follow them.
#[inline]
pub(crate) fn n_drafts(n_steps: usize) -> usize {
    const N_DRAFTS: [usize; STEPS_MAX + 1] = [1, 5, 25, 125, 625];
    N_DRAFTS[n_steps]
}

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

/// An action as a record writes it.
#[derive(Serialize, Document, Names)]
#[serde(tag = "type", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Decision {
    /// Place cards for now.
    LayoutDraft {
        /// A card or null for each step.
        layout: Slots,
    },
    /// Place cards for good.
    LayoutConfirm {
        /// A card for each step.
        layout: Slots,
    },
}

impl DecisionOf<Orcain> for Decision {
    fn of(position: &Orcain, actions: &[Action]) -> Decision {
        debug_assert_eq!(actions.len(), 1, "a decision of Orcain is one action");
        let action = actions[0];
        let layout = action.layout().slots(position.setup.steps()).collect();
        match action {
            Action::Draft(_) => Decision::LayoutDraft { layout },
            Action::Confirm(_) => Decision::LayoutConfirm { layout },
        }
    }

    fn actions(
        self,
        position: &Orcain,
        node: &Node<'_>,
        faults: &mut Faults,
    ) -> Option<Vec<Action>> {
        let (node, n_steps) = (node.field("layout"), position.setup.steps());
        node.list_of_len(n_steps, faults)?;
        let action = match self {
            Decision::LayoutDraft { layout } => Action::Draft(Layout::of(&layout)),
            Decision::LayoutConfirm { layout } => {
                let full = Layout::of(&layout).full(n_steps);
                if full.is_none() {
                    let message = "a confirm has a card in every slot";
                    faults.at(&node, "invalid_layout", message);
                }
                Action::Confirm(full?)
            }
        };
        Some(vec![action])
    }
}
