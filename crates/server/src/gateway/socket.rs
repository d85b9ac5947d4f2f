//! One WebSocket: frames in and out, heartbeats, limits, and a proper goodbye.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, timeout};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};
use wire::codes::CloseCode;

use super::handshake::{Flood, Stream};
use crate::http::gate::Caller;
use crate::limits::{Allowance, SocketLimit};
use crate::line::{Hangup, Line, LineEnd};
use crate::server::Server;

/// How often a client is asked whether it is there, and how long it may take to answer.
pub(super) const PING_EVERY: Duration = Duration::from_secs(10);
pub(super) const PONG_WITHIN: Duration = Duration::from_secs(15);
/// How long a client may take to say its first word.
pub(super) const FIRST_WORD_WITHIN: Duration = Duration::from_secs(4);
/// How long a client of Socket.IO may take from its first word to its hello.
const HELLO_WITHIN: Duration = Duration::from_secs(10);
/// How long one write may take.
const WRITE_WITHIN: Duration = Duration::from_secs(10);
/// How long a goodbye may take.
const GOODBYE_WITHIN: Duration = Duration::from_secs(2);

/// What is read, at most, of what a client sends after it broke the protocol.
const IGNORED_READS_MAX: usize = 64;

/// What a socket brought.
pub(super) enum Heard {
    /// A text message, within the limits.
    Text(Utf8Bytes),
    /// One too many; answer so.
    TooMany,
}

/// What a heartbeat looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Beat {
    /// A ping of WebSocket itself.
    Frame,
    /// A text message; the client's answer is one too.
    Text(&'static str),
}

/// One WebSocket.
pub(super) struct Socket {
    server: Arc<Server>,
    caller: Caller,
    stream: Stream,
    /// Whether the client broke the protocol: nothing more can be read as frames.
    is_broken: bool,
    end: LineEnd,
    limit: SocketLimit,
    beat: Beat,
    next_beat: Instant,
    heard_at: Instant,
    first_word_by: Option<Instant>,
}

impl Socket {
    pub(super) fn open(
        server: &Arc<Server>,
        caller: &Caller,
        stream: Stream,
        beat: Beat,
    ) -> (Socket, Line) {
        let (line, end) = Line::open(server.next_conn(), caller.place());
        let now = Instant::now();
        let socket = Socket {
            server: Arc::clone(server),
            caller: caller.clone(),
            stream,
            is_broken: false,
            end,
            limit: server.limits.socket(),
            beat,
            next_beat: now + PING_EVERY,
            heard_at: now,
            first_word_by: Some(now + FIRST_WORD_WITHIN),
        };
        metrics::gauge!("referee_sockets_open").increment(1);
        (socket, line)
    }

    /// The client has said its first word, and must still say who it is.
    pub(super) fn await_hello(&mut self) {
        self.first_word_by = Some(Instant::now() + HELLO_WITHIN);
    }

    /// The client has said what is needed to stay.
    pub(super) fn welcome(&mut self) {
        self.first_word_by = None;
    }

    /// Waits for the client's next message, and sends meanwhile what is to be sent. Nothing
    /// means: the socket is over.
    pub(super) async fn next(&mut self) -> Option<Heard> {
        loop {
            let due = self.next_due();
            let hangup: Arc<Hangup> = Arc::clone(&self.end.hangup);
            tokio::select! {
                biased;
                frame = self.end.frames.recv() => {
                    self.write(frame?).await?;
                }
                code = hangup.told() => {
                    self.say_goodbye(code).await;
                    return None;
                }
                message = self.stream.next() => {
                    if let Some(heard) = self.hear(message).await? {
                        return Some(heard);
                    }
                }
                () = tokio::time::sleep_until(due) => self.keep_alive().await?,
            }
        }
    }

    fn next_due(&self) -> Instant {
        let silent = self.heard_at + PING_EVERY + PONG_WITHIN;
        let due = self.next_beat.min(silent);
        self.first_word_by.map_or(due, |by| due.min(by))
    }

    async fn keep_alive(&mut self) -> Option<()> {
        let now = Instant::now();
        if self.first_word_by.is_some_and(|by| by <= now) {
            self.say_goodbye(CloseCode::Policy.number()).await;
            return None;
        }
        if self.heard_at + PING_EVERY + PONG_WITHIN <= now {
            metrics::counter!("referee_silent_sockets_total").increment(1);
            self.say_goodbye(CloseCode::Policy.number()).await;
            return None;
        }
        if self.next_beat <= now {
            self.next_beat = now + PING_EVERY;
            match self.beat {
                Beat::Frame => self.send(Message::Ping(Vec::new().into())).await?,
                Beat::Text(text) => self.send(Message::Text(text.into())).await?,
            }
        }
        Some(())
    }

