//! The single writer thread.
//!
//! Everything that must survive goes through this thread. It takes all jobs that gathered during
//! the last commit, writes them in one transaction, and answers only once that is durable. The disk
//! is the slow part, so many jobs share one round trip to it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use kernel::MatchId;
use metrics::{counter, histogram};
use store::{NewEvent, Store, StoreError, Tx};
use tokio::sync::{Notify, mpsc, oneshot};

use crate::health::{self, Health};

/// Jobs that may queue. When the queue is full, callers wait.
const QUEUE_MAX: usize = 16_384;
/// Jobs in one transaction.
const BATCH_MAX: usize = 1_024;
/// Time for which the server retries a database that is unreachable or full before it gives up.
const PATIENCE: Duration = Duration::from_secs(60);
/// The interval between retries.
const RETRY_EVERY: Duration = Duration::from_millis(250);
/// The timeout of a check that storage takes writes.
const PROOF_WITHIN: Duration = Duration::from_millis(400);
/// The interval between checkpoints of the embedded database's write-ahead log.
const CHECKPOINT_EVERY: Duration = Duration::from_millis(500);

/// A handle for sending jobs to the writer thread.
#[derive(Clone)]
pub(crate) struct Committer {
    jobs: mpsc::Sender<Job>,
    health: Arc<Health>,
}

/// The version up to which a match is durable; its room waits on it.
#[derive(Default, Debug)]
pub(crate) struct Durable {
    version: AtomicU64,
    changed: Notify,
}

/// The server is stopping, or storage is gone: nothing more will be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

/// Storage takes no writes now, and nothing was acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unavailable;

enum Job {
    /// A commit without content.
    Beat,
    Append(Append),
    Work(Box<dyn Work>),
}

struct Append {
    game_id: MatchId,
    version: u64,
    bytes: Vec<u8>,
    durable: Arc<Durable>,
}

/// Part of a transaction other than a plain event. It may run again when a commit's outcome is
/// unknown.
trait Work: Send {
    fn run(&mut self, tx: &mut Tx<'_>) -> Result<(), StoreError>;
    fn committed(self: Box<Self>);
}

struct Piece<T, F> {
    work: F,
    result: Option<T>,
    done: oneshot::Sender<T>,
    /// True if a client waits for the answer; the work is then skipped if the client is gone.
    is_asked: bool,
}

impl<T, F> Work for Piece<T, F>
where
    T: Send,
    F: FnMut(&mut Tx<'_>) -> Result<T, StoreError> + Send,
{
    fn run(&mut self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        if !self.is_asked || !self.done.is_closed() {
            self.result = Some((self.work)(tx)?);
        }
        Ok(())
    }

    fn committed(self: Box<Self>) {
        // The caller may be gone; the work stays done.
        if let Some(result) = self.result {
            self.done.send(result).ok();
        }
    }
}

impl Durable {
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Waits until a version above `seen` is durable, and returns it.
    pub(crate) async fn beyond(&self, seen: u64) -> u64 {
        loop {
            let changed = self.changed.notified();
            let version = self.version();
            if version > seen {
                return version;
            }
            changed.await;
        }
    }

    pub(crate) fn reached(&self, version: u64) {
        self.version.fetch_max(version, Ordering::AcqRel);
        self.changed.notify_one();
    }
}

impl Committer {
    /// Starts the thread. `fatal` is called from it when storage is lost for good or the thread
    /// itself panics. Everything acknowledged is durable, so a restart continues from there.
    pub(crate) fn start(
        mut store: Store,
        log: Option<ShortLog>,
        health: Arc<Health>,
        fatal: impl FnOnce(&StoreError) + Send + 'static,
    ) -> Committer {
        let (jobs, inbox) = mpsc::channel(QUEUE_MAX);
        let noted = Arc::clone(&health);
        store.on_retry(move |error| noted.note_trouble(error));
        let beats = jobs.downgrade();
        health::look_on(&health, move || {
            if let Some(jobs) = beats.upgrade() {
                // A full queue needs no heartbeat.
                jobs.try_send(Job::Beat).ok();
            }
        });
        let desk = Desk {
            store,
            log,
            inbox,
            health: Arc::clone(&health),
        };
        thread::spawn(move || {
            // After a panic of this thread nothing is written, and every caller would wait forever.
            let done = catch_unwind(AssertUnwindSafe(|| desk.run()));
            match done.unwrap_or_else(|panic| Err(broken(panic.as_ref()))) {
                Ok(()) => {}
                Err(error) => fatal(&error),
            }
        });
        Committer { jobs, health }
    }

    pub(crate) fn health(&self) -> &Health {
        &self.health
    }

    /// Writes one event of a match, then notifies `durable`.
    pub(crate) async fn append(
        &self,
        game_id: MatchId,
        version: u64,
        bytes: Vec<u8>,
        durable: &Arc<Durable>,
    ) -> Result<(), Stopped> {
        let append = Append {
            game_id,
            version,
            bytes,
            durable: Arc::clone(durable),
        };
        let sent = self.jobs.send(Job::Append(append)).await;
        sent.map_err(|_| Stopped)
    }

    /// Runs a piece of work in the next transaction and returns its result once that is durable.
    /// The work may run more than once, so it must do the same each time.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut Tx<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Stopped> {
        let answer = self.begin(work).await?;
        answer.await.map_err(|_| Stopped)
    }

    /// Like `run`, but returns a receiver for the result.
    pub(crate) async fn begin<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut Tx<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<oneshot::Receiver<T>, Stopped> {
        self.hand_in(work, false).await
    }

    /// Like `run`, for a client: fails at once if storage takes no writes. The work is then not
    /// done unless it had already started.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut Tx<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Unavailable> {
        let mut storage = self.health.subscribe();
        if !storage.borrow().is_up {
            return Err(Unavailable);
        }
        tokio::select! {
            biased;
            done = async { self.hand_in(work, true).await.ok()?.await.ok() } => {
                done.ok_or(Unavailable)
            }
            _ = storage.wait_for(|it| !it.is_up) => Err(Unavailable),
        }
    }

