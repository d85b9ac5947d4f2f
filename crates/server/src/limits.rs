//! How much one socket, one account and one address may ask for.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Mutex;
use std::sync::PoisonError;

use governor::clock::DefaultClock;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use session::Account;
use std::collections::HashMap;

use crate::config::Config;

type Bucket = RateLimiter<NotKeyed, InMemoryState, DefaultClock>;

/// Keys that are remembered at most; beyond that, the oldest are forgotten all at once, which
/// only ever forgives.
const KEYS_MAX: usize = 50_000;

/// The buckets of a server.
pub(crate) struct Limits {
    per_socket: Quota,
    /// Messages of an account over all its sockets.
    accounts: Buckets<Account>,
    /// New accounts of an address.
    guests: Buckets<IpAddr>,
    /// Requests of an address.
    requests: Buckets<IpAddr>,
    /// Attempts to sign in, by address.
    logins: Buckets<IpAddr>,
    /// Attempts to sign in or to change a password, by what is compared: a login or a code.
    guesses: Buckets<String>,
    open: Mutex<HashMap<IpAddr, usize>>,
    per_address: usize,
}

struct Buckets<K> {
    quota: Quota,
    buckets: Mutex<HashMap<K, Bucket>>,
}

impl<K: std::hash::Hash + Eq> Buckets<K> {
    fn new(quota: Quota) -> Buckets<K> {
        Buckets {
            quota,
            buckets: Mutex::default(),
        }
    }

    fn take(&self, key: K) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= KEYS_MAX && !buckets.contains_key(&key) {
            buckets.clear();
        }
        let quota = self.quota;
        let bucket = buckets.entry(key).or_insert_with(|| Bucket::direct(quota));
        bucket.check().is_ok()
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
            guesses: Buckets::new(Quota::per_minute(nonzero(5)).allow_burst(nonzero(10))),
            open: Mutex::default(),
            per_address: config.connections_per_address,
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

    /// The machine's own addresses are the operator's: they have no limits by address.
    pub(crate) fn guest(&self, address: IpAddr) -> bool {
        address.is_loopback() || self.guests.take(address)
    }

    pub(crate) fn request(&self, address: IpAddr) -> bool {
        address.is_loopback() || self.requests.take(address)
    }

    /// Attempts to sign in are limited from everywhere, because each costs the server more
    /// than it costs the client; and those at one login, because many addresses may guess at
    /// the same password.
    pub(crate) fn login(&self, address: IpAddr, login: &str) -> bool {
        self.logins.take(address) && self.guesses.take(login.to_owned())
    }

    /// An attempt at the password of an account that is signed in.
    pub(crate) fn guess(&self, account: Account) -> bool {
        self.guesses.take(format!("account {}", account.0))
    }

    /// A connection of an address; false if it has too many.
    pub(crate) fn open(&self, address: IpAddr) -> bool {
        if address.is_loopback() {
            return true;
        }
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let n_open = open.entry(address).or_insert(0);
        let allowed = *n_open < self.per_address;
        *n_open += usize::from(allowed);
        allowed
    }

    /// A connection of an address is over.
    pub(crate) fn close(&self, address: IpAddr) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(n_open) = open.get_mut(&address) {
            *n_open = n_open.saturating_sub(1);
            if *n_open == 0 {
                open.remove(&address);
            }
        }
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
    fn attempts_at_one_login_are_limited_whatever_address_they_come_from() {
        let limits = limits();
        let attempts = (0..50_u8).filter(|nth| limits.login([203, 0, 113, *nth].into(), "ann"));
        assert_eq!(attempts.count(), 10);
        assert!(limits.login([203, 0, 113, 99].into(), "bob"));
    }

    #[test]
    fn guests_of_one_address_are_limited_and_the_own_machine_is_not() {
        let limits = limits();
        let far: IpAddr = [203, 0, 113, 7].into();
        assert_eq!((0..100).filter(|_| limits.guest(far)).count(), 60);
        let near: IpAddr = [127, 0, 0, 1].into();
        assert!((0..1_000).all(|_| limits.guest(near)));
    }

    #[test]
    fn connections_of_one_address_are_counted_both_ways() {
        let limits = limits();
        let far: IpAddr = [203, 0, 113, 7].into();
        assert!((0..100).all(|_| limits.open(far)));
        assert!(!limits.open(far));
        limits.close(far);
        assert!(limits.open(far));
    }
}
