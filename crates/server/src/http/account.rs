//! Accounts: profiles, nicknames, histories and ledgers.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use catalog::{GameName, with_game};
use kernel::doc::Document;
use serde::{Deserialize, Serialize};
use session::Live;
use store::{AccountRow, BadNickname, Denied, HistoryRow, NicknameSet, StoreError, Tx};
use utoipa::{IntoParams, ToSchema};

use super::SignedIn;
use super::error::{ApiError, Body, ErrorBody};
use crate::accounts::{AVATARS, LANGUAGES, read_nickname};
use crate::hosted;
use crate::ratings;
use crate::server::Server;

/// Recent matches between people in a profile.
const RECENT_MAX: u32 = 10;
/// The most rows on a page.
const PAGE_MAX: u32 = 50;

/// An account as its owner sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Profile {
    /// The account's public id.
    account_id: String,
    /// The account's balance in tokens.
    tokens: u64,
    /// The account's nickname, or null until one is chosen.
    nickname: Option<String>,
    /// The account's avatar.
    avatar: String,
    /// The language of texts.
    language: String,
    /// League points, in the game that has leagues.
    rating: i64,
    /// The league for these points.
    league_key: &'static str,
    /// The last matches against people, newest first.
    recent_pvp_matches: Vec<RecentMatch>,
    /// The Telegram user id; null for accounts created here.
    telegram_user_id: Option<i64>,
    /// True if the account has a login and a password.
    has_password: bool,
    /// Statistics of the account's matches.
    stats: Stats,
}

/// A match against a person.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecentMatch {
    match_id: String,
    game: String,
    /// `pvp`, `pve` or `hotseat`. A `hotseat` match counts for nothing.
    mode: &'static str,
    opponent: Option<String>,
    /// `win`, `loss`, `draw` or `void`. For people at one screen, the first seat's result.
    result: &'static str,
    reason: String,
    round_index: u64,
    rating_delta: i64,
    rating_after: i64,
    league_key: &'static str,
    ended_at: u64,
    created_at: u64,
    /// The row's number: pass it as `before` to get the next page.
    number: u64,
}

/// Statistics of an account's matches.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Stats {
    total_battles: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    pvp_battles: u64,
    pve_battles: u64,
    pvp_wins: u64,
    pve_wins: u64,
    updated_at: u64,
}

/// Reads the profile of an account.
pub(crate) async fn profile_of(server: &Server, row: AccountRow) -> Result<Profile, ApiError> {
    let found = server.readers.read(move |tx| read_profile(tx, &row)).await;
    Ok(found?)
}

/// The game whose league points a profile shows.
fn league_game() -> Option<GameName> {
    hosted::games().find(|&game| with_game!(game, G => <G as Live>::HAS_LEAGUES))
}

fn read_profile(tx: &mut Tx<'_>, row: &AccountRow) -> Result<Profile, StoreError> {
    let stats = tx.stats(row.account)?;
    let recent = tx.recent_pvp(row.account, RECENT_MAX)?;
    let rating = match league_game() {
        Some(game) => tx.rating(row.account, game.as_str())?,
        None => None,
    };
    let rating = rating.map_or(0, |it| it.league);
    Ok(Profile {
        account_id: row.public_id.to_string(),
        tokens: row.tokens,
        nickname: row.nickname.as_ref().map(|it| it.shown.clone()),
        avatar: row.avatar.clone(),
        language: row.language.clone(),
        rating,
        league_key: ratings::league(rating),
        recent_pvp_matches: recent.into_iter().map(recent_match).collect(),
        telegram_user_id: row.telegram_user_id,
        has_password: row.password_hash.is_some(),
        stats: Stats {
            total_battles: stats.n_battles,
            wins: stats.n_wins,
            losses: stats.n_losses,
            draws: stats.n_draws,
            pvp_battles: stats.n_pvp_battles,
            pve_battles: stats.n_pve_battles,
            pvp_wins: stats.n_pvp_wins,
            pve_wins: stats.n_pve_wins,
            updated_at: stats.updated_at,
        },
    })
}

