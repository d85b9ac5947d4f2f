//! Whether storage takes writes, known within about a second.
//!
//! The thread that commits says when a commit begins and when it is done. Another thread
//! looks on: a commit that hangs, whatever it hangs in, is an outage, and so is one that is
//! tried again and again. When nothing is to be committed, the onlooker asks for an empty
//! commit from time to time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use metrics::gauge;
use session::Ms;
use tokio::sync::watch;

use crate::clock::Clock;

/// A commit that has failed and is retried for longer is an outage.
const FAILING_MS: Ms = 400;
/// How often the onlooker looks.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How old the last commit may be while matches are open.
const BEAT_MS: Ms = 250;
/// How old it may be while none is.
const IDLE_BEAT_MS: Ms = 5_000;
/// Nothing is being committed.
const IDLE: u64 = u64::MAX;

/// Whether storage takes writes.
pub(crate) struct Health {
    clock: Clock,
    /// A commit that has not returned for longer is an outage.
    patience_ms: Ms,
    state: watch::Sender<Storage>,
    /// When the commit under way began, by the clock as if it had not been advanced.
    began: AtomicU64,
    /// When the last commit that is durable began, by the same.
    proven: AtomicU64,
    /// Why the commit under way has not succeeded so far.
    trouble: Mutex<Option<String>>,
}

/// What is known of storage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Storage {
    /// How many outages there were, with the one that lasts.
    pub(crate) n_outages: u64,
    /// The last proof before the last outage.
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

    /// Whether storage took writes when last looked at.
    pub(crate) fn writes(&self) -> bool {
        self.state.borrow().is_up
    }

    /// Learns of each outage. While somebody does, storage is tried several times a second.
    pub(crate) fn subscribe(&self) -> watch::Receiver<Storage> {
        self.state.subscribe()
    }

    /// Whether a commit of the last moments succeeded.
    pub(crate) fn is_fresh(&self) -> bool {
        let age_ms = self
            .clock
            .unadvanced()
            .saturating_sub(self.proven.load(Ordering::Acquire));
        self.writes() && age_ms <= 2 * BEAT_MS
    }

    /// A commit begins.
    pub(crate) fn begin(&self) {
        self.began.store(self.clock.unadvanced(), Ordering::Release);
    }

    /// A try of the commit under way has failed, and is repeated.
    pub(crate) fn note_trouble(&self, error: &store::StoreError) {
        *self.trouble() = Some(error.to_string());
    }

    /// The commit under way is durable.
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

    /// How long the commit under way may take before it counts as an outage.
    fn patience_ms(&self) -> Ms {
        match *self.trouble() {
            Some(_) => self.patience_ms.min(FAILING_MS),
            None => self.patience_ms,
        }
    }

    /// Notices an outage.
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
            let error = error.as_deref().unwrap_or("a commit does not return");
            tracing::error!(
                error,
                "storage takes no writes; clocks are stopped until it does"
            );
        }
    }

    /// Whether an empty commit is due.
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

/// Starts the onlooker. `beat` asks for an empty commit. It ends with the last user of the
/// health.
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

    /// Whether a commit that began so long ago counts as an outage.
    fn is_outage(under_way_ms: Ms, trouble: Option<&str>) -> bool {
        let health = Health::new(Clock::start(None), 1_000);
        let began = health.clock.unadvanced() - under_way_ms;
        health.began.store(began, Ordering::Release);
        *health.trouble() = trouble.map(str::to_owned);
        health.look();
        !health.writes()
    }

    #[test]
    fn a_slow_sync_is_no_outage_and_a_hanging_one_is() {
        assert!(!is_outage(600, None));
        assert!(is_outage(1_100, None));
    }

    #[test]
    fn a_commit_that_keeps_failing_is_an_outage_sooner() {
        assert!(!is_outage(200, Some("the database is locked")));
        assert!(is_outage(600, Some("the database is locked")));
    }
}
