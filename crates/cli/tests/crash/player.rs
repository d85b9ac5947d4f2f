//! A player who believes only what was acknowledged.

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

use crate::process::http;

/// Layouts that were acknowledged to all players of this process.
static N_ACKED: AtomicUsize = AtomicUsize::new(0);

/// Waits until one more layout is acknowledged to any player.
pub(crate) fn wait_for_a_layout() {
    let before = N_ACKED.load(Ordering::Relaxed);
    let deadline = Instant::now() + Duration::from_secs(60);
    while N_ACKED.load(Ordering::Relaxed) == before {
        assert!(Instant::now() < deadline, "no layout is acknowledged");
        thread::sleep(Duration::from_millis(1));
    }
}

/// A layout that the server has acknowledged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Acked {
    pub(crate) match_id: String,
    pub(crate) seat: u64,
    pub(crate) kind: &'static str,
    pub(crate) layout: Value,
}

/// A player.
pub(crate) struct Player {
    server: SocketAddr,
    token: String,
    draws: Draws,
    manner: Manner,
    at: Option<Seat>,
    acked: Vec<Acked>,
    n_ended: usize,
}

/// How a player plays.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// Is away for a round now and then.
    Moody,
    /// Confirms in every round.
    Steady,
    /// Drafts in every round and never confirms.
    Hesitant,
}

/// Where the player sits.
struct Seat {
    match_id: String,
    seat: u64,
    next_seq: u64,
    seen: u64,
    /// The round that was confirmed, or is being confirmed.
    round_done: u64,
    /// What was asked and not answered yet.
    pending: BTreeMap<u64, (&'static str, Value)>,
}

impl Player {
    pub(crate) fn guest(server: SocketAddr, seed: u64) -> Player {
        let account = http(server, "POST", "/auth/guest", "").unwrap();
        Player {
            server,
            token: account["authToken"].as_str().unwrap().to_owned(),
            draws: Draws::new(seed),
            manner: Manner::Moody,
            at: None,
            acked: Vec::new(),
            n_ended: 0,
        }
    }

    /// Plays match after match; once told to stop, it sees the last one to its end.
    pub(crate) fn play(mut self, playing: &AtomicBool) -> Vec<Acked> {
        let deadline = Instant::now() + Duration::from_secs(1_500);
        while playing.load(Ordering::Relaxed) || self.at.is_some() {
            assert!(Instant::now() < deadline, "a match does not end");
            self.visit(|it| playing.load(Ordering::Relaxed) || it.at.is_some());
        }
        self.acked
    }

    /// Plays one match. `over` says that the other has seen its end: who was never told of it,
    /// because the server died and the match ended before they were back, waits for no other.
    pub(crate) fn play_once(mut self, over: &AtomicBool) -> Vec<Acked> {
        self.manner = Manner::Steady;
        let deadline = Instant::now() + Duration::from_secs(60);
        let wanted = |it: &Player| {
            let missed = it.at.is_none() && over.load(Ordering::Relaxed);
            it.n_ended == 0 && !missed && Instant::now() < deadline
        };
        while wanted(&self) {
            self.visit(wanted);
        }
        over.store(true, Ordering::Relaxed);
        self.acked
    }

    /// Drafts in a match and confirms nothing, until told to leave; then remembers nothing but
    /// the account.
    pub(crate) fn hesitate(mut self, away: &AtomicBool) -> Player {
        self.manner = Manner::Hesitant;
        while !away.load(Ordering::Relaxed) {
            self.visit(|_| !away.load(Ordering::Relaxed));
        }
        self.at = None;
        self.acked.clear();
        self.n_ended = 0;
        self
    }

    /// One connection, for as long as it holds and is wanted.
    fn visit(&mut self, wanted: impl Fn(&Player) -> bool) {
        let Some(mut socket) = connect(self.server) else {
            thread::sleep(Duration::from_millis(10));
            return;
        };
        let mut hello = json!({ "type": "hello", "protocol": 1, "token": self.token });
        if let Some(seat) = &self.at {
            let next = seat.pending.keys().next().copied().unwrap_or(seat.next_seq);
            hello["resume"] =
                json!({ "match_id": seat.match_id, "seen": seat.seen, "next_seq": next });
        }
        if send(&mut socket, &hello).is_none() {
            return;
        }
        while wanted(self) {
            match socket.read() {
                Ok(Message::Text(text)) => {
                    let message = serde_json::from_str(&text).unwrap();
                    if self.hear(&message, &mut socket, &wanted).is_none() {
                        return;
                    }
                }
                Ok(_) => {}
                Err(tungstenite::Error::Io(error)) if is_timeout(&error) => {}
                Err(_) => return,
            }
        }
    }

    fn hear(
        &mut self,
        message: &Value,
        socket: &mut Socket,
        wanted: &impl Fn(&Player) -> bool,
    ) -> Option<()> {
        match message["type"].as_str().unwrap() {
            "welcome" if message["match_id"].is_null() => {
                if self.at.take().is_some() {
                    // It ended while nobody was here.
                    self.n_ended += 1;
                }
                if wanted(self) {
                    send(socket, &json!({ "type": "queue_join", "game": "orcain" }))?;
                }
            }
            "match_found" => self.sit(message, socket)?,
            "match" => self.hear_match(&message["message"], socket)?,
            "match_end" => {
                self.at = None;
                self.n_ended += 1;
                if wanted(self) {
                    send(socket, &json!({ "type": "queue_join", "game": "orcain" }))?;
                }
            }
            _ => {}
        }
        Some(())
    }

