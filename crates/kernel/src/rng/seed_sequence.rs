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

    /// The children with `N` consecutive keys from `first` on. After the last key comes 0.
    #[inline]
    #[must_use]
    pub fn children<const N: usize>(mut self, first: u32) -> SeedSequences<N> {
        let mut pools = [[0; N]; N_POOL];
        for (lanes, target) in pools.iter_mut().zip(self.pool) {
            let step = self.hash.step();
            for (lane, key) in lanes.iter_mut().zip(0..) {
                *lane = blend(target, step.mix(first.wrapping_add(key)));
            }
        }
        SeedSequences {
            pools,
            hash: self.hash,
        }
    }

    /// The first `N` words of `generate_state(2 * N, uint32)`, read as 64-bit integers.
    #[inline]
    #[must_use]
    pub fn words64<const N: usize>(&self) -> [u64; N] {
        let mut hash = Hash::OF_STATE;
        let mut word = |idx: usize| u64::from(hash.mix(self.pool[idx % N_POOL]));
        std::array::from_fn(|idx| word(2 * idx) | word(2 * idx + 1) << 32)
    }
}

/// `N` seed sequences side by side: the same arithmetic for each, which the processor does for
/// several at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeedSequences<const N: usize> {
    /// The words of all pools: the first of each, then the second of each, and so on.
    pools: [[u32; N]; N_POOL],
    hash: Hash,
}

impl<const N: usize> SeedSequences<N> {
    /// The child of each sequence with this key.
    #[inline]
    #[must_use]
    pub fn child(&self, key: u32) -> SeedSequences<N> {
        let mut child = *self;
        for lanes in &mut child.pools {
            let mixed = child.hash.mix(key);
            for target in lanes {
                *target = blend(*target, mixed);
            }
        }
        child
    }

    /// The sequence in this place.
    ///
    /// # Panics
    /// Panics if there are not that many.
    #[inline]
    #[must_use]
    pub fn get(&self, idx: usize) -> SeedSequence {
        SeedSequence {
            pool: std::array::from_fn(|word_idx| self.pools[word_idx][idx]),
            hash: self.hash,
        }
    }

    /// Writes the [words](SeedSequence::words64) of each sequence.
    #[inline]
    pub fn write_words64<const M: usize>(&self, out: &mut [[u64; M]; N]) {
        let mut hash = Hash::OF_STATE;
        for word_idx in 0..M {
            let [low, high] = [hash.step(), hash.step()];
            let lows = &self.pools[2 * word_idx % N_POOL];
            let highs = &self.pools[(2 * word_idx + 1) % N_POOL];
            let words = lows.iter().zip(highs);
            for (out, (&one, &two)) in out.iter_mut().zip(words) {
                out[word_idx] = u64::from(low.mix(one)) | u64::from(high.mix(two)) << 32;
            }
        }
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
    /// The state with which `generate_state` begins.
    const OF_STATE: Hash = Hash {
        constant: 0x8b51_f9dd,
        multiplier: 0x58f3_8ded,
    };

    #[inline]
    fn mix(&mut self, word: u32) -> u32 {
        self.step().mix(word)
    }

    /// The constants for one word, which do not depend on it.
    #[inline]
    fn step(&mut self) -> HashStep {
        let key = self.constant;
        self.constant = self.constant.wrapping_mul(self.multiplier);
        HashStep {
            key,
            factor: self.constant,
        }
    }
}

#[derive(Clone, Copy)]
struct HashStep {
    key: u32,
    factor: u32,
}

impl HashStep {
    #[inline]
    fn mix(self, word: u32) -> u32 {
        fold((word ^ self.key).wrapping_mul(self.factor))
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
