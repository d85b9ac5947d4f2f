//! Decision times.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use kernel::rng::Generator;
use kernel::{Mask, Perspective, Recorded};
use serde::{Deserialize, Serialize};

use crate::{Agent, Evaluation};

/// A histogram of decision times: sixteen buckets per octave of nanoseconds, so that a percentile
/// is exact to about 4 %.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Times {
    /// The number of decisions in each bucket.
    counts: BTreeMap<u16, u64>,
    /// The sum in nanoseconds.
    total_ns: u64,
    /// The longest, in nanoseconds.
    max_ns: u64,
}

impl Times {
    /// Counts one decision that took this long.
    pub fn count(&mut self, ns: u64) {
        *self.counts.entry(bucket(ns)).or_default() += 1;
        self.total_ns = self.total_ns.saturating_add(ns);
        self.max_ns = self.max_ns.max(ns);
    }

    /// Adds the decisions of another histogram.
    pub fn add(&mut self, other: &Times) {
        for (bucket, n) in &other.counts {
            *self.counts.entry(*bucket).or_default() += n;
        }
        self.total_ns = self.total_ns.saturating_add(other.total_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
    }

    /// The number of decisions.
    pub fn n(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The mean in nanoseconds.
    pub fn mean_ns(&self) -> u64 {
        self.total_ns / self.n().max(1)
    }

    /// The longest time in nanoseconds.
    pub fn max_ns(&self) -> u64 {
        self.max_ns
    }

    /// The time in nanoseconds that `permille` of all decisions did not exceed.
    pub fn percentile_ns(&self, permille: u64) -> u64 {
        let rank = (self.n() * permille).div_ceil(1000);
        let mut n_seen = 0;
        for (bucket, n) in &self.counts {
            n_seen += n;
            if n_seen >= rank {
                return upper_ns(*bucket).min(self.max_ns);
            }
        }
        self.max_ns
    }
}

/// Sixteen buckets an octave.
fn bucket(ns: u64) -> u16 {
    let ns = ns.max(16);
    let octave = ns.ilog2();
    let within = (ns >> (octave - 4)) & 15;
    (octave * 16) as u16 + within as u16
}

/// The longest time of a bucket.
fn upper_ns(bucket: u16) -> u64 {
    let (octave, within) = (u32::from(bucket / 16), u64::from(bucket % 16));
    let width = 1u64 << octave.clamp(4, 63).saturating_sub(4);
    ((16 + within) * width).saturating_add(width - 1)
}

/// Collects the decision times of one agent in a bout.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock(Arc<Mutex<Times>>);

impl Clock {
    fn count(&self, ns: u64) {
        let mut times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        times.count(ns);
    }

    pub(super) fn times(self) -> Times {
        let times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        times.clone()
    }
}

/// Wraps an agent and times its decisions with more than one legal action.
pub(super) struct Timed<G: Recorded> {
    agent: Box<dyn Agent<G>>,
    clock: Clock,
    mask: Mask,
}

impl<G: Recorded> Timed<G> {
    pub(super) fn seat(agent: Box<dyn Agent<G>>, clock: Clock) -> Box<dyn Agent<G>> {
        Box::new(Timed {
            agent,
            clock,
            mask: Mask::default(),
        })
    }
}

impl<G: Recorded> Agent<G> for Timed<G> {
    fn name(&self) -> &str {
        self.agent.name()
    }

    fn begin(&mut self) {
        self.agent.begin();
    }

    fn choose(&mut self, seen: &Perspective<'_, G>, rng: &mut Generator) -> Option<G::Action> {
        seen.fill_legal(&mut self.mask);
        let begun = Instant::now();
        let action = self.agent.choose(seen, rng);
        if self.mask.count() > 1 {
            let ns = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
            self.clock.count(ns);
        }
        action
    }

    fn evaluate(&mut self, seen: &Perspective<'_, G>) -> Option<Evaluation> {
        self.agent.evaluate(seen)
    }

    fn fault(&self) -> Option<String> {
        self.agent.fault()
    }

    fn again(&self) -> Box<dyn Agent<G>> {
        Timed::seat(self.agent.again(), self.clock.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_exact_to_a_sixteenth() {
        let mut times = Times::default();
        for ns in 1..=1000u64 {
            times.count(ns * 1000);
        }
        for (permille, exact) in [(500, 500_000), (950, 950_000), (990, 990_000)] {
            let found = times.percentile_ns(permille);
            assert!(exact <= found && found <= exact + exact / 15, "{found}");
        }
        assert_eq!((times.n(), times.max_ns()), (1000, 1_000_000));
        assert_eq!(times.mean_ns(), 500_500);
    }

    #[test]
    fn buckets_rise_with_time_and_hold_the_longest() {
        let mut last = 0;
        for shift in 0..64 {
            let at = bucket(1 << shift);
            assert!(at >= last && upper_ns(at) >= 1 << shift);
            last = at;
        }
        assert!(upper_ns(bucket(u64::MAX)) == u64::MAX);
    }

    #[test]
    fn parts_that_were_counted_apart_make_the_whole() {
        let (mut whole, mut one, mut two) = (Times::default(), Times::default(), Times::default());
        for ns in [3, 500, 1 << 40] {
            whole.count(ns);
            one.count(ns);
        }
        whole.count(9000);
        two.count(9000);
        one.add(&two);
        assert_eq!(one, whole);
    }
}
