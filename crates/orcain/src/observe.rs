//! A position as integers, from one seat's side.

use kernel::{Block, Layout as ObservationLayout, Observe, Seat};

use crate::{AFK_ROUNDS_MAX, HAND_CARDS, Orcain, Setup, Stage};

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
/// The size of an observation with three steps.
const N_OF_THREE: usize = N_FRONT + 3 * (N_LAID + N_SHOWN);

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

/// A 1 at this index among three zeros, followed by a value.
#[inline]
fn one_hot(idx: usize, last: u8) -> [u8; 4] {
    (1 << (8 * idx) | u32::from(last) << 24).to_le_bytes()
}

impl Orcain {
    /// Writes the observation as bytes. Every value of Orcain fits.
    #[inline]
    pub fn write_observation_bytes(&self, seat: Seat, out: &mut [u8]) {
        match <&mut [u8; N_OF_THREE]>::try_from(&mut *out) {
            Ok(out) => self.write_three_steps(seat, out),
            Err(_) => self.write_other_steps(seat, out),
        }
    }

    #[cold]
    fn write_other_steps(&self, seat: Seat, out: &mut [u8]) {
        self.write_numbers(seat, self.n_shown.into(), out);
    }

    /// Writes the observation of a round with three steps, whose size is known to the compiler.
    #[inline]
    fn write_three_steps(&self, seat: Seat, out: &mut [u8; N_OF_THREE]) {
        let (own, other) = (self.player(seat), self.player(Orcain::other(seat)));
        if let Some(front) = out.first_chunk_mut() {
            self.write_front(seat, front);
        }
        for idx in 0..3 {
            let slot = &LAID[own.layout.code(idx) & 7];
            out[N_FRONT + idx * N_LAID..][..N_LAID].copy_from_slice(slot);
        }
        for idx in 0..3 {
            let shown = idx < usize::from(self.n_shown);
            let slot = &SHOWN[if shown {
                (other.layout.code(idx) + 1) & 7
            } else {
                0
            }];
            out[N_FRONT + 3 * N_LAID + idx * N_SHOWN..][..N_SHOWN].copy_from_slice(slot);
        }
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
        let mut numbers = [0; N_FRONT];
        self.write_front(seat, &mut numbers);
        for (out, number) in front.iter_mut().zip(numbers) {
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

    /// Writes the values before the slots: four at a time, since a store for each would take most of
    /// the time, and straight to their place, since reading them back at once would stall.
    #[inline]
    fn write_front(&self, seat: Seat, out: &mut [u8; N_FRONT]) {
        let (own, other) = (self.player(seat), self.player(Orcain::other(seat)));
        let hand = |seat: Seat| self.setup.hands[seat.index() & 1].counts();
        let mut place = |first: usize, values: [u8; 4]| {
            out[first..first + 4].copy_from_slice(&values);
        };
        place(
            0,
            [own.hp, other.hp, self.round, self.is_sudden_death().into()],
        );
        place(4, one_hot(self.phase_idx(), own.afk_streak));
        place(8, [other.afk_streak, 0, 0, 0]);
        place(9, hand(seat));
        place(13, hand(Orcain::other(seat)));
        place(
            17,
            one_hot(own.status as usize, self.can_draft(seat).into()),
        );
    }

    #[inline]
    fn phase_idx(&self) -> usize {
        match (self.ending, self.stage) {
            (None, Stage::Prep) => 0,
            (None, Stage::Reveal) => 1,
            (Some(_), _) => 2,
        }
    }
}
