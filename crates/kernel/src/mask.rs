//! The set of legal actions.

use std::fmt;

use crate::ActionId;
use crate::rng::Generator;

/// A set of action ids: the single definition of legality that server, bots, interface and tests
/// share.
///
/// It is a buffer to reuse: [`Mask::reset`] keeps the memory.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Mask {
    /// Exactly as many as `len` needs.
    words: Vec<u64>,
    len: usize,
}

impl Mask {
    /// An empty mask over `n_actions` ids.
    pub fn new(n_actions: usize) -> Mask {
        let mut mask = Mask::default();
        mask.reset(n_actions);
        mask
    }

    /// Empties the mask and resizes it to `n_actions` ids.
    #[inline]
    pub fn reset(&mut self, n_actions: usize) {
        if self.len != n_actions {
            self.words.resize(n_actions.div_ceil(64), 0);
        }
        self.len = n_actions;
        self.words_mut().fill(0);
    }

    /// The number of ids that the mask covers, legal or not.
    pub fn n_actions(&self) -> usize {
        self.len
    }

    /// Adds an id. An id out of range is a bug in the game; debug builds panic.
    #[inline]
    pub fn allow(&mut self, id: ActionId) {
        debug_assert!(id.index() < self.len, "action id {id} of {}", self.len);
        self.words[id.index() / 64] |= 1 << (id.index() % 64);
    }

    /// Adds ids 64 at a time, starting with id 0: for games that keep prepared masks.
    #[inline]
    pub fn allow_words(&mut self, words: &[u64]) {
        for (own, &added) in self.words_mut().iter_mut().zip(words) {
            *own |= added;
        }
    }

    /// Removes an id.
    pub fn forbid(&mut self, id: ActionId) {
        if id.index() < self.len {
            self.words[id.index() / 64] &= !(1 << (id.index() % 64));
        }
    }

    /// True if the id is legal; an id out of range is not.
    #[inline]
    pub fn allows(&self, id: ActionId) -> bool {
        id.index() < self.len && self.words[id.index() / 64] & (1 << (id.index() % 64)) != 0
    }

    /// True if no action is legal.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The number of legal ids.
    #[inline]
    pub fn count(&self) -> usize {
        let ones = self.words().iter().map(|word| word.count_ones() as usize);
        ones.sum()
    }

    /// The legal ids in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = ActionId> + '_ {
        self.words.iter().enumerate().flat_map(|(idx, &word)| {
            std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| ActionId::new(idx * 64 + rest.trailing_zeros() as usize))
        })
    }

    /// The legal id with this rank, counted from 0 in ascending order; `None` if there are fewer.
    #[inline]
    pub fn nth(&self, mut rank: usize) -> Option<ActionId> {
        for (idx, &word) in self.words.iter().enumerate() {
            let ones = word.count_ones() as usize;
            if rank < ones {
                return Some(ActionId::new(
                    idx * 64 + nth_one(word, rank as u32) as usize,
                ));
            }
            rank -= ones;
        }
        None
    }

    /// A uniformly random legal id; `None` if no action is legal.
    ///
    /// Always inlined, so that a caller that has just fitted the mask to a constant number of ids
    /// gets straight code without loops.
    #[inline(always)]
    pub fn sample(&self, rng: &mut Generator) -> Option<ActionId> {
        match self.count() {
            0 => None,
            n_legal => {
                let rank = rng.below(n_legal as u64) as usize;
                match self.words().len() {
                    0..=FEW_WORDS => self.nth_of_few(rank),
                    _ => self.nth(rank),
                }
            }
        }
    }

    /// Same as [`Mask::nth`], by counting all words: for few words, that is cheaper than a
    /// mispredicted exit from the loop.
    #[inline(always)]
    fn nth_of_few(&self, rank: usize) -> Option<ActionId> {
        let (mut sum, mut idx, mut before) = (0, 0, 0);
        for word in self.words() {
            sum += word.count_ones() as usize;
            let passed = sum <= rank;
            idx += usize::from(passed);
            before = if passed { sum } else { before };
        }
        let word = *self.words.get(idx)?;
        let bit = nth_one(word, (rank - before) as u32);
        Some(ActionId::new(idx * 64 + bit as usize))
    }

    /// The mask as 64-bit words, least significant bit first.
    ///
    /// The number of words is computed from the number of ids: where that is a constant of the
    /// game, the compiler unrolls the loops over them.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words[..self.len.div_ceil(64)]
    }

    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words[..self.len.div_ceil(64)]
    }
}

