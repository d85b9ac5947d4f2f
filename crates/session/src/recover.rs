//! Recovery of a session from its stored events.

use std::fmt;

use kernel::record::{Line, Reader, Replay, split_lines};
use kernel::{GameExt, Viewer};

use crate::event::{Body, Happened, Link};
use crate::machine::{Seated, slot};
use crate::{Corrupt, Effect, Live, Ms, Session, Settlement, Terms};

/// Stored events that cannot be trusted: the match is void and the stakes are returned. The host
/// keeps the events for people to look at, and continues to run.
#[derive(Clone, PartialEq, Debug)]
pub struct Quarantine {
    /// The first fault that was found.
    pub fault: Corrupt,
    /// The refund of the stakes.
    pub settlement: Settlement,
}

impl fmt::Display for Quarantine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}; the match is void and the stakes are returned",
            self.fault
        )
    }
}

impl std::error::Error for Quarantine {}

impl<G: Live> Session<G> {
    /// Rebuilds a match from its durable events and continues it.
    ///
    /// The time left on a deadline is what was left when storage was last known to take a write,
    /// before the last event. The host may have run for a while after that, but this may have been
    /// an outage: counting from there can only give players more time, never less.
    ///
    /// The match is held until the first of its people returns. If nobody does within `rejoin_ms`,
    /// it is void. If somebody does, a person who has not returned by then has lost the connection;
    /// until then missed deadlines do not count against them. A match without people continues at
    /// once.
    ///
    /// Only a live match is recovered. The closing event is stored together with the settlement, so
    /// a match that has one needs nothing more. If storage still lists it as live, its events are
    /// not trusted.
    pub fn recover<B: AsRef<[u8]>>(
        terms: Terms<G>,
        events: &[B],
        now: Ms,
        rejoin_ms: Ms,
        out: &mut Vec<Effect<G>>,
    ) -> Result<Session<G>, Quarantine> {
        let n_seats = G::start(&terms.setup).n_seats();
        let refund = Settlement::refund(terms.game_id, n_seats, terms.stake);
        let rebuilt = rebuild(terms, events, n_seats);
        let (mut session, last_at) = rebuilt.map_err(|fault| Quarantine {
            fault,
            settlement: refund,
        })?;
        session.time.last = last_at;
        session.time.ahead = last_at.saturating_sub(now);
        let now = session.time.read(now);
        let down_ms = now - last_at;
        let people = session.people();
        let start = session.start(now);
        session.clock.recover(last_at, start, people, rejoin_ms);
        session.excused = people;
        let happened = Happened::Recovered { down_ms };
        session.log(now, happened, Vec::new(), Vec::new(), None, out);
        session.release(now, out);
        session.set_timer(out);
        Ok(session)
    }
}

struct Rebuild<G: Live> {
    reader: Reader,
    replay: Option<Replay<G>>,
}

fn rebuild<G: Live, B: AsRef<[u8]>>(
    terms: Terms<G>,
    events: &[B],
    n_seats: usize,
) -> Result<(Session<G>, Ms), Corrupt> {
    let start = Seated::Over(G::start(&terms.setup));
    let mut session = Session::at(terms, start, n_seats);
    let mut read = Rebuild::<G> {
        reader: Reader::new(),
        replay: None,
    };
    let mut link = Link::default();
    for bytes in events {
        let body = link.follow(bytes.as_ref())?;
        if body.clock.seats.len() != n_seats {
            let message = "the clock has a different number of seats";
            return Err(corrupt(body.version, message.to_owned()));
        }
        let news = read
            .play(&body.lines)
            .map_err(|message| corrupt(body.version, message))?;
        session.take_in(&body, news);
    }
    session.seal = link.seal;
    session.durable = session.version;
    let version = session.version;
    let seated = read.seat(&session.terms);
    session.table = seated.map_err(|message| corrupt(version, message))?;
    Ok((session, link.at))
}

impl<G: Live> Session<G> {
    /// Applies an event as if it had just happened, without its effects.
    fn take_in(&mut self, body: &Body, news: Vec<G::Event>) {
        self.version = body.version;
        self.clock = body.clock.clone();
        self.remember(body.at, body.happened, news);
        let entry = self.history.last();
        for viewer in Viewer::all(self.seats.len()) {
            if entry.is_some_and(|entry| entry.news(viewer).is_some()) {
                self.seen[slot(viewer, self.seats.len())] += 1;
            }
        }
        let Some(ack) = &body.ack else {
            return;
        };
        if let Some(seat) = self.seats.get_mut(ack.seat.index()) {
            seat.last_seq = ack.client_seq;
            seat.last_ack = Some(ack.clone());
        }
    }
}

impl<G: Live> Rebuild<G> {
    /// Plays the lines of the record that one event holds.
    fn play(&mut self, lines: &[u8]) -> Result<Vec<G::Event>, String> {
        let (lines, torn) = split_lines(lines);
        if !torn.is_empty() {
            return Err("a line of the record is torn".to_owned());
        }
        let mut news = Vec::new();
        for bytes in lines {
            let line = self.reader.push(bytes).map_err(|it| it.to_string())?;
            let n_line = self.reader.n_lines();
            match (line, &mut self.replay) {
                (Line::Header(header), None) => {
                    let replay = Replay::begin(&header).map_err(|it| it.to_string())?;
                    self.replay = Some(replay);
                }
                (Line::Action(line), Some(replay)) => {
                    let events = replay.advance(&line, n_line).map_err(|it| it.to_string())?;
                    news.extend_from_slice(events);
                }
                (Line::Closing(_), Some(_)) => {
                    return Err(
                        "the match ends with this event, but its settlement is missing".to_owned(),
                    );
                }
                _ => return Err("the record does not begin with one header".to_owned()),
            }
        }
        Ok(news)
    }

    /// The table at the end of the record.
    fn seat(self, terms: &Terms<G>) -> Result<Seated<G>, String> {
        let replay = self
            .replay
            .ok_or("there are no events: the match never began")?;
        let table = replay.table();
        if table.game_id() != terms.game_id {
            return Err("the record belongs to another match".to_owned());
        }
        if table.position().outcome().is_some() {
            return Err("the match is over, but its record is not closed".to_owned());
        }
        replay
            .resume(&self.reader, Some(terms.opening.clone()))
            .map(|recorder| Seated::Live(Box::new(recorder)))
            .map_err(|it| it.to_string())
    }
}

fn corrupt(version: u64, message: String) -> Corrupt {
    Corrupt { version, message }
}
