//! The gate that every request passes. It determines the client, checks its limits, and bounds the
//! pace of the body and the memory it may take.

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Body as HttpBody, Frame, SizeHint};

use super::error::ApiError;
use crate::holdings::Held;
use crate::limits::Place;
use crate::pace::Pace;
use crate::peer::{Arrival, Peer};
use crate::server::Server;

/// The longest wait for a client's body, and the rate at which it must send, in bytes per second,
/// if it stalls repeatedly.
const BODY_WITHIN: Duration = Duration::from_secs(4);
const BODY_RATE_MIN: u32 = 64 << 10;
/// Answers below this size are not counted: they fit into the system's buffers.
const ANSWER_COUNTED: u64 = 64 << 10;

/// The client of a request. While this is kept, so is its slot among the client's connections.
#[derive(Clone)]
pub(crate) struct Caller {
    place: Arc<Place>,
}

impl Caller {
    pub(crate) fn at(place: Arc<Place>) -> Caller {
        Caller { place }
    }

    pub(crate) fn peer(&self) -> Peer {
        self.place.peer()
    }

    pub(crate) fn place(&self) -> &Arc<Place> {
        &self.place
    }
}

/// Passes a request on, or refuses it if its client is over a limit.
pub(super) async fn pass(
    State(server): State<Arc<Server>>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(arrival) = request.extensions().get::<Arrival>().copied() else {
        return ApiError::internal().into_response();
    };
    let proxies = &server.config.trusted_proxies;
    let peer = proxies.client(arrival, request.headers());
    if !server.limits.request(peer) {
        return ApiError::rate_limited().into_response();
    }
    // A direct connection already has a slot; through a proxy, each request has its own.
    let place = match arrival {
        Arrival::Direct(_) => request.extensions().get::<Arc<Place>>().cloned(),
        Arrival::Proxied { .. } => server.limits.open(peer),
    };
    let Some(place) = place else {
        return too_many_connections();
    };
    let held = Arc::new(Held::new(&place, usize::MAX));
    request.extensions_mut().insert(Caller { place });
    let request = request.map(|body| Body::new(Incoming::new(body, Arc::clone(&held))));
    let response = next.run(request).await;
    answer(response, held)
}

/// Refuses a client that has no connection left.
pub(crate) fn too_many_connections() -> Response {
    metrics::counter!("referee_connections_refused_total").increment(1);
    too_many("this address has too many connections: close one first").into_response()
}

fn too_many(message: &str) -> ApiError {
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many", message)
}

/// Counts the size of an answer until it is sent.
fn answer(response: Response, held: Arc<Held>) -> Response {
    let size = HttpBody::size_hint(response.body()).lower();
    let counted = if size < ANSWER_COUNTED { 0 } else { size };
    if held
        .grow(usize::try_from(counted).unwrap_or(usize::MAX))
        .is_err()
    {
        let message = "too many answers for this address are unread: read them first";
        return too_many(message).into_response();
    }
    response.map(|body| Body::new(Outgoing { body, _held: held }))
}

/// The reason a body was not read to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unread {
    /// It arrived too slowly.
    TooSlow,
    /// Too much is held for the client.
    TooMuch,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unread::TooSlow => "the body arrived too slowly",
            Unread::TooMuch => "too much is held for this client",
        })
    }
}

impl Error for Unread {}

impl Unread {
    /// Returns the reason among the causes of an error, or `None` if the client disconnected.
    pub(super) fn behind(error: &(dyn Error + 'static)) -> Option<Unread> {
        let mut cause = Some(error);
        while let Some(error) = cause {
            if let Some(unread) = error.downcast_ref::<Unread>() {
                return Some(*unread);
            }
            cause = error.source();
        }
        None
    }

    pub(super) fn refusal(self) -> ApiError {
        match self {
            Unread::TooSlow => {
                let message = "the body arrived too slowly: send it without pauses";
                ApiError::new(StatusCode::REQUEST_TIMEOUT, "too_slow", message)
            }
            Unread::TooMuch => {
                too_many("too many requests from this address at once: wait for the answers")
            }
        }
    }
}

/// An incoming body: it must keep a steady pace, and is counted as long as its request lasts.
struct Incoming {
    body: Body,
    pace: Pace,
    held: Arc<Held>,
}

impl Incoming {
    fn new(body: Body, held: Arc<Held>) -> Incoming {
        Incoming {
            body,
            pace: Pace::new(BODY_WITHIN, BODY_RATE_MIN),
            held,
        }
    }
}

impl HttpBody for Incoming {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if polled.is_pending() && self.pace.wait(context).is_err() {
            return Poll::Ready(Some(Err(axum::Error::new(Unread::TooSlow))));
        }
        let frame = ready!(polled);
        if let Some(Ok(frame)) = &frame
            && let Some(data) = frame.data_ref()
        {
            self.pace.moved(data.len());
            if self.held.grow(data.len()).is_err() {
                return Poll::Ready(Some(Err(axum::Error::new(Unread::TooMuch))));
            }
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// An outgoing body, counted until it is sent.
struct Outgoing {
    body: Body,
    _held: Arc<Held>,
}

impl HttpBody for Outgoing {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