    async fn hear(&mut self, message: Option<Result<Message, Error>>) -> Option<Option<Heard>> {
        let message = match message? {
            Ok(message) => message,
            Err(error) => {
                self.is_broken = true;
                self.say_goodbye(broken(&error).number()).await;
                return None;
            }
        };
        self.heard_at = Instant::now();
        match message {
            Message::Text(text) => match self.allowance() {
                Allowance::Take => Some(Some(Heard::Text(text))),
                Allowance::Refuse => Some(Some(Heard::TooMany)),
                Allowance::Close => self.cut_off().await,
            },
            Message::Binary(_) | Message::Frame(_) => {
                self.say_goodbye(CloseCode::Unsupported.number()).await;
                None
            }
            Message::Ping(_) | Message::Pong(_) => match self.allowance() {
                Allowance::Close => self.cut_off().await,
                Allowance::Take | Allowance::Refuse => Some(None),
            },
            Message::Close(_) => None,
        }
    }

    fn allowance(&mut self) -> Allowance {
        let (limits, peer) = (&self.server.limits, self.caller.peer());
        self.limit.take(|| limits.message(peer))
    }

    /// The client floods.
    async fn cut_off<T>(&mut self) -> Option<T> {
        metrics::counter!("referee_floods_total").increment(1);
        self.say_goodbye(CloseCode::Policy.number()).await;
        None
    }

    /// Writes a frame and all that wait behind it, with one flush. A client that falls too far
    /// behind meanwhile is given up at once.
    async fn write(&mut self, first: Utf8Bytes) -> Option<()> {
        let hangup = Arc::clone(&self.end.hangup);
        let mut n_bytes = first.len();
        let (stream, end) = (&mut self.stream, &mut self.end);
        let write = async {
            stream.feed(Message::Text(first)).await.ok()?;
            let mut n_frames = 1;
            while let Some(next) = end.try_next() {
                n_bytes += next.len();
                stream.feed(Message::Text(next)).await.ok()?;
                n_frames += 1;
            }
            metrics::counter!("referee_frames_sent_total").increment(n_frames);
            stream.flush().await.ok()
        };
        let wrote = tokio::select! {
            wrote = timeout(WRITE_WITHIN, write) => wrote.ok().flatten(),
            () = hangup.overrun() => None,
        };
        self.end.held.shrink(n_bytes);
        wrote
    }

    async fn send(&mut self, message: Message) -> Option<()> {
        let sent = timeout(WRITE_WITHIN, self.stream.send(message)).await;
        matches!(sent, Ok(Ok(()))).then_some(())
    }

    /// Sends what waits, then the close frame.
    pub(super) async fn say_goodbye(&mut self, code: u16) {
        let goodbye = async {
            while let Some(frame) = self.end.try_next() {
                self.end.held.shrink(frame.len());
                self.stream.send(Message::Text(frame)).await.ok()?;
            }
            let reason = CloseCode::ALL.iter().find(|it| it.number() == code);
            if let Beat::Text(_) = self.beat
                && reason.is_some_and(|it| it.is_final())
            {
                let leave = Message::Text(wire::socketio::DISCONNECT.into());
                self.stream.send(leave).await.ok()?;
            }
            let frame = CloseFrame {
                code: code.into(),
                reason: reason.map_or("", |it| it.sentence()).into(),
            };
            self.stream.send(Message::Close(Some(frame))).await.ok()?;
            self.hear_out().await
        };
        timeout(GOODBYE_WITHIN, goodbye).await.ok();
    }

    /// Waits for the client's own goodbye, so that it reads ours before the connection ends: one
    /// that is closed with bytes unread is reset, and the client may lose what was sent last.
    async fn hear_out(&mut self) -> Option<()> {
        while let Some(next) = self.stream.next().await {
            self.is_broken |= next.is_err();
        }
        if !self.is_broken {
            return Some(());
        }
        let raw = self.stream.get_mut();
        raw.shutdown().await.ok()?;
        let mut ignored = [0; 4096];
        for _ in 0..IGNORED_READS_MAX {
            let n_bytes = raw.read(&mut ignored).await.ok()?;
            if n_bytes == 0 {
                break;
            }
        }
        Some(())
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        metrics::gauge!("referee_sockets_open").decrement(1);
    }
}

/// What was wrong with a frame.
fn broken(error: &Error) -> CloseCode {
    match error {
        Error::Capacity(_) => CloseCode::TooBig,
        Error::Utf8(_) => CloseCode::Malformed,
        Error::Io(error) if Flood::is_in(error) => {
            metrics::counter!("referee_floods_total").increment(1);
            CloseCode::Policy
        }
        _ => CloseCode::Protocol,
    }
}
