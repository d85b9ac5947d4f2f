//! The accept loop: connection limits and read/write timeouts.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{Instant, Sleep};
use tower::ServiceExt;

use crate::limits::Place;
use crate::pace::Pace;
use crate::peer::Arrival;
use crate::server::Server;

/// Time for a client to send its first byte.
const FIRST_BYTE_WITHIN: Duration = Duration::from_secs(4);
/// Time for a client to send the head of a request.
const HEAD_WITHIN: Duration = Duration::from_secs(4);
/// The longest time a client may leave sent data unread, and the rate at which it must read, in
/// bytes per second, if it stalls repeatedly.
const UNREAD_MAX: Duration = Duration::from_secs(10);
const READ_RATE_MIN: u32 = 16 << 10;
/// The most bytes in the head of a request.
const HEAD_BYTES_MAX: usize = 8 * 1024;

/// Serves connections until `stop` is set.
pub(crate) async fn serve(
    server: Arc<Server>,
    listener: TcpListener,
    router: Router,
    mut stop: watch::Receiver<bool>,
) {
    let n_open = Arc::new(AtomicUsize::new(0));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stopped(&mut stop) => return,
        };
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Most likely out of file descriptors: wait until some are released.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let arrival = server.config.trusted_proxies.arrival(address.ip());
        let Some(admitted) = Admitted::admit(&server, &n_open, arrival) else {
            metrics::counter!("referee_connections_refused_total").increment(1);
            continue;
        };
        stream.set_nodelay(true).ok();
        tokio::spawn(converse(
            stream,
            arrival,
            router.clone(),
            stop.clone(),
            admitted,
        ));
    }
}

/// A slot among the open connections, released on drop.
struct Admitted {
    n_open: Arc<AtomicUsize>,
    place: Option<Arc<Place>>,
}

impl Admitted {
    fn admit(
        server: &Arc<Server>,
        n_open: &Arc<AtomicUsize>,
        arrival: Arrival,
    ) -> Option<Admitted> {
        if n_open.load(Ordering::Relaxed) >= server.config.connections_max {
            return None;
        }
        let place = match arrival {
            Arrival::Direct(peer) => Some(server.limits.open(peer)?),
            Arrival::Proxied { .. } => None,
        };
        n_open.fetch_add(1, Ordering::Relaxed);
        Some(Admitted {
            n_open: Arc::clone(n_open),
            place,
        })
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.n_open.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn converse(
    stream: TcpStream,
    arrival: Arrival,
    router: Router,
    mut stop: watch::Receiver<bool>,
    admitted: Admitted,
) {
    let place = admitted.place.clone();
    let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(arrival);
        if let Some(place) = &place {
            request.extensions_mut().insert(Arc::clone(place));
        }
        router.clone().oneshot(request)
    });
    // The slot lives as long as the stream, which outlives this task when it becomes a WebSocket.
    let stream = TokioIo::new(Prompt::new(stream, admitted));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN)
        .max_buf_size(HEAD_BYTES_MAX)
        .keep_alive(true)
        .serve_connection(stream, service)
        .with_upgrades();
    let mut connection = Box::pin(connection);
    tokio::select! {
        _ = connection.as_mut() => {}
        () = stopped(&mut stop) => {
            connection.as_mut().graceful_shutdown();
            tokio::time::timeout(Duration::from_secs(2), connection).await.ok();
        }
    }
}

async fn stopped(stop: &mut watch::Receiver<bool>) {
    stop.wait_for(|stop| *stop).await.ok();
}

/// A stream that fails if its first byte is late or its client does not read.
struct Prompt {
    stream: TcpStream,
    first_byte: Option<Pin<Box<Sleep>>>,
    reading: Pace,
    _admitted: Admitted,
}

impl Prompt {
    fn new(stream: TcpStream, admitted: Admitted) -> Prompt {
        let by = Instant::now() + FIRST_BYTE_WITHIN;
        Prompt {
            stream,
            first_byte: Some(Box::pin(tokio::time::sleep_until(by))),
            reading: Pace::new(UNREAD_MAX, READ_RATE_MIN),
            _admitted: admitted,
        }
    }

    /// Returns the result of a write, or an error if the client has not read for too long.
    fn pace(
        &mut self,
        context: &mut Context<'_>,
        wrote: Poll<std::io::Result<usize>>,
    ) -> Poll<std::io::Result<usize>> {
        match &wrote {
            Poll::Pending if self.reading.wait(context).is_err() => {
                metrics::counter!("referee_slow_readers_total").increment(1);
                return Poll::Ready(Err(std::io::ErrorKind::TimedOut.into()));
            }
            Poll::Ready(Ok(n_bytes)) => self.reading.moved(*n_bytes),
            _ => {}
        }
        wrote
    }
}

impl AsyncRead for Prompt {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let filled = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > filled {
            self.first_byte = None;
        }
        if read.is_pending()
            && let Some(timer) = &mut self.first_byte
            && timer.as_mut().poll(context).is_ready()
        {
            return Poll::Ready(Err(std::io::ErrorKind::TimedOut.into()));
        }
        read
    }
}

impl AsyncWrite for Prompt {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.pace(context, wrote)
    }

    fn poll_flush(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.pace(context, wrote)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