fn recent_match(row: HistoryRow) -> RecentMatch {
    let result = row.result;
    RecentMatch {
        match_id: result.game_id.to_string(),
        game: row.game,
        mode: row.mode.name(),
        opponent: result.opponent,
        result: result.result.name(),
        reason: result.reason,
        round_index: result.rounds,
        rating_delta: result.league_delta,
        rating_after: result.league_after,
        league_key: ratings::league(result.league_after),
        ended_at: result.at,
        created_at: row.created_at,
        number: row.number,
    }
}

/// A request to change the nickname.
#[derive(Document, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewNickname {
    /// 3 to 16 letters, digits, `_`, `-` and spaces.
    nickname: String,
}

/// The new nickname and the updated profile.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TakenNickname {
    nickname: String,
    nickname_lower: String,
    /// True if the change cost tokens.
    charged: bool,
    /// The price of the next change in tokens.
    nickname_change_cost: u64,
    tokens: u64,
    rating: i64,
    league_key: &'static str,
    recent_pvp_matches: Vec<RecentMatch>,
}

/// Sets the nickname. The first is free, and so is a change of upper and lower case alone.
#[utoipa::path(post, path = "/account/nickname", tag = "accounts", security(("token" = [])),
    request_body = NewNickname,
    responses((status = 200, body = TakenNickname), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 402, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub(crate) async fn nickname(
    State(server): State<Arc<Server>>,
    signed: SignedIn,
    Body(given): Body<NewNickname>,
) -> Result<Json<TakenNickname>, ApiError> {
    let nickname = read_nickname(&given.nickname).map_err(|fault| {
        let code = match fault {
            BadNickname::Reserved => "nickname_reserved",
            _ => "invalid_nickname",
        };
        ApiError::new(StatusCode::BAD_REQUEST, code, fault.to_string())
    })?;
    let row = signed.row;
    let (account, price, now) = (row.account, server.config.nickname_cost, server.clock.now());
    let wanted = nickname.clone();
    let set = server.committer.ask(move |tx| {
        tx.attempt(|tx| {
            // The price is determined in the transaction that pays it, so two requests cannot both
            // be first.
            let current = tx.account(account)?.and_then(|row| row.nickname);
            let cost = match current {
                None => 0,
                Some(current) if current.key == wanted.key => 0,
                Some(_) => price,
            };
            tx.set_nickname(account, &wanted, cost, now)
        })
    });
    let NicknameSet { charged, tokens } = set.await?.map_err(|denied| match denied {
        Denied::NicknameTaken => ApiError::new(
            StatusCode::CONFLICT,
            "nickname_taken",
            "this nickname is taken, or looks too much like one that is",
        ),
        Denied::NotEnoughTokens { balance, .. } => {
            let message = format!("changing your nickname costs {price} tokens");
            ApiError::new(StatusCode::PAYMENT_REQUIRED, "not_enough_tokens", message)
                .with("nicknameChangeCost", price)
                .with("tokens", balance)
        }
        _ => ApiError::internal(),
    })?;
    let profile = profile_of(&server, row).await?;
    Ok(Json(TakenNickname {
        nickname: nickname.shown,
        nickname_lower: nickname.key,
        charged: charged > 0,
        nickname_change_cost: price,
        tokens,
        rating: profile.rating,
        league_key: profile.league_key,
        recent_pvp_matches: profile.recent_pvp_matches,
    }))
}

/// The fields to change. Omitted fields keep their values.
#[derive(Document, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewProfile {
    /// `ru`, `en` or `fr`, in upper or lower case.
    #[serde(default)]
    language: Option<String>,
    /// One of the avatars, in upper or lower case.
    #[serde(default)]
    avatar: Option<String>,
}

/// The updated profile.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChosenProfile {
    language: String,
    avatar: String,
    rating: i64,
    league_key: &'static str,
    recent_pvp_matches: Vec<RecentMatch>,
    supported_languages: Vec<&'static str>,
    supported_avatars: Vec<&'static str>,
}

/// Sets the language and the avatar.
#[utoipa::path(post, path = "/account/profile", tag = "accounts", security(("token" = [])),
    request_body = NewProfile,
    responses((status = 200, body = ChosenProfile), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)))]
