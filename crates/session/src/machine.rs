//! The session itself.

mod expiry;
mod handle;

use std::collections::VecDeque;

use kernel::fair::Opening;
use kernel::record::{Origin, Recorder};
use kernel::{Event as _, Game, GameExt, MatchId, Outcome, SeatSet, Step, Timestamp, Viewer};

use expiry::Proof;

use crate::clock::Start;
use crate::event::{Ack, Body, Happened, Seal};
use crate::{
    Account, Clock, Conn, Effect, Event, Live, Message, Metrics, Ms, Note, Policy, Settlement,
};

/// The terms of a match, agreed before it begins. The host stores them next to the events.
#[derive(Clone, Debug)]
pub struct Terms<G: Live> {
    /// The match's id.
    pub game_id: MatchId,
    /// The setup that the match starts from.
    pub setup: G::Setup,
    /// The account in each seat; `None` for a bot.
    pub accounts: Vec<Option<Account>>,
    /// The names in the record, by seat.
    pub names: Vec<String>,
    /// The stake of each seat, in tokens; the host holds it until the settlement.
    pub stake: u64,
    /// The rules for time and absence.
    pub policy: Policy,
    /// The secret seed that the host has committed to.
    pub opening: Opening,
}

/// One live match.
pub struct Session<G: Live> {
    pub(crate) terms: Terms<G>,
    pub(crate) table: Seated<G>,
    pub(crate) clock: Clock,
    /// The version of the last event, durable or not.
    pub(crate) version: u64,
    pub(crate) durable: u64,
    pub(crate) seal: Seal,
    pub(crate) seats: Vec<SeatState>,
    pub(crate) history: Vec<Entry<G>>,
    /// The last version of each viewer: the seats, then the public.
    pub(crate) seen: Vec<u64>,
    /// Effects that wait for an event to become durable.
    pub(crate) outbox: VecDeque<(u64, Effect<G>)>,
    pub(crate) time: Time,
    pub(crate) timer: Option<Ms>,
    pub(crate) proof: Proof<G>,
    /// The absent seats in the last announced pause.
    pub(crate) told_absent: SeatSet,
    /// People who did not see this wait begin. A missed deadline does not count against them.
    pub(crate) excused: SeatSet,
    pub(crate) settlement: Option<Settlement>,
    pub(crate) metrics: Metrics,
    #[cfg(feature = "planted")]
    pub(crate) planted: Option<Planted>,
}

/// The table while the match is live, and the final position after that.
pub(crate) enum Seated<G: Live> {
    Live(Box<Recorder<G>>),
    Over(G),
}

/// The state of a seat's player. It is not stored, because a host that restarts has no connections.
#[derive(Clone, Default, Debug)]
pub(crate) struct SeatState {
    pub(crate) conn: Option<Conn>,
    /// The number of the last message that was answered.
    pub(crate) last_seq: u64,
    pub(crate) last_ack: Option<Ack>,
}

/// One event, kept for viewers who ask for it again.
pub(crate) struct Entry<G: Game> {
    pub(crate) at: Ms,
    pub(crate) events: Vec<G::Event>,
    pub(crate) note: Option<Note>,
    pub(crate) deadline: Option<Ms>,
}

/// The session's time: the host's time, except that it never runs backward, even if a host restarts
/// with its clock set back.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Time {
    pub(crate) last: Ms,
    pub(crate) ahead: Ms,
    /// The time when the current input was received. It may have waited while others were handled.
    pub(crate) received: Ms,
}

impl Time {
    pub(crate) fn read(&mut self, host_now: Ms) -> Ms {
        self.received = host_now.saturating_add(self.ahead);
        self.last = self.last.max(self.received);
        self.last
    }

    pub(crate) fn to_host(self, at: Ms) -> Ms {
        at.saturating_sub(self.ahead)
    }
}

/// A bug that tests plant to check that the simulator catches it.
#[cfg(feature = "planted")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Planted {
    /// An input after the end is stored, with the settlement once more.
    DoubleSettle,
    /// Answers are sent before their events are durable.
    EarlyAck,
    /// A player who reconnects is shown the opponent's side.
    LeakedLayout,
    /// Deadlines expire even if nothing can be written.
    DowntimeCounts,
    /// A decision after the deadline counts until the deadline expires.
    LateTaken,
}

