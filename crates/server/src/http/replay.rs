//! Replays: a record shown step by step as one viewer saw it. Everything shown has been verified.

mod judge;
mod parts;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use catalog::Roster;
use catalog::{GameName, with_game};
use kernel::doc::{Faults, Node};
use kernel::record::{
    ActionLine, CHANCE, Closing, DEADLINE, Header, LEAVE, Line, Reader, RecordFault, Replay,
    Report, split_lines,
};
use kernel::{Event, Recorded, Seat, Source, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use utoipa::{IntoParams, ToSchema};

use super::error::{ApiError, ErrorBody, unread};
use super::gate::Caller;
use super::matches;
use crate::server::Server;
use crate::workshop::Wanted;
use judge::Judge;
use parts::Parts;

/// The most bytes of an uploaded record.
pub(crate) const RECORD_BYTES_MAX: usize = 4 << 20;
/// The most frames in one answer.
const FRAMES_MAX: u32 = 5_000;
/// The most bytes of all frames in one answer.
const ANSWER_BYTES_MAX: usize = 24 << 20;

/// Options for showing a record.
#[derive(Deserialize, IntoParams)]
pub(crate) struct Shown {
    /// The viewer: `public` (default), a seat's number, or `all`.
    viewer: Option<String>,
    /// The first frame; 0 is the start.
    from: Option<u32>,
    /// The number of frames, at most 5000.
    limit: Option<u32>,
    /// Omit from each view the fields that did not change since the frame before. The first frame
    /// of an answer is complete.
    lean: Option<bool>,
    /// A bot that evaluates each position by what the viewer's seat may see (for `all`, the first
    /// seat).
    judge: Option<String>,
}

/// A record as one viewer saw it.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReplayPage {
    game: String,
    match_id: String,
    rules_version: String,
    /// The player of each seat.
    seats: Vec<String>,
    setup: Value,
    /// The viewer.
    viewer: String,
    /// The total number of frames in the record.
    n_frames: u32,
    /// The outcome, or null if the record stops before the end.
    outcome: Option<Value>,
    report: ReplayReport,
    /// The commitment to the seed, if the record has one.
    commitment: Option<String>,
    /// The seed and its salt, if they were committed to and the record is closed.
    opening: Option<Value>,
    // The last field, so that an answer can be sent frame by frame: see `IntoResponse`.
    #[schema(value_type = Vec<ReplayFrame>)]
    frames: Vec<Box<RawValue>>,
}

/// One moment of a match.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReplayFrame {
    /// The number of the action; 0 is the start.
    ply: u32,
    /// The seat that decided; null for chance and timeouts.
    #[schema(value_type = Option<u8>)]
    seat: Option<Seat>,
    /// The type of the action; null at the start and if the viewer saw nothing of it.
    kind: Option<String>,
    /// A short description of the decision.
    text: Option<String>,
    /// The time in milliseconds since 1970; null at the start.
    at_ms: Option<i64>,
    /// The events that the viewer saw.
    events: Vec<Value>,
    /// The viewer's view afterwards: one view, or one for each seat. In a lean answer, only the
    /// fields that changed since the frame before.
    #[schema(value_type = Vec<Value>)]
    views: Vec<Box<RawValue>>,
    /// Each seat's chance to win in thousandths, if a bot was asked and has an evaluation.
    chances: Option<Vec<u16>>,
    /// The hash of the complete state afterwards.
    state_hash: String,
    /// The line of the record, from 1.
    line: u32,
}

/// The result of verifying a record.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReplayReport {
    /// The number of actions replayed.
    n_actions: u32,
    /// The hash of the state after the last action.
    state_hash: String,
    /// `chain` protects every byte, `hashes_only` only the course of the match.
    protection: String,
    /// `redrawn`, `opened`, `joint` or `promised`.
    chance: String,
}

