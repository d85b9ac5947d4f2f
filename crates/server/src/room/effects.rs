//! Carries out the effects of a session.

use kernel::{Seat, Viewer};
use session::{Conn, Effect, Event, Input, Message};
use tokio_tungstenite::tungstenite::Utf8Bytes;
use wire::codes::CloseCode;
use wire::native::MatchEnd;

use super::Room;
use super::chairs::Curtain;
use crate::closing::{self, Closing, Ended};
use crate::committer::Stopped;
use crate::hosted::Hosted;
use crate::start::name_in_lists;
use crate::voice::{Native, Voice, news};

impl<G: Hosted> Room<G> {
    pub(super) async fn carry_out(&mut self, effects: Vec<Effect<G>>) -> Result<(), Stopped> {
        self.let_watchers_in();
        let mut over = false;
        for effect in effects {
            match effect {
                Effect::Persist(event) => self.persist(event).await?,
                Effect::Send(Viewer::Seat(seat), message) => self.tell(seat, message),
                Effect::Send(Viewer::Public, message) => self.tell_public(message),
                Effect::Hangup(conn) => self.hang_up(conn),
                Effect::SetTimer(due) => self.timer = due,
                Effect::Probe(probe) => {
                    let answer = self.server.committer.begin(|_| Ok(())).await?;
                    self.proof = Some((probe, answer));
                }
                // The end is the last message, also for clients that joined just before it.
                Effect::Closed => over = true,
            }
        }
        if over {
            self.close();
        }
        Ok(())
    }

    async fn persist(&mut self, event: Event) -> Result<(), Stopped> {
        let game_id = self.session.game_id();
        let Some(settlement) = event.settlement else {
            let committer = &self.server.committer;
            return committer
                .append(game_id, event.version, event.bytes, &self.durable)
                .await;
        };
        let Some(outcome) = self.session.outcome() else {
            return Ok(());
        };
        let closing = Closing {
            game_id,
            game: self.facts.game,
            mode: self.facts.mode,
            accounts: self.chairs.iter().map(|chair| chair.account).collect(),
            names: self.facts.players.iter().map(name_in_lists).collect(),
            outcome,
            settlement,
            rounds: self.session.position().turn_number(),
            rated: self.facts.rated,
            played: self.session.position().turn_number() >= G::PLAYED_FROM,
            has_leagues: G::HAS_LEAGUES,
            version: event.version,
            bytes: event.bytes,
            at: self.server.clock.now(),
        };
        let work = move |tx: &mut store::Tx<'_>| closing::close(tx, &closing);
        self.ending = Some(self.server.committer.begin(work).await?);
        Ok(())
    }

    /// Continues once the closing transaction is durable.
    pub(super) async fn settled(&mut self, ended: Result<Ended, Stopped>) -> Result<(), Stopped> {
        self.ending = None;
        self.ended = Some(ended?);
        let version = self.session.version();
        self.handle(Input::Stored { version }).await.map(drop)
    }

    fn tell(&mut self, seat: Seat, message: Message<G>) {
        let now = self.server.clock.now();
        let chair = self.chairs.get_mut(seat.index());
        let link = chair.and_then(|chair| chair.link.as_mut());
        if let Some(link) = link.filter(|it| it.curtain == Curtain::Open) {
            let frames = link.voice.tell(message, now);
            link.send(frames);
        }
    }

    fn tell_public(&mut self, message: Message<G>) {
        if self.watchers.is_empty() {
            return;
        }
        let version = match message {
            Message::News { version, .. } => version,
            // A standing older than the spectator's first one is not sent; one of the same version
            // would repeat it.
            Message::Standing { version, .. } => version,
            _ => u64::MAX,
        };
        let frame = Utf8Bytes::from(news(self.facts.match_id, message));
        for watcher in self.watchers.iter().filter(|it| it.seen < version) {
            watcher.line.send(frame.clone());
        }
    }

    fn hang_up(&mut self, conn: Conn) {
        let links = self.chairs.iter().filter_map(|chair| chair.link.as_ref());
        for link in links.filter(|link| link.line.conn() == conn) {
            link.line.hang_up(CloseCode::TakenOver);
        }
    }

    fn close(&mut self) {
        self.closed = true;
        let accounts = self.chairs.iter().filter_map(|chair| chair.account);
        self.server.hub.free(self.session.game_id(), accounts);
        self.tell_end();
        self.log_end();
    }

    /// Sends the result to every connected client, once.
    pub(super) fn tell_end(&mut self) {
        let ended = self.ended.clone().unwrap_or_default();
        for idx in 0..self.chairs.len() {
            let Some(seat) = Seat::new(idx) else { continue };
            let end = self.end(Some(seat), &ended);
            if let (Some(mut link), Some(end)) = (self.chairs[idx].link.take(), end) {
                let frames = link.voice.end(&end);
                link.send(frames);
            }
        }
        let watchers = std::mem::take(&mut self.watchers);
        if let Some(end) = self.end(None, &ended) {
            let mut public = Native::new(self.facts.match_id);
            for frame in Voice::<G>::end(&mut public, &end) {
                let frame = Utf8Bytes::from(frame);
                watchers.iter().for_each(|it| it.line.send(frame.clone()));
            }
        }
    }

    fn end(&self, seat: Option<Seat>, ended: &Ended) -> Option<MatchEnd> {
        let outcome = self.session.outcome()?;
        let own = seat.and_then(|seat| ended.seats.get(seat.index()).copied().flatten());
        let share = seat.and_then(|seat| self.session.share(seat)).unwrap_or(0);
        let match_id = self.facts.match_id;
        Some(MatchEnd {
            match_id,
            outcome,
            share,
            tokens: own.map(|own| own.tokens),
            opening: self.session.terms().opening.clone(),
            standing: own.and_then(|own| own.standing),
            record: format!("/api/matches/{match_id}/record"),
        })
    }

    fn log_end(&self) {
        let Some(outcome) = self.session.outcome() else {
            return;
        };
        let (game, reason) = (self.facts.game, outcome.reason.0);
        let verdict = outcome.verdict.code();
        metrics::counter!("referee_matches_ended_total", "game" => game, "result" => verdict, "reason" => reason)
            .increment(1);
        let rounds = self.session.position().turn_number();
        tracing::info!(match_id = %self.facts.match_id, game, verdict, reason, rounds, "match over");
    }
}
