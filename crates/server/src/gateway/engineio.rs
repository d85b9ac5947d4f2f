//! `/socket.io/`: the endpoint for Socket.IO clients, which start with a WebSocket or with
//! requests.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use wire::MESSAGE_BYTES_MAX;
use wire::engineio::{PROBE, PROBED, Refusal, UPGRADE};

use super::carrier::Carrier;
use super::handshake::{Handshake, Stream};
use super::polling::{Answer, Letter, PollDoor, Polling, Probe};
use super::{is_foreign, socketio};
use crate::http::error::{self, ApiError};
use crate::http::gate::{self, Caller};
use crate::secret;
use crate::server::Server;

/// Time for a client to complete the upgrade once its WebSocket is open.
const UPGRADE_WITHIN: Duration = Duration::from_secs(10);
/// Time for closing a WebSocket that did not take over.
const GOODBYE_WITHIN: Duration = Duration::from_secs(2);

/// Handles any request to `/socket.io/`.
pub(crate) async fn old_socket(
    State(server): State<Arc<Server>>,
    Extension(caller): Extension<Caller>,
    handshake: Result<Handshake, ApiError>,
    request: Request,
) -> Response {
    if is_foreign(&server, request.headers()) {
        return refuse(Refusal::Forbidden);
    }
    let query = request.uri().query().unwrap_or_default().to_owned();
    let sid = value(&query, "sid").filter(|sid| !sid.is_empty());
    let transport = value(&query, "transport");
    if !matches!(transport, Some("polling" | "websocket")) {
        return refuse(Refusal::UnknownTransport);
    }
    let door = match sid.map(|sid| server.polls.door(sid)) {
        Some(None) => return refuse(Refusal::UnknownSid),
        Some(Some(door)) => Some(door),
        None if request.method() != Method::GET => return refuse(Refusal::BadHandshakeMethod),
        None if value(&query, "EIO") != Some("4") => return refuse(Refusal::UnsupportedVersion),
        None => None,
    };
    let is_web = transport == Some("websocket");
    match (door, handshake) {
        (door, Ok(handshake)) if is_web => connect(server, caller, handshake, door),
        (_, _) if is_web => refuse(Refusal::BadRequest),
        (None, _) => open(server, &caller).await,
        (Some(door), _) if request.method() == Method::GET => poll(&door).await,
        (Some(door), _) if request.method() == Method::POST => post(&door, request).await,
        (Some(_), _) => refuse(Refusal::BadRequest),
    }
}

/// Returns the value of a key. The keys used here never have escaped values.
fn value<'a>(query: &'a str, key: &str) -> Option<&'a str> {
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(name, _)| *name == key).map(|(_, value)| value)
}

/// Writes a refusal in the form that official clients read.
fn refuse(refusal: Refusal) -> Response {
    let status = match refusal {
        Refusal::Forbidden => StatusCode::FORBIDDEN,
        _ => StatusCode::BAD_REQUEST,
    };
    let body = serde_json::json!({ "code": refusal.code(), "message": refusal.message() });
    (status, axum::Json(body)).into_response()
}

/// Accepts a WebSocket: a new socket, or the upgrade of one that uses requests.
fn connect(
    server: Arc<Server>,
    caller: Caller,
    handshake: Handshake,
    door: Option<PollDoor>,
) -> Response {
    let frames = server.limits.frames();
    match door {
        Some(door) => handshake.accept(frames, move |stream| take_over(door, caller, stream)),
        None => handshake.accept(frames, move |stream| async move {
            let carrier = Carrier::web(stream);
            socketio::run(server, caller, carrier, &secret::fresh_code()).await;
        }),
    }
}

/// Opens a socket that uses requests. Its client may send many of them over one connection, so the
/// socket counts as a separate connection.
async fn open(server: Arc<Server>, caller: &Caller) -> Response {
    let Some(place) = server.limits.open(caller.peer()) else {
        return gate::too_many_connections();
    };
    let Some((polling, answer)) = Polling::open(&server) else {
        metrics::counter!("referee_connections_refused_total").increment(1);
        return ApiError::busy().into_response();
    };
    let caller = Caller::at(place);
    tokio::spawn(async move {
        let sid = polling.sid().to_owned();
        socketio::run(server, caller, Carrier::Polling(polling), &sid).await;
    });
    answer_poll(answer).await
}

async fn poll(door: &PollDoor) -> Response {
    let (poll, answer) = oneshot::channel();
    if door.send(Letter::Poll(poll)).await.is_err() {
        return refuse(Refusal::UnknownSid);
    }
    answer_poll(answer).await
}

/// Waits for the answer to a poll. Refuses the poll if the socket has ended.
async fn answer_poll(answer: oneshot::Receiver<Answer>) -> Response {
    match answer.await {
        Ok(Ok(packets)) => text(packets),
        Ok(Err(refusal)) => refuse(refusal),
        Err(_) => refuse(Refusal::UnknownSid),
    }
}

async fn post(door: &PollDoor, request: Request) -> Response {
    let body = match Bytes::from_request(request, &()).await {
        Ok(body) => body,
        Err(rejection) => return error::unread(&rejection, too_long).into_response(),
    };
    let Ok(payload) = String::from_utf8(body.into()) else {
        return refuse(Refusal::BadRequest);
    };
    match door.send(Letter::Payload(payload)).await {
        Ok(()) => text("ok"),
        Err(_) => refuse(Refusal::UnknownSid),
    }
}

fn too_long() -> String {
    format!("the body is longer than maxPayload, {MESSAGE_BYTES_MAX} bytes")
}

fn text(text: impl Into<String>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=UTF-8"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, text.into()).into_response()
}

/// Serves a WebSocket until it takes over from the requests of a socket. If it does not, the
/// requests continue.
async fn take_over(door: PollDoor, caller: Caller, mut stream: Stream) {
    let probed = timeout(UPGRADE_WITHIN, probe(&door, &mut stream)).await;
    if let Ok(Some(_life)) = probed {
        let upgrade = Letter::Upgrade(Box::new(stream), caller);
        door.send(upgrade).await.ok();
    } else {
        timeout(GOODBYE_WITHIN, stream.close(None)).await.ok();
    }
}

/// Waits until the client has probed the WebSocket, ended its polls and confirmed the upgrade.
/// Returns a guard that keeps the probe alive until then.
async fn probe(door: &PollDoor, stream: &mut Stream) -> Option<Arc<()>> {
    if next_text(stream).await? != PROBE {
        return None;
    }
    let life = Arc::new(());
    let (welcome, welcomed) = oneshot::channel();
    let probe = Probe {
        life: Arc::downgrade(&life),
        welcome,
    };
    door.send(Letter::Probe(probe)).await.ok()?;
    welcomed.await.ok()?;
    stream.send(Message::Text(PROBED.into())).await.ok()?;
    let is_upgrade = next_text(stream).await? == UPGRADE;
    is_upgrade.then_some(life)
}

async fn next_text(stream: &mut Stream) -> Option<Utf8Bytes> {
    loop {
        match stream.next().await?.ok()? {
            Message::Text(text) => return Some(text),
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Binary(_) | Message::Close(_) | Message::Frame(_) => return None,
        }
    }
}
