//! Tables: set up over HTTP, because a scenario may be longer than a message; joined over `/ws`.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use catalog::{GameName, with_game};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use wire::native::TableSeatKind;

use super::SignedIn;
use super::error::{ApiError, ErrorBody, unread};
use super::gate::Caller;
use crate::hosted::{self, Hosted, SetupFinding};
use crate::server::Server;
use crate::start::Start;
use crate::tables::Place;
use crate::workshop::Wanted;

/// The most bytes of what a table is set up with.
pub(crate) const ORDER_BYTES_MAX: usize = 1 << 20;

/// What a table is to be.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableOrder {
    /// Which game.
    game: String,
    /// The setup as `referee schema GAME-setup` has it; the standard one when it is left out.
    /// A scenario of Stellar Fleet is the id of a shipped one, or a whole document.
    #[schema(value_type = Option<Object>)]
    #[serde(default)]
    setup: Option<Box<RawValue>>,
    /// Who is to sit where: exactly one seat is the host's.
    seats: Vec<SeatOrder>,
}

/// Who is to sit in a seat.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SeatOrder {
    /// Who sets the table up.
    Host,
    /// Anybody who has the link.
    Guest,
    /// This bot.
    Bot(String),
    /// Somebody beside the host, at the same screen: the match is not rated, and only the
    /// player in front of the screen is shown their cards.
    Beside,
}

/// A table that was set up.
#[derive(Serialize, ToSchema)]
pub(crate) struct TableOpened {
    /// What the others need to have.
    code: String,
    /// Where the others may go: a path on this server.
    path: String,
}

/// A table as anybody with its link sees it.
#[derive(Serialize, ToSchema)]
pub(crate) struct TablePage {
    code: String,
    game: &'static str,
    seats: Vec<TablePlace>,
    expires_ms: u64,
}

/// A seat of a table.
#[derive(Serialize, ToSchema)]
pub(crate) struct TablePlace {
    /// `host`, `guest`, `bot` or `beside`.
    kind: &'static str,
    /// The name of who sits there, if one was chosen.
    name: Option<String>,
    /// The bot that plays, if it is one.
    bot: Option<String>,
    /// Whether somebody sits there.
    taken: bool,
    /// Whether who sits there is here now.
    present: bool,
}

/// Sets a table up: people come by its link, bots by their names. Join it over `/ws` with
/// `table_join`, the host too.
#[utoipa::path(post, path = "/api/tables", tag = "play", security(("token" = [])),
    request_body = TableOrder,
    responses((status = 201, body = TableOpened), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody)))]
pub(crate) async fn open(
    State(server): State<Arc<Server>>,
    Extension(caller): Extension<Caller>,
    signed_in: SignedIn,
    body: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<TableOpened>), ApiError> {
    let too_long = || {
        let message = format!("a table is set up with at most {ORDER_BYTES_MAX} bytes");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_long", message)
    };
    let body = body.map_err(|rejection| unread(&rejection, too_long))?;
    let order: TableOrder = serde_json::from_slice(&body).map_err(|error| {
        let message: String = error.to_string().chars().take(300).collect();
        ApiError::new(StatusCode::BAD_REQUEST, "malformed_body", message)
    })?;
    if !server.takes_matches() {
        return Err(ApiError::busy());
    }
    let game: GameName = order
        .game
        .parse()
        .map_err(|_| ApiError::not_found("game"))?;
    let places = places(game, order.seats)?;
    let setup = order.setup;
    let read = move |_: &Wanted| with_game!(game, G => read_setup::<G>(setup.as_deref()));
    let (start, n_seats) = server.workshop.run(caller.peer(), read).await??;
    if n_seats != places.len() {
        let message = format!("this setup has {n_seats} seats: say who is to sit in each");
        return Err(ApiError::new(
            StatusCode::BAD_REQUEST,
            "wrong_seats",
            message,
        ));
    }
    let code = server.open_table(game, signed_in.row.account, start, places)?;
    let path = format!("/table/{code}");
    Ok((StatusCode::CREATED, Json(TableOpened { code, path })))
}

