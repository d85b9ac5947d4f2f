//! Daily limits on the gains of one account from other accounts.
//!
//! Every token and every league point that an account gains comes from a match. Before a match
//! opens, its possible gain is checked against what the account has gained since midnight (UTC),
//! and an account can be in only one open match at a time. So the limits hold however many other
//! accounts there are, and whoever owns them.

use session::{Account, Ms};

use crate::database::{params, words};
use crate::{Denied, Deny, LedgerAccount, NewMatch, Posted, StoreError, Tx};

/// The length of a day, in milliseconds.
pub const DAY_MS: Ms = 24 * 3_600_000;
/// An account younger than this is a newcomer.
const NEWCOMER_MS: Ms = 3 * DAY_MS;
/// An account with fewer rated matches than this is a newcomer.
const NEWCOMER_MATCHES: u64 = 10;
/// The maximum number of rated matches between the same two accounts in a day.
const PAIRINGS_MAX: u64 = 10;

/// The maximum net gain of an account in a day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Tokens, from all opponents together.
    pub tokens: u64,
    /// Tokens, from matches with a newcomer.
    pub newcomer_tokens: u64,
    /// League points of a game, from all opponents together.
    pub points: u64,
    /// League points of a game, from matches with a newcomer.
    pub newcomer_points: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            tokens: 50,
            newcomer_tokens: 5,
            points: 100,
            newcomer_points: 25,
        }
    }
}

words! {
    /// The reason why a match has no stake or is unrated: a daily limit, or the kind of match.
    Bound, "a bound" {
        /// The daily limit on tokens.
        Tokens = "daily_tokens",
        /// The daily limit on tokens from newcomers.
        NewcomerTokens = "newcomer_tokens",
        /// The daily limit on league points.
        Points = "daily_points",
        /// The daily limit on league points from newcomers.
        NewcomerPoints = "newcomer_points",
        /// The daily limit on rated matches between the same two accounts.
        Pairings = "daily_pairings",
        /// The match is a test match, which counts for nothing.
        Test = "test_match",
    }
}

/// The limits that keep a match from being staked or rated; none if both are possible.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Worth {
    /// The reason why nothing can be staked, if there is one.
    pub stake: Option<Bound>,
    /// The reason why it is not rated, if there is one.
    pub rating: Option<Bound>,
}

impl Worth {
    /// A test match: nothing is staked, and it is not rated.
    pub const TEST: Worth = Worth {
        stake: Some(Bound::Test),
        rating: Some(Bound::Test),
    };
}

/// A match between people that is about to begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The name of the game.
    pub game: String,
    /// The accounts that play.
    pub accounts: Vec<Account>,
    /// The stake of each account, in tokens.
    pub stake: u64,
    /// The league points for a win; `None` if the match is unrated anyway.
    pub points: Option<u64>,
    /// The time when it begins.
    pub at: Ms,
}

/// The gains of an account since midnight; negative for losses.
#[derive(Clone, Copy, Default)]
struct Gains {
    all: i64,
    newcomers: i64,
}

