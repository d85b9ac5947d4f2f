//! The Mersenne Twister of Matsumoto and Nishimura, the source of Python's and legacy NumPy's
//! draws.

use crate::doc::{Faults, Node};

/// 624 words, and the number of them used since the last twist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mt19937 {
    words: Box<[u32; N]>,
    position: usize,
}

/// The number of words of the state.
pub(super) const N: usize = 624;

impl Mt19937 {
    /// The published initialization from one word.
    pub(super) fn from_word(seed: u32) -> Mt19937 {
        let mut words = Box::new([seed; N]);
        let mut last = seed;
        for (idx, word) in words.iter_mut().enumerate().skip(1) {
            last = spread(last, 1_812_433_253).wrapping_add(idx as u32);
            *word = last;
        }
        Mt19937 { words, position: N }
    }

    /// The published initialization from any number of words; `key` must not be empty.
    pub(super) fn from_key(key: &[u32]) -> Mt19937 {
        let mut mt = Mt19937::from_word(19_650_218);
        let words = &mut mt.words;
        let mut idx = 1;
        let keys = key.iter().zip(0u32..).cycle();
        for (word, key_idx) in keys.take(N.max(key.len())) {
            let mixed = words[idx] ^ spread(words[idx - 1], 1_664_525);
            words[idx] = mixed.wrapping_add(*word).wrapping_add(key_idx);
            idx = next_idx(words, idx);
        }
        for _ in 1..N {
            let mixed = words[idx] ^ spread(words[idx - 1], 1_566_083_941);
            words[idx] = mixed.wrapping_sub(idx as u32);
            idx = next_idx(words, idx);
        }
        words[0] = 1 << 31;
        mt
    }

    #[inline]
    pub(super) fn next_u32(&mut self) -> u32 {
        if self.position >= N {
            self.twist();
            self.position = 0;
        }
        let mut word = self.words[self.position];
        self.position += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    /// A float in [0, 1) with 53 random bits, made as both libraries do.
    pub(super) fn unit_float(&mut self) -> f64 {
        let high = u64::from(self.next_u32() >> 5);
        let low = u64::from(self.next_u32() >> 6);
        (high << 26 | low) as f64 / (1u64 << 53) as f64
    }

    pub(super) fn words(&self) -> &[u32; N] {
        &self.words
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// Reads a state from the nodes of its words and of its position. A state of all zeros is
    /// refused: no seed leads to it, and it would produce zeros forever.
    pub(super) fn read(
        words: &[Node<'_>],
        position: &Node<'_>,
        faults: &mut Faults,
    ) -> Option<Mt19937> {
        let read: Vec<_> = words
            .iter()
            .map(|word| word.int_in(0..=u32::MAX.into(), faults))
            .collect();
        let position = position.int_in(0..=N as i64, faults);
        let read: Option<Vec<u32>> = read.into_iter().map(|word| Some(word? as u32)).collect();
        let words_read: Box<[u32; N]> = read?.into_boxed_slice().try_into().ok()?;
        if words_read.iter().all(|word| *word == 0) {
            let first = words.first()?;
            faults.at(
                first,
                "dead_state",
                "a state of all zeros would produce only zeros",
            );
            return None;
        }
        Some(Mt19937 {
            words: words_read,
            position: position? as usize,
        })
    }

    fn twist(&mut self) {
        const AHEAD: usize = 397;
        let words = &mut self.words;
        for idx in 0..N {
            let next = words[(idx + 1) % N];
            let joined = words[idx] & 1 << 31 | next & !(1 << 31);
            let odd = if next & 1 == 1 { 0x9908_b0df } else { 0 };
            words[idx] = words[(idx + AHEAD) % N] ^ joined >> 1 ^ odd;
        }
    }
}

fn spread(word: u32, multiplier: u32) -> u32 {
    (word ^ word >> 30).wrapping_mul(multiplier)
}

/// The index after `idx` in a walk over all words but the first. When the walk wraps around, the
/// first word takes the value of the last.
fn next_idx(words: &mut [u32; N], idx: usize) -> usize {
    if idx + 1 < N {
        return idx + 1;
    }
    words[0] = words[N - 1];
    1
}
