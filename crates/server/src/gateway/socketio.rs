//! Socket.IO on a socket, with the events of old clients.

use std::sync::Arc;

use wire::codes::{CloseCode, ErrorCode};
use wire::old::{self, ClientEvent as Event, HelloOk, Unreadable};
use wire::socketio::{self, Packet};
use wire::{MESSAGE_BYTES_MAX, Misread, engineio};

use super::carrier::Carrier;
use super::socket::{Beat, Incoming, PING_EVERY_MS, PONG_WITHIN_MS, Socket};
use super::{Client, close_code};
use crate::http::gate::Caller;
use crate::line::Line;
use crate::matchmaking::Wanted;
use crate::old_clients::GAME;
use crate::server::Server;
use crate::voice::{Said, Speech};
use crate::{ratings, secret};

/// The bot that old clients play against.
const OLD_BOT: &str = "random";

/// Serves one socket to its end.
pub(super) async fn run(server: Arc<Server>, caller: Caller, carrier: Carrier, sid: &str) {
    let open = engineio::Open {
        sid,
        upgrades: carrier.upgrades(),
        ping_interval: PING_EVERY_MS,
        ping_timeout: PONG_WITHIN_MS,
        max_payload: MESSAGE_BYTES_MAX,
    };
    let beat = Beat::Text(engineio::PING);
    let (mut socket, line) = Socket::open(&server, &caller, carrier, beat);
    line.send(open.write());
    let mut visit = Visit {
        server,
        caller,
        line,
        client: None,
        entered: false,
    };
    while let Some(heard) = socket.next().await {
        match heard {
            Incoming::TooMany => visit.refuse(ErrorCode::RateLimited),
            Incoming::Text(text) => match Packet::read(&text) {
                Ok(packet) => visit.take(packet, &mut socket).await,
                Err(misread) => visit.misread(&misread),
            },
        }
    }
    if let Some(client) = visit.client {
        client.depart().await;
    }
}

/// A socket and its account, once known.
struct Visit {
    server: Arc<Server>,
    caller: Caller,
    line: Line,
    client: Option<Client>,
    entered: bool,
}

impl Visit {
    /// Disconnects a client whose frames cannot be read: it is not a Socket.IO client.
    fn misread(&self, misread: &Misread) {
        metrics::counter!("referee_misread_frames_total", "code" => misread.code()).increment(1);
        self.line.hang_up(close_code(misread));
    }

    fn refuse(&self, code: ErrorCode) {
        self.line
            .send(old::error_msg(Some(code.code()), code.sentence()));
    }

    async fn take(&mut self, packet: Packet<'_>, socket: &mut Socket) {
        match packet {
            Packet::Connect if self.entered => {}
            Packet::Connect => {
                self.entered = true;
                socket.await_hello();
                self.line
                    .send(socketio::connected_frame(&secret::fresh_code()));
            }
            Packet::Ping(rest) => self.line.send(format!("3{rest}")),
            Packet::Pong
            | Packet::Noop
            | Packet::Upgrade
            | Packet::Ack
            | Packet::ForeignNamespace => {}
            Packet::ForeignConnect(namespace) => {
                self.line.send(socketio::no_such_namespace_frame(namespace));
            }
            Packet::Close | Packet::Disconnect => self.line.hang_up(CloseCode::Normal),
            Packet::Event { .. } if !self.entered => self.line.hang_up(CloseCode::Protocol),
            Packet::Event { name, payload, ack } => {
                let event = Event::read(&name, payload);
                self.receive(event).await;
                if self.client.is_some() {
                    socket.welcome();
                }
                if let Some(id) = ack {
                    self.line.send(socketio::ack_frame(id));
                }
            }
        }
    }

    async fn receive(&mut self, event: Result<Event, Unreadable>) {
        let event = match event {
            Ok(event) => event,
            Err(Unreadable::Unauthorized) => {
                self.line.send(old::error_msg(None, old::UNAUTHORIZED));
                return;
            }
            Err(_) => {
                metrics::counter!("referee_unknown_events_total").increment(1);
                return;
            }
        };
        match event {
            Event::Hello { token, .. } => self.hello(&token).await,
            Event::QueueLeave => {
                if let Some(client) = &self.client {
                    self.server.hub.leave_queue(client.account);
                }
                self.line.send(old::queue_left());
            }
            Event::QueueJoin => self.queue_join().await,
            Event::PveStart => self.pve_start().await,
            Event::Draft { .. } | Event::Confirm { .. } => {
                let Some(client) = &mut self.client else {
                    return;
                };
                let names_match = matches!(
                    &event,
                    Event::Confirm {
                        match_id: Some(_),
                        ..
                    }
                );
                let said = client.say(None, Said::Old(event)).await;
                // Outside a match, a layout is ignored as on the old server, unless the client
                // believes that it sits in one.
                if said.is_err() && names_match {
                    self.refuse(ErrorCode::UnknownMatch);
                }
            }
        }
    }

    /// Signs a client in. The session id that old clients choose is ignored: a seat belongs to an
    /// account.
    async fn hello(&mut self, token: &str) {
        let visitor = match self.server.visitor_of_token(token).await {
            Ok(visitor) => visitor,
            Err(ErrorCode::Unauthorized) => {
                self.line.send(old::error_msg(None, old::UNAUTHORIZED));
                return;
            }
            Err(code) => return self.refuse(code),
        };
        let row = &visitor.row;
        let sign_in = visitor.sign_in.id;
        if let Some(client) = self.client.take_if(|it| it.sign_in != sign_in) {
            client.depart().await;
        }
        let account = row.account;
        let rating = self
            .server
            .readers
            .read(move |tx| tx.rating(account, GAME.as_str()))
            .await;
        let points = rating.ok().flatten().map_or(0, |it| it.league);
        self.line.send(old::hello_ok(&HelloOk {
            tokens: row.tokens,
            nickname: row.nickname.as_ref().map(|it| it.shown.as_str()),
            language: &row.language,
            avatar: &row.avatar,
            rating: points,
            league_key: ratings::league(points),
        }));
        if self.client.is_none() {
            let mut client = Client::arrive(&self.server, &self.line, Speech::Old, &visitor);
            tracing::debug!(account = account.0, address = %self.caller.peer(), "hello over Socket.IO");
            if let Some(way) = client.way_in().await {
                client.take_seat(way, None, row.tokens);
            }
            self.client = Some(client);
        }
    }

    async fn queue_join(&mut self) {
        let Some(client) = &self.client else {
            self.line.send(old::error_msg(None, old::HELLO_FIRST));
            return;
        };
        let wanted = Wanted {
            game: GAME,
            stake: self.server.config.stake,
        };
        match client.join_queue(wanted, old::queue_ok).await {
            Ok(()) => {}
            // Like the old server, this ignores an account that already plays or waits.
            Err(ErrorCode::AlreadyInMatch | ErrorCode::AlreadyQueued) => {}
            Err(code) => self.refuse(code),
        }
    }

    async fn pve_start(&mut self) {
        let Some(client) = &self.client else {
            self.line.send(old::error_msg(None, old::HELLO_FIRST));
            return;
        };
        match client.play_bot(GAME, OLD_BOT).await {
            Ok(()) => {}
            Err(ErrorCode::AlreadyInMatch) => {
                let code = ErrorCode::AlreadyInMatch.code();
                self.line
                    .send(old::error_msg(Some(code), old::ALREADY_IN_MATCH));
            }
            Err(code) => self.refuse(code),
        }
    }
}
