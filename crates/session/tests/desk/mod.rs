//! A host for tests: stores events at once (or when asked to), and keeps everything that was sent.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "each test program uses some of it; a test that cannot continue fails"
)]

use kernel::fair::Opening;
use kernel::{MatchId, Seat, SeatSet, Viewer};
use session::{
    Account, Conn, Disposition, Effect, Event, Input, Live, Message, Ms, Policy, Say, Session,
    Settlement, Terms,
};

pub const T0: Ms = 1_000_000;
/// The time that a match waits for people after a restart.
pub const REJOIN_MS: Ms = 300_000;
pub const A: Seat = Seat::FIRST;
pub const B: Seat = Seat::SECOND;

pub struct Desk<G: Live> {
    pub session: Session<G>,
    pub now: Ms,
    pub log: Vec<Vec<u8>>,
    pub sent: Vec<(Viewer, Message<G>)>,
    /// The settlements, each applied together with its event.
    pub settled: Vec<Settlement>,
    pub n_closed: usize,
    pub timer: Option<Ms>,
    pub hung_up: Vec<Conn>,
    /// True if events are durable at once.
    pub stores: bool,
    /// Settlements whose events are not durable yet.
    unsettled: Vec<Settlement>,
    probe: Option<u64>,
    seqs: [u64; 8],
    conns: [u64; 8],
}

pub fn terms<G: Live>(policy: Policy, setup: G::Setup) -> Terms<G> {
    let n_seats = G::start(&setup).n_seats() as u64;
    let names = ["ann", "bob", "cat", "dan", "eve", "fay", "guy", "hal"];
    Terms {
        game_id: MatchId::from_random_bytes([5; 16]),
        setup,
        accounts: (1..=n_seats).map(|it| Some(Account(it))).collect(),
        names: names[..n_seats as usize]
            .iter()
            .map(|it| (*it).into())
            .collect(),
        stake: 1,
        policy,
        opening: Opening::new([1; 32], [2; 32]),
    }
}

impl<G: Live> Desk<G> {
    /// A match with both players connected.
    pub fn open(policy: Policy, setup: G::Setup) -> Desk<G> {
        Desk::with_terms(terms(policy, setup))
    }

    /// A match on these terms with everybody connected.
    pub fn with_terms(terms: Terms<G>) -> Desk<G> {
        let mut out = Vec::new();
        let session = Session::open(terms, T0, &mut out);
        let mut desk = Desk::at(session, T0);
        desk.carry_out(out);
        for seat in Seat::first(desk.session.terms().accounts.len()) {
            desk.connect(seat);
        }
        desk
    }

    pub fn between_people() -> Desk<G> {
        let policy = G::POLICY.with_people(SeatSet::first(2));
        Desk::open(policy, G::Setup::default())
    }

    fn at(session: Session<G>, now: Ms) -> Desk<G> {
        Desk {
            session,
            now,
            log: Vec::new(),
            sent: Vec::new(),
            settled: Vec::new(),
            unsettled: Vec::new(),
            n_closed: 0,
            timer: None,
            hung_up: Vec::new(),
            stores: true,
            probe: None,
            seqs: [0; 8],
            conns: [0; 8],
        }
    }

    /// Another host that continues from the first stored events.
    pub fn recovered(&self, n_events: usize, now: Ms) -> Desk<G> {
        let mut out = Vec::new();
        let events = &self.log[..n_events];
        let terms = self.session.terms().clone();
        let session = Session::recover(terms, events, now, REJOIN_MS, &mut out).unwrap();
        let mut desk = Desk::at(session, now);
        desk.log = events.to_vec();
        desk.seqs = self.seqs;
        desk.conns = self.conns;
        desk.carry_out(out);
        desk
    }

    pub fn handle(&mut self, input: Input<G>) -> Disposition {
        let mut out = Vec::new();
        let disposition = self.session.handle(self.now, input, &mut out);
        self.carry_out(out);
        disposition
    }

    fn carry_out(&mut self, effects: Vec<Effect<G>>) {
        let (mut stored, mut probe) = (None, None);
        for effect in effects {
            match effect {
                Effect::Persist(event) => {
                    assert_eq!(event.version, self.log.len() as u64 + 1);
                    self.log.push(event.bytes);
                    self.unsettled.extend(event.settlement);
                    stored = Some(event.version);
                }
                Effect::Send(viewer, message) => self.sent.push((viewer, message)),
                Effect::Hangup(conn) => self.hung_up.push(conn),
                Effect::SetTimer(at) => self.timer = at,
                Effect::Probe(nth) => probe = Some(nth),
                Effect::Closed => self.n_closed += 1,
            }
        }
        if let Some(version) = stored.filter(|_| self.stores) {
            self.stored(version);
        }
        self.probe = probe.or(self.probe);
        if self.stores {
            self.prove();
        }
    }

