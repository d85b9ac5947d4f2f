//! Rate limits and connection limits per socket, account and client.

use std::collections::HashMap;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use governor::clock::DefaultClock;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use session::Account;

use crate::config::Config;
use crate::holdings::Holdings;
use crate::peer::Peer;

/// A token bucket that refills over time.
pub(crate) type Bucket = RateLimiter<NotKeyed, InMemoryState, DefaultClock>;

pub(crate) struct Limits {
    per_socket: Quota,
    /// Frames of every kind on one socket, including those that carry no message.
    frames_per_socket: Quota,
    /// Messages of one account over all its sockets.
    accounts: Buckets<Account>,
    /// Messages of one client over all its sockets.
    messages: Buckets<Peer>,
    /// New accounts per client.
    guests: Buckets<Peer>,
    /// Requests per client.
    requests: Buckets<Peer>,
    /// Attempts to sign in, per client.
    logins: Buckets<Peer>,
    /// Attempts to sign in or to change a password, per login or code.
    guesses: Buckets<String>,
    open: Arc<Open>,
}

/// The most keys remembered.
const KEYS_MAX: usize = 100_000;

/// A value for each recently used key. Two generations bound the memory: when the young one is
/// full, the old one is dropped and the young one takes its place. A key is forgotten only after
/// half as many other keys were used since its last use. An attacker who wants a fresh budget
/// therefore needs that many networks, each of which already has a budget.
pub(crate) struct Recent<K, V> {
    generations: Mutex<Generations<K, V>>,
    keys_max: usize,
}

struct Generations<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
}

impl<K, V> Default for Recent<K, V> {
    fn default() -> Recent<K, V> {
        Recent::new(KEYS_MAX)
    }
}

impl<K, V> Recent<K, V> {
    fn new(keys_max: usize) -> Recent<K, V> {
        Recent {
            generations: Mutex::new(Generations {
                young: HashMap::new(),
                old: HashMap::new(),
            }),
            keys_max,
        }
    }
}

impl<K: Hash + Eq, V> Recent<K, V> {
    /// Runs `using` on the key's value, which `make` creates if the key is not remembered.
    fn with_or<T>(&self, key: K, make: impl FnOnce() -> V, using: impl FnOnce(&mut V) -> T) -> T {
        let generations = self.generations.lock();
        let mut generations = generations.unwrap_or_else(PoisonError::into_inner);
        let Generations { young, old } = &mut *generations;
        if young.len() >= self.keys_max / 2 && !young.contains_key(&key) {
            *old = std::mem::take(young);
        }
        let known = old.remove(&key);
        let value = young
            .entry(key)
            .or_insert_with(|| known.unwrap_or_else(make));
        using(value)
    }
}

impl<K: Hash + Eq, V: Default> Recent<K, V> {
    pub(crate) fn with<T>(&self, key: K, using: impl FnOnce(&mut V) -> T) -> T {
        self.with_or(key, V::default, using)
    }
}

struct Buckets<K> {
    quota: Quota,
    recent: Recent<K, Bucket>,
}

impl<K: Hash + Eq> Buckets<K> {
    fn new(quota: Quota) -> Buckets<K> {
        Buckets {
            quota,
            recent: Recent::default(),
        }
    }

    fn take(&self, key: K) -> bool {
        let fresh = || Bucket::direct(self.quota);
        self.recent
            .with_or(key, fresh, |bucket| bucket.check().is_ok())
    }
}

/// The open connections, by client.
struct Open {
    by_peer: Mutex<HashMap<Peer, InUse>>,
    per_peer_max: usize,
    holdings: Holdings,
}

/// The resources used by one client's connections.
#[derive(Default)]
struct InUse {
    n_open: usize,
    n_bytes: Arc<AtomicUsize>,
}

/// One slot among a client's connections, released by `give_up` or on drop.
pub(crate) struct Place {
    open: Arc<Open>,
    peer: Peer,
    n_bytes: Arc<AtomicUsize>,
    is_taken: AtomicBool,
}

