//! The state of a finished match after any of its actions.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use catalog::{GameName, with_game};
use kernel::Recorded;
use kernel::json;
use kernel::record::{RecordFault, state_at};
use serde::Deserialize;
use utoipa::IntoParams;

use super::error::{ApiError, ErrorBody};
use super::gate::Caller;
use super::{matches, replay};
use crate::server::Server;
use crate::workshop::Wanted;

/// The moment of a match.
#[derive(Clone, Copy, Deserialize, IntoParams)]
pub(crate) struct Moment {
    /// The number of the action to stop after; 0 is the start, and the default is the last.
    at: Option<u32>,
    /// Include the actions so far in the snapshot, as its `log`.
    log: Option<bool>,
}

/// The snapshot of a finished match after one of its actions: canonical JSON, whose hash is
/// `state_hash` if it has no `log`. Refused while the match runs, because it would reveal hidden
/// information.
#[utoipa::path(get, path = "/api/matches/{id}/snapshot", tag = "play",
    params(("id" = String, Path, description = "The match"), Moment),
    responses((status = 200, body = Object), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 408, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 422, body = ErrorBody),
        (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn of_match(
    State(server): State<Arc<Server>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Query(moment): Query<Moment>,
) -> Result<Response, ApiError> {
    let (stored, record) = matches::record_of(&server, &id).await?;
    let game: GameName = stored.game.parse().map_err(|_| ApiError::internal())?;
    let work = move |wanted: &Wanted| with_game!(game, G => snapshot::<G>(&record, moment, wanted));
    let found = server.workshop.run(caller.peer(), work).await?;
    match found.map_err(|fault| replay::refused(&fault))? {
        Some(snapshot) => {
            let headers = [(header::CONTENT_TYPE, "application/json")];
            Ok((headers, snapshot).into_response())
        }
        None => {
            let message = "the match has fewer actions";
            Err(ApiError::new(
                StatusCode::BAD_REQUEST,
                "no_such_action",
                message,
            ))
        }
    }
}

fn snapshot<G: Recorded>(
    record: &[u8],
    moment: Moment,
    wanted: &Wanted,
) -> Result<Option<Vec<u8>>, RecordFault> {
    let found = state_at::<G>(record, moment.at, || wanted.still())?;
    Ok(found.and_then(|it| {
        let snapshot = match moment.log {
            Some(true) => it.table.snapshot_with_log(&it.log),
            _ => it.table.snapshot(),
        };
        json::to_canonical(&snapshot).ok()
    }))
}
