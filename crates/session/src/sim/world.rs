//! One simulated match: a host, its clients and everything between them.

mod deeds;
mod effects;
mod hearing;
mod outage;
mod seating;

use kernel::Game;
use kernel::{Seat, SeatSet, Turn};

use super::cells::{Counts, Fault, Phase};
use super::checker::Checker;
use super::client::{Client, Deed};
use super::draw::Draws;
use super::fate::{self, Fate};
use super::host::{Disk, Ledger};
use super::network::{Happening, Queue};
use super::simulated::{Mind, Simulated};
use super::{Plan, Tally, Violation};
use crate::{Conn, Disposition, Input, Ms, Session, Terms};

/// The time of the host's clock at the start of the simulation.
const EPOCH: Ms = 1_800_000_000_000;
/// The number of turns after which a match counts as endless, with some hours of downtime on top.
const TURNS_MAX: Ms = 300;
const DOWN_MAX: Ms = 3 * 3_600_000;
/// The time that a match waits for people after a restart.
pub(super) const REJOIN_MS: Ms = 60_000;
/// The time that the simulation continues after the end, for messages that come too late.
const LINGER_MS: Ms = 800;

pub(super) struct World<S: Simulated> {
    seed: u64,
    pub(super) draws: Draws,
    pub(super) queue: Queue<S>,
    pub(super) now: Ms,
    pub(super) fate: Fate,
    terms: Terms<S::Game>,
    session: Option<Session<S::Game>>,
    /// By seat; a bot's client has no connection.
    pub(super) clients: Vec<Client<S>>,
    /// The connection that the host has for each seat.
    met: Vec<Option<Conn>>,
    /// The random streams of the bots, by seat.
    bots: Vec<Draws>,
    /// The bots that are about to decide.
    thinking: SeatSet,
    n_bot_decisions: u64,
    disk: Disk,
    ledger: Ledger,
    checker: Checker<S>,
    cells: Counts,
    /// The number of the process, increased at each crash.
    life: u64,
    n_conns: u64,
    n_effects: u64,
    n_timers: u64,
    n_crashes: u64,
    n_outages: u64,
    /// The number of the last outage that the host has noticed.
    n_noticed: u64,
    /// The offset of the host's clock from the simulation's, in this life.
    ahead: i64,
    /// The time since when the match cannot proceed: the process is dead, or storage is
    /// unavailable.
    dark_since: Option<Ms>,
    down_ms: Ms,
    /// The people who do not return after the last crash.
    stays_away: SeatSet,
    phase: Phase,
    /// The phase and the turn that mischief was last planned for.
    mischief_for: Option<(Phase, u32)>,
    closed_at: Option<Ms>,
    /// True if no process will open the match again: it was settled, or its storage is corrupt.
    left_alone: bool,
    /// The messages to seat 0 and the public before the second seat's secret was shown.
    pub(super) transcript: Option<Transcript>,
    planted: Plant,
}

/// The planted bug, if this build has any.
#[cfg(feature = "planted")]
type Plant = Option<crate::Planted>;
#[cfg(not(feature = "planted"))]
type Plant = ();

/// The messages that were sent before a secret was shown.
#[derive(Default, PartialEq)]
pub(super) struct Transcript {
    pub(super) bytes: Vec<u8>,
    pub(super) times: Vec<Ms>,
    pub(super) revealed: bool,
}

impl<S: Simulated> World<S> {
    pub(super) fn new(seed: u64, plan: &Plan) -> World<S> {
        World::with_secret(seed, plan, seed)
    }