/// The replay of a finished match.
#[utoipa::path(get, path = "/api/matches/{id}/replay", tag = "play",
    params(("id" = String, Path, description = "The match"), Shown),
    responses((status = 200, body = ReplayPage), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 408, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 422, body = ErrorBody),
        (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn of_match(
    State(server): State<Arc<Server>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Query(shown): Query<Shown>,
) -> Result<ReplayPage, ApiError> {
    let (stored, record) = matches::record_of(&server, &id).await?;
    let page = replay(&server, &caller, record.into(), shown).await?;
    // A record names no people; the stored match does, as long as they have accounts.
    Ok(ReplayPage {
        seats: stored.seats.into_iter().map(|seat| seat.name).collect(),
        ..page
    })
}

/// The replay of an uploaded record. Nothing of it is stored.
#[utoipa::path(post, path = "/api/replay", tag = "play", params(Shown),
    request_body(content = String, content_type = "application/jsonl"),
    responses((status = 200, body = ReplayPage), (status = 400, body = ErrorBody),
        (status = 408, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn of_file(
    State(server): State<Arc<Server>>,
    Extension(caller): Extension<Caller>,
    Query(shown): Query<Shown>,
    record: Result<Bytes, BytesRejection>,
) -> Result<ReplayPage, ApiError> {
    let too_long = || format!("the record is longer than {RECORD_BYTES_MAX} bytes");
    let record = record.map_err(|rejection| unread(&rejection, too_long))?;
    replay(&server, &caller, record, shown).await
}

async fn replay(
    server: &Server,
    caller: &Caller,
    record: Bytes,
    shown: Shown,
) -> Result<ReplayPage, ApiError> {
    let window = Window::read(&shown)?;
    let work = move |wanted: &Wanted| compute(&record, &window, wanted);
    let page = server.workshop.run(caller.peer(), work).await?;
    page.map_err(|fault| refused(&fault))
}

/// Sends frame by frame: the answer is never in memory twice, and each part is freed once sent.
impl IntoResponse for ReplayPage {
    fn into_response(mut self) -> Response {
        let frames = std::mem::take(&mut self.frames);
        match serde_json::to_vec(&self) {
            Ok(empty) => {
                let headers = [(header::CONTENT_TYPE, "application/json")];
                let parts = Body::new(Parts::filling(empty, frames));
                (headers, parts).into_response()
            }
            Err(_) => ApiError::internal().into_response(),
        }
    }
}

pub(super) fn refused(fault: &RecordFault) -> ApiError {
    ApiError::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "bad_record",
        fault.to_string(),
    )
    .with("line", fault.line)
    .with("code", fault.code)
}

/// The viewer of a replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Eyes {
    One(Viewer),
    Everybody,
}

/// The part of a record to show, and its viewer.
#[derive(Debug)]
struct Window {
    eyes: Eyes,
    name: String,
    from: u32,
    limit: u32,
    detail: Detail,
    judge: Option<String>,
}

/// The amount of each view to send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Detail {
    Whole,
    Changes,
}

impl Window {
    fn read(shown: &Shown) -> Result<Window, ApiError> {
        let name = shown.viewer.as_deref().unwrap_or("public");
        let eyes = match name {
            "public" => Some(Eyes::One(Viewer::Public)),
            "all" => Some(Eyes::Everybody),
            other => {
                let seat = other.parse().ok().and_then(Seat::new);
                seat.map(|seat| Eyes::One(Viewer::Seat(seat)))
            }
        };
        let Some(eyes) = eyes else {
            let message = "viewer must be public, all, or the number of a seat";
            return Err(ApiError::new(
                StatusCode::BAD_REQUEST,
                "unknown_viewer",
                message,
            ));
        };
        Ok(Window {
            eyes,
            name: name.to_owned(),
            from: shown.from.unwrap_or(0),
            limit: shown.limit.unwrap_or(FRAMES_MAX).min(FRAMES_MAX),
            detail: match shown.lean {
                Some(true) => Detail::Changes,
                _ => Detail::Whole,
            },
            judge: shown.judge.clone(),
        })
    }
}

fn compute(record: &[u8], window: &Window, wanted: &Wanted) -> Result<ReplayPage, RecordFault> {
    let mut reader = Reader::new();
    let (mut lines, torn) = split_lines(record);
    if !torn.is_empty() && record.len() == torn.len() {
        return Err(reader.torn(torn.len()));
    }
    let first = lines
        .next()
        .ok_or_else(|| at(1, "empty", "the record is empty"))?;
    let Line::Header(header) = reader.push(first)? else {
        return Err(at(1, "malformed_line", "the first line is not a header"));
    };
    let game: GameName = header
        .game
        .parse()
        .map_err(|error: catalog::UnknownGame| at(1, "wrong_game", error.to_string()))?;
    with_game!(game, G => play::<G>(&header, reader, lines, torn, (window, wanted)))
}

