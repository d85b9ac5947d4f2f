//! How the server is.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::server::Server;

/// Whether the server is well.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    ok: bool,
}

/// Whether the server runs, as JSON.
#[utoipa::path(get, path = "/health", tag = "status", responses((status = 200, body = Health)))]
pub(crate) async fn health() -> Json<Health> {
    Json(Health { ok: true })
}

/// Whether the server runs, in one word.
#[utoipa::path(get, path = "/healthz", tag = "status", responses((status = 200, body = String)))]
pub(crate) async fn healthz() -> &'static str {
    "ok"
}

/// Whether new matches may begin: storage takes writes, and the server is not about to stop.
#[utoipa::path(get, path = "/readyz", tag = "status", responses((status = 200, body = String), (status = 503, body = String)))]
pub(crate) async fn readyz(State(server): State<Arc<Server>>) -> (StatusCode, &'static str) {
    if server.hub.is_draining() {
        (StatusCode::SERVICE_UNAVAILABLE, "draining")
    } else if !server.committer.health().writes() {
        (StatusCode::SERVICE_UNAVAILABLE, "storage takes no writes")
    } else {
        (StatusCode::OK, "ready")
    }
}

/// What was counted, for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "status", responses((status = 200, body = String)))]
pub(crate) async fn metrics(State(server): State<Arc<Server>>) -> Response {
    let text = server.metrics.render();
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// A small page for people until they have a better one.
pub(crate) async fn page(State(server): State<Arc<Server>>) -> Html<String> {
    let queues: usize = server.hub.queue_sizes().iter().map(|(_, n)| n).sum();
    Html(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>Referee</title>\
         <style>body{{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}}\
         code{{background:#8882;padding:.1em .3em}}</style></head><body>\
         <h1>Referee</h1><p>The server runs, version {version}.</p>\
         <p>{rooms} matches are being played, {queues} players wait.</p>\
         <p>Programs connect at <code>/ws</code>, clients of Orcain at <code>/socket.io/</code>. \
         <a href=\"/openapi.json\">What can be asked over HTTP</a>, \
         <a href=\"/api/lobby\">the lobby</a>, <a href=\"/metrics\">what was counted</a>.</p>\
         </body></html>",
        version = env!("CARGO_PKG_VERSION"),
        rooms = server.hub.n_rooms(),
    ))
}
