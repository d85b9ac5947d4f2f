//! A position as integers, from one seat's side.

use kernel::{Block, Layout as ObservationLayout, Observe, Seat};

use crate::{AFK_ROUNDS_MAX, HAND_CARDS, Orcain, Setup, Stage, Status};

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
                block("sudden_death", &[1], 1, "1 after the round limit"),
                block("phase", &[3], 1, "one of PREP, REVEAL, END"),
                block(
                    "afk_streak",
                    &[2],
                    AFK_ROUNDS_MAX,
                    "rounds missed in a row: own, opponent",
                ),
                block(
                    "hands",
                    &[2, 4],
                    HAND_CARDS as u8,
                    "attack, defense, heal, counter held: own, opponent",
                ),
                block("status", &[3], 1, "own: silent, drafted, confirmed one-hot"),
                block("can_draft", &[1], 1, "own: 1 while drafts are accepted"),
                block(
                    "layout",
                    &[steps, 5],
                    1,
                    "own slots: empty, attack, defense, heal, counter one-hot",
                ),
                block(
                    "shown",
                    &[steps, 6],
                    1,
                    "opponent's slots: hidden, empty, attack, defense, heal, counter one-hot",
                ),
            ],
        }
    }

    fn write_observation(&self, seat: Seat, out: &mut [i16]) {
        self.write_numbers(seat, self.n_shown.into(), out);
    }
}

/// The number of values before the slots.
const N_FRONT: usize = 21;
/// An own slot is empty or one of four cards; an opponent's slot can also be hidden.
const N_LAID: usize = 5;
const N_SHOWN: usize = 6;

/// The one-hot encoding of a slot, by its code.
static LAID: [[u8; N_LAID]; 8] = one_of_each();
static SHOWN: [[u8; N_SHOWN]; 8] = one_of_each();

const fn one_of_each<const N: usize>() -> [[u8; N]; 8] {
    let mut all = [[0; N]; 8];
    let mut idx = 0;
    while idx < N {
        all[idx][idx] = 1;
        idx += 1;
    }
    all
}

impl Orcain {
    /// Writes the observation as bytes. Every value of Orcain fits.
    pub fn write_observation_bytes(&self, seat: Seat, out: &mut [u8]) {
        self.write_numbers(seat, self.n_shown.into(), out);
    }

    /// Writes the observation with all slots of the opponent, for learning only: it reveals facts
    /// that the seat may not know.
    pub fn write_full_observation(&self, seat: Seat, out: &mut [i16]) {
        self.write_numbers(seat, self.setup.steps(), out);
    }

    /// Writes the observation of a seat that sees the first `n_shown` slots of the opponent.
    #[inline]
    fn write_numbers<T: From<u8>>(&self, seat: Seat, n_shown: usize, out: &mut [T]) {
        let (own, other) = (self.player(seat), self.player(Orcain::other(seat)));
        let n_steps = self.setup.steps();
        let (front, slots) = out.split_at_mut(N_FRONT);
        let (laid, shown) = slots.split_at_mut(n_steps * N_LAID);
        for (out, number) in front.iter_mut().zip(self.front(seat)) {
            *out = number.into();
        }
        for (idx, slot) in laid.as_chunks_mut().0.iter_mut().enumerate() {
            *slot = LAID[own.layout.code(idx) & 7].map(T::from);
        }
        for (idx, slot) in shown.as_chunks_mut().0.iter_mut().enumerate() {
            let code = other.layout.code(idx) + 1;
            *slot = SHOWN[if idx < n_shown { code & 7 } else { 0 }].map(T::from);
        }
    }

    /// The values before the slots.
    #[inline]
    fn front(&self, seat: Seat) -> [u8; N_FRONT] {
        let (own, other) = (self.player(seat), self.player(Orcain::other(seat)));
        let hands = [seat, Orcain::other(seat)].map(|seat| self.setup.hands[seat.index() & 1]);
        let [[a, d, h, c], [a_2, d_2, h_2, c_2]] = hands.map(|hand| hand.counts());
        let phase = self.phase_idx();
        let is_phase = |idx| u8::from(phase == idx);
        let has = |status| u8::from(own.status == status);
        [
            own.hp,
            other.hp,
            self.round,
            self.is_sudden_death().into(),
            is_phase(0),
            is_phase(1),
            is_phase(2),
            own.afk_streak,
            other.afk_streak,
            a,
            d,
            h,
            c,
            a_2,
            d_2,
            h_2,
            c_2,
            has(Status::Silent),
            has(Status::Drafted),
            has(Status::Confirmed),
            self.can_draft(seat).into(),
        ]
    }

    fn phase_idx(&self) -> usize {
        match (self.ending, self.stage) {
            (None, Stage::Prep) => 0,
            (None, Stage::Reveal) => 1,
            (Some(_), _) => 2,
        }
    }
}
