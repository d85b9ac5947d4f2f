//! A session with two old clients, and every frame that they receive.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "each test program uses some of it; a test that cannot continue fails"
)]

#[path = "../../../session/tests/desk/mod.rs"]
mod desk;

use std::collections::BTreeSet;

use catalog::Orcain;
use catalog::orcain::{Asked, Card, RawSetup, Setup};
use desk::Desk;
use kernel::{Seat, SeatSet, Viewer};
use session::{Input, Live, Message, Ms, Policy, Say};
use wire::native::{MatchEnd, Standing};
use wire::old::{ClientEvent, Context, Dialect};

pub use desk::{A, B, T0};

pub struct Hall {
    pub desk: Desk<Orcain>,
    dialects: [Dialect; 2],
    bots: SeatSet,
    /// The frames that each seat received, with a line for each of its own actions.
    pub script: Vec<(Seat, String)>,
    /// The codes of all answers.
    pub codes: BTreeSet<String>,
}

/// A layout in the letters of the notation; `-` is an empty slot, `?` an unknown card.
pub fn slots(letters: &str) -> Option<Vec<Asked>> {
    let slot = |letter: char| match letter {
        '-' => Ok(None),
        '?' => Err(()),
        letter => Ok(Some(Card::from_letter(letter).unwrap())),
    };
    Some(letters.chars().map(slot).collect())
}

pub fn with_grace(grace_ms: Ms) -> Policy {
    Policy {
        grace_ms,
        pause_budget_ms: grace_ms,
        ..Orcain::POLICY.with_people(SeatSet::first(2))
    }
}

/// Players with so few hit points that one attack ends the match.
pub fn fragile() -> Setup {
    let raw = RawSetup {
        start_hp: 2,
        ..RawSetup::default()
    };
    Setup::try_from(raw).unwrap()
}

impl Hall {
    pub fn open(policy: Policy, setup: Setup) -> Hall {
        let bots = Seat::first(2).filter(|&seat| !policy.people.contains(seat));
        Hall::with_desk(Desk::open(policy, setup), bots.collect())
    }

    fn with_desk(desk: Desk<Orcain>, bots: SeatSet) -> Hall {
        let dialects = [A, B].map(|seat| Dialect::new(context(&desk, seat, bots, false)));
        let script = Vec::new();
        let mut hall = Hall {
            desk,
            dialects,
            bots,
            script,
            codes: BTreeSet::new(),
        };
        hall.deliver();
        hall
    }

    pub fn between_people() -> Hall {
        Hall::open(with_grace(0), Setup::default())
    }

    pub fn draft(&mut self, seat: Seat, letters: &str) {
        let slots = slots(letters);
        self.say(seat, &format!("drafts {letters}"), |match_id| {
            ClientEvent::Draft { match_id, slots }
        });
    }

    pub fn confirm(&mut self, seat: Seat, letters: &str) {
        let slots = slots(letters);
        self.say(seat, &format!("confirms {letters}"), |match_id| {
            ClientEvent::Confirm { match_id, slots }
        });
    }

    /// Sends an event about this match, or about another.
    pub fn say(
        &mut self,
        seat: Seat,
        done: &str,
        heard: impl FnOnce(Option<String>) -> ClientEvent,
    ) {
        self.script.push((seat, done.to_owned()));
        let match_id = self.desk.session.game_id().to_string();
        let dialect = &mut self.dialects[seat.index()];
        let Some(Ok((client_seq, ask))) = dialect.ask(heard(Some(match_id))) else {
            return;
        };
        let (conn, say) = (self.desk.conn(seat), Say::Ask { client_seq, ask });
        self.desk.handle(Input::Say { seat, conn, say });
        self.deliver();
    }

    pub fn resign(&mut self, seat: Seat) {
        let client_seq = self.desk.session.next_seq(seat);
        let (conn, say) = (self.desk.conn(seat), Say::Resign { client_seq });
        self.desk.handle(Input::Say { seat, conn, say });
        self.deliver();
    }