    /// The same simulation, except for what the second seat hides.
    pub(super) fn with_secret(seed: u64, plan: &Plan, secret: u64) -> World<S> {
        let mut draws = Draws::new(seed, 0);
        let terms = fate::terms::<S>(&mut draws);
        let n_seats = terms.accounts.len();
        let fate = Fate::draw::<S>(n_seats, &mut draws);
        let client = |seat: Seat| {
            let (idx, habit) = (seat.index(), fate.habits[seat.index()]);
            let hides = if seat == Seat::SECOND { secret } else { seed };
            let shape = Draws::new(seed, 100 + idx as u64);
            let hidden = Draws::new(hides, 1 + idx as u64);
            Client::new(
                terms.accounts[idx].unwrap_or(hearing::STRANGER),
                habit,
                S::Mind::new(habit, shape, hidden),
            )
        };
        let bot = |seat: Seat| Draws::new(seed, 200 + seat.index() as u64);
        #[cfg(not(feature = "planted"))]
        let ((), _) = ((), plan);
        World {
            seed,
            clients: Seat::first(n_seats).map(client).collect(),
            bots: Seat::first(n_seats).map(bot).collect(),
            met: vec![None; n_seats],
            thinking: SeatSet::EMPTY,
            n_bot_decisions: 0,
            draws,
            queue: Queue::default(),
            now: 0,
            session: None,
            disk: Disk::default(),
            ledger: Ledger::open(n_seats, terms.stake),
            checker: Checker::new(&terms, plan.verifies(seed)),
            cells: Counts::new(S::PHASES.len()),
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
            phase: S::PHASES[0],
            mischief_for: None,
            closed_at: None,
            left_alone: false,
            transcript: None,
            fate,
            terms,
            #[cfg(feature = "planted")]
            planted: plan.planted,
            #[cfg(not(feature = "planted"))]
            planted: (),
        }
    }

    /// Plays the match to its end.
    pub(super) fn run(&mut self) {
        for seat in self.screens() {
            let at = self.draws.within(0, 300);
            self.queue.push(at, Happening::Client(seat, Deed::Join));
        }
        for seat in self.terms.policy.people.iter() {
            let at = self.draw_poll_ms();
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
            self.wake_bots();
        }
    }

    fn is_done(&self) -> bool {
        let revealed = self.transcript.as_ref().is_some_and(|it| it.revealed);
        let closed = self.closed_at.is_some_and(|at| self.now > at + LINGER_MS);
        // After a crash past the end, the next process finds the match settled.
        (closed && self.session.is_some()) || self.left_alone || revealed || self.is_endless()
    }

    fn is_endless(&self) -> bool {
        self.now > TURNS_MAX * self.terms.policy.pace.turn_ms + DOWN_MAX
    }

    fn install(&mut self, session: Session<S::Game>) {
        let session = self.session.insert(session);
        #[cfg(feature = "planted")]
        session.plant(self.planted);
        #[cfg(not(feature = "planted"))]
        let ((), _) = (self.planted, session);
    }

    fn host_now(&self) -> Ms {
        (EPOCH + self.now).saturating_add_signed(self.ahead)
    }

    /// The time for which the host could run and write so far.
    fn up_ms(&self) -> Ms {
        self.dark_since.unwrap_or(self.now) - self.down_ms
    }

    fn happen(&mut self, happening: Happening<S>) {
        match happening {
            Happening::Client(seat, deed) => self.client_does(seat, deed),
            Happening::ToClient(seat, conn, message) => self.client_hears(seat, conn, &message),
            Happening::Restart => self.restart(),
            Happening::StorageDown(down_ms) => self.storage_down(down_ms),
            Happening::StorageUp => self.storage_up(),
            _ if self.session.is_none() => self.knock_in_vain(&happening),
            Happening::ToHost(seat, conn, say) => self.host_hears(seat, conn, say),
            Happening::Connect(seats, conn) => self.host_meets(seats, conn),
            Happening::Lost(seats, conn) => {
                self.count(Fault::Disconnect);
                self.lose(seats.iter().map(|seat| (seat, conn)).collect());
            }
            Happening::Bot { life, seat } if life == self.life => self.bot_decides(seat),
            Happening::Timer(n) if n == self.n_timers => {
                self.handle(Input::Timer);
            }
            Happening::Stored { life, version } if life == self.life => self.stored(version),
            Happening::Proved { life, probe } if life == self.life => self.proved(probe),
            Happening::OutageNoticed { life, nth, since } if life == self.life => {
                self.n_noticed = nth;
                let since = (EPOCH + since).saturating_add_signed(self.ahead);
                self.checker.on_outage_noticed();
                self.handle(Input::StorageLost { since });
            }
            Happening::OutageOver { life, nth } if (life, nth) == (self.life, self.n_noticed) => {
                self.handle(Input::StorageBack);
            }
            Happening::Timer(_)
            | Happening::Bot { .. }
            | Happening::Stored { .. }
            | Happening::Proved { .. }
            | Happening::OutageNoticed { .. }
            | Happening::OutageOver { .. } => {}
            Happening::Cancel => {
                self.count(Fault::Cancel);
                self.handle(Input::Cancel);
            }
            Happening::AllGone => self.all_gone(),
            Happening::Hijack(seat) => self.hijack(seat),
        }
    }