pub(crate) async fn profile(
    State(server): State<Arc<Server>>,
    signed: SignedIn,
    Body(given): Body<NewProfile>,
) -> Result<Json<ChosenProfile>, ApiError> {
    let refused = || {
        let message = "choose a supported language or avatar";
        ApiError::new(StatusCode::BAD_REQUEST, "invalid_profile_data", message)
            .with("supportedLanguages", LANGUAGES.to_vec())
            .with("supportedAvatars", AVATARS.to_vec())
    };
    if given.language.is_none() && given.avatar.is_none() {
        return Err(refused());
    }
    let mut row = signed.row;
    if let Some(language) = given.language {
        row.language = one_of(&LANGUAGES, &language).ok_or_else(refused)?;
    }
    if let Some(avatar) = given.avatar {
        row.avatar = one_of(&AVATARS, &avatar).ok_or_else(refused)?;
    }
    let (account, language, avatar) = (row.account, row.language.clone(), row.avatar.clone());
    let set = server
        .committer
        .ask(move |tx| tx.attempt(|tx| tx.set_profile(account, &language, &avatar)));
    set.await?.map_err(|_| ApiError::internal())?;
    let profile = profile_of(&server, row).await?;
    Ok(Json(ChosenProfile {
        language: profile.language,
        avatar: profile.avatar,
        rating: profile.rating,
        league_key: profile.league_key,
        recent_pvp_matches: profile.recent_pvp_matches,
        supported_languages: LANGUAGES.to_vec(),
        supported_avatars: AVATARS.to_vec(),
    }))
}

fn one_of(known: &[&str], text: &str) -> Option<String> {
    let found = known.iter().find(|it| it.eq_ignore_ascii_case(text.trim()));
    found.map(|it| (*it).to_owned())
}

/// The page of a list.
#[derive(Deserialize, IntoParams)]
pub(crate) struct Page {
    /// The number of the last row on the page before.
    before: Option<u64>,
    /// The number of rows, at most 50.
    limit: Option<u32>,
}

impl Page {
    pub(crate) fn limit(&self) -> u32 {
        self.limit.unwrap_or(PAGE_MAX).clamp(1, PAGE_MAX)
    }

    pub(crate) fn before(&self) -> Option<u64> {
        self.before
    }
}

/// Your matches of all kinds, newest first.
#[utoipa::path(get, path = "/account/history", tag = "accounts", security(("token" = [])), params(Page),
    responses((status = 200, body = Vec<RecentMatch>), (status = 401, body = ErrorBody)))]
pub(crate) async fn history(
    State(server): State<Arc<Server>>,
    signed: SignedIn,
    Query(page): Query<Page>,
) -> Result<Json<Vec<RecentMatch>>, ApiError> {
    let account = signed.row.account;
    let rows = server
        .readers
        .read(move |tx| tx.history(account, page.before(), page.limit()))
        .await?;
    Ok(Json(rows.into_iter().map(recent_match).collect()))
}

/// A ledger entry.
#[derive(Serialize, ToSchema)]
pub(crate) struct Booking {
    /// The entry's number: pass it as `before` to get the next page.
    number: u64,
    /// The idempotency key.
    key: String,
    /// The kind of entry.
    kind: &'static str,
    /// Tokens credited, or debited if negative.
    amount: i64,
    /// The match, if the entry belongs to one.
    match_id: Option<String>,
    /// The time in milliseconds since 1970.
    at: u64,
    /// A short note.
    memo: String,
}

/// Your ledger, newest first: the source and use of every token.
#[utoipa::path(get, path = "/account/ledger", tag = "accounts", security(("token" = [])), params(Page),
    responses((status = 200, body = Vec<Booking>), (status = 401, body = ErrorBody)))]
pub(crate) async fn ledger(
    State(server): State<Arc<Server>>,
    signed: SignedIn,
    Query(page): Query<Page>,
) -> Result<Json<Vec<Booking>>, ApiError> {
    let account = store::LedgerAccount::Player(signed.row.account);
    let rows = server
        .readers
        .read(move |tx| tx.entries(account, page.before(), page.limit()))
        .await?;
    let booking = |row: store::EntryRow| Booking {
        number: row.number,
        key: row.key,
        kind: row.kind.name(),
        amount: row.amount,
        match_id: row.game_id.map(|it| it.to_string()),
        at: row.at,
        memo: row.memo,
    };
    Ok(Json(rows.into_iter().map(booking).collect()))
}
