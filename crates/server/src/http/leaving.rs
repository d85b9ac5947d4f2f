//! Export and deletion of an account.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};
use store::{Denied, LedgerAccount, StoreError, Tx};
use utoipa::ToSchema;

use super::SignedIn;
use super::auth::audit;
use super::credentials::Confirmation;
use super::error::{ApiError, Body, ErrorBody};
use crate::accounts::uuid;
use crate::hosted;
use crate::server::Server;

/// Rows read at a time.
const ROWS: u32 = 1_000;

/// Everything stored about an account. Times are in milliseconds since 1970.
#[derive(Serialize, ToSchema)]
pub(crate) struct Export {
    /// The account itself. The password is stored as a hash, which is not shown.
    #[schema(value_type = Object)]
    account: Value,
    /// Its sign-ins.
    #[schema(value_type = Vec<Object>)]
    sessions: Vec<Value>,
    /// The number of unused recovery codes. Their hashes are not shown.
    n_recovery_codes: u64,
    /// Its league points and ratings, by game.
    #[schema(value_type = Vec<Object>)]
    ratings: Vec<Value>,
    /// Statistics of its matches.
    #[schema(value_type = Object)]
    stats: Value,
    /// Every match it played, newest first.
    #[schema(value_type = Vec<Object>)]
    matches: Vec<Value>,
    /// Every ledger entry, newest first.
    #[schema(value_type = Vec<Object>)]
    ledger: Vec<Value>,
    /// Its open invitations. Their codes are stored as hashes.
    #[schema(value_type = Vec<Object>)]
    invitations: Vec<Value>,
    /// The audit log's entries about it, newest first.
    #[schema(value_type = Vec<Object>)]
    audit: Vec<Value>,
}

/// Everything stored about your account, as one document.
#[utoipa::path(get, path = "/account/export", tag = "accounts", security(("token" = [])),
    responses((status = 200, body = Export), (status = 401, body = ErrorBody)))]
pub(crate) async fn export(
    State(server): State<Arc<Server>>,
    signed: SignedIn,
) -> Result<Json<Export>, ApiError> {
    let now = server.clock.now();
    let read = server.readers.read(move |tx| collect(tx, &signed, now));
    Ok(Json(read.await?))
}

fn collect(tx: &mut Tx<'_>, signed: &SignedIn, now: u64) -> Result<Export, StoreError> {
    let row = &signed.row;
    let account = row.account;
    let sessions = tx.sign_ins(account, now)?.into_iter().map(|it| {
        json!({
            "id": it.id.0.to_string(), "created_at": it.created_at,
            "last_seen_at": it.last_seen_at, "expires_at": it.expires_at,
            "password_given_at": it.proven_at, "agent": it.agent,
        })
    });
    let sessions = sessions.collect();
    let mut ratings = Vec::new();
    for game in hosted::games() {
        let found = tx.rating(account, game.as_str())?;
        ratings.extend(found.map(|it| {
            json!({
                "game": game.as_str(), "league_points": it.league, "rating": it.rating,
                "deviation": it.deviation, "volatility": it.volatility, "n_rated": it.n_rated,
            })
        }));
    }
    let stats = tx.stats(account)?;
    let invitations = tx.invitations_of(account)?.into_iter().map(|it| {
        json!({
            "game": it.game, "stake": it.stake, "created_at": it.created_at,
            "expires_at": it.expires_at,
        })
    });
    Ok(Export {
        account: json!({
            "number": account.0, "account_id": row.public_id.to_string(),
            "nickname": row.nickname.as_ref().map(|it| &it.shown),
            "n_renames": row.n_renames, "login": row.login,
            "has_password": row.password_hash.is_some(),
            "telegram_user_id": row.telegram_user_id, "language": row.language,
            "avatar": row.avatar, "tokens": row.tokens, "created_at": row.created_at,
            "last_seen_at": row.last_seen_at,
        }),
        sessions,
        n_recovery_codes: tx.n_recovery_codes(account)?,
        ratings,
        stats: json!({
            "battles": stats.n_battles, "wins": stats.n_wins, "losses": stats.n_losses,
            "draws": stats.n_draws, "pvp_battles": stats.n_pvp_battles,
            "pve_battles": stats.n_pve_battles, "pvp_wins": stats.n_pvp_wins,
            "pve_wins": stats.n_pve_wins,
        }),
        invitations: invitations.collect(),
        matches: matches(tx, signed)?,
        ledger: ledger(tx, signed)?,
        audit: audited(tx, signed)?,
    })
}

