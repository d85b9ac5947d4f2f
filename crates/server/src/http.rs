//! The HTTP interface.
//!
//! Promise: The page contacts no other host, and has no inline script or style.

mod account;
mod assets;
mod auth;
mod balance;
mod credentials;
pub(crate) mod error;
pub(crate) mod gate;
mod leaving;
mod lobbies;
pub(crate) mod matches;
mod openapi;
mod overview;
mod replay;
mod scenarios;
mod sessions;
mod snapshot;
mod status;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware;
use axum::routing::{any, delete, get, post};
use store::{AccountRow, SignIn};
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;
use wire::MESSAGE_BYTES_MAX;

use crate::gateway;
use crate::server::Server;
use crate::sign_ins::Visitor;
use error::ApiError;

/// The most bytes in the body of a request.
const BODY_BYTES_MAX: usize = 16 * 1024;
/// Time for a request, including its body.
const REQUEST_WITHIN: Duration = Duration::from_secs(10);
/// Time for a replay or a slice of a measurement, including the wait for its turn.
const REPLAY_WITHIN: Duration = Duration::from_secs(40);

/// The routes for players.
pub(crate) fn router(server: &Arc<Server>) -> Router {
    let api = Router::new()
        .route("/health", get(status::health))
        .route("/healthz", get(status::healthz))
        .route("/readyz", get(status::readyz))
        .route("/auth/guest", post(auth::guest))
        .route("/auth/me", get(auth::me))
        .route("/auth/login", post(auth::login))
        .route("/auth/logout", post(auth::logout))
        .route("/auth/rotate", post(auth::rotate))
        .route("/auth/ticket", post(auth::ticket))
        .route("/auth/recover", post(credentials::recover))
        .route("/account/password", post(credentials::set_password))
        .route("/account/recovery-codes", post(credentials::make_codes))
        .route(
            "/account/sessions",
            get(sessions::list).delete(sessions::end_others),
        )
        .route("/account/sessions/{id}", delete(sessions::end))
        .route("/account/export", get(leaving::export))
        .route("/account/delete", post(leaving::delete))
        .route("/account/nickname", post(account::nickname))
        .route("/account/profile", post(account::profile))
        .route("/account/history", get(account::history))
        .route("/account/ledger", get(account::ledger))
        .route("/api/lobby", get(overview::overview))
        .route("/api/leaderboard/{game}", get(overview::leaderboard))
        .route("/api/invitations/{code}", get(overview::invitation))
        .route("/api/matches", get(matches::list).post(matches::exhibit))
        .route("/api/matches/{id}", get(matches::show))
        .route("/api/matches/{id}/record", get(matches::record))
        .route("/api/scenarios", get(scenarios::list))
        .route("/api/scenarios/{id}", get(scenarios::show))
        .route("/api/scenarios/generate", post(scenarios::generate))
        .route(
            "/api/scenarios/survey",
            post(scenarios::survey_document)
                .layer(DefaultBodyLimit::max(scenarios::SCENARIO_BYTES_MAX)),
        )
        .route(
            "/api/tables",
            post(lobbies::open).layer(DefaultBodyLimit::max(lobbies::ORDER_BYTES_MAX)),
        )
        .route("/api/tables/{code}", get(lobbies::show))
        .route("/openapi.json", get(openapi::document))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::REQUEST_TIMEOUT,
            REQUEST_WITHIN,
        ));
    let replays = Router::new()
        .route(
            "/api/balance",
            post(balance::measure).layer(DefaultBodyLimit::max(lobbies::ORDER_BYTES_MAX)),
        )
        .route("/api/matches/{id}/replay", get(replay::of_match))
        .route("/api/matches/{id}/snapshot", get(snapshot::of_match))
        .route(
            "/api/replay",
            post(replay::of_file).layer(DefaultBodyLimit::max(replay::RECORD_BYTES_MAX)),
        )
        .layer(TimeoutLayer::with_status_code(
            StatusCode::REQUEST_TIMEOUT,
            REPLAY_WITHIN,
        ));
    Router::new()
        .route("/", get(status::first_page))
        .route("/status", get(status::page))
        .route("/metrics", get(status::metrics_for_operator))
        .route("/ws", get(gateway::native_socket))
        .route(
            "/socket.io/",
            any(gateway::old_socket).layer(DefaultBodyLimit::max(MESSAGE_BYTES_MAX)),
        )
        .merge(api)
        .merge(replays)
        .fallback(assets::file_or_nothing)
        .method_not_allowed_fallback(error::wrong_method)
        .layer(middleware::map_response(error::in_json))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(middleware::from_fn_with_state(
            Arc::clone(server),
            gate::pass,
        ))
        .layer(cors(&server.origins))
        .layer(header_layer("x-content-type-options", "nosniff"))
        .layer(header_layer("x-frame-options", "DENY"))
        .layer(header_layer("referrer-policy", "no-referrer"))
        .layer(header_layer(
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
             connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ))
        .with_state(Arc::clone(server))
}

