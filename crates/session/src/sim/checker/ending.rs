//! The checks at the end of a match.

use kernel::{Outcome, Seat, SeatSet, record};

use super::super::host::Ledger;
use super::super::simulated::Simulated;
use super::{Checker, SeatBook};
use crate::Event;

impl<S: Simulated> Checker<S> {
    /// Checks the whole match, once it is over, from its stored events alone.
    pub(in super::super) fn check_end(&mut self, events: &[Vec<u8>], ledger: &Ledger) {
        let n_closings = String::from_utf8_lossy(&join(events))
            .matches("\"closing\": ")
            .count();
        if n_closings != 1 {
            self.wrong("not_one_end", format!("{n_closings} closing lines"));
        }
        if self.seats.iter().any(SeatBook::has_lost) {
            self.wrong("lost_ack", "an acknowledged decision is not in the record");
        }
        self.check_money(ledger);
    }

    /// Verifies the record by itself, and that the stakes were settled by it.
    pub(in super::super) fn check_record(
        &mut self,
        events: &[Vec<u8>],
        ledger: &Ledger,
        stays_away: SeatSet,
    ) {
        match record::verify::<S::Game>(&join(events)) {
            Err(fault) => self.wrong("unsound_record", fault.to_string()),
            Ok(report) => match report.outcome {
                None => self.wrong("unsound_record", "the record has no end"),
                Some(outcome) => {
                    self.check_afk(&outcome, stays_away);
                    if let Err(message) = ledger.check_shares(&outcome) {
                        self.wrong("wrong_share", message);
                    }
                }
            },
        }
    }

    pub(in super::super) fn check_money(&mut self, ledger: &Ledger) {
        if let Err(message) = ledger.check_end() {
            self.wrong("money", message);
        }
    }

    /// Checks that people who did not return after a restart are not judged by missed deadlines.
    fn check_afk(&mut self, outcome: &Outcome, stays_away: SeatSet) {
        let away = stays_away.intersection(self.terms.policy.people);
        let unseen = |seat: Seat| away.contains(seat) && !outcome.winners().contains(seat);
        if outcome.reason.0 == "timeout" && Seat::first(self.seats.len()).any(unseen) {
            let message = format!("{away:?} has been absent since a restart: {outcome}");
            self.wrong("unfair_afk", message);
        }
    }
}

fn join(events: &[Vec<u8>]) -> Vec<u8> {
    let lines = events
        .iter()
        .map(|bytes| Event::lines(bytes).unwrap_or_default());
    lines.collect::<Vec<_>>().concat()
}
