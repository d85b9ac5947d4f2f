//! The sign-ins of an account, which the HTTP interface calls sessions.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Serialize;
use store::{SignIn, SignInId};
use utoipa::ToSchema;

use super::SignedIn;
use super::auth::audit;
use super::error::{ApiError, ErrorBody};
use crate::server::Server;

/// A sign-in of an account.
#[derive(Serialize, ToSchema)]
pub(crate) struct SessionRow {
    /// The id, for ending it.
    id: String,
    /// The start in milliseconds since 1970.
    created_ms: u64,
    /// The last use in milliseconds since 1970, to within five minutes.
    last_seen_ms: u64,
    /// The expiry in milliseconds since 1970, unless it is used before then.
    expires_ms: u64,
    /// The browser and system; empty if unknown.
    agent: String,
    /// True for the sign-in that made this request.
    current: bool,
}

/// The sign-ins of your account, most recently used first.
#[utoipa::path(get, path = "/account/sessions", tag = "accounts", security(("token" = [])),
    responses((status = 200, body = Vec<SessionRow>), (status = 401, body = ErrorBody)))]
pub(crate) async fn list(
    State(server): State<Arc<Server>>,
    signed: SignedIn,
) -> Result<Json<Vec<SessionRow>>, ApiError> {
    let (account, now) = (signed.row.account, server.clock.now());
    let found = server.readers.read(move |tx| tx.sign_ins(account, now));
    let own = signed.sign_in.id;
    let show = |it: SignIn| SessionRow {
        id: it.id.0.to_string(),
        created_ms: it.created_at,
        last_seen_ms: it.last_seen_at,
        expires_ms: it.expires_at,
        agent: it.agent,
        current: it.id == own,
    };
    Ok(Json(found.await?.into_iter().map(show).collect()))
}

/// Ends one sign-in of your account and closes its sockets.
#[utoipa::path(delete, path = "/account/sessions/{id}", tag = "accounts", security(("token" = [])),
    params(("id" = String, Path, description = "The session's id")),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)))]
pub(crate) async fn end(
    State(server): State<Arc<Server>>,
    signed: SignedIn,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    let id = id.parse().map(SignInId);
    let id = id.map_err(|_| ApiError::not_found("session"))?;
    let (account, now) = (signed.row.account, server.clock.now());
    let ended = server.committer.ask(move |tx| {
        let ended = tx.end_sign_in(account, id)?;
        if ended {
            audit(tx, now, account, "session_ended")?;
        }
        Ok(ended)
    });
    if !ended.await? {
        return Err(ApiError::not_found("session"));
    }
    server.close_sockets(&[id]);
    Ok(StatusCode::NO_CONTENT)
}

/// Ends all sign-ins of your account except the one that makes this request.
#[utoipa::path(delete, path = "/account/sessions", tag = "accounts", security(("token" = [])),
    responses((status = 204), (status = 401, body = ErrorBody)))]
pub(crate) async fn end_others(
    State(server): State<Arc<Server>>,
    signed: SignedIn,
) -> Result<StatusCode, ApiError> {
    let (account, now) = (signed.row.account, server.clock.now());
    let kept = signed.sign_in.id;
    let ended = server.committer.ask(move |tx| {
        audit(tx, now, account, "other_sessions_ended")?;
        tx.end_sign_ins_but(account, Some(kept))
    });
    server.close_sockets(&ended.await?);
    Ok(StatusCode::NO_CONTENT)
}
