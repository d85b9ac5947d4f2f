//! Lobbies (lobbies): opened over HTTP, because a scenario may be longer than a message; joined over
//! `/ws`.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json as Answer};
use catalog::{GameName, with_game};
use kernel::doc::{self, Document};
use kernel::json::{self, Json};
use serde::Serialize;
use utoipa::ToSchema;
use wire::native::LobbySeatKind;

use super::SignedIn;
use super::error::{ApiError, ErrorBody, unread};
use super::gate::Caller;
use crate::hosted::{self, Hosted, SetupFinding};
use crate::lobbies::Place;
use crate::server::Server;
use crate::start::Start;
use crate::workshop::Wanted;

/// The most bytes of a request that opens a lobby.
pub(crate) const ORDER_BYTES_MAX: usize = 1 << 20;

/// The lobby to open.
#[derive(Document, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LobbyOrder {
    /// The game's name.
    game: String,
    /// The setup as `referee schema GAME-setup` describes it; the default one if omitted. A game
    /// with scenarios also accepts a complete scenario, or the name of a shipped one.
    #[schema(value_type = Option<Object>)]
    #[serde(default)]
    setup: Option<Json>,
    /// The participant for each seat. Exactly one seat is the host's.
    seats: Vec<SeatOrder>,
}

/// The participant for a seat.
#[derive(Document, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SeatOrder {
    /// The player who opens the lobby.
    Host,
    /// Anyone who has the link.
    #[serde(rename = "guest")]
    Invited,
    /// A bot, by name.
    Bot(String),
    /// A person at the host's screen. The match is not rated, and only the player in front of the
    /// screen sees their cards.
    Beside,
}

/// A lobby that was opened.
#[derive(Serialize, ToSchema)]
pub(crate) struct LobbyOpened {
    /// The code that other players join with.
    code: String,
    /// The path of the lobby's page on this server, to share with other players.
    path: String,
}

/// A lobby as anyone with its link sees it.
#[derive(Serialize, ToSchema)]
pub(crate) struct LobbyPage {
    code: String,
    game: &'static str,
    seats: Vec<LobbyPlace>,
    expires_ms: u64,
}

/// A seat in a lobby.
#[derive(Serialize, ToSchema)]
pub(crate) struct LobbyPlace {
    /// `host`, `guest`, `bot` or `beside`.
    kind: &'static str,
    /// The nickname of the player in the seat, if one was chosen.
    name: Option<String>,
    /// The bot in the seat, if any.
    bot: Option<String>,
    /// True if the seat is taken.
    taken: bool,
    /// True if the player in the seat is connected.
    present: bool,
}

/// Opens a lobby: people join by its link, bots by their names. Everyone joins over `/ws` with
/// `table_join`, the host too.
#[utoipa::path(post, path = "/api/tables", tag = "play", security(("token" = [])),
    request_body = LobbyOrder,
    responses((status = 201, body = LobbyOpened), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody)))]
pub(crate) async fn open(
    State(server): State<Arc<Server>>,
    Extension(caller): Extension<Caller>,
    signed_in: SignedIn,
    body: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Answer<LobbyOpened>), ApiError> {
    let too_long = || format!("the body is longer than {ORDER_BYTES_MAX} bytes");
    let body = body.map_err(|rejection| unread(&rejection, too_long))?;
    let takes_matches = server.takes_matches();
    // A scenario may be long, so it is read where it delays no other work.
    let read = move |_: &Wanted| Ordered::read(&body, takes_matches);
    let ordered = server.workshop.run(caller.peer(), read).await??;
    let Ordered {
        game,
        start,
        places,
    } = ordered;
    let code = server.open_lobby(game, signed_in.row.account, start, places)?;
    let path = format!("/table/{code}");
    Ok((StatusCode::CREATED, Answer(LobbyOpened { code, path })))
}

/// A validated request for a lobby.
struct Ordered {
    game: GameName,
    start: Start,
    places: Vec<Place>,
}

