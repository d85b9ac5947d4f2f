//! The checker: independent books, made from what leaves the session.

mod absence;
mod book;
mod ending;
mod waits;

use kernel::Game;
use std::collections::VecDeque;

use kernel::{Departure, Seat, SeatSet, Viewer};

use super::client::Sent;
use super::simulated::{Action, Ask, Decision, Simulated};
use crate::{Event, Message, Ms, Terms};
use absence::Absence;
use book::{Book, Entry};
pub(super) use waits::Wait;
use waits::Waits;

/// The code and message of a violation, before the match's seed is added.
pub(super) type Wrong = (&'static str, String);

/// The checker's books of one match.
pub(super) struct Checker<S: Simulated> {
    pub(super) wrongs: Vec<Wrong>,
    terms: Terms<S::Game>,
    book: Book<S>,
    waits: Waits,
    absences: Vec<Absence>,
    durable: u64,
    seats: Vec<SeatBook<Action<S>>>,
    /// The seats that left, each with its event.
    departures: Vec<(u64, SeatSet)>,
    /// The positions that may be shown, with their events; `None` if views are not compared.
    positions: Option<VecDeque<(u64, S::Game)>>,
    n_settled: u32,
    n_closed: u32,
}

/// The checker's books of one seat.
struct SeatBook<A> {
    /// The decisions in the record, with their events.
    played: Vec<(u64, Vec<A>)>,
    /// The number of them that were matched with an answer.
    n_matched: usize,
    acked: Vec<Vec<A>>,
    last_acked: u64,
    /// The wait in which a message arrived that will be judged later, and its time.
    held: Option<(Wait, Ms)>,
}

/// The kind of event that was handed to the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Told {
    Anything,
    /// A deadline judged people.
    Missed,
}

impl<S: Simulated> Checker<S> {
    pub(super) fn new(terms: &Terms<S::Game>, compares_views: bool) -> Checker<S> {
        let book = Book::new(&terms.setup);
        let n_seats = book.n_missed.len();
        let seat = || SeatBook {
            played: Vec::new(),
            n_matched: 0,
            acked: Vec::new(),
            last_acked: 0,
            held: None,
        };
        Checker {
            wrongs: Vec::new(),
            book,
            waits: Waits::new(terms.policy.pace.turn_ms.max(S::TURN_MS)),
            absences: vec![Absence::default(); n_seats],
            durable: 0,
            seats: std::iter::repeat_with(seat).take(n_seats).collect(),
            departures: Vec::new(),
            positions: compares_views.then(VecDeque::new),
            n_settled: 0,
            n_closed: 0,
            terms: terms.clone(),
        }
    }

    pub(super) fn wrong(&mut self, code: &'static str, message: impl Into<String>) {
        self.wrongs.push((code, message.into()));
    }

    /// Notes an event that was handed to the disk, which may be unavailable.
    pub(super) fn on_persist(&mut self, event: &Event, up_ms: Ms, outage: bool) -> Told {
        let lines = Event::lines(&event.bytes).unwrap_or_default();
        if outage || lines.is_empty() {
            self.waits.disturb();
        }
        let before = Decision::of(&self.book.position);
        let entries = match self.book.read(&lines) {
            Ok(entries) => entries,
            Err(message) => {
                let message = format!("event {}: {message}", event.version);
                self.wrong("unreadable_event", message);
                return Told::Anything;
            }
        };
        let mut told = Told::Anything;
        let mut expired = false;
        for entry in entries {
            let judged = self.judge(event.version, &entry, up_ms);
            if judged && outage {
                self.wrong("judged_in_outage", format!("event {}", event.version));
            }
            if let Entry::Expired { .. } = entry {
                expired = true;
                told = if judged { Told::Missed } else { told };
            }
        }
        let after = Decision::of(&self.book.position);
        if event.version == 1 || expired || before != after {
            let undisturbed = !outage && !self.is_held();
            self.waits.begin(event.version, after, undisturbed);
        }
        if let Some(positions) = &mut self.positions {
            positions.push_back((event.version, self.book.position.clone()));
        }
        told
    }

