//! The checker: books of its own, made from what leaves the session.

use catalog::Orcain;
use catalog::orcain::Card;
use kernel::{Outcome, Seat, SeatSet, Verdict as Won, record};

use super::client::Sent;
use super::fate::STAKE;
use super::host::Ledger;
use crate::orcain::Asked;
use crate::{Event, Ms, OrcainAsk};

/// The time to lay out, from the rules of the game and not from the session.
const PREP_MS: Ms = 20_000;

/// What went wrong, before the match's seed is known.
pub(super) type Wrong = (&'static str, String);

/// What the checker knows of a match.
#[derive(Default)]
pub(super) struct Checker {
    pub(super) wrongs: Vec<Wrong>,
    /// Layouts in the durable record, by seat: what kind, and the text of it.
    actions: [Vec<(bool, String)>; 2],
    /// How many events and layouts were read or matched so far.
    n_read: usize,
    n_matched: [usize; 2],
    acked: [Vec<(bool, String)>; 2],
    last_acked: [u64; 2],
    /// The event with which layouts began.
    prep_version: u64,
    /// For how long the host could run and write when that event became durable.
    prep_up_ms: Option<Ms>,
    /// Whether nothing has disturbed the clock since then.
    undisturbed: bool,
    in_prep: bool,
    /// Who must confirm before a round may end early, and who has.
    people: SeatSet,
    confirmed: SeatSet,
    n_settles_of_life: u32,
    n_closed_of_life: u32,
}

impl Checker {
    /// A match with people in these seats.
    pub(super) fn between(people: SeatSet) -> Checker {
        Checker {
            people,
            ..Checker::default()
        }
    }

    pub(super) fn wrong(&mut self, code: &'static str, message: impl Into<String>) {
        self.wrongs.push((code, message.into()));
    }

    /// An event was handed to the disk, which may take no writes.
    pub(super) fn on_persist(&mut self, event: &Event, up_ms: Ms, outage: bool) {
        let Ok(lines) = Event::lines(&event.bytes) else {
            self.wrong("unreadable_event", format!("event {}", event.version));
            return;
        };
        self.undisturbed &= !outage;
        if lines.is_empty() {
            self.undisturbed = false;
            return;
        }
        let text = String::from_utf8_lossy(&lines);
        let has = |wanted: &str| text.contains(wanted);
        let finalised = has("ROUND_FINALIZED");
        let forced =
            finalised && has("\"type\": \"DEADLINE\"") && !self.people.is_subset(self.confirmed);
        if forced {
            self.check_deadline(up_ms);
        }
        if outage && (forced || has("\"disconnect\"") || has("\"timeout\"")) {
            self.wrong("judged_in_outage", format!("event {}", event.version));
        }
        if finalised {
            self.in_prep = false;
        }
        if event.version == 1 || has("ROUND_STARTED") {
            (self.prep_up_ms, self.undisturbed, self.in_prep) = (None, !outage, true);
            self.prep_version = event.version;
            self.confirmed = SeatSet::EMPTY;
        }
        for (seat, (confirm, _)) in layouts(&lines) {
            let seat = Seat::new(seat).filter(|_| confirm);
            self.confirmed = seat.map_or(self.confirmed, |seat| self.confirmed.with(seat));
        }
    }

    /// A round that time ended: everybody must have had all of it since it was announced.
    fn check_deadline(&mut self, up_ms: Ms) {
        let had = self.prep_up_ms.map(|began| up_ms - began);
        match had {
            Some(had) if had >= PREP_MS => {}
            Some(had) => self.wrong("unfair_deadline", format!("a round lasted {had} ms")),
            None => self.wrong("unfair_deadline", "a round ended before it was announced"),
        }
    }

    /// Events up to this one are durable.
    pub(super) fn on_durable(&mut self, version: u64, up_ms: Ms) {
        if version >= self.prep_version {
            self.prep_up_ms.get_or_insert(up_ms);
        }
    }

    /// The process died.
    pub(super) fn on_crash(&mut self) {
        self.undisturbed = false;
        (self.n_settles_of_life, self.n_closed_of_life) = (0, 0);
    }

    /// A layout was judged. Nobody is late before the time is over in which the host could
    /// run and write; nobody is in time after it, unless something stopped the clock.
    pub(super) fn on_judged(&mut self, up_ms: Ms, taken: bool, late: bool) {
        // An answer to a message of an earlier round may be sent again.
        let began = self
            .prep_up_ms
            .filter(|&began| self.in_prep && up_ms >= began);
        let Some(began) = began else {
            return;
        };
        let in_time = up_ms <= began + PREP_MS;
        if (taken && !in_time && self.undisturbed) || (late && in_time) {
            let at = up_ms - began;
            self.wrong(
                "unfair_judgement",
                format!("taken: {taken}, late: {late}, {at} ms after the round began"),
            );
        }
    }

    /// Reads events that have become durable.
    pub(super) fn read_durable(&mut self, events: &[Vec<u8>]) {
        for bytes in events.iter().skip(self.n_read) {
            let lines = Event::lines(bytes).unwrap_or_default();
            for (seat, action) in layouts(&lines) {
                self.actions[seat].push(action);
            }
        }
        self.n_read = self.n_read.max(events.len());
    }

    /// An answer left the host: what it says was done must be durable by now.
    pub(super) fn on_ack(&mut self, seat: Seat, sent: &Sent) {
        let Some(expected) = expected(sent.ask.as_ref()) else {
            return;
        };
        let seat = seat.index() & 1;
        if sent.client_seq <= self.last_acked[seat] {
            // The same answer again is no new promise.
            return;
        }
        self.last_acked[seat] = sent.client_seq;
        let found = self.actions[seat]
            .iter()
            .skip(self.n_matched[seat])
            .position(|it| *it == expected);
        match found {
            Some(at) => {
                self.n_matched[seat] += at + 1;
                self.acked[seat].push(expected);
            }
            None => self.wrong(
                "lost_ack",
                format!(
                    "message {} was answered, but {expected:?} is not durable",
                    sent.client_seq
                ),
            ),
        }
    }

    pub(super) fn on_settle(&mut self) {
        self.n_settles_of_life += 1;
        if self.n_settles_of_life > 1 {
            self.wrong("double_settle", "the stakes were settled twice");
        }
    }

    pub(super) fn on_closed(&mut self) {
        self.n_closed_of_life += 1;
        if self.n_closed_of_life > 1 {
            self.wrong("double_end", "the match ended twice");
        }
    }

    /// The whole match, once it is over: from its stored events alone.
    pub(super) fn check_end(&mut self, events: &[Vec<u8>], ledger: &Ledger) {
        let record = join(events);
        let n_closings = String::from_utf8_lossy(&record)
            .matches("\"closing\": ")
            .count();
        if n_closings != 1 {
            self.wrong("not_one_end", format!("{n_closings} closing lines"));
        }
        let mut last: [Vec<(bool, String)>; 2] = Default::default();
        for (seat, action) in layouts(&record) {
            last[seat].push(action);
        }
        for (acked, stored) in self.acked.clone().iter().zip(&last) {
            let mut stored = stored.iter();
            if !acked.iter().all(|ack| stored.any(|it| it == ack)) {
                self.wrong("lost_ack", "an answered layout is not in the record");
            }
        }
        self.check_money(ledger);
    }

    /// The record by itself, and that the stakes went where it says.
    pub(super) fn check_record(
        &mut self,
        events: &[Vec<u8>],
        ledger: &Ledger,
        stays_away: SeatSet,
    ) {
        match record::verify::<Orcain>(&join(events)) {
            Err(fault) => self.wrong("unsound_record", fault.to_string()),
            Ok(report) => match report.outcome {
                None => self.wrong("unsound_record", "the record has no end"),
                Some(outcome) => {
                    self.check_afk(&outcome, stays_away);
                    self.check_shares(&outcome, ledger);
                }
            },
        }
    }

    pub(super) fn check_money(&mut self, ledger: &Ledger) {
        if let Err(message) = ledger.check_end() {
            self.wrong("money", message);
        }
    }

    /// People who did not return after a restart are not judged by the rounds they missed.
    fn check_afk(&mut self, outcome: &Outcome, stays_away: SeatSet) {
        let away = stays_away.intersection(self.people);
        let unseen = |seat: Seat| away.contains(seat) && !outcome.winners().contains(seat);
        if outcome.reason.0 == "timeout" && Seat::first(2).any(unseen) {
            self.wrong(
                "unfair_afk",
                format!("{away:?} was away since a restart: {outcome}"),
            );
        }
    }

    fn check_shares(&mut self, outcome: &Outcome, ledger: &Ledger) {
        for seat in Seat::first(2) {
            let tokens = match outcome.verdict {
                Won::Winner(winner) if winner == seat => 2 * STAKE,
                Won::Winner(_) | Won::Winners(_) | Won::AllLose => 0,
                Won::Draw | Won::Void => STAKE,
            };
            if ledger.account(seat) != Ledger::expected(tokens) {
                self.wrong("wrong_share", format!("seat {seat} after {outcome}"));
            }
        }
    }
}

fn join(events: &[Vec<u8>]) -> Vec<u8> {
    let lines = events
        .iter()
        .map(|bytes| Event::lines(bytes).unwrap_or_default());
    lines.collect::<Vec<_>>().concat()
}

/// The layouts that a record holds: whose, whether confirmed, and their text.
fn layouts(record: &[u8]) -> impl Iterator<Item = (usize, (bool, String))> + '_ {
    record.split(|&byte| byte == b'\n').filter_map(|line| {
        let text = str::from_utf8(line).ok()?;
        let (_, rest) = text.split_once("\"payload\": {\"layout\": [")?;
        let (layout, rest) = rest.split_once(']')?;
        let (_, rest) = rest.split_once("\"player_id\": ")?;
        let seat = usize::from(rest.starts_with('1'));
        let confirmed = rest.ends_with("\"LAYOUT_CONFIRM\"}");
        Some((seat, (confirmed, layout.to_owned())))
    })
}

/// What must stand in the record when this was answered as taken.
fn expected(ask: Option<&OrcainAsk>) -> Option<(bool, String)> {
    let (confirmed, slots) = match ask? {
        OrcainAsk::Draft(Some(slots)) => (false, slots),
        OrcainAsk::Confirm(Some(slots)) => (true, slots),
        OrcainAsk::Draft(None) | OrcainAsk::Confirm(None) => return None,
    };
    Some((confirmed, fit(slots)))
}

/// What is left of a layout for a hand with one of each card, as a record writes it.
fn fit(slots: &[Asked]) -> String {
    let mut used: Vec<Card> = Vec::new();
    let mut texts = Vec::new();
    for slot in slots {
        match slot {
            Ok(Some(card)) if !used.contains(card) => {
                used.push(*card);
                texts.push(format!("\"{}\"", card.name()));
            }
            _ => texts.push("null".to_owned()),
        }
    }
    texts.join(", ")
}
