//! The results of matches for each account.

use kernel::MatchId;
use session::{Account, Ms};

use crate::database::{Param, Row, params, words};
use crate::tx::page;
use crate::{Bound, Mode, Posted, StoreError, Tx};

words! {
    /// The result of a match for one account.
    MatchResult, "a result" {
        /// The account won.
        Win = "win",
        /// The account lost.
        Loss = "loss",
        /// Nobody won.
        Draw = "draw",
        /// The match does not count.
        Void = "void",
    }
}

/// The result of a match for one account.
#[derive(Clone, PartialEq, Debug)]
pub struct ResultRow {
    /// The match's id.
    pub game_id: MatchId,
    /// The account.
    pub account: Account,
    /// The opponent's name, in a match of two.
    pub opponent: Option<String>,
    /// The result.
    pub result: MatchResult,
    /// The reason for the end, as clients receive it.
    pub reason: String,
    /// The number of rounds or turns.
    pub rounds: u64,
    /// The change of its league points.
    pub league_delta: i64,
    /// Its league points after the match.
    pub league_after: i64,
    /// Its rating after the match.
    pub rating_after: f64,
    /// True if one of the opponents was a newcomer: see [`Tx::is_newcomer`].
    pub newcomer: bool,
    /// The time of the end.
    pub at: Ms,
}

/// A result with the facts about its match.
#[derive(Clone, PartialEq, Debug)]
pub struct HistoryRow {
    /// The result.
    pub result: ResultRow,
    /// The name of the game.
    pub game: String,
    /// The kinds of players.
    pub mode: Mode,
    /// The time when the match was opened.
    pub created_at: Ms,
    /// The number of the match in this store, which is the cursor of the next page.
    pub number: u64,
}

/// The counts of an account's results. Void matches and tests are not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// All matches.
    pub n_battles: u64,
    /// Matches won.
    pub n_wins: u64,
    /// Matches lost.
    pub n_losses: u64,
    /// Matches drawn.
    pub n_draws: u64,
    /// Matches against people.
    pub n_pvp_battles: u64,
    /// Matches against bots.
    pub n_pve_battles: u64,
    /// Matches won against people.
    pub n_pvp_wins: u64,
    /// Matches won against bots.
    pub n_pve_wins: u64,
    /// The time of the last change.
    pub updated_at: Ms,
}

