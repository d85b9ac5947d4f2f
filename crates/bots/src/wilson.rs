//! Confidence intervals for rates.

use serde::Serialize;

/// A rate with its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The observed rate.
    pub rate: f64,
    /// The upper bound.
    pub high: f64,
}

/// The Wilson score interval of `n_hits` out of `n`, at 95 %. It stays within 0 and 1 and is
/// accurate for rates near either, where the usual normal interval is not.
///
/// ```
/// let interval = bots::wilson_95(50, 100);
/// assert!((interval.low - 0.4038).abs() < 1e-4 && (interval.high - 0.5962).abs() < 1e-4);
/// ```
pub fn wilson_95(n_hits: u64, n: u64) -> Interval {
    if n == 0 {
        return Interval {
            low: 0.0,
            rate: 0.0,
            high: 1.0,
        };
    }
    // The 97.5th percentile of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    let (n, rate) = (n as f64, n_hits as f64 / n as f64);
    let scale = 1.0 + Z * Z / n;
    let centre = (rate + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n)).sqrt();
    Interval {
        low: (centre - half).max(0.0),
        rate,
        high: (centre + half).min(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_holds_the_rate_and_narrows() {
        let (few, many) = (wilson_95(3, 10), wilson_95(3000, 10_000));
        assert!(few.low < 0.3 && 0.3 < few.high);
        assert!(many.high - many.low < few.high - few.low);
    }

    #[test]
    fn nothing_seen_is_nothing_known() {
        assert_eq!((wilson_95(0, 0).low, wilson_95(0, 0).high), (0.0, 1.0));
        assert!(wilson_95(0, 10).low.abs() < 1e-12 && wilson_95(0, 10).high > 0.2);
    }
}