    pub fn lose_connection(&mut self, seat: Seat) {
        self.script.push((seat, "is gone".to_owned()));
        self.desk.disconnect(seat);
        self.deliver();
    }

    pub fn come_back(&mut self, seat: Seat) {
        self.script.push((seat, "is back".to_owned()));
        let context = context(&self.desk, seat, self.bots, true);
        self.dialects[seat.index()] = Dialect::new(context);
        self.desk.reconnect(seat, 0);
        self.deliver();
    }

    /// Advances the time and fires the timers that are due.
    pub fn wait(&mut self, ms: Ms) {
        let until = self.desk.now + ms;
        while self.desk.timer.is_some_and(|at| at <= until) {
            self.desk.wait_for_timer();
            self.deliver();
        }
        self.desk.now = until;
    }

    /// Both players confirm, and the round is revealed.
    pub fn round(&mut self, first: &str, second: &str) {
        self.confirm(A, first);
        self.confirm(B, second);
        self.wait(5_000);
    }

    /// The frames that a seat received, without its own actions.
    pub fn frames(&self, seat: Seat) -> Vec<&str> {
        let own = self.script.iter().filter(|(to, _)| *to == seat);
        let lines = own.map(|(_, line)| line.as_str());
        lines.filter(|line| line.starts_with("42")).collect()
    }

    /// The payloads of one event that a seat received.
    pub fn told(&self, seat: Seat, name: &str) -> Vec<serde_json::Value> {
        let prefix = format!("42[\"{name}\"");
        let frames = self.frames(seat);
        let named = frames.iter().filter(|frame| frame.starts_with(&prefix));
        let payload = |frame: &&str| serde_json::from_str::<Vec<_>>(&frame[2..]).unwrap();
        named
            .map(|frame| payload(frame).get(1).cloned().unwrap_or_default())
            .collect()
    }

    pub fn text(&self) -> String {
        let line = |(seat, line): &(Seat, String)| format!("{seat} {line}\n");
        self.script.iter().map(line).collect()
    }

    fn deliver(&mut self) {
        for (viewer, message) in std::mem::take(&mut self.desk.sent) {
            if let Message::Ack {
                code: Some(code), ..
            } = &message
            {
                self.codes.insert(code.to_string());
            }
            if let Viewer::Seat(seat) = viewer {
                let frames = self.dialects[seat.index()].tell(&message, self.desk.now);
                self.script
                    .extend(frames.into_iter().map(|frame| (seat, frame)));
            }
        }
        if self.desk.n_closed == 1 {
            for seat in [A, B] {
                let end = self.match_end(seat);
                let frames = self.dialects[seat.index()].end(&end);
                self.script
                    .extend(frames.into_iter().map(|frame| (seat, frame)));
            }
        }
    }

    fn match_end(&self, seat: Seat) -> MatchEnd {
        let share = self.desk.settled[0].share(seat);
        let outcome = self.desk.session.outcome().unwrap();
        let change = [-2, 0, 5][usize::try_from(outcome.score(seat) + 1).unwrap()];
        MatchEnd {
            match_id: self.desk.session.game_id(),
            outcome,
            share,
            tokens: Some(9 + share),
            opening: self.desk.session.terms().opening.clone(),
            standing: self.bots.is_empty().then_some(Standing {
                points: 100 + change,
                points_change: change,
                league: if change < 0 { "wood" } else { "iron" },
                rating: 1500,
                deviation: 350,
                played: true,
            }),
            record: "/matches/record".to_owned(),
        }
    }
}

fn context(desk: &Desk<Orcain>, seat: Seat, bots: SeatSet, resumed: bool) -> Context {
    let terms = desk.session.terms();
    let name = |seat: Seat| (!bots.contains(seat)).then(|| terms.names[seat.index()].clone());
    Context {
        match_id: terms.game_id,
        seat,
        nicknames: [A, B].map(name),
        bots,
        pot: if bots.is_empty() { 2 } else { 0 },
        tokens: 9,
        rating: 100,
        league: "iron",
        next_seq: desk.session.next_seq(seat),
        commitment: terms.opening.commitment(),
        resumed,
    }
}
