//! Referee's own protocol on a socket.

use std::sync::Arc;

use catalog::GameName;
use kernel::MatchId;
use store::AccountRow;
use wire::codes::ErrorCode;
use wire::native::{
    ClientMessage, Hello, Invited, PROTOCOL, QueueJoin, Queued, Refused, ServerMessage, Welcome,
    refuse,
};

use super::carrier::Carrier;
use super::socket::{Beat, Incoming, Socket};
use super::{Client, close_code, watch};
use crate::http::gate::Caller;
use crate::line::Line;
use crate::matchmaking::Wanted;
use crate::room::{RoomDoor, ToRoom};
use crate::secret;
use crate::server::Server;
use crate::voice::{Said, Speech};

type Says = ServerMessage<()>;

/// Unreadable messages before a socket is closed.
const MISREADS_MAX: u32 = 5;

/// Serves one socket to its end.
pub(super) async fn run(server: Arc<Server>, caller: Caller, carrier: Carrier) {
    let (mut socket, line) = Socket::open(&server, &caller, carrier, Beat::Frame);
    let mut visit = Visit {
        server,
        caller,
        line,
        client: None,
        watched: Vec::new(),
        n_misread: 0,
    };
    while let Some(heard) = socket.next().await {
        match heard {
            Incoming::TooMany => visit.line.send(refuse(ErrorCode::RateLimited, None)),
            Incoming::Text(text) => visit.receive(&text, &mut socket).await,
        }
    }
    visit.leave().await;
}

/// A socket and its account, once known.
struct Visit {
    server: Arc<Server>,
    caller: Caller,
    line: Line,
    client: Option<Client>,
    watched: Vec<RoomDoor>,
    n_misread: u32,
}

impl Visit {
    async fn receive(&mut self, text: &str, socket: &mut Socket) {
        let message = match ClientMessage::read(text) {
            Ok(message) => message,
            Err(misread) => {
                self.n_misread += 1;
                let refused = Refused {
                    code: misread.code(),
                    message: misread.to_string(),
                    seq: None,
                };
                self.line.send(Says::Error(refused).write());
                if self.n_misread > MISREADS_MAX {
                    self.line.hang_up(close_code(&misread));
                }
                return;
            }
        };
        let account = self.client.as_ref().map(|client| client.account);
        if account.is_some_and(|account| !self.server.limits.account(account)) {
            self.line
                .send(refuse(ErrorCode::RateLimited, seq_of(&message)));
            return;
        }
        let seq = seq_of(&message);
        if let Err(code) = self.obey(message, socket).await {
            self.line.send(refuse(code, seq));
        }
    }

    async fn obey(&mut self, message: ClientMessage, socket: &mut Socket) -> Result<(), ErrorCode> {
        match message {
            ClientMessage::Hello(hello) => {
                self.hello(hello).await?;
                socket.welcome();
                Ok(())
            }
            ClientMessage::Ping { at } => {
                let now_ms = self.server.clock.now();
                self.line.send(Says::Pong { at, now_ms }.write());
                Ok(())
            }
            ClientMessage::Watch { match_id } => {
                watch(&self.server, &self.line, &mut self.watched, match_id).await?;
                socket.welcome();
                Ok(())
            }
            ClientMessage::Unwatch { match_id } => {
                self.unwatch(match_id).await;
                self.line.send(Says::Unwatched { match_id }.write());
                Ok(())
            }
            other => {
                let client = self.client.as_mut().ok_or(ErrorCode::NotHello)?;
                client.obey(other).await
            }
        }
    }

    async fn hello(&mut self, hello: Hello) -> Result<(), ErrorCode> {
        if hello.protocol != PROTOCOL {
            return Err(ErrorCode::ProtocolVersion);
        }
        let visitor = match (&hello.ticket, &hello.token) {
            (Some(ticket), None) => self.server.visitor_of_ticket(ticket).await?,
            (None, Some(token)) => self.server.visitor_of_token(token).await?,
            _ => return Err(ErrorCode::Unauthorized),
        };
        let row = &visitor.row;
        let resume = hello.resume.map(|it| (it.match_id, it.seen, it.next_seq));
        let is_same = |it: &&mut Client| it.sign_in == visitor.sign_in.id;
        if let Some(client) = self.client.as_mut().filter(is_same) {
            // The same sign-in said hello again: it receives the standing again.
            client.greet(row, resume).await;
            return Ok(());
        }
        // The previous account on this socket leaves.
        if let Some(client) = self.client.take() {
            client.depart().await;
        }
        let mut client = Client::arrive(&self.server, &self.line, Speech::Native, &visitor);
        tracing::debug!(account = row.account.0, address = %self.caller.peer(), "hello");
        client.greet(row, resume).await;
        self.client = Some(client);
        Ok(())
    }

    async fn unwatch(&mut self, game_id: MatchId) {
        let conn = self.line.conn();
        let at = self
            .watched
            .iter()
            .position(|door| door.facts.match_id == game_id);
        if let Some(at) = at {
            let door = self.watched.remove(at);
            door.inbox.send(ToRoom::Unwatch { conn }).await.ok();
        }
    }

    async fn leave(self) {
        let conn = self.line.conn();
        for door in self.watched {
            door.inbox.send(ToRoom::Unwatch { conn }).await.ok();
        }
        if let Some(client) = self.client {
            client.depart().await;
        }
    }
}

