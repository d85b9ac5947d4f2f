//! How much one socket, one account and one client may ask for.

use std::collections::HashMap;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use governor::clock::DefaultClock;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use session::Account;

use crate::config::Config;
use crate::peer::Peer;

type Bucket = RateLimiter<NotKeyed, InMemoryState, DefaultClock>;

/// The buckets of a server.
pub(crate) struct Limits {
    per_socket: Quota,
    /// Messages of an account over all its sockets.
    accounts: Buckets<Account>,
    /// New accounts of a client.
    guests: Buckets<Peer>,
    /// Requests of a client.
    requests: Buckets<Peer>,
    /// Attempts to sign in, by client.
    logins: Buckets<Peer>,
    open: Arc<Open>,
}

/// Keys that are remembered at most.
const KEYS_MAX: usize = 100_000;

/// A bucket for each key. Two generations bound the memory: when the young one is full, the old
/// one is dropped and the young one takes its place. A key is forgotten only after `KEYS_MAX / 2`
/// others were used since its last use, so nobody gets a fresh bucket without that many networks,
/// each with a bucket of its own already.
struct Buckets<K> {
    quota: Quota,
    generations: Mutex<Generations<K>>,
}

struct Generations<K> {
    young: HashMap<K, Bucket>,
    old: HashMap<K, Bucket>,
}

impl<K: Hash + Eq> Buckets<K> {
    fn new(quota: Quota) -> Buckets<K> {
        Buckets {
            quota,
            generations: Mutex::new(Generations {
                young: HashMap::new(),
                old: HashMap::new(),
            }),
        }
    }

    fn take(&self, key: K) -> bool {
        let generations = self.generations.lock();
        let mut generations = generations.unwrap_or_else(PoisonError::into_inner);
        let Generations { young, old } = &mut *generations;
        if young.len() >= KEYS_MAX / 2 && !young.contains_key(&key) {
            *old = std::mem::take(young);
        }
        let fresh = || Bucket::direct(self.quota);
        let known = old.remove(&key);
        let bucket = young
            .entry(key)
            .or_insert_with(|| known.unwrap_or_else(fresh));
        bucket.check().is_ok()
    }
}

/// The connections that are open, by client.
struct Open {
    by_peer: Mutex<HashMap<Peer, usize>>,
    per_peer_max: usize,
}

/// A place among the connections of a client, given back when it is dropped.
pub(crate) struct Place {
    open: Arc<Open>,
    peer: Peer,
}

impl Drop for Place {
    fn drop(&mut self) {
        let by_peer = self.open.by_peer.lock();
        let mut by_peer = by_peer.unwrap_or_else(PoisonError::into_inner);
        if let Some(n_open) = by_peer.get_mut(&self.peer) {
            *n_open -= 1;
            if *n_open == 0 {
                by_peer.remove(&self.peer);
            }
        }
    }
}

/// The bucket of one socket, and how often it was empty.
pub(crate) struct SocketLimit {
    bucket: Bucket,
    n_over: u32,
}

/// What to do with a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Allowance {
    Take,
    /// Answer that it was too many.
    Refuse,
    /// Close the socket: it floods.
    Close,
}

/// Messages over the limit before a socket is closed.
const OVER_MAX: u32 = 50;

impl Limits {
    pub(crate) fn new(config: &Config) -> Limits {
        let per_second = nonzero(config.messages_per_second);
        let twice = nonzero(config.messages_per_second.saturating_mul(2));
        let guests = nonzero(config.guests_per_hour);
        Limits {
            per_socket: Quota::per_second(per_second).allow_burst(twice),
            accounts: Buckets::new(Quota::per_second(twice).allow_burst(twice)),
            guests: Buckets::new(Quota::per_hour(guests).allow_burst(guests)),
            requests: Buckets::new(Quota::per_second(nonzero(50)).allow_burst(nonzero(200))),
            logins: Buckets::new(Quota::per_minute(nonzero(10)).allow_burst(nonzero(10))),
            open: Arc::new(Open {
                by_peer: Mutex::default(),
                per_peer_max: config.connections_per_address,
            }),
        }
    }

