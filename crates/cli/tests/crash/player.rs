//! A player who relies only on acknowledgements.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::draws::Draws;
use crate::games::{Manner, Pastime};
use crate::process::{http, post};
pub(crate) use crate::seat::Acked;
use crate::seat::Seat;
use crate::socket::{Read, Socket};

/// The number of decisions acknowledged to all players in this process.
static N_ACKED: AtomicUsize = AtomicUsize::new(0);

/// The time that a player waits for the others to accept a rematch.
const REMATCH_WITHIN: Duration = Duration::from_secs(3);
/// The delay after a refusal before a player asks for a match again.
const AGAIN_AFTER: Duration = Duration::from_millis(200);
/// The time in which a requested match may still begin.
const LAST_LOOK: Duration = Duration::from_millis(400);

/// The number of decisions that a player makes in [`Player::play_once`].
const DECISIONS: usize = 20;

/// Waits until one more decision is acknowledged to any player.
pub(crate) fn wait_for_a_decision() {
    let before = N_ACKED.load(Ordering::Relaxed);
    let deadline = Instant::now() + Duration::from_secs(60);
    while N_ACKED.load(Ordering::Relaxed) == before {
        assert!(Instant::now() < deadline, "no decision is acknowledged");
        thread::sleep(Duration::from_millis(1));
    }
}

pub(crate) struct Player {
    server: SocketAddr,
    token: String,
    draws: Draws,
    manner: Manner,
    pastime: Pastime,
    company: Company,
    at: Option<Seat>,
    waits: Waits,
    played: Played,
}

/// The results of playing.
#[derive(Default)]
pub(crate) struct Played {
    pub(crate) acked: Vec<Acked>,
    pub(crate) n_ended: usize,
    pub(crate) n_rematches: usize,
}

/// The way in which a player finds opponents.
enum Company {
    Queue,
    /// Opens lobbies and shares their codes here.
    Host(Arc<Mutex<String>>),
    Guest(Arc<Mutex<String>>),
}

/// The state of a player without a match.
#[derive(Clone, PartialEq)]
enum Waits {
    /// Waits for a match with anyone in the company.
    Match,
    /// Waits for a rematch until this instant.
    Rematch(Instant),
    /// Asks again at this instant.
    Until(Instant),
}

/// The goal of a player.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Will {
    PlayOn,
    /// Finish the current match and begin no other.
    Finish,
    Leave,
}

type Wish<'a> = &'a dyn Fn(&Player) -> Will;

impl Player {
    /// A player of Orcain.
    pub(crate) fn guest(server: SocketAddr, seed: u64) -> Player {
        Player::of(server, seed, Pastime::Orcain, Company::Queue)
    }

    /// Creates the players of one match.
    pub(crate) fn company(server: SocketAddr, seed: u64, pastime: Pastime) -> Vec<Player> {
        let Some(table) = pastime.table() else {
            let two = [seed, seed + 1];
            return two
                .map(|seed| Player::of(server, seed, pastime, Company::Queue))
                .into();
        };
        let code = Arc::new(Mutex::new(String::new()));
        let seats = table["seats"].as_array().unwrap().iter();
        let company = seats.filter_map(|seat| match seat.as_str()? {
            "host" => Some(Company::Host(Arc::clone(&code))),
            "guest" => Some(Company::Guest(Arc::clone(&code))),
            _ => None,
        });
        (seed..)
            .zip(company)
            .map(|(seed, company)| Player::of(server, seed, pastime, company))
            .collect()
    }

    fn of(server: SocketAddr, seed: u64, pastime: Pastime, company: Company) -> Player {
        let account = http(server, "POST", "/auth/guest", "").unwrap();
        Player {
            server,
            token: account["authToken"].as_str().unwrap().to_owned(),
            draws: Draws::new(seed),
            manner: Manner::Moody,
            pastime,
            company,
            at: None,
            waits: Waits::Match,
            played: Played::default(),
        }
    }

