//! The way out to one client: a bounded queue, and a way to hang up.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use axum::extract::ws::Utf8Bytes;
use session::Conn;
use tokio::sync::{Notify, mpsc};
use wire::codes::CloseCode;

/// Messages that may wait for a client that reads slowly; then it is cut off and may resume.
const QUEUE_MAX: usize = 64;

/// The way out to one client.
#[derive(Clone)]
pub(crate) struct Line {
    conn: Conn,
    frames: mpsc::Sender<Utf8Bytes>,
    hangup: Arc<Hangup>,
}

/// The client's end of a line, in the task of its socket.
pub(crate) struct LineEnd {
    pub(crate) frames: mpsc::Receiver<Utf8Bytes>,
    pub(crate) hangup: Arc<Hangup>,
}

/// Whether the client is to be cut off, and with which code.
#[derive(Default)]
pub(crate) struct Hangup {
    code: AtomicU16,
    told: Notify,
}

impl Hangup {
    /// Waits until it is so.
    pub(crate) async fn told(&self) -> u16 {
        loop {
            let told = self.told.notified();
            match self.code.load(Ordering::Acquire) {
                0 => told.await,
                code => return code,
            }
        }
    }
}

impl Line {
    pub(crate) fn open(conn: Conn) -> (Line, LineEnd) {
        let (frames, outbox) = mpsc::channel(QUEUE_MAX);
        let hangup = Arc::new(Hangup::default());
        let end = LineEnd {
            frames: outbox,
            hangup: Arc::clone(&hangup),
        };
        let line = Line {
            conn,
            frames,
            hangup,
        };
        (line, end)
    }

    pub(crate) fn conn(&self) -> Conn {
        self.conn
    }

    /// Sends, or cuts the client off when it does not keep up. Never waits. Whoever is to be
    /// cut off gets nothing more: there must be no gap in what a client hears.
    pub(crate) fn send(&self, frame: impl Into<Utf8Bytes>) {
        if self.hangup.code.load(Ordering::Acquire) != 0 {
            return;
        }
        if let Err(mpsc::error::TrySendError::Full(_)) = self.frames.try_send(frame.into()) {
            metrics::counter!("referee_slow_clients_total").increment(1);
            self.hang_up(CloseCode::TryAgainLater);
        }
    }

    /// Cuts the client off, after what waits was sent. The first reason stands.
    pub(crate) fn hang_up(&self, code: CloseCode) {
        let first = self.hangup.code.compare_exchange(
            0,
            code.number(),
            Ordering::AcqRel,
            Ordering::Acquire,
        );
        if first.is_ok() {
            self.hangup.told.notify_one();
        }
    }
}