fn places(game: GameName, seats: Vec<SeatOrder>) -> Result<Vec<Place>, ApiError> {
    let refuse = |code, message: String| ApiError::new(StatusCode::BAD_REQUEST, code, message);
    let n_hosts = seats
        .iter()
        .filter(|it| matches!(it, SeatOrder::Host))
        .count();
    if n_hosts != 1 {
        let message = "exactly one seat is the host's".to_owned();
        return Err(refuse("wrong_seats", message));
    }
    let of_kind = |kind: fn(&SeatOrder) -> bool| seats.iter().any(kind);
    if of_kind(|it| matches!(it, SeatOrder::Beside)) {
        if !hosted::is_played_at_one_screen(game) {
            let message = "people cannot share a screen in this game: they decide at once";
            return Err(refuse("no_hotseat", message.to_owned()));
        }
        if of_kind(|it| matches!(it, SeatOrder::Guest)) {
            let message = "people at one screen play among themselves: no seat is a guest's";
            return Err(refuse("wrong_seats", message.to_owned()));
        }
    }
    let place = |seat: SeatOrder| match seat {
        SeatOrder::Host => Ok(Place::Host),
        SeatOrder::Beside => Ok(Place::Beside),
        SeatOrder::Guest => Ok(Place::Guest(None)),
        SeatOrder::Bot(name) => {
            let known = hosted::bots_of(game);
            if known.iter().any(|(it, _)| *it == name) {
                return Ok(Place::Bot(name));
            }
            let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            Err(refuse(
                "unknown_bot",
                format!("the bots are: {}", names.join(", ")),
            ))
        }
    };
    seats.into_iter().map(place).collect()
}

/// Reads a setup by the game's one validator. Gives it as it is stored, and its seats.
fn read_setup<G: Hosted>(raw: Option<&RawValue>) -> Result<(Start, usize), ApiError> {
    let Some(raw) = raw else {
        let n_seats = G::start(&G::Setup::default()).n_seats();
        return Ok((Start::Standard, n_seats));
    };
    let json = kernel::json::read(raw.get().as_bytes()).map_err(|error| {
        ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "wrong_setup",
            error.to_string(),
        )
    })?;
    let setup = G::read_setup(&json).map_err(|findings| refused(&findings))?;
    let n_seats = G::start(&setup).n_seats();
    let text = kernel::json::to_canonical(&setup).map_err(|_| ApiError::internal())?;
    let text = String::from_utf8(text).map_err(|_| ApiError::internal())?;
    Ok((Start::Chosen(text), n_seats))
}

/// What is wrong with a setup, all at once and each with its place.
fn refused(findings: &[SetupFinding]) -> ApiError {
    let n = findings.len();
    let message = format!("the setup has {n} findings that refuse it: see `findings`");
    let findings = serde_json::to_value(findings).unwrap_or_default();
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "wrong_setup", message)
        .with("findings", findings)
}

/// A table that waits.
#[utoipa::path(get, path = "/api/tables/{code}", tag = "play",
    params(("code" = String, Path, description = "The code of the link")),
    responses((status = 200, body = TablePage), (status = 404, body = ErrorBody)))]
pub(crate) async fn show(
    State(server): State<Arc<Server>>,
    Path(code): Path<String>,
) -> Result<Json<TablePage>, ApiError> {
    let table = server.table_for(&code, None).await?;
    let seats = table.seats.into_iter().map(|seat| TablePlace {
        kind: match seat.kind {
            TableSeatKind::Host => "host",
            TableSeatKind::Guest => "guest",
            TableSeatKind::Bot => "bot",
            TableSeatKind::Beside => "beside",
        },
        name: seat.name,
        bot: seat.bot,
        taken: seat.taken,
        present: seat.present,
    });
    Ok(Json(TablePage {
        code: table.code,
        game: table.game,
        seats: seats.collect(),
        expires_ms: table.expires_ms,
    }))
}