    /// True if storage takes writes now, as proven by a commit moments ago.
    pub(crate) async fn is_writable(&self) -> bool {
        if self.health.is_fresh() {
            return true;
        }
        let proof = tokio::time::timeout(PROOF_WITHIN, self.ask(|_| Ok(())));
        matches!(proof.await, Ok(Ok(())))
    }

    /// The number of jobs in the queue.
    #[cfg(test)]
    pub(crate) fn n_waiting(&self) -> usize {
        self.jobs.max_capacity() - self.jobs.capacity()
    }

    async fn hand_in<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut Tx<'_>) -> Result<T, StoreError> + Send + 'static,
        is_asked: bool,
    ) -> Result<oneshot::Receiver<T>, Stopped> {
        let (done, answer) = oneshot::channel();
        let piece = Piece {
            work,
            result: None,
            done,
            is_asked,
        };
        let sent = self.jobs.send(Job::Work(Box::new(piece))).await;
        sent.map_err(|_| Stopped)?;
        Ok(answer)
    }
}

/// Keeps the write-ahead log of the embedded database short until dropped.
pub(crate) struct ShortLog {
    /// True if nearly all of the log was just checkpointed.
    folded: Arc<AtomicBool>,
    _kept: std::sync::mpsc::Sender<()>,
}

impl ShortLog {
    /// Checkpoints the embedded database from time to time over a separate connection, so that no
    /// commit waits for it. Events committed meanwhile stay in the log, so the log restarts only
    /// when the writer checkpoints that small rest. `fatal` is called if the files of the database
    /// were moved, which an idle writer would not notice.
    pub(crate) fn keep(
        mut store: Store,
        fatal: impl FnOnce(&StoreError) + Send + 'static,
    ) -> ShortLog {
        let (kept, end) = std::sync::mpsc::channel();
        let folded = Arc::new(AtomicBool::new(false));
        let done = Arc::clone(&folded);
        thread::spawn(move || {
            while end.recv_timeout(CHECKPOINT_EVERY) == Err(RecvTimeoutError::Timeout) {
                match store.checkpoint() {
                    Ok(()) => done.store(true, Ordering::Relaxed),
                    Err(error @ StoreError::Moved { .. }) => return fatal(&error),
                    Err(error) => not_folded(&error),
                }
            }
        });
        ShortLog {
            folded,
            _kept: kept,
        }
    }
}

fn not_folded(error: &StoreError) {
    tracing::warn!(%error, "checkpointing the database failed; will retry");
}

