//! Matches, live and finished, and their records.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use catalog::GameName;
use kernel::MatchId;
use kernel::doc::Document;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use session::Event;
use store::{MatchFilter, MatchState, Sitter, StoredMatch};
use utoipa::{IntoParams, ToSchema};

use super::SignedIn;
use super::error::{ApiError, Body, ErrorBody};
use crate::room::RoomFacts;
use crate::server::Server;
use crate::start::{NotBegun, Order, Participant, Start};
use crate::{hosted, terms};

/// The most rows on a page.
const PAGE_MAX: u32 = 50;

/// A match in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct MatchSummary {
    match_id: String,
    game: String,
    /// `pvp`, `pve`, `exhibition` or `hotseat`.
    mode: &'static str,
    /// `open`, `over`, `void` or `quarantined`.
    state: &'static str,
    players: Vec<SummaryPlayer>,
    stake: u64,
    created_at: u64,
    ended_at: Option<u64>,
    /// The outcome, once the match is over.
    outcome: Option<Value>,
    rounds: Option<u64>,
    /// The row's number, for the next page; null in lists of live matches.
    number: Option<u64>,
}

/// A player of a match.
#[derive(Serialize, ToSchema)]
pub(crate) struct SummaryPlayer {
    name: Option<String>,
    bot: Option<String>,
}

pub(crate) fn live_summary(facts: &RoomFacts) -> MatchSummary {
    let player = |it: &wire::native::Player| SummaryPlayer {
        name: it.name.clone(),
        bot: it.bot.clone(),
    };
    MatchSummary {
        match_id: facts.match_id.to_string(),
        game: facts.game.to_owned(),
        mode: facts.mode.name(),
        state: MatchState::Open.name(),
        players: facts.players.iter().map(player).collect(),
        stake: facts.stake,
        created_at: facts.began_at,
        ended_at: None,
        outcome: None,
        rounds: None,
        number: None,
    }
}

fn summary(stored: &StoredMatch) -> MatchSummary {
    let player = |seat: &store::StoredSeat| {
        let bot = match &seat.sitter {
            Sitter::Bot(bot) => Some(bot.clone()),
            Sitter::Account(_) => None,
        };
        let named = bot.is_none() && !seat.name.is_empty();
        SummaryPlayer {
            name: named.then(|| seat.name.clone()),
            bot,
        }
    };
    let ending = stored.ending.as_ref();
    MatchSummary {
        match_id: stored.game_id.to_string(),
        game: stored.game.clone(),
        mode: stored.mode.name(),
        state: stored.state.name(),
        players: stored.seats.iter().map(player).collect(),
        stake: stored.stake,
        created_at: stored.created_at,
        ended_at: ending.map(|it| it.ended_at),
        outcome: ending.and_then(|it| serde_json::from_str(&it.outcome).ok()),
        rounds: ending.map(|it| it.rounds),
        number: Some(stored.number),
    }
}

/// A filter for matches.
#[derive(Deserialize, IntoParams)]
pub(crate) struct Wanted {
    /// Only this game; all games if omitted.
    game: Option<String>,
    /// `over` (default) or `open`.
    state: Option<WantedState>,
    /// The number of the last row on the page before.
    before: Option<u64>,
    /// The number of rows, at most 50.
    limit: Option<u32>,
}

/// The state of the matches in a list.
#[derive(Deserialize, ToSchema, Clone, Copy, Default)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WantedState {
    /// Finished matches.
    #[default]
    Over,
    /// Live matches.
    Open,
}

/// Matches, newest first.
#[utoipa::path(get, path = "/api/matches", tag = "play", params(Wanted),
    responses((status = 200, body = Vec<MatchSummary>), (status = 400, body = ErrorBody)))]