    /// True if the match may be held for its people: a wait that opens now need not run.
    fn is_held(&self) -> bool {
        let people = self.terms.policy.people;
        let left = |seat: &Seat| self.departures.iter().any(|(_, it)| it.contains(*seat));
        let playing: SeatSet = people.iter().filter(|seat| !left(seat)).collect();
        let absence = |seat: Seat| &self.absences[seat.index()];
        playing.iter().any(|seat| absence(seat).is_lost())
            || playing.iter().all(|seat| absence(seat).is_away())
    }

    /// Checks a line of the record. Returns true if the clock judged people in it, after checking
    /// that they had their time.
    fn judge(&mut self, version: u64, entry: &Entry<Action<S>>, up_ms: Ms) -> bool {
        let people = self.terms.policy.people;
        match entry {
            Entry::Played(seat, actions) => {
                let seat = &mut self.seats[seat.index()];
                seat.played.push((version, actions.clone()));
                false
            }
            Entry::Expired { open } => {
                let judged = !open.intersection(people).is_empty();
                if let Some(message) = self.waits.too_short(up_ms).filter(|_| judged) {
                    self.wrong("unfair_deadline", message);
                }
                judged
            }
            Entry::Left { seats, cause } => {
                self.departures.push((version, *seats));
                let judged = !matches!(cause, Departure::Resign | Departure::Cancel);
                for seat in seats.iter().filter(|_| judged) {
                    self.check_departure(seat, up_ms);
                }
                judged
            }
            Entry::Other => false,
        }
    }

    /// Checks that a seat that was judged was absent for as long as allowed, or has missed the
    /// allowed number of deadlines in a row, the last of them in full.
    fn check_departure(&mut self, seat: Seat, up_ms: Ms) {
        let policy = &self.terms.policy;
        let away = self.absences[seat.index()].is_too_long(up_ms, policy);
        let misses = u16::from(self.book.n_missed[seat.index()]) + 1;
        let missed = policy.misses_max.is_some_and(|max| misses >= max.into());
        let too_short = self.waits.too_short(up_ms);
        let fair = away || (missed && too_short.is_none());
        if !fair {
            let message = format!("seat {seat} left after {misses} misses: {too_short:?}");
            self.wrong("unfair_departure", message);
        }
    }

    pub(super) fn on_durable(&mut self, version: u64, up_ms: Ms) {
        if let Some(positions) = &mut self.positions {
            positions.retain(|(at, _)| *at >= self.durable);
        }
        self.durable = self.durable.max(version);
        self.waits.announce(version, up_ms);
    }

    /// The wait by which a message that arrives now is judged.
    pub(super) fn wait(&self) -> Option<Wait> {
        self.waits.current()
    }

    pub(super) fn on_there(&mut self, seat: Seat, up_ms: Ms) {
        self.absences[seat.index()].end(up_ms);
    }

    pub(super) fn on_lost(&mut self, seat: Seat, up_ms: Ms) {
        self.absences[seat.index()].begin(up_ms);
        self.waits.disturb();
    }

    /// Notes that the host has noticed an outage: the clock stopped before it began, with the last
    /// write that is known to have succeeded.
    pub(super) fn on_outage_noticed(&mut self) {
        self.waits.disturb();
    }

    pub(super) fn on_crash(&mut self, up_ms: Ms) {
        self.waits.disturb();
        for absence in &mut self.absences {
            absence.end(up_ms);
        }
    }

    /// Notes that a process has started with these events, all of which are durable.
    pub(super) fn on_restart(&mut self, events: &[Vec<u8>], up_ms: Ms) {
        let n_events = events.len() as u64;
        self.book = Book::new(&self.terms.setup);
        for bytes in events {
            let lines = Event::lines(bytes).unwrap_or_default();
            if let Err(message) = self.book.read(&lines) {
                self.wrong("unreadable_event", message);
            }
        }
        for seat in &mut self.seats {
            seat.played.retain(|(version, _)| *version <= n_events);
        }
        self.departures.retain(|(version, _)| *version <= n_events);
        for absence in &mut self.absences {
            absence.restart(up_ms);
        }
        self.waits.keep(n_events);
        self.on_durable(n_events, up_ms);
        if let Some(positions) = &mut self.positions {
            *positions = VecDeque::from([(n_events, self.book.position.clone())]);
        }
    }

    /// Notes a message that came after the deadline and will be judged later.
    pub(super) fn on_held(&mut self, seat: Seat, wait: Option<Wait>, up_ms: Ms) {
        self.seats[seat.index()].held = wait.map(|wait| (wait, up_ms));
    }

