//! The heuristic's decision for one position.

use catan::{Action, Catan};
use kernel::{GameExt, Mask};

use super::lookahead::Choice;
use super::value::Eye;

/// Decides by value. Keeps its buffers from one decision to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Policy {
    mask: Mask,
    choices: Vec<Choice>,
}

impl Policy {
    /// The best decision for the eye's seat; among equals, the one with the lowest id.
    pub(super) fn decide(&mut self, eye: &Eye<'_>, position: &Catan) -> Option<Action> {
        position.fill_legal(eye.seat, &mut self.mask);
        if self.mask.count() == 1 {
            return Action::with_id(self.mask.nth(0)?);
        }
        self.weigh(eye, position);
        best(&self.choices)
    }

    /// Every sensible decision with its value, the best first, each action once.
    pub(super) fn ranked(&mut self, eye: &Eye<'_>, position: &Catan) -> &[Choice] {
        position.fill_legal(eye.seat, &mut self.mask);
        self.weigh(eye, position);
        self.choices
            .sort_by_key(|choice| std::cmp::Reverse(choice.value));
        let mut seen = Mask::new(Action::N);
        self.choices.retain(|choice| {
            let new = !seen.allows(choice.action.id());
            seen.allow(choice.action.id());
            new
        });
        &self.choices
    }

    fn weigh(&mut self, eye: &Eye<'_>, position: &Catan) {
        eye.weigh(position, &self.mask, &mut self.choices);
    }
}

/// The most valuable choice; among equals, the first.
fn best(choices: &[Choice]) -> Option<Action> {
    let mut best: Option<Choice> = None;
    for choice in choices {
        if best.is_none_or(|best| choice.value > best.value) {
            best = Some(*choice);
        }
    }
    best.map(|choice| choice.action)
}