pub(crate) async fn list(
    State(server): State<Arc<Server>>,
    Query(wanted): Query<Wanted>,
) -> Result<Json<Vec<MatchSummary>>, ApiError> {
    let state = match wanted.state.unwrap_or_default() {
        WantedState::Open => MatchState::Open,
        WantedState::Over => MatchState::Over,
    };
    let game = wanted.game.map(|name| name.parse::<GameName>());
    let game = game.transpose().map_err(|_| {
        let names: Vec<&str> = hosted::games().map(GameName::as_str).collect();
        let message = format!("game must be one of {}", names.join(", "));
        ApiError::new(StatusCode::BAD_REQUEST, "unknown_game", message)
    })?;
    let filter = MatchFilter {
        game: game.map(|game| game.as_str().to_owned()),
        state: Some(state),
        account: None,
        before: wanted.before,
    };
    let limit = wanted.limit.unwrap_or(PAGE_MAX).clamp(1, PAGE_MAX);
    let rows = server
        .readers
        .read(move |tx| tx.matches(&filter, limit))
        .await?;
    Ok(Json(rows.iter().map(summary).collect()))
}

/// The public facts of a match.
#[derive(Serialize, ToSchema)]
pub(crate) struct MatchPage {
    #[serde(flatten)]
    summary: MatchSummary,
    /// The commitment to the seed.
    commitment: String,
    /// The seed and its salt, revealed once the match is over.
    opening: Option<Value>,
    /// The path of the record, once the match is over.
    record: Option<String>,
    /// The result of each account, once the match is over.
    shares: Option<Vec<Share>>,
}

/// The result of one account.
#[derive(Serialize, ToSchema)]
pub(crate) struct Share {
    /// `win`, `loss`, `draw` or `void`.
    result: &'static str,
    opponent: Option<String>,
    league_delta: i64,
}

/// The public page of a match.
#[utoipa::path(get, path = "/api/matches/{id}", tag = "play",
    params(("id" = String, Path, description = "The match")),
    responses((status = 200, body = MatchPage), (status = 404, body = ErrorBody)))]
pub(crate) async fn show(
    State(server): State<Arc<Server>>,
    Path(id): Path<String>,
) -> Result<Json<MatchPage>, ApiError> {
    let stored = find(&server, &id).await?;
    let game_id = stored.game_id;
    let opening = terms::read_secret(&stored.secret).map_err(|_| ApiError::internal())?;
    let over = stored.state != MatchState::Open;
    let results = server.readers.read(move |tx| tx.results(game_id)).await?;
    let share = |row: store::HistoryRow| Share {
        result: row.result.result.name(),
        opponent: row.result.opponent,
        league_delta: row.result.league_delta,
    };
    Ok(Json(MatchPage {
        commitment: opening.commitment().to_string(),
        opening: over.then(|| serde_json::to_value(&opening).unwrap_or_default()),
        record: over.then(|| format!("/api/matches/{game_id}/record")),
        shares: over.then(|| results.into_iter().map(share).collect()),
        summary: summary(&stored),
    }))
}

