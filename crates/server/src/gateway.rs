//! Sockets: one task each, which keeps messages in order in both directions.

mod carrier;
mod engineio;
mod handshake;
mod native;
mod polling;
mod socket;
mod socketio;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kernel::MatchId;
use session::{Account, Conn};
use store::SignInId;
use tokio::sync::mpsc::OwnedPermit;
use wire::codes::{CloseCode, ErrorCode};
use wire::native as protocol;

use self::carrier::Carrier;
pub(crate) use self::engineio::old_socket;
pub(crate) use self::handshake::Handshake;
pub(crate) use self::polling::Polls;
use crate::http::error::ApiError;
use crate::http::gate::Caller;
use crate::hub::Present;
use crate::line::Line;
use crate::matchmaking::{Waiting, Wanted};
use crate::room::{Join, RoomDoor, ToRoom};
use crate::server::Server;
use crate::sign_ins::Visitor;
use crate::start::{Order, Participant, Start};
use crate::voice::{Said, Speech};

/// `GET /ws`: Referee's own protocol.
pub(crate) async fn native_socket(
    State(server): State<Arc<Server>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    handshake: Handshake,
) -> Response {
    if is_foreign(&server, &headers) {
        let message =
            "pages of this origin cannot connect unless the operator adds it with --origin";
        let refused = ApiError::new(StatusCode::FORBIDDEN, "foreign_origin", message);
        return refused.into_response();
    }
    let frames = server.limits.frames();
    handshake.accept(frames, move |stream| {
        native::run(server, caller, Carrier::web(stream))
    })
}

/// True if a request comes from a page whose origin is not listed. Such a page must not use the
/// visitor's connection. Programs send no origin.
fn is_foreign(server: &Server, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return false;
    };
    let known = |it: &String| origin.as_bytes() == it.as_bytes();
    if server.origins.iter().any(known) {
        return false;
    }
    metrics::counter!("referee_foreign_origins_total").increment(1);
    true
}

/// A client whose account is known, in the task of its socket.
pub(crate) struct Client {
    server: Arc<Server>,
    line: Line,
    speech: Speech,
    account: Account,
    sign_in: SignInId,
    /// The room it last talked to.
    room: Option<RoomDoor>,
}

/// A reserved place in the mailbox of a room. The room waits for it, so it must be used or dropped
/// at once.
struct WayIn {
    door: RoomDoor,
    letter: OwnedPermit<ToRoom>,
}

/// The most matches that one connection may watch.
const WATCHED_MAX: usize = 8;

impl Client {
    /// Registers a connection whose account is now known.
    fn arrive(server: &Arc<Server>, line: &Line, speech: Speech, visitor: &Visitor) -> Client {
        let account = visitor.row.account;
        server.hub.arrive(Present {
            account,
            sign_in: visitor.sign_in.id,
            line: line.clone(),
            speech,
            // Old clients have already been greeted.
            is_welcome: speech == Speech::Old,
        });
        Client {
            server: Arc::clone(server),
            line: line.clone(),
            speech,
            account,
            sign_in: visitor.sign_in.id,
            room: None,
        }
    }

    pub(crate) fn conn(&self) -> Conn {
        self.line.conn()
    }

    pub(crate) fn server(&self) -> &Arc<Server> {
        &self.server
    }

    pub(crate) fn account(&self) -> Account {
        self.account
    }

    /// Returns a way to the seat that the account has in a running match, if any. A client that
    /// uses it receives the standing or the result, even if the match ends at this moment.
    async fn way_in(&self) -> Option<WayIn> {
        let door = self.server.hub.seat_of(self.account)?;
        let letter = door.inbox.clone().reserve_owned().await.ok()?;
        Some(WayIn { door, letter })
    }

    /// Takes the seat, or receives the standing again if the client already sits there.
    fn take_seat(&mut self, way: WayIn, resume: Option<(MatchId, u64, u64)>, tokens: u64) {
        let WayIn { door, letter } = way;
        let own = resume.filter(|(game_id, ..)| *game_id == door.facts.match_id);
        let join = Join {
            account: self.account,
            line: self.line.clone(),
            speech: self.speech,
            resume: own.map(|(_, seen, next_seq)| (seen, next_seq)),
            resumed: true,
            tokens,
        };
        letter.send(ToRoom::Join(Box::new(join)));
        self.room = Some(door);
    }

    /// Joins a queue and pairs waiting accounts. `queued` writes the confirmation from the
    /// account's balance.
    async fn join_queue(
        &self,
        wanted: Wanted,
        queued: impl FnOnce(u64) -> String,
    ) -> Result<(), ErrorCode> {
        if !self.server.takes_matches() {
            return Err(self.why_no_matches());
        }
        let (account, game) = (self.account, wanted.game.as_str());
        let found = self.server.readers.read(move |tx| {
            let tokens = tx.account(account)?.map_or(0, |row| row.tokens);
            Ok((tokens, tx.rating(account, game)?))
        });
        let (tokens, rating) = found.await.map_err(|_| ErrorCode::StorageUnavailable)?;
        if tokens < wanted.stake {
            return Err(ErrorCode::NotEnoughTokens);
        }
        let waiting = Waiting {
            account,
            conn: self.conn(),
            rating: rating.map_or(1_500, |it| it.rating.round() as i64),
            since: self.server.clock.now(),
        };
        let hub = &self.server.hub;
        let before = hub.join_queue(wanted, waiting, queued(tokens))?;
        if let Some(before) = before {
            tell_wait_is_over(&before, ErrorCode::AlreadyQueued);
        }
        let pairs = hub.pair(self.server.clock.now());
        self.server.begin_pairs(pairs);
        Ok(())
    }

