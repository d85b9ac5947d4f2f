//! Who somebody is.

use std::sync::Arc;

use axum::Extension;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use store::{AccountRow, Denied, NewAudit, StoreError, Tx};
use utoipa::ToSchema;

use super::SignedIn;
use super::account::{Profile, profile_of};
use super::error::{ApiError, Body, ErrorBody};
use super::gate::Caller;
use crate::secret;
use crate::server::Server;

/// An account with the token to come back with.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Signed {
    /// The token: whoever has it is this account.
    auth_token: String,
    #[serde(flatten)]
    profile: Profile,
}

/// An account as its owner sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Me {
    /// What the next change of nickname costs.
    nickname_change_cost: u64,
    #[serde(flatten)]
    profile: Profile,
}

/// Makes an account in one step.
#[utoipa::path(post, path = "/auth/guest", tag = "accounts",
    responses((status = 200, body = Signed), (status = 429, body = ErrorBody)))]
pub(crate) async fn guest(
    State(server): State<Arc<Server>>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<Signed>, ApiError> {
    if !server.limits.guest(caller.peer()) {
        return Err(ApiError::rate_limited());
    }
    let (row, auth_token) = server.create_guest().await?;
    let profile = profile_of(&server, row).await?;
    Ok(Json(Signed {
        auth_token,
        profile,
    }))
}

/// The own account.
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

/// A login and a password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Credentials {
    /// 3 to 32 characters; case does not count.
    login: String,
    /// 10 to 200 characters.
    password: String,
}

impl Credentials {
    fn login_key(&self) -> Option<String> {
        let login = self.login.trim();
        let good = (3..=32).contains(&login.chars().count())
            && login
                .chars()
                .all(|it| it.is_alphanumeric() || matches!(it, '_' | '-' | '.' | '@' | '+'));
        good.then(|| login.to_lowercase())
    }

    fn faults(&self) -> Vec<&'static str> {
        let mut faults = Vec::new();
        if self.login_key().is_none() {
            faults.push("a login has 3 to 32 letters, digits or _ - . @ +");
        }
        if !(10..=200).contains(&self.password.chars().count()) {
            faults.push("a password has 10 to 200 characters");
        }
        faults
    }
}

/// Gives the own account a login and a password, or changes them. Other tokens of the account
/// end.
#[utoipa::path(post, path = "/account/password", tag = "accounts", security(("token" = [])),
    request_body = Credentials,
    responses((status = 204), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub(crate) async fn set_password(
    State(server): State<Arc<Server>>,
    signed: SignedIn,
    Body(given): Body<Credentials>,
) -> Result<StatusCode, ApiError> {
    let faults = given.faults();
    let Some(login) = given.login_key().filter(|_| faults.is_empty()) else {
        return Err(ApiError::new(
            StatusCode::BAD_REQUEST,
            "invalid_credentials",
            faults.join("; "),
        ));
    };
    let hashed = server.passwords.hash(given.password).await;
    let hash = hashed.map_err(|_| ApiError::busy())?;
    let (account, now) = (signed.row.account, server.clock.now());
    let kept = secret::digest(&signed.token);
    let set = server.committer.ask(move |tx| {
        let set = tx.attempt(|tx| tx.set_login(account, &login, &hash))?;
        if set.is_ok() {
            tx.revoke_all_but(account, Some(&kept))?;
            audit(tx, now, account, "password_set")?;
        }
        Ok(set)
    });
    match set.await? {
        Ok(()) => Ok(StatusCode::NO_CONTENT),
        Err(Denied::LoginTaken) => Err(ApiError::new(
            StatusCode::CONFLICT,
            "login_taken",
            "somebody else has this login",
        )),
        Err(_) => Err(ApiError::internal()),
    }
}

fn audit(
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

/// Signs in with a login and a password.
#[utoipa::path(post, path = "/auth/login", tag = "accounts", request_body = Credentials,
    responses((status = 200, body = Signed), (status = 401, body = ErrorBody), (status = 429, body = ErrorBody)))]
pub(crate) async fn login(
    State(server): State<Arc<Server>>,
    Extension(caller): Extension<Caller>,
    Body(given): Body<Credentials>,
) -> Result<Json<Signed>, ApiError> {
    if !server.limits.login(caller.peer()) {
        return Err(ApiError::rate_limited());
    }
    let refused = || {
        let message = "the login or the password is wrong";
        ApiError::new(StatusCode::UNAUTHORIZED, "wrong_credentials", message)
    };
    let login = given.login_key();
    let row = match login {
        None => None,
        Some(login) => {
            server
                .readers
                .read(move |tx| tx.account_by_login(&login))
                .await?
        }
    };
    let hash = row.as_ref().and_then(|row| row.password_hash.clone());
    let verified = server.passwords.verify(given.password, hash).await;
    let right = verified.map_err(|_| ApiError::busy())?;
    let Some(row) = row.filter(|_| right) else {
        return Err(refused());
    };
    let auth_token = new_token(&server, &row).await?;
    let profile = profile_of(&server, row).await?;
    Ok(Json(Signed {
        auth_token,
        profile,
    }))
}

async fn new_token(server: &Server, row: &AccountRow) -> Result<String, ApiError> {
    let token = secret::fresh();
    let (hash, now) = (secret::digest(&token), server.clock.now());
    let (account, expires) = (row.account, now + server.config.token_ms);
    let added = server.committer.ask(move |tx| {
        tx.add_token(&hash, account, now, expires)?;
        audit(tx, now, account, "login")
    });
    added.await?;
    Ok(token)
}

/// A token and until when it is good.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewToken {
    /// The token.
    auth_token: String,
    /// Milliseconds since 1970.
    expires_ms: u64,
}

/// Changes the own token for a new one; the old one ends at once.
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
        .run(move |tx| tx.rotate_token(&old, &new, now, expires_ms));
    if rotated.await?.is_none() {
        return Err(ApiError::unauthorized());
    }
    Ok(Json(NewToken {
        auth_token: token,
        expires_ms,
    }))
}

/// Ends the own token.
#[utoipa::path(post, path = "/auth/logout", tag = "accounts", security(("token" = [])),
    responses((status = 204), (status = 401, body = ErrorBody)))]
pub(crate) async fn logout(
    State(server): State<Arc<Server>>,
    signed: SignedIn,
) -> Result<StatusCode, ApiError> {
    let hash = secret::digest(&signed.token);
    server
        .committer
        .run(move |tx| tx.revoke_token(&hash))
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A ticket for a socket.
#[derive(Serialize, ToSchema)]
pub(crate) struct Ticket {
    /// To be sent in `hello`, once.
    ticket: String,
    /// Until when, in milliseconds since 1970.
    expires_ms: u64,
}

/// A ticket for a socket: it can be used once, within thirty seconds, so that the token itself
/// never goes over it.
#[utoipa::path(post, path = "/auth/ticket", tag = "accounts", security(("token" = [])),
    responses((status = 200, body = Ticket), (status = 401, body = ErrorBody)))]
pub(crate) async fn ticket(
    State(server): State<Arc<Server>>,
    signed: SignedIn,
) -> Result<Json<Ticket>, ApiError> {
    let (ticket, expires_ms) = server.make_ticket(signed.row.account).await?;
    Ok(Json(Ticket { ticket, expires_ms }))
}
