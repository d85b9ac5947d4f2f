//! Storage outages, and people who do not return.

use kernel::SeatSet;

use super::super::cells::{Fault, Phase};
use super::super::network::Happening;
use super::super::simulated::Simulated;
use super::World;
use crate::{Input, Ms, Wait};

/// A shorter outage counts as slow storage, and nobody notices it.
pub(in super::super) const SLOW_MS: Ms = 400;
/// A longer outage is noticed within this time.
const NOTICED_WITHIN_MS: Ms = 900;
/// The maximum age of the last write when an outage begins.
const BEAT_MS: Ms = 250;

impl<S: Simulated> World<S> {
    /// True if storage is unavailable rather than slow.
    pub(super) fn outage(&self) -> bool {
        self.disk.down_until.is_some() && self.dark_since.is_some()
    }

    pub(super) fn storage_down(&mut self, down_ms: Ms) {
        if self.disk.down_until.is_some() || self.session.is_none() {
            return;
        }
        self.disk.down_until = Some(self.now + down_ms);
        self.queue.push(self.now + down_ms, Happening::StorageUp);
        if down_ms <= SLOW_MS {
            return;
        }
        self.count(Fault::StorageOutage);
        self.dark_since.get_or_insert(self.now);
        self.n_outages += 1;
        let nth = self.n_outages;
        let (life, beat_ms) = (self.life, self.draws.within(0, BEAT_MS));
        let since = self.now.saturating_sub(beat_ms);
        let at = self.now + self.draws.within(1, NOTICED_WITHIN_MS);
        self.queue
            .push(at, Happening::OutageNoticed { life, nth, since });
    }

    pub(super) fn storage_up(&mut self) {
        self.disk.down_until = None;
        if self.session.is_none() {
            return;
        }
        // The closing event waits for storage and may still be lost.
        if self.phase == Phase::OVER && !self.ledger.is_settled() && self.draws.permille(300) {
            return self.crash(Fault::CrashAfterPersist, Phase::OVER);
        }
        let was_noticed = self.dark_since.is_some();
        self.light_up();
        if was_noticed {
            let (life, nth) = (self.life, self.n_outages);
            let at = self.now + self.draws.within(0, 30);
            self.queue.push(at, Happening::OutageOver { life, nth });
        }
        self.write_up_to(self.disk.events.len() as u64);
        if let Some(probe) = self.disk.probe.take() {
            self.write_probe(probe);
        }
    }

    /// Notes that the match proceeds from here.
    pub(super) fn light_up(&mut self) {
        let since = self.dark_since.take().unwrap_or(self.now);
        self.down_ms += self.now - since;
    }

    pub(super) fn write_up_to(&mut self, version: u64) {
        if self.disk.down_until.is_none() {
            let at = self.disk.write(self.now, &mut self.draws);
            let life = self.life;
            self.queue.push(at, Happening::Stored { life, version });
        }
    }

    pub(super) fn write_probe(&mut self, probe: u64) {
        if self.disk.down_until.is_some() {
            self.disk.probe = Some(probe);
            return;
        }
        let at = self.disk.write(self.now, &mut self.draws);
        let life = self.life;
        self.queue.push(at, Happening::Proved { life, probe });
    }

    /// Notes that the disk has stored events, unless an outage intervened.
    pub(super) fn stored(&mut self, version: u64) {
        if self.disk.down_until.is_some() {
            return;
        }
        self.keep(version as usize);
        self.checker.on_durable(version, self.up_ms());
        self.handle(Input::Stored { version });
    }

    /// Makes events durable, and the settlement with them, because they are one transaction.
    pub(super) fn keep(&mut self, n_events: usize) {
        for settlement in self.disk.keep(n_events) {
            self.checker.on_settled();
            if let Err(message) = self.ledger.settle(&settlement) {
                self.checker.wrong("money", message);
            }
        }
    }

    pub(super) fn proved(&mut self, probe: u64) {
        if self.disk.down_until.is_some() {
            self.disk.probe = Some(probe);
            return;
        }
        self.handle(Input::Proved { probe });
    }

    /// Plans an outage. If `at_deadline`, it begins just before the deadline, if there is one.
    pub(super) fn plan_outage(&mut self, at_deadline: bool) {
        let down_ms = self
            .draws
            .pick(&[200, SLOW_MS, 1_500, 8_000, 30_000, 70_000]);
        let wait = self.session.as_ref().map(|it| it.clock().wait);
        let deadline = match wait {
            Some(Wait::Until(at)) => Some(at),
            Some(Wait::Opening(it)) => Some(it.since + it.wait_ms),
            _ => None,
        };
        let left = deadline.map(|at| at.saturating_sub(self.host_now()));
        let after = match left.filter(|_| at_deadline) {
            Some(left) => left.saturating_sub(self.draws.within(0, 300)),
            // The closing event waits for storage.
            None if self.phase == Phase::OVER => 1,
            None => self.draws.within(1, 600),
        };
        if at_deadline && left.is_some() && down_ms > SLOW_MS {
            self.count(Fault::OutageAtDeadline);
        }
        self.queue
            .push(self.now + after, Happening::StorageDown(down_ms));
    }

    /// Draws the people who do not return after a crash: nearly always nobody.
    pub(super) fn draw_stays_away(&mut self) {
        let closed = self.disk.events.last();
        let closed = closed.and_then(|bytes| crate::Event::lines(bytes).ok());
        let closed =
            closed.is_some_and(|it| String::from_utf8_lossy(&it).contains("\"closing\": "));
        self.stays_away = match self.draws.within(0, 19) {
            _ if closed => SeatSet::EMPTY,
            0 => {
                self.count(Fault::NobodyReturns);
                self.terms.policy.people
            }
            1 => {
                self.count(Fault::OneStaysAway);
                let seat = self.any_person();
                self.screen(seat)
            }
            _ => SeatSet::EMPTY,
        };
    }
}
