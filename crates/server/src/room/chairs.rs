//! The seats of a room, their connections, and the spectators.

use kernel::Viewer;
use session::{Disposition, Input, Message};
use store::Bound;
use wire::codes::{CloseCode, ErrorCode};
use wire::native::{MatchFound, ServerMessage, Watching};

use super::{Account, Conn, Join, Line, Ms, Room, Seat, ToRoom, WATCHERS_MAX};
use crate::committer::Stopped;
use crate::gateway::refusal;
use crate::hosted::Hosted;
use crate::voice::{Said, Speech, Voice, news};

pub(super) struct Chair<G: Hosted> {
    /// The account that plays the seat; `None` for a bot.
    pub(super) account: Option<Account>,
    pub(super) link: Option<Link<G>>,
    /// True if the account has left the match for good; it may be playing elsewhere.
    pub(super) is_left: bool,
    /// The version that must be durable before the account is released.
    pub(super) leaves_at: Option<u64>,
    /// The round in which a corrected draft was last logged.
    logged_in_round: Option<u32>,
}

/// A client in a seat.
pub(super) struct Link<G: Hosted> {
    pub(super) line: Line,
    pub(super) voice: Box<dyn Voice<G>>,
    pub(super) speech: Speech,
    pub(super) curtain: Curtain,
    /// The tokens of its account when it joined.
    pub(super) tokens: u64,
}

/// Controls whether a client receives what its seat may see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Curtain {
    /// It does.
    Open,
    /// Not until it has said which player sits in front of the screen.
    Drawn,
}

/// The circumstances in which a client takes a seat.
pub(super) struct Arrival {
    /// The number of its next message, if it was connected before.
    pub(super) next_seq: Option<u64>,
    /// True if the client resumes the match, false if the match begins for it.
    pub(super) resumed: bool,
    pub(super) tokens: u64,
    pub(super) curtain: Curtain,
}

pub(super) struct Watcher {
    pub(super) line: Line,
    /// The version of the first standing it received. News up to this version may still be in
    /// flight and must not be sent to it.
    pub(super) seen: u64,
}

/// A spectator who will receive a standing once that is durable.
pub(super) struct Arriving {
    /// The version that must be durable.
    due: u64,
    standing: String,
    pub(super) watcher: Watcher,
}

impl<G: Hosted> Chair<G> {
    pub(super) fn new(account: Option<Account>) -> Chair<G> {
        Chair {
            account,
            link: None,
            is_left: false,
            leaves_at: None,
            logged_in_round: None,
        }
    }
}

impl<G: Hosted> Link<G> {
    pub(super) fn send(&self, frames: Vec<String>) {
        for frame in frames {
            self.line.send(frame);
        }
    }
}

/// Stands for the connection of a player who never connected; older than any real one.
const NOBODY: Conn = Conn(0);

impl<G: Hosted> Room<G> {
    pub(super) async fn take(&mut self, letter: ToRoom) -> Result<(), Stopped> {
        match letter {
            ToRoom::Join(join) => self.join(*join).await,
            ToRoom::Gone { conn } => self.lose(conn).await,
            ToRoom::Absent { seat } => self.miss(seat).await,
            ToRoom::Say { conn, said, at } => self.receive(conn, said, at).await,
            ToRoom::Watch { line } => {
                self.watch(line);
                Ok(())
            }
            ToRoom::Unwatch { conn } => {
                self.unwatch(conn);
                Ok(())
            }
            ToRoom::Cancel => self.handle(Input::Cancel).await.map(drop),
            #[cfg(test)]
            ToRoom::Break => panic!("a test breaks this room"),
        }
    }

    fn seat_of(&self, conn: Conn) -> Option<Seat> {
        let has = |chair: &Chair<G>| matches!(&chair.link, Some(link) if link.line.conn() == conn);
        self.chairs.iter().position(has).and_then(Seat::new)
    }

    /// The seats that an account plays: several if people share its screen.
    pub(super) fn seats_of(&self, account: Account) -> Vec<Seat> {
        let own = |chair: &Chair<G>| chair.account == Some(account) && !chair.is_left;
        let seats = Seat::first(self.chairs.len());
        seats.filter(|it| own(&self.chairs[it.index()])).collect()
    }

