//! Checks the database on disk without the server.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use catalog::{GameName, with_game};
use kernel::record::{self, Line, Reader, Replay, split_lines};
use kernel::{Departure, Recorded, Step};
use session::Event;
use store::{BookFault, MatchFilter, MatchState, Place, Store, StoredMatch, Totals};

use crate::process::PROGRAM;
use crate::seat::{Acked, RESIGN};

/// The contents of the database.
pub(crate) struct Audit {
    matches: Vec<(StoredMatch, Vec<u8>)>,
    faults: Vec<BookFault>,
    totals: Totals,
}

/// The initial balance of every account.
pub(crate) const START_TOKENS: u64 = 100_000;

impl Audit {
    pub(crate) fn of(data: &Path) -> Audit {
        let mut store = Store::open_reader(&Place::Sqlite(data.join("referee.sqlite"))).unwrap();
        let read = store.read(|tx| {
            let mut matches = Vec::new();
            let mut filter = MatchFilter::default();
            loop {
                let page = tx.matches(&filter, 500)?;
                let Some(last) = page.last() else { break };
                filter.before = Some(last.number);
                for stored in page {
                    let events = tx.events(stored.game_id)?;
                    let lines = events.iter().map(|it| Event::lines(it).unwrap());
                    matches.push((stored, lines.collect::<Vec<_>>().concat()));
                }
            }
            let (faults, totals) = (tx.check_books()?, tx.totals()?);
            Ok(Audit {
                matches,
                faults,
                totals,
            })
        });
        read.unwrap()
    }

    /// Counts matches by game, mode and ending.
    pub(crate) fn courses(&self) -> BTreeMap<String, usize> {
        let mut courses = BTreeMap::new();
        for (stored, _) in &self.matches {
            let reason = stored.ending.as_ref().map_or("", |it| it.reason.as_str());
            let course = format!("{} {} {reason}", stored.game, stored.mode.name());
            *courses.entry(course).or_default() += 1;
        }
        courses
    }

    /// Asserts that no token was created or lost, every match ended once, and every acknowledged
    /// decision is recorded.
    pub(crate) fn check(&self, acked: &[Acked], issued: u64) {
        assert!(self.faults.is_empty(), "{:?}", self.faults);
        assert_eq!(self.totals.issued, issued);
        assert_eq!(self.totals.escrow, 0);
        assert_eq!(self.totals.players + self.totals.burned, self.totals.issued);
        let mut decisions = BTreeMap::new();
        for (stored, lines) in &self.matches {
            assert!(
                matches!(stored.state, MatchState::Over | MatchState::Void),
                "{stored:?}"
            );
            let game: GameName = stored.game.parse().unwrap();
            let made = with_game!(game, G => decisions_of::<G>(lines));
            decisions.insert(stored.game_id.to_string(), made);
        }
        assert_eq!(first_lost(&decisions, acked), None, "acknowledged and lost");
    }

    /// Asserts that `referee verify` accepts every record.
    pub(crate) fn check_records(&self) {
        let folder = tempfile::tempdir().unwrap();
        for (stored, lines) in &self.matches {
            let file = folder.path().join(format!("{}.jsonl", stored.game_id));
            fs::write(file, lines).unwrap();
        }
        let mut verify = Command::new(PROGRAM);
        let output = verify.arg("verify").arg(folder.path()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
}

/// Seats and the words of their decisions, in order.
type Decisions = Vec<(u64, Vec<String>)>;

/// The first acknowledged decision that is missing from the record of its match. A seat's
/// decisions must be recorded in the order in which they were acknowledged.
fn first_lost<'a>(
    decisions: &BTreeMap<String, Decisions>,
    acked: &'a [Acked],
) -> Option<&'a Acked> {
    let mut n_found: BTreeMap<(&str, u64), usize> = BTreeMap::new();
    acked.iter().find(|ack| {
        let made = decisions.get(&ack.match_id).map_or(&[][..], Vec::as_slice);
        let from = n_found.entry((&ack.match_id, ack.seat)).or_default();
        let words = sorted(&ack.words);
        let same = |(seat, made): &(u64, Vec<String>)| *seat == ack.seat && sorted(made) == words;
        match made[*from..].iter().position(same) {
            Some(idx) => {
                *from += idx + 1;
                false
            }
            None => true,
        }
    })
}

/// A record does not keep the order within one decision: discarded cards are listed by kind.
fn sorted(words: &[String]) -> Vec<&String> {
    let mut words: Vec<&String> = words.iter().collect();
    words.sort_unstable();
    words
}

/// Replays a record, which must be complete and valid, and returns the decisions of its seats.
fn decisions_of<G: Recorded>(lines: &[u8]) -> Decisions {
    let report = record::verify::<G>(lines).unwrap();
    assert!(report.outcome.is_some(), "{}", report.game_id);
    let mut reader = Reader::new();
    let mut replay: Option<Replay<G>> = None;
    let mut decisions = Vec::new();
    for (n_line, line) in (1..).zip(split_lines(lines).0) {
        match reader.push(line).unwrap() {
            Line::Header(header) => replay = Some(Replay::begin(&header).unwrap()),
            Line::Action(line) => {
                let mut by_seat: Decisions = Vec::new();
                let watch = |_: &G, step: Step<G::Action>| note(step, &mut by_seat);
                let replay = replay.as_mut().unwrap();
                replay.advance_watched(&line, n_line, watch).unwrap();
                decisions.extend(by_seat);
            }
            Line::Closing(_) => {}
        }
    }
    decisions
}

/// Adds a step. The steps of a seat in one line form one decision.
fn note<A: ToString>(step: Step<A>, line: &mut Decisions) {
    match step {
        Step::Play(seat, action) => {
            let (seat, word) = (seat.index() as u64, action.to_string());
            match line.last_mut().filter(|(last, _)| *last == seat) {
                Some((_, words)) => words.push(word),
                None => line.push((seat, vec![word])),
            }
        }
        Step::Leave(seats, Departure::Resign) => {
            let left = seats.iter().map(|seat| seat.index() as u64);
            line.extend(left.map(|seat| (seat, vec![RESIGN.to_owned()])));
        }
        _ => {}
    }
}

mod tests {
    use super::*;

    fn ack(seat: u64, word: &str) -> Acked {
        Acked {
            match_id: "m".to_owned(),
            seat,
            words: vec![word.to_owned()],
        }
    }

    fn is_lost(acked: &[Acked]) -> bool {
        let made = [(0, "roll"), (1, "accept"), (0, "end"), (0, "roll")];
        let made = made.map(|(seat, word)| (seat, vec![word.to_owned()]));
        let decisions = BTreeMap::from([("m".to_owned(), made.to_vec())]);
        first_lost(&decisions, acked).is_some()
    }

    // Promise: A killed process loses no acknowledged decision, no match and no token.
    #[test]
    fn a_lost_acknowledgement_is_found() {
        let kept = [ack(0, "roll"), ack(1, "accept"), ack(0, "end")];
        assert!(!is_lost(&kept));
        assert!(is_lost(&[ack(1, "roll")]), "another seat's decision");
        let twice = [ack(0, "end"), ack(0, "end")];
        assert!(is_lost(&twice), "recorded only once");
        let turned = [ack(0, "end"), ack(0, "roll"), ack(0, "roll")];
        assert!(is_lost(&turned), "recorded in another order");
        let elsewhere = Acked {
            match_id: "n".to_owned(),
            ..ack(0, "roll")
        };
        assert!(is_lost(&[elsewhere]), "no such match");
    }
}