/// Converts the message of a panic into an error.
fn broken(panic: &(dyn Any + Send)) -> StoreError {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    StoreError::Broken {
        message: text.unwrap_or("it did not say why").to_owned(),
    }
}

struct Desk {
    store: Store,
    log: Option<ShortLog>,
    inbox: mpsc::Receiver<Job>,
    health: Arc<Health>,
}

impl Desk {
    fn run(mut self) -> Result<(), StoreError> {
        while let Some(job) = self.inbox.blocking_recv() {
            let mut batch = Batch::default();
            batch.push(job);
            while batch.len() < BATCH_MAX
                && let Ok(job) = self.inbox.try_recv()
            {
                batch.push(job);
            }
            self.commit(&mut batch)?;
            batch.committed();
            self.shorten_log();
        }
        Ok(())
    }

    fn shorten_log(&mut self) {
        let Some(log) = &self.log else { return };
        if log.folded.swap(false, Ordering::Relaxed)
            && let Err(error) = self.store.checkpoint()
        {
            not_folded(&error);
        }
    }

    /// Commits, and retries for `PATIENCE` while the error is temporary.
    fn commit(&mut self, batch: &mut Batch) -> Result<(), StoreError> {
        let began = Instant::now();
        self.health.begin();
        loop {
            let committed = self.store.commit(|tx| batch.run(tx));
            let error = match committed {
                Ok(()) => break,
                Err(error) => error,
            };
            if error.is_fatal() || began.elapsed() > PATIENCE {
                return Err(error);
            }
            self.health.note_trouble(&error);
            thread::sleep(RETRY_EVERY);
        }
        self.health.succeed();
        counter!("referee_commits_total").increment(1);
        counter!("referee_committed_jobs_total").increment(batch.len() as u64);
        histogram!("referee_commit_seconds").record(began.elapsed().as_secs_f64());
        Ok(())
    }
}

/// The content of one transaction: events in bulk, then the other work in order.
#[derive(Default)]
struct Batch {
    events: Vec<(MatchId, u64, Vec<u8>)>,
    told: Vec<Arc<Durable>>,
    works: Vec<Box<dyn Work>>,
}

impl Batch {
    fn push(&mut self, job: Job) {
        match job {
            Job::Beat => {}
            Job::Append(it) => {
                self.events.push((it.game_id, it.version, it.bytes));
                self.told.push(it.durable);
            }
            Job::Work(work) => self.works.push(work),
        }
    }

    fn len(&self) -> usize {
        self.events.len() + self.works.len()
    }

    fn run(&mut self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let events: Vec<NewEvent<'_>> = self.events.iter().map(new_event).collect();
        if !events.is_empty() {
            tx.append_all(&events)?;
        }
        self.works.iter_mut().try_for_each(|work| work.run(tx))
    }

    fn committed(self) {
        for ((_, version, _), durable) in self.events.iter().zip(&self.told) {
            durable.reached(*version);
        }
        for work in self.works {
            work.committed();
        }
    }
}

fn new_event((game_id, version, bytes): &(MatchId, u64, Vec<u8>)) -> NewEvent<'_> {
    NewEvent {
        game_id: *game_id,
        version: *version,
        bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use store::Place;

    #[tokio::test]
    async fn a_panic_of_the_writer_is_reported_as_lost_storage() {
        let data = tempfile::tempdir().unwrap();
        let place = Place::Sqlite(data.path().join("referee.sqlite"));
        let mut store = Store::open(&place).unwrap();
        store.claim(1).unwrap();
        let (told, lost) = oneshot::channel();
        let health = Health::new(Clock::start(None), 1_000);
        let committer = Committer::start(store, None, health, |error| {
            told.send(error.clone()).ok();
        });
        assert_eq!(committer.run(|_| Ok(7)).await, Ok(7));
        let broke = committer.run(|_| -> Result<(), StoreError> { panic!("a test's fault") });
        assert_eq!(broke.await, Err(Stopped));
        let lost = tokio::time::timeout(Duration::from_secs(20), lost).await;
        let lost = lost.unwrap().unwrap();
        assert!(lost.is_fatal());
        assert!(lost.to_string().contains("a test's fault"), "{lost}");
        assert_eq!(committer.run(|_| Ok(())).await, Err(Stopped));
    }
}
