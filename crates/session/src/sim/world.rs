//! One simulated match: a host, two clients and everything between them.

mod deeds;
mod outage;

use catalog::Orcain;
use catalog::orcain::{self, Stage};
use kernel::{Seat, SeatSet, Viewer};

use super::cells::{Cells, Fault, Phase};
use super::checker::Checker;
use super::client::{Client, Deed};
use super::draw::Draws;
use super::fate::{self, Fate};
use super::host::{Disk, Ledger};
use super::network::{Happening, Queue};
use super::{Plan, Report, Violation};
use crate::{Conn, Effect, Input, Message, Ms, Say, Session, Terms, Verdict};

/// The host's clock when the world begins.
const EPOCH: Ms = 1_800_000_000_000;
/// A match that lasts longer than this never ends: thirty rounds and some hours down.
const TIME_MAX: Ms = 3 * 3_600_000;
/// How long a match waits for people after a restart.
const REJOIN_MS: Ms = 60_000;
/// How long the world goes on after the end, for what comes too late.
const LINGER_MS: Ms = 800;

pub(super) struct World {
    seed: u64,
    pub(super) draws: Draws,
    pub(super) queue: Queue,
    pub(super) now: Ms,
    pub(super) fate: Fate,
    terms: Terms<Orcain>,
    session: Option<Session<Orcain>>,
    pub(super) clients: [Client; 2],
    disk: Disk,
    ledger: Ledger,
    checker: Checker,
    cells: Cells,
    /// Which process it is, counted up at each crash.
    life: u64,
    n_conns: u64,
    n_effects: u64,
    n_timers: u64,
    n_crashes: u64,
    n_outages: u64,
    /// The last outage that the host has learned of.
    n_noticed: u64,
    /// How far the host's clock is from the world's, in this life.
    ahead: i64,
    /// Since when the match cannot proceed: the process is dead, or storage is away.
    dark_since: Option<Ms>,
    down_ms: Ms,
    /// Who does not return after the last crash.
    stays_away: SeatSet,
    /// How long the host had run when a message came that is judged later, by seat.
    held_at: [Ms; 2],
    phase: Phase,
    closed_at: Option<Ms>,
    /// No process will open the match again: it was settled, or its storage is corrupt.
    left_alone: bool,
    /// What seat 0 and the public were sent before the first card was turned over.
    pub(super) transcript: Option<Transcript>,
    planted: Plant,
}

/// The bug that is planted, if this build knows any.
#[cfg(feature = "planted")]
type Plant = Option<crate::Planted>;
#[cfg(not(feature = "planted"))]
type Plant = ();

/// What was sent before the first card was turned over.
#[derive(Default, PartialEq)]
pub(super) struct Transcript {
    pub(super) bytes: Vec<u8>,
    pub(super) times: Vec<Ms>,
    pub(super) revealed: bool,
}

impl World {
    pub(super) fn new(seed: u64, plan: &Plan) -> World {
        World::with_cards(seed, plan, seed)
    }

    /// The same world, but for the cards of the second seat.
    pub(super) fn with_cards(seed: u64, plan: &Plan, cards: u64) -> World {
        let mut draws = Draws::new(seed, 0);
        let terms = fate::terms(&mut draws);
        let people = terms.policy.people;
        let fate = Fate::draw(&mut draws);
        let [first, second] = fate.habits;
        let clients = [
            Client::new(terms.accounts[0], first, Draws::new(seed, 1)),
            Client::new(terms.accounts[1], second, Draws::new(cards, 2)),
        ];
        #[cfg(not(feature = "planted"))]
        let ((), _) = ((), plan);
        World {
            seed,
            draws,
            queue: Queue::default(),
            now: 0,
            fate,
            terms,
            session: None,
            clients,
            disk: Disk::default(),
            ledger: Ledger::open(),
            checker: Checker::between(people),
            cells: Cells::default(),
            life: 0,
            n_conns: 0,
            n_effects: 0,
            n_timers: 0,
            n_crashes: 0,
            n_outages: 0,
            n_noticed: 0,
            ahead: 0,
            dark_since: None,
            down_ms: 0,
            stays_away: SeatSet::EMPTY,
            held_at: [0; 2],
            phase: Phase::Prep,
            closed_at: None,
            left_alone: false,
            transcript: None,
            #[cfg(feature = "planted")]
            planted: plan.planted,
            #[cfg(not(feature = "planted"))]
            planted: (),
        }
    }

