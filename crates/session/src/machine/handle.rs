//! The handling of inputs.

use std::borrow::Cow;
use std::collections::BTreeSet;

use kernel::{Departure, Discard, GameExt, Refusal, Seat, SeatSet, Step, Turn, Viewer};

use super::{Session, everybody, slot};
use crate::event::Ack;
use crate::{Account, Conn, Disposition, Effect, Input, Live, Message, Ms, Reading, Say};

impl<G: Live> Session<G> {
    /// Handles an input at the host's time and appends the effects to `out`. The session's time
    /// never runs backward, but a message is judged by the time at which it was received.
    pub fn handle(&mut self, now: Ms, input: Input<G>, out: &mut Vec<Effect<G>>) -> Disposition {
        let now = self.time.read(now);
        let disposition = match input {
            Input::Connect {
                seat,
                conn,
                account,
                seen,
                next_seq,
            } => self.connect(now, (seat, conn, account), seen, next_seq, out),
            Input::Disconnect { gone } => self.disconnect(now, &gone, out),
            Input::Say { seat, conn, say } => self.say(now, seat, conn, &say, out),
            Input::Play { seat, actions } => self.play(now, seat, &actions, out),
            Input::Timer => self.timer_fired(now, out),
            Input::Stored { version } => {
                self.durable = self.durable.max(version.min(self.version));
                Disposition::Done
            }
            Input::Proved { probe } => self.proved(now, probe, out),
            Input::StorageLost { since } => self.storage_lost(now, since, out),
            Input::StorageBack => self.storage_back(now, out),
            Input::Cancel => self.cancel(now, out),
        };
        self.metrics.count(disposition);
        self.hurry(now, out);
        #[cfg(feature = "planted")]
        self.settle_again(now, disposition, out);
        self.release(now, out);
        self.set_timer(out);
        disposition
    }

    #[cfg(feature = "planted")]
    fn settle_again(&mut self, now: Ms, disposition: Disposition, out: &mut Vec<Effect<G>>) {
        if disposition == Disposition::Over && self.has_planted(super::Planted::DoubleSettle) {
            self.log_presence(now, out);
        }
    }

    fn connect(
        &mut self,
        now: Ms,
        (seat, conn, account): (Seat, Conn, Account),
        seen: u64,
        next_seq: u64,
        out: &mut Vec<Effect<G>>,
    ) -> Disposition {
        if self.terms.accounts.get(seat.index()) != Some(&Some(account)) {
            return Disposition::NotYours;
        }
        let Some(state) = self.seats.get_mut(seat.index()) else {
            return Disposition::NotYours;
        };
        match state.conn {
            Some(current) if current >= conn => return Disposition::Stale,
            Some(current) => {
                out.push(Effect::Hangup(current));
                self.metrics.n_takeovers += 1;
            }
            None => {}
        }
        state.last_seq = state.last_seq.max(next_seq.saturating_sub(1));
        self.come_back(now, seat, out);
        self.seats[seat.index()].conn = Some(conn);
        self.resync(now, seat, seen);
        Disposition::Done
    }

    /// Handles the return of a seat. The match continues with an event that says so or, if nobody
    /// was notified that it had paused, without one.
    pub(super) fn come_back(&mut self, now: Ms, seat: Seat, out: &mut Vec<Effect<G>>) {
        let held = self.clock.restart.is_some_and(|it| it.held);
        let paused = self.told_absent.contains(seat) && self.clock.may_return(seat, now);
        let told = held || paused;
        let logs = told && !self.is_stalled();
        let mut start = self.start(now);
        start.version -= u64::from(!logs);
        let continues = self.clock.back(seat, start);
        if continues && held {
            self.excused = self.not_returned();
        }
        if logs && (continues || !held) {
            self.log_presence(now, out);
        }
    }

    /// Sends a seat everything after a version, then the standing.
    fn resync(&mut self, now: Ms, seat: Seat, seen: u64) {
        let viewer = Viewer::Seat(seat);
        let n_seen = self.seen[slot(viewer, self.seats.len())];
        if seen > 0 && seen < n_seen {
            let news = self.history.iter().filter_map(|it| it.news(viewer));
            let later: Vec<Message<G>> = (1..)
                .zip(news)
                .skip(usize::try_from(seen).unwrap_or(usize::MAX))
                .map(|(version, news)| news.at_version(version))
                .collect();
            for message in later {
                self.tell(viewer, message);
            }
        }
        #[cfg(feature = "planted")]
        let viewer = self.leaky_viewer(viewer);
        let standing = self.standing_at(viewer, now);
        let viewer = Viewer::Seat(seat);
        self.tell(viewer, standing);
        if let Some(since_ms) = self.clock.stopped {
            self.tell(viewer, Message::Stalled { since_ms });
        }
        if let (Some(outcome), Some(settled)) = (self.outcome(), &self.settlement) {
            let tokens = settled.share(seat);
            self.tell(viewer, Message::Over { outcome, tokens });
        }
    }