impl Tx<'_> {
    /// Stores the result of a match for one account and counts it, once for each match and account.
    /// The stored time is not before the beginning of the match, whatever the clock says. Fails if
    /// the match is unrated but the result has league points.
    pub fn add_result(&mut self, row: &ResultRow) -> Result<Posted, StoreError> {
        if row.league_delta != 0 {
            self.check_rated(row.game_id)?;
        }
        let n_added = self.execute(
            "INSERT INTO results (game_id, account, opponent, result, reason, rounds, \
             league_delta, league_after, rating_after, newcomer, at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, \
             (SELECT CASE WHEN created_at > $11 THEN created_at ELSE $11 END \
              FROM matches WHERE game_id = $1)) ON CONFLICT DO NOTHING",
            params![
                row.game_id,
                row.account,
                row.opponent.as_deref(),
                row.result,
                &row.reason,
                row.rounds,
                row.league_delta,
                row.league_after,
                row.rating_after,
                u64::from(row.newcomer),
                row.at,
            ],
        )?;
        if n_added == 0 {
            return Ok(Posted::Known);
        }
        if row.result != MatchResult::Void {
            self.count(row)?;
        }
        Ok(Posted::New)
    }

    /// The counts of an account's results.
    pub fn stats(&mut self, account: Account) -> Result<Stats, StoreError> {
        let row = self.row(
            "SELECT n_battles, n_wins, n_losses, n_draws, n_pvp_battles, n_pve_battles, \
             n_pvp_wins, n_pve_wins, updated_at FROM stats WHERE account = $1",
            params![account],
        )?;
        row.map(read_stats)
            .transpose()
            .map(Option::unwrap_or_default)
    }

    /// An account's last counted matches against people, the newest first.
    pub fn recent_pvp(
        &mut self,
        account: Account,
        limit: u32,
    ) -> Result<Vec<HistoryRow>, StoreError> {
        let sql = format!(
            "{HISTORY} WHERE r.account = $1 AND m.mode = 'pvp' AND r.result <> 'void' \
             AND coalesce(m.rating_bound, '') <> 'test_match' \
             ORDER BY r.at DESC, m.number DESC LIMIT $2"
        );
        self.rows(&sql, &[Param::from(account), page(limit)], read_history)
    }

    /// An account's results, the newest first, older than the match with this number.
    pub fn history(
        &mut self,
        account: Account,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<HistoryRow>, StoreError> {
        let sql = format!(
            "{HISTORY} WHERE r.account = $1 AND m.number < $2 ORDER BY m.number DESC LIMIT $3"
        );
        let before = Param::from(before.unwrap_or(u64::MAX));
        self.rows(
            &sql,
            &[Param::from(account), before, page(limit)],
            read_history,
        )
    }

    /// The results of a match, by account.
    pub fn results(&mut self, game_id: MatchId) -> Result<Vec<HistoryRow>, StoreError> {
        let sql = format!("{HISTORY} WHERE r.game_id = $1 ORDER BY r.account");
        self.rows(&sql, params![game_id], read_history)
    }

    /// The mode of a match whose results are counted. `None` for a test, and if people share an
    /// account, because nobody wins or loses against themselves.
    pub(crate) fn counted_mode(&mut self, game_id: MatchId) -> Result<Option<Mode>, StoreError> {
        let sql = "SELECT mode, rating_bound FROM matches WHERE game_id = $1";
        let Some(mut row) = self.row(sql, params![game_id])? else {
            return Ok(None);
        };
        let (mode, bound): (Mode, Option<String>) = (row.take()?, row.take()?);
        let is_test = bound.as_deref() == Some(Bound::Test.name());
        Ok(Some(mode).filter(|it| !is_test && *it != Mode::Hotseat))
    }

    fn count(&mut self, row: &ResultRow) -> Result<(), StoreError> {
        let Some(mode) = self.counted_mode(row.game_id)? else {
            return Ok(());
        };
        let one = |counts: bool| u64::from(counts);
        let is = |result: MatchResult| one(row.result == result);
        let in_mode = |wanted: Mode| one(mode == wanted);
        let win = is(MatchResult::Win);
        self.execute(
            "INSERT INTO stats (account, n_battles, n_wins, n_losses, n_draws, n_pvp_battles, \
             n_pve_battles, n_pvp_wins, n_pve_wins, updated_at) \
             VALUES ($1, 1, $2, $3, $4, $5, $6, $7, $8, $9) \
             ON CONFLICT (account) DO UPDATE SET n_battles = stats.n_battles + 1, \
             n_wins = stats.n_wins + excluded.n_wins, \
             n_losses = stats.n_losses + excluded.n_losses, \
             n_draws = stats.n_draws + excluded.n_draws, \
             n_pvp_battles = stats.n_pvp_battles + excluded.n_pvp_battles, \
             n_pve_battles = stats.n_pve_battles + excluded.n_pve_battles, \
             n_pvp_wins = stats.n_pvp_wins + excluded.n_pvp_wins, \
             n_pve_wins = stats.n_pve_wins + excluded.n_pve_wins, \
             updated_at = excluded.updated_at",
            params![
                row.account,
                win,
                is(MatchResult::Loss),
                is(MatchResult::Draw),
                in_mode(Mode::Pvp),
                in_mode(Mode::Pve),
                win * in_mode(Mode::Pvp),
                win * in_mode(Mode::Pve),
                row.at,
            ],
        )
        .map(drop)
    }
}

const HISTORY: &str = "SELECT r.game_id, r.account, r.opponent, r.result, r.reason, r.rounds, \
    r.league_delta, r.league_after, r.rating_after, r.newcomer, r.at, m.game, m.mode, m.created_at, m.number \
    FROM results r JOIN matches m ON m.game_id = r.game_id";

fn read_history(mut row: Row) -> Result<HistoryRow, StoreError> {
    Ok(HistoryRow {
        result: ResultRow {
            game_id: row.take()?,
            account: row.take()?,
            opponent: row.take()?,
            result: row.take()?,
            reason: row.take()?,
            rounds: row.take()?,
            league_delta: row.take()?,
            league_after: row.take()?,
            rating_after: row.take()?,
            newcomer: row.take::<u64>()? != 0,
            at: row.take()?,
        },
        game: row.take()?,
        mode: row.take()?,
        created_at: row.take()?,
        number: row.take()?,
    })
}

fn read_stats(mut row: Row) -> Result<Stats, StoreError> {
    Ok(Stats {
        n_battles: row.take()?,
        n_wins: row.take()?,
        n_losses: row.take()?,
        n_draws: row.take()?,
        n_pvp_battles: row.take()?,
        n_pve_battles: row.take()?,
        n_pvp_wins: row.take()?,
        n_pve_wins: row.take()?,
        updated_at: row.take()?,
    })
}
