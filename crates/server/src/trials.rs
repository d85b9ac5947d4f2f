//! The measurement of a setup's balance: one at a time for the whole server. A client advances its
//! measurement slice by slice, and keeps the place only while it continues to ask.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use bots::balance::Match;

use crate::peer::Peer;

/// A measurement that is not continued for this long makes room for another.
const IDLE_MAX: Duration = Duration::from_secs(10);

/// The place for the one measurement.
#[derive(Clone, Default)]
pub(crate) struct Trials(Arc<Mutex<Option<Trial>>>);

/// The client of a measurement, and the number it chose for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Owner {
    pub(crate) peer: Peer,
    pub(crate) run: u32,
}

struct Trial {
    owner: Owner,
    /// The request. A different one starts over.
    order: Bytes,
    at: Instant,
    is_running: bool,
    played: Played,
}

/// The matches played so far.
#[derive(Clone, Default)]
pub(crate) struct Played {
    /// Matches between equals.
    pub(crate) even: Vec<Match>,
    /// Matches of one strong player among weak ones.
    pub(crate) skill: Vec<Match>,
}

/// The right to play the next slice. Dropping it keeps what was played for the slice after it.
pub(crate) struct Turn {
    trials: Trials,
    pub(crate) played: Played,
    /// True once no further slice is wanted: the place is then free.
    pub(crate) is_over: bool,
}

impl Trials {
    /// Continues the measurement of this owner and request, or begins one. `None` while another
    /// is in progress.
    pub(crate) fn take(&self, owner: Owner, order: Bytes, now: Instant) -> Option<Turn> {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(trial) = &*place {
            let is_idle = now.saturating_duration_since(trial.at) > IDLE_MAX;
            if trial.is_running || (trial.owner != owner && !is_idle) {
                return None;
            }
        }
        let known = place.take();
        let known = known.filter(|it| it.owner == owner && it.order == order);
        let played = known.map(|it| it.played).unwrap_or_default();
        *place = Some(Trial {
            owner,
            order,
            at: now,
            is_running: true,
            played: Played::default(),
        });
        Some(Turn {
            trials: self.clone(),
            played,
            is_over: false,
        })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut place = self.trials.0.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_over {
            *place = None;
        } else if let Some(trial) = &mut *place {
            trial.at = Instant::now();
            trial.is_running = false;
            trial.played = std::mem::take(&mut self.played);
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Outcome, Verdict};

    use super::*;

    const FIRST: Owner = Owner {
        peer: Peer::Local,
        run: 1,
    };
    const SECOND: Owner = Owner {
        peer: Peer::Local,
        run: 2,
    };
    const ORDER: Bytes = Bytes::from_static(b"{}");

    fn played() -> Match {
        Match {
            setup: 0,
            line_up: 0,
            outcome: Outcome::decided(Verdict::Draw, "points"),
            n_turns: 1,
        }
    }

    #[test]
    fn a_measurement_continues_where_it_stopped_and_frees_the_place_at_its_end() {
        let trials = Trials::default();
        let now = Instant::now();
        let mut turn = trials.take(FIRST, ORDER, now).unwrap();
        turn.played.even.push(played());
        drop(turn);
        let mut turn = trials.take(FIRST, ORDER, now).unwrap();
        assert_eq!(turn.played.even, [played()]);
        turn.is_over = true;
        drop(turn);
        let turn = trials.take(SECOND, ORDER, now).unwrap();
        assert!(turn.played.even.is_empty());
    }

    #[test]
    fn a_second_measurement_waits_until_the_first_is_abandoned() {
        let trials = Trials::default();
        let now = Instant::now();
        let turn = trials.take(FIRST, ORDER, now).unwrap();
        let later = now + 2 * IDLE_MAX;
        assert!(trials.take(FIRST, ORDER, later).is_none(), "it is running");
        assert!(trials.take(SECOND, ORDER, later).is_none(), "it is running");
        drop(turn);
        assert!(trials.take(SECOND, ORDER, Instant::now()).is_none());
        assert!(trials.take(SECOND, ORDER, later).is_some());
    }

    #[test]
    fn another_request_of_the_same_owner_starts_over() {
        let trials = Trials::default();
        let now = Instant::now();
        let mut turn = trials.take(FIRST, ORDER, now).unwrap();
        turn.played.skill.push(played());
        drop(turn);
        let turn = trials.take(FIRST, Bytes::from_static(b"[]"), now).unwrap();
        assert!(turn.played.skill.is_empty());
    }
}