    #[cfg(feature = "planted")]
    fn leaky_viewer(&self, viewer: Viewer) -> Viewer {
        match viewer {
            Viewer::Seat(seat) if self.has_planted(super::Planted::LeakedLayout) => {
                let other = Seat::first(self.seats.len()).find(|&other| other != seat);
                other.map_or(viewer, Viewer::Seat)
            }
            _ => viewer,
        }
    }

    fn disconnect(
        &mut self,
        now: Ms,
        gone: &[(Seat, Conn)],
        out: &mut Vec<Effect<G>>,
    ) -> Disposition {
        let mut lost = SeatSet::EMPTY;
        for &(seat, conn) in gone {
            let state = self.seats.get_mut(seat.index());
            if let Some(state) = state.filter(|state| state.conn == Some(conn)) {
                state.conn = None;
                lost = lost.with(seat);
            }
        }
        if lost.is_empty() {
            return Disposition::Stale;
        }
        if self.outcome().is_some() {
            return Disposition::Over;
        }
        let people = self.people();
        if self.n_accounts(people) < 2 {
            return Disposition::Done;
        }
        let mut at_once = false;
        for seat in lost.iter().filter(|&seat| people.contains(seat)) {
            let grace_ms = self.clock.grace(seat, &self.terms.policy);
            self.clock.pause(seat, now, grace_ms);
            at_once |= grace_ms == 0;
        }
        self.note_presence(now, out);
        if at_once {
            self.probe(now, out);
        }
        Disposition::Done
    }

    /// The number of accounts in these seats. People who share a screen share an account.
    pub(super) fn n_accounts(&self, seats: SeatSet) -> usize {
        let account = |seat: Seat| *self.terms.accounts.get(seat.index())?;
        let accounts: BTreeSet<_> = seats.iter().filter_map(account).collect();
        accounts.len()
    }

    pub(super) fn say(
        &mut self,
        now: Ms,
        seat: Seat,
        conn: Conn,
        say: &Say<G>,
        out: &mut Vec<Effect<G>>,
    ) -> Disposition {
        let Some(state) = self.seats.get(seat.index()) else {
            return Disposition::Stale;
        };
        if state.conn != Some(conn) {
            return Disposition::Stale;
        }
        let client_seq = match say {
            Say::Ask { client_seq, .. } | Say::Resign { client_seq } => *client_seq,
            Say::Resync { seen } => {
                self.resync(now, seat, *seen);
                return Disposition::Done;
            }
            Say::Consider { question, ask } => {
                self.consider(seat, *question, ask);
                return Disposition::Done;
            }
        };
        if client_seq <= state.last_seq {
            return self.answer_again(seat, client_seq);
        }
        if client_seq - 1 > state.last_seq {
            let expected = state.last_seq + 1;
            self.tell(Viewer::Seat(seat), Message::Gap { expected });
            return Disposition::Gap;
        }
        let disposition = self.judge(now, seat, client_seq, say, out);
        let code = match disposition {
            Disposition::Refused(code) | Disposition::Ignored(code) => code,
            Disposition::Late => "late",
            Disposition::Over => "match_over",
            _ => return disposition,
        };
        // A refusal that was logged has been answered with its event.
        if self.seats[seat.index()].last_seq < client_seq {
            self.answer(ack(seat, client_seq, Some(code), false));
        }
        disposition
    }

    fn answer_again(&mut self, seat: Seat, client_seq: u64) -> Disposition {
        let last = self.seats[seat.index()].last_ack.as_ref();
        let same = last.filter(|ack| ack.client_seq == client_seq);
        let (code, taken) = match same {
            Some(ack) => (ack.code.clone(), ack.taken),
            None => (Some(Cow::Borrowed("known")), false),
        };
        let message = Message::Ack {
            client_seq,
            code,
            taken,
        };
        self.tell(Viewer::Seat(seat), message);
        Disposition::Duplicate
    }

    /// Judges a new message, and applies it if it counts.
    fn judge(
        &mut self,
        now: Ms,
        seat: Seat,
        client_seq: u64,
        say: &Say<G>,
        out: &mut Vec<Effect<G>>,
    ) -> Disposition {
        if self.outcome().is_some() {
            return Disposition::Over;
        }
        if self.version - self.durable >= self.terms.policy.in_flight_max {
            return Disposition::Refused("busy");
        }
        let ask = match say {
            Say::Ask { ask, .. } => ask,
            Say::Resign { .. } if !self.position().present().contains(seat) => {
                return Disposition::Refused(Refusal::CannotLeave.code());
            }
            Say::Resign { .. } => {
                let ack = ack(seat, client_seq, None, true);
                self.leave(now, SeatSet::only(seat), Departure::Resign, Some(ack), out);
                return Disposition::Done;
            }
            Say::Resync { .. } | Say::Consider { .. } => return Disposition::Done,
        };
        let open = self.position().turn().open().contains(seat);
        let received = self.time.received;
        let late = open && self.clock.is_late(received);
        #[cfg(feature = "planted")]
        let late = late && !self.has_planted(super::Planted::LateTaken);
        if late {
            return self.hold_late(now, seat, client_seq, say, out);
        }
        let (actions, code, disposition) = match self.position().interpret(seat, ask) {
            Reading::Play(actions) => (actions, None, Disposition::Done),
            Reading::Corrected(action, code) => {
                (vec![action], Some(code), Disposition::Corrected(code))
            }
            Reading::Refused(code, Some(action)) => {
                (vec![action], Some(code), Disposition::Refused(code))
            }
            Reading::Refused(code, None) => return Disposition::Refused(code),
            Reading::Ignored(code) => return Disposition::Ignored(code),
        };
        if let Err(code) = self.try_out(seat, &actions) {
            return Disposition::Refused(code);
        }
        let taken = !matches!(disposition, Disposition::Refused(_));
        let ack = ack(seat, client_seq, code, taken);
        let steps: Vec<_> = actions.iter().map(|&it| Step::Play(seat, it)).collect();
        self.clock.seats[seat.index()].n_missed = 0;
        self.step(now, &steps, Some(ack), out);
        disposition
    }