    /// Plays match after match while `playing` is true, then finishes or resigns the last one.
    pub(crate) fn play(mut self, playing: &AtomicBool) -> Played {
        let deadline = Instant::now() + Duration::from_secs(2_000);
        while playing.load(Ordering::Relaxed) || self.at.is_some() {
            assert!(
                Instant::now() < deadline,
                "a match did not end: {:?}",
                self.pastime
            );
            self.visit(|it| match (playing.load(Ordering::Relaxed), &it.at) {
                (true, _) => Will::PlayOn,
                (false, Some(_)) => Will::Finish,
                (false, None) => Will::Leave,
            });
        }
        // A match that was requested last may have begun since.
        let until = Instant::now() + LAST_LOOK;
        let is_over = |it: &Player| it.at.is_none() && Instant::now() > until;
        while !is_over(&self) {
            assert!(Instant::now() < deadline, "the last match did not end");
            self.visit(|it| {
                if is_over(it) {
                    Will::Leave
                } else {
                    Will::Finish
                }
            });
        }
        self.played
    }

    /// Plays one match, and resigns after [`DECISIONS`] if its game can last long. `over` means
    /// that another player has seen the end. A player who missed the end because the server was
    /// killed then does not wait for another match.
    pub(crate) fn play_once(mut self, over: &AtomicBool) -> Vec<Acked> {
        self.manner = Manner::Steady;
        let deadline = Instant::now() + Duration::from_secs(60);
        let will = |it: &Player| {
            let has_played = it.played.acked.len() >= DECISIONS;
            let is_out = it.at.is_none() && (has_played || over.load(Ordering::Relaxed));
            if it.played.n_ended > 0 || is_out || Instant::now() >= deadline {
                Will::Leave
            } else if has_played {
                Will::Finish
            } else {
                Will::PlayOn
            }
        };
        while will(&self) != Will::Leave {
            self.visit(will);
        }
        over.store(true, Ordering::Relaxed);
        self.played.acked
    }

    /// Drafts in a match without confirming until `away` is set. The returned player remembers
    /// only the account.
    pub(crate) fn hesitate(mut self, away: &AtomicBool) -> Player {
        self.manner = Manner::Hesitant;
        while !away.load(Ordering::Relaxed) {
            self.visit(|_| match away.load(Ordering::Relaxed) {
                true => Will::Leave,
                false => Will::PlayOn,
            });
        }
        (self.at, self.played) = (None, Played::default());
        self
    }

    /// Plays over one connection until it is lost or no longer needed.
    fn visit(&mut self, will: impl Fn(&Player) -> Will) {
        let Some(mut socket) = Socket::connect(self.server) else {
            thread::sleep(Duration::from_millis(10));
            return;
        };
        let mut hello = json!({ "type": "hello", "protocol": 1, "token": self.token });
        if let Some(seat) = &mut self.at {
            hello["resume"] = seat.resume();
        }
        let mut is_here = socket.send(&hello);
        while is_here.is_some() {
            if will(self) == Will::Leave {
                return;
            }
            is_here = match socket.read() {
                Read::Message(message) => self.receive(&message, &will, &mut socket),
                Read::Nothing => Some(()),
                Read::Lost => None,
            };
            is_here = is_here.and_then(|()| self.look_around(&will, &mut socket));
        }
    }

    fn receive(&mut self, message: &Value, will: Wish<'_>, socket: &mut Socket) -> Option<()> {
        match message["type"].as_str().unwrap() {
            "welcome" if message["match_id"].is_null() => self.end(will, socket),
            "match_found" => self.sit(message, socket),
            "match" => {
                let Some(seat) = &mut self.at else {
                    return Some(());
                };
                let acked = seat.receive(&message["message"], &mut self.draws, socket)?;
                N_ACKED.fetch_add(usize::from(acked.is_some()), Ordering::Relaxed);
                self.played.acked.extend(acked);
                Some(())
            }
            "match_end" => self.end(will, socket),
            "left" => {
                self.at = None;
                self.gather(will, socket)
            }
            "rematch" if self.at.is_none() && self.waits == Waits::Match => {
                self.want_again(message["match_id"].as_str().unwrap(), will, socket)
            }
            "error" | "rematch_off" | "table_closed" => self.refused(message, socket),
            _ => Some(()),
        }
    }