impl<G: Live> Session<G> {
    /// Opens a match. The host has already taken the stakes. Nothing is sent before the first event
    /// is durable.
    pub fn open(terms: Terms<G>, now: Ms, out: &mut Vec<Effect<G>>) -> Session<G> {
        let names: Vec<&str> = terms.names.iter().map(String::as_str).collect();
        let origin = Origin::Committed(terms.opening.clone());
        let mut recorder: Recorder<G> =
            Recorder::begin(&terms.setup, terms.game_id, origin, &names, timestamp(now));
        let lines = recorder.take();
        let n_seats = recorder.table().position().n_seats();
        let mut session = Session::at(terms, Seated::Live(Box::new(recorder)), n_seats);
        let now = session.time.read(now);
        let wait_ms = session.position().wait_ms(&session.terms.policy.pace);
        let start = session.start(now);
        session.clock.begin(wait_ms, start);
        session.log(now, Happened::Step, Vec::new(), lines, None, out);
        session.set_timer(out);
        session
    }

    pub(crate) fn at(terms: Terms<G>, table: Seated<G>, n_seats: usize) -> Session<G> {
        Session {
            terms,
            table,
            clock: Clock::new(n_seats),
            version: 0,
            durable: 0,
            seal: Seal::default(),
            seats: vec![SeatState::default(); n_seats],
            history: Vec::new(),
            seen: vec![0; n_seats + 1],
            outbox: VecDeque::new(),
            time: Time::default(),
            timer: None,
            proof: Proof::default(),
            told_absent: SeatSet::EMPTY,
            excused: SeatSet::EMPTY,
            settlement: None,
            metrics: Metrics::default(),
            #[cfg(feature = "planted")]
            planted: None,
        }
    }

    /// The match's id.
    pub fn game_id(&self) -> MatchId {
        self.terms.game_id
    }

    /// The terms that the match was opened with.
    pub fn terms(&self) -> &Terms<G> {
        &self.terms
    }

    /// The full position: for hosts and tests, never for viewers.
    pub fn position(&self) -> &G {
        match &self.table {
            Seated::Live(recorder) => recorder.table().position(),
            Seated::Over(position) => position,
        }
    }

    /// The current state of the clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// True while the match waits for a player to return.
    pub fn is_paused(&self) -> bool {
        self.clock.is_held()
    }

    /// True while the match waits for storage.
    pub fn is_stalled(&self) -> bool {
        self.clock.stopped.is_some()
    }

