//! How well accounts play, by game.

use kernel::GameId;
use session::Account;

use crate::database::{Param, Row, params};
use crate::tx::page;
use crate::{StoreError, Tx};

/// How well an account plays a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// League points.
    pub league: i64,
    /// The strength that Glicko-2 believes.
    pub rating: f64,
    /// How sure it is.
    pub deviation: f64,
    /// How much that changes.
    pub volatility: f64,
    /// From how many matches.
    pub n_rated: u64,
}

/// What a leaderboard is ordered by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RankBy {
    /// League points, then strength.
    League,
    /// Strength.
    Rating,
}

/// One line of a leaderboard.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranked {
    /// Who, for this store alone.
    pub account: Account,
    /// Who, for everybody.
    pub public_id: uuid::Uuid,
    /// How it is called.
    pub nickname: Option<String>,
    /// Its picture.
    pub avatar: String,
    /// How well it plays.
    pub rating: Rating,
}

impl Tx<'_> {
    /// How well an account plays a game, if it has been rated.
    pub fn rating(&mut self, account: Account, game: &str) -> Result<Option<Rating>, StoreError> {
        let row = self.row(
            "SELECT league, rating, deviation, volatility, n_rated FROM ratings \
             WHERE account = $1 AND game = $2",
            params![account, game],
        )?;
        row.map(|mut row| read(&mut row)).transpose()
    }

    /// Stores how well an account plays a game after a match. A match with a reason against its
    /// rating is refused.
    pub fn set_rating(
        &mut self,
        after: GameId,
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

    /// Refuses a match that is stored with a reason against its rating.
    pub(crate) fn check_rated(&mut self, game_id: GameId) -> Result<(), StoreError> {
        let sql = "SELECT rating_bound FROM matches WHERE game_id = $1";
        let bound: Option<Option<String>> = self.value(sql, params![game_id])?;
        let Some(bound) = bound.flatten() else {
            return Ok(());
        };
        let message = format!("match {game_id} is not rated: {bound}");
        Err(self.fail(StoreError::rejected(message)))
    }

    /// The best, from the `offset`-th on.
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
