//! Measurements shared by all players.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use catalog::GameName;

use super::histogram::Histogram;

/// Measurements shared by all players. They run in one thread, so the lock is never contended.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<Measures>>);

#[derive(Default)]
pub(super) struct Measures {
    pub(super) n_sockets: u64,
    pub(super) n_sockets_max: u64,
    pub(super) n_received: u64,
    pub(super) n_sent: u64,
    pub(super) by_game: BTreeMap<GameName, OfGame>,
    /// Time from a decision to its answer.
    pub(super) confirms: Histogram,
    /// Time from when a reveal was due until it was received.
    pub(super) steps: Histogram,
    /// Time from a deadline until its expiry was received.
    pub(super) deadlines: Histogram,
    /// The lag of this program itself.
    pub(super) own_lag: Histogram,
    /// Counts of errors by description.
    pub(super) troubles: BTreeMap<String, u64>,
    /// Counts of refusals by code.
    pub(super) refusals: BTreeMap<String, u64>,
}

#[derive(Clone, Default)]
pub(super) struct OfGame {
    /// Seats whose players received the start of a match, and its end.
    pub(super) n_seats_begun: u64,
    pub(super) n_seats_ended: u64,
    /// Time from a decision to its answer.
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

/// Counts one open socket until dropped.
pub(super) struct Connected(Shared);

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.lock().n_sockets -= 1;
    }
}
