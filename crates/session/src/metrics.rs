//! Counters of a session: for dashboards, never for decisions.

use serde::Serialize;

use crate::Disposition;

/// The number of inputs by disposition.
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
    pub(crate) fn count(&mut self, disposition: Disposition) {
        let counter = match disposition {
            Disposition::Done | Disposition::Held | Disposition::Over => return,
            Disposition::Corrected(_) => &mut self.n_mended,
            Disposition::Refused(_) => &mut self.n_refused,
            Disposition::Ignored(_) => &mut self.n_ignored,
            Disposition::Late => &mut self.n_late,
            Disposition::Duplicate => &mut self.n_duplicate,
            Disposition::Gap => &mut self.n_gap,
            Disposition::Stale | Disposition::NotYours => &mut self.n_stale,
        };
        *counter += 1;
    }
}
