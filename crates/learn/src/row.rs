//! The legal actions of one row.

use kernel::rng::Generator;
use kernel::{ActionId, Choices, GameExt, Mask, Seat};

use crate::{Learn, write_mask};

/// The legal actions of one row: prepared by the game, or in a mask of its own.
pub(crate) struct Row<G: Learn> {
    prepared: Option<&'static Choices<G::Action>>,
    /// Empty while the actions are prepared.
    mask: Mask,
}

impl<G: Learn> Row<G> {
    pub(crate) fn new(n_actions: usize) -> Row<G> {
        Row {
            prepared: None,
            mask: Mask::new(n_actions),
        }
    }

    /// Sets the row to the legal actions of a seat.
    #[inline]
    pub(crate) fn fill(&mut self, position: &G, seat: Seat) {
        let before = self.prepared.is_some();
        self.prepared = position.choices(seat);
        match (before, self.prepared.is_some()) {
            (_, false) => position.fill_legal(seat, &mut self.mask),
            (true, true) => {}
            (false, true) => self.mask.reset(self.mask.n_actions()),
        }
    }

    /// Sets the row to no actions.
    #[inline]
    pub(crate) fn clear(&mut self) {
        if self.prepared.take().is_none() {
            self.mask.reset(self.mask.n_actions());
        }
    }

    /// The action with this id, if it is legal.
    #[inline]
    pub(crate) fn action(&self, position: &G, id: ActionId) -> Option<G::Action> {
        match self.prepared {
            Some(choices) => choices.get(id),
            None if self.mask.allows(id) => position.action(id),
            None => None,
        }
    }

    /// True if the id is legal.
    pub(crate) fn allows(&self, id: ActionId) -> bool {
        self.prepared.map_or(&self.mask, Choices::mask).allows(id)
    }

    /// A uniformly random legal id; `None` if no action is legal.
    #[inline]
    pub(crate) fn sample(&self, rng: &mut Generator) -> Option<ActionId> {
        match self.prepared {
            Some(choices) => choices.sample(rng).map(|(id, _)| id),
            None => self.mask.sample(rng),
        }
    }
}

impl<G: Learn> Clone for Row<G> {
    fn clone(&self) -> Row<G> {
        Row {
            prepared: self.prepared,
            mask: self.mask.clone(),
        }
    }
}

/// Writes rows one after another as bytes: 1 for legal and 0 for illegal actions. A mask that equals
/// the previous one, as is common in games with few distinct masks, is copied from it.
#[inline]
pub(crate) fn write_rows<'a, G: Learn>(
    rows: impl Iterator<Item = &'a Row<G>>,
    out: &mut [u8],
    n_actions: usize,
) {
    let mut before: Option<&Mask> = None;
    let mut start = 0;
    for row in rows {
        let place = start..start + n_actions;
        let mask = row.prepared.is_none().then_some(&row.mask);
        let is_same = |it: &Mask| it.words().iter().zip(row.mask.words()).all(|(a, b)| a == b);
        match row.prepared {
            Some(choices) => out[place].copy_from_slice(choices.bytes()),
            None if before.is_some_and(is_same) => {
                out.copy_within(start - n_actions..start, start);
            }
            None => write_mask(&row.mask, &mut out[place]),
        }
        before = mask;
        start += n_actions;
    }
}
