//! What all players measure together.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use catalog::GameName;

use super::histogram::Histogram;

/// One place for all players: they run in one thread, so nobody waits for it.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<Measures>>);

#[derive(Default)]
pub(super) struct Measures {
    pub(super) n_sockets: u64,
    pub(super) n_sockets_max: u64,
    pub(super) n_received: u64,
    pub(super) n_sent: u64,
    pub(super) by_game: BTreeMap<GameName, OfGame>,
    /// From a decision to its answer.
    pub(super) confirms: Histogram,
    /// From when a reveal was due to when it was received.
    pub(super) steps: Histogram,
    /// From a deadline to when its falling was received.
    pub(super) deadlines: Histogram,
    /// How late this program itself was.
    pub(super) own_lag: Histogram,
    /// What went wrong, by what it was.
    pub(super) troubles: BTreeMap<String, u64>,
    /// Answers that were not "taken as it is", by code.
    pub(super) refusals: BTreeMap<String, u64>,
}

/// What the players of one game measure.
#[derive(Clone, Default)]
pub(super) struct OfGame {
    /// Seats that heard of a match, and of its end.
    pub(super) n_seats_begun: u64,
    pub(super) n_seats_ended: u64,
    /// From a decision to its answer.
    pub(super) confirms: Histogram,
}

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, Measures> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn trouble(&self, what: &str) {
        let mut measures = self.lock();
        *measures.troubles.entry(what.to_owned()).or_default() += 1;
    }

    pub(super) fn refusal(&self, code: &str) {
        let mut measures = self.lock();
        *measures.refusals.entry(code.to_owned()).or_default() += 1;
    }

    pub(super) fn confirmed(&self, game: GameName, after: Duration) {
        let mut measures = self.lock();
        measures.confirms.add(after);
        let of_game = measures.by_game.entry(game).or_default();
        of_game.confirms.add(after);
    }

    pub(super) fn begun(&self, game: GameName) {
        self.lock().by_game.entry(game).or_default().n_seats_begun += 1;
    }

    pub(super) fn ended(&self, game: GameName) {
        self.lock().by_game.entry(game).or_default().n_seats_ended += 1;
    }

    pub(super) fn connected(&self) -> Connected {
        let mut measures = self.lock();
        measures.n_sockets += 1;
        measures.n_sockets_max = measures.n_sockets_max.max(measures.n_sockets);
        Connected(self.clone())
    }
}

/// A socket that is open.
pub(super) struct Connected(Shared);

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.lock().n_sockets -= 1;
    }
}
