//! Deadlines, pauses and missed turns: the part of a session that is about time.

use kernel::{Seat, SeatSet, Turn};

use crate::{Ms, Policy};

/// The time of a match. It is written down whole with every event, so that a recovered
/// session has exactly the clock it had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    /// What the match waits for.
    pub wait: Wait,
    /// The pause, if the match stands still.
    pub(crate) pause: Option<Pause>,
    /// By seat.
    pub(crate) seats: Vec<SeatClock>,
}

/// How long a match still waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    /// Until this time.
    Until(Ms),
    /// This long, from when the match goes on.
    Held(Ms),
    /// For nothing: the match is over.
    Over,
}

/// A match that stands still.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pause {
    /// Since when it was not charged to the absent.
    pub(crate) since: Ms,
    pub(crate) absent: SeatSet,
}

/// What time remembers of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct SeatClock {
    /// For how long the match stood still for it.
    pub(crate) paused_ms: Ms,
    pub(crate) n_pauses: u16,
    /// When its grace ends, while it is absent.
    pub(crate) away_until: Ms,
    /// Deadlines missed in a row.
    pub(crate) n_missed: u8,
}

impl Clock {
    pub(crate) fn new(n_seats: usize) -> Clock {
        Clock {
            wait: Wait::Over,
            pause: None,
            seats: vec![SeatClock::default(); n_seats],
        }
    }

    /// A new wait begins.
    pub(crate) fn begin(&mut self, now: Ms, wait_ms: Ms) {
        self.wait = match self.pause {
            None => Wait::Until(now + wait_ms),
            Some(_) => Wait::Held(wait_ms),
        };
    }

    /// The match is over.
    pub(crate) fn stop(&mut self) {
        self.wait = Wait::Over;
        self.pause = None;
    }

    /// When time runs out, as players are told it.
    pub(crate) fn deadline(&self) -> Option<Ms> {
        match self.wait {
            Wait::Until(deadline) => Some(deadline),
            Wait::Held(_) | Wait::Over => None,
        }
    }

    /// For whom the match stands still.
    pub(crate) fn absent(&self) -> SeatSet {
        self.pause.map_or(SeatSet::EMPTY, |pause| pause.absent)
    }

    /// When something must be done. An input at the deadline still counts, and so does a
    /// return at the end of a grace: what must be done is due one tick after it.
    pub(crate) fn due(&self, turn: &Turn) -> Option<Ms> {
        match (self.pause, self.wait) {
            (_, Wait::Over) => None,
            (Some(pause), _) => self.away_until(pause.absent).map(|at| at + 1),
            (None, Wait::Until(deadline)) => Some(deadline + Ms::from(!turn.open().is_empty())),
            (None, Wait::Held(_)) => None,
        }
    }

    /// How long the match may stand still for a seat, from now on.
    pub(crate) fn grace(&self, seat: Seat, policy: &Policy) -> Ms {
        let clock = self.seats[seat.index()];
        if clock.n_pauses >= policy.pauses_max {
            return 0;
        }
        let left = policy.pause_budget_ms.saturating_sub(clock.paused_ms);
        policy.grace_ms.min(left)
    }

    /// When the first of the absent seats must be back.
    fn away_until(&self, absent: SeatSet) -> Option<Ms> {
        let until = |seat: Seat| self.seats[seat.index()].away_until;
        absent.iter().map(until).min()
    }

    /// The absent seats whose grace is over.
    pub(crate) fn overdue(&self, now: Ms) -> SeatSet {
        let overdue = |seat: &Seat| self.seats[seat.index()].away_until < now;
        self.absent().iter().filter(overdue).collect()
    }

    /// A seat is away for a while: the match stands still.
    pub(crate) fn pause(&mut self, seat: Seat, now: Ms, grace_ms: Ms) {
        let mut pause = self.pause.unwrap_or(Pause {
            since: now,
            absent: SeatSet::EMPTY,
        });
        charge(&mut self.seats, &mut pause, now);
        pause.absent = pause.absent.with(seat);
        self.pause = Some(pause);
        let clock = &mut self.seats[seat.index()];
        clock.n_pauses += 1;
        clock.away_until = now + grace_ms;
        if let Wait::Until(deadline) = self.wait {
            self.wait = Wait::Held(deadline.saturating_sub(now));
        }
    }

    /// A seat is back; the match goes on once all are.
    pub(crate) fn back(&mut self, seat: Seat, now: Ms) {
        let Some(mut pause) = self.pause else {
            return;
        };
        charge(&mut self.seats, &mut pause, now);
        pause.absent = pause.absent.without(seat);
        self.pause = Some(pause);
        if pause.absent.is_empty() {
            self.resume(now);
        }
    }

    fn resume(&mut self, now: Ms) {
        self.pause = None;
        if let Wait::Held(left) = self.wait {
            self.wait = Wait::Until(now + left);
        }
    }

    /// The host was away. No one was connected any more, so a pause ends too: whoever does
    /// not come back misses deadlines like anybody else.
    pub(crate) fn recover(&mut self, last_at: Ms, now: Ms) {
        if let Some(mut pause) = self.pause {
            charge(&mut self.seats, &mut pause, last_at);
            self.resume(now);
        } else if let Wait::Until(deadline) = &mut self.wait {
            *deadline += now.saturating_sub(last_at);
        }
    }
}

/// Charges a pause so far to those for whom the match stands still.
fn charge(seats: &mut [SeatClock], pause: &mut Pause, now: Ms) {
    for seat in pause.absent.iter() {
        seats[seat.index()].paused_ms += now.saturating_sub(pause.since);
    }
    pause.since = now;
}