    /// Plays a bot's decision. The host may play only for seats without people.
    fn play(
        &mut self,
        now: Ms,
        seat: Seat,
        actions: &[G::Action],
        out: &mut Vec<Effect<G>>,
    ) -> Disposition {
        if self.outcome().is_some() {
            return Disposition::Over;
        }
        if self.terms.policy.people.contains(seat) {
            return Disposition::NotYours;
        }
        if let Err(code) = self.try_out(seat, actions) {
            return Disposition::Refused(code);
        }
        let steps: Vec<_> = actions.iter().map(|&it| Step::Play(seat, it)).collect();
        self.step(now, &steps, None, out);
        Disposition::Done
    }

    /// Expires the deadline when only bots are left to decide and all of them have decided.
    fn hurry(&mut self, now: Ms, out: &mut Vec<Effect<G>>) {
        let people = self.terms.policy.people;
        let bots = SeatSet::first(self.seats.len())
            .iter()
            .filter(|&seat| !people.contains(seat))
            .collect();
        let decided = match self.position().turn() {
            Turn::Sealed(it) => it.missing.is_empty() && it.open.is_subset(bots),
            _ => false,
        };
        if decided && !self.clock.is_held() {
            self.step(now, &[Step::Deadline], None, out);
        }
    }

    /// Checks that actions in a row are legal and make up a whole line of the record.
    fn try_out(&self, seat: Seat, actions: &[G::Action]) -> Result<(), &'static str> {
        let trial = self.tried(seat, actions)?;
        let whole = !actions.is_empty() && !trial.line_open_for(seat);
        whole.then_some(()).ok_or("incomplete_action")
    }

    /// The position after actions in a row that belong to one line of the record.
    fn tried(&self, seat: Seat, actions: &[G::Action]) -> Result<G, &'static str> {
        let mut trial = self.position().clone();
        for (idx, &action) in actions.iter().enumerate() {
            if idx > 0 && !trial.line_open_for(seat) {
                return Err("one_decision_at_a_time");
            }
            let played = trial.play(seat, action, &mut Discard);
            played.map_err(|refusal| refusal.code())?;
        }
        Ok(trial)
    }

    /// Answers what could follow the beginning of a decision. The result of a whole decision is not
    /// shown, because it may reveal chance or what others hide.
    fn consider(&mut self, seat: Seat, question: u64, ask: &G::Ask) {
        let actions = match self.position().interpret(seat, ask) {
            Reading::Play(actions) => Ok(actions),
            Reading::Corrected(action, _) => Ok(vec![action]),
            Reading::Refused(code, _) | Reading::Ignored(code) => Err(code),
        };
        let tried = actions.and_then(|actions| {
            let trial = self.tried(seat, &actions)?;
            let whole = !actions.is_empty() && !trial.line_open_for(seat);
            let legal = if whole {
                Vec::new()
            } else {
                trial.legal_words(seat)
            };
            Ok((whole, legal))
        });
        let code = tried.as_ref().err().copied();
        let (whole, legal) = tried.unwrap_or_default();
        let options = Message::Options {
            question,
            code,
            whole,
            legal,
        };
        self.tell(Viewer::Seat(seat), options);
    }

    fn cancel(&mut self, now: Ms, out: &mut Vec<Effect<G>>) -> Disposition {
        if self.outcome().is_some() {
            return Disposition::Over;
        }
        let seats = everybody(self);
        self.leave(now, seats, Departure::Cancel, None, out);
        Disposition::Done
    }

    pub(super) fn leave(
        &mut self,
        now: Ms,
        seats: SeatSet,
        cause: Departure,
        ack: Option<Ack>,
        out: &mut Vec<Effect<G>>,
    ) {
        let present = self.position().present();
        let seats: SeatSet = seats.iter().filter(|&it| present.contains(it)).collect();
        if self.position().check(&Step::Leave(seats, cause)).is_ok() {
            self.step(now, &[Step::Leave(seats, cause)], ack, out);
        }
    }
}

pub(super) fn ack(seat: Seat, client_seq: u64, code: Option<&'static str>, taken: bool) -> Ack {
    Ack {
        seat,
        client_seq,
        code: code.map(Cow::Borrowed),
        taken,
    }
}
