//! What wins.

use crate::decimal::Share;

/// How many of `n_systems` a domination needs: the least integer that is at least the
/// share, without a rounding error.
pub fn threshold(n_systems: usize, percentage: Share) -> usize {
    let wanted = n_systems as u128 * percentage.units().unsigned_abs() as u128;
    wanted.div_ceil(Share::ONE as u128) as usize
}
