//! The checker: books of its own, made from what leaves the session.

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

/// What went wrong, before the match's seed is known.
pub(super) type Wrong = (&'static str, String);

/// What the checker knows of a match.
pub(super) struct Checker<S: Simulated> {
    pub(super) wrongs: Vec<Wrong>,
    terms: Terms<S::Game>,
    book: Book<S>,
    waits: Waits,
    absences: Vec<Absence>,
    /// The last durable event.
    durable: u64,
    seats: Vec<SeatBook<Action<S>>>,
    /// Seats that left, each with its event.
    departures: Vec<(u64, SeatSet)>,
    /// The positions that may be shown, with their events; none when views are not compared.
    positions: Option<VecDeque<(u64, S::Game)>>,
    n_settled: u32,
    n_closed: u32,
}

/// What the checker knows of a seat.
struct SeatBook<A> {
    /// Decisions in the record, with their events.
    played: Vec<(u64, Vec<A>)>,
    /// How many of them were matched with an answer.
    n_matched: usize,
    acked: Vec<Vec<A>>,
    last_acked: u64,
    /// The wait in which a message came that is judged later, and when.
    held: Option<(Wait, Ms)>,
}

/// What the event that was handed to the disk is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Told {
    Anything,
    /// People were judged by a deadline.
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

    /// An event was handed to the disk, which may take no writes.
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

    /// Whether the match may be held for its people: a wait that opens now need not run.
    fn is_held(&self) -> bool {
        let people = self.terms.policy.people;
        let left = |seat: &Seat| self.departures.iter().any(|(_, it)| it.contains(*seat));
        let playing: SeatSet = people.iter().filter(|seat| !left(seat)).collect();
        let absence = |seat: Seat| &self.absences[seat.index()];
        playing.iter().any(|seat| absence(seat).is_lost())
            || playing.iter().all(|seat| absence(seat).is_away())
    }

    /// Takes a line of the record. Says whether people were judged in it by the clock, and
    /// checks that they had their time.
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

    /// A seat that was judged was away for as long as it may be, or has missed so many
    /// deadlines in a row, the last of them in full.
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

    /// Events up to this one are durable.
    pub(super) fn on_durable(&mut self, version: u64, up_ms: Ms) {
        if let Some(positions) = &mut self.positions {
            positions.retain(|(at, _)| *at >= self.durable);
        }
        self.durable = self.durable.max(version);
        self.waits.announce(version, up_ms);
    }

    /// The wait that a message is judged by which arrives now.
    pub(super) fn wait(&self) -> Option<Wait> {
        self.waits.current()
    }

    /// A seat is there.
    pub(super) fn on_there(&mut self, seat: Seat, up_ms: Ms) {
        self.absences[seat.index()].end(up_ms);
    }

    /// A seat has lost its connection.
    pub(super) fn on_lost(&mut self, seat: Seat, up_ms: Ms) {
        self.absences[seat.index()].begin(up_ms);
        self.waits.disturb();
    }

    /// The host has noticed an outage: the clock stopped before it began, with the last write
    /// that is known to have succeeded.
    pub(super) fn on_outage_noticed(&mut self) {
        self.waits.disturb();
    }

    /// The process died.
    pub(super) fn on_crash(&mut self, up_ms: Ms) {
        self.waits.disturb();
        for absence in &mut self.absences {
            absence.end(up_ms);
        }
    }

    /// A process has started with these events, all of which are durable.
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

    /// A message came after the deadline and is judged later.
    pub(super) fn on_held(&mut self, seat: Seat, wait: Option<Wait>, up_ms: Ms) {
        self.seats[seat.index()].held = wait.map(|wait| (wait, up_ms));
    }

    /// A decision that came during a wait was judged. Nobody is late before the time is over
    /// in which the host could run and write; nobody is in time after it, unless something
    /// stopped the clock.
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

    /// Somebody is answered that a message was late.
    pub(super) fn on_late(&mut self, seat: Seat) {
        if let Some((wait, up_ms)) = self.seats[seat.index()].held {
            self.on_judged(Some(wait), up_ms, false, true);
        }
    }

    /// An answer left the host: what it says was done must be durable by now.
    pub(super) fn on_ack(&mut self, seat: Seat, sent: &Sent<Ask<S>>) {
        let (durable, book) = (self.durable, &mut self.seats[seat.index()]);
        if sent.client_seq <= book.last_acked {
            // The same answer again is no new promise.
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
            let message = format!("message {seq} was answered, but {ask:?} is not durable");
            self.wrong("lost_ack", message);
        }
    }

    /// A standing left the host: it shows what its viewer may know of a position that is
    /// durable, or becomes it with the events that were handed in together.
    pub(super) fn on_standing(&mut self, viewer: Viewer, message: &Message<S::Game>) {
        let (Some(positions), Message::Standing { view, .. }) = (&self.positions, message) else {
            return;
        };
        let mut shown = positions.iter().rev();
        if !shown.any(|(_, position)| position.view(viewer) == *view) {
            self.wrong("foreign_view", format!("to {viewer:?}: {view:?}"));
        }
    }

    /// A settlement is durable.
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
    /// Matches an answered decision with the next equal one of the durable record.
    fn take(&mut self, meant: Vec<A>, durable: u64) -> bool {
        let mut later = self.played.iter().skip(self.n_matched);
        let found = later.position(|(version, it)| *version <= durable && *it == meant);
        if let Some(at) = found {
            self.n_matched += at + 1;
            self.acked.push(meant);
        }
        found.is_some()
    }

    /// Whether an answered decision is missing among those of the record, in their order.
    fn has_lost(&self) -> bool {
        let mut played = self.played.iter();
        let mut acked = self.acked.iter();
        !acked.all(|ack| played.any(|(_, it)| it == ack))
    }
}