/// The record of a finished match, for `referee verify`. Refused while the match runs, because the
/// record would reveal hidden information.
#[utoipa::path(get, path = "/api/matches/{id}/record", tag = "play",
    params(("id" = String, Path, description = "The match")),
    responses((status = 200, body = String, content_type = "application/jsonl"),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub(crate) async fn record(
    State(server): State<Arc<Server>>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let (stored, lines) = record_of(&server, &id).await?;
    let game_id = stored.game_id;
    let name = format!("attachment; filename=\"{}-{game_id}.jsonl\"", stored.game);
    let headers = [
        (header::CONTENT_TYPE, "application/jsonl".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, lines).into_response())
}

/// Reads a finished match and its record.
pub(super) async fn record_of(
    server: &Server,
    id: &str,
) -> Result<(StoredMatch, Vec<u8>), ApiError> {
    let stored = find(server, id).await?;
    match stored.state {
        MatchState::Over | MatchState::Void => {}
        MatchState::Open => {
            let message = "the record is available once the match is over";
            return Err(ApiError::new(
                StatusCode::CONFLICT,
                "match_running",
                message,
            ));
        }
        MatchState::Quarantined => {
            let message = "the events of this match are damaged; its stakes were returned";
            return Err(ApiError::new(
                StatusCode::CONFLICT,
                "match_quarantined",
                message,
            ));
        }
    }
    let game_id = stored.game_id;
    let events = server.readers.read(move |tx| tx.events(game_id)).await?;
    let mut lines = Vec::new();
    for event in &events {
        lines.extend(Event::lines(event).map_err(|_| ApiError::internal())?);
    }
    Ok((stored, lines))
}

async fn find(server: &Server, id: &str) -> Result<StoredMatch, ApiError> {
    let game_id: MatchId = id.parse().map_err(|_| ApiError::not_found("match"))?;
    let stored = server
        .readers
        .read(move |tx| tx.stored_match(game_id))
        .await?;
    stored.ok_or_else(|| ApiError::not_found("match"))
}

/// A match between bots.
#[derive(Document, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exhibition {
    game: String,
    /// The names of two bots.
    bots: Vec<String>,
}

/// A match that has started.
#[derive(Serialize, ToSchema)]
pub(crate) struct Begun {
    match_id: String,
}

/// Exhibitions that may run at the same time.
const EXHIBITIONS_MAX: usize = 20;

/// Starts a match between two bots, for spectators.
#[utoipa::path(post, path = "/api/matches", tag = "play", security(("token" = [])),
    request_body = Exhibition,
    responses((status = 201, body = Begun), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
pub(crate) async fn exhibit(
    State(server): State<Arc<Server>>,
    _: SignedIn,
    Body(wanted): Body<Exhibition>,
) -> Result<(StatusCode, Json<Begun>), ApiError> {
    let known = hosted::games().find(|it| it.as_str() == wanted.game);
    let game: GameName = known.ok_or_else(|| ApiError::not_found("game"))?;
    let bots = hosted::bots_of(game);
    let fits = |name: &String| bots.iter().any(|(known, _)| known == name);
    if wanted.bots.len() != 2 || !wanted.bots.iter().all(fits) {
        let names: Vec<&str> = bots.iter().map(|(name, _)| *name).collect();
        let message = format!("name two of these bots: {}", names.join(", "));
        return Err(ApiError::new(
            StatusCode::BAD_REQUEST,
            "unknown_bot",
            message,
        ));
    }
    let rooms = server.hub.rooms();
    let n_running = rooms
        .iter()
        .filter(|it| it.facts.mode == store::Mode::Exhibition)
        .count();
    if n_running >= EXHIBITIONS_MAX || !server.takes_matches() {
        return Err(ApiError::busy());
    }
    let participants = wanted.bots.into_iter().map(Participant::Bot).collect();
    let match_id = begin_exhibition(&server, game, participants).await?;
    Ok((StatusCode::CREATED, Json(Begun { match_id })))
}

/// Starts a match between bots and returns its id. If the client hangs up meanwhile, a match that
/// is being started still starts.
pub(crate) async fn begin_exhibition(
    server: &Arc<Server>,
    game: GameName,
    participants: Vec<Participant>,
) -> Result<String, ApiError> {
    let order = Order {
        game,
        participants,
        stake: 0,
        start: Start::Standard,
        invitation: None,
    };
    let starting = server.set_aside(Vec::new());
    let mut starting = starting.map_err(|it| it.code)?;
    let server = Arc::clone(server);
    let begun = tokio::spawn(async move { server.begin(&mut starting, order).await });
    match begun.await.map_err(|_| ApiError::internal())? {
        Ok(door) => Ok(door.facts.match_id.to_string()),
        Err(NotBegun::Refused(code)) => Err(code.into()),
        Err(NotBegun::Poor(_) | NotBegun::Seated(_)) => Err(ApiError::internal()),
    }
}
