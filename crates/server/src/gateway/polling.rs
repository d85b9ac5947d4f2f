//! A socket without a WebSocket: the client's messages arrive in the bodies of requests, and the
//! server's messages leave as answers to long polls.
//!
//! Requests have no state. Each is a message to the single task of the socket, in order of arrival.
//! So is the WebSocket that finally replaces them: everything posted before it is handled before
//! it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use session::Ms;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use wire::codes::CloseCode;
use wire::engineio::{self, Refusal};

use super::handshake::Stream;
use crate::http::gate::Caller;
use crate::secret;
use crate::server::Server;

/// Requests that may wait for the task of their socket.
const LETTERS_MAX: usize = 8;
/// The bytes of an answer after which no further message goes into it. Answers of this size fit
/// into the system's own buffers and are never refused for their memory.
const ANSWER_BYTES_MAX: usize = 32 << 10;
/// The interval at which polls are ended while the client upgrades to a WebSocket.
const NOOP_EVERY: Duration = Duration::from_millis(100);

/// A handle to a socket that uses requests.
pub(super) type PollDoor = mpsc::Sender<Letter>;

/// The answer to a poll: packets, or the reason there are none.
pub(super) type Answer = Result<String, Refusal>;

/// A request's message to the task of its socket.
pub(super) enum Letter {
    /// Waits for messages.
    Poll(oneshot::Sender<Answer>),
    /// Brings packets.
    Payload(String),
    /// A WebSocket may take over soon.
    Probe(Probe),
    /// The WebSocket takes over.
    Upgrade(Box<Stream>, Caller),
}

/// A WebSocket that may take over while `life` exists.
pub(super) struct Probe {
    pub(super) life: Weak<()>,
    /// Notified unless another probe is alive.
    pub(super) welcome: oneshot::Sender<()>,
}

/// Something that arrived with a request.
pub(super) enum Requested {
    Message(Utf8Bytes),
    /// A pending poll.
    Poll,
    Upgrade(Box<Stream>, Caller),
}

/// The sockets that use requests, by their secret ids.
pub(crate) struct Polls {
    doors: Mutex<HashMap<String, PollDoor>>,
    n_max: usize,
}

impl Polls {
    pub(crate) fn new(n_max: usize) -> Polls {
        Polls {
            doors: Mutex::default(),
            n_max,
        }
    }

    pub(super) fn door(&self, sid: &str) -> Option<PollDoor> {
        let doors = self.doors.lock();
        let doors = doors.unwrap_or_else(PoisonError::into_inner);
        doors.get(sid).cloned()
    }

    fn enter(&self, sid: &str, door: PollDoor) -> Option<()> {
        let doors = self.doors.lock();
        let mut doors = doors.unwrap_or_else(PoisonError::into_inner);
        if doors.len() >= self.n_max {
            return None;
        }
        doors.insert(sid.to_owned(), door);
        metrics::gauge!("referee_polling_sockets_open").increment(1);
        Some(())
    }

    fn leave(&self, sid: &str) {
        let doors = self.doors.lock();
        let mut doors = doors.unwrap_or_else(PoisonError::into_inner);
        if doors.remove(sid).is_some() {
            metrics::gauge!("referee_polling_sockets_open").decrement(1);
        }
    }
}

/// The requests of one socket, in its task.
pub(super) struct Polling {
    server: Arc<Server>,
    sid: String,
    letters: mpsc::Receiver<Letter>,
    /// Packets that have arrived and were not handled yet.
    packets: VecDeque<Utf8Bytes>,
    /// The pending poll.
    poll: Option<oneshot::Sender<Answer>>,
    /// The answer to it so far.
    answer: String,
    /// The end of the last poll.
    polled_at: Ms,
    probe: Option<Probing>,
}

/// An upgrade in progress: the client stops polling once its last poll has ended.
struct Probing {
    life: Weak<()>,
    next_noop: Instant,
}

impl Polling {
    /// Opens a socket, unless there are too many. Returns it with the answer to the request that
    /// opens it.
    pub(super) fn open(server: &Arc<Server>) -> Option<(Polling, oneshot::Receiver<Answer>)> {
        let sid = secret::fresh_code();
        let (door, letters) = mpsc::channel(LETTERS_MAX);
        let (poll, answer) = oneshot::channel();
        server.polls.enter(&sid, door)?;
        let polling = Polling {
            server: Arc::clone(server),
            sid,
            letters,
            packets: VecDeque::new(),
            poll: Some(poll),
            answer: String::new(),
            polled_at: server.clock.now(),
            probe: None,
        };
        Some((polling, answer))
    }

