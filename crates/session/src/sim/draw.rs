//! The random numbers of a simulation: small, fast and the same everywhere.

/// A stream of random numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Draws(u64);

impl Draws {
    /// The stream for a seed and a purpose.
    pub(super) fn new(seed: u64, purpose: u64) -> Draws {
        let mut mixed = Draws(seed);
        let mixed = mixed.bits() ^ Draws(purpose).bits().rotate_left(17);
        Draws(mixed)
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub fn within(&mut self, low: u64, high: u64) -> u64 {
        low + self.bits() % (high - low + 1)
    }

    /// True with a chance of `n` in a thousand.
    pub fn permille(&mut self, n: u64) -> bool {
        self.bits() % 1000 < n
    }

    /// One of these items, which must not be empty.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[(self.bits() % items.len() as u64) as usize]
    }

    pub(super) fn bytes32(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.bits().to_le_bytes());
        }
        bytes
    }
}
