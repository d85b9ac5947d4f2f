//! Matchmaking: a pure function of the queues and the time.
//!
//! The account that has waited longest is served first, with the opponent nearest in rating within
//! a window that widens as both wait. An account is never paired with itself and is in one queue at
//! most.

use std::collections::BTreeMap;

use catalog::GameName;
use session::{Account, Conn, Ms};

/// The initial rating difference allowed in a pair.
const WINDOW: i64 = 150;
/// The growth of that window per second of waiting.
const WIDENS_PER_SECOND: i64 = 100;
/// After waiting this long, an account is paired with anyone.
const ANYBODY_AFTER_MS: Ms = 10_000;

/// A queue: the game and stake to play for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Wanted {
    pub(crate) game: GameName,
    pub(crate) stake: u64,
}

/// An account in a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Waiting {
    pub(crate) account: Account,
    /// The connection that asked. Its end ends the wait.
    pub(crate) conn: Conn,
    pub(crate) rating: i64,
    pub(crate) since: Ms,
}

#[derive(Default, Debug)]
pub(crate) struct Matchmaker {
    queues: BTreeMap<Wanted, Vec<Waiting>>,
    by_account: BTreeMap<Account, Wanted>,
}

/// The result of joining a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Joined {
    /// The account is now in the queue.
    New,
    /// The account took over the place that its other connection had in the same queue.
    Instead(Conn),
    /// The account is already waiting, over this connection or in another queue.
    Already,
}

impl Matchmaker {
    /// Joins a queue. If the account is already in it, the new connection takes the place: the
    /// earlier one may be dead without anyone knowing yet.
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

    /// Leaves the queue and returns the place. If `conn` is given, only the connection that joined
    /// can leave.
    pub(crate) fn leave(&mut self, account: Account, conn: Option<Conn>) -> Option<Waiting> {
        let wanted = *self.by_account.get(&account)?;
        let queue = self.queues.get_mut(&wanted)?;
        let own = |it: &Waiting| it.account == account && conn.is_none_or(|conn| it.conn == conn);
        let left = queue.remove(queue.iter().position(own)?);
        if queue.is_empty() {
            self.queues.remove(&wanted);
        }
        self.by_account.remove(&account);
        Some(left)
    }

    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Waiting> + '_ {
        self.queues.values().flatten()
    }

    /// The number of waiting accounts by queue.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = (Wanted, usize)> + '_ {
        self.queues
            .iter()
            .map(|(wanted, queue)| (*wanted, queue.len()))
    }

    /// Returns all pairs that can be made now among free accounts. They keep their places until
    /// their match runs, so if it does not start, an account that is not to blame keeps waiting as
    /// before.
    pub(crate) fn pair(
        &self,
        now: Ms,
        is_free: impl Fn(Account) -> bool,
    ) -> Vec<(Wanted, [Waiting; 2])> {
        let mut pairs = Vec::new();
        for (wanted, queue) in &self.queues {
            let free = queue.iter().filter(|it| is_free(it.account));
            let mut queue: Vec<Waiting> = free.copied().collect();
            let mut at = 0;
            while at < queue.len() {
                match best(&queue, at, now) {
                    None => at += 1,
                    Some(other) => {
                        let second = queue.remove(other);
                        let first = queue.remove(at);
                        pairs.push((*wanted, [first, second]));
                    }
                }
            }
        }
        pairs
    }
}

/// Returns the best opponent behind `at` in the queue.
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

    fn anybody(_: Account) -> bool {
        true
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
        assert_eq!(names(&queues.pair(10, anybody)), [[1, 3]]);
    }

    #[test]
    fn a_paired_account_keeps_its_place_until_the_match_runs() {
        let mut queues = Matchmaker::default();
        for account in 1..=3 {
            queues.join(DUEL, waiting(account, 1500, account));
        }
        assert_eq!(names(&queues.pair(10, |it| it != Account(1))), [[2, 3]]);
        assert_eq!(names(&queues.pair(10, anybody)), [[1, 2]]);
        assert!(queues.leave(Account(1), None).is_some());
        assert_eq!(names(&queues.pair(10, anybody)), [[2, 3]]);
    }

    #[test]
    fn unequals_wait_until_the_window_has_widened() {
        let mut queues = Matchmaker::default();
        queues.join(DUEL, waiting(1, 1500, 0));
        queues.join(DUEL, waiting(2, 2000, 0));
        assert!(queues.pair(3_000, anybody).is_empty());
        assert_eq!(names(&queues.pair(4_000, anybody)), [[1, 2]]);
    }

    #[test]
    fn after_ten_seconds_any_opponent_is_accepted() {
        let mut queues = Matchmaker::default();
        queues.join(DUEL, waiting(1, 0, 0));
        queues.join(DUEL, waiting(2, 100_000, 9_999));
        assert!(queues.pair(9_999, anybody).is_empty());
        assert_eq!(queues.pair(10_000, anybody).len(), 1);
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
        assert!(queues.pair(60_000, anybody).is_empty());
    }

    #[test]
    fn the_last_connection_takes_over_the_place_and_the_time_waited() {
        let mut queues = Matchmaker::default();
        queues.join(DUEL, waiting(1, 1500, 0));
        let again = Waiting {
            conn: Conn(99),
            ..waiting(1, 1500, 8_000)
        };
        queues.join(DUEL, again);
        let left = queues.leave(Account(1), Some(Conn(1)));
        assert_eq!(left, None, "it has no place");
        queues.join(DUEL, waiting(2, 9_000, 9_000));
        let pairs = queues.pair(10_000, anybody);
        let [(_, [first, _])] = pairs[..] else {
            panic!("after ten seconds any opponent is accepted: {pairs:?}");
        };
        assert_eq!((first.conn, first.since), (Conn(99), 0));
    }

    #[test]
    fn each_stake_and_game_has_its_own_queue() {
        let mut queues = Matchmaker::default();
        queues.join(DUEL, waiting(1, 1500, 0));
        queues.join(Wanted { stake: 2, ..DUEL }, waiting(2, 1500, 0));
        let other_game = Wanted {
            game: GameName::Catan,
            ..DUEL
        };
        queues.join(other_game, waiting(3, 1500, 0));
        assert!(queues.pair(60_000, anybody).is_empty());
        assert_eq!(queues.sizes().count(), 3);
    }

    #[test]
    fn only_the_connection_that_joined_can_leave() {
        let mut queues = Matchmaker::default();
        queues.join(DUEL, waiting(1, 1500, 0));
        assert!(queues.leave(Account(1), Some(Conn(7))).is_none());
        assert!(queues.leave(Account(1), Some(Conn(1))).is_some());
        assert!(queues.leave(Account(1), None).is_none());
        assert_eq!(queues.sizes().count(), 0);
    }
}
