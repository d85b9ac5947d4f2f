//! A socket without a WebSocket: the client's messages come in the bodies of its requests, and the
//! server's go out as the answers to requests that wait for them.
//!
//! Requests have no state of their own. Each is a letter to the one task of the socket, in the
//! order of arrival, and so is the WebSocket that replaces them in the end: whatever was posted
//! before it is heard before it.

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
/// How often polls are ended while the client moves to a WebSocket.
const NOOP_EVERY: Duration = Duration::from_millis(100);

/// The way to a socket that is carried by requests.
pub(super) type PollDoor = mpsc::Sender<Letter>;

/// The answer to a poll: packets, or why there are none.
pub(super) type Answer = Result<String, Refusal>;

/// A request's message to the task of its socket.
pub(super) enum Letter {
    /// Waits for messages.
    Poll(oneshot::Sender<Answer>),
    /// Brings packets.
    Payload(String),
    /// A WebSocket may take over soon.
    Probe(Probe),
    /// It does.
    Upgrade(Box<Stream>, Caller),
}

/// A WebSocket that may take over soon, as long as it lives.
pub(super) struct Probe {
    pub(super) life: Weak<()>,
    /// Told if no other one lives.
    pub(super) welcome: oneshot::Sender<()>,
}

/// Something that requests brought.
pub(super) enum Requested {
    Message(Utf8Bytes),
    /// A poll, which waits.
    Poll,
    Upgrade(Box<Stream>, Caller),
}

/// The sockets that are carried by requests, by their secret names.
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
    /// Packets that have come and were not heard yet.
    packets: VecDeque<Utf8Bytes>,
    /// The poll that waits.
    poll: Option<oneshot::Sender<Answer>>,
    /// The answer to it so far.
    answer: String,
    /// When the last poll ended.
    polled_at: Ms,
    probe: Option<Probing>,
}

/// The client moves to a WebSocket: it stops polling once its last poll has ended.
struct Probing {
    life: Weak<()>,
    next_noop: Instant,
}

impl Polling {
    /// A new socket, unless there are too many, and the answer to the request that opens it.
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

    /// Waits for something that requests bring. Nothing means: the client has given up its poll,
    /// and is gone.
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
                        // A poll that still waits gets nothing more.
                        self.end_poll().unwrap_or_default();
                        return Some(Ok(Requested::Upgrade(stream, caller)));
                    }
                },
                () = given_up(&mut self.poll) => return None,
                () = sleep_until_some(noop_at) => self.end_poll()?,
            }
        }
    }

    /// A client has one poll at a time: two would each get a part of what is said.
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

    /// When the poll that waits must end for the client to move on.
    fn noop_at(&self) -> Option<Instant> {
        let probe = self.probe.as_ref()?;
        let moves = probe.life.strong_count() > 0 && self.poll.is_some();
        moves.then_some(probe.next_noop)
    }

    /// Ends the poll that waits, if any, with nothing.
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

    /// Answers the poll that waits, if there is something to say. Nothing means: the client has
    /// given it up.
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

/// Waits until the client has given up the poll that waits.
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