    pub(crate) fn socket(&self) -> SocketLimit {
        SocketLimit {
            bucket: Bucket::direct(self.per_socket),
            n_over: 0,
        }
    }

    pub(crate) fn account(&self, account: Account) -> bool {
        self.accounts.take(account)
    }

    pub(crate) fn guest(&self, peer: Peer) -> bool {
        peer == Peer::Local || self.guests.take(peer)
    }

    pub(crate) fn request(&self, peer: Peer) -> bool {
        peer == Peer::Local || self.requests.take(peer)
    }

    /// Attempts to sign in are limited from everywhere, because each costs the server more
    /// than it costs the client.
    pub(crate) fn login(&self, peer: Peer) -> bool {
        self.logins.take(peer)
    }

    /// A place for one more connection of a client, unless it has too many.
    pub(crate) fn open(&self, peer: Peer) -> Option<Place> {
        let by_peer = self.open.by_peer.lock();
        let mut by_peer = by_peer.unwrap_or_else(PoisonError::into_inner);
        let n_open = by_peer.get(&peer).copied().unwrap_or(0);
        if peer != Peer::Local && n_open >= self.open.per_peer_max {
            return None;
        }
        by_peer.insert(peer, n_open + 1);
        Some(Place {
            open: Arc::clone(&self.open),
            peer,
        })
    }
}

impl SocketLimit {
    pub(crate) fn take(&mut self) -> Allowance {
        if self.bucket.check().is_ok() {
            return Allowance::Take;
        }
        self.n_over += 1;
        if self.n_over > OVER_MAX {
            Allowance::Close
        } else {
            Allowance::Refuse
        }
    }
}

fn nonzero(n: u32) -> NonZeroU32 {
    NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Options;

    const FAR: Peer = Peer::Network(std::net::IpAddr::V4(std::net::Ipv4Addr::new(
        203, 0, 113, 7,
    )));

    fn limits() -> Limits {
        Limits::new(&Config::from(&Options::default()))
    }

    #[test]
    fn a_flooding_socket_is_refused_and_then_closed() {
        let mut socket = limits().socket();
        let verdicts: Vec<Allowance> = (0..200).map(|_| socket.take()).collect();
        assert_eq!(verdicts[0], Allowance::Take);
        assert!(verdicts.contains(&Allowance::Refuse));
        assert_eq!(verdicts[199], Allowance::Close);
    }

    #[test]
    fn guests_of_one_client_are_limited_and_this_machine_is_not() {
        let limits = limits();
        assert_eq!((0..100).filter(|_| limits.guest(FAR)).count(), 60);
        assert!((0..1_000).all(|_| limits.guest(Peer::Local)));
    }

    #[test]
    fn connections_of_one_client_are_counted_both_ways() {
        let limits = limits();
        let mut places: Vec<Place> = (0..100).filter_map(|_| limits.open(FAR)).collect();
        assert_eq!(places.len(), 100);
        assert!(limits.open(FAR).is_none());
        assert!(limits.open(Peer::Local).is_some());
        places.pop();
        places.extend(limits.open(FAR));
        assert_eq!(places.len(), 100);
        drop(places);
        assert!(limits.open.by_peer.lock().unwrap().is_empty());
    }

    #[test]
    fn a_storm_of_new_keys_neither_grows_without_bound_nor_forgives_one_in_use() {
        let buckets = Buckets::new(Quota::per_hour(nonzero(1)));
        assert!(buckets.take(0));
        for key in 1..3 * KEYS_MAX {
            buckets.take(key);
            if key % (KEYS_MAX / 4) == 0 {
                assert!(!buckets.take(0), "forgiven after {key} keys");
            }
        }
        let generations = buckets.generations.lock().unwrap();
        assert!(generations.young.len() + generations.old.len() <= KEYS_MAX);
    }
}