pub(crate) fn openapi_document() -> String {
    serde_json::to_string_pretty(&openapi::build()).unwrap_or_default()
}

/// The routes for operators, if they have a separate address.
pub(crate) fn admin_router(server: &Arc<Server>) -> Router {
    Router::new()
        .route("/metrics", get(status::metrics))
        .route("/healthz", get(status::healthz))
        .route("/readyz", get(status::readyz))
        .with_state(Arc::clone(server))
}

fn header_layer(name: &'static str, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    let name = HeaderName::from_static(name);
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}

/// Allows requests from pages of the listed origins only.
fn cors(origins: &[String]) -> CorsLayer {
    let known = origins
        .iter()
        .filter_map(|it| HeaderValue::from_str(it).ok());
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(known))
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE])
}

/// The owner of a valid token.
pub(crate) struct SignedIn {
    pub(crate) row: AccountRow,
    pub(crate) sign_in: SignIn,
    pub(crate) token: String,
}

impl FromRequestParts<Arc<Server>> for SignedIn {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        server: &Arc<Server>,
    ) -> Result<SignedIn, ApiError> {
        let value = parts.headers.get(header::AUTHORIZATION);
        let token = value
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "))
            .ok_or_else(ApiError::unauthorized)?;
        let visitor = server.visitor_of_token(token).await;
        let Visitor { row, sign_in } = visitor.map_err(ApiError::from)?;
        Ok(SignedIn {
            row,
            sign_in,
            token: token.to_owned(),
        })
    }
}

/// The browser and system behind a request, as far as its `User-Agent` says: enough for people to
/// distinguish their devices.
pub(crate) struct Agent(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Agent {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Agent, Infallible> {
        let value = parts.headers.get(header::USER_AGENT);
        let text = value.and_then(|value| value.to_str().ok());
        Ok(Agent(family(text.unwrap_or_default())))
    }
}

/// Browsers also name those they are compatible with, so the first match counts.
fn family(agent: &str) -> String {
    let first = |known: &[(&str, &'static str)]| {
        let found = known.iter().find(|(mark, _)| agent.contains(mark));
        found.map(|(_, name)| *name)
    };
    let browser = first(&[
        ("Firefox/", "Firefox"),
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ]);
    let system = first(&[
        ("Android", "Android"),
        ("iPhone", "iOS"),
        ("iPad", "iOS"),
        ("Windows", "Windows"),
        ("Mac OS X", "macOS"),
        ("Linux", "Linux"),
    ]);
    let parts: Vec<&str> = browser.into_iter().chain(system).collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_distinguished_by_the_first_mark_that_matches() {
        let edge = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like \
                    Gecko) Chrome/120.0 Safari/537.36 Edg/120.0";
        assert_eq!(family(edge), "Edge, Windows");
        let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0";
        assert_eq!(family(firefox), "Firefox, Linux");
        assert_eq!(family("curl/8"), "");
    }
}
