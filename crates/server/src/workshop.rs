//! Heavy work that anyone may request: replays, galaxies, setups. A few low-priority threads do it,
//! so that live matches keep the processor. A client has one job running at a time and a budget of
//! processor time, so that it cannot block the threads for others.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use tokio::sync::{Semaphore, mpsc, oneshot};

use crate::limits::Recent;
use crate::peer::Peer;

const THREADS: usize = 2;
/// Jobs of all clients that may wait for a thread.
const WAITING_MAX: usize = 64;
/// Jobs of one client: one runs, the others wait for it.
const PER_CLIENT_MAX: usize = 4;
/// Processor time that a client may save up, and the amount it regains per second.
const SAVED_MAX: Duration = Duration::from_secs(60);
const REGAINED_PER_SECOND: f64 = 0.2;

/// A handle for heavy work.
pub(crate) struct Workshop {
    jobs: mpsc::Sender<Job>,
    queues: Queues,
    budgets: Arc<Recent<Peer, Budget>>,
}

type Job = Box<dyn FnOnce() + Send>;
type Queues = Arc<Mutex<HashMap<Peer, Queue>>>;

/// The reason a job was not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Undone {
    /// The client has too many jobs, or has used up its processor time.
    TooMuch,
    /// Too many jobs are waiting.
    Busy,
    /// The work panicked.
    Broken,
}

/// A flag that says whether a job is still wanted.
#[derive(Clone, Default)]
pub(crate) struct Wanted(Arc<AtomicBool>);

impl Wanted {
    /// False once the client is gone or the time is up: the work should then stop at once.
    pub(crate) fn still(&self) -> bool {
        !self.0.load(Ordering::Relaxed)
    }

    /// A job that no one waits for.
    #[cfg(test)]
    pub(crate) fn gone() -> Wanted {
        Wanted(Arc::new(AtomicBool::new(true)))
    }
}

/// Cancels the work on drop, when no one waits for it any more.
struct Waiting(Wanted);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

impl Workshop {
    pub(crate) fn start() -> Workshop {
        let (jobs, inbox) = mpsc::channel::<Job>(WAITING_MAX);
        let inbox = Arc::new(Mutex::new(inbox));
        for _ in 0..THREADS {
            let inbox = Arc::clone(&inbox);
            thread::spawn(move || labor(&inbox));
        }
        Workshop {
            jobs,
            queues: Queues::default(),
            budgets: Arc::default(),
        }
    }

    /// Runs the work for a client, after its earlier jobs.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        peer: Peer,
        work: impl FnOnce(&Wanted) -> T + Send + 'static,
    ) -> Result<T, Undone> {
        let queued = Queued::join(&self.queues, peer)?;
        let _turn = queued.turn.acquire().await;
        if !self.budgets.with(peer, Budget::has_some) && peer != Peer::Local {
            return Err(Undone::TooMuch);
        }
        let waiting = Waiting(Wanted::default());
        let wanted = waiting.0.clone();
        let budgets = Arc::clone(&self.budgets);
        let (done, answer) = oneshot::channel();
        let job = move || {
            if !wanted.still() {
                return;
            }
            let before = processor_time();
            let made = catch_unwind(AssertUnwindSafe(|| work(&wanted)));
            let spent = processor_time().saturating_sub(before);
            budgets.with(peer, |budget| budget.spend(spent));
            metrics::counter!("referee_workshop_microseconds_total")
                .increment(spent.as_micros() as u64);
            match made {
                Ok(made) => drop(done.send(made)),
                Err(_) => tracing::error!("a job of the workshop panicked"),
            }
        };
        let sent = self.jobs.try_send(Box::new(job));
        sent.map_err(|_| Undone::Busy)?;
        answer.await.map_err(|_| Undone::Broken)
    }
}

fn labor(inbox: &Mutex<mpsc::Receiver<Job>>) {
    // If the system refuses, the work runs at normal priority.
    rustix::process::nice(19).ok();
    while let Some(job) = next(inbox) {
        job();
    }
}

fn next(inbox: &Mutex<mpsc::Receiver<Job>>) -> Option<Job> {
    let mut inbox = inbox.lock().unwrap_or_else(PoisonError::into_inner);
    inbox.blocking_recv()
}

/// The processor time this thread has used.
pub(crate) fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

#[derive(Clone)]
struct Queue {
    n_jobs: usize,
    turn: Arc<Semaphore>,
}

/// A client's job until it is done or abandoned.
struct Queued {
    queues: Queues,
    peer: Peer,
    turn: Arc<Semaphore>,
}

