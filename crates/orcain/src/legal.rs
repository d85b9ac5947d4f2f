//! Legal actions.

use std::sync::LazyLock;

use kernel::{ActionId, Choices, Mask, Reason, Seat};

use crate::action::{n_actions, n_drafts, with_id};
use crate::hand::{Hand, all_counts};
use crate::{Action, Layout, Orcain, STEPS_MAX, Slot, Stage, Status};

impl Orcain {
    #[inline]
    pub(crate) fn write_mask(&self, seat: Seat, mask: &mut Mask) {
        if let Some(choices) = self.open_choices(seat) {
            mask.allow_words(choices.mask().words());
        }
    }

    /// The seat's legal actions; `None` if it is not open.
    #[inline(always)]
    pub(crate) fn open_choices(&self, seat: Seat) -> Option<&'static Choices<Action>> {
        let player = self.player(seat);
        let open = self.ending.is_none()
            && self.stage == Stage::Prep
            && player.status != Status::Confirmed
            && seat.index() < Orcain::SEATS.len();
        if !open {
            return None;
        }
        let hand = self.setup.hands[seat.index() & 1].key();
        let is_spent = player.n_drafts >= self.setup.drafts_max;
        let idx = (self.setup.steps() * Hand::N_KEYS + hand) * 2 + usize::from(is_spent);
        Some(&CHOICES[idx])
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
    #[inline]
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

/// The legal actions of an open seat: by the number of steps, the hand's key, and whether its drafts
/// are used up.
static CHOICES: LazyLock<Vec<Choices<Action>>> = LazyLock::new(|| {
    let mut table = Vec::new();
    for n_steps in 0..=STEPS_MAX {
        for counts in all_counts() {
            table.push(choices_of(counts, 0, n_steps));
            table.push(choices_of(counts, n_drafts(n_steps), n_steps));
        }
    }
    table
});

/// The legal actions of a hand with these counts, from this id on.
fn choices_of(counts: [u8; 4], first: usize, n_steps: usize) -> Choices<Action> {
    let mut mask = Mask::new(n_actions(n_steps));
    for id in (first..n_actions(n_steps)).map(ActionId::new) {
        if with_id(id, n_steps).is_some_and(|action| holds(counts, action.layout())) {
            mask.allow(id);
        }
    }
    Choices::new(&mask, |id| with_id(id, n_steps))
}
