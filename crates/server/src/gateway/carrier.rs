//! The carrier of a socket's messages: a WebSocket, or requests over HTTP until there is one.

use futures_util::{SinkExt, StreamExt};
use session::Ms;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::{Error, Message};
use wire::codes::CloseCode;

use super::handshake::{Flood, Stream};
use super::polling::{Polling, Requested};
use crate::http::gate::Caller;

/// How often the server reads, at most, after a client broke the protocol.
const IGNORED_READS_MAX: usize = 64;

/// Messages that may wait for a client that does not read them.
const WAITING_MAX: usize = 64;
/// The same between two polls: the answers to as many messages as a client may send at once fit.
const WAITING_FOR_POLL_MAX: usize = 256;

/// The carrier of a socket's messages.
#[allow(
    clippy::large_enum_variant,
    reason = "nearly every socket is a WebSocket, and its task holds it in place"
)]
pub(super) enum Carrier {
    Web(Web),
    Polling(Polling),
}

/// Something that a carrier brought.
pub(super) enum Came {
    Message(Message),
    /// Messages can go out now.
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

    /// The transports that the client may move to.
    pub(super) fn upgrades(&self) -> &'static [&'static str] {
        match self {
            Carrier::Web(_) => &[],
            Carrier::Polling(_) => &["websocket"],
        }
    }

    /// Messages that may wait to go out.
    pub(super) fn waiting_max(&self) -> usize {
        match self {
            Carrier::Web(_) => WAITING_MAX,
            Carrier::Polling(_) => WAITING_FOR_POLL_MAX,
        }
    }

    /// Whether a message can go out now.
    pub(super) fn is_ready(&self) -> bool {
        match self {
            Carrier::Web(_) => true,
            Carrier::Polling(polling) => polling.is_ready(),
        }
    }

    /// Since when nothing can go out because the client does not ask for it.
    pub(super) fn idle_since(&self) -> Option<Ms> {
        match self {
            Carrier::Web(_) => None,
            Carrier::Polling(polling) => polling.idle_since(),
        }
    }

    /// Waits for what comes next; nothing means that the carrier is over, and a code that the
    /// client broke the protocol. A call that is given up loses nothing.
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

    /// Waits until a message can go out; what comes meanwhile is not heard.
    pub(super) async fn ready(&mut self) -> Option<()> {
        while !self.is_ready() {
            self.flush().await?;
            self.next().await?.ok()?;
        }
        Some(())
    }

    /// Takes a message that goes out with the next flush, or before. The carrier must be ready.
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

    /// Waits for the client's own goodbye, so that it reads ours before the connection ends: one
    /// that is closed with bytes unread is reset, and the client may lose what was sent last.
    pub(super) async fn hear_out(&mut self) -> Option<()> {
        match self {
            Carrier::Web(web) => web.hear_out().await,
            Carrier::Polling(_) => Some(()),
        }
    }
}

/// A WebSocket.
pub(super) struct Web {
    stream: Stream,
    /// Whether the client broke the protocol: nothing more can be read as frames.
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

/// The code for a frame that cannot be read.
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