    /// Handles the end of a match, which may have come while the player was disconnected.
    fn end(&mut self, will: Wish<'_>, socket: &mut Socket) -> Option<()> {
        let Some(seat) = self.at.take() else {
            return self.gather(will, socket);
        };
        self.played.n_ended += 1;
        if is_played_again(&seat.match_id) {
            return self.want_again(&seat.match_id, will, socket);
        }
        self.gather(will, socket)
    }

    fn want_again(&mut self, match_id: &str, will: Wish<'_>, socket: &mut Socket) -> Option<()> {
        if will(self) != Will::PlayOn {
            return Some(());
        }
        self.waits = Waits::Rematch(Instant::now() + REMATCH_WITHIN);
        socket.send(&json!({ "type": "rematch", "match_id": match_id }))
    }

    /// Asks for a match with the others.
    fn gather(&mut self, will: Wish<'_>, socket: &mut Socket) -> Option<()> {
        if will(self) != Will::PlayOn {
            return Some(());
        }
        self.waits = Waits::Match;
        let game = self.pastime.game();
        let code = match &self.company {
            Company::Queue => {
                return socket.send(&json!({ "type": "queue_join", "game": game }));
            }
            Company::Guest(code) => code.lock().unwrap().clone(),
            Company::Host(code) => {
                let table = self.pastime.table()?.to_string();
                let opened = post(self.server, "/api/tables", &self.token, &table)?;
                let opened = opened["code"].as_str()?.to_owned();
                code.lock().unwrap().clone_from(&opened);
                opened
            }
        };
        socket.send(&json!({ "type": "table_join", "code": code }))
    }

    fn refused(&mut self, message: &Value, socket: &mut Socket) -> Option<()> {
        match &self.at {
            None => {
                self.waits = Waits::Until(Instant::now() + AGAIN_AFTER);
                Some(())
            }
            Some(seat) if message["code"] == "wrong_seat" => seat.resync(socket),
            Some(_) => Some(()),
        }
    }

    /// Does what no message triggers.
    fn look_around(&mut self, will: Wish<'_>, socket: &mut Socket) -> Option<()> {
        let wish = will(self);
        match (&mut self.at, &self.waits) {
            (Some(seat), _) if wish == Will::Finish => seat.give_up(socket),
            (None, Waits::Rematch(due) | Waits::Until(due)) if *due < Instant::now() => {
                self.gather(will, socket)
            }
            _ => Some(()),
        }
    }

    /// Takes a seat and repeats all unanswered decisions.
    fn sit(&mut self, found: &Value, socket: &mut Socket) -> Option<()> {
        let resumed = self.at.as_ref().filter(|seat| {
            seat.is_own_screen() && Some(seat.match_id.as_str()) == found["match_id"].as_str()
        });
        if let Some(seat) = resumed {
            return seat.ask_again(socket);
        }
        self.played.n_rematches += usize::from(matches!(self.waits, Waits::Rematch(_)));
        self.waits = Waits::Match;
        let seat = Seat::of(found, self.pastime, self.manner);
        if found["curtain"] == true {
            seat.sit_down(found["seat"].as_u64()?, socket)?;
        }
        self.at = Some(seat);
        Some(())
    }
}

/// True if the players want a rematch. All players of a match must agree on this.
fn is_played_again(match_id: &str) -> bool {
    match_id.ends_with(|it: char| it.is_ascii_digit())
}