    async fn play_bot(&self, game: catalog::GameName, bot: &str) -> Result<(), ErrorCode> {
        if !self.server.takes_matches() {
            return Err(self.why_no_matches());
        }
        let known = crate::hosted::bots_of(game)
            .iter()
            .any(|(name, _)| *name == bot);
        if !known {
            return Err(ErrorCode::UnknownBot);
        }
        let starting = self.server.set_aside(vec![self.account]);
        let mut starting = starting.map_err(|it| it.code)?;
        let order = Order {
            game,
            participants: vec![
                Participant::Person(self.account, self.conn()),
                Participant::Bot(bot.to_owned()),
            ],
            stake: 0,
            start: Start::Standard,
            invitation: None,
        };
        let begun = self.server.begin(&mut starting, order).await;
        begun.map(drop).map_err(|why| why.code())
    }

    pub(crate) fn why_no_matches(&self) -> ErrorCode {
        if self.server.hub.is_draining() {
            ErrorCode::Draining
        } else {
            ErrorCode::StorageUnavailable
        }
    }

    /// Sends a message to the match with this id, or to the one the account sits in.
    async fn say(&mut self, game_id: Option<MatchId>, said: Said) -> Result<(), ErrorCode> {
        let at = self.server.clock.now();
        let known = self.room.as_ref().filter(|door| {
            !door.inbox.is_closed() && game_id.is_none_or(|it| it == door.facts.match_id)
        });
        if known.is_none() {
            let found = self.server.hub.seat_of(self.account);
            let found = found.filter(|door| game_id.is_none_or(|it| it == door.facts.match_id));
            self.room = Some(found.ok_or(ErrorCode::NotSeated)?);
        }
        let conn = self.conn();
        let Some(door) = &self.room else {
            return Err(ErrorCode::NotSeated);
        };
        let sent = door.inbox.send(ToRoom::Say { conn, said, at }).await;
        sent.map_err(|_| ErrorCode::UnknownMatch)
    }

    /// Unregisters a connection that has ended.
    async fn depart(self) {
        let door = self.server.hub.depart(self.account, self.conn());
        let conn = self.conn();
        self.server.seed_offers.forget(conn);
        // While the server stops, the server disconnects, not the players.
        if self.server.hub.is_stopping() {
            return;
        }
        if let Some(door) = door {
            door.inbox.send(ToRoom::Gone { conn }).await.ok();
        }
    }
}

/// Watches a match, with or without an account.
async fn watch(
    server: &Server,
    line: &Line,
    watched: &mut Vec<RoomDoor>,
    game_id: MatchId,
) -> Result<(), ErrorCode> {
    let door = server.hub.room(game_id).ok_or(ErrorCode::UnknownMatch)?;
    watched.retain(|door| !door.inbox.is_closed() && door.facts.match_id != game_id);
    if watched.len() >= WATCHED_MAX {
        return Err(ErrorCode::NotWatchable);
    }
    let line = line.clone();
    let sent = door.inbox.send(ToRoom::Watch { line }).await;
    sent.map_err(|_| ErrorCode::UnknownMatch)?;
    watched.push(door);
    Ok(())
}

/// Writes a refusal in the client's protocol.
pub(crate) fn refusal(speech: Speech, code: ErrorCode) -> String {
    match speech {
        Speech::Native => protocol::refuse(code, None),
        Speech::Old => wire::old::error_msg(Some(code.code()), code.sentence()),
    }
}

/// Notifies a client that a request was refused and that it left the queue.
pub(crate) fn tell_unqueued(present: &Present, code: ErrorCode) {
    present.line.send(refusal(present.speech, code));
    tell_wait_is_over(present, code);
}

/// Notifies a client that it left the queue, and why.
pub(crate) fn tell_wait_is_over(present: &Present, code: ErrorCode) {
    let reason = code.code();
    present.line.send(match present.speech {
        Speech::Native => protocol::ServerMessage::<()>::Unqueued { reason }.write(),
        Speech::Old => wire::old::queue_left(),
    });
}

/// Returns the close code for a message that cannot be read.
fn close_code(misread: &wire::Misread) -> CloseCode {
    match misread {
        wire::Misread::TooLong => CloseCode::TooBig,
        wire::Misread::TooDeep | wire::Misread::Malformed(_) => CloseCode::Malformed,
        wire::Misread::Unsupported(_) => CloseCode::Unsupported,
    }
}
