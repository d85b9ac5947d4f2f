//! Random draws expanded from one seed, for galaxies and battles.

/// A small generator (SplitMix64) that is seeded from a recorded value and then discarded.
///
/// It is part of the rules: anyone can reproduce it from the seed in ten lines of code.
#[derive(Clone, Debug)]
pub(crate) struct Dice {
    state: u64,
}

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice { state: seed }
    }

    /// A separate stream for each pair of seed and label.
    pub(crate) fn labelled(seed: u64, label: u64) -> Dice {
        let mut dice = Dice::new(seed ^ 0x5851_F42D_4C95_7F2D);
        let salt = dice.bits();
        Dice::new(salt ^ label.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    #[inline]
    pub(crate) fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `n`, which must be below 2^32; 0 when `n` is 0. Always takes one draw.
    #[inline]
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u32
    }

    /// True with this probability, in thousandths.
    #[inline]
    pub(crate) fn chance(&mut self, thousandths: u32) -> bool {
        self.below(1000) < thousandths
    }

    /// A number from `low` to `high`, inclusive.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        let width = (high - low + 1).max(1) as u64;
        low + ((u128::from(self.bits()) * u128::from(width)) >> 64) as i64
    }

    /// 32 uniform bits: a fraction of 2^32.
    pub(crate) fn fraction(&mut self) -> u32 {
        (self.bits() >> 32) as u32
    }

    /// Nearly normal with mean 0 and standard deviation 2^16: the sum of twelve uniform draws.
    pub(crate) fn normal(&mut self) -> i64 {
        let mut sum = 0;
        for _ in 0..3 {
            let bits = self.bits();
            sum += (0..4)
                .map(|idx| (bits >> (16 * idx) & 0xFFFF) as i64)
                .sum::<i64>();
        }
        sum - 6 * 0xFFFF
    }

    /// The index of a weight, drawn with probability proportional to it.
    pub(crate) fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut point = self.below(weights.iter().sum());
        for (idx, &weight) in weights.iter().enumerate() {
            match point.checked_sub(weight) {
                Some(rest) => point = rest,
                None => return idx,
            }
        }
        weights.len().saturating_sub(1)
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for idx in (1..items.len()).rev() {
            items.swap(idx, self.below(idx as u32 + 1) as usize);
        }
    }
}

/// A label derived from text (FNV-1a, 64 bits).
pub(crate) fn label(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_splitmix64() {
        let mut dice = Dice::new(0);
        assert_eq!(dice.bits(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(dice.bits(), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn draws_stay_in_their_range() {
        let mut dice = Dice::new(7);
        for _ in 0..1000 {
            assert!(dice.below(7) < 7);
            assert!((-3..=3).contains(&dice.between(-3, 3)));
            assert!(dice.weighted(&[0, 1, 0, 2]) % 2 == 1);
            assert!(dice.normal().abs() <= 6 * 0xFFFF);
        }
        assert_eq!(dice.below(0), 0);
    }
}
