//! NumPy's `SeedSequence`: turns any entropy into as many well-mixed words as a generator needs.

use super::Seed;

/// The pool that `numpy.random.SeedSequence(entropy, spawn_key=…)` mixes.
///
/// Sequences with the same entropy and different spawn keys are independent: give each simulated
/// match its own key. Creating one does not allocate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeedSequence {
    pool: [u32; N_POOL],
    /// The state of the mixing, for children.
    hash: Hash,
}

impl SeedSequence {
    /// Mixes the entropy and the key. Without a key this is `SeedSequence(entropy)`.
    #[must_use]
    pub fn new(entropy: &Seed, spawn_key: &[u32]) -> SeedSequence {
        let own = entropy.key();
        let (first, rest) = own.split_at(own.len().min(N_POOL));
        // Entropy that does not fill the pool is padded with zeros, so that a key never shares a
        // word with it and neither can imitate the other.
        let mut words = [0; N_POOL];
        words[..first.len()].copy_from_slice(first);
        let mut sequence = filled(words);
        for &word in rest.iter().chain(spawn_key) {
            sequence = sequence.child(word);
        }
        sequence
    }

    /// The sequence whose spawn key is this one's plus one word. This is cheaper for many children
    /// of one sequence: their common part is mixed only once.
    #[inline]
    #[must_use]
    pub fn child(mut self, key: u32) -> SeedSequence {
        for target in &mut self.pool {
            *target = blend(*target, self.hash.mix(key));
        }
        self
    }

    /// The first `N` words of `generate_state(2 * N, uint32)`, read as 64-bit integers.
    #[inline]
    #[must_use]
    pub fn words64<const N: usize>(&self) -> [u64; N] {
        let mut hash = Hash {
            constant: 0x8b51_f9dd,
            multiplier: 0x58f3_8ded,
        };
        let mut word = |idx: usize| u64::from(hash.mix(self.pool[idx % N_POOL]));
        std::array::from_fn(|idx| word(2 * idx) | word(2 * idx + 1) << 32)
    }
}

const N_POOL: usize = 4;

/// A pool filled with the first words, each mixed into all others.
fn filled(words: [u32; N_POOL]) -> SeedSequence {
    let mut hash = Hash {
        constant: 0x43b0_d7e5,
        multiplier: 0x931e_8875,
    };
    let mut pool = words.map(|word| hash.mix(word));
    for source in 0..N_POOL {
        for target in (0..N_POOL).filter(|target| *target != source) {
            pool[target] = blend(pool[target], hash.mix(pool[source]));
        }
    }
    SeedSequence { pool, hash }
}

/// A multiplicative hash whose constant changes with every word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hash {
    constant: u32,
    multiplier: u32,
}

impl Hash {
    #[inline]
    fn mix(&mut self, word: u32) -> u32 {
        let keyed = word ^ self.constant;
        self.constant = self.constant.wrapping_mul(self.multiplier);
        fold(keyed.wrapping_mul(self.constant))
    }
}

#[inline]
fn blend(left: u32, right: u32) -> u32 {
    let left = left.wrapping_mul(0xca01_f9dd);
    let right = right.wrapping_mul(0x4973_f715);
    fold(left.wrapping_sub(right))
}

#[inline]
fn fold(word: u32) -> u32 {
    word ^ word >> 16
}