    /// Plays the match to its end.
    pub(super) fn run(&mut self) {
        for seat in Seat::first(2) {
            let at = self.draws.within(0, 300);
            self.queue.push(at, Happening::Client(seat, Deed::Join));
            let at = self.draws.within(5_000, 15_000);
            self.queue.push(at, Happening::Client(seat, Deed::Poll));
        }
        if let Some((at, down_ms)) = self.fate.outage {
            self.queue.push(at, Happening::StorageDown(down_ms));
        }
        let mut out = Vec::new();
        let session = Session::open(self.terms.clone(), self.host_now(), &mut out);
        self.install(session);
        self.carry_out(out);
        while !self.is_done() {
            let Some((at, happening)) = self.queue.pop() else {
                break;
            };
            self.now = at;
            self.happen(happening);
            self.note_phase();
        }
    }

    fn is_done(&self) -> bool {
        let revealed = self.transcript.as_ref().is_some_and(|it| it.revealed);
        let closed = self.closed_at.is_some_and(|at| self.now > at + LINGER_MS);
        // A crash after the end is followed by another life, which ends again.
        (closed && self.session.is_some()) || self.left_alone || revealed || self.now > TIME_MAX
    }

    fn install(&mut self, session: Session<Orcain>) {
        let session = self.session.insert(session);
        #[cfg(feature = "planted")]
        session.plant(self.planted);
        #[cfg(not(feature = "planted"))]
        let ((), _) = (self.planted, session);
    }

    fn host_now(&self) -> Ms {
        (EPOCH + self.now).saturating_add_signed(self.ahead)
    }