fn matches(tx: &mut Tx<'_>, signed: &SignedIn) -> Result<Vec<Value>, StoreError> {
    let mut all = Vec::new();
    let mut before = None;
    loop {
        let rows = tx.history(signed.row.account, before, ROWS)?;
        let Some(last) = rows.last() else {
            return Ok(all);
        };
        before = Some(last.number);
        all.extend(rows.into_iter().map(|row| {
            let it = row.result;
            json!({
                "match_id": it.game_id.to_string(), "game": row.game, "mode": row.mode.name(),
                "opponent": it.opponent, "result": it.result.name(), "reason": it.reason,
                "rounds": it.rounds, "league_delta": it.league_delta,
                "league_after": it.league_after, "rating_after": it.rating_after,
                "created_at": row.created_at, "ended_at": it.at,
            })
        }));
    }
}

fn ledger(tx: &mut Tx<'_>, signed: &SignedIn) -> Result<Vec<Value>, StoreError> {
    let account = LedgerAccount::Player(signed.row.account);
    let mut all = Vec::new();
    let mut before = None;
    loop {
        let rows = tx.entries(account, before, ROWS)?;
        let Some(last) = rows.last() else {
            return Ok(all);
        };
        before = Some(last.number);
        all.extend(rows.into_iter().map(|it| {
            json!({
                "number": it.number, "key": it.key, "kind": it.kind.name(), "amount": it.amount,
                "match_id": it.game_id.map(|it| it.to_string()), "at": it.at, "memo": it.memo,
            })
        }));
    }
}

fn audited(tx: &mut Tx<'_>, signed: &SignedIn) -> Result<Vec<Value>, StoreError> {
    let mut all = Vec::new();
    let mut before = None;
    loop {
        let rows = tx.audit_rows(Some(signed.row.account), before, ROWS)?;
        let Some(last) = rows.last() else {
            return Ok(all);
        };
        before = Some(last.number);
        all.extend(rows.into_iter().map(|it| {
            let payload: Value = serde_json::from_str(&it.payload).unwrap_or_default();
            json!({ "number": it.number, "at": it.at, "kind": it.kind, "payload": payload })
        }));
    }
}

/// Deletes your account. Its names, login, ratings, sign-ins and invitations are erased and its
/// tokens burned. Its number, ledger and results stay. Refused while the account sits in a match.
#[utoipa::path(post, path = "/account/delete", tag = "accounts", security(("token" = [])),
    request_body = Confirmation,
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 429, body = ErrorBody)))]
pub(crate) async fn delete(
    State(server): State<Arc<Server>>,
    signed: SignedIn,
    Body(given): Body<Confirmation>,
) -> Result<StatusCode, ApiError> {
    server.prove(&signed, given.current_password).await?;
    let (account, now, public_id) = (signed.row.account, server.clock.now(), uuid());
    let deleted = server.committer.ask(move |tx| {
        let deleted = tx.attempt(|tx| tx.delete_account(account, public_id, now))?;
        if deleted.is_ok() {
            audit(tx, now, account, "deleted")?;
        }
        Ok(deleted)
    });
    let ended = deleted.await?.map_err(|denied| match denied {
        Denied::AlreadySeated { .. } => {
            let message = "you are in a match: finish it or resign first";
            ApiError::new(StatusCode::CONFLICT, "already_in_match", message)
        }
        _ => ApiError::internal(),
    })?;
    server.close_sockets(&ended);
    tracing::info!(account = account.0, "account deleted");
    Ok(StatusCode::NO_CONTENT)
}
