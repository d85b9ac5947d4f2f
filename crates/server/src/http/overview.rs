//! Games, queues, live matches and leaderboards.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use catalog::with_game;
use kernel::Describe;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use session::Live;
use store::RankBy;
use utoipa::{IntoParams, ToSchema};

use super::error::{ApiError, ErrorBody};
use super::matches::{MatchSummary, live_summary};
use crate::hosted;
use crate::ratings;
use crate::server::Server;

/// The most rows on a page of a leaderboard.
const RANKS_MAX: u32 = 100;
/// The most live matches in the list.
const LIVE_MAX: usize = 50;

/// The games, queues and live matches of the server.
#[derive(Serialize, ToSchema)]
pub(crate) struct Overview {
    /// The games that can be played.
    games: Vec<LobbyGame>,
    /// Live matches, newest first.
    live: Vec<MatchSummary>,
    /// The number of live matches.
    n_live: usize,
    /// True if the server is about to stop.
    draining: bool,
    /// The server's time in milliseconds since 1970.
    now_ms: u64,
}

/// A game that can be played.
#[derive(Serialize, ToSchema)]
pub(crate) struct LobbyGame {
    /// The game's name, as used everywhere.
    game: &'static str,
    /// The game's name for people.
    title: &'static str,
    /// A summary of the game in one sentence.
    summary: &'static str,
    /// The number of seats of a match.
    seats: SeatRange,
    /// The standard setup for each number of seats. Empty if players choose or write the setup.
    setups: Vec<LobbySetup>,
    /// True if people can share a screen.
    at_one_screen: bool,
    /// True if players win and lose league points in this game.
    has_leagues: bool,
    /// The stakes that can be played for.
    stakes: Vec<LobbyQueue>,
    /// The bots to play against.
    bots: Vec<LobbyBot>,
    /// Time to reconnect, in milliseconds. With 0, a lost connection forfeits at once.
    grace_ms: u64,
    /// Time to decide, in milliseconds.
    turn_ms: u64,
}

/// The fewest and the most seats of a match.
#[derive(Serialize, ToSchema)]
pub(crate) struct SeatRange {
    /// The fewest.
    min: u8,
    /// The most.
    max: u8,
}

/// The standard setup for a number of seats.
#[derive(Serialize, ToSchema)]
pub(crate) struct LobbySetup {
    /// The number of seats.
    seats: u8,
    /// The setup, as a lobby takes it.
    #[schema(value_type = Object)]
    setup: Value,
}

impl LobbySetup {
    fn all<G: Describe>() -> Vec<LobbySetup> {
        let setup = |seats: u8| {
            let setup = serde_json::to_value(G::setup_for(seats)?).ok()?;
            Some(LobbySetup { seats, setup })
        };
        G::SEATS.filter_map(setup).collect()
    }
}

/// The queue for one stake.
#[derive(Serialize, ToSchema)]
pub(crate) struct LobbyQueue {
    /// The stake of each seat, in tokens.
    stake: u64,
    /// The number of waiting players.
    n_waiting: usize,
}

/// A bot to play against.
#[derive(Serialize, ToSchema)]
pub(crate) struct LobbyBot {
    /// The bot's name.
    name: &'static str,
    /// A sentence on its play.
    summary: &'static str,
}

/// The games, the queues and the live matches.
#[utoipa::path(get, path = "/api/lobby", tag = "play", responses((status = 200, body = Overview)))]
pub(crate) async fn overview(State(server): State<Arc<Server>>) -> Json<Overview> {
    let sizes = server.hub.queue_sizes();
    let game = |game: catalog::GameName| {
        let waiting = |stake: u64| {
            let own = sizes
                .iter()
                .find(|(it, _)| it.game == game && it.stake == stake);
            own.map_or(0, |(_, n)| *n)
        };
        let stake = |stake: u64| LobbyQueue {
            stake,
            n_waiting: waiting(stake),
        };
        let policy = with_game!(game, G => server.config.timings.policy::<G>());
        let bots = hosted::bots_of(game).iter();
        let (title, summary) = with_game!(game, G => (G::TITLE, G::SUMMARY));
        let (min, max) = with_game!(game, G => G::SEATS.into_inner());
        LobbyGame {
            game: game.as_str(),
            title,
            summary,
            seats: SeatRange { min, max },
            setups: with_game!(game, G => LobbySetup::all::<G>()),
            at_one_screen: hosted::is_played_at_one_screen(game),
            has_leagues: with_game!(game, G => <G as Live>::HAS_LEAGUES),
            stakes: server.stakes().into_iter().map(stake).collect(),
            bots: bots
                .map(|(name, summary)| LobbyBot { name, summary })
                .collect(),
            grace_ms: policy.grace_ms,
            turn_ms: policy.pace.turn_ms,
        }
    };
    let mut rooms = server.hub.rooms();
    rooms.sort_by_key(|door| std::cmp::Reverse(door.facts.began_at));
    Json(Overview {
        games: hosted::games().map(game).collect(),
        live: rooms
            .iter()
            .take(LIVE_MAX)
            .map(|door| live_summary(&door.facts))
            .collect(),
        n_live: rooms.len(),
        draining: server.hub.is_draining(),
        now_ms: server.clock.now(),
    })
}

