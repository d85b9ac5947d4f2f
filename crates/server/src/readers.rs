//! A few threads that read from storage, so that a slow query delays no match.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use store::{Place, Store, StoreError, Tx};
use tokio::sync::{mpsc, oneshot};

use crate::health::Health;

/// Queries that may wait.
const QUEUE_MAX: usize = 4_096;
const THREADS: usize = 2;
/// The interval at which a reader without a connection tries to reopen one.
const REOPEN_EVERY: Duration = Duration::from_millis(250);

/// A handle for sending queries to the reader threads.
#[derive(Clone)]
pub(crate) struct Readers {
    jobs: mpsc::Sender<Job>,
    health: Arc<Health>,
}

type Job = Box<dyn FnOnce(&mut Store) + Send>;

/// The timeout of a query while storage takes no writes; reads may still work.
const OUTAGE_WITHIN: Duration = Duration::from_millis(200);

/// A query failed: the reason is in the log, or storage is unavailable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unanswered;

impl Readers {
    pub(crate) fn start(place: &Place, health: Arc<Health>) -> Result<Readers, StoreError> {
        let (jobs, inbox) = mpsc::channel::<Job>(QUEUE_MAX);
        let inbox = Arc::new(Mutex::new(inbox));
        for _ in 0..THREADS {
            let store = Store::open_reader(place)?;
            let (inbox, place) = (Arc::clone(&inbox), place.clone());
            thread::spawn(move || answer(store, &place, &inbox));
        }
        Ok(Readers { jobs, health })
    }

    /// Runs a query on durable data. While storage takes no writes, the answer comes soon or not at
    /// all.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Tx<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Unanswered> {
        let (done, answer) = oneshot::channel();
        let health = Arc::clone(&self.health);
        let job: Job = Box::new(move |store| {
            if done.is_closed() {
                return;
            }
            match store.read(question) {
                // The caller may be gone.
                Ok(found) => drop(done.send(found)),
                // The outage is already in the log.
                Err(error) if !health.writes() => tracing::debug!(%error, "a query failed"),
                Err(error) => tracing::error!(%error, "a query failed"),
            }
        });
        let asked = async {
            self.jobs.send(job).await.ok()?;
            answer.await.ok()
        };
        let mut storage = self.health.subscribe();
        let outage = async {
            storage.wait_for(|it| !it.is_up).await.ok();
            tokio::time::sleep(OUTAGE_WITHIN).await;
        };
        tokio::select! {
            biased;
            found = asked => found.ok_or(Unanswered),
            () = outage => Err(Unanswered),
        }
    }
}

/// Runs queries. A query that panics is not answered, and the reader continues with a new
/// connection.
fn answer(mut store: Store, place: &Place, inbox: &Mutex<mpsc::Receiver<Job>>) {
    while let Some(job) = next(inbox) {
        if catch_unwind(AssertUnwindSafe(|| job(&mut store))).is_err() {
            tracing::error!("a reader panicked; reopening its connection");
            metrics::counter!("referee_readers_broken_total").increment(1);
            drop(store);
            store = reopen(place);
        }
    }
}

fn reopen(place: &Place) -> Store {
    loop {
        match Store::open_reader(place) {
            Ok(store) => return store,
            Err(error) => {
                tracing::error!(%error, "a reader cannot open the database; retrying");
                thread::sleep(REOPEN_EVERY);
            }
        }
    }
}

fn next(inbox: &Mutex<mpsc::Receiver<Job>>) -> Option<Job> {
    let mut inbox = inbox.lock().unwrap_or_else(PoisonError::into_inner);
    inbox.blocking_recv()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    #[tokio::test]
    async fn a_query_that_panics_is_the_only_one_left_unanswered() {
        let data = tempfile::tempdir().unwrap();
        let place = Place::Sqlite(data.path().join("referee.sqlite"));
        drop(Store::open(&place).unwrap());
        let readers = Readers::start(&place, Health::new(Clock::start(None), 1_000)).unwrap();
        for _ in 0..2 * THREADS {
            let question = |_: &mut Tx<'_>| -> Result<(), StoreError> { panic!("a test's fault") };
            assert_eq!(readers.read(question).await, Err(Unanswered));
        }
        let escrow = readers.read(|tx| Ok(tx.totals()?.escrow));
        assert_eq!(escrow.await, Ok(0));
    }
}