impl Ordered {
    fn read(body: &[u8], takes_matches: bool) -> Result<Ordered, ApiError> {
        let refuse =
            |code, message: String| Err(ApiError::new(StatusCode::BAD_REQUEST, code, message));
        let order = match json::read(body) {
            Ok(json) => doc::parse::<LobbyOrder>(&json),
            Err(error) => return refuse("malformed_body", error.to_string()),
        };
        let order = order.map_err(|faults| ApiError::faults("malformed_body", &faults))?;
        if !takes_matches {
            return Err(ApiError::busy());
        }
        let game = order.game.parse();
        let game: GameName = game.map_err(|_| ApiError::not_found("game"))?;
        let places = places(game, order.seats)?;
        let setup = order.setup.as_ref();
        let (start, n_seats) = with_game!(game, G => read_setup::<G>(setup))?;
        if n_seats != places.len() {
            let message = format!("this setup has {n_seats} seats: name a player for each");
            return refuse("wrong_seats", message);
        }
        Ok(Ordered {
            game,
            start,
            places,
        })
    }
}

fn places(game: GameName, seats: Vec<SeatOrder>) -> Result<Vec<Place>, ApiError> {
    let refuse = |code, message: String| ApiError::new(StatusCode::BAD_REQUEST, code, message);
    let n_hosts = seats
        .iter()
        .filter(|it| matches!(it, SeatOrder::Host))
        .count();
    if n_hosts != 1 {
        let message = "exactly one seat must be the host's".to_owned();
        return Err(refuse("wrong_seats", message));
    }
    let of_kind = |kind: fn(&SeatOrder) -> bool| seats.iter().any(kind);
    if of_kind(|it| matches!(it, SeatOrder::Beside)) {
        if !hosted::is_played_at_one_screen(game) {
            let message = "people cannot share a screen in this game: they decide simultaneously";
            return Err(refuse("no_hotseat", message.to_owned()));
        }
        if of_kind(|it| matches!(it, SeatOrder::Invited)) {
            let message = "a lobby for one screen cannot have a seat for a guest";
            return Err(refuse("wrong_seats", message.to_owned()));
        }
    }
    let place = |seat: SeatOrder| match seat {
        SeatOrder::Host => Ok(Place::Host),
        SeatOrder::Beside => Ok(Place::Beside),
        SeatOrder::Invited => Ok(Place::Invited(None)),
        SeatOrder::Bot(name) => {
            let known = hosted::bots_of(game);
            if known.iter().any(|(it, _)| *it == name) {
                return Ok(Place::Bot(name));
            }
            let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            Err(refuse(
                "unknown_bot",
                format!("unknown bot; the bots are: {}", names.join(", ")),
            ))
        }
    };
    seats.into_iter().map(place).collect()
}

/// Reads a setup with the game's validator. Returns its stored form and its number of seats.
fn read_setup<G: Hosted>(setup: Option<&Json>) -> Result<(Start, usize), ApiError> {
    let Some(json) = setup else {
        let n_seats = G::start(&G::Setup::default()).n_seats();
        return Ok((Start::Standard, n_seats));
    };
    let setup = G::read_setup(json).map_err(|faults| refused(&SetupFinding::list(&faults)))?;
    let n_seats = G::start(&setup).n_seats();
    let text = json::to_canonical(&setup).map_err(|_| ApiError::internal())?;
    let text = String::from_utf8(text).map_err(|_| ApiError::internal())?;
    Ok((Start::Chosen(text), n_seats))
}

/// Refuses a setup with all findings, each with its place.
pub(super) fn refused(findings: &[SetupFinding]) -> ApiError {
    let n = findings.len();
    let message = format!("the setup is invalid ({n} findings): see `findings`");
    let findings = serde_json::to_value(findings).unwrap_or_default();
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "wrong_setup", message)
        .with("findings", findings)
}

/// A lobby that waits for players.
#[utoipa::path(get, path = "/api/tables/{code}", tag = "play",
    params(("code" = String, Path, description = "The code of the link")),
    responses((status = 200, body = LobbyPage), (status = 404, body = ErrorBody)))]
pub(crate) async fn show(
    State(server): State<Arc<Server>>,
    Path(code): Path<String>,
) -> Result<Answer<LobbyPage>, ApiError> {
    let lobby = server.lobby_for(&code, None).await?;
    let seats = lobby.seats.into_iter().map(|seat| LobbyPlace {
        kind: match seat.kind {
            LobbySeatKind::Host => "host",
            LobbySeatKind::Invited => "guest",
            LobbySeatKind::Bot => "bot",
            LobbySeatKind::Beside => "beside",
        },
        name: seat.name,
        bot: seat.bot,
        taken: seat.taken,
        present: seat.present,
    });
    Ok(Answer(LobbyPage {
        code: lobby.code,
        game: lobby.game,
        seats: seats.collect(),
        expires_ms: lobby.expires_ms,
    }))
}
