//! Passwords and recovery codes.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use kernel::doc::Document;
use serde::Serialize;
use store::{Denied, SecretHash};
use utoipa::ToSchema;

use super::auth::{Signed, audit, sign_in};
use super::error::{ApiError, Body, ErrorBody};
use super::gate::Caller;
use super::{Agent, SignedIn};
use crate::secret;
use crate::server::Server;

/// The time for which a password that was given counts as proof.
const PROVEN_FOR_MS: u64 = 10 * 60_000;
/// The number of recovery codes in a set.
const CODES: usize = 10;

/// A login and a password.
#[derive(Document, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Credentials {
    /// 3 to 32 characters; upper and lower case are equal.
    pub(crate) login: String,
    /// 10 to 200 characters.
    pub(crate) password: String,
}

impl Credentials {
    pub(crate) fn login_key(&self) -> Option<String> {
        let login = self.login.trim();
        let good = (3..=32).contains(&login.chars().count())
            && login
                .chars()
                .all(|it| it.is_alphanumeric() || matches!(it, '_' | '-' | '.' | '@' | '+'));
        good.then(|| login.to_lowercase())
    }

    /// Returns the normalized login, or everything wrong with both fields.
    fn check(&self) -> Result<String, ApiError> {
        let mut faults = Vec::new();
        let login = self.login_key();
        if login.is_none() {
            faults.push("a login must have 3 to 32 letters, digits or _ - . @ +");
        }
        if !(10..=200).contains(&self.password.chars().count()) {
            faults.push("a password must have 10 to 200 characters");
        }
        let login = login.filter(|_| faults.is_empty());
        login.ok_or_else(|| {
            let message = faults.join("; ");
            ApiError::new(StatusCode::BAD_REQUEST, "invalid_credentials", message)
        })
    }
}

/// A new login and password, with the old password.
#[derive(Document, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPassword {
    /// 3 to 32 characters; upper and lower case are equal.
    login: String,
    /// 10 to 200 characters.
    password: String,
    /// The current password. Required if the account has one, unless you signed in with it within
    /// the last ten minutes.
    #[serde(default)]
    current_password: Option<String>,
}

/// A confirmation that the account is yours.
#[derive(Default, Document, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Confirmation {
    /// The current password. Required if the account has one, unless you signed in with it within
    /// the last ten minutes.
    #[serde(default)]
    pub(crate) current_password: Option<String>,
}

impl Server {
    /// Fails unless the person has recently shown that the account is theirs, by the password, or
    /// the account has no password.
    pub(crate) async fn prove(
        &self,
        signed: &SignedIn,
        current_password: Option<String>,
    ) -> Result<(), ApiError> {
        let Some(hash) = signed.row.password_hash.clone() else {
            return Ok(());
        };
        let now = self.clock.now();
        let proven = signed.sign_in.proven_at;
        if proven.is_some_and(|at| now < at + PROVEN_FOR_MS) {
            return Ok(());
        }
        let Some(password) = current_password else {
            let message = "send current_password, or sign in again first";
            return Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "password_needed",
                message,
            ));
        };
        if !self.limits.guess(signed.row.account) {
            return Err(ApiError::rate_limited());
        }
        let verified = self.passwords.verify(password, Some(hash)).await;
        if !verified.map_err(|_| ApiError::busy())? {
            let message = "the current password is wrong";
            return Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "wrong_password",
                message,
            ));
        }
        let id = signed.sign_in.id;
        let proven = self.committer.ask(move |tx| tx.prove_sign_in(id, now));
        Ok(proven.await?)
    }
}

/// Sets or changes your login and password. All other sign-ins of the account end, and their
/// sockets close.
#[utoipa::path(post, path = "/account/password", tag = "accounts", security(("token" = [])),
    request_body = NewPassword,
    responses((status = 204), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 409, body = ErrorBody), (status = 429, body = ErrorBody)))]
pub(crate) async fn set_password(
    State(server): State<Arc<Server>>,
    signed: SignedIn,
    Body(given): Body<NewPassword>,
) -> Result<StatusCode, ApiError> {
    let wanted = Credentials {
        login: given.login,
        password: given.password,
    };
    let login = wanted.check()?;
    server.prove(&signed, given.current_password).await?;
    let hashed = server.passwords.hash(wanted.password).await;
    let hash = hashed.map_err(|_| ApiError::busy())?;
    let (account, now) = (signed.row.account, server.clock.now());
    let kept = signed.sign_in.id;
    let set = server.committer.ask(move |tx| {
        let set = tx.attempt(|tx| tx.set_login(account, &login, &hash))?;
        match set {
            Ok(()) => {
                audit(tx, now, account, "password_set")?;
                tx.end_sign_ins_but(account, Some(kept)).map(Ok)
            }
            Err(denied) => Ok(Err(denied)),
        }
    });
    let ended = set.await?.map_err(|denied| refused(&denied))?;
    server.close_sockets(&ended);
    Ok(StatusCode::NO_CONTENT)
}