    /// Hands an input to the session; `None` if the process died while handling it.
    fn handle(&mut self, input: Input<S::Game>) -> Option<Disposition> {
        let now = self.host_now();
        let mut out = Vec::new();
        let disposition = self.session.as_mut()?.handle(now, input, &mut out);
        self.carry_out(out);
        Some(disposition)
    }

    fn crash(&mut self, fault: Fault, phase: Phase) {
        self.count_in(fault, phase);
        self.n_crashes += 1;
        self.session = None;
        self.life += 1;
        self.n_timers += 1;
        self.dark_since.get_or_insert(self.now);
        self.disk.probe = None;
        self.checker.on_crash(self.up_ms());
        self.thinking = SeatSet::EMPTY;
        self.met.fill(None);
        if self.disk.tear(&mut self.draws) > 0 {
            self.count(Fault::TornStorage);
        }
        self.keep(self.disk.events.len());
        if self.draws.permille(self.fate.rot_permille) && self.disk.rot(&mut self.draws) {
            self.count(Fault::CorruptStorage);
        }
        let down = self.draws.pick(&[50, 700, 4_000, 25_000, 300_000]);
        // A host does not start without its storage.
        let storage = self.disk.down_until.map_or(0, |at| at + 1);
        let at = (self.now + down).max(storage);
        self.queue.push(at, Happening::Restart);
        self.draw_stays_away();
        for client in &mut self.clients {
            client.conn = None;
        }
        for seat in self.screens() {
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
        if !self.rotten() {
            self.checker.on_restart(&self.disk.events, self.up_ms());
        }
        if self.ledger.is_settled() {
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
        let idx = S::PHASES.iter().position(|it| *it == phase);
        self.cells.count(fault, idx.unwrap_or(0));
    }

    /// Records the phase, and plans mischief for a new phase and for a new turn.
    fn note_phase(&mut self) {
        let Some(session) = &self.session else {
            return;
        };
        let position = session.position();
        let phase = match position.turn() {
            Turn::Over(_) => Phase::OVER,
            _ if session.is_paused() => Phase::PAUSED,
            _ => S::phase(position),
        };
        let current = (phase, position.turn_number());
        self.phase = phase;
        if self.mischief_for.replace(current) != Some(current) {
            self.plan_mischief(phase);
        }
    }

    /// Runs the final checks and adds the match to the tally.
    pub(super) fn finish(mut self, verify: bool, tally: &mut Tally) -> Vec<Violation> {
        let sound = self.closed_at.is_some() && !self.rotten();
        let end = match self.ledger.settlement() {
            None => "none".to_owned(),
            Some(it) => format!("{:?}", it.key.kind).to_lowercase(),
        };
        *tally.ends.entry(end).or_default() += 1;
        if sound {
            self.checker.check_end(&self.disk.events, &self.ledger);
        } else if self.ledger.is_settled() {
            self.checker.check_money(&self.ledger);
        } else {
            let message = format!("the match has not ended after {} ms", self.now);
            self.checker.wrong("never_ended", message);
        }
        if sound && verify {
            tally.n_verified += 1;
            self.checker
                .check_record(&self.disk.events, &self.ledger, self.stays_away);
        }
        tally.n_matches += 1;
        let (n_seats, n_people) = (self.clients.len(), self.terms.policy.people.len());
        *tally.seats.entry(n_seats).or_default() += 1;
        tally.n_with_shared_screen += u64::from(self.screens().len() < n_people);
        tally.n_with_bots += u64::from(n_people < n_seats);
        tally.n_bot_decisions += self.n_bot_decisions;
        tally.simulated_ms += self.now;
        tally.n_events += self.disk.events.len() as u64;
        tally.n_crashes += self.n_crashes;
        tally.cells.add(&self.cells);
        let seed = self.seed;
        let violation = |(code, message)| Violation {
            game: <S::Game>::NAME,
            seed,
            code,
            message,
        };
        self.checker.wrongs.into_iter().map(violation).collect()
    }

    /// True if stored bytes were changed, so that they cannot be read.
    fn rotten(&self) -> bool {
        self.cells.has(Fault::CorruptStorage)
    }
}
