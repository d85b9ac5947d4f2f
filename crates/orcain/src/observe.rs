//! A position as numbers, from one seat's side.

use kernel::{Block, Layout as ObservationLayout, Observe, Seat};

use crate::state::Player;
use crate::{AFK_ROUNDS_MAX, HAND_CARDS, Orcain, Setup, Slot, Stage, Status};

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
        let mut writer = Writer { out };
        writer.all([own.hp, other.hp]);
        writer.all([self.round, u8::from(self.is_sudden_death())]);
        writer.one_of(3, self.phase_idx());
        writer.all([own.afk_streak, other.afk_streak]);
        let hands = [seat, Orcain::other(seat)].map(|seat| self.setup.hands[seat.index() & 1]);
        writer.all(hands[0].counts());
        writer.all(hands[1].counts());
        writer.one_of(Status::ALL.len(), own.status as usize);
        writer.all([u8::from(self.can_draft(seat))]);
        for idx in 0..self.setup.steps() {
            writer.one_of(5, slot_idx(own.layout.slot(idx)));
        }
        for idx in 0..self.setup.steps() {
            writer.one_of(6, self.shown_idx(other, idx));
        }
    }
}

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

/// Fills a buffer from the front.
struct Writer<'a> {
    out: &'a mut [i16],
}

impl Writer<'_> {
    fn all<const N: usize>(&mut self, values: [u8; N]) {
        for (out, value) in self.take(N).iter_mut().zip(values) {
            *out = value.into();
        }
    }

    fn one_of(&mut self, n: usize, idx: usize) {
        let block = self.take(n);
        block.fill(0);
        block[idx] = 1;
    }

    fn take(&mut self, n: usize) -> &mut [i16] {
        let (front, rest) = std::mem::take(&mut self.out).split_at_mut(n);
        self.out = rest;
        front
    }
}