fn play<'a, G: Roster>(
    header: &Header,
    mut reader: Reader,
    lines: impl Iterator<Item = &'a [u8]>,
    torn: &[u8],
    (window, wanted): (&Window, &Wanted),
) -> Result<ReplayPage, RecordFault> {
    let mut replay = Replay::<G>::begin(header)?;
    check_seat(&replay, window)?;
    let mut film = Film::new(window);
    let mut judge = Judge::new(window, header)?;
    film.start(&replay, &mut judge)?;
    let (mut closing, mut chance): (Option<Box<Closing>>, _) = (None, None);
    for bytes in lines {
        if !wanted.still() {
            return Err(at(
                reader.n_lines(),
                "given_up",
                "the client has gone or the time is up",
            ));
        }
        match reader.push(bytes)? {
            Line::Action(line) => film.take(&mut replay, &mut judge, &line, reader.n_lines())?,
            Line::Closing(line) => {
                chance = Some(replay.close(&line, reader.n_lines())?);
                closing = Some(line);
            }
            Line::Header(_) => {}
        }
    }
    if !torn.is_empty() {
        return Err(reader.torn(torn.len()));
    }
    let report = replay.report(&reader, chance)?;
    let opening = closing.and_then(|line| line.closing.opening.clone());
    Ok(ReplayPage {
        game: G::NAME.to_owned(),
        match_id: header.game_id.to_string(),
        rules_version: header.rules_version.clone(),
        seats: header.seats.clone(),
        setup: value(&header.setup),
        viewer: window.name.clone(),
        n_frames: replay.n_actions() + 1,
        outcome: report.outcome.map(|outcome| value(&outcome)),
        commitment: match &header.rng_state {
            Source::Committed(commitment, _) => Some(commitment.to_string()),
            Source::Open(_) => None,
        },
        opening: opening.map(|opening| value(&opening)),
        report: replay_report(&report),
        frames: film.frames,
    })
}

fn check_seat<G: Recorded>(replay: &Replay<G>, window: &Window) -> Result<(), RecordFault> {
    let n_seats = replay.table().position().n_seats();
    match window.eyes {
        Eyes::One(Viewer::Seat(seat)) if seat.index() >= n_seats => Err(at(
            0,
            "unknown_viewer",
            format!("this match has {n_seats} seats, from 0"),
        )),
        _ => Ok(()),
    }
}

/// The requested frames of a replay.
struct Film<'a> {
    window: &'a Window,
    frames: Vec<Box<RawValue>>,
    n_bytes: usize,
    /// The views of the last frame, by their fields.
    shown: Vec<Fields>,
}

