//! Memory held for clients: messages and answers waiting to be read, and request bodies received.
//! It is counted per client and in total.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::limits::Place;
use crate::peer::Peer;

/// The most bytes held for one client.
const PER_CLIENT_MAX: usize = 32 << 20;
/// The most bytes held for all clients together.
const IN_ALL_MAX: usize = 256 << 20;
/// Bytes that each connection may hold even when the total is exhausted.
const SMALL: usize = 64 << 10;

/// Bytes held for all clients together.
#[derive(Default)]
pub(crate) struct Holdings {
    n_bytes: AtomicUsize,
}

impl Holdings {
    pub(crate) fn n_bytes(&self) -> usize {
        self.n_bytes.load(Ordering::Relaxed)
    }
}

/// Bytes held for one connection or request, released on drop.
pub(crate) struct Held {
    place: Arc<Place>,
    n_bytes: AtomicUsize,
    own_max: usize,
}

/// The limit on held bytes is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Full;

impl Held {
    /// Starts at zero. At most `own_max` bytes may be held, except for a single larger piece.
    pub(crate) fn new(place: &Arc<Place>, own_max: usize) -> Held {
        Held {
            place: Arc::clone(place),
            n_bytes: AtomicUsize::new(0),
            own_max,
        }
    }

    /// Adds bytes, or fails and adds none.
    pub(crate) fn grow(&self, n_bytes: usize) -> Result<(), Full> {
        let (own, client, all) = self.counters();
        let n_own = own.fetch_add(n_bytes, Ordering::Relaxed);
        let n_client = client.fetch_add(n_bytes, Ordering::Relaxed);
        let n_all = all.fetch_add(n_bytes, Ordering::Relaxed);
        let over = |before: usize, max: usize| before + n_bytes > max;
        let too_much = n_own > 0 && over(n_own, self.own_max)
            || over(n_client, PER_CLIENT_MAX) && self.place.peer() != Peer::Local
            || over(n_all, IN_ALL_MAX) && over(n_own, SMALL);
        if too_much {
            self.shrink(n_bytes);
            metrics::counter!("referee_memory_refusals_total").increment(1);
            return Err(Full);
        }
        Ok(())
    }

    /// Releases bytes.
    pub(crate) fn shrink(&self, n_bytes: usize) {
        let (own, client, all) = self.counters();
        for counter in [own, client, all] {
            counter.fetch_sub(n_bytes, Ordering::Relaxed);
        }
    }

    fn counters(&self) -> (&AtomicUsize, &AtomicUsize, &AtomicUsize) {
        (
            &self.n_bytes,
            self.place.n_bytes(),
            &self.place.holdings().n_bytes,
        )
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.shrink(self.n_bytes.load(Ordering::Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;
    use crate::config::{Config, Options};
    use crate::limits::Limits;

    fn place(limits: &Limits, n: u8) -> Arc<Place> {
        let peer = Peer::Network(IpAddr::from([203, 0, 113, n]));
        limits.open(peer).unwrap()
    }

    #[test]
    fn a_clients_share_covers_all_its_connections() {
        let limits = Limits::new(&Config::from(&Options::default()));
        let connections: Vec<Held> = (0..40)
            .map(|_| Held::new(&place(&limits, 1), usize::MAX))
            .collect();
        let n_held = connections
            .iter()
            .filter(|it| it.grow(1 << 20).is_ok())
            .count();
        assert_eq!(n_held, PER_CLIENT_MAX >> 20);
        let other = Held::new(&place(&limits, 2), usize::MAX);
        assert_eq!(other.grow(1 << 20), Ok(()));
        drop(connections);
        let again = Held::new(&place(&limits, 1), usize::MAX);
        assert_eq!(again.grow(PER_CLIENT_MAX), Ok(()));
    }

    #[test]
    fn small_messages_still_pass_when_memory_is_full() {
        let limits = Limits::new(&Config::from(&Options::default()));
        let greedy: Vec<Held> = (0..8)
            .map(|n| Held::new(&place(&limits, n), usize::MAX))
            .collect();
        for held in &greedy {
            assert_eq!(held.grow(PER_CLIENT_MAX), Ok(()));
        }
        let late = Held::new(&place(&limits, 100), usize::MAX);
        assert_eq!(late.grow(SMALL + 1), Err(Full));
        assert_eq!(late.grow(SMALL), Ok(()));
        drop((greedy, late));
        assert_eq!(limits.holdings().n_bytes(), 0);
    }

    #[test]
    fn a_connection_holds_one_large_piece_but_not_two() {
        let limits = Limits::new(&Config::from(&Options::default()));
        let held = Held::new(&place(&limits, 1), 1_000);
        assert_eq!(held.grow(1_500), Ok(()));
        assert_eq!(held.grow(1), Err(Full));
        held.shrink(1_500);
        assert_eq!(held.grow(600), Ok(()));
        assert_eq!(held.grow(600), Err(Full));
    }
}
