//! Legal actions.

use std::sync::LazyLock;

use kernel::{ActionId, Mask, Reason, Seat};

use crate::action::{n_actions, n_drafts, with_id};
use crate::hand::{Hand, all_counts};
use crate::{Action, Layout, Orcain, STEPS_MAX, Slot, Stage, Status};

impl Orcain {
    #[inline]
    pub(crate) fn write_mask(&self, seat: Seat, mask: &mut Mask) {
        let player = self.player(seat);
        let open = self.ending.is_none()
            && self.stage == Stage::Prep
            && player.status != Status::Confirmed
            && Orcain::SEATS.contains(&seat);
        if !open {
            return;
        }
        let table = &TABLES[self.setup.steps() - 1];
        let hand = self.setup.hands[seat.index() & 1].key();
        let ready = if player.n_drafts < self.setup.drafts_max {
            &table.all[hand]
        } else {
            &table.confirms[hand]
        };
        mask.allow_words(&ready[..table.n_words]);
    }

    pub(crate) fn refuse_action(&self, seat: Seat, action: Action) -> Option<Reason> {
        let layout = action.layout();
        let n_steps = self.setup.steps();
        let well_formed = match action {
            Action::Draft(_) => layout.fits(n_steps),
            Action::Confirm(_) => layout.full(n_steps).is_some(),
        };
        if !well_formed || !holds(self.setup.hands[seat.index() & 1].counts(), layout) {
            return Some(Reason("invalid_layout"));
        }
        let spent = self.player(seat).n_drafts >= self.setup.drafts_max;
        (spent && matches!(action, Action::Draft(_))).then_some(Reason("too_many_drafts"))
    }
}

impl Orcain {
    /// True if a draft of this seat would be accepted.
    pub(crate) fn can_draft(&self, seat: Seat) -> bool {
        let player = self.player(seat);
        let open = self.ending.is_none()
            && self.stage == Stage::Prep
            && player.status != Status::Confirmed;
        open && player.n_drafts < self.setup.drafts_max
    }
}

impl Hand {
    /// Makes a client's draft fit the hand. A card that the hand does not have, or has fewer of,
    /// becomes an empty slot; the first ones are kept, in their order. Slots beyond [`STEPS_MAX`]
    /// are dropped.
    ///
    /// The rules accept only layouts that the hand allows. Code that reads from a client calls
    /// this for a draft; a confirm that does not fit is refused instead.
    ///
    /// ```
    /// use orcain::{Card, Hand, Layout};
    ///
    /// let hand = Hand::new([Card::Attack, Card::Attack, Card::Heal, Card::Counter]);
    /// let wanted = [Some(Card::Attack), Some(Card::Defense), Some(Card::Attack)];
    /// let kept = [Some(Card::Attack), None, Some(Card::Attack)];
    /// assert_eq!(Some(hand.sanitize(&wanted)), Layout::new(&kept));
    /// ```
    pub fn sanitize(&self, wanted: &[Slot]) -> Layout {
        let mut held = self.counts();
        let mut layout = Layout::EMPTY;
        for (idx, card) in wanted.iter().take(STEPS_MAX).enumerate() {
            let Some(card) = card.filter(|card| held[*card as usize] > 0) else {
                continue;
            };
            held[card as usize] -= 1;
            layout = layout.with(idx, Some(card));
        }
        layout
    }
}

/// True if a hand with these counts allows this layout: each card at most as often as it is held.
fn holds(hand: [u8; 4], layout: Layout) -> bool {
    layout
        .counts()
        .iter()
        .zip(hand)
        .all(|(&used, held)| used <= held)
}

/// The masks of every hand for one number of steps.
struct Table {
    /// Drafts and confirms, by the hand's key.
    all: [Words; Hand::N_KEYS],
    /// Confirms alone.
    confirms: [Words; Hand::N_KEYS],
    n_words: usize,
}

/// A mask of up to 881 actions.
type Words = [u64; 14];

static TABLES: LazyLock<[Table; STEPS_MAX]> =
    LazyLock::new(|| std::array::from_fn(|idx| Table::new(idx + 1)));

impl Table {
    fn new(n_steps: usize) -> Table {
        let masks = |first: usize| {
            let mut masks = [Words::default(); Hand::N_KEYS];
            for (mask, counts) in masks.iter_mut().zip(all_counts()) {
                let words = mask_of(counts, first, n_steps);
                mask[..words.len()].copy_from_slice(&words);
            }
            masks
        };
        Table {
            all: masks(0),
            confirms: masks(n_drafts(n_steps)),
            n_words: n_actions(n_steps).div_ceil(64),
        }
    }
}

/// The words of the mask of a hand with these counts, from this id on.
fn mask_of(counts: [u8; 4], first: usize, n_steps: usize) -> Vec<u64> {
    let mut mask = Mask::new(n_actions(n_steps));
    for id in (first..n_actions(n_steps)).map(ActionId::new) {
        if with_id(id, n_steps).is_some_and(|action| holds(counts, action.layout())) {
            mask.allow(id);
        }
    }
    mask.words().to_vec()
}
