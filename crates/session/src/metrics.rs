//! Counters of a session: for dashboards, never for decisions.

use serde::Serialize;

use crate::Verdict;

/// The number of inputs by verdict.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Metrics {
    /// Inputs after the deadline.
    pub n_late: u64,
    /// Inputs that were seen before.
    pub n_duplicate: u64,
    /// Inputs after a missing one.
    pub n_gap: u64,
    /// Inputs over a connection that did not hold the seat, or from a foreign account.
    pub n_stale: u64,
    /// Inputs that were refused with a code.
    pub n_refused: u64,
    /// Inputs whose mistakes were corrected.
    pub n_mended: u64,
    /// Inputs at the wrong time.
    pub n_ignored: u64,
    /// Connections that took over a seat from an older one.
    pub n_takeovers: u64,
}

impl Metrics {
    pub(crate) fn count(&mut self, verdict: Verdict) {
        let counter = match verdict {
            Verdict::Done | Verdict::Held | Verdict::Over => return,
            Verdict::Mended(_) => &mut self.n_mended,
            Verdict::Refused(_) => &mut self.n_refused,
            Verdict::Ignored(_) => &mut self.n_ignored,
            Verdict::Late => &mut self.n_late,
            Verdict::Duplicate => &mut self.n_duplicate,
            Verdict::Gap => &mut self.n_gap,
            Verdict::Stale | Verdict::NotYours => &mut self.n_stale,
        };
        *counter += 1;
    }
}
