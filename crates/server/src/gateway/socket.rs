//! One socket: messages in and out, heartbeats, limits, and an orderly close.

use std::sync::Arc;
use std::time::Duration;

use session::Ms;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use wire::codes::CloseCode;

use super::carrier::{Came, Carrier};
use crate::clock::Advances;
use crate::http::gate::Caller;
use crate::limits::{Allowance, SocketLimit};
use crate::line::{Hangup, Line, LineEnd};
use crate::server::Server;

/// The interval of heartbeats, and the time a client has to answer one.
pub(super) const PING_EVERY_MS: Ms = 10_000;
pub(super) const PONG_WITHIN_MS: Ms = 15_000;
/// Time for a client to send its first message.
const FIRST_WORD_WITHIN_MS: Ms = 4_000;
/// Time for a Socket.IO client from its first message to its hello.
const HELLO_WITHIN_MS: Ms = 10_000;
/// Time for one write.
const WRITE_WITHIN: Duration = Duration::from_secs(10);
/// Time for closing the socket.
const GOODBYE_WITHIN: Duration = Duration::from_secs(2);

/// Something that arrived over a socket.
pub(super) enum Incoming {
    /// A text message within the limits.
    Text(Utf8Bytes),
    /// A message over the limit, to be refused.
    TooMany,
}

/// The form of a heartbeat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Beat {
    /// A WebSocket ping.
    Frame,
    /// A text message, which the client answers with another.
    Text(&'static str),
}

pub(super) struct Socket {
    server: Arc<Server>,
    caller: Caller,
    carrier: Carrier,
    end: LineEnd,
    limit: SocketLimit,
    beat: Beat,
    next_beat: Ms,
    heard_at: Ms,
    first_word_by: Option<Ms>,
    advances: Advances,
}

impl Socket {
    pub(super) fn open(
        server: &Arc<Server>,
        caller: &Caller,
        carrier: Carrier,
        beat: Beat,
    ) -> (Socket, Line) {
        let (line, end) = Line::open(server.next_conn(), caller.place(), carrier.waiting_max());
        let now = server.clock.now();
        let socket = Socket {
            server: Arc::clone(server),
            caller: caller.clone(),
            carrier,
            end,
            limit: server.limits.socket(),
            beat,
            next_beat: now + PING_EVERY_MS,
            heard_at: now,
            first_word_by: Some(now + FIRST_WORD_WITHIN_MS),
            advances: server.clock.advances(),
        };
        metrics::gauge!("referee_sockets_open").increment(1);
        (socket, line)
    }

    /// Notes that the client has sent its first message and must still say hello.
    pub(super) fn await_hello(&mut self) {
        self.first_word_by = Some(self.server.clock.now() + HELLO_WITHIN_MS);
    }

    /// Notes that the client may stay.
    pub(super) fn welcome(&mut self) {
        self.first_word_by = None;
    }

    /// Waits for the client's next message, and sends queued messages meanwhile. `None` means that
    /// the socket has ended.
    pub(super) async fn next(&mut self) -> Option<Incoming> {
        loop {
            let due = self.server.clock.instant(self.next_due());
            let hangup: Arc<Hangup> = Arc::clone(&self.end.hangup);
            tokio::select! {
                biased;
                frame = self.end.frames.recv(), if self.carrier.is_ready() => {
                    self.write(frame?).await?;
                }
                code = hangup.hung_up() => {
                    self.say_goodbye(code).await;
                    return None;
                }
                came = self.carrier.next() => {
                    if let Some(heard) = self.take(came?).await? {
                        return Some(heard);
                    }
                }
                () = tokio::time::sleep_until(due) => self.keep_alive().await?,
                () = self.advances.next() => {}
            }
        }
    }

    fn next_due(&self) -> Ms {
        let beat = self.carrier.is_ready().then_some(self.next_beat);
        let due = [beat, self.first_word_by].into_iter().flatten().min();
        due.map_or(self.silent_at(), |due| due.min(self.silent_at()))
    }

    /// The time at which a client that sends nothing, or does not poll, counts as gone.
    fn silent_at(&self) -> Ms {
        let idle_since = self.carrier.idle_since();
        let last = idle_since.map_or(self.heard_at, |it| it.min(self.heard_at));
        last + PING_EVERY_MS + PONG_WITHIN_MS
    }