    async fn join(&mut self, join: Join) -> Result<(), Stopped> {
        if let Some(seat) = self.seat_of(join.line.conn()) {
            return self.greet_again(seat, &join).await;
        }
        let seats = self.seats_of(join.account);
        let Some(seat) = self.front_of(&seats) else {
            self.tell_left(&join.line, join.speech);
            return Ok(());
        };
        // People at one screen have not all seen the same version, so nothing is resumed.
        let (resume, curtain) = match seats.len() {
            1 => (join.resume, Curtain::Open),
            _ => (None, Curtain::Drawn),
        };
        let arrival = Arrival {
            next_seq: resume.map(|(_, next_seq)| next_seq),
            resumed: join.resumed,
            tokens: join.tokens,
            curtain,
        };
        let Some((link, frames)) = self.link(seat, join.line, join.speech, &arrival) else {
            return Ok(());
        };
        link.send(frames);
        let conn = link.line.conn();
        let old = self.take_link(&seats);
        self.chairs[seat.index()].link = Some(link);
        let (seen, next_seq) = resume.unwrap_or((0, 0));
        let mut disposition = Disposition::Done;
        for &seat in &seats {
            let account = join.account;
            let input = Input::Connect {
                seat,
                conn,
                account,
                seen,
                next_seq,
            };
            disposition = self.handle(input).await?;
        }
        // After the end nothing is taken over: any client that joins receives the result.
        if disposition == Disposition::Done || self.closed {
            // Answers to the account's next requests, and this match in a new room, go to this
            // connection.
            self.server.hub.prefer(join.account, conn);
            if let Some((_, old)) = old {
                old.line.hang_up(CloseCode::TakenOver);
            }
            return Ok(());
        }
        // An older connection arrived late: the newer one keeps the seat.
        let late = self.take_link(&seats);
        if let Some((seat, old)) = old {
            self.chairs[seat.index()].link = Some(old);
        }
        if let Some((_, late)) = late {
            late.line.hang_up(CloseCode::TakenOver);
        }
        Ok(())
    }

    /// Sends a client that already sits here its seat again, and the standing if it may see it.
    async fn greet_again(&mut self, seat: Seat, join: &Join) -> Result<(), Stopped> {
        let Some(link) = &self.chairs[seat.index()].link else {
            return Ok(());
        };
        let (conn, curtain) = (link.line.conn(), link.curtain);
        let arrival = Arrival {
            next_seq: None,
            resumed: true,
            tokens: join.tokens,
            curtain,
        };
        let found = self.found(seat, conn, &arrival);
        if let Some(link) = &mut self.chairs[seat.index()].link {
            link.tokens = join.tokens;
            let frames = link.voice.found(&found);
            link.send(frames);
        }
        if curtain == Curtain::Drawn {
            return Ok(());
        }
        let seen = match self.seats_of(join.account).len() {
            1 => join.resume.map_or(0, |(seen, _)| seen),
            _ => 0,
        };
        let now = self.server.clock.now();
        self.receive(conn, Said::Resync { seen }, now).await
    }

    /// Creates the link of a client in a seat and its first frames, or `None` if the client cannot
    /// play the game.
    pub(super) fn link(
        &self,
        seat: Seat,
        line: Line,
        speech: Speech,
        arrival: &Arrival,
    ) -> Option<(Link<G>, Vec<String>)> {
        let found = self.found(seat, line.conn(), arrival);
        let Some(mut voice) = speech.voice::<G>(seat, &found) else {
            line.send(refusal(speech, ErrorCode::NotSeated));
            return None;
        };
        let frames = voice.found(&found);
        let link = Link {
            line,
            voice,
            speech,
            curtain: arrival.curtain,
            tokens: arrival.tokens,
        };
        Some((link, frames))
    }

    fn take_link(&mut self, seats: &[Seat]) -> Option<(Seat, Link<G>)> {
        let mut links = seats.iter().filter_map(|&seat| {
            let link = self.chairs[seat.index()].link.take()?;
            Some((seat, link))
        });
        links.next()
    }

