//! The upgrade of a request to a WebSocket. axum's upgrade hides the stream below it, and some
//! frames are never reported from there: a client could send empty continuations without end.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use wire::MESSAGE_BYTES_MAX;

use crate::http::error::ApiError;
use crate::limits::Bucket;

/// A WebSocket whose frames are counted.
pub(super) type Stream = WebSocketStream<Counted<TokioIo<Upgraded>>>;

/// The buffer of an idle socket. Few messages are longer.
const READ_BUFFER_BYTES: usize = 512;
/// Bytes that may wait in a socket's write buffer: several views of the largest galaxy.
const WRITE_BYTES_MAX: usize = 2 << 20;

/// A valid request for a WebSocket.
pub(crate) struct Handshake {
    upgrade: OnUpgrade,
    accept: String,
}

impl<S: Send + Sync> FromRequestParts<S> for Handshake {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Handshake, ApiError> {
        let headers = &parts.headers;
        let key = headers.get(header::SEC_WEBSOCKET_KEY);
        let asked = parts.method == Method::GET
            && lists(headers, header::CONNECTION, "upgrade")
            && lists(headers, header::UPGRADE, "websocket")
            && lists(headers, header::SEC_WEBSOCKET_VERSION, "13");
        let accept = key
            .filter(|_| asked)
            .map(|key| derive_accept_key(key.as_bytes()));
        let upgrade = parts.extensions.remove::<OnUpgrade>();
        match (accept, upgrade) {
            (Some(accept), Some(upgrade)) => Ok(Handshake { upgrade, accept }),
            _ => Err(ApiError::new(
                StatusCode::BAD_REQUEST,
                "invalid_request",
                "this endpoint requires a WebSocket handshake, version 13",
            )),
        }
    }
}

/// True if a header with a list of values contains this word.
fn lists(headers: &HeaderMap, name: HeaderName, word: &str) -> bool {
    let lines = headers.get_all(name).iter();
    lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .any(|it| it.trim().eq_ignore_ascii_case(word))
}

impl Handshake {
    /// Returns the response that accepts. The socket is served once it has been sent.
    pub(super) fn accept<F>(
        self,
        frames: Bucket,
        serve: impl FnOnce(Stream) -> F + Send + 'static,
    ) -> Response
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let upgrade = self.upgrade;
        tokio::spawn(async move {
            if let Ok(upgraded) = upgrade.await {
                let stream = Counted::new(TokioIo::new(upgraded), frames);
                let config = Some(config());
                serve(WebSocketStream::from_raw_socket(stream, Role::Server, config).await).await;
            }
        });
        let headers = [
            (header::CONNECTION, "upgrade".to_owned()),
            (header::UPGRADE, "websocket".to_owned()),
            (header::SEC_WEBSOCKET_ACCEPT, self.accept),
        ];
        (StatusCode::SWITCHING_PROTOCOLS, headers).into_response()
    }
}

fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .max_message_size(Some(MESSAGE_BYTES_MAX))
        .max_frame_size(Some(MESSAGE_BYTES_MAX))
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(0)
        .max_write_buffer_size(WRITE_BYTES_MAX)
}

/// The client sent more frames than a socket may send.
#[derive(Debug)]
pub(super) struct Flood;

impl std::fmt::Display for Flood {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("too many frames")
    }
}

impl std::error::Error for Flood {}

impl Flood {
    /// True if a read failed because of a flood.
    pub(super) fn is_in(error: &io::Error) -> bool {
        matches!(error.get_ref(), Some(inner) if inner.is::<Flood>())
    }
}

/// A stream that counts incoming frames of every kind, and fails once when there are too many.
pub(super) struct Counted<S> {
    stream: S,
    at: At,
    frames: Bucket,
    verdict: Admission,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Admission {
    Fine,
    /// The next read fails.
    Flooded,
    /// The read has failed: later reads drain the stream.
    Told,
}

/// The position of the next byte within a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum At {
    First,
    Length,
    LongLength { n_left: u8, length: u64, mask: u64 },
    Rest(u64),
}

impl At {
    fn rest(n_left: u64) -> At {
        match n_left {
            0 => At::First,
            n_left => At::Rest(n_left),
        }
    }

    /// Advances past the next byte of a frame header.
    fn next(self, byte: u8) -> At {
        match self {
            At::First => At::Length,
            At::Length => {
                let mask = if byte & 0x80 == 0 { 0 } else { 4 };
                let long = |n_left| At::LongLength {
                    n_left,
                    length: 0,
                    mask,
                };
                match byte & 0x7f {
                    126 => long(2),
                    127 => long(8),
                    length => At::rest(u64::from(length) + mask),
                }
            }
            At::LongLength {
                n_left,
                length,
                mask,
            } => {
                let length = length << 8 | u64::from(byte);
                match n_left {
                    1 => At::rest(length.saturating_add(mask)),
                    _ => At::LongLength {
                        n_left: n_left - 1,
                        length,
                        mask,
                    },
                }
            }
            At::Rest(n_left) => At::rest(n_left - 1),
        }
    }
}

/// Counts the frames that begin in these bytes.
fn count(at: &mut At, mut bytes: &[u8]) -> usize {
    let mut n_frames = 0;
    while let [byte, tail @ ..] = bytes {
        if let At::Rest(n_left) = *at {
            let n_here = bytes
                .len()
                .min(usize::try_from(n_left).unwrap_or(usize::MAX));
            *at = At::rest(n_left - n_here as u64);
            bytes = &bytes[n_here..];
            continue;
        }
        n_frames += usize::from(*at == At::First);
        *at = at.next(*byte);
        bytes = tail;
    }
    n_frames
}

impl<S> Counted<S> {
    fn new(stream: S, frames: Bucket) -> Counted<S> {
        Counted {
            stream,
            at: At::First,
            frames,
            verdict: Admission::Fine,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Counted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.verdict == Admission::Flooded {
            this.verdict = Admission::Told;
            return Poll::Ready(Err(io::Error::other(Flood)));
        }
        let n_before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        if this.verdict == Admission::Fine {
            let n_frames = count(&mut this.at, &buffer.filled()[n_before..]);
            if (0..n_frames).any(|_| this.frames.check().is_err()) {
                this.verdict = Admission::Flooded;
            }
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Counted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_counted_wherever_reads_split_them() {
        let mut bytes = Vec::new();
        for length in [0_usize, 1, 125, 126, 300, 65_535, 65_536] {
            bytes.push(0x00);
            match length {
                0..=125 => bytes.push(0x80 | length as u8),
                126..=65_535 => {
                    bytes.push(0x80 | 126);
                    bytes.extend((length as u16).to_be_bytes());
                }
                _ => {
                    bytes.push(0x80 | 127);
                    bytes.extend((length as u64).to_be_bytes());
                }
            }
            bytes.extend([0; 4]);
            bytes.extend(vec![0x80; length]);
        }
        // Without a mask, which no client may send.
        bytes.extend([0x81, 0x02, 0x81, 0x81]);
        for n_at_once in [1, 2, 3, 7, 64, bytes.len()] {
            let mut at = At::First;
            let n_frames: usize = bytes.chunks(n_at_once).map(|it| count(&mut at, it)).sum();
            assert_eq!((n_frames, at), (8, At::First), "{n_at_once}");
        }
    }

    #[test]
    fn the_longest_length_does_not_overflow() {
        let mut at = At::First;
        let head = [&[0x81, 0xff][..], &[0xff; 8], &[0; 4], &[0; 100]].concat();
        assert_eq!(count(&mut at, &head), 1);
        assert!(matches!(at, At::Rest(_)));
    }
}
