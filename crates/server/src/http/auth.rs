//! Sign-in, tokens and tickets.

use std::sync::Arc;

use axum::Extension;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use store::{AccountRow, NewAudit, StoreError, Tx};
use utoipa::ToSchema;

use super::account::{Profile, profile_of};
use super::credentials::Credentials;
use super::error::{ApiError, Body, ErrorBody};
use super::gate::Caller;
use super::{Agent, SignedIn};
use crate::secret;
use crate::server::Server;
use crate::sign_ins::Proof;

/// An account and a token for it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Signed {
    /// The token. It grants full access to the account.
    auth_token: String,
    #[serde(flatten)]
    profile: Profile,
}

/// An account as its owner sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Me {
    /// The price of the next nickname change in tokens.
    nickname_change_cost: u64,
    #[serde(flatten)]
    profile: Profile,
}

/// Creates a guest account.
#[utoipa::path(post, path = "/auth/guest", tag = "accounts",
    responses((status = 200, body = Signed), (status = 429, body = ErrorBody)))]
pub(crate) async fn guest(
    State(server): State<Arc<Server>>,
    Extension(caller): Extension<Caller>,
    Agent(agent): Agent,
) -> Result<Json<Signed>, ApiError> {
    if !server.limits.guest(caller.peer()) {
        return Err(ApiError::rate_limited());
    }
    let (visitor, auth_token) = server.create_guest(&agent).await?;
    let profile = profile_of(&server, visitor.row).await?;
    Ok(Json(Signed {
        auth_token,
        profile,
    }))
}

/// Your account.
#[utoipa::path(get, path = "/auth/me", tag = "accounts", security(("token" = [])),
    responses((status = 200, body = Me), (status = 401, body = ErrorBody)))]
pub(crate) async fn me(
    State(server): State<Arc<Server>>,
    SignedIn { row, .. }: SignedIn,
) -> Result<Json<Me>, ApiError> {
    let cost = match row.nickname {
        None => 0,
        Some(_) => server.config.nickname_cost,
    };
    let (account, now) = (row.account, server.clock.now());
    let touched = server.committer.begin(move |tx| tx.touch(account, now));
    touched.await.map(drop)?;
    Ok(Json(Me {
        nickname_change_cost: cost,
        profile: profile_of(&server, row).await?,
    }))
}

/// Signs in with a login and a password.
#[utoipa::path(post, path = "/auth/login", tag = "accounts", request_body = Credentials,
    responses((status = 200, body = Signed), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 429, body = ErrorBody)))]
pub(crate) async fn login(
    State(server): State<Arc<Server>>,
    Extension(caller): Extension<Caller>,
    Agent(agent): Agent,
    Body(given): Body<Credentials>,
) -> Result<Json<Signed>, ApiError> {
    let login = given.login_key();
    let attempt = login.as_deref().unwrap_or_default();
    if !server.limits.login(caller.peer(), attempt) {
        return Err(ApiError::rate_limited());
    }
    let row = match login {
        None => None,
        Some(login) => {
            let find = server.readers.read(move |tx| tx.account_by_login(&login));
            find.await?
        }
    };
    let hash = row.as_ref().and_then(|row| row.password_hash.clone());
    let verified = server.passwords.verify(given.password, hash).await;
    let right = verified.map_err(|_| ApiError::busy())?;
    let row = row
        .filter(|_| right)
        .ok_or_else(ApiError::wrong_credentials)?;
    let signed = sign_in(&server, row, &agent).await?;
    Ok(Json(signed))
}

/// Signs in an account whose owner has given a password or a recovery code.
pub(crate) async fn sign_in(
    server: &Server,
    row: AccountRow,
    agent: &str,
) -> Result<Signed, ApiError> {
    server.check_ban(&row)?;
    let auth_token = secret::fresh();
    let (hash, now) = (secret::digest(&auth_token), server.clock.now());
    let account = row.account;
    let new = server.new_sign_in(Proof::Given, agent)(account);
    let begun = server.committer.ask(move |tx| {
        audit(tx, now, account, "login")?;
        tx.begin_sign_in(&new, &hash)
    });
    server.close_sockets(&begun.await?);
    let profile = profile_of(server, row).await?;
    Ok(Signed {
        auth_token,
        profile,
    })
}

/// Writes an action of an account to the audit log.
pub(crate) fn audit(
    tx: &mut Tx<'_>,
    at: u64,
    account: session::Account,
    kind: &str,
) -> Result<(), StoreError> {
    tx.audit(NewAudit {
        at,
        account: Some(account),
        kind,
        payload: "{}",
    })
}

/// A token and its expiry.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewToken {
    auth_token: String,
    /// The expiry in milliseconds since 1970.
    expires_ms: u64,
}

/// Exchanges your token for a new one. The old one works until the new one is first used, so if the
/// answer is lost, ask again with the old one.
#[utoipa::path(post, path = "/auth/rotate", tag = "accounts", security(("token" = [])),
    responses((status = 200, body = NewToken), (status = 401, body = ErrorBody)))]
pub(crate) async fn rotate(
    State(server): State<Arc<Server>>,
    signed: SignedIn,
) -> Result<Json<NewToken>, ApiError> {
    let token = secret::fresh();
    let (old, new) = (secret::digest(&signed.token), secret::digest(&token));
    let now = server.clock.now();
    let expires_ms = now + server.config.token_ms;
    let rotated = server
        .committer
        .ask(move |tx| tx.rotate_token(&old, &new, now));
    if rotated.await?.is_none() {
        return Err(ApiError::unauthorized());
    }
    Ok(Json(NewToken {
        auth_token: token,
        expires_ms,
    }))
}

/// Signs out on this device: its token ends, and its sockets close.
#[utoipa::path(post, path = "/auth/logout", tag = "accounts", security(("token" = [])),
    responses((status = 204), (status = 401, body = ErrorBody)))]
pub(crate) async fn logout(
    State(server): State<Arc<Server>>,
    signed: SignedIn,
) -> Result<StatusCode, ApiError> {
    let (account, id) = (signed.row.account, signed.sign_in.id);
    let ended = server.committer.ask(move |tx| tx.end_sign_in(account, id));
    ended.await?;
    server.close_sockets(&[id]);
    Ok(StatusCode::NO_CONTENT)
}

/// A ticket for a socket.
#[derive(Serialize, ToSchema)]
pub(crate) struct Ticket {
    /// Send it in `hello`. It works once.
    ticket: String,
    /// The expiry in milliseconds since 1970.
    expires_ms: u64,
}

/// Creates a ticket for a socket. It works once, within thirty seconds, so that the token itself is
/// never sent over the socket.
#[utoipa::path(post, path = "/auth/ticket", tag = "accounts", security(("token" = [])),
    responses((status = 200, body = Ticket), (status = 401, body = ErrorBody)))]
pub(crate) async fn ticket(
    State(server): State<Arc<Server>>,
    signed: SignedIn,
) -> Result<Json<Ticket>, ApiError> {
    let (ticket, expires_ms) = server.make_ticket(signed.sign_in.id).await?;
    Ok(Json(Ticket { ticket, expires_ms }))
}