    /// The result, once the match is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position().outcome()
    }

    /// The version of the last event, which may not be durable yet.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// A seat's share of the stakes, in tokens, once the match is over.
    pub fn share(&self, seat: kernel::Seat) -> Option<u64> {
        let settlement = self.settlement.as_ref()?;
        Some(settlement.share(seat))
    }

    /// The last version that is known to be durable.
    pub fn durable(&self) -> u64 {
        self.durable
    }

    /// The number of the seat's next numbered message.
    pub fn next_seq(&self, seat: kernel::Seat) -> u64 {
        let state = self.seats.get(seat.index());
        state.map_or(1, |state| state.last_seq.saturating_add(1))
    }

    /// The standing for a viewer, for hosts that let a spectator join in the middle of a match. It
    /// may show events up to [`Session::version`], so the host must send it only once that version
    /// is durable.
    pub fn standing(&self, viewer: Viewer, host_now: Ms) -> Message<G> {
        let mut time = self.time;
        self.standing_at(viewer, time.read(host_now))
    }

    /// The standing for a viewer, at the session's own time.
    pub(crate) fn standing_at(&self, viewer: Viewer, now_ms: Ms) -> Message<G> {
        let position = self.position();
        Message::Standing {
            version: self.seen[slot(viewer, self.seats.len())],
            view: position.view(viewer),
            legal: match viewer {
                Viewer::Seat(seat) => position.legal_words(seat),
                Viewer::Public => Vec::new(),
            },
            absent: self.clock.absent(),
            deadline_ms: self.clock.deadline(),
            now_ms,
        }
    }

    /// The counters of this session, since it was opened or recovered.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Plants a bug, for tests.
    #[cfg(feature = "planted")]
    pub fn plant(&mut self, bug: Option<Planted>) {
        self.planted = bug;
    }

    #[cfg(feature = "planted")]
    pub(crate) fn has_planted(&self, bug: Planted) -> bool {
        self.planted == Some(bug)
    }

    /// Applies steps that were checked before, as one event. Steps after the first belong to the
    /// same line of the record.
    pub(crate) fn step(
        &mut self,
        now: Ms,
        steps: &[Step<G::Action>],
        ack: Option<Ack>,
        out: &mut Vec<Effect<G>>,
    ) {
        let Seated::Live(recorder) = &mut self.table else {
            return;
        };
        let before = waits_for(recorder.table().position());
        let mut events = Vec::new();
        for step in steps {
            let done = recorder.apply(*step, timestamp(now));
            events.extend_from_slice(done.expect("a session checks its steps"));
        }
        let mut lines = recorder.take();
        let outcome = self.outcome();
        let deadline_fell = matches!(steps, [Step::Deadline]);
        let (start, present) = (self.start(now), self.position().present());
        self.clock.keep(present, start);
        self.told_absent = self.told_absent.intersection(present);
        if outcome.is_some() {
            self.clock.stop();
        } else if deadline_fell || waits_for(self.position()) != before {
            let wait_ms = self.position().wait_ms(&self.terms.policy.pace);
            self.clock.begin(wait_ms, start);
            self.excused = self.not_returned();
        }
        if let Some(outcome) = outcome {
            lines.extend_from_slice(&self.close_table(&outcome));
        }
        self.log(now, Happened::Step, events, lines, ack, out);
        if let Some(outcome) = outcome {
            self.announce_end(&outcome);
        }
    }

    /// The start of a wait that the next event opens.
    pub(crate) fn start(&self, now: Ms) -> Start {
        Start {
            now,
            version: self.version + 1,
            paced: self.position().turn().open().is_empty(),
        }
    }

    /// The people who have not left the match.
    pub(crate) fn people(&self) -> SeatSet {
        let present = self.position().present();
        self.terms.policy.people.intersection(present)
    }

    /// The people who have not returned since the host restarted.
    pub(crate) fn not_returned(&self) -> SeatSet {
        self.clock.restart.map_or(SeatSet::EMPTY, |it| it.away)
    }

    /// Closes the record and computes the settlement.
    fn close_table(&mut self, outcome: &Outcome) -> Vec<u8> {
        let over = Seated::Over(self.position().clone());
        let n_seats = self.seats.len();
        let (game_id, stake) = (self.terms.game_id, self.terms.stake);
        self.settlement = Some(Settlement::of(outcome, game_id, n_seats, stake));
        match std::mem::replace(&mut self.table, over) {
            Seated::Live(recorder) => recorder.finish(),
            Seated::Over(_) => Vec::new(),
        }
    }

    /// Notifies everybody of the end. This is the only place where a match ends for the outside.
    fn announce_end(&mut self, outcome: &Outcome) {
        let Some(settlement) = self.settlement.clone() else {
            return;
        };
        for viewer in Viewer::all(self.seats.len()) {
            let tokens = match viewer {
                Viewer::Seat(seat) => settlement.share(seat),
                Viewer::Public => 0,
            };
            let outcome = *outcome;
            self.tell(viewer, Message::Over { outcome, tokens });
        }
        self.outbox.push_back((self.version, Effect::Closed));
    }

    /// Writes an event and queues the news about it.
    pub(crate) fn log(
        &mut self,
        now: Ms,
        happened: Happened,
        events: Vec<G::Event>,
        lines: Vec<u8>,
        ack: Option<Ack>,
        out: &mut Vec<Effect<G>>,
    ) {
        self.version += 1;
        let body = Body {
            version: self.version,
            at: now,
            happened,
            ack,
            clock: self.clock.stored(now, self.proven_at(now)),
            lines,
        };
        let (bytes, seal) = body.write(&self.seal);
        self.seal = seal;
        out.push(Effect::Persist(Event {
            version: self.version,
            bytes,
            settlement: self.settlement.clone(),
        }));
        self.remember(now, happened, events);
        for viewer in Viewer::all(self.seats.len()) {
            let at = slot(viewer, self.seats.len());
            let news = self.history.last().and_then(|entry| entry.news(viewer));
            if let Some(news) = news {
                self.seen[at] += 1;
                let version = self.seen[at];
                let calls = news.calls_for_standing();
                self.tell(viewer, news.at_version(version));
                if calls {
                    let standing = self.standing_at(viewer, now);
                    self.tell(viewer, standing);
                }
            }
        }
        if let Some(ack) = body.ack {
            self.answer(ack);
        }
    }

    /// The time at which storage is known to have taken a write: that of the last durable event.
    fn proven_at(&self, now: Ms) -> Ms {
        let idx = usize::try_from(self.durable).unwrap_or(usize::MAX);
        let last = idx.checked_sub(1).and_then(|idx| self.history.get(idx));
        last.map_or(now, |entry| entry.at)
    }

    /// Keeps an event for viewers who ask for it again.
    pub(crate) fn remember(&mut self, at: Ms, happened: Happened, events: Vec<G::Event>) {
        let note = match happened {
            Happened::Step => None,
            Happened::Presence { absent } if absent.is_empty() => Some(Note::Resumed),
            Happened::Presence { absent } => Some(Note::Paused { absent }),
            Happened::Recovered { down_ms } => Some(Note::Recovered { down_ms }),
        };
        self.history.push(Entry {
            at,
            events,
            note,
            deadline: self.clock.deadline(),
        });
    }

    /// Answers a numbered message, once all earlier events are durable.
    pub(crate) fn answer(&mut self, ack: Ack) {
        let seat = &mut self.seats[ack.seat.index()];
        seat.last_seq = ack.client_seq;
        seat.last_ack = Some(ack.clone());
        let message = Message::Ack {
            client_seq: ack.client_seq,
            code: ack.code,
            taken: ack.taken,
        };
        self.tell(Viewer::Seat(ack.seat), message);
    }

    /// Sends a message once all events so far are durable. A seat without a connection receives it
    /// when it reconnects.
    pub(crate) fn tell(&mut self, viewer: Viewer, message: Message<G>) {
        let absent = |seat: kernel::Seat| self.seats[seat.index()].conn.is_none();
        if matches!(viewer, Viewer::Seat(seat) if absent(seat)) {
            return;
        }
        #[cfg(feature = "planted")]
        if self.has_planted(Planted::EarlyAck) && matches!(message, Message::Ack { .. }) {
            self.outbox.push_front((0, Effect::Send(viewer, message)));
            return;
        }
        self.outbox
            .push_back((self.version, Effect::Send(viewer, message)));
    }

    /// Releases the effects that no longer have to wait, stamped with the time at which they leave.
    pub(crate) fn release(&mut self, now: Ms, out: &mut Vec<Effect<G>>) {
        self.announce(now);
        while let Some((version, _)) = self.outbox.front() {
            if *version > self.durable {
                return;
            }
            let Some((_, mut effect)) = self.outbox.pop_front() else {
                return;
            };
            if let Effect::Send(_, Message::Standing { now_ms, .. }) = &mut effect {
                *now_ms = now;
            }
            out.push(effect);
        }
    }

    pub(crate) fn set_timer(&mut self, out: &mut Vec<Effect<G>>) {
        let due = self.clock.due(&self.position().turn());
        let due = due.filter(|_| !self.proof.is_asked());
        let due = due.map(|(at, _)| self.time.to_host(at));
        if due != self.timer {
            self.timer = due;
            out.push(Effect::SetTimer(due));
        }
    }
}

