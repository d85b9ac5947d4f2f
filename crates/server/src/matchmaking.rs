//! Who plays whom: pure, with time handed in.
//!
//! Whoever has waited longest is served first, by the nearest rating within a window that
//! widens with the waiting of both. An account is never paired with itself and stands in one
//! queue at most.

use std::collections::BTreeMap;

use catalog::GameName;
use session::{Account, Conn, Ms};

/// How far ratings may be apart at once.
const WINDOW: i64 = 150;
/// How much further with each second of waiting.
const WIDENS_PER_SECOND: i64 = 100;
/// Waiting longer than this, anybody will do.
const ANYBODY_AFTER_MS: Ms = 10_000;

/// What is waited for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Wanted {
    pub(crate) game: GameName,
    pub(crate) stake: u64,
}

/// Who waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Waiting {
    pub(crate) account: Account,
    /// The connection that asked; the wait ends with it.
    pub(crate) conn: Conn,
    pub(crate) rating: i64,
    pub(crate) since: Ms,
}

/// All queues.
#[derive(Default, Debug)]
pub(crate) struct Matchmaker {
    queues: BTreeMap<Wanted, Vec<Waiting>>,
    by_account: BTreeMap<Account, Wanted>,
}

/// What came of a wish to wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Joined {
    /// The account waits from now on.
    New,
    /// It waited for the same over another connection, whose place this one has now.
    Instead(Conn),
    /// It waits already, over this connection or for something else.
    Already,
}

impl Matchmaker {
    /// Joins a queue. The last connection of an account that asks for the same thing has the
    /// place: the one before it may be dead, and nobody knows yet.
    pub(crate) fn join(&mut self, wanted: Wanted, waiting: Waiting) -> Joined {
        let queue = match self.by_account.get(&waiting.account) {
            Some(other) if *other != wanted => return Joined::Already,
            _ => self.queues.entry(wanted).or_default(),
        };
        let mut places = queue.iter_mut();
        if let Some(place) = places.find(|it| it.account == waiting.account) {
            let before = std::mem::replace(&mut place.conn, waiting.conn);
            return match before == waiting.conn {
                true => Joined::Already,
                false => Joined::Instead(before),
            };
        }
        self.by_account.insert(waiting.account, wanted);
        let at = queue.partition_point(|other| other.since <= waiting.since);
        queue.insert(at, waiting);
        Joined::New
    }

    /// Leaves; only the connection that joined may, or anybody when none is named.
    pub(crate) fn leave(&mut self, account: Account, conn: Option<Conn>) -> bool {
        let Some(wanted) = self.by_account.get(&account).copied() else {
            return false;
        };
        let Some(queue) = self.queues.get_mut(&wanted) else {
            return false;
        };
        let own = |it: &Waiting| it.account == account && conn.is_none_or(|conn| it.conn == conn);
        let Some(at) = queue.iter().position(own) else {
            return false;
        };
        queue.remove(at);
        if queue.is_empty() {
            self.queues.remove(&wanted);
        }
        self.by_account.remove(&account);
        true
    }

    /// What an account waits for.
    #[cfg(test)]
    pub(crate) fn wanted_by(&self, account: Account) -> Option<Wanted> {
        self.by_account.get(&account).copied()
    }

    /// The connections that wait.
    pub(crate) fn conns(&self) -> impl Iterator<Item = Conn> + '_ {
        self.queues.values().flatten().map(|waiting| waiting.conn)
    }

    /// How many wait, by what they wait for.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = (Wanted, usize)> + '_ {
        self.queues
            .iter()
            .map(|(wanted, queue)| (*wanted, queue.len()))
    }

    /// Takes all pairs that can be made now out of the queues.
    pub(crate) fn pair(&mut self, now: Ms) -> Vec<(Wanted, [Waiting; 2])> {
        let mut pairs = Vec::new();
        for (wanted, queue) in &mut self.queues {
            let mut at = 0;
            while at < queue.len() {
                match best(queue, at, now) {
                    None => at += 1,
                    Some(other) => {
                        let second = queue.remove(other);
                        let first = queue.remove(at);
                        pairs.push((*wanted, [first, second]));
                    }
                }
            }
        }
        self.queues.retain(|_, queue| !queue.is_empty());
        for (_, pair) in &pairs {
            for waiting in pair {
                self.by_account.remove(&waiting.account);
            }
        }
        pairs
    }
}

/// The best opponent further back for the one at `at`.
fn best(queue: &[Waiting], at: usize, now: Ms) -> Option<usize> {
    let first = queue.get(at)?;
    let fits = |other: &&(usize, &Waiting)| {
        let apart = (first.rating - other.1.rating).abs();
        first.account != other.1.account && apart <= window(first, now).max(window(other.1, now))
    };
    let later: Vec<(usize, &Waiting)> = queue.iter().enumerate().skip(at + 1).collect();
    let nearest = later
        .iter()
        .filter(fits)
        .min_by_key(|(_, other)| (first.rating - other.rating).abs());
    nearest.map(|(idx, _)| *idx)
}