impl Tx<'_> {
    /// Opens a match between people if it is within the limits: see [`Tx::worth`] and
    /// [`Tx::open_match`].
    pub fn open_within(
        &mut self,
        bounds: &Bounds,
        pairing: &Pairing,
        new: &NewMatch,
    ) -> Result<Posted, Deny> {
        if self.stored_match(new.game_id)?.is_none() {
            let worth = self.worth(pairing, bounds)?;
            let staked = worth.stake.filter(|_| new.stake > 0);
            let rated = worth.rating.filter(|_| new.worth.rating.is_none());
            if let Some(bound) = staked.or(rated) {
                return Err(Denied::Bounded { bound }.into());
            }
        }
        self.open_match(new)
    }

    /// The limits that a match would exceed if any of the accounts won it. A stake of 0 exceeds
    /// none.
    pub fn worth(&mut self, pairing: &Pairing, bounds: &Bounds) -> Result<Worth, StoreError> {
        let mut worth = Worth::default();
        let others = pairing.accounts.len().saturating_sub(1) as u64;
        let tokens = pairing.stake.saturating_mul(others);
        let points = pairing.points.unwrap_or(0);
        for &account in &pairing.accounts {
            let newcomers = self.has_newcomer_beside(account, &pairing.accounts, pairing.at)?;
            if tokens > 0 && worth.stake.is_none() {
                let gains = self.tokens_since(account, midnight(pairing.at))?;
                let most = (bounds.tokens, bounds.newcomer_tokens);
                worth.stake = match gains.passed(tokens, newcomers, most) {
                    Some(Source::All) => Some(Bound::Tokens),
                    Some(Source::Newcomers) => Some(Bound::NewcomerTokens),
                    None => None,
                };
            }
            if points > 0 && worth.rating.is_none() {
                let gains = self.points_since(account, &pairing.game, midnight(pairing.at))?;
                let most = (bounds.points, bounds.newcomer_points);
                worth.rating = match gains.passed(points, newcomers, most) {
                    Some(Source::All) => Some(Bound::Points),
                    Some(Source::Newcomers) => Some(Bound::NewcomerPoints),
                    None => None,
                };
            }
        }
        if let ([one, other], Some(_), None) = (&pairing.accounts[..], pairing.points, worth.rating)
            && self.n_rated_between(*one, *other, pairing)? >= PAIRINGS_MAX
        {
            worth.rating = Some(Bound::Pairings);
        }
        Ok(worth)
    }

    /// True if an account is too young or has too few rated matches to count fully, or does not
    /// exist.
    pub fn is_newcomer(&mut self, account: Account, at: Ms) -> Result<bool, StoreError> {
        let row = self.row(
            "SELECT a.created_at, (SELECT CAST(coalesce(sum(r.n_rated), 0) AS BIGINT) \
             FROM ratings r WHERE r.account = a.account) FROM accounts a WHERE a.account = $1",
            params![account],
        )?;
        let Some(mut row) = row else {
            return Ok(true);
        };
        let (created_at, n_rated): (Ms, u64) = (row.take()?, row.take()?);
        Ok(at < created_at.saturating_add(NEWCOMER_MS) || n_rated < NEWCOMER_MATCHES)
    }

    /// True if one of the other accounts is a newcomer.
    pub fn has_newcomer_beside(
        &mut self,
        account: Account,
        accounts: &[Account],
        at: Ms,
    ) -> Result<bool, StoreError> {
        for &other in accounts.iter().filter(|it| **it != account) {
            if self.is_newcomer(other, at)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The rating that an account had at the midnight before `at`, if it had one.
    pub fn rating_at_midnight(
        &mut self,
        account: Account,
        game: &str,
        at: Ms,
    ) -> Result<Option<f64>, StoreError> {
        self.value(
            "SELECT r.rating_after FROM results r JOIN matches m ON m.game_id = r.game_id \
             WHERE r.account = $1 AND r.at < $2 AND m.game = $3 \
             ORDER BY r.at DESC, m.number DESC LIMIT 1",
            params![account, midnight(at), game],
        )
    }

    /// The net result of the matches that ended since then: stakes and settlements.
    fn tokens_since(&mut self, account: Account, since: Ms) -> Result<Gains, StoreError> {
        let player = LedgerAccount::Player(account).to_string();
        let charge = format!(":{}", account.0);
        let rows = self.rows(
            "SELECT r.newcomer, CAST(sum(e.amount) AS BIGINT) FROM results r \
             JOIN transfers t ON t.key IN ('settle:' || r.game_id, 'charge:' || r.game_id || $3) \
             JOIN entries e ON e.transfer = t.number AND e.account = $4 \
             WHERE r.account = $1 AND r.at >= $2 GROUP BY r.newcomer",
            params![account, since, &charge, &player],
            |mut row| Ok((row.take::<u64>()?, row.take::<i64>()?)),
        )?;
        Ok(Gains::of(&rows))
    }

    fn points_since(
        &mut self,
        account: Account,
        game: &str,
        since: Ms,
    ) -> Result<Gains, StoreError> {
        let rows = self.rows(
            "SELECT r.newcomer, CAST(sum(r.league_delta) AS BIGINT) FROM results r \
             JOIN matches m ON m.game_id = r.game_id \
             WHERE r.account = $1 AND r.at >= $2 AND m.game = $3 GROUP BY r.newcomer",
            params![account, since, game],
            |mut row| Ok((row.take::<u64>()?, row.take::<i64>()?)),
        )?;
        Ok(Gains::of(&rows))
    }

    fn n_rated_between(
        &mut self,
        one: Account,
        other: Account,
        pairing: &Pairing,
    ) -> Result<u64, StoreError> {
        let n = self.value(
            "SELECT count(*) FROM results r \
             JOIN results o ON o.game_id = r.game_id AND o.account = $2 \
             JOIN matches m ON m.game_id = r.game_id \
             WHERE r.account = $1 AND r.at >= $3 AND m.game = $4 AND m.rating_bound IS NULL",
            params![one, other, midnight(pairing.at), &pairing.game],
        )?;
        Ok(n.unwrap_or(0))
    }
}

enum Source {
    All,
    Newcomers,
}

impl Gains {
    fn of(rows: &[(u64, i64)]) -> Gains {
        let newcomers = rows.iter().filter(|(newcomer, _)| *newcomer != 0);
        Gains {
            all: rows.iter().map(|(_, gain)| gain).sum(),
            newcomers: newcomers.map(|(_, gain)| gain).sum(),
        }
    }

    fn passed(self, win: u64, newcomers: bool, most: (u64, u64)) -> Option<Source> {
        let passes =
            |gained: i64, most: u64| i128::from(gained) + i128::from(win) > i128::from(most);
        if newcomers && passes(self.newcomers, most.1) {
            return Some(Source::Newcomers);
        }
        passes(self.all, most.0).then_some(Source::All)
    }
}

fn midnight(at: Ms) -> Ms {
    at - at % DAY_MS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight() {
        for (at, begin) in [
            (0, 0),
            (DAY_MS - 1, 0),
            (DAY_MS, DAY_MS),
            (3 * DAY_MS + 7, 3 * DAY_MS),
        ] {
            assert_eq!(midnight(at), begin);
        }
    }
}
