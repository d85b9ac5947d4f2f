//! Daily bounds on what one account gains from other accounts.
//!
//! Every token and every league point that an account gains comes out of a match. What a match
//! can bring is checked before it opens against what the account has gained since midnight
//! (UTC), and an account sits in one open match at a time. So the bounds hold whatever the
//! other accounts are and however many there are of them.

use session::{Account, Ms};

use crate::database::{params, words};
use crate::{Denied, Deny, LedgerAccount, NewMatch, Posted, StoreError, Tx};

/// A day.
pub const DAY_MS: Ms = 24 * 3_600_000;
/// An account younger than this is a newcomer.
const NEWCOMER_MS: Ms = 3 * DAY_MS;
/// An account with fewer rated matches than this is a newcomer.
const NEWCOMER_MATCHES: u64 = 10;
/// So many matches of the same two accounts are rated in a day.
const PAIRINGS_MAX: u64 = 10;

/// What an account can gain in a day, net.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Tokens, from everybody together.
    pub tokens: u64,
    /// Tokens, from matches with a newcomer.
    pub newcomer_tokens: u64,
    /// League points of a game, from everybody together.
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
    /// Why a match is free of a stake or unrated: a bound of the day, or what it is.
    Bound, "a bound" {
        /// The tokens of a day.
        Tokens = "daily_tokens",
        /// The tokens of a day from newcomers.
        NewcomerTokens = "newcomer_tokens",
        /// The league points of a day.
        Points = "daily_points",
        /// The league points of a day from newcomers.
        NewcomerPoints = "newcomer_points",
        /// The rated matches of the same two accounts in a day.
        Pairings = "daily_pairings",
        /// It is a test match, which counts for nothing.
        Test = "test_match",
    }
}

/// Which bounds keep a match from being staked or rated; none, if it is worth all it can be.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Worth {
    /// Why nothing can be staked.
    pub stake: Option<Bound>,
    /// Why it is not rated.
    pub rating: Option<Bound>,
}

impl Worth {
    /// A test match: nothing is staked in it, and it is not rated.
    pub const TEST: Worth = Worth {
        stake: Some(Bound::Test),
        rating: Some(Bound::Test),
    };
}

/// A match between people that is to begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// Of which game.
    pub game: String,
    /// Between whom.
    pub accounts: Vec<Account>,
    /// What each puts in.
    pub stake: u64,
    /// The league points of a win; nothing for a match that is not rated anyway.
    pub points: Option<u64>,
    /// When.
    pub at: Ms,
}

/// What an account has gained since midnight; below zero, what it has lost.
#[derive(Clone, Copy, Default)]
struct Gains {
    all: i64,
    newcomers: i64,
}

impl Tx<'_> {
    /// Opens a match between people, if it is within the bounds: see [`Tx::worth`] and
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

    /// Which bounds a match would pass, whoever of them won it. A stake of 0 passes none.
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

    /// Whether an account is too young, or has played too little, to be reckoned with fully.
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

    /// Whether one of the other accounts is a newcomer.
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

    /// The rating that an account had at the midnight before `at`, if it had any.
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

    /// The bookings of the matches that ended since then: stakes and what came of them.
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

/// Which part of the gains would pass its bound.
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