    /// Checks the verdict on a decision that came during a wait. Nobody is late before the host has
    /// run and written for the full time. Nobody is in time after that, unless something stopped
    /// the clock.
    pub(super) fn on_judged(&mut self, wait: Option<Wait>, up_ms: Ms, taken: bool, late: bool) {
        let Some((wait, began)) = wait.and_then(|it| it.began.map(|began| (it, began))) else {
            return;
        };
        let in_time = up_ms <= began + self.waits.turn_ms;
        if (taken && !in_time && wait.undisturbed) || (late && in_time) {
            let at = up_ms - began;
            self.wrong(
                "unfair_judgement",
                format!("taken: {taken}, late: {late}, {at} ms after the wait began"),
            );
        }
    }

    /// Checks an answer that says a message was late.
    pub(super) fn on_late(&mut self, seat: Seat) {
        if let Some((wait, up_ms)) = self.seats[seat.index()].held {
            self.on_judged(Some(wait), up_ms, false, true);
        }
    }

    /// Checks an answer that left the host: the decision that it acknowledges must be durable.
    pub(super) fn on_ack(&mut self, seat: Seat, sent: &Sent<Ask<S>>) {
        let (durable, book) = (self.durable, &mut self.seats[seat.index()]);
        if sent.client_seq <= book.last_acked {
            // The same answer again is not a new promise.
            return;
        }
        book.last_acked = sent.client_seq;
        let kept = match &sent.ask {
            None => (self.departures.iter())
                .any(|(version, seats)| *version <= durable && seats.contains(seat)),
            Some(ask) => S::meant(ask).is_none_or(|meant| book.take(meant, durable)),
        };
        if !kept {
            let (seq, ask) = (sent.client_seq, &sent.ask);
            let message = format!("message {seq} was acknowledged, but {ask:?} is not durable");
            self.wrong("lost_ack", message);
        }
    }

    /// Checks a standing that left the host: it shows what its viewer may know of a position that
    /// is durable, or that becomes durable with the events handed in together.
    pub(super) fn on_standing(&mut self, viewer: Viewer, message: &Message<S::Game>) {
        let (Some(positions), Message::Standing { view, .. }) = (&self.positions, message) else {
            return;
        };
        let mut shown = positions.iter().rev();
        if !shown.any(|(_, position)| position.view(viewer) == *view) {
            self.wrong("foreign_view", format!("to {viewer:?}: {view:?}"));
        }
    }

    pub(super) fn on_settled(&mut self) {
        self.n_settled += 1;
        if self.n_settled > 1 {
            self.wrong("double_settle", "the stakes were settled twice");
        }
    }

    pub(super) fn on_closed(&mut self) {
        self.n_closed += 1;
        if self.n_closed > 1 {
            self.wrong("double_end", "the match ended twice");
        }
    }
}

impl<A: PartialEq + Clone> SeatBook<A> {
    /// Matches an acknowledged decision with the next equal one in the durable record.
    fn take(&mut self, meant: Vec<A>, durable: u64) -> bool {
        let mut later = self.played.iter().skip(self.n_matched);
        let found = later.position(|(version, it)| *version <= durable && *it == meant);
        if let Some(at) = found {
            self.n_matched += at + 1;
            self.acked.push(meant);
        }
        found.is_some()
    }

    /// True if an acknowledged decision is missing from the record, in order.
    fn has_lost(&self) -> bool {
        let mut played = self.played.iter();
        let mut acked = self.acked.iter();
        !acked.all(|ack| played.any(|(_, it)| it == ack))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_needs_a_recorded_decision_that_is_durable() {
        let mut book = SeatBook {
            played: vec![(1, vec![7]), (2, vec![8]), (3, vec![7])],
            n_matched: 0,
            acked: Vec::new(),
            last_acked: 0,
            held: None,
        };
        assert!(!book.take(vec![9], 3), "not recorded");
        assert!(!book.take(vec![7], 0), "not durable");
        assert!(book.take(vec![7], 2));
        assert!(!book.take(vec![7], 2), "the second one is not durable");
        assert!(book.take(vec![7], 3));
        assert!(!book.take(vec![8], 3), "out of order");
        assert!(!book.has_lost());
    }
}