fn refused(denied: &Denied) -> ApiError {
    match denied {
        Denied::LoginTaken => {
            let message = "this login is taken";
            ApiError::new(StatusCode::CONFLICT, "login_taken", message)
        }
        _ => ApiError::internal(),
    }
}

/// Recovery codes, shown once.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecoveryCodes {
    /// Each signs in once, with `POST /auth/recover`.
    codes: Vec<String>,
}

/// Creates new recovery codes and revokes the earlier ones. They are shown only here.
#[utoipa::path(post, path = "/account/recovery-codes", tag = "accounts", security(("token" = [])),
    request_body = Confirmation,
    responses((status = 200, body = RecoveryCodes), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 429, body = ErrorBody)))]
pub(crate) async fn make_codes(
    State(server): State<Arc<Server>>,
    signed: SignedIn,
    Body(given): Body<Confirmation>,
) -> Result<Json<RecoveryCodes>, ApiError> {
    server.prove(&signed, given.current_password).await?;
    let codes: Vec<String> = (0..CODES).map(|_| fresh_code()).collect();
    let hashes: Vec<SecretHash> = codes.iter().map(|code| code_hash(code)).collect();
    let (account, now) = (signed.row.account, server.clock.now());
    let stored = server.committer.ask(move |tx| {
        tx.set_recovery_codes(account, &hashes, now)?;
        audit(tx, now, account, "recovery_codes_made")
    });
    stored.await?;
    Ok(Json(RecoveryCodes { codes }))
}

/// A recovery code, and the new password for the account.
#[derive(Document, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recovery {
    /// One of the codes, with or without its hyphens.
    code: String,
    /// The account's login. An account without one gets this login.
    login: String,
    /// The new password: 10 to 200 characters.
    password: String,
}

/// Uses up a recovery code: sets a new password, ends all sign-ins of the account, and signs in.
#[utoipa::path(post, path = "/auth/recover", tag = "accounts", request_body = Recovery,
    responses((status = 200, body = Signed), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 429, body = ErrorBody)))]
pub(crate) async fn recover(
    State(server): State<Arc<Server>>,
    Extension(caller): Extension<Caller>,
    Agent(agent): Agent,
    Body(given): Body<Recovery>,
) -> Result<Json<Signed>, ApiError> {
    let wanted = Credentials {
        login: given.login,
        password: given.password,
    };
    let login = wanted.check()?;
    if !server.limits.login(caller.peer(), &login) {
        return Err(ApiError::rate_limited());
    }
    let code = code_hash(&given.code);
    let wrong = || {
        let message = "the code is wrong or already used, or the login does not match";
        ApiError::new(StatusCode::UNAUTHORIZED, "wrong_recovery_code", message)
    };
    // A password is hashed only for a code that exists.
    let known = server
        .readers
        .read(move |tx| tx.account_of_recovery_code(&code));
    known.await?.ok_or_else(wrong)?;
    let hashed = server.passwords.hash(wanted.password).await;
    let hash = hashed.map_err(|_| ApiError::busy())?;
    let now = server.clock.now();
    let recovered = server.committer.ask(move |tx| {
        let recovered = tx.attempt(|tx| tx.recover(&code, &login, &hash))?;
        let Ok(Some((account, ended))) = recovered else {
            return Ok(recovered.map(|_| None));
        };
        audit(tx, now, account, "recovered")?;
        let row = tx.account(account)?;
        Ok(Ok(row.map(|row| (row, ended))))
    });
    let recovered = recovered.await?.map_err(|denied| refused(&denied))?;
    let (row, ended) = recovered.ok_or_else(wrong)?;
    server.close_sockets(&ended);
    Ok(Json(sign_in(&server, row, &agent).await?))
}

/// Returns a code of 80 random bits in letters and digits that are hard to confuse.
fn fresh_code() -> String {
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let letters: Vec<char> = secret::random::<16>()
        .iter()
        .map(|byte| char::from(ALPHABET[usize::from(byte % 32)]))
        .collect();
    let groups: Vec<String> = letters.chunks(4).map(|it| it.iter().collect()).collect();
    groups.join("-")
}

/// Returns the stored hash of a code, independent of how it was typed.
fn code_hash(code: &str) -> SecretHash {
    let bare: String = code
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(64)
        .collect();
    secret::digest(&bare.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_accepted_however_it_is_typed() {
        let code = fresh_code();
        assert_eq!(code.len(), 19, "{code}");
        assert_ne!(code, fresh_code());
        let typed = format!(" {} ", code.replace('-', " ").to_uppercase());
        assert_eq!(code_hash(&typed), code_hash(&code));
    }
}
