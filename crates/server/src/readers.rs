//! A few threads that read, so that a slow question delays no match.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use store::{Place, Store, StoreError, Tx};
use tokio::sync::{mpsc, oneshot};

/// Questions that may wait.
const QUEUE_MAX: usize = 4_096;
const THREADS: usize = 2;

/// Where to ask.
#[derive(Clone)]
pub(crate) struct Readers {
    jobs: mpsc::Sender<Job>,
}

type Job = Box<dyn FnOnce(&mut Store) + Send>;

/// A question that was not answered; the reason is in the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unanswered;

impl Readers {
    pub(crate) fn start(place: &Place) -> Result<Readers, StoreError> {
        let (jobs, inbox) = mpsc::channel::<Job>(QUEUE_MAX);
        let inbox = Arc::new(Mutex::new(inbox));
        for _ in 0..THREADS {
            let mut store = Store::open_reader(place)?;
            let inbox = Arc::clone(&inbox);
            thread::spawn(move || {
                while let Some(job) = next(&inbox) {
                    job(&mut store);
                }
            });
        }
        Ok(Readers { jobs })
    }

    /// Asks a question of what is durable.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Tx<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Unanswered> {
        let (done, answer) = oneshot::channel();
        let job: Job = Box::new(move |store| {
            match store.read(question) {
                // Whoever asked may be gone.
                Ok(found) => drop(done.send(found)),
                Err(error) => tracing::error!(%error, "a question was not answered"),
            }
        });
        self.jobs.send(job).await.map_err(|_| Unanswered)?;
        answer.await.map_err(|_| Unanswered)
    }
}

fn next(inbox: &Mutex<mpsc::Receiver<Job>>) -> Option<Job> {
    let mut inbox = inbox.lock().unwrap_or_else(PoisonError::into_inner);
    inbox.blocking_recv()
}