impl Queued {
    fn join(queues: &Queues, peer: Peer) -> Result<Queued, Undone> {
        let n_at_once = if peer == Peer::Local { WAITING_MAX } else { 1 };
        let mut all = queues.lock().unwrap_or_else(PoisonError::into_inner);
        let queue = all.entry(peer).or_insert_with(|| Queue {
            n_jobs: 0,
            turn: Arc::new(Semaphore::new(n_at_once)),
        });
        if peer != Peer::Local && queue.n_jobs >= PER_CLIENT_MAX {
            return Err(Undone::TooMuch);
        }
        queue.n_jobs += 1;
        Ok(Queued {
            queues: Arc::clone(queues),
            peer,
            turn: Arc::clone(&queue.turn),
        })
    }
}

impl Drop for Queued {
    fn drop(&mut self) {
        let mut all = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = all.get_mut(&self.peer) {
            queue.n_jobs -= 1;
            if queue.n_jobs == 0 {
                all.remove(&self.peer);
            }
        }
    }
}

/// The processor time that a client may still use, in seconds; below 0 it has used too much.
struct Budget {
    seconds: f64,
    at: Instant,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            seconds: SAVED_MAX.as_secs_f64(),
            at: Instant::now(),
        }
    }
}

impl Budget {
    fn has_some(&mut self) -> bool {
        self.spend(Duration::ZERO);
        self.seconds > 0.0
    }

    fn spend(&mut self, spent: Duration) {
        let now = Instant::now();
        let regained = (now - self.at).as_secs_f64() * REGAINED_PER_SECOND;
        self.at = now;
        self.seconds = (self.seconds + regained).min(SAVED_MAX.as_secs_f64()) - spent.as_secs_f64();
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::sync::Barrier;

    use super::*;

    fn client(n: u8) -> Peer {
        Peer::Network(IpAddr::from([203, 0, 113, n]))
    }

    #[tokio::test]
    async fn a_client_that_fills_its_queue_leaves_threads_for_others() {
        let workshop = Arc::new(Workshop::start());
        let gate = Arc::new(Barrier::new(2));
        let greedy: Vec<_> = (0..PER_CLIENT_MAX)
            .map(|_| {
                let (workshop, gate) = (Arc::clone(&workshop), Arc::clone(&gate));
                tokio::spawn(async move {
                    let work = move |_: &Wanted| gate.wait().is_leader();
                    workshop.run(client(1), work).await
                })
            })
            .collect();
        while workshop
            .queues
            .lock()
            .unwrap()
            .get(&client(1))
            .map(|it| it.n_jobs)
            != Some(PER_CLIENT_MAX)
        {
            tokio::task::yield_now().await;
        }
        let refused = workshop.run(client(1), |_| ()).await;
        assert_eq!(refused, Err(Undone::TooMuch));
        // The greedy client's first job still waits at the gate.
        assert_eq!(workshop.run(client(2), |_| 7).await, Ok(7));
        for _ in 0..PER_CLIENT_MAX {
            let gate = Arc::clone(&gate);
            tokio::task::spawn_blocking(move || gate.wait().is_leader())
                .await
                .unwrap();
        }
        for job in greedy {
            assert!(job.await.unwrap().is_ok());
        }
        assert!(workshop.queues.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_client_without_processor_time_is_refused_until_it_regains_some() {
        let workshop = Workshop::start();
        let spend = |budget: &mut Budget| budget.spend(2 * SAVED_MAX);
        workshop.budgets.with(client(1), spend);
        let refused = workshop.run(client(1), |_| ()).await;
        assert_eq!(refused, Err(Undone::TooMuch));
        assert_eq!(workshop.run(client(2), |_| ()).await, Ok(()));
        let rewind = |budget: &mut Budget| {
            let debt = Duration::from_secs_f64(-budget.seconds / REGAINED_PER_SECOND);
            budget.at -= debt + Duration::from_secs(1);
        };
        workshop.budgets.with(client(1), rewind);
        assert_eq!(workshop.run(client(1), |_| ()).await, Ok(()));
    }

    #[tokio::test]
    async fn a_job_ends_when_no_one_waits_for_it() {
        let workshop = Workshop::start();
        let (begins, has_begun) = oneshot::channel();
        let (ended, was_ended) = oneshot::channel();
        let work = move |wanted: &Wanted| {
            begins.send(()).ok();
            while wanted.still() {
                thread::yield_now();
            }
            ended.send(()).ok();
        };
        tokio::select! {
            done = workshop.run(client(1), work) => panic!("{done:?} while it was wanted"),
            begun = has_begun => begun.unwrap(),
        }
        was_ended.await.unwrap();
    }

    #[tokio::test]
    async fn a_job_that_panics_does_not_affect_others() {
        let workshop = Workshop::start();
        for _ in 0..2 * THREADS {
            let broken = workshop.run(client(1), |_| -> () { panic!("a test's fault") });
            assert_eq!(broken.await, Err(Undone::Broken));
        }
        assert_eq!(workshop.run(client(1), |_| 7).await, Ok(7));
    }
}
