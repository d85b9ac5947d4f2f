//! One WebSocket: frames in and out, heartbeats, limits, and a proper goodbye.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use futures_util::SinkExt;
use tokio::time::{Instant, timeout};
use wire::codes::CloseCode;

use crate::limits::{Allowance, SocketLimit};
use crate::line::{Hangup, Line, LineEnd};
use crate::server::Server;

/// How often a client is asked whether it is there, and how long it may take to answer.
pub(super) const PING_EVERY: Duration = Duration::from_secs(10);
pub(super) const PONG_WITHIN: Duration = Duration::from_secs(15);
/// How long a client may take to say its first word.
pub(super) const FIRST_WORD_WITHIN: Duration = Duration::from_secs(4);
/// How long one write may take.
const WRITE_WITHIN: Duration = Duration::from_secs(10);
/// How long a goodbye may take.
const GOODBYE_WITHIN: Duration = Duration::from_secs(2);

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
    stream: WebSocket,
    end: LineEnd,
    limit: SocketLimit,
    beat: Beat,
    next_beat: Instant,
    heard_at: Instant,
    first_word_by: Option<Instant>,
}

impl Socket {
    pub(super) fn open(server: &Arc<Server>, stream: WebSocket, beat: Beat) -> (Socket, Line) {
        let (line, end) = Line::open(server.next_conn());
        let now = Instant::now();
        let socket = Socket {
            stream,
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
                message = self.stream.recv() => {
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

    async fn hear(
        &mut self,
        message: Option<Result<Message, axum::Error>>,
    ) -> Option<Option<Heard>> {
        let message = match message? {
            Ok(message) => message,
            Err(error) => {
                let code = broken(&error);
                self.say_goodbye(code.number()).await;
                return None;
            }
        };
        self.heard_at = Instant::now();
        match message {
            Message::Text(text) => match self.limit.take() {
                Allowance::Take => Some(Some(Heard::Text(text))),
                Allowance::Refuse => Some(Some(Heard::TooMany)),
                Allowance::Close => self.cut_off().await,
            },
            Message::Binary(_) => {
                self.say_goodbye(CloseCode::Unsupported.number()).await;
                None
            }
            Message::Ping(_) => match self.limit.take() {
                Allowance::Close => self.cut_off().await,
                Allowance::Take | Allowance::Refuse => Some(None),
            },
            Message::Pong(_) => Some(None),
            Message::Close(_) => None,
        }
    }

    /// The client floods.
    async fn cut_off<T>(&mut self) -> Option<T> {
        metrics::counter!("referee_floods_total").increment(1);
        self.say_goodbye(CloseCode::Policy.number()).await;
        None
    }

    /// Writes a frame and all that wait behind it, with one flush.
    async fn write(&mut self, first: Utf8Bytes) -> Option<()> {
        let write = async {
            self.stream.feed(Message::Text(first)).await.ok()?;
            let mut n_frames = 1;
            while let Ok(next) = self.end.frames.try_recv() {
                self.stream.feed(Message::Text(next)).await.ok()?;
                n_frames += 1;
            }
            metrics::counter!("referee_frames_sent_total").increment(n_frames);
            self.stream.flush().await.ok()
        };
        timeout(WRITE_WITHIN, write).await.ok().flatten()
    }

    async fn send(&mut self, message: Message) -> Option<()> {
        let sent = timeout(WRITE_WITHIN, self.stream.send(message)).await;
        matches!(sent, Ok(Ok(()))).then_some(())
    }

    /// Sends what waits, then the close frame.
    pub(super) async fn say_goodbye(&mut self, code: u16) {
        let goodbye = async {
            while let Ok(frame) = self.end.frames.try_recv() {
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
                code,
                reason: reason.map_or("", |it| it.sentence()).into(),
            };
            self.stream.send(Message::Close(Some(frame))).await.ok()?;
            // The client's own goodbye, so that it reads ours before the connection ends.
            while let Some(Ok(_)) = self.stream.recv().await {}
            Some(())
        };
        timeout(GOODBYE_WITHIN, goodbye).await.ok();
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        metrics::gauge!("referee_sockets_open").decrement(1);
    }
}

/// What was wrong with a frame, as far as the library tells.
fn broken(error: &axum::Error) -> CloseCode {
    let text = error.to_string().to_ascii_lowercase();
    if text.contains("too long") || text.contains("too big") || text.contains("size") {
        CloseCode::TooBig
    } else if text.contains("utf") {
        CloseCode::Malformed
    } else {
        CloseCode::Protocol
    }
}
