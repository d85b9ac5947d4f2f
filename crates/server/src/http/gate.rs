//! The gate that every request passes: whose it is, and whether that client may ask for more.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Body as HttpBody, Frame, SizeHint};

use super::error::ApiError;
use crate::limits::Place;
use crate::peer::{Arrival, Peer};
use crate::server::Server;

/// The client of a request, and its place among the client's connections as long as it is kept.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) peer: Peer,
    /// A request over a proxy has a place of its own; a direct one has its connection's.
    _place: Option<Arc<Place>>,
}

/// Lets a request through, or answers that its client asks for too much.
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
    let place = match arrival {
        Arrival::Direct(_) => None,
        Arrival::Proxied { .. } => match server.limits.open(peer) {
            Some(place) => Some(Arc::new(place)),
            None => return too_many_connections().into_response(),
        },
    };
    let caller = Caller {
        peer,
        _place: place,
    };
    request.extensions_mut().insert(caller.clone());
    let response = next.run(request).await;
    response.map(|body| {
        Body::new(Held {
            body,
            _caller: caller,
        })
    })
}

fn too_many_connections() -> ApiError {
    metrics::counter!("referee_connections_refused_total").increment(1);
    let message = "this address has too many connections: close one first";
    ApiError::new(
        StatusCode::TOO_MANY_REQUESTS,
        "too_many_connections",
        message,
    )
}

/// The body of an answer, which keeps its client's place until it is sent.
struct Held {
    body: Body,
    _caller: Caller,
}

impl HttpBody for Held {
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
