//! The outbound side of a connection: a bounded queue, and a way to hang up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};

use session::Conn;
use tokio::sync::{Notify, mpsc};
use tokio_tungstenite::tungstenite::Utf8Bytes;
use wire::codes::CloseCode;

use crate::holdings::Held;
use crate::limits::Place;

/// Bytes that may wait for a slow client. Beyond this it is disconnected and may resume.
const BYTES_MAX: usize = 2 << 20;

/// A sender to one client.
#[derive(Clone)]
pub(crate) struct Line {
    conn: Conn,
    frames: mpsc::Sender<Utf8Bytes>,
    held: Arc<Held>,
    hangup: Arc<Hangup>,
}

/// The receiving end of a line, in the task of the socket.
pub(crate) struct LineEnd {
    pub(crate) frames: mpsc::Receiver<Utf8Bytes>,
    /// Counts the bytes of frames until they are sent.
    pub(crate) held: Arc<Held>,
    pub(crate) hangup: Arc<Hangup>,
}

impl LineEnd {
    /// Returns the next frame, if one is waiting.
    pub(crate) fn try_next(&mut self) -> Option<Utf8Bytes> {
        self.frames.try_recv().ok()
    }
}

/// Frames that were never sent are released even if other clones of the line remain.
impl Drop for LineEnd {
    fn drop(&mut self) {
        self.frames.close();
        while let Some(frame) = self.try_next() {
            self.held.shrink(frame.len());
        }
    }
}

/// The code to disconnect the client with, once it must be disconnected.
#[derive(Default)]
pub(crate) struct Hangup {
    code: AtomicU16,
    overrun: AtomicBool,
    hung_up: Notify,
}

impl Hangup {
    /// Waits until the client is disconnected because it does not keep up.
    pub(crate) async fn overrun(&self) {
        loop {
            let hung_up = self.hung_up.notified();
            if self.overrun.load(Ordering::Acquire) {
                return;
            }
            hung_up.await;
        }
    }

    /// Waits until the client must be disconnected, and returns the close code.
    pub(crate) async fn hung_up(&self) -> u16 {
        loop {
            let hung_up = self.hung_up.notified();
            match self.code.load(Ordering::Acquire) {
                0 => hung_up.await,
                code => return code,
            }
        }
    }
}

impl Line {
    /// Opens a line with a queue of `n_max` messages.
    pub(crate) fn open(conn: Conn, place: &Arc<Place>, n_max: usize) -> (Line, LineEnd) {
        let (frames, outbox) = mpsc::channel(n_max);
        let held = Arc::new(Held::new(place, BYTES_MAX));
        let hangup = Arc::new(Hangup::default());
        let end = LineEnd {
            frames: outbox,
            held: Arc::clone(&held),
            hangup: Arc::clone(&hangup),
        };
        let line = Line {
            conn,
            frames,
            held,
            hangup,
        };
        (line, end)
    }

    pub(crate) fn conn(&self) -> Conn {
        self.conn
    }

    /// Sends, or disconnects a client that does not keep up. Never waits. A client that is being
    /// disconnected receives nothing more, so there is no gap in what it receives.
    pub(crate) fn send(&self, frame: impl Into<Utf8Bytes>) {
        if self.hangup.code.load(Ordering::Acquire) != 0 {
            return;
        }
        let frame = frame.into();
        let n_bytes = frame.len();
        if self.held.grow(n_bytes).is_err() {
            return self.cut_off();
        }
        match self.frames.try_send(frame) {
            Ok(()) => {}
            Err(mpsc::error::TrySendError::Full(_)) => {
                self.held.shrink(n_bytes);
                self.cut_off();
            }
            Err(mpsc::error::TrySendError::Closed(_)) => self.held.shrink(n_bytes),
        }
    }

    /// Disconnects a client that does not keep up.
    fn cut_off(&self) {
        metrics::counter!("referee_slow_clients_total").increment(1);
        self.hangup.overrun.store(true, Ordering::Release);
        self.hang_up(CloseCode::TryAgainLater);
    }

    /// Disconnects the client after the queued frames are sent. The first close code wins.
    pub(crate) fn hang_up(&self, code: CloseCode) {
        let first = self.hangup.code.compare_exchange(
            0,
            code.number(),
            Ordering::AcqRel,
            Ordering::Acquire,
        );
        if first.is_ok() {
            self.hangup.hung_up.notify_one();
        }
    }
}
