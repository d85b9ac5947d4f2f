//! Creates accounts one after another in the background.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use uuid::Uuid;

use crate::process::http;

/// A thread that creates accounts and remembers those that were acknowledged.
pub(crate) struct Signups {
    shared: Arc<Shared>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    done: AtomicBool,
    n_acked: AtomicUsize,
    acked: Mutex<Vec<Uuid>>,
}

impl Signups {
    pub(crate) fn start(server: SocketAddr) -> Signups {
        let shared = Arc::new(Shared::default());
        let work = Arc::clone(&shared);
        let thread = thread::spawn(move || {
            while !work.done.load(Ordering::Relaxed) {
                let made = http(server, "POST", "/auth/guest", "");
                let id = made.and_then(|it| it["accountId"].as_str()?.parse().ok());
                match id {
                    Some(id) => {
                        work.acked.lock().unwrap().push(id);
                        work.n_acked.fetch_add(1, Ordering::Relaxed);
                    }
                    // The server is being killed or started.
                    None => thread::sleep(Duration::from_millis(5)),
                }
            }
        });
        Signups { shared, thread }
    }

    /// Waits until `n_more` more accounts are acknowledged.
    pub(crate) fn wait_for(&self, n_more: usize) {
        let n_acked = || self.shared.n_acked.load(Ordering::Relaxed);
        let wanted = n_acked() + n_more;
        let deadline = Instant::now() + Duration::from_secs(60);
        while n_acked() < wanted {
            assert!(Instant::now() < deadline, "no account was acknowledged");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Every account acknowledged so far.
    pub(crate) fn acked(&self) -> Vec<Uuid> {
        self.shared.acked.lock().unwrap().clone()
    }

    /// Stops the thread and returns every acknowledged account.
    pub(crate) fn stop(self) -> Vec<Uuid> {
        self.shared.done.store(true, Ordering::Relaxed);
        self.thread.join().unwrap();
        std::mem::take(&mut self.shared.acked.lock().unwrap())
    }
}
