//! Tracks whether storage takes writes, to within about a second.
//!
//! The writer thread reports when a commit begins and when it is done. A second thread, the
//! monitor, watches it: a commit that hangs for any reason is an outage, and so is one that keeps
//! failing. When there is nothing to commit, the monitor requests an empty commit from time to
//! time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use metrics::gauge;
use session::Ms;
use tokio::sync::watch;

use crate::clock::Clock;

/// A commit that has failed and is retried for longer than this is an outage.
const FAILING_MS: Ms = 400;
/// The interval at which the monitor checks.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// The maximum age of the last commit while matches are open.
const BEAT_MS: Ms = 250;
/// The maximum age of the last commit while no match is open.
const IDLE_BEAT_MS: Ms = 5_000;
/// The value of `began` while no commit is under way.
const IDLE: u64 = u64::MAX;

pub(crate) struct Health {
    clock: Clock,
    /// A commit that takes longer than this is an outage.
    patience_ms: Ms,
    state: watch::Sender<Storage>,
    /// Start of the commit under way, by the clock without a test's advances.
    began: AtomicU64,
    /// Start of the last durable commit, by the same clock.
    proven: AtomicU64,
    /// The last error of the commit under way.
    trouble: Mutex<Option<String>>,
}

/// The observed state of storage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Storage {
    /// Outages so far, including a current one.
    pub(crate) n_outages: u64,
    /// The time of the last durable commit before the last outage.
    pub(crate) since: Ms,
    pub(crate) is_up: bool,
}

impl Health {
    pub(crate) fn new(clock: Clock, patience_ms: Ms) -> Arc<Health> {
        let up = Storage {
            n_outages: 0,
            since: 0,
            is_up: true,
        };
        gauge!("referee_storage_writable").set(1);
        Arc::new(Health {
            patience_ms,
            state: watch::Sender::new(up),
            began: AtomicU64::new(IDLE),
            proven: AtomicU64::new(clock.unadvanced()),
            clock,
            trouble: Mutex::new(None),
        })
    }

    /// True if storage took writes at the last check.
    pub(crate) fn writes(&self) -> bool {
        self.state.borrow().is_up
    }

    /// Subscribes to outages. While there are subscribers, storage is checked several times a
    /// second.
    pub(crate) fn subscribe(&self) -> watch::Receiver<Storage> {
        self.state.subscribe()
    }

    /// True if a commit succeeded moments ago.
    pub(crate) fn is_fresh(&self) -> bool {
        let age_ms = self
            .clock
            .unadvanced()
            .saturating_sub(self.proven.load(Ordering::Acquire));
        self.writes() && age_ms <= 2 * BEAT_MS
    }

    /// Notes that a commit begins.
    pub(crate) fn begin(&self) {
        self.began.store(self.clock.unadvanced(), Ordering::Release);
    }

    /// Notes that an attempt of the commit under way has failed and will be retried.
    pub(crate) fn note_trouble(&self, error: &store::StoreError) {
        *self.trouble() = Some(error.to_string());
    }

    /// Notes that the commit under way is durable.
    pub(crate) fn succeed(&self) {
        let began = self.began.swap(IDLE, Ordering::AcqRel);
        self.proven
            .fetch_max(began.min(self.clock.unadvanced()), Ordering::AcqRel);
        *self.trouble() = None;
        let mut down_ms = None;
        self.state.send_if_modified(|state| {
            if !state.is_up {
                down_ms = Some(self.clock.now().saturating_sub(state.since));
                state.is_up = true;
            }
            down_ms.is_some()
        });
        if let Some(down_ms) = down_ms {
            gauge!("referee_storage_writable").set(1);
            tracing::info!(down_ms, "storage takes writes again; clocks continue");
        }
    }

    fn trouble(&self) -> MutexGuard<'_, Option<String>> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Time the commit under way may take before it counts as an outage.
    fn patience_ms(&self) -> Ms {
        match *self.trouble() {
            Some(_) => self.patience_ms.min(FAILING_MS),
            None => self.patience_ms,
        }
    }

    /// Declares an outage if the commit under way takes too long.
    fn look(&self) {
        let began = self.began.load(Ordering::Acquire);
        let under_way_ms = self.clock.unadvanced().saturating_sub(began);
        if began == IDLE || under_way_ms <= self.patience_ms() {
            return;
        }
        let proven = self.proven.load(Ordering::Acquire);
        let proven_ago_ms = self.clock.unadvanced().saturating_sub(proven);
        let since = self.clock.now().saturating_sub(proven_ago_ms);
        let noticed = self.state.send_if_modified(|state| {
            let is_news = state.is_up && self.began.load(Ordering::Acquire) == began;
            if is_news {
                *state = Storage {
                    n_outages: state.n_outages + 1,
                    since,
                    is_up: false,
                };
            }
            is_news
        });
        if noticed {
            gauge!("referee_storage_writable").set(0);
            let error = self.trouble().clone();
            let error = error.as_deref().unwrap_or("a commit hangs");
            tracing::error!(
                error,
                "storage takes no writes; clocks are paused until it does"
            );
        }
    }

    /// True if an empty commit is due.
    fn is_beat_due(&self) -> bool {
        let every_ms = match self.state.receiver_count() {
            0 => IDLE_BEAT_MS,
            _ => BEAT_MS,
        };
        let age_ms = self
            .clock
            .unadvanced()
            .saturating_sub(self.proven.load(Ordering::Acquire));
        self.began.load(Ordering::Acquire) == IDLE && age_ms >= every_ms
    }
}

/// Starts the monitor. `beat` requests an empty commit. The thread ends when the last other
/// reference to `health` is dropped.
pub(crate) fn look_on(health: &Arc<Health>, beat: impl Fn() + Send + 'static) {
    let health = Arc::downgrade(health);
    thread::spawn(move || {
        while let Some(health) = Weak::upgrade(&health) {
            health.look();
            if health.is_beat_due() {
                beat();
            }
            drop(health);
            thread::sleep(LOOK_EVERY);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if a commit that has taken this long counts as an outage.
    fn is_outage(under_way_ms: Ms, trouble: Option<&str>) -> bool {
        let health = Health::new(Clock::start(None), 1_000);
        let began = health.clock.unadvanced() - under_way_ms;
        health.began.store(began, Ordering::Release);
        *health.trouble() = trouble.map(str::to_owned);
        health.look();
        !health.writes()
    }

    #[test]
    fn a_slow_sync_is_not_an_outage_but_a_hanging_one_is() {
        assert!(!is_outage(600, None));
        assert!(is_outage(1_100, None));
    }

    #[test]
    fn a_commit_that_keeps_failing_is_an_outage_sooner() {
        assert!(!is_outage(200, Some("the database is locked")));
        assert!(is_outage(600, Some("the database is locked")));
    }
}
