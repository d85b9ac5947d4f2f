//! The record as the checker reads it: by the rules of the game, without the session.

use kernel::Game;
use kernel::doc::{self, Faults, Node};
use kernel::json::{self, Json};
use kernel::record::{ActionLine, CHANCE, DEADLINE, LEAVE, split_lines};
use kernel::{Departure, Discard, GameExt, Recorded, Seat, SeatSet, Step, Turn};

use super::super::simulated::{Action, Setup, Simulated};

/// The record so far, and the position that it leads to.
pub(super) struct Book<S: Simulated> {
    pub(super) position: S::Game,
    /// The number of deadlines that each seat has missed in a row.
    pub(super) n_missed: Vec<u8>,
}

/// One line of the record.
pub(super) enum Entry<A> {
    /// A seat decided.
    Played(Seat, Vec<A>),
    /// The deadline expired. These seats could still have decided.
    Expired { open: SeatSet },
    /// Seats left: the clock or the host removed them, or they resigned.
    Left { seats: SeatSet, cause: Departure },
    /// The header, chance or the end.
    Other,
}

impl<S: Simulated> Book<S> {
    pub(super) fn new(setup: &Setup<S>) -> Book<S> {
        let position = <S::Game>::start(setup);
        Book {
            n_missed: vec![0; position.n_seats()],
            position,
        }
    }

    pub(super) fn read(&mut self, lines: &[u8]) -> Result<Vec<Entry<Action<S>>>, String> {
        let (lines, torn) = split_lines(lines);
        if !torn.is_empty() {
            return Err("a torn line".to_owned());
        }
        lines.map(|line| self.read_line(line)).collect()
    }

    fn read_line(&mut self, bytes: &[u8]) -> Result<Entry<Action<S>>, String> {
        let Some(line) = action_line(bytes)? else {
            return Ok(Entry::Other);
        };
        let mut draws = line.result.chance.iter();
        let entry = self.entry(&line)?;
        let steps = match &entry {
            Entry::Played(seat, actions) => {
                self.n_missed[seat.index()] = 0;
                let play = |&action| Step::Play(*seat, action);
                actions.iter().map(play).collect()
            }
            Entry::Expired { .. } => {
                for seat in self.position.turn().missing().iter() {
                    self.n_missed[seat.index()] += 1;
                }
                vec![Step::Deadline]
            }
            Entry::Left { seats, cause } => vec![Step::Leave(*seats, *cause)],
            Entry::Other => Vec::new(),
        };
        self.settle(&mut draws)?;
        for step in steps {
            let done = self.position.apply(step, &mut Discard);
            done.map_err(|refusal| refusal.to_string())?;
            self.settle(&mut draws)?;
        }
        Ok(entry)
    }

    fn entry(&self, line: &ActionLine) -> Result<Entry<Action<S>>, String> {
        let mut faults = Faults::default();
        let payload = Node::root(&line.payload);
        match (line.kind.as_str(), line.player_id) {
            (CHANCE, _) => Ok(Entry::Other),
            (DEADLINE, _) => Ok(Entry::Expired {
                open: self.position.turn().open(),
            }),
            (LEAVE, _) => {
                departed(&payload).ok_or_else(|| "a departure that cannot be parsed".to_owned())
            }
            (kind, Some(seat)) => {
                let actions = self.position.decode(kind, &payload, &mut faults);
                let actions = faults.into_result(actions).map_err(|it| it.one_line())?;
                Ok(Entry::Played(seat, actions))
            }
            (kind, None) => Err(format!("{kind} without a seat")),
        }
    }

    fn settle<'a>(&mut self, draws: &mut impl Iterator<Item = &'a Json>) -> Result<(), String> {
        while self.position.turn() == Turn::Chance {
            let draw = draws.next().ok_or("a chance step without a draw")?;
            let mut faults = Faults::default();
            let draw = self.position.decode_draw(&Node::root(draw), &mut faults);
            let draw = faults.into_result(draw).map_err(|it| it.one_line())?;
            let done = self.position.apply(Step::Chance(draw), &mut Discard);
            done.map_err(|refusal| refusal.to_string())?;
        }
        Ok(())
    }
}

/// A line of the record other than its header and its end. The hash chain is checked where records
/// are verified.
fn action_line(bytes: &[u8]) -> Result<Option<ActionLine>, String> {
    let json = json::read(bytes).map_err(|it| it.to_string())?;
    let Json::Object(mut fields) = json else {
        return Err("a line that is not an object".to_owned());
    };
    if !fields.contains_key("action_id") {
        return Ok(None);
    }
    fields.remove("chain");
    let line = doc::parse(&Json::Object(fields));
    line.map(Some).map_err(|faults| faults.one_line())
}

fn departed<A>(payload: &Node<'_>) -> Option<Entry<A>> {
    let mut faults = Faults::default();
    let cause = payload.field("cause").text(&mut faults)?.to_owned();
    let list = payload.field("seats");
    let seat = |idx: i64| usize::try_from(idx).ok().and_then(Seat::new);
    let seats: Option<SeatSet> = list
        .list(&mut faults)?
        .iter()
        .map(|it| it.int_in(0..=15, &mut faults).and_then(seat))
        .collect();
    let cause = Departure::ALL.into_iter().find(|it| it.name() == cause)?;
    seats.map(|seats| Entry::Left { seats, cause })
}