fn window(waiting: &Waiting, now: Ms) -> i64 {
    let waited = now.saturating_sub(waiting.since);
    if waited >= ANYBODY_AFTER_MS {
        return i64::MAX;
    }
    WINDOW + WIDENS_PER_SECOND * (waited / 1_000) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUEL: Wanted = Wanted {
        game: GameName::Orcain,
        stake: 1,
    };

    fn waiting(account: u64, rating: i64, since: Ms) -> Waiting {
        Waiting {
            account: Account(account),
            conn: Conn(account),
            rating,
            since,
        }
    }

    fn names(pairs: &[(Wanted, [Waiting; 2])]) -> Vec<[u64; 2]> {
        let name = |(_, pair): &(Wanted, [Waiting; 2])| pair.map(|it| it.account.0);
        pairs.iter().map(name).collect()
    }

    #[test]
    fn equals_are_paired_at_once_and_the_nearest_first() {
        let mut queues = Matchmaker::default();
        for (account, rating) in [(1, 1500), (2, 1640), (3, 1510)] {
            queues.join(DUEL, waiting(account, rating, account));
        }
        assert_eq!(names(&queues.pair(10)), [[1, 3]]);
        assert_eq!(queues.wanted_by(Account(2)), Some(DUEL));
        assert_eq!(queues.wanted_by(Account(1)), None);
    }

    #[test]
    fn unequals_wait_until_the_window_has_widened() {
        let mut queues = Matchmaker::default();
        queues.join(DUEL, waiting(1, 1500, 0));
        queues.join(DUEL, waiting(2, 2000, 0));
        assert!(queues.pair(3_000).is_empty());
        assert_eq!(names(&queues.pair(4_000)), [[1, 2]]);
    }

    #[test]
    fn after_ten_seconds_anybody_will_do() {
        let mut queues = Matchmaker::default();
        queues.join(DUEL, waiting(1, 0, 0));
        queues.join(DUEL, waiting(2, 100_000, 9_999));
        assert!(queues.pair(9_999).is_empty());
        assert_eq!(queues.pair(10_000).len(), 1);
    }

    #[test]
    fn self_match_is_impossible_because_an_account_waits_once() {
        let mut queues = Matchmaker::default();
        assert_eq!(queues.join(DUEL, waiting(1, 1500, 0)), Joined::New);
        let again = Waiting {
            conn: Conn(99),
            ..waiting(1, 1500, 0)
        };
        assert_eq!(queues.join(DUEL, again), Joined::Instead(Conn(1)));
        assert_eq!(queues.join(DUEL, again), Joined::Already);
        let elsewhere = Wanted { stake: 2, ..DUEL };
        assert_eq!(queues.join(elsewhere, again), Joined::Already);
        assert!(queues.pair(60_000).is_empty());
    }

    #[test]
    fn the_last_connection_that_asks_has_the_place_and_the_time_waited() {
        let mut queues = Matchmaker::default();
        queues.join(DUEL, waiting(1, 1500, 0));
        let again = Waiting {
            conn: Conn(99),
            ..waiting(1, 1500, 8_000)
        };
        queues.join(DUEL, again);
        assert!(!queues.leave(Account(1), Some(Conn(1))), "it has no place");
        queues.join(DUEL, waiting(2, 9_000, 9_000));
        let pairs = queues.pair(10_000);
        let [(_, [first, _])] = pairs[..] else {
            panic!("who has waited ten seconds takes anybody: {pairs:?}");
        };
        assert_eq!((first.conn, first.since), (Conn(99), 0));
    }

    #[test]
    fn stakes_and_games_have_queues_of_their_own() {
        let mut queues = Matchmaker::default();
        queues.join(DUEL, waiting(1, 1500, 0));
        queues.join(Wanted { stake: 2, ..DUEL }, waiting(2, 1500, 0));
        let other_game = Wanted {
            game: GameName::Catan,
            ..DUEL
        };
        queues.join(other_game, waiting(3, 1500, 0));
        assert!(queues.pair(60_000).is_empty());
        assert_eq!(queues.sizes().count(), 3);
    }

    #[test]
    fn only_the_connection_that_joined_leaves() {
        let mut queues = Matchmaker::default();
        queues.join(DUEL, waiting(1, 1500, 0));
        assert!(!queues.leave(Account(1), Some(Conn(7))));
        assert!(queues.leave(Account(1), Some(Conn(1))));
        assert!(!queues.leave(Account(1), None));
        assert_eq!(queues.sizes().count(), 0);
    }
}
