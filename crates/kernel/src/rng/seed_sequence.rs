//! NumPy's `SeedSequence`: from any entropy to as many well-mixed words as a generator wants.

use super::Seed;

/// The pool that `numpy.random.SeedSequence(entropy, spawn_key=…)` mixes.
///
/// Sequences of one entropy and different spawn keys are independent: give each simulated game
/// its own key. Making one allocates nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeedSequence {
    pool: [u32; N_POOL],
}

impl SeedSequence {
    /// Mixes the entropy and the key. Without a key this is `SeedSequence(entropy)`.
    #[must_use]
    pub fn new(entropy: &Seed, spawn_key: &[u32]) -> SeedSequence {
        let own = entropy.key();
        // The key never shares a pool word with the entropy, so that neither can imitate the other.
        let n_padding = match spawn_key {
            [] => 0,
            _ => N_POOL.saturating_sub(own.len()),
        };
        let padding = std::iter::repeat_n(&0, n_padding);
        mixed(own.iter().chain(padding).chain(spawn_key).copied())
    }

    /// The first `N` words of `generate_state(2 * N, uint32)`, read as 64-bit integers.
    #[must_use]
    pub fn words64<const N: usize>(&self) -> [u64; N] {
        let mut hash = Hash {
            constant: 0x8b51_f9dd,
            multiplier: 0x58f3_8ded,
        };
        let mut pool = self.pool.iter().cycle();
        let mut next = || u64::from(hash.mix(pool.next().copied().unwrap_or(0)));
        std::array::from_fn(|_| next() | next() << 32)
    }
}

const N_POOL: usize = 4;

fn mixed(mut entropy: impl Iterator<Item = u32>) -> SeedSequence {
    let mut hash = Hash {
        constant: 0x43b0_d7e5,
        multiplier: 0x931e_8875,
    };
    let mut pool = [0; N_POOL];
    for word in &mut pool {
        *word = hash.mix(entropy.next().unwrap_or(0));
    }
    for source in 0..N_POOL {
        for target in (0..N_POOL).filter(|target| *target != source) {
            pool[target] = blend(pool[target], hash.mix(pool[source]));
        }
    }
    for word in entropy {
        for target in &mut pool {
            *target = blend(*target, hash.mix(word));
        }
    }
    SeedSequence { pool }
}

/// A multiplicative hash whose constant moves on with every word.
struct Hash {
    constant: u32,
    multiplier: u32,
}

impl Hash {
    fn mix(&mut self, word: u32) -> u32 {
        let keyed = word ^ self.constant;
        self.constant = self.constant.wrapping_mul(self.multiplier);
        fold(keyed.wrapping_mul(self.constant))
    }
}

fn blend(left: u32, right: u32) -> u32 {
    let left = left.wrapping_mul(0xca01_f9dd);
    let right = right.wrapping_mul(0x4973_f715);
    fold(left.wrapping_sub(right))
}

fn fold(word: u32) -> u32 {
    word ^ word >> 16
}