/// The page of a leaderboard.
#[derive(Deserialize, IntoParams)]
pub(crate) struct Ranking {
    /// `league` (default) or `rating`.
    by: Option<RankedBy>,
    /// The number of rows to skip.
    offset: Option<u32>,
    /// The number of rows, at most 100.
    limit: Option<u32>,
}

/// The order of a leaderboard.
#[derive(Deserialize, ToSchema, Clone, Copy, Default)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RankedBy {
    /// League points.
    #[default]
    League,
    /// Glicko-2 rating.
    Rating,
}

/// A row of a leaderboard.
#[derive(Serialize, ToSchema)]
pub(crate) struct Rank {
    /// The rank, from 1.
    place: u64,
    account_id: String,
    nickname: Option<String>,
    avatar: String,
    /// League points.
    points: i64,
    league: &'static str,
    /// Glicko-2 rating, rounded.
    rating: i64,
    /// The rating's deviation: its uncertainty.
    deviation: i64,
    /// The number of rated matches.
    n_rated: u64,
}

/// The leaderboard of a game.
#[utoipa::path(get, path = "/api/leaderboard/{game}", tag = "play",
    params(("game" = String, Path, description = "The game"), Ranking),
    responses((status = 200, body = Vec<Rank>), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
pub(crate) async fn leaderboard(
    State(server): State<Arc<Server>>,
    Path(game): Path<String>,
    Query(asked): Query<Ranking>,
) -> Result<Json<Vec<Rank>>, ApiError> {
    let known = hosted::games().find(|it| it.as_str() == game);
    let game = known.ok_or_else(|| ApiError::not_found("game"))?.as_str();
    let by = match asked.by.unwrap_or_default() {
        RankedBy::Rating => RankBy::Rating,
        RankedBy::League => RankBy::League,
    };
    let offset = asked.offset.unwrap_or(0);
    let limit = asked.limit.unwrap_or(RANKS_MAX).clamp(1, RANKS_MAX);
    let now = server.clock.now();
    let rows = server.readers.read(move |tx| {
        let mut rows = tx.leaderboard(game, by, offset, limit)?;
        for row in &mut rows {
            let account = tx.account(row.account)?;
            let name = account.as_ref().and_then(|it| it.public_name(now));
            row.nickname = name.map(str::to_owned);
        }
        Ok(rows)
    });
    let rows = rows.await?;
    let rank = |(idx, row): (usize, store::Ranked)| Rank {
        place: u64::from(offset) + idx as u64 + 1,
        account_id: row.public_id.to_string(),
        nickname: row.nickname,
        avatar: row.avatar,
        points: row.rating.league,
        league: ratings::league(row.rating.league),
        rating: row.rating.rating.round() as i64,
        deviation: row.rating.deviation.round() as i64,
        n_rated: row.rating.n_rated,
    };
    Ok(Json(rows.into_iter().enumerate().map(rank).collect()))
}

/// An invitation as the invited player sees it.
#[derive(Serialize, ToSchema)]
pub(crate) struct InvitationPage {
    game: String,
    stake: u64,
    /// The nickname of the inviting player, if one was chosen.
    from: Option<String>,
    /// True if the inviting player is connected.
    maker_present: bool,
    expires_ms: u64,
}

/// The game and stake of an invitation.
#[utoipa::path(get, path = "/api/invitations/{code}", tag = "play",
    params(("code" = String, Path, description = "The code of the link")),
    responses((status = 200, body = InvitationPage), (status = 404, body = ErrorBody)))]
pub(crate) async fn invitation(
    State(server): State<Arc<Server>>,
    Path(code): Path<String>,
) -> Result<Json<InvitationPage>, ApiError> {
    let invitation = server.invitation(&code).await?;
    let (creator, now) = (invitation.creator, server.clock.now());
    let row = server.readers.read(move |tx| tx.account(creator)).await?;
    Ok(Json(InvitationPage {
        game: invitation.game,
        stake: invitation.stake,
        from: row.and_then(|row| row.public_name(now).map(str::to_owned)),
        maker_present: server.hub.chosen(creator, |_| true).is_some(),
        expires_ms: invitation.expires_at,
    }))
}