impl Film<'_> {
    fn new(window: &Window) -> Film<'_> {
        Film {
            window,
            frames: Vec::new(),
            n_bytes: 0,
            shown: Vec::new(),
        }
    }

    fn wants(&self, ply: u32) -> bool {
        ply >= self.window.from && ply - self.window.from < self.window.limit
    }

    fn start<G: Roster>(
        &mut self,
        replay: &Replay<G>,
        judge: &mut Judge<G>,
    ) -> Result<(), RecordFault> {
        if !self.wants(0) {
            return Ok(());
        }
        let views = self.views(replay);
        self.push(&ReplayFrame {
            ply: 0,
            seat: None,
            kind: None,
            text: None,
            at_ms: None,
            events: Vec::new(),
            views,
            chances: judge.chances(replay.table().position()),
            state_hash: replay.table().state_hash().to_string(),
            line: 1,
        })
    }

    fn take<G: Roster>(
        &mut self,
        replay: &mut Replay<G>,
        judge: &mut Judge<G>,
        line: &ActionLine,
        n_line: usize,
    ) -> Result<(), RecordFault> {
        let text = self.wants(line.action_id).then(|| text(replay, line));
        let events = replay.advance(line, n_line)?;
        let Some(text) = text else {
            return Ok(());
        };
        let events: Vec<Value> = events
            .iter()
            .filter_map(|event| self.seen(event, line.player_id))
            .collect();
        let own = line.player_id.is_none_or(|seat| match self.window.eyes {
            Eyes::One(viewer) => viewer.is(seat),
            Eyes::Everybody => true,
        });
        let told = own || !events.is_empty();
        let views = self.views(replay);
        self.push(&ReplayFrame {
            ply: line.action_id,
            seat: line.player_id.filter(|_| told),
            kind: told.then(|| line.kind.clone()),
            // A seat's action is hidden until an event reveals it.
            text: own.then_some(text),
            at_ms: Some(line.timestamp_utc.ms()),
            events,
            views,
            chances: judge.chances(replay.table().position()),
            state_hash: line.result.state_hash.to_string(),
            line: u32::try_from(n_line).unwrap_or(u32::MAX),
        })
    }

    /// Returns an event as the viewer saw it. For `all`, that is what the seat that caused it saw.
    fn seen<E: Event>(&self, event: &E, by: Option<Seat>) -> Option<Value> {
        let seen = match self.window.eyes {
            Eyes::One(viewer) => event.seen_by(viewer),
            Eyes::Everybody => {
                let everybody = by.into_iter().chain(Seat::first(kernel::SEATS_MAX));
                let mut views = everybody.map(|seat| event.seen_by(Viewer::Seat(seat)));
                views.find_map(|seen| seen)
            }
        };
        seen.map(|seen| value(&seen))
    }

    fn views<G: Recorded>(&mut self, replay: &Replay<G>) -> Vec<Box<RawValue>> {
        let position = replay.table().position();
        let views: Vec<Box<RawValue>> = match self.window.eyes {
            Eyes::One(viewer) => vec![raw(&position.view(viewer))],
            Eyes::Everybody => Seat::first(position.n_seats())
                .map(|seat| raw(&position.view(Viewer::Seat(seat))))
                .collect(),
        };
        match self.window.detail {
            Detail::Whole => views,
            Detail::Changes => self.changes(&views),
        }
    }

    /// Returns the fields of each view that changed since the frame before.
    fn changes(&mut self, views: &[Box<RawValue>]) -> Vec<Box<RawValue>> {
        let fields = |view: &RawValue| serde_json::from_str::<Fields>(view.get());
        let now: Vec<Fields> = views
            .iter()
            .map(|it| fields(it).unwrap_or_default())
            .collect();
        let before = std::mem::replace(&mut self.shown, now);
        let changed = self.shown.iter().enumerate().map(|(idx, now)| {
            let known = before.get(idx);
            let is_new = |key: &str, value: &RawValue| {
                let old = known.and_then(|it| it.get(key));
                old.is_none_or(|old| old.get() != value.get())
            };
            let fields = now.iter().filter(|(key, value)| is_new(key, value));
            raw(&fields.collect::<BTreeMap<_, _>>())
        });
        changed.collect()
    }

    fn push(&mut self, frame: &ReplayFrame) -> Result<(), RecordFault> {
        let frame = to_raw_value(frame)
            .map_err(|error| at(frame.line as usize, "cannot_write", error.to_string()))?;
        self.n_bytes += frame.get().len();
        if self.n_bytes > ANSWER_BYTES_MAX {
            let message =
                "this replay is too long for one answer: ask for parts with from and limit";
            return Err(at(0, "too_long", message));
        }
        self.frames.push(frame);
        Ok(())
    }
}

/// The fields of a view as written.
type Fields = BTreeMap<String, Box<RawValue>>;

/// Describes a line's decision in the game's own vocabulary.
fn text<G: Recorded>(replay: &Replay<G>, line: &ActionLine) -> String {
    if matches!(line.kind.as_str(), CHANCE | DEADLINE | LEAVE) {
        return format!("{} {}", line.kind, line.payload);
    }
    let mut faults = Faults::default();
    let payload = Node::root(&line.payload);
    let actions = replay
        .table()
        .position()
        .decode(&line.kind, &payload, &mut faults);
    let words = actions.unwrap_or_default();
    let words: Vec<String> = words.iter().map(ToString::to_string).collect();
    words.join(" ")
}

fn replay_report(report: &Report) -> ReplayReport {
    let code = |it: Value| it.as_str().unwrap_or_default().to_owned();
    ReplayReport {
        n_actions: report.n_actions,
        state_hash: report.state_hash.to_string(),
        protection: code(value(&report.protection)),
        chance: code(value(&report.chance)),
    }
}

fn raw(it: &impl Serialize) -> Box<RawValue> {
    to_raw_value(it).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

fn value(it: &impl Serialize) -> Value {
    serde_json::to_value(it).unwrap_or_default()
}

fn at(line: usize, code: &'static str, message: impl Into<String>) -> RecordFault {
    RecordFault {
        line,
        code,
        message: message.into(),
    }
}

#[cfg(test)]
mod tests;
