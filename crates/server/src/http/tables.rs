//! Tables: set up over HTTP, because a scenario may be longer than a message; joined over `/ws`.

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
#[derive(Document, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableOrder {
    /// Which game.
    game: String,
    /// The setup as `referee schema GAME-setup` has it; the standard one when it is left out. A game
    /// with scenarios also takes a whole scenario, or the name of one that comes with it.
    #[schema(value_type = Option<Object>)]
    #[serde(default)]
    setup: Option<Json>,
    /// Who is to sit where: exactly one seat is the host's.
    seats: Vec<SeatOrder>,
}

/// Who is to sit in a seat.
#[derive(Document, ToSchema)]
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
) -> Result<(StatusCode, Answer<TableOpened>), ApiError> {
    let too_long = || {
        let message = format!("a table is set up with at most {ORDER_BYTES_MAX} bytes");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_long", message)
    };
    let body = body.map_err(|rejection| unread(&rejection, too_long))?;
    let takes_matches = server.takes_matches();
    // A scenario may be long: it is read where other work does not wait for it.
    let read = move |_: &Wanted| Ordered::read(&body, takes_matches);
    let ordered = server.workshop.run(caller.peer(), read).await??;
    let Ordered {
        game,
        start,
        places,
    } = ordered;
    let code = server.open_table(game, signed_in.row.account, start, places)?;
    let path = format!("/table/{code}");
    Ok((StatusCode::CREATED, Answer(TableOpened { code, path })))
}

/// A table that can be set up.
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
            Ok(json) => doc::parse::<TableOrder>(&json),
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
            let message = format!("this setup has {n_seats} seats: name the player of each");
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
) -> Result<Answer<TablePage>, ApiError> {
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
    Ok(Answer(TablePage {
        code: table.code,
        game: table.game,
        seats: seats.collect(),
        expires_ms: table.expires_ms,
    }))
}
