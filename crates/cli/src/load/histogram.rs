//! A histogram of durations with bounded memory.

use std::time::Duration;

use serde::Serialize;

/// Buckets per power of two. A quantile is at most 3 % too high.
const PARTS: usize = 32;
const N_COUNTS: usize = PARTS * 40;

/// Counts durations by their length in microseconds.
#[derive(Clone)]
pub(super) struct Histogram {
    counts: Vec<u64>,
    n: u64,
    max_us: u64,
}

/// The count, quantiles and maximum of a histogram.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(super) struct Summary {
    pub(super) n: u64,
    pub(super) p50_ms: f64,
    pub(super) p99_ms: f64,
    pub(super) p999_ms: f64,
    pub(super) max_ms: f64,
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram {
            counts: vec![0; N_COUNTS],
            n: 0,
            max_us: 0,
        }
    }
}

impl Histogram {
    pub(super) fn add(&mut self, time: Duration) {
        let us = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.counts[bucket(us)] += 1;
        self.n += 1;
        self.max_us = self.max_us.max(us);
    }

    pub(super) fn summary(&self) -> Summary {
        let ms = |us: u64| us as f64 / 1000.0;
        Summary {
            n: self.n,
            p50_ms: ms(self.quantile(500)),
            p99_ms: ms(self.quantile(990)),
            p999_ms: ms(self.quantile(999)),
            max_ms: ms(self.max_us),
        }
    }

    /// An upper bound, in microseconds, on this quantile.
    fn quantile(&self, per_mille: u64) -> u64 {
        let rank = (self.n * per_mille).div_ceil(1000);
        let mut n_below = 0;
        for (idx, count) in self.counts.iter().enumerate() {
            n_below += count;
            if n_below >= rank && *count > 0 {
                return highest(idx).min(self.max_us);
            }
        }
        self.max_us
    }
}

/// The bucket of a duration. Durations below 32 µs each have their own bucket; above that, the
/// leading one bit and the five bits after it select the bucket.
fn bucket(us: u64) -> usize {
    let log = us.max(1).ilog2() as usize;
    let idx = match log.checked_sub(5) {
        None => us as usize,
        Some(shift) => (shift + 1) * PARTS + ((us >> shift) as usize & (PARTS - 1)),
    };
    idx.min(N_COUNTS - 1)
}

/// The longest duration, in microseconds, that falls into a bucket.
fn highest(idx: usize) -> u64 {
    match (idx / PARTS).checked_sub(1) {
        None => idx as u64,
        Some(shift) => (((PARTS + idx % PARTS + 1) as u64) << shift) - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_at_most_a_thirtieth_wide() {
        for us in (0..5_000).chain([99_999, 1_000_000, 3_600_000_000]) {
            let top = highest(bucket(us));
            assert!(top >= us && top <= us + us / 30, "{us}: {top}");
        }
        assert_eq!(bucket(u64::MAX), N_COUNTS - 1);
    }

    #[test]
    fn quantiles_match_the_recorded_durations() {
        let mut times = Histogram::default();
        for us in 1..=10_000 {
            times.add(Duration::from_micros(us));
        }
        let summary = times.summary();
        assert_eq!((summary.n, summary.max_ms), (10_000, 10.0));
        assert!((5.0..5.2).contains(&summary.p50_ms), "{summary:?}");
        assert!((9.9..=10.0).contains(&summary.p99_ms), "{summary:?}");
        assert_eq!(Histogram::default().summary().p99_ms, 0.0);
    }
}
