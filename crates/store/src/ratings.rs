//! The ratings of accounts, by game.

use kernel::MatchId;
use session::Account;

use crate::database::{Param, Row, params};
use crate::tx::page;
use crate::{StoreError, Tx};

/// The rating of an account in a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// League points.
    pub league: i64,
    /// The Glicko-2 rating.
    pub rating: f64,
    /// The Glicko-2 rating deviation.
    pub deviation: f64,
    /// The Glicko-2 volatility.
    pub volatility: f64,
    /// The number of rated matches.
    pub n_rated: u64,
}

/// The order of a leaderboard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RankBy {
    /// By league points, then by rating.
    League,
    /// By rating.
    Rating,
}

/// One line of a leaderboard.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranked {
    /// The account, for this store only.
    pub account: Account,
    /// The account's public id.
    pub public_id: uuid::Uuid,
    /// The account's nickname, if it has one.
    pub nickname: Option<String>,
    /// The key of its avatar.
    pub avatar: String,
    /// Its rating in the game.
    pub rating: Rating,
}

impl Tx<'_> {
    /// The rating of an account in a game, if it has been rated.
    pub fn rating(&mut self, account: Account, game: &str) -> Result<Option<Rating>, StoreError> {
        let row = self.row(
            "SELECT league, rating, deviation, volatility, n_rated FROM ratings \
             WHERE account = $1 AND game = $2",
            params![account, game],
        )?;
        row.map(|mut row| read(&mut row)).transpose()
    }

    /// Stores the rating of an account after a match. Fails if the match is stored as unrated.
    pub fn set_rating(
        &mut self,
        after: MatchId,
        account: Account,
        game: &str,
        rating: &Rating,
    ) -> Result<(), StoreError> {
        self.check_rated(after)?;
        self.execute(
            "INSERT INTO ratings (account, game, league, rating, deviation, volatility, n_rated) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) \
             ON CONFLICT (account, game) DO UPDATE SET league = excluded.league, \
             rating = excluded.rating, deviation = excluded.deviation, \
             volatility = excluded.volatility, n_rated = excluded.n_rated",
            params![
                account,
                game,
                rating.league,
                rating.rating,
                rating.deviation,
                rating.volatility,
                rating.n_rated,
            ],
        )
        .map(drop)
    }

    /// Fails if a match is stored as unrated.
    pub(crate) fn check_rated(&mut self, game_id: MatchId) -> Result<(), StoreError> {
        let sql = "SELECT rating_bound FROM matches WHERE game_id = $1";
        let bound: Option<Option<String>> = self.value(sql, params![game_id])?;
        let Some(bound) = bound.flatten() else {
            return Ok(());
        };
        let message = format!("match {game_id} is not rated: {bound}");
        Err(self.fail(StoreError::rejected(message)))
    }

    /// The leaderboard, starting at `offset`.
    pub fn leaderboard(
        &mut self,
        game: &str,
        by: RankBy,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<Ranked>, StoreError> {
        let order = match by {
            RankBy::League => "r.league DESC, r.rating DESC, r.account",
            RankBy::Rating => "r.rating DESC, r.account",
        };
        let sql = format!(
            "SELECT a.account, a.public_id, a.nickname, a.avatar, \
             r.league, r.rating, r.deviation, r.volatility, r.n_rated \
             FROM ratings r JOIN accounts a ON a.account = r.account \
             WHERE r.game = $1 ORDER BY {order} LIMIT $2 OFFSET $3"
        );
        let params = [Param::from(game), page(limit), Param::from(offset)];
        self.rows(&sql, &params, |mut row| {
            Ok(Ranked {
                account: row.take()?,
                public_id: row.take()?,
                nickname: row.take()?,
                avatar: row.take()?,
                rating: read(&mut row)?,
            })
        })
    }
}

fn read(row: &mut Row) -> Result<Rating, StoreError> {
    Ok(Rating {
        league: row.take()?,
        rating: row.take()?,
        deviation: row.take()?,
        volatility: row.take()?,
        n_rated: row.take()?,
    })
}
