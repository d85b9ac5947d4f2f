//! Deadlines, pauses and missed turns: the part of a session that deals with time.

use kernel::{Seat, SeatSet, Turn};

use crate::{Ms, Policy};

/// The clock of a match. The time left is stored with every event, so that a recovered session
/// gives everybody the time they had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    /// The current wait of the match.
    pub wait: Wait,
    /// The pause for lost connections, if the match is paused.
    pub(crate) pause: Option<Pause>,
    pub(crate) seats: Vec<SeatClock>,
    /// The people who have not returned since the host restarted.
    pub(crate) restart: Option<Restart>,
    /// The time since when nothing can be written. The clock does not run until storage is back.
    pub(crate) stopped: Option<Ms>,
    /// The time when the wait was last held.
    pub(crate) held_at: Ms,
    /// Charges for pauses, which are refunded if storage was unavailable meanwhile.
    pub(crate) charges: Vec<Charge>,
}

/// A part of a pause that was charged to a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Charge {
    seat: Seat,
    from: Ms,
    to: Ms,
}

/// The time that a match still waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    /// The event that opens the wait is not durable yet, so nobody has seen it.
    Opening(Opening),
    /// The wait ends at this time.
    Until(Ms),
    /// The wait lasts this long, in milliseconds, once the match continues.
    Held(Ms),
    /// The match is over and waits for nothing.
    Over,
}

/// A wait that begins when its event becomes durable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The version of the event.
    pub version: u64,
    /// The time of the event.
    pub since: Ms,
    /// The length of the wait, in milliseconds.
    pub wait_ms: Ms,
    /// True if nobody decides: the wait paces the reveals and counts from `since`.
    pub paced: bool,
}

/// The start of a wait: the event that opens it, and its time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    pub(crate) now: Ms,
    pub(crate) version: u64,
    pub(crate) paced: bool,
}

/// The next thing that time causes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Due {
    /// The next reveal.
    Pace,
    /// The deadline of the seats that decide.
    Deadline,
    /// The end of the grace period of a lost connection.
    Grace,
    /// The end of the time to return after a restart.
    Return,
}

/// A match that is paused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pause {
    /// The time up to which the pause has been charged to the absent seats.
    pub(crate) since: Ms,
    pub(crate) absent: SeatSet,
}

/// The state after a restart of the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Restart {
    /// The people who have not returned.
    pub(crate) away: SeatSet,
    /// The time by which they must return.
    pub(crate) back_by: Ms,
    /// True while nobody has returned and the match is held.
    pub(crate) held: bool,
}

/// The clock of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct SeatClock {
    /// The total time for which the match was paused for this seat.
    pub(crate) paused_ms: Ms,
    pub(crate) n_pauses: u16,
    /// The end of its grace period, while it is absent.
    pub(crate) away_until: Ms,
    /// Deadlines missed in a row.
    pub(crate) n_missed: u8,
}

impl Opening {
    /// The deadline of a wait whose event becomes durable at this time.
    fn deadline(self, now: Ms) -> Ms {
        self.wait_ms + if self.paced { self.since } else { now }
    }
}

impl Clock {
    pub(crate) fn new(n_seats: usize) -> Clock {
        Clock {
            wait: Wait::Over,
            pause: None,
            seats: vec![SeatClock::default(); n_seats],
            restart: None,
            stopped: None,
            held_at: 0,
            charges: Vec::new(),
        }
    }

    /// The time on this clock, which does not run while nothing can be written.
    fn time(&self, now: Ms) -> Ms {
        self.stopped.map_or(now, |since| since.min(now))
    }

    /// True while the match waits for people to return.
    pub(crate) fn is_held(&self) -> bool {
        self.pause.is_some() || self.restart.is_some_and(|it| it.held)
    }

    /// Begins a new wait.
    pub(crate) fn begin(&mut self, wait_ms: Ms, start: Start) {
        self.wait = if self.is_held() {
            Wait::Held(wait_ms)
        } else {
            Wait::Opening(Opening {
                version: start.version,
                since: self.time(start.now),
                wait_ms,
                paced: start.paced,
            })
        };
    }

    /// Starts the wait whose event is durable, and returns its event and deadline.
    pub(crate) fn announce(&mut self, durable: u64, now: Ms) -> Option<(u64, Ms)> {
        let Wait::Opening(opening) = self.wait else {
            return None;
        };
        let deadline = opening.deadline(self.time(now));
        (opening.version <= durable).then(|| {
            self.wait = Wait::Until(deadline);
            (opening.version, deadline)
        })
    }

    /// Stops the clock at the end of the match.
    pub(crate) fn stop(&mut self) {
        self.wait = Wait::Over;
        self.pause = None;
        self.restart = None;
    }