    pub(super) fn sid(&self) -> &str {
        &self.sid
    }

    pub(super) fn is_ready(&self) -> bool {
        self.poll.is_some() && self.answer.len() < ANSWER_BYTES_MAX
    }

    pub(super) fn idle_since(&self) -> Option<Ms> {
        self.poll.is_none().then_some(self.polled_at)
    }

    /// Waits for the next arrival. `None` means that the client has abandoned its poll and is gone.
    pub(super) async fn next(&mut self) -> Option<Result<Requested, CloseCode>> {
        loop {
            if let Some(packet) = self.packets.pop_front() {
                return Some(Ok(Requested::Message(packet)));
            }
            let noop_at = self.noop_at();
            tokio::select! {
                biased;
                letter = self.letters.recv() => match letter? {
                    Letter::Payload(body) => {
                        self.packets = engineio::packets(&body).map(Utf8Bytes::from).collect();
                    }
                    Letter::Poll(poll) => return Some(self.take_poll(poll)),
                    Letter::Probe(probe) => self.take_probe(probe),
                    Letter::Upgrade(stream, caller) => {
                        // A pending poll receives nothing more.
                        self.end_poll().unwrap_or_default();
                        return Some(Ok(Requested::Upgrade(stream, caller)));
                    }
                },
                () = given_up(&mut self.poll) => return None,
                () = sleep_until_some(noop_at) => self.end_poll()?,
            }
        }
    }

    /// Accepts one poll at a time: two would each receive part of the messages.
    fn take_poll(&mut self, poll: oneshot::Sender<Answer>) -> Result<Requested, CloseCode> {
        if self.poll.is_some() {
            poll.send(Err(Refusal::BadRequest)).ok();
            return Err(CloseCode::Protocol);
        }
        self.poll = Some(poll);
        Ok(Requested::Poll)
    }

    fn take_probe(&mut self, probe: Probe) {
        let other = self.probe.as_ref();
        if other.is_some_and(|it| it.life.strong_count() > 0) {
            return;
        }
        if probe.welcome.send(()).is_ok() {
            self.probe = Some(Probing {
                life: probe.life,
                next_noop: Instant::now(),
            });
        }
    }

    /// The time at which the pending poll must end so that the client can upgrade.
    fn noop_at(&self) -> Option<Instant> {
        let probe = self.probe.as_ref()?;
        let moves = probe.life.strong_count() > 0 && self.poll.is_some();
        moves.then_some(probe.next_noop)
    }

    /// Ends the pending poll, if any, with an empty packet.
    fn end_poll(&mut self) -> Option<()> {
        if let Some(probe) = &mut self.probe {
            probe.next_noop = Instant::now() + NOOP_EVERY;
        }
        if self.poll.is_some() {
            self.push(engineio::NOOP);
        }
        self.flush()
    }

    pub(super) fn feed(&mut self, message: &Message) {
        match message {
            Message::Text(packet) => self.push(packet),
            Message::Close(_) => self.push(engineio::CLOSE),
            Message::Binary(_) | Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
        }
    }

    fn push(&mut self, packet: &str) {
        if !self.answer.is_empty() {
            self.answer.push(engineio::SEPARATOR);
        }
        self.answer.push_str(packet);
    }

    /// Answers the pending poll if there is something to send. `None` means that the client has
    /// abandoned it.
    pub(super) fn flush(&mut self) -> Option<()> {
        if self.answer.is_empty() {
            return Some(());
        }
        let poll = self.poll.take()?;
        self.polled_at = self.server.clock.now();
        poll.send(Ok(std::mem::take(&mut self.answer))).ok()
    }
}

impl Drop for Polling {
    fn drop(&mut self) {
        self.server.polls.leave(&self.sid);
    }
}

/// Waits until the client has abandoned the pending poll.
async fn given_up(poll: &mut Option<oneshot::Sender<Answer>>) {
    match poll {
        Some(poll) => poll.closed().await,
        None => std::future::pending().await,
    }
}

async fn sleep_until_some(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}
