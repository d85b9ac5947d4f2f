//! Measures how late reveals and deadlines arrive.

use std::time::{Duration, Instant};

use super::measures::Shared;
use super::plan::Plan;
use super::talk::{Shown, What};

/// The due times that a player waits for.
#[derive(Default)]
pub(super) struct Dues {
    /// The end of the time to place cards, by the server's clock.
    prep_ms: Option<u64>,
    /// The due time of the next reveal, by the server's clock or, if unknown, by this one.
    due_ms: Option<u64>,
    due_at: Option<Instant>,
}

impl Dues {
    /// Starts waiting for the end of a new decision period.
    pub(super) fn begin(&mut self, deadline_ms: Option<u64>) {
        *self = Dues {
            prep_ms: deadline_ms,
            ..Dues::default()
        };
    }

    /// Measures how late a reveal was, and sets the due time of the next one.
    pub(super) fn shown(&mut self, shown: &Shown, plan: &Plan, shared: &Shared) {
        let now = Instant::now();
        let received_us = unix_us();
        match (shown.what, self.prep_ms.take(), self.due_ms, self.due_at) {
            (What::Finalized, Some(prep_ms), _, _) => {
                let late = lateness(prep_ms, received_us, plan.ahead_us);
                // An early end means that both players have confirmed.
                if !late.is_zero() {
                    shared.lock().deadlines.add(late);
                }
            }
            (_, _, Some(due_ms), _) => {
                let late = lateness(due_ms, received_us, plan.ahead_us);
                shared.lock().steps.add(late);
            }
            (_, _, None, Some(due_at)) => {
                let late = now.saturating_duration_since(due_at);
                shared.lock().steps.add(late);
            }
            _ => {}
        }
        self.due_ms = shown.next_ms;
        self.due_at = shown.next_ms.is_none().then_some(now + plan.step);
    }
}

/// The delay between a due time by the server's clock and a receipt by this machine's clock. The
/// server's clock is `ahead_us` ahead.
fn lateness(due_ms: u64, received_unix_us: i64, ahead_us: i64) -> Duration {
    let due_us = i64::try_from(due_ms)
        .unwrap_or(i64::MAX)
        .saturating_mul(1000);
    let late_us = received_unix_us + ahead_us - due_us;
    Duration::from_micros(u64::try_from(late_us).unwrap_or_default())
}

/// This machine's time, in microseconds since the Unix epoch.
pub(super) fn unix_us() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
    })
}
