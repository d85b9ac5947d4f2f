//! The time that a seat was absent while the host could run and write.

use super::super::world::REJOIN_MS;
use crate::{Ms, Policy};

#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Absence {
    since: Option<Away>,
    /// The length and the cause of its previous absence.
    last: Option<(Away, Ms)>,
    total_ms: Ms,
    n_losses: u32,
}

#[derive(Clone, Copy, Debug)]
enum Away {
    /// The connection was lost at this time.
    Lost(Ms),
    /// The host restarted at this time.
    Restarted(Ms),
}

impl Away {
    fn ms(self, up_ms: Ms) -> Ms {
        let (Away::Lost(since) | Away::Restarted(since)) = self;
        up_ms - since
    }
}

impl Absence {
    pub(super) fn begin(&mut self, up_ms: Ms) {
        self.n_losses += 1;
        self.since.get_or_insert(Away::Lost(up_ms));
    }

    pub(super) fn end(&mut self, up_ms: Ms) {
        if let Some(away) = self.since.take() {
            let ms = away.ms(up_ms);
            self.last = Some((away, ms));
            if let Away::Lost(_) = away {
                self.total_ms += ms;
            }
        }
    }

    pub(super) fn restart(&mut self, up_ms: Ms) {
        (self.since, self.last) = (Some(Away::Restarted(up_ms)), None);
    }

    pub(super) fn is_away(&self) -> bool {
        self.since.is_some()
    }

    /// True if the seat is absent because its connection was lost.
    pub(super) fn is_lost(&self) -> bool {
        matches!(self.since, Some(Away::Lost(_)))
    }

    /// True if the seat is absent, or was absent before it returned, for longer than allowed.
    pub(super) fn is_too_long(&self, up_ms: Ms, policy: &Policy) -> bool {
        let mut so_far = *self;
        so_far.end(up_ms);
        match so_far.last {
            None => false,
            Some((Away::Restarted(_), ms)) => ms >= REJOIN_MS,
            Some((Away::Lost(_), ms)) => {
                ms >= policy.grace_ms
                    || so_far.total_ms >= policy.pause_budget_ms
                    || so_far.n_losses > policy.pauses_max.into()
            }
        }
    }
}
