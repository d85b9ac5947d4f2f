//! Deadlines and grace periods that expire, and when they may.
//!
//! The clock judges nobody on faith: before a deadline or a grace period expires, the host proves
//! that storage takes writes. An outage that began before the deadline is therefore noticed before
//! anybody is judged, however late the host learns of it.

use kernel::{Departure, Seat, SeatSet, Step, Turn, Viewer};

use super::handle::ack;
use super::{Session, everybody};
use crate::clock::Due;
use crate::event::Happened;
use crate::{Conn, Disposition, Effect, Live, Message, Ms, Say, Wait};

/// The judgments that wait for proof that storage takes writes.
pub(crate) struct Proof<G: Live> {
    n_asked: u64,
    /// The time at which the pending proof was requested.
    asked_at: Option<Ms>,
    /// Messages after the deadline, at most one for each seat. They are late if the clock ran.
    late: Vec<Late<G>>,
}

struct Late<G: Live> {
    seat: Seat,
    conn: Conn,
    client_seq: u64,
    say: Say<G>,
}

impl<G: Live> Default for Proof<G> {
    fn default() -> Proof<G> {
        Proof {
            n_asked: 0,
            asked_at: None,
            late: Vec::new(),
        }
    }
}

impl<G: Live> Proof<G> {
    pub(crate) fn is_asked(&self) -> bool {
        self.asked_at.is_some()
    }
}

impl<G: Live> Session<G> {
    pub(super) fn timer_fired(&mut self, now: Ms, out: &mut Vec<Effect<G>>) -> Disposition {
        match self.clock.due(&self.position().turn()) {
            None => return Disposition::Ignored("no_timer"),
            Some((due, _)) if due > now => {
                // The host's timer fired early, or was set for an older deadline: set it again.
                self.timer = None;
                return Disposition::Ignored("early_timer");
            }
            Some((_, Due::Pace)) => self.step(now, &[Step::Deadline], None, out),
            #[cfg(feature = "planted")]
            Some((_, due)) if self.has_planted(super::Planted::DowntimeCounts) => {
                self.expire(now, now, due, out);
            }
            Some(_) => self.probe(now, out),
        }
        Disposition::Done
    }

    /// Requests proof that storage takes writes, unless a request is pending.
    pub(super) fn probe(&mut self, now: Ms, out: &mut Vec<Effect<G>>) {
        if self.proof.is_asked() || self.is_stalled() {
            return;
        }
        self.proof.n_asked += 1;
        self.proof.asked_at = Some(now);
        out.push(Effect::Probe(self.proof.n_asked));
    }

    /// Storage took a write after the probe, so the clock ran until then.
    pub(super) fn proved(&mut self, now: Ms, probe: u64, out: &mut Vec<Effect<G>>) -> Disposition {
        let asked_at = self.proof.asked_at.filter(|_| probe == self.proof.n_asked);
        let Some(asked_at) = asked_at else {
            return Disposition::Ignored("old_probe");
        };
        self.proof.asked_at = None;
        for late in std::mem::take(&mut self.proof.late) {
            let answered = self.seats[late.seat.index()].last_seq >= late.client_seq;
            if !answered {
                self.answer(ack(late.seat, late.client_seq, Some("late"), false));
                self.metrics.count(Disposition::Late);
            }
        }
        // Anything due one tick later was already due when the proof was requested: the case of a
        // lost connection without a grace period.
        let due = self.clock.due(&self.position().turn());
        if let Some((_, due)) = due.filter(|(at, _)| *at <= asked_at + 1) {
            self.expire(now, asked_at + 1, due, out);
        }
        Disposition::Done
    }

    fn expire(&mut self, now: Ms, judged_at: Ms, due: Due, out: &mut Vec<Effect<G>>) {
        let turn = self.position().turn();
        match due {
            Due::Pace => self.step(now, &[Step::Deadline], None, out),
            Due::Deadline => self.deadline(now, &turn, out),
            Due::Grace => {
                let overdue = self.clock.overdue(judged_at);
                self.leave(now, overdue, Departure::Disconnect, None, out);
            }
            Due::Return => self.end_rejoining(now, out),
        }
    }

    /// Keeps a message that came after the deadline until storage has proved that the clock ran.
    pub(super) fn hold_late(
        &mut self,
        now: Ms,
        seat: Seat,
        client_seq: u64,
        say: &Say<G>,
        out: &mut Vec<Effect<G>>,
    ) -> Disposition {
        #[cfg(feature = "planted")]
        if self.has_planted(super::Planted::DowntimeCounts) {
            return Disposition::Late;
        }
        let Some(conn) = self.seats[seat.index()].conn else {
            return Disposition::Stale;
        };
        self.proof.late.retain(|late| late.seat != seat);
        self.proof.late.push(Late {
            seat,
            conn,
            client_seq,
            say: say.clone(),
        });
        self.probe(now, out);
        Disposition::Held
    }

