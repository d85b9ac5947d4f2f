//! The transport under a socket: a WebSocket, or HTTP requests until there is one.

use futures_util::{SinkExt, StreamExt};
use session::Ms;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::{Error, Message};
use wire::codes::CloseCode;

use super::handshake::{Flood, Stream};
use super::polling::{Polling, Requested};
use crate::http::gate::Caller;

/// The most reads after a client broke the protocol.
const IGNORED_READS_MAX: usize = 64;

/// Messages that may wait for a client that does not read them.
const WAITING_MAX: usize = 64;
/// The same limit between two polls: it fits the answers to as many messages as a client may send
/// at once.
const WAITING_FOR_POLL_MAX: usize = 256;

#[allow(
    clippy::large_enum_variant,
    reason = "nearly every socket is a WebSocket, and its task holds it in place"
)]
pub(super) enum Carrier {
    Web(Web),
    Polling(Polling),
}

/// Something that arrived over a carrier.
pub(super) enum Came {
    Message(Message),
    /// The carrier can send now.
    Ready,
    /// The client has moved from requests to a WebSocket of this caller.
    Moved(Caller),
}

impl Carrier {
    pub(super) fn web(stream: Stream) -> Carrier {
        Carrier::Web(Web {
            stream,
            is_broken: false,
        })
    }

    /// The transports that the client may upgrade to.
    pub(super) fn upgrades(&self) -> &'static [&'static str] {
        match self {
            Carrier::Web(_) => &[],
            Carrier::Polling(_) => &["websocket"],
        }
    }

    /// The most messages that may wait to be sent.
    pub(super) fn waiting_max(&self) -> usize {
        match self {
            Carrier::Web(_) => WAITING_MAX,
            Carrier::Polling(_) => WAITING_FOR_POLL_MAX,
        }
    }

    /// True if a message can be sent now.
    pub(super) fn is_ready(&self) -> bool {
        match self {
            Carrier::Web(_) => true,
            Carrier::Polling(polling) => polling.is_ready(),
        }
    }

    /// The time since which nothing can be sent because the client does not poll.
    pub(super) fn idle_since(&self) -> Option<Ms> {
        match self {
            Carrier::Web(_) => None,
            Carrier::Polling(polling) => polling.idle_since(),
        }
    }

    /// Waits for the next arrival. `None` means that the carrier has ended, and an error that the
    /// client broke the protocol. Cancel safe.
    pub(super) async fn next(&mut self) -> Option<Result<Came, CloseCode>> {
        let requested = match self {
            Carrier::Web(web) => return web.next().await,
            Carrier::Polling(polling) => polling.next().await?,
        };
        Some(requested.map(|requested| match requested {
            Requested::Message(text) => Came::Message(Message::Text(text)),
            Requested::Poll => Came::Ready,
            Requested::Upgrade(stream, caller) => {
                metrics::counter!("referee_upgrades_total").increment(1);
                *self = Carrier::web(*stream);
                Came::Moved(caller)
            }
        }))
    }

    /// Waits until a message can be sent. Messages that arrive meanwhile are dropped.
    pub(super) async fn ready(&mut self) -> Option<()> {
        while !self.is_ready() {
            self.flush().await?;
            self.next().await?.ok()?;
        }
        Some(())
    }

    /// Queues a message for the next flush, at the latest. The carrier must be ready.
    pub(super) async fn feed(&mut self, message: Message) -> Option<()> {
        match self {
            Carrier::Web(web) => web.stream.feed(message).await.ok(),
            Carrier::Polling(polling) => {
                polling.feed(&message);
                Some(())
            }
        }
    }

    pub(super) async fn flush(&mut self) -> Option<()> {
        match self {
            Carrier::Web(web) => web.stream.flush().await.ok(),
            Carrier::Polling(polling) => polling.flush(),
        }
    }

    /// Waits for the client's close frame, so that it reads ours before the connection ends. A
    /// connection closed with unread bytes is reset, and the client may lose the last messages.
    pub(super) async fn hear_out(&mut self) -> Option<()> {
        match self {
            Carrier::Web(web) => web.hear_out().await,
            Carrier::Polling(_) => Some(()),
        }
    }
}

pub(super) struct Web {
    stream: Stream,
    /// True if the client broke the protocol: nothing more can be read as frames.
    is_broken: bool,
}

impl Web {
    async fn next(&mut self) -> Option<Result<Came, CloseCode>> {
        Some(match self.stream.next().await? {
            Ok(message) => Ok(Came::Message(message)),
            Err(error) => {
                self.is_broken = true;
                Err(broken(&error))
            }
        })
    }

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

/// Returns the close code for a frame that cannot be read.
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