impl<G: Live> Entry<G> {
    /// The news of this event for a viewer; `None` if the viewer must not learn of it.
    pub(crate) fn news(&self, viewer: Viewer) -> Option<Message<G>> {
        let seen: Vec<_> = self
            .events
            .iter()
            .filter_map(|it| it.seen_by(viewer))
            .collect();
        if seen.is_empty() && self.note.is_none() {
            return None;
        }
        Some(Message::News {
            version: 0,
            events: seen,
            note: self.note,
            deadline_ms: self.deadline,
        })
    }
}

impl<G: Live> Message<G> {
    /// True if a client cannot derive its new view from this news alone.
    fn calls_for_standing(&self) -> bool {
        match self {
            Message::News { events, .. } => events.iter().any(G::calls_for_standing),
            _ => false,
        }
    }

    /// The news with its version.
    pub(crate) fn at_version(mut self, number: u64) -> Message<G> {
        if let Message::News { version, .. } = &mut self {
            *version = number;
        }
        self
    }
}

/// The index of a viewer's counter.
pub(crate) fn slot(viewer: Viewer, n_seats: usize) -> usize {
    match viewer {
        Viewer::Seat(seat) => seat.index(),
        Viewer::Public => n_seats,
    }
}

pub(crate) fn timestamp(at: Ms) -> Timestamp {
    Timestamp::from_ms(i64::try_from(at).unwrap_or(i64::MAX))
}

/// The decision that a position waits for. While it stays the same, the clock keeps running.
fn waits_for<G: Game>(position: &G) -> (u32, Option<kernel::Seat>, bool) {
    use kernel::Turn;
    let turn = position.turn();
    let seat = match turn {
        Turn::Seat(seat) => Some(seat),
        _ => None,
    };
    (
        position.turn_number(),
        seat,
        matches!(turn, Turn::Sealed(_)),
    )
}

pub(crate) fn everybody<G: Live>(session: &Session<G>) -> SeatSet {
    SeatSet::first(session.seats.len())
        .iter()
        .filter(|&seat| session.position().present().contains(seat))
        .collect()
}