    fn found(&self, seat: Seat, conn: Conn, arrival: &Arrival) -> MatchFound {
        let facts = &self.facts;
        let account = self.chairs[seat.index()].account;
        let own_seats = account.map(|it| self.seats_of(it)).unwrap_or_default();
        MatchFound {
            match_id: facts.match_id,
            game: facts.game,
            seat: seat.index() as u8,
            own_seats: own_seats.iter().map(|it| it.index() as u8).collect(),
            curtain: arrival.curtain == Curtain::Drawn,
            players: facts.players.clone(),
            stake: facts.stake,
            pot: facts.stake * facts.players.len() as u64,
            rated: facts.rated,
            stake_bound: facts.worth.stake.map(Bound::name),
            rating_bound: facts.worth.rating.map(Bound::name),
            tokens: arrival.tokens,
            commitment: facts.commitment,
            contributions: facts.contributions.clone(),
            seed_commitment: self.server.seed_offers.offered(conn),
            clock: facts.clock,
            next_seq: self
                .session
                .next_seq(seat)
                .max(arrival.next_seq.unwrap_or(1)),
            resumed: arrival.resumed,
            now_ms: self.server.clock.now(),
        }
    }

    /// Handles a lost connection. Losses directly behind it in the mailbox are judged together with
    /// it. Later messages keep their order, because a connection must not be lost before it has
    /// joined.
    async fn lose(&mut self, conn: Conn) -> Result<(), Stopped> {
        let mut gone = self.stand_up(conn).await?;
        let next = loop {
            match self.inbox.try_recv() {
                Ok(ToRoom::Gone { conn }) => gone.extend(self.stand_up(conn).await?),
                Ok(ToRoom::Unwatch { conn }) => self.unwatch(conn),
                other => break other.ok(),
            }
        };
        if !gone.is_empty() {
            self.handle(Input::Disconnect { gone }).await?;
        }
        match next {
            Some(letter) => Box::pin(self.take(letter)).await,
            None => Ok(()),
        }
    }

    /// Frees the seats of a connection and returns those that are now without one.
    async fn stand_up(&mut self, conn: Conn) -> Result<Vec<(Seat, Conn)>, Stopped> {
        self.unwatch(conn);
        self.hand_over(conn).await?;
        let Some(seat) = self.seat_of(conn) else {
            return Ok(Vec::new());
        };
        let chair = &mut self.chairs[seat.index()];
        chair.link = None;
        let Some(account) = chair.account else {
            return Ok(Vec::new());
        };
        let seats = self.seats_of(account).into_iter();
        Ok(seats.map(|seat| (seat, conn)).collect())
    }

    /// Hands the seat to a newer connection of the same account, if there is one. That connection
    /// said hello before the match existed, and its page waits for one.
    async fn hand_over(&mut self, conn: Conn) -> Result<(), Stopped> {
        let chair = self.seat_of(conn).map(|seat| &self.chairs[seat.index()]);
        let Some((Some(account), Some(link))) = chair.map(|it| (it.account, &it.link)) else {
            return Ok(());
        };
        let tokens = link.tokens;
        let hub = &self.server.hub;
        let Some(newer) = hub.successor(account, conn, |it| it.plays(G::NAME)) else {
            return Ok(());
        };
        let join = Join {
            account,
            line: newer.line,
            speech: newer.speech,
            resume: None,
            resumed: true,
            tokens,
        };
        self.join(join).await
    }

    /// Handles a player who was gone before the match began like one who leaves right after.
    async fn miss(&mut self, seat: Seat) -> Result<(), Stopped> {
        let Some(chair) = self.chairs.get(seat.index()) else {
            return Ok(());
        };
        let (Some(account), None) = (chair.account, &chair.link) else {
            return Ok(());
        };
        let connect = Input::Connect {
            seat,
            conn: NOBODY,
            account,
            seen: 0,
            next_seq: 0,
        };
        self.handle(connect).await?;
        let gone = vec![(seat, NOBODY)];
        self.handle(Input::Disconnect { gone }).await.map(drop)
    }