impl Place {
    pub(crate) fn peer(&self) -> Peer {
        self.peer
    }

    /// Bytes held for this client.
    pub(crate) fn n_bytes(&self) -> &AtomicUsize {
        &self.n_bytes
    }

    /// Bytes held for all clients.
    pub(crate) fn holdings(&self) -> &Holdings {
        &self.open.holdings
    }

    /// Releases the slot because another connection has taken over. The bytes held for the client
    /// still count.
    pub(crate) fn give_up(&self) {
        if !self.is_taken.swap(false, Ordering::Relaxed) {
            return;
        }
        let by_peer = self.open.by_peer.lock();
        let mut by_peer = by_peer.unwrap_or_else(PoisonError::into_inner);
        if let Some(used) = by_peer.get_mut(&self.peer) {
            used.n_open -= 1;
            if used.n_open == 0 {
                by_peer.remove(&self.peer);
            }
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.give_up();
    }
}

/// One socket's bucket, and the number of messages it refused.
pub(crate) struct SocketLimit {
    bucket: Bucket,
    n_over: u32,
}

/// The verdict on a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Allowance {
    Take,
    /// Answer that the client sends too many messages.
    Refuse,
    /// Close the socket for flooding.
    Close,
}

/// Messages over the limit before a socket is closed.
const OVER_MAX: u32 = 50;

impl Limits {
    pub(crate) fn new(config: &Config) -> Limits {
        let per_second = nonzero(config.messages_per_second);
        let twice = nonzero(config.messages_per_second.saturating_mul(2));
        let guests = nonzero(config.guests_per_hour);
        let many = |times| nonzero(config.messages_per_second.saturating_mul(times));
        Limits {
            per_socket: Quota::per_second(per_second).allow_burst(twice),
            frames_per_socket: Quota::per_second(many(4)).allow_burst(many(16)),
            messages: Buckets::new(Quota::per_second(many(20)).allow_burst(many(40))),
            accounts: Buckets::new(Quota::per_second(twice).allow_burst(twice)),
            guests: Buckets::new(Quota::per_hour(guests).allow_burst(guests)),
            requests: Buckets::new(Quota::per_second(nonzero(50)).allow_burst(nonzero(200))),
            logins: Buckets::new(Quota::per_minute(nonzero(10)).allow_burst(nonzero(10))),
            guesses: Buckets::new(Quota::per_minute(nonzero(5)).allow_burst(nonzero(10))),
            open: Arc::new(Open {
                by_peer: Mutex::default(),
                per_peer_max: config.connections_per_address,
                holdings: Holdings::default(),
            }),
        }
    }

    pub(crate) fn socket(&self) -> SocketLimit {
        SocketLimit {
            bucket: Bucket::direct(self.per_socket),
            n_over: 0,
        }
    }

    /// Returns a bucket for the frames of one socket.
    pub(crate) fn frames(&self) -> Bucket {
        Bucket::direct(self.frames_per_socket)
    }