impl Client {
    /// Welcomes an account. If the welcome names a match, the client then receives it.
    pub(super) async fn greet(&mut self, row: &AccountRow, resume: Option<(MatchId, u64, u64)>) {
        let way = loop {
            let way = self.way_in().await;
            let door = way.as_ref().map(|it| &it.door);
            let welcome = self.welcome(row, door.map(|it| it.facts.match_id));
            let welcome = Says::Welcome(welcome).write();
            if self.server.hub.welcome(self.conn(), door, welcome) {
                break way;
            }
        };
        if let Some(way) = way {
            self.take_seat(way, resume, row.tokens);
        }
    }

    fn welcome(&self, row: &AccountRow, match_id: Option<MatchId>) -> Welcome {
        Welcome {
            protocol: PROTOCOL,
            server: env!("CARGO_PKG_VERSION"),
            account_id: row.public_id.to_string(),
            nickname: row.nickname.as_ref().map(|it| it.shown.clone()),
            tokens: row.tokens,
            now_ms: self.server.clock.now(),
            match_id,
            seed_commitment: self.server.seed_offers.offer(self.conn()),
        }
    }

    async fn obey(&mut self, message: ClientMessage) -> Result<(), ErrorCode> {
        match message {
            ClientMessage::Contribute(it) => {
                let offers = &self.server.seed_offers;
                offers.contribute(self.conn(), it.commitment, it.contribution)
            }
            ClientMessage::QueueJoin(wanted) => self.queue_join(wanted).await,
            ClientMessage::QueueLeave {} => {
                if !self.server.hub.leave_queue(self.account) {
                    return Err(ErrorCode::NotQueued);
                }
                self.line.send(Says::Unqueued { reason: "left" }.write());
                Ok(())
            }
            ClientMessage::PlayBot(play) => self.play_bot(play.game, &play.bot).await,
            ClientMessage::InviteCreate(wanted) => self.invite(wanted).await,
            ClientMessage::InviteAccept { code } => self.accept_invitation(&code).await,
            ClientMessage::InviteCancel { code } => self.cancel_invitation(code).await,
            ClientMessage::Ask(ask) => {
                let said = Said::Ask {
                    seq: ask.seq,
                    ask: ask.ask.0,
                };
                self.say(Some(ask.match_id), said).await
            }
            ClientMessage::Consider(it) => {
                let (question, ask) = (it.question, it.ask.0);
                let said = Said::Consider { question, ask };
                self.say(Some(it.match_id), said).await
            }
            ClientMessage::LobbyJoin { code } => self.join_lobby(&code).await,
            ClientMessage::LobbyLeave { code } => {
                self.server.leave_lobby(self.account, &code).await
            }
            ClientMessage::Resign { match_id, seq } => {
                self.say(Some(match_id), Said::Resign { seq }).await
            }
            ClientMessage::Rematch { match_id } => self.want_rematch(match_id).await,
            ClientMessage::RematchDecline { match_id } => {
                let server = self.server();
                server.decline_rematch(self.account(), match_id).await
            }
            ClientMessage::Sit { match_id, seat } => {
                self.say(Some(match_id), Said::Sit { seat }).await
            }
            ClientMessage::Chances { match_id } => self.say(Some(match_id), Said::Chances).await,
            ClientMessage::Resync { match_id, seen } => {
                self.say(Some(match_id), Said::Resync { seen }).await
            }
            ClientMessage::Hello(_)
            | ClientMessage::Ping { .. }
            | ClientMessage::Watch { .. }
            | ClientMessage::Unwatch { .. } => Ok(()),
        }
    }

    async fn queue_join(&self, wanted: QueueJoin) -> Result<(), ErrorCode> {
        let wanted = self.server.wanted(wanted)?;
        let queued = |tokens| {
            let queued = Queued {
                game: wanted.game.as_str(),
                stake: wanted.stake,
                tokens,
            };
            Says::Queued(queued).write()
        };
        self.join_queue(wanted, queued).await
    }

    async fn invite(&self, wanted: QueueJoin) -> Result<(), ErrorCode> {
        let wanted = self.server.wanted(wanted)?;
        let code = secret::fresh_code();
        let expires_ms = self
            .server
            .add_invitation(self.account, wanted, &code)
            .await?;
        self.server.hub.prefer(self.account, self.conn());
        let invited = Invited {
            path: format!("/invite/{code}"),
            code,
            game: wanted.game.as_str(),
            stake: wanted.stake,
            expires_ms,
        };
        self.line.send(Says::Invited(invited).write());
        Ok(())
    }

    async fn cancel_invitation(&self, code: String) -> Result<(), ErrorCode> {
        self.server.cancel_invitation(self.account, &code).await?;
        self.line.send(Says::Uninvited { code }.write());
        Ok(())
    }

    async fn accept_invitation(&self, code: &str) -> Result<(), ErrorCode> {
        self.server
            .accept_invitation(self.account, self.conn(), code)
            .await
    }
}

impl Server {
    /// Reads the queue that a client wants, with the default stake filled in.
    fn wanted(&self, wanted: QueueJoin) -> Result<Wanted, ErrorCode> {
        let hosted = crate::hosted::games().any(|game: GameName| game == wanted.game);
        if !hosted {
            return Err(ErrorCode::UnknownGame);
        }
        let stake = wanted.stake.unwrap_or(self.config.stake);
        if !self.stakes().contains(&stake) {
            return Err(ErrorCode::WrongStake);
        }
        Ok(Wanted {
            game: wanted.game,
            stake,
        })
    }
}

fn seq_of(message: &ClientMessage) -> Option<u64> {
    match message {
        ClientMessage::Ask(ask) => Some(ask.seq),
        ClientMessage::Resign { seq, .. } => Some(*seq),
        _ => None,
    }
}