    async fn keep_alive(&mut self) -> Option<()> {
        let now = self.server.clock.now();
        if self.first_word_by.is_some_and(|by| by <= now) {
            self.say_goodbye(CloseCode::Policy.number()).await;
            return None;
        }
        if self.silent_at() <= now {
            metrics::counter!("referee_silent_sockets_total").increment(1);
            self.say_goodbye(CloseCode::Policy.number()).await;
            return None;
        }
        if self.next_beat <= now && self.carrier.is_ready() {
            self.next_beat = now + PING_EVERY_MS;
            match self.beat {
                Beat::Frame => self.send(Message::Ping(Vec::new().into())).await?,
                Beat::Text(text) => self.send(Message::Text(text.into())).await?,
            }
        }
        Some(())
    }

    async fn take(&mut self, came: Result<Came, CloseCode>) -> Option<Option<Incoming>> {
        match came {
            Ok(Came::Message(message)) => self.receive(message).await,
            Ok(Came::Ready) => Some(None),
            Ok(Came::Moved(caller)) => {
                // From now on its WebSocket counts as the connection.
                self.caller.place().give_up();
                self.caller = caller;
                Some(None)
            }
            Err(code) => {
                self.say_goodbye(code.number()).await;
                None
            }
        }
    }

    async fn receive(&mut self, message: Message) -> Option<Option<Incoming>> {
        self.heard_at = self.server.clock.now();
        match message {
            Message::Text(text) => match self.allowance() {
                Allowance::Take => Some(Some(Incoming::Text(text))),
                Allowance::Refuse => Some(Some(Incoming::TooMany)),
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

    /// Closes the socket of a client that floods.
    async fn cut_off<T>(&mut self) -> Option<T> {
        metrics::counter!("referee_floods_total").increment(1);
        self.say_goodbye(CloseCode::Policy.number()).await;
        None
    }

    /// Writes a frame and all frames queued behind it, with one flush. A client that falls too far
    /// behind meanwhile is disconnected at once.
    async fn write(&mut self, first: Utf8Bytes) -> Option<()> {
        let hangup = Arc::clone(&self.end.hangup);
        let mut n_bytes = first.len();
        let (carrier, end) = (&mut self.carrier, &mut self.end);
        let write = async {
            carrier.feed(Message::Text(first)).await?;
            let mut n_frames = 1;
            while carrier.is_ready()
                && let Some(next) = end.try_next()
            {
                n_bytes += next.len();
                carrier.feed(Message::Text(next)).await?;
                n_frames += 1;
            }
            metrics::counter!("referee_frames_sent_total").increment(n_frames);
            carrier.flush().await
        };
        let wrote = tokio::select! {
            wrote = timeout(WRITE_WITHIN, write) => wrote.ok().flatten(),
            () = hangup.overrun() => None,
        };
        self.end.held.shrink(n_bytes);
        wrote
    }

    async fn send(&mut self, message: Message) -> Option<()> {
        let carrier = &mut self.carrier;
        let send = async {
            carrier.feed(message).await?;
            carrier.flush().await
        };
        timeout(WRITE_WITHIN, send).await.ok().flatten()
    }

    /// Sends the queued frames, then the close frame.
    pub(super) async fn say_goodbye(&mut self, code: u16) {
        let (carrier, end, beat) = (&mut self.carrier, &mut self.end, self.beat);
        let goodbye = async {
            loop {
                carrier.ready().await?;
                let Some(frame) = end.try_next() else { break };
                end.held.shrink(frame.len());
                carrier.feed(Message::Text(frame)).await?;
            }
            let reason = CloseCode::ALL.iter().find(|it| it.number() == code);
            if let Beat::Text(_) = beat
                && reason.is_some_and(|it| it.is_final())
            {
                let leave = Message::Text(wire::socketio::DISCONNECT.into());
                carrier.feed(leave).await?;
            }
            let frame = CloseFrame {
                code: code.into(),
                reason: reason.map_or("", |it| it.sentence()).into(),
            };
            carrier.feed(Message::Close(Some(frame))).await?;
            carrier.flush().await?;
            carrier.hear_out().await
        };
        timeout(GOODBYE_WITHIN, goodbye).await.ok();
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        metrics::gauge!("referee_sockets_open").decrement(1);
    }
}
