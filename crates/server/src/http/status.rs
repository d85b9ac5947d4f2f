//! Health checks, metrics and the status page.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::{Extension, Json};
use serde::Serialize;
use utoipa::ToSchema;

use super::assets;
use super::error::{ApiError, ErrorBody};
use super::gate::Caller;
use crate::peer::Peer;
use crate::server::Server;

/// The health of the server.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    ok: bool,
}

/// A liveness check, as JSON.
#[utoipa::path(get, path = "/health", tag = "status", responses((status = 200, body = Health)))]
pub(crate) async fn health() -> Json<Health> {
    Json(Health { ok: true })
}

/// A liveness check, as one word.
#[utoipa::path(get, path = "/healthz", tag = "status", responses((status = 200, body = String)))]
pub(crate) async fn healthz() -> &'static str {
    "ok"
}

/// A readiness check: 200 if new matches may start, that is, if storage took a write within the
/// last second and the server is not about to stop.
#[utoipa::path(get, path = "/readyz", tag = "status", responses((status = 200, body = String), (status = 503, body = String)))]
pub(crate) async fn readyz(State(server): State<Arc<Server>>) -> (StatusCode, &'static str) {
    if server.hub.is_draining() {
        (StatusCode::SERVICE_UNAVAILABLE, "draining")
    } else if !server.committer.is_writable().await {
        (StatusCode::SERVICE_UNAVAILABLE, "storage takes no writes")
    } else {
        (StatusCode::OK, "ready")
    }
}

/// Metrics for Prometheus. Available here only to direct connections from the server's own machine;
/// `--admin-listen` serves them on another address.
#[utoipa::path(get, path = "/metrics", tag = "status",
    responses((status = 200, body = String), (status = 404, body = ErrorBody)))]
pub(crate) async fn metrics_for_operator(
    State(server): State<Arc<Server>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    // A local proxy that is not listed as trusted looks like the operator.
    let forwarded = ["x-forwarded-for", "forwarded", "via"];
    let is_forwarded = forwarded.iter().any(|name| headers.contains_key(*name));
    if caller.peer() != Peer::Local || is_forwarded {
        return Err(ApiError::not_found("page"));
    }
    Ok(metrics(State(server)).await)
}

/// Metrics for Prometheus, on the operator's address.
pub(crate) async fn metrics(State(server): State<Arc<Server>>) -> Response {
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], server.measures.render()).into_response()
}

/// The browser client, or the status page if there is none.
pub(crate) async fn first_page(server: State<Arc<Server>>, headers: HeaderMap) -> Response {
    match assets::first_page(&headers) {
        Some(page) => page,
        None => page(server).await.into_response(),
    }
}

/// A status page for people.
pub(crate) async fn page(State(server): State<Arc<Server>>) -> Html<String> {
    let queues: usize = server.hub.queue_sizes().iter().map(|(_, n)| n).sum();
    Html(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <meta name=\"color-scheme\" content=\"dark light\"><title>Referee</title></head><body>\
         <h1>Referee</h1><p>Version {version} is running.</p>\
         <p>Live matches: {rooms}. Players waiting: {queues}.</p>\
         <p>Programs connect at <code>/ws</code>, old clients at <code>/socket.io/</code>. \
         <a href=\"/openapi.json\">The HTTP interface</a>, \
         <a href=\"/api/lobby\">the lobby</a>.</p>\
         </body></html>",
        version = env!("CARGO_PKG_VERSION"),
        rooms = server.hub.n_rooms(),
    ))
}
