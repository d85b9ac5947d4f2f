//! A position as numbers, from one seat's side.

use kernel::{Block, Layout as ObservationLayout, Observe, Seat};

use crate::state::Player;
use crate::{AFK_ROUNDS_MAX, HAND_CARDS, Orcain, Setup, Slot, Stage};

impl Observe for Orcain {
    fn observation(setup: &Setup) -> ObservationLayout {
        let block = |name, shape: &[usize], high: u8, about| Block {
            name,
            shape: shape.to_vec(),
            low: 0,
            high: high.into(),
            scale: i16::from(high).max(1),
            about,
        };
        let steps = setup.steps();
        ObservationLayout {
            blocks: vec![
                block("hp", &[2], setup.max_hp, "hit points: own, other"),
                block("round", &[1], setup.round_cap, "the round, from 1"),
                block("sudden_death", &[1], 1, "1 past the round limit"),
                block("phase", &[3], 1, "one of PREP, REVEAL, END"),
                block(
                    "afk_streak",
                    &[2],
                    AFK_ROUNDS_MAX,
                    "missed in a row: own, other",
                ),
                block(
                    "hands",
                    &[2, 4],
                    HAND_CARDS as u8,
                    "attack, defense, heal, counter held: own, other",
                ),
                block("status", &[3], 1, "own: one of silent, drafted, confirmed"),
                block("can_draft", &[1], 1, "own: 1 while drafts count"),
                block(
                    "layout",
                    &[steps, 5],
                    1,
                    "own slots: one of nothing, attack, defense, heal, counter",
                ),
                block(
                    "shown",
                    &[steps, 6],
                    1,
                    "the other's slots: one of hidden, nothing, attack, defense, heal, counter",
                ),
            ],
        }
    }

    fn write_observation(&self, seat: Seat, out: &mut [i16]) {
        let (own, other) = (self.player(seat), self.player(Orcain::other(seat)));
        let hands = [seat, Orcain::other(seat)].map(|seat| self.setup.hands[seat.index() & 1]);
        let n_steps = self.setup.steps();
        out.fill(0);
        let (front, slots) = out.split_at_mut(N_FRONT);
        let (laid, shown) = slots.split_at_mut(n_steps * 5);
        front[0] = own.hp.into();
        front[1] = other.hp.into();
        front[2] = self.round.into();
        front[3] = self.is_sudden_death().into();
        front[4 + self.phase_idx()] = 1;
        front[7] = own.afk_streak.into();
        front[8] = other.afk_streak.into();
        let counts = hands.map(|hand| hand.counts());
        for (value, count) in front[9..17].iter_mut().zip(counts.as_flattened()) {
            *value = (*count).into();
        }
        front[17 + own.status as usize] = 1;
        front[20] = self.can_draft(seat).into();
        for (idx, slot) in laid.chunks_exact_mut(5).enumerate() {
            slot[slot_idx(own.layout.slot(idx))] = 1;
        }
        for (idx, slot) in shown.chunks_exact_mut(6).enumerate() {
            slot[self.shown_idx(other, idx)] = 1;
        }
    }
}

/// How many numbers stand before the slots.
const N_FRONT: usize = 21;

impl Orcain {
    fn phase_idx(&self) -> usize {
        match (self.ending, self.stage) {
            (None, Stage::Prep) => 0,
            (None, Stage::Reveal) => 1,
            (Some(_), _) => 2,
        }
    }

    fn shown_idx(&self, other: &Player, idx: usize) -> usize {
        if idx < self.n_shown.into() {
            1 + slot_idx(other.layout.slot(idx))
        } else {
            0
        }
    }
}

fn slot_idx(slot: Slot) -> usize {
    slot.map_or(0, |card| card as usize + 1)
}
