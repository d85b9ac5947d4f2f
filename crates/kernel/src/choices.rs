//! Legal actions in every form that a loop wants.

use crate::rng::Generator;
use crate::{ActionId, Mask};

/// The legal actions of a seat, prepared once: for games with few distinct masks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choices<A> {
    mask: Mask,
    bytes: Vec<u8>,
    listed: Vec<(ActionId, A)>,
    by_id: Vec<Option<A>>,
}

impl<A: Copy> Choices<A> {
    /// The choices that this mask allows. An id without an action is left out.
    pub fn new(mask: &Mask, action: impl Fn(ActionId) -> Option<A>) -> Choices<A> {
        let listed = mask.iter().filter_map(|id| Some((id, action(id)?)));
        let listed: Vec<(ActionId, A)> = listed.collect();
        let (mut bytes, mut by_id) = (vec![0; mask.n_actions()], vec![None; mask.n_actions()]);
        for &(id, action) in &listed {
            bytes[id.index()] = 1;
            by_id[id.index()] = Some(action);
        }
        Choices {
            mask: mask.clone(),
            bytes,
            listed,
            by_id,
        }
    }

    /// The legal ids.
    #[inline]
    pub fn mask(&self) -> &Mask {
        &self.mask
    }

    /// One byte for each id: 1 if it is legal, otherwise 0.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The legal actions with their ids, in ascending order of id.
    #[inline]
    pub fn listed(&self) -> &[(ActionId, A)] {
        &self.listed
    }

    /// The action with this id, if it is legal.
    #[inline]
    pub fn get(&self, id: ActionId) -> Option<A> {
        *self.by_id.get(id.index())?
    }

    /// A uniformly random choice, with the same draw as [`Mask::sample`]; `None` if there is none.
    #[inline(always)]
    pub fn sample(&self, rng: &mut Generator) -> Option<(ActionId, A)> {
        let rank = rng.below(self.listed.len() as u64);
        self.listed.get(rank as usize).copied()
    }
}