    /// How long the host could run and write so far.
    fn up_ms(&self) -> Ms {
        self.dark_since.unwrap_or(self.now) - self.down_ms
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Client(seat, deed) => self.client_does(seat, deed),
            Happening::ToClient(seat, conn, message) => self.client_hears(seat, conn, &message),
            Happening::Restart => self.restart(),
            Happening::StorageDown(down_ms) => self.storage_down(down_ms),
            Happening::StorageUp => self.storage_up(),
            _ if self.session.is_none() => self.knock_in_vain(&happening),
            Happening::ToHost(seat, conn, say) => self.host_hears(seat, conn, say),
            Happening::Connect(seat, conn) => self.host_meets(seat, conn),
            Happening::Lost(seat, conn) => {
                self.count(Fault::Disconnect);
                self.handle(Input::Disconnect {
                    gone: vec![(seat, conn)],
                });
            }
            Happening::Timer(n) if n == self.n_timers => {
                self.handle(Input::Timer);
            }
            Happening::Timer(_) => {}
            Happening::Stored { life, version } if life == self.life => self.stored(version),
            Happening::Proved { life, probe } if life == self.life => self.proved(probe),
            Happening::OutageNoticed { life, nth, since } if life == self.life => {
                self.n_noticed = nth;
                let since = (EPOCH + since).saturating_add_signed(self.ahead);
                self.handle(Input::StorageLost { since });
            }
            Happening::OutageOver { life, nth } if (life, nth) == (self.life, self.n_noticed) => {
                self.handle(Input::StorageBack);
            }
            Happening::Stored { .. }
            | Happening::Proved { .. }
            | Happening::OutageNoticed { .. }
            | Happening::OutageOver { .. } => {}
            Happening::Cancel => {
                self.count(Fault::Cancel);
                self.handle(Input::Cancel);
            }
            Happening::BothGone => self.both_gone(),
            Happening::Hijack(seat) => {
                self.count(Fault::SeatHijack);
                self.n_conns += 1;
                let verdict = self.handle(Input::Connect {
                    seat,
                    conn: Conn(self.n_conns),
                    account: self.clients[1 - seat.index()].account,
                    seen: 0,
                    next_seq: 1,
                });
                if verdict.is_some_and(|it| it != Verdict::NotYours) {
                    self.checker
                        .wrong("seat_hijack", "a foreign account got the seat");
                }
            }
        }
    }

    /// A host that is down: who connects tries again, the rest is lost.
    fn knock_in_vain(&mut self, happening: &Happening) {
        if let Happening::Connect(seat, conn) = happening
            && self.clients[seat.index()].conn == Some(*conn)
        {
            self.clients[seat.index()].conn = None;
            let at = self.now + self.draws.within(300, 1_500);
            self.queue.push(at, Happening::Client(*seat, Deed::Join));
        }
    }

    fn host_hears(&mut self, seat: Seat, conn: Conn, say: Say<Orcain>) {
        let up_ms = self.up_ms();
        let deadline = self.session.as_ref().and_then(|it| it.clock().deadline());
        let phase = self.phase;
        let edge = deadline.is_some_and(|at| at.abs_diff(self.host_now()) <= 1);
        let asks = matches!(say, Say::Ask { .. });
        let resigns = matches!(say, Say::Resign { .. });
        let Some(verdict) = self.handle(Input::Say { seat, conn, say }) else {
            return;
        };
        if edge && asks {
            self.count_in(Fault::DeadlineEdge, phase);
        }
        let taken = matches!(verdict, Verdict::Done | Verdict::Mended(_));
        if asks {
            self.checker
                .on_judged(up_ms, taken, verdict == Verdict::Late);
        }
        let fault = match verdict {
            Verdict::Held => {
                self.held_at[seat.index()] = up_ms;
                Fault::LateInput
            }
            Verdict::Late => Fault::LateInput,
            Verdict::Mended(_) => Fault::InvalidDraft,
            Verdict::Refused("invalid_layout") => Fault::InvalidConfirm,
            Verdict::Ignored("malformed_layout") => Fault::Garbage,
            Verdict::Ignored(_) | Verdict::Over => Fault::WrongTime,
            Verdict::Duplicate => Fault::DuplicateInput,
            Verdict::Gap => Fault::GapInInputs,
            Verdict::Stale => Fault::StaleConnection,
            Verdict::Done if resigns => Fault::Resign,
            _ => return,
        };
        self.count_in(fault, phase);
    }

    fn host_meets(&mut self, seat: Seat, conn: Conn) {
        let client = &self.clients[seat.index()];
        if client.conn != Some(conn) {
            return;
        }
        let (account, seen) = (client.account, client.seen);
        let next_seq = client.lowest_seq();
        let phase = self.phase;
        let before = self.session.as_ref().map(|it| it.metrics().n_takeovers);
        self.handle(Input::Connect {
            seat,
            conn,
            account,
            seen,
            next_seq,
        });
        let after = self.session.as_ref().map(|it| it.metrics().n_takeovers);
        let fault = if before == after {
            Fault::Reconnect
        } else {
            Fault::Takeover
        };
        self.count_in(fault, phase);
    }

    fn both_gone(&mut self) {
        let conns = self.clients.each_ref().map(|client| client.conn);
        let [Some(first), Some(second)] = conns else {
            return;
        };
        for client in &mut self.clients {
            client.conn = None;
        }
        self.count(Fault::BothDisconnect);
        self.handle(Input::Disconnect {
            gone: vec![(Seat::FIRST, first), (Seat::SECOND, second)],
        });
        for seat in Seat::first(2) {
            let at = self.now + self.draws.within(100, 6_000);
            self.queue.push(at, Happening::Client(seat, Deed::Join));
        }
    }

    /// Hands an input to the session; nothing when the process died over it.
    fn handle(&mut self, input: Input<Orcain>) -> Option<Verdict> {
        let now = self.host_now();
        let mut out = Vec::new();
        let verdict = self.session.as_mut()?.handle(now, input, &mut out);
        self.carry_out(out);
        Some(verdict)
    }

    /// Carries out effects one by one; the process may die before or after each.
    fn carry_out(&mut self, effects: Vec<Effect<Orcain>>) {
        for effect in effects {
            let (before, after) = crash_faults(&effect);
            let nth = self.n_effects;
            self.n_effects += 1;
            if self.fate.crashes.contains(&(nth, true)) {
                return self.crash(before);
            }
            self.do_effect(effect);
            if self.fate.crashes.contains(&(nth, false)) {
                return self.crash(after);
            }
        }
    }

    fn do_effect(&mut self, effect: Effect<Orcain>) {
        match effect {
            Effect::Persist(event) => {
                let outage = self.outage();
                self.checker.on_persist(&event, self.up_ms(), outage);
                self.disk.take(&event);
                self.write_up_to(event.version);
            }
            Effect::Probe(probe) => self.write_probe(probe),
            Effect::Send(viewer, message) => self.send(viewer, &message),
            Effect::Hangup(_) => {}
            Effect::SetTimer(at) => {
                self.n_timers += 1;
                if let Some(at) = at {
                    let wait = at.saturating_sub(self.host_now());
                    let lag = if self.draws.permille(50) { 40 } else { 2 };
                    let at = self.now + wait + self.draws.within(0, lag);
                    self.queue.push(at, Happening::Timer(self.n_timers));
                }
            }
            Effect::Settle(settlement) => {
                self.checker.on_settle();
                if let Err(message) = self.ledger.settle(&settlement) {
                    self.checker.wrong("money", message);
                }
            }
            Effect::Closed => {
                self.checker.on_closed();
                self.closed_at = Some(self.now);
            }
        }
    }

    fn send(&mut self, viewer: Viewer, message: &Message<Orcain>) {
        self.write_transcript(viewer, message);
        let Viewer::Seat(seat) = viewer else {
            return;
        };
        if let &Message::Ack {
            client_seq,
            taken: true,
            ..
        } = message
        {
            let sent = self.clients[seat.index()].sent.iter();
            let sent = sent.rev().find(|sent| sent.client_seq == client_seq);
            match sent {
                Some(sent) => self.checker.on_ack(seat, sent),
                None => self.checker.wrong("strange_ack", "an answer to nothing"),
            }
        }
        if matches!(message, Message::Ack { code: Some(code), .. } if code == "late") {
            self.checker
                .on_judged(self.held_at[seat.index()], false, true);
        }
        let Some(conn) = self.clients[seat.index()].conn else {
            return;
        };
        for at in self.deliveries(seat) {
            let message = message.clone();
            self.queue
                .push(at, Happening::ToClient(seat, conn, message));
        }
    }

    fn write_transcript(&mut self, viewer: Viewer, message: &Message<Orcain>) {
        let Some(transcript) = &mut self.transcript else {
            return;
        };
        if viewer == Viewer::Seat(Seat::SECOND) || transcript.revealed {
            return;
        }
        let shown = |event: &orcain::Event| matches!(event, orcain::Event::StepRevealed { .. });
        let is_reveal = match message {
            Message::News { events, .. } => events.iter().any(shown),
            // After a crash a standing may be the first to tell of it.
            Message::Standing { view, .. } => !view.exchanges.as_slice().is_empty(),
            _ => false,
        };
        if is_reveal {
            transcript.revealed = true;
            return;
        }
        let written = kernel::json::write_canonical(message, &mut transcript.bytes);
        assert!(written.is_ok(), "messages hold no floats");
        transcript.times.push(self.now);
    }

    fn crash(&mut self, fault: Fault) {
        self.count(fault);
        self.n_crashes += 1;
        self.session = None;
        self.life += 1;
        self.n_timers += 1;
        self.dark_since.get_or_insert(self.now);
        self.disk.probe = None;
        self.checker.on_crash();
        if self.disk.tear(&mut self.draws) > 0 {
            self.count(Fault::TornStorage);
        }
        if self.draws.permille(self.fate.rot_permille) && self.disk.rot(&mut self.draws) {
            self.count(Fault::CorruptStorage);
        }
        let down = self.draws.pick(&[50, 700, 4_000, 25_000, 300_000]);
        // A host does not start without its storage.
        let storage = self.disk.down_until.map_or(0, |at| at + 1);
        let at = (self.now + down).max(storage);
        self.queue.push(at, Happening::Restart);
        self.draw_stays_away();
        for seat in Seat::first(2) {
            self.clients[seat.index()].conn = None;
            let at = self.now + self.draws.within(50, 2_000);
            self.queue.push(at, Happening::Client(seat, Deed::Join));
        }
    }

    fn restart(&mut self) {
        self.light_up();
        match self.draws.within(0, 9) {
            0 => {
                self.ahead += 7_200_000;
                self.count(Fault::WallClockForward);
            }
            1 => {
                self.ahead -= 7_200_000;
                self.count(Fault::WallClockBack);
            }
            _ => {}
        }
        self.checker.read_durable(&self.disk.events);
        let reopens = !self.rotten() && self.draws.permille(500);
        if self.ledger.is_settled() && !reopens {
            // Nothing is left to do: a host need not open such a match again, but may.
            self.closed_at = self.closed_at.or(Some(self.now));
            self.left_alone = true;
            return;
        }
        let mut out = Vec::new();
        let (now, terms) = (self.host_now(), self.terms.clone());
        match Session::recover(terms, &self.disk.events, now, REJOIN_MS, &mut out) {
            Ok(session) => {
                self.install(session);
                self.carry_out(out);
            }
            Err(quarantine) => {
                self.left_alone = true;
                if let Err(message) = self.ledger.settle(&quarantine.settlement) {
                    self.checker.wrong("money", message);
                }
            }
        }
    }

    pub(super) fn count(&mut self, fault: Fault) {
        self.count_in(fault, self.phase);
    }

    fn count_in(&mut self, fault: Fault, phase: Phase) {
        self.cells.count(fault, phase);
    }

    /// Notes the phase, and plans mischief for a new one.
    fn note_phase(&mut self) {
        let Some(session) = &self.session else {
            return;
        };
        let position = session.position();
        let phase = match (position.ending(), position.stage()) {
            (Some(_), _) => Phase::Over,
            _ if session.is_paused() => Phase::Paused,
            _ if position.is_sudden_death() => Phase::SuddenDeath,
            (None, Stage::Prep) => Phase::Prep,
            (None, Stage::Reveal) => Phase::Reveal,
        };
        if phase != self.phase {
            self.phase = phase;
            self.plan_mischief(phase);
        }
    }

    /// Closes the books of the match.
    pub(super) fn finish(mut self, verify: bool, report: &mut Report) {
        let sound = self.closed_at.is_some() && !self.rotten();
        let end = match self.ledger.settlement() {
            None => "none".to_owned(),
            Some(it) => format!("{:?}", it.key.kind).to_lowercase(),
        };
        *report.ends.entry(end).or_default() += 1;
        if sound {
            self.checker.check_end(&self.disk.events, &self.ledger);
        } else if self.ledger.is_settled() {
            self.checker.check_money(&self.ledger);
        } else {
            let message = format!("still open after {} ms", self.now);
            self.checker.wrong("never_ended", message);
        }
        if sound && verify {
            report.n_verified += 1;
            self.checker
                .check_record(&self.disk.events, &self.ledger, self.stays_away);
        }
        report.simulated_ms += self.now;
        report.n_events += self.disk.events.len() as u64;
        report.n_crashes += self.n_crashes;
        report.cells.add(&self.cells);
        let seed = self.seed;
        let violation = |(code, message)| Violation {
            seed,
            code,
            message,
        };
        let wrongs = self.checker.wrongs.into_iter();
        report.violations.extend(wrongs.map(violation));
    }

    /// Whether stored bytes were changed: then nothing can be read from them.
    fn rotten(&self) -> bool {
        Fault::CorruptStorage.struck(&self.cells)
    }
}

/// The faults of a crash before and after an effect.
fn crash_faults(effect: &Effect<Orcain>) -> (Fault, Fault) {
    match effect {
        Effect::Persist(_) => (Fault::CrashBeforePersist, Fault::CrashAfterPersist),
        Effect::Send(..) | Effect::Hangup(_) => (Fault::CrashBeforeSend, Fault::CrashAfterSend),
        Effect::SetTimer(_) => (Fault::CrashBeforeTimer, Fault::CrashAfterTimer),
        Effect::Probe(_) => (Fault::CrashBeforeProbe, Fault::CrashAfterProbe),
        Effect::Settle(_) => (Fault::CrashBeforeSettle, Fault::CrashAfterSettle),
        Effect::Closed => (Fault::CrashBeforeClosed, Fault::CrashAfterClosed),
    }
}