/// Up to this many words, [`Mask::sample`] uses [`Mask::nth_of_few`].
const FEW_WORDS: usize = 16;

/// The index of the one-bit with this rank; `rank` must be below the number of ones.
///
/// Counts the ones of all bytes at once, then sums them up to each byte, finds the byte by
/// comparing all sums with the rank at once, and looks up the bit within it. No branch depends on
/// the bits, which the processor could not predict in random play.
#[inline]
fn nth_one(word: u64, rank: u32) -> u32 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const TOP: u64 = 0x8080_8080_8080_8080;
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    let sums = bytes.wrapping_mul(EACH);
    // The top bit of a byte stays set if the sum up to it is at most the rank.
    let passed = ((u64::from(rank) * EACH) | TOP).wrapping_sub(sums) & TOP;
    let place = passed.count_ones() * 8;
    let before = (sums << 8 >> place & 0xFF) as u32;
    let byte = word >> place & 0xFF;
    place + u32::from(NTH_IN_BYTE[byte as usize][(rank - before) as usize & 7])
}

/// For each byte value, the index of the one-bit with each rank.
static NTH_IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut rank) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][rank] = bit as u8;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.iter().map(ActionId::index))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_mask_holds_exactly_what_was_allowed(ids in prop::collection::btree_set(0usize..300, 0..80)) {
            let mut mask = Mask::new(300);
            for &id in &ids {
                mask.allow(ActionId::new(id));
            }
            prop_assert_eq!(mask.count(), ids.len());
            prop_assert_eq!(mask.is_empty(), ids.is_empty());
            prop_assert_eq!(mask.iter().map(ActionId::index).collect::<Vec<_>>(), ids.iter().copied().collect::<Vec<_>>());
            for (rank, &id) in ids.iter().enumerate() {
                prop_assert_eq!(mask.nth(rank).map(ActionId::index), Some(id));
                prop_assert_eq!(mask.nth_of_few(rank).map(ActionId::index), Some(id));
            }
            prop_assert_eq!(mask.nth(ids.len()), None);
            prop_assert_eq!(mask.nth_of_few(ids.len()), None);
        }
    }

    #[test]
    fn words_without_a_legal_id_are_skipped() {
        let mut mask = Mask::new(200);
        assert_eq!(mask.iter().count(), 0);
        mask.allow(ActionId::new(130));
        assert_eq!(mask.iter().map(ActionId::index).collect::<Vec<_>>(), [130]);
    }

    #[test]
    fn every_bit_of_a_full_and_of_a_sparse_word_is_found() {
        for bit in 0..64 {
            assert_eq!(nth_one(u64::MAX, bit), bit);
            assert_eq!(nth_one(1 << bit, 0), bit);
            assert_eq!(nth_one(1 << bit | 1 << 63, u32::from(bit < 63)), 63);
        }
    }

    #[test]
    fn forbidden_ids_and_ids_out_of_range_are_not_legal() {
        let mut mask = Mask::new(70);
        mask.allow(ActionId::new(69));
        assert!(mask.allows(ActionId::new(69)) && !mask.allows(ActionId::new(70)));
        mask.forbid(ActionId::new(69));
        mask.forbid(ActionId::new(999));
        assert!(mask.is_empty());
    }
}