    /// Sits down; what was asked before and not answered is asked again.
    fn sit(&mut self, found: &Value, socket: &mut Socket) -> Option<()> {
        let match_id = found["match_id"].as_str().unwrap().to_owned();
        let next_seq = found["next_seq"].as_u64().unwrap();
        if let Some(seat) = self.at.as_mut().filter(|seat| seat.match_id == match_id) {
            for (seq, (kind, layout)) in seat.pending.clone() {
                send(socket, &ask(&match_id, seq, kind, &layout))?;
            }
            return Some(());
        }
        self.at = Some(Seat {
            match_id,
            seat: found["seat"].as_u64().unwrap(),
            next_seq,
            seen: 0,
            round_done: 0,
            pending: BTreeMap::new(),
        });
        Some(())
    }

    fn hear_match(&mut self, message: &Value, socket: &mut Socket) -> Option<()> {
        let seat = self.at.as_mut()?;
        match message["type"].as_str().unwrap() {
            "standing" => {
                seat.seen = message["version"].as_u64().unwrap();
                let view = &message["view"];
                let round = view["round"].as_u64().unwrap();
                let confirmed = view["own"]["status"] == "confirmed";
                if view["phase"] == "PREP" && !confirmed && seat.pending.is_empty() {
                    self.lay_out(round, socket)?;
                }
            }
            "news" => {
                seat.seen = message["version"].as_u64().unwrap();
                let events = message["events"].as_array().unwrap();
                let started = events.iter().find(|it| it["type"] == "ROUND_STARTED");
                if let Some(round) = started.and_then(|it| it["round"].as_u64()) {
                    self.lay_out(round, socket)?;
                }
            }
            "ack" => {
                let seq = message["client_seq"].as_u64().unwrap();
                let asked = seat.pending.remove(&seq);
                if let (Some((kind, layout)), Some(true)) = (asked, message["taken"].as_bool()) {
                    N_ACKED.fetch_add(1, Ordering::Relaxed);
                    self.acked.push(Acked {
                        match_id: seat.match_id.clone(),
                        seat: seat.seat,
                        kind,
                        layout,
                    });
                }
            }
            _ => {}
        }
        Some(())
    }

    /// Drafts sometimes and confirms mostly.
    fn lay_out(&mut self, round: u64, socket: &mut Socket) -> Option<()> {
        let seat = self.at.as_mut()?;
        if seat.round_done >= round {
            return Some(());
        }
        seat.round_done = round;
        let fate = match self.manner {
            Manner::Moody => self.draws.below(20),
            Manner::Steady => 2 + self.draws.below(18),
            Manner::Hesitant => 1,
        };
        if fate == 0 {
            return Some(());
        }
        if fate < 8 {
            self.ask("draft", socket)?;
        }
        if fate != 1 {
            self.ask("confirm", socket)?;
        }
        Some(())
    }

    fn ask(&mut self, kind: &'static str, socket: &mut Socket) -> Option<()> {
        let mut cards = vec!["attack", "defense", "heal", "counter"];
        let mut draw = || cards.swap_remove(self.draws.below(cards.len() as u64) as usize);
        let layout = json!([draw(), draw(), draw()]);
        let seat = self.at.as_mut()?;
        let seq = seat.next_seq;
        seat.next_seq += 1;
        seat.pending.insert(seq, (kind, layout.clone()));
        send(socket, &ask(&seat.match_id, seq, kind, &layout))
    }
}

fn ask(match_id: &str, seq: u64, kind: &str, layout: &Value) -> Value {
    let ask = json!({ "type": kind, "layout": layout });
    json!({ "type": "ask", "match_id": match_id, "seq": seq, "ask": ask })
}

type Socket = WebSocket<TcpStream>;

fn connect(server: SocketAddr) -> Option<Socket> {
    let stream = TcpStream::connect(server).ok()?;
    stream
        .set_read_timeout(Some(Duration::from_millis(50)))
        .ok()?;
    stream.set_nodelay(true).ok()?;
    let handshake = tungstenite::client(format!("ws://{server}/ws"), stream);
    match handshake {
        Ok((socket, _)) => Some(socket),
        Err(tungstenite::HandshakeError::Interrupted(mut middle)) => {
            for _ in 0..100 {
                match middle.handshake() {
                    Ok((socket, _)) => return Some(socket),
                    Err(tungstenite::HandshakeError::Interrupted(again)) => middle = again,
                    Err(tungstenite::HandshakeError::Failure(_)) => return None,
                }
            }
            None
        }
        Err(tungstenite::HandshakeError::Failure(_)) => None,
    }
}

fn send(socket: &mut Socket, message: &Value) -> Option<()> {
    socket.send(Message::text(message.to_string())).ok()
}

fn is_timeout(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{TimedOut, WouldBlock};
    matches!(error.kind(), WouldBlock | TimedOut)
}

/// Numbers that are the same in every run.
pub(crate) struct Draws(u64);

impl Draws {
    pub(crate) fn new(seed: u64) -> Draws {
        Draws(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
}