    pub fn store_all(&mut self) {
        self.stored(self.log.len() as u64);
        self.prove();
    }

    /// Makes all events up to this one durable, and the settlement with them.
    fn stored(&mut self, version: u64) {
        self.settled.append(&mut self.unsettled);
        self.handle(Input::Stored { version });
    }

    pub fn prove(&mut self) {
        if let Some(probe) = self.probe.take() {
            self.handle(Input::Proved { probe });
        }
    }

    /// Storage becomes unavailable, which the host notices only now.
    pub fn lose_storage(&mut self, since: Ms) {
        self.stores = false;
        self.handle(Input::StorageLost { since });
    }

    /// Storage can be written again, and everything that waited is stored.
    pub fn regain_storage(&mut self) {
        self.stores = true;
        self.store_all();
        self.handle(Input::StorageBack);
    }

    /// Advances the time and fires the timers that are due.
    pub fn wait(&mut self, ms: Ms) {
        let until = self.now + ms;
        while let Some(at) = self.timer.filter(|&at| at <= until) {
            self.now = self.now.max(at);
            self.handle(Input::Timer);
        }
        self.now = until;
    }

    /// Advances the time to the next timer.
    pub fn wait_for_timer(&mut self) {
        self.now = self.timer.unwrap();
        self.handle(Input::Timer);
    }

    pub fn conn(&self, seat: Seat) -> Conn {
        Conn(self.conns[seat.index()])
    }

    pub fn connect(&mut self, seat: Seat) -> Disposition {
        self.reconnect(seat, 0)
    }

    /// Reconnects with the last version that the client saw.
    pub fn reconnect(&mut self, seat: Seat, seen: u64) -> Disposition {
        self.conns[seat.index()] += 1;
        self.handle(Input::Connect {
            seat,
            conn: self.conn(seat),
            account: self.session.terms().accounts[seat.index()].expect("the seat has an account"),
            seen,
            next_seq: self.seqs[seat.index()] + 1,
        })
    }

    pub fn disconnect(&mut self, seat: Seat) -> Disposition {
        let gone = vec![(seat, self.conn(seat))];
        self.handle(Input::Disconnect { gone })
    }

    pub fn ask(&mut self, seat: Seat, ask: G::Ask) -> Disposition {
        self.seqs[seat.index()] += 1;
        self.ask_again(seat, ask)
    }

    /// Sends an ask with the same number as the previous one.
    pub fn ask_again(&mut self, seat: Seat, ask: G::Ask) -> Disposition {
        let client_seq = self.seqs[seat.index()];
        let conn = self.conn(seat);
        let say = Say::Ask { client_seq, ask };
        self.handle(Input::Say { seat, conn, say })
    }

    /// Sends an ask with this number.
    pub fn ask_numbered(&mut self, seat: Seat, client_seq: u64, ask: G::Ask) -> Disposition {
        let conn = self.conn(seat);
        let say = Say::Ask { client_seq, ask };
        self.handle(Input::Say { seat, conn, say })
    }

    /// Asks what could follow these words.
    pub fn consider(&mut self, seat: Seat, ask: G::Ask) -> Disposition {
        let conn = self.conn(seat);
        let say = Say::Consider { question: 7, ask };
        self.handle(Input::Say { seat, conn, say })
    }

    /// The messages to a viewer since the last call, as text.
    pub fn take(&mut self, viewer: Viewer) -> Vec<String> {
        let sent = std::mem::take(&mut self.sent);
        let (own, rest): (Vec<_>, Vec<_>) = sent.into_iter().partition(|(to, _)| *to == viewer);
        self.sent = rest;
        own.iter().map(|(_, it)| format!("{it:?}")).collect()
    }

    pub fn outcome(&self) -> String {
        self.session.outcome().unwrap().to_string()
    }

    /// The only settlement: the share of each seat, and the burned tokens.
    pub fn shares(&self) -> ([u64; 2], u64) {
        assert_eq!((self.settled.len(), self.n_closed), (1, 1));
        let settled = &self.settled[0];
        ([A, B].map(|seat| settled.share(seat)), settled.burned)
    }

    pub fn record(&self) -> Vec<u8> {
        let lines = self.log.iter().map(|it| Event::lines(it).unwrap());
        lines.collect::<Vec<_>>().concat()
    }
}