    /// The deadline that players are shown. Before the event is durable, it is the deadline that
    /// holds if storage answers at once.
    pub(crate) fn deadline(&self) -> Option<Ms> {
        match self.wait {
            _ if self.stopped.is_some() => None,
            Wait::Opening(opening) => Some(opening.since + opening.wait_ms),
            Wait::Until(deadline) => Some(deadline),
            Wait::Held(_) | Wait::Over => None,
        }
    }

    /// True if a message came after the deadline.
    pub(crate) fn is_late(&self, received: Ms) -> bool {
        self.stopped.is_none() && matches!(self.wait, Wait::Until(deadline) if received > deadline)
    }

    /// The absent seats that the match waits for.
    pub(crate) fn absent(&self) -> SeatSet {
        let restart = self.restart.filter(|it| it.held && self.pause.is_none());
        let paused = self.pause.map(|pause| pause.absent);
        paused.or(restart.map(|it| it.away)).unwrap_or_default()
    }

    /// The next time at which something is due, and what it is. An input at the deadline still
    /// counts, and so does a return at the end of a grace period, so both are due one tick later.
    pub(crate) fn due(&self, turn: &Turn) -> Option<(Ms, Due)> {
        if self.stopped.is_some() || self.wait == Wait::Over {
            return None;
        }
        let wait = match (self.pause, self.wait) {
            (Some(pause), _) => self.away_until(pause.absent).map(|at| (at + 1, Due::Grace)),
            (None, Wait::Until(at)) if turn.open().is_empty() => Some((at, Due::Pace)),
            (None, Wait::Until(at)) => Some((at + 1, Due::Deadline)),
            (None, _) => None,
        };
        let restart = self.restart.map(|it| (it.back_by + 1, Due::Return));
        wait.into_iter().chain(restart).min_by_key(|(at, _)| *at)
    }

    /// The time for which the match may still be paused for a seat, in milliseconds.
    pub(crate) fn grace(&self, seat: Seat, policy: &Policy) -> Ms {
        let clock = self.seats[seat.index()];
        if clock.n_pauses >= policy.pauses_max {
            return 0;
        }
        let left = policy.pause_budget_ms.saturating_sub(clock.paused_ms);
        policy.grace_ms.min(left)
    }

    /// The time by which the first of the absent seats must return.
    fn away_until(&self, absent: SeatSet) -> Option<Ms> {
        let until = |seat: Seat| self.seats[seat.index()].away_until;
        absent.iter().map(until).min()
    }

    /// The absent seats whose grace period ended first, if any has ended.
    pub(crate) fn overdue(&self, now: Ms) -> SeatSet {
        let Some(pause) = self.pause else {
            return SeatSet::EMPTY;
        };
        let first = self.away_until(pause.absent).unwrap_or(Ms::MAX);
        let is_first = |seat: &Seat| self.seats[seat.index()].away_until == first;
        let overdue = first < self.time(now);
        let seats = pause.absent.iter().filter(is_first);
        seats.filter(|_| overdue).collect()
    }

    /// The absent seats that still have time to return.
    pub(crate) fn in_grace(&self, now: Ms) -> SeatSet {
        let now = self.time(now);
        let has_time = |seat: &Seat| self.seats[seat.index()].away_until > now;
        let paused = self.pause.map_or(SeatSet::EMPTY, |pause| pause.absent);
        paused.iter().filter(has_time).collect()
    }

    /// Pauses the match for a seat that has lost its connection.
    pub(crate) fn pause(&mut self, seat: Seat, now: Ms, grace_ms: Ms) {
        let now = self.time(now);
        let mut pause = self.pause.unwrap_or(Pause {
            since: now,
            absent: SeatSet::EMPTY,
        });
        self.charge(&mut pause, now);
        pause.absent = pause.absent.with(seat);
        self.pause = Some(pause);
        let clock = &mut self.seats[seat.index()];
        clock.n_pauses = clock.n_pauses.saturating_add(u16::from(grace_ms > 0));
        clock.away_until = now + grace_ms;
        self.hold(now);
    }

    /// True if the match is paused for a seat that may still return.
    pub(crate) fn may_return(&self, seat: Seat, now: Ms) -> bool {
        let in_time = self.seats[seat.index()].away_until >= self.time(now);
        in_time && self.pause.is_some_and(|it| it.absent.contains(seat))
    }

    /// Notes that a seat has returned. Returns true if the match continues now.
    pub(crate) fn back(&mut self, seat: Seat, start: Start) -> bool {
        let was_held = self.is_held();
        if let Some(restart) = &mut self.restart {
            restart.held &= !restart.away.contains(seat);
        }
        let returns = self.may_return(seat, start.now);
        if let Some(mut pause) = self.pause.filter(|_| returns) {
            self.charge(&mut pause, self.time(start.now));
            pause.absent = pause.absent.without(seat);
            self.pause = Some(pause);
        }
        let away = |it: SeatSet| it.without(seat);
        self.go_on(was_held, start, away)
    }

