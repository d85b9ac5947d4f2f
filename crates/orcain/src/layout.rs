//! Layouts: a card or nothing for each step of a round.

use arrayvec::ArrayVec;

use crate::Card;

/// The maximum number of steps in a round: one for each card of the hand.
pub const STEPS_MAX: usize = 4;

/// A slot of a layout: a card, or nothing.
pub type Slot = Option<Card>;

/// The slots of a layout, as documents write them.
pub type Slots = ArrayVec<Slot, STEPS_MAX>;

/// A card or nothing for each step. Packed into four bits per slot, the first slot lowest and an
/// empty slot as zero, so that a layout is compared, copied and cleared as one number.
///
/// Slot indices must be below [`STEPS_MAX`], and step counts at most that.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Layout(u16);

impl Layout {
    /// A layout without cards.
    pub const EMPTY: Layout = Layout(0);

    /// The layout with these slots.
    pub fn of(slots: &Slots) -> Layout {
        let set = |layout: Layout, (idx, &slot)| layout.with(idx, slot);
        slots.iter().enumerate().fold(Layout::EMPTY, set)
    }

    /// The layout with these slots; `None` if there are more than [`STEPS_MAX`].
    pub fn new(slots: &[Slot]) -> Option<Layout> {
        Slots::try_from(slots).ok().map(|slots| Layout::of(&slots))
    }

    /// The card in a slot.
    #[inline]
    pub fn slot(self, idx: usize) -> Slot {
        const SLOTS: [Slot; 8] = [
            None,
            Some(Card::Attack),
            Some(Card::Defense),
            Some(Card::Heal),
            Some(Card::Counter),
            None,
            None,
            None,
        ];
        SLOTS[self.code(idx)]
    }

    /// The code of a slot: 0 for an empty slot, otherwise the card's id plus one.
    #[inline]
    pub(crate) fn code(self, idx: usize) -> usize {
        usize::from(self.0 >> (4 * idx)) & 7
    }

    /// Returns this layout with one slot replaced.
    #[must_use]
    pub fn with(self, idx: usize, slot: Slot) -> Layout {
        let nibble = slot.map_or(0, |card| card as u16 + 1);
        Layout(self.0 & !(0xF << (4 * idx)) | nibble << (4 * idx))
    }

    /// True if no slot has a card.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if no slot beyond the first `n_steps` has a card.
    #[inline]
    pub const fn fits(self, n_steps: usize) -> bool {
        (self.0 as u32) >> (4 * n_steps) == 0
    }

    /// The full layout, if each of the first `n_steps` slots has a card and no other slot has one.
    pub fn full(self, n_steps: usize) -> Option<Full> {
        let full = self.fits(n_steps) && (0..n_steps).all(|idx| self.slot(idx).is_some());
        full.then_some(Full(self))
    }

    /// The first `n_steps` slots.
    pub fn slots(self, n_steps: usize) -> impl DoubleEndedIterator<Item = Slot> {
        (0..n_steps).map(move |idx| self.slot(idx))
    }

    /// The number of times each card is used, by card id.
    pub fn counts(self) -> [u8; 4] {
        let mut counts = [0; 4];
        for card in self.slots(STEPS_MAX).flatten() {
            counts[card as usize] += 1;
        }
        counts
    }

    /// The index of a layout among all layouts of `n_steps` slots: base 5, the first slot most
    /// significant, an empty slot before the cards.
    #[inline]
    pub(crate) fn number(self, n_steps: usize) -> usize {
        let digit = |slot: Slot| slot.map_or(0, |card| card as usize + 1);
        self.slots(n_steps)
            .fold(0, |code, slot| code * 5 + digit(slot))
    }

    /// Same as `number(3)`, for a layout without a fourth card.
    #[inline]
    pub(crate) fn number_of_three(self) -> usize {
        static NUMBERS: [u8; 0x800] = {
            let (mut numbers, mut number) = ([0; 0x800], 0);
            while number < 125 {
                numbers[LAYOUTS[3][number] as usize] = number as u8;
                number += 1;
            }
            numbers
        };
        NUMBERS[usize::from(self.0) & 0x7FF].into()
    }

    /// The inverse of [`number`](Layout::number); `code` is below 5 to the `n_steps`.
    #[inline]
    pub(crate) fn from_number(code: usize, n_steps: usize) -> Layout {
        Layout(LAYOUTS[n_steps][code])
    }
}

/// The packed layouts by their numbers, for each number of steps.
static LAYOUTS: [[u16; 625]; STEPS_MAX + 1] = packed_layouts::<625>(5, 0);

/// A layout with a card in every slot. Only such a layout can be confirmed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Full(Layout);

impl Full {
    /// The same layout, no longer known to be full.
    #[inline]
    pub const fn layout(self) -> Layout {
        self.0
    }

    /// The index among all full layouts: base 4, the first slot most significant.
    #[inline]
    pub(crate) fn number(self, n_steps: usize) -> usize {
        let digit = |card: Card| card as usize;
        let cards = self.0.slots(n_steps).flatten();
        cards.fold(0, |code, card| code * 4 + digit(card))
    }

    /// The inverse of [`number`](Full::number); `code` is below 4 to the `n_steps`.
    #[inline]
    pub(crate) fn from_number(code: usize, n_steps: usize) -> Full {
        static LAYOUTS: [[u16; 256]; STEPS_MAX + 1] = packed_layouts::<256>(4, 1);
        Full(Layout(LAYOUTS[n_steps][code]))
    }
}

/// The packed layout of every number in a base, for each number of steps. The digit of a slot plus
/// `least` is the slot's code.
const fn packed_layouts<const N: usize>(base: usize, least: u16) -> [[u16; N]; STEPS_MAX + 1] {
    let mut tables = [[0; N]; STEPS_MAX + 1];
    let mut n_steps = 1;
    while n_steps <= STEPS_MAX {
        let mut code = 0;
        while code < base.pow(n_steps as u32) {
            let (mut rest, mut idx) = (code, n_steps);
            while idx > 0 {
                idx -= 1;
                tables[n_steps][code] |= ((rest % base) as u16 + least) << (4 * idx);
                rest /= base;
            }
            code += 1;
        }
        n_steps += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_layouts_are_one_to_one() {
        for n_steps in 1..=STEPS_MAX {
            for code in 0..5usize.pow(n_steps as u32) {
                let layout = Layout::from_number(code, n_steps);
                assert_eq!(layout.number(n_steps), code);
                assert!(layout.fits(n_steps));
                if n_steps == 3 {
                    assert_eq!(layout.number_of_three(), code);
                }
            }
            for code in 0..4usize.pow(n_steps as u32) {
                let full = Full::from_number(code, n_steps);
                assert_eq!(full.number(n_steps), code);
                assert_eq!(full.layout().full(n_steps), Some(full));
            }
        }
    }

    #[test]
    fn a_layout_with_a_gap_or_a_card_beyond_the_last_step_is_not_full() {
        let gap = Layout::new(&[Some(Card::Heal), None, Some(Card::Heal)]).unwrap();
        assert_eq!(gap.full(3), None);
        let four = Layout::new(&[Some(Card::Heal); 4]).unwrap();
        assert_eq!(four.full(3), None);
        assert!(four.full(4).is_some() && !four.fits(3));
        assert_eq!(four.counts(), [0, 0, 4, 0]);
        assert_eq!(Layout::new(&[None; 5]), None);
    }
}
