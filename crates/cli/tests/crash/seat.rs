//! A player's seat in a match, with its pending and acknowledged decisions.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::draws::Draws;
use crate::games::{Hand, Manner, Pastime, Saying};
use crate::socket::Socket;

/// A decision that the server has acknowledged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Acked {
    pub(crate) match_id: String,
    pub(crate) seat: u64,
    /// The decision as recorded.
    pub(crate) words: Vec<String>,
}

/// The recorded word for a resignation.
pub(crate) const RESIGN: &str = "resign";

pub(crate) struct Seat {
    pub(crate) match_id: String,
    seat: u64,
    /// More than one if players share the screen.
    own_seats: Vec<u64>,
    next_seq: u64,
    seen: u64,
    /// Unanswered decisions by number, with their recorded words.
    pending: BTreeMap<u64, (Value, Vec<String>)>,
    hand: Box<dyn Hand>,
    has_resigned: bool,
}

impl Seat {
    /// The seat assigned by a `match_found`.
    pub(crate) fn of(found: &Value, pastime: Pastime, manner: Manner) -> Seat {
        let own_seats = found["own_seats"].as_array().unwrap().iter();
        Seat {
            match_id: found["match_id"].as_str().unwrap().to_owned(),
            seat: found["seat"].as_u64().unwrap(),
            own_seats: own_seats.map(|it| it.as_u64().unwrap()).collect(),
            next_seq: found["next_seq"].as_u64().unwrap(),
            seen: 0,
            pending: BTreeMap::new(),
            hand: pastime.hand(manner),
            has_resigned: false,
        }
    }

    /// True if no one shares the screen. At a shared screen the server sends the standing again
    /// whenever someone sits down.
    pub(crate) fn is_own_screen(&self) -> bool {
        self.own_seats.len() == 1
    }

    /// The position at which a new connection resumes.
    pub(crate) fn resume(&mut self) -> Value {
        self.hand.come_back();
        let next = self.pending.keys().next().copied().unwrap_or(self.next_seq);
        json!({ "match_id": self.match_id, "seen": self.seen, "next_seq": next })
    }

    /// Repeats all unanswered decisions.
    pub(crate) fn ask_again(&self, socket: &mut Socket) -> Option<()> {
        let mut pending = self.pending.values();
        pending.try_for_each(|(message, _)| socket.send(message))
    }

    /// Takes another seat at a shared screen.
    pub(crate) fn sit_down(&self, seat: u64, socket: &mut Socket) -> Option<()> {
        socket.send(&json!({ "type": "sit", "match_id": self.match_id, "seat": seat }))
    }

    /// Handles a message of the match and returns the decision that it acknowledges, if any.
    /// Returns `None` if the connection is lost.
    pub(crate) fn receive(
        &mut self,
        message: &Value,
        draws: &mut Draws,
        socket: &mut Socket,
    ) -> Option<Option<Acked>> {
        if let Some(version) = message["version"].as_u64() {
            self.seen = version;
        }
        let acked = self.answered(message);
        if !self.has_resigned {
            let sayings = self.hand.receive(message, self.pending.len(), draws);
            for saying in sayings {
                self.say(saying, socket)?;
            }
        }
        Some(acked)
    }

    fn answered(&mut self, message: &Value) -> Option<Acked> {
        let seq = message["client_seq"].as_u64()?;
        let (_, words) = self.pending.remove(&seq)?;
        (message["taken"] == true).then(|| Acked {
            match_id: self.match_id.clone(),
            seat: self.seat,
            words,
        })
    }

    fn say(&mut self, saying: Saying, socket: &mut Socket) -> Option<()> {
        let match_id = &self.match_id;
        match saying {
            Saying::Ask(ask, words) => {
                let message = json!({ "type": "ask", "match_id": match_id, "ask": ask });
                self.ask(message, words, socket)
            }
            Saying::Consider(question, ask) => socket.send(
                &json!({ "type": "consider", "match_id": match_id, "question": question, "ask": ask }),
            ),
            Saying::PassOn => {
                let other = self.own_seats.iter().find(|it| **it != self.seat);
                other.map_or(Some(()), |other| self.sit_down(*other, socket))
            }
        }
    }

    fn ask(&mut self, mut message: Value, words: Vec<String>, socket: &mut Socket) -> Option<()> {
        let seq = self.next_seq;
        self.next_seq += 1;
        message["seq"] = seq.into();
        let sent = socket.send(&message);
        self.pending.insert(seq, (message, words));
        sent
    }

    /// Asks for the standing of a match at a shared screen.
    pub(crate) fn resync(&self, socket: &mut Socket) -> Option<()> {
        socket.send(&json!({ "type": "resync", "match_id": self.match_id, "seen": 0 }))
    }

    /// Resigns a match that would last too long, once.
    pub(crate) fn give_up(&mut self, socket: &mut Socket) -> Option<()> {
        if self.has_resigned || !self.hand.gives_up() {
            return Some(());
        }
        self.has_resigned = true;
        let message = json!({ "type": "resign", "match_id": self.match_id });
        self.ask(message, vec![RESIGN.to_owned()], socket)
    }
}