    fn deadline(&mut self, now: Ms, turn: &Turn, out: &mut Vec<Effect<G>>) {
        let excused = self.excused;
        let (absent, missing): (Vec<_>, Vec<_>) =
            (turn.missing().iter()).partition(|seat| excused.contains(*seat));
        for seat in absent {
            if let Some(action) = self.position().excuse(seat) {
                self.step(now, &[Step::Play(seat, action)], None, out);
            }
        }
        let missing: SeatSet = missing.into_iter().collect();
        let gone = self.out_of_misses(missing);
        if !gone.is_empty() {
            self.leave(now, gone, Departure::Timeout, None, out);
        }
        // With several seats the match may continue without those who left. The deadline holds for
        // the others too, unless the departure opened a new wait.
        let still_due = matches!(self.clock.wait, Wait::Until(deadline) if deadline < now);
        if gone.is_empty() || still_due {
            // Counted with the event of the deadline, so that a crash undoes both or neither.
            for seat in missing.iter() {
                let clock = &mut self.clock.seats[seat.index()];
                clock.n_missed = clock.n_missed.saturating_add(1);
            }
            self.step(now, &[Step::Deadline], None, out);
        }
    }

    /// The seats for which another missed deadline in a row is one too many.
    fn out_of_misses(&self, missing: SeatSet) -> SeatSet {
        let max = self.terms.policy.misses_max;
        let misses = |seat: Seat| self.clock.seats[seat.index()].n_missed.saturating_add(1);
        let is_out = |seat: &Seat| max.is_some_and(|max| misses(*seat) >= max);
        missing.iter().filter(is_out).collect()
    }

    /// Ends the time to return after a restart. A match that nobody has returned to is void;
    /// otherwise those who have not returned have lost their connection.
    fn end_rejoining(&mut self, now: Ms, out: &mut Vec<Effect<G>>) {
        let Some(restart) = self.clock.restart.take() else {
            return;
        };
        if restart.held {
            let seats = everybody(self);
            self.leave(now, seats, Departure::Cancel, None, out);
        } else if self.n_accounts(self.people()) > 1 {
            self.leave(now, restart.away, Departure::Disconnect, None, out);
        }
    }

    /// Storage cannot be written: stops the clock and notifies everybody.
    pub(super) fn storage_lost(
        &mut self,
        now: Ms,
        since: Ms,
        out: &mut Vec<Effect<G>>,
    ) -> Disposition {
        #[cfg(feature = "planted")]
        if self.has_planted(super::Planted::DowntimeCounts) {
            return Disposition::Done;
        }
        if self.is_stalled() {
            return Disposition::Ignored("known");
        }
        let since = since.saturating_add(self.time.ahead).min(now);
        self.clock.lose_storage(since);
        self.proof.asked_at = None;
        if self.outcome().is_some() {
            return Disposition::Over;
        }
        for viewer in Viewer::all(self.seats.len()) {
            let away = |seat: Seat| self.seats[seat.index()].conn.is_none();
            if !matches!(viewer, Viewer::Seat(seat) if away(seat)) {
                let since_ms = since;
                out.push(Effect::Send(viewer, Message::Stalled { since_ms }));
            }
        }
        // A return after the end of a grace period counts if the outage began before that end.
        let connected = |seat: &Seat| self.seats[seat.index()].conn.is_some();
        let returned: SeatSet = self.clock.absent().iter().filter(connected).collect();
        for seat in returned.iter() {
            self.come_back(now, seat, out);
        }
        for late in std::mem::take(&mut self.proof.late) {
            self.say(now, late.seat, late.conn, &late.say, out);
        }
        Disposition::Done
    }

    /// Storage can be written again: the clock continues where it stopped, once that is durable.
    pub(super) fn storage_back(&mut self, now: Ms, out: &mut Vec<Effect<G>>) -> Disposition {
        let start = self.start(now);
        let Some(down_ms) = self.clock.regain_storage(start) else {
            return Disposition::Ignored("known");
        };
        if self.outcome().is_some() {
            return Disposition::Over;
        }
        let happened = Happened::Recovered { down_ms };
        self.log(now, happened, Vec::new(), Vec::new(), None, out);
        self.note_presence(now, out);
        Disposition::Done
    }

    /// Logs the seats that the match is paused for, if they have changed. A lost connection without
    /// a grace period is judged at once and pauses nothing. Nothing is logged during an outage.
    pub(super) fn note_presence(&mut self, now: Ms, out: &mut Vec<Effect<G>>) {
        let absent = self.clock.in_grace(now);
        if absent != self.told_absent && !self.is_stalled() {
            self.log_presence(now, out);
        }
    }

    pub(super) fn log_presence(&mut self, now: Ms, out: &mut Vec<Effect<G>>) {
        let absent = self.clock.in_grace(now);
        self.told_absent = absent;
        let happened = Happened::Presence { absent };
        self.log(now, happened, Vec::new(), Vec::new(), None, out);
    }

    /// Starts the wait whose event has become durable, and stamps its messages with the deadline.
    pub(super) fn announce(&mut self, now: Ms) {
        let Some((version, deadline)) = self.clock.announce(self.durable, now) else {
            return;
        };
        let shown = Some(deadline).filter(|_| !self.is_stalled());
        let n_before = usize::try_from(version - 1).unwrap_or(usize::MAX);
        for entry in self.history.iter_mut().skip(n_before) {
            entry.deadline = shown.filter(|_| entry.deadline.is_some());
        }
        for (at, effect) in &mut self.outbox {
            if let Effect::Send(
                _,
                Message::News { deadline_ms, .. } | Message::Standing { deadline_ms, .. },
            ) = effect
                && *at >= version
            {
                *deadline_ms = shown.filter(|_| deadline_ms.is_some());
            }
        }
    }
}