    /// Stops waiting for seats that have left the match.
    pub(crate) fn keep(&mut self, present: SeatSet, start: Start) {
        let was_held = self.is_held();
        let here = |it: SeatSet| it.intersection(present);
        if let Some(pause) = &mut self.pause {
            pause.absent = here(pause.absent);
        }
        self.go_on(was_held, start, here);
    }

    fn go_on(&mut self, was_held: bool, start: Start, away: impl Fn(SeatSet) -> SeatSet) -> bool {
        self.pause = self.pause.filter(|it| !it.absent.is_empty());
        if let Some(restart) = &mut self.restart {
            restart.away = away(restart.away);
        }
        self.restart = self.restart.filter(|it| !it.away.is_empty());
        let continues = was_held && !self.is_held();
        if let (true, Wait::Held(left)) = (continues, self.wait) {
            self.begin(left, start);
        }
        continues
    }

    /// Stops the clock as of the time since when nothing can be written. The clock ran until the
    /// host noticed, also for a wait that was held meanwhile.
    pub(crate) fn lose_storage(&mut self, since: Ms) {
        self.stopped = Some(since);
        for charge in std::mem::take(&mut self.charges) {
            let unfair_ms = charge.to.saturating_sub(charge.from.max(since));
            let paused_ms = &mut self.seats[charge.seat.index()].paused_ms;
            *paused_ms = paused_ms.saturating_sub(unfair_ms);
        }
        let lost_ms = self.held_at.saturating_sub(since);
        self.held_at -= lost_ms;
        match &mut self.wait {
            Wait::Held(left) => *left += lost_ms,
            Wait::Opening(opening) => opening.wait_ms += lost_ms,
            Wait::Until(_) | Wait::Over => {}
        }
    }

    /// Continues the clock where it stopped. Returns how long it was stopped.
    pub(crate) fn regain_storage(&mut self, start: Start) -> Option<Ms> {
        let down_ms = start.now - self.time(start.now);
        self.stopped.take()?;
        if let Some(pause) = &mut self.pause {
            pause.since += down_ms;
            for seat in pause.absent.iter() {
                self.seats[seat.index()].away_until += down_ms;
            }
        }
        if let Some(restart) = &mut self.restart {
            restart.back_by += down_ms;
        }
        if let Wait::Until(deadline) = self.wait {
            let stopped_at = start.now - down_ms;
            self.begin(deadline.saturating_sub(stopped_at), start);
        }
        Some(down_ms)
    }

    /// Continues after a restart of the host. Nobody is connected, so pauses end, and the match is
    /// held until the first of its people returns; without people it continues at once.
    pub(crate) fn recover(&mut self, last_at: Ms, start: Start, people: SeatSet, rejoin_ms: Ms) {
        if let Some(mut pause) = self.pause.take() {
            self.charge(&mut pause, last_at);
        }
        self.hold(last_at);
        let Wait::Held(left) = self.wait else {
            return;
        };
        self.restart = (!people.is_empty()).then_some(Restart {
            away: people,
            back_by: start.now + rejoin_ms,
            held: true,
        });
        self.begin(left, start);
    }

    /// The clock as it is stored, with the time left on a wait that does not run. Storage is known
    /// to have taken a write at `proven_at`. If the host dies before it knows more, the time since
    /// then may have been an outage, so it is not counted.
    pub(crate) fn stored(&self, now: Ms, proven_at: Ms) -> Clock {
        let mut clock = self.clone();
        let at = clock.time(now);
        if clock.stopped.is_some() || matches!(clock.wait, Wait::Opening(_)) {
            clock.hold(at);
        }
        if let Wait::Until(deadline) = &mut clock.wait {
            *deadline += now.saturating_sub(proven_at);
        }
        if let Some(mut pause) = clock.pause {
            clock.charge(&mut pause, at);
            pause.since = now;
            clock.pause = Some(pause);
        }
        (clock.restart, clock.stopped, clock.held_at) = (None, None, 0);
        clock.charges.clear();
        clock
    }

    fn hold(&mut self, now: Ms) {
        self.wait = match self.wait {
            Wait::Until(deadline) => {
                self.held_at = now;
                Wait::Held(deadline.saturating_sub(now))
            }
            Wait::Opening(opening) => Wait::Held(opening.wait_ms),
            Wait::Held(_) | Wait::Over => self.wait,
        };
    }

    /// Charges the pause so far to the seats that the match is paused for.
    fn charge(&mut self, pause: &mut Pause, now: Ms) {
        let from = pause.since;
        for seat in pause.absent.iter().filter(|_| now > from) {
            self.seats[seat.index()].paused_ms += now - from;
            let to = now;
            self.charges.push(Charge { seat, from, to });
        }
        pause.since = from.max(now);
    }
}