    async fn receive(&mut self, conn: Conn, said: Said, at: Ms) -> Result<(), Stopped> {
        let Some(seat) = self.seat_of(conn) else {
            return Ok(());
        };
        match said {
            Said::Sit { seat: wanted } => return self.sit(seat, wanted).await,
            Said::Chances => {
                self.ask_chances(seat);
                return Ok(());
            }
            _ => {}
        }
        let Some(link) = &mut self.chairs[seat.index()].link else {
            return Ok(());
        };
        if link.curtain == Curtain::Drawn {
            let refusal = wire::native::refuse(ErrorCode::WrongSeat, said.seq());
            link.line.send(refusal);
            return Ok(());
        }
        let say = match link.voice.receive(said) {
            None => return Ok(()),
            Some(Err(refusal)) => {
                link.line.send(refusal);
                return Ok(());
            }
            Some(Ok(say)) => say,
        };
        let disposition = self.handle_at(at, Input::Say { seat, conn, say }).await?;
        self.note(seat, disposition);
        Ok(())
    }

    /// Counts a rejected or corrected message. Logs a corrected one, at most once a round, so that a
    /// client cannot fill the log.
    fn note(&mut self, seat: Seat, disposition: Disposition) {
        let (kind, code) = match disposition {
            Disposition::Corrected(code) => ("corrected", code),
            Disposition::Refused(code) => ("refused", code),
            Disposition::Ignored(code) => ("ignored", code),
            Disposition::Late => ("late", "late"),
            Disposition::Duplicate => ("duplicate", "duplicate"),
            Disposition::Gap => ("gap", "gap"),
            _ => return,
        };
        metrics::counter!("referee_inputs_total", "verdict" => kind, "code" => code).increment(1);
        let round = self.session.position().turn_number();
        let chair = &mut self.chairs[seat.index()];
        let is_corrected = matches!(disposition, Disposition::Corrected(_));
        if is_corrected && chair.logged_in_round != Some(round) {
            chair.logged_in_round = Some(round);
            let account = chair.account.map(|account| account.0);
            let known = G::REFUSALS.iter().find(|(known, _)| *known == code);
            let sentence = known.map_or("", |(_, sentence)| *sentence);
            let tag = code.to_ascii_uppercase();
            tracing::warn!(
                match_id = %self.facts.match_id, account, round,
                "[{tag}_FROM_CLIENT] {sentence}"
            );
        }
    }

    fn watch(&mut self, line: Line) {
        if self.watchers.len() + self.arriving.len() >= WATCHERS_MAX {
            line.send(wire::native::refuse(ErrorCode::NotWatchable, None));
            return;
        }
        self.unwatch(line.conn());
        let now_ms = self.server.clock.now();
        let watching = Watching {
            match_id: self.facts.match_id,
            game: self.facts.game,
            players: self.facts.players.clone(),
            stake: self.facts.stake,
            commitment: self.facts.commitment,
            clock: self.facts.clock,
            now_ms,
        };
        line.send(ServerMessage::<()>::Watching(Box::new(watching)).write());
        let standing = self.session.standing(Viewer::Public, now_ms);
        let seen = match standing {
            Message::Standing { version, .. } => version,
            _ => 0,
        };
        self.arriving.push(Arriving {
            due: self.session.version(),
            standing: news(self.facts.match_id, standing),
            watcher: Watcher { line, seen },
        });
        self.let_watchers_in();
    }

    /// Sends arriving spectators their standing once it is durable.
    pub(super) fn let_watchers_in(&mut self) {
        let durable = self.session.durable();
        let mut at = 0;
        while at < self.arriving.len() {
            if self.arriving[at].due <= durable {
                let Arriving {
                    standing, watcher, ..
                } = self.arriving.swap_remove(at);
                watcher.line.send(standing);
                self.watchers.push(watcher);
            } else {
                at += 1;
            }
        }
    }

    fn unwatch(&mut self, conn: Conn) {
        self.watchers.retain(|it| it.line.conn() != conn);
        self.arriving.retain(|it| it.watcher.line.conn() != conn);
    }
}