    /// Counts a message over any socket of a client. Returns false if it is over the limit.
    pub(crate) fn message(&self, peer: Peer) -> bool {
        peer == Peer::Local || self.messages.take(peer)
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

    /// Counts an attempt to sign in. Attempts are limited per client, including this machine,
    /// because each costs the server more than the client. They are also limited per login, because
    /// many addresses may guess at the same password.
    pub(crate) fn login(&self, peer: Peer, login: &str) -> bool {
        self.logins.take(peer) && self.guesses.take(login.to_owned())
    }

    /// Counts an attempt at the password of a signed-in account.
    pub(crate) fn guess(&self, account: Account) -> bool {
        self.guesses.take(format!("account {}", account.0))
    }

    /// Returns a slot for one more connection of a client, or `None` if it has too many.
    pub(crate) fn open(&self, peer: Peer) -> Option<Arc<Place>> {
        let by_peer = self.open.by_peer.lock();
        let mut by_peer = by_peer.unwrap_or_else(PoisonError::into_inner);
        let used = by_peer.entry(peer).or_default();
        if peer != Peer::Local && used.n_open >= self.open.per_peer_max {
            return None;
        }
        used.n_open += 1;
        Some(Arc::new(Place {
            open: Arc::clone(&self.open),
            peer,
            n_bytes: Arc::clone(&used.n_bytes),
            is_taken: AtomicBool::new(true),
        }))
    }

    /// Bytes held for all clients.
    pub(crate) fn holdings(&self) -> &Holdings {
        &self.open.holdings
    }
}

impl SocketLimit {
    /// Counts a message. `has_share` says whether the limits across the client's sockets allow it.
    pub(crate) fn take(&mut self, has_share: impl FnOnce() -> bool) -> Allowance {
        if self.bucket.check().is_ok() && has_share() {
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
        let verdicts: Vec<Allowance> = (0..200).map(|_| socket.take(|| true)).collect();
        assert_eq!(verdicts[0], Allowance::Take);
        assert!(verdicts.contains(&Allowance::Refuse));
        assert_eq!(verdicts[199], Allowance::Close);
    }

    #[test]
    fn attempts_at_one_login_are_limited_across_addresses() {
        let limits = limits();
        let peer = |nth: u8| Peer::Network([203, 0, 113, nth].into());
        let attempts = (0..50).filter(|nth| limits.login(peer(*nth), "ann"));
        assert_eq!(attempts.count(), 10);
        assert!(limits.login(peer(99), "bob"));
    }

    #[test]
    fn new_guests_are_limited_per_client_but_not_for_this_machine() {
        let limits = limits();
        assert_eq!((0..100).filter(|_| limits.guest(FAR)).count(), 60);
        assert!((0..1_000).all(|_| limits.guest(Peer::Local)));
    }

    #[test]
    fn messages_are_limited_across_all_sockets_of_a_client() {
        let limits = limits();
        let mut sockets: Vec<SocketLimit> = (0..100).map(|_| limits.socket()).collect();
        let taken = sockets.iter_mut().flat_map(|socket| {
            let verdicts = (0..40).map(|_| socket.take(|| limits.message(FAR)));
            verdicts.collect::<Vec<_>>()
        });
        let n_taken = taken.filter(|it| *it == Allowance::Take).count();
        assert!((800..2_000).contains(&n_taken), "{n_taken}");
        assert!((0..2_000).all(|_| limits.message(Peer::Local)));
    }

    #[test]
    fn closed_connections_free_their_slots() {
        let limits = limits();
        let mut places: Vec<Arc<Place>> = (0..100).filter_map(|_| limits.open(FAR)).collect();
        assert_eq!(places.len(), 100);
        assert!(limits.open(FAR).is_none());
        assert!(limits.open(Peer::Local).is_some());
        places.pop();
        places.extend(limits.open(FAR));
        assert_eq!(places.len(), 100);
        places[0].give_up();
        places.extend(limits.open(FAR));
        assert_eq!(places.len(), 101);
        assert!(limits.open(FAR).is_none());
        drop(places);
        assert!(limits.open.by_peer.lock().unwrap().is_empty());
    }

    #[test]
    fn many_new_keys_stay_bounded_and_do_not_reset_a_key_in_use() {
        let recent = Recent::<usize, u32>::new(100);
        for key in 1..1_000 {
            recent.with(key, |n_uses| *n_uses += 1);
            if key % 25 == 0 {
                recent.with(0, |n_uses| *n_uses += 1);
            }
        }
        assert_eq!(recent.with(0, |n_uses| *n_uses), 999 / 25);
        let generations = recent.generations.lock().unwrap();
        assert!(generations.young.len() + generations.old.len() <= 100);
    }
}
