//! The decisions of operators (bans, mutes, voided matches), and the reports that they are based
//! on.
//!
//! Decisions are written while the server runs. The server watches [`Tx::moderation_version`] and
//! acts when it has increased.

use std::collections::BTreeMap;

use kernel::MatchId;
use session::{Account, Ms};

use crate::database::{Param, Row, params, words};
use crate::tx::page;
use crate::{
    Denied, Deny, LedgerAccount, Legs, MatchResult, MatchState, Mode, NewAudit, Nickname,
    ResultRow, StoreError, Transfer, TransferKind, Tx, audit,
};

words! {
    /// A restriction on an account.
    SanctionKind, "a kind of sanction" {
        /// The account cannot sign in, connect or play.
        Ban = "ban",
        /// Its nickname is hidden from others.
        Mute = "mute",
    }
}

/// A restriction on an account, with its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sanction {
    /// The time when it ends; `None` for never.
    pub until: Option<Ms>,
}

impl Sanction {
    /// True if it is in force at this time.
    pub fn holds(self, now: Ms) -> bool {
        self.until.is_none_or(|until| now < until)
    }
}

/// The author and the reason of a decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The operator who decided.
    pub operator: String,
    /// The reason, for people.
    pub reason: String,
    /// The time of the decision.
    pub at: Ms,
}

/// The result of an operator's request to void a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Voided {
    /// The match is live: the server voids it as soon as it sees the order.
    Ordered,
    /// The match was over: its transfers were reversed.
    Reversed,
    /// The match was already void.
    Already,
}

/// A match between two accounts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairMatch {
    /// The match's id.
    pub game_id: MatchId,
    /// The name of the game.
    pub game: String,
    /// The result for the first account.
    pub result: MatchResult,
    /// The reason for the end.
    pub reason: String,
    /// The number of rounds or turns.
    pub rounds: u64,
    /// The first account's gain, in tokens.
    pub net: i64,
    /// The time of the end.
    pub at: Ms,
}

/// Two accounts that often played each other, as listed in a report on collusion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairReport {
    /// The account that gained; if neither did, the one with the lower number.
    pub gainer: Account,
    /// The other account.
    pub loser: Account,
    /// The number of counted matches between the two.
    pub n_matches: u64,
    /// The number that the gainer won.
    pub n_won: u64,
    /// The number that the loser won.
    pub n_lost: u64,
    /// The number that ended by a resignation, a departure, a disconnect or a timeout.
    pub n_given_up: u64,
    /// The gainer's total gain, in tokens.
    pub net: i64,
    /// The percentage of matches against people that were against the other account, for whichever
    /// of the two played fewer matches.
    pub share_percent: u64,
}

impl Tx<'_> {
    /// A counter that increases with every decision of an operator.
    pub fn moderation_version(&mut self) -> Result<u64, StoreError> {
        let sql = "SELECT version FROM moderation WHERE id = 1";
        Ok(self.value(sql, &[])?.unwrap_or(0))
    }

    /// Imposes a sanction on an account, replacing one of the same kind.
    pub fn impose(
        &mut self,
        account: Account,
        kind: SanctionKind,
        until: Option<Ms>,
        decision: &Decision,
    ) -> Result<(), Deny> {
        self.existing(account)?;
        self.execute(
            "INSERT INTO sanctions (account, kind, until, reason, operator, at) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (account, kind) DO UPDATE SET \
             until = excluded.until, reason = excluded.reason, operator = excluded.operator, \
             at = excluded.at",
            params![
                account,
                kind,
                until,
                &decision.reason,
                &decision.operator,
                decision.at
            ],
        )?;
        let until = until.map_or_else(|| "never".to_owned(), |it| it.to_string());
        self.decided(kind.name(), Some(account), decision, &[("until", until)])?;
        Ok(())
    }

    /// Lifts a sanction. Returns false if there was none.
    pub fn lift(
        &mut self,
        account: Account,
        kind: SanctionKind,
        decision: &Decision,
    ) -> Result<bool, StoreError> {
        let sql = "DELETE FROM sanctions WHERE account = $1 AND kind = $2";
        let lifted = self.execute(sql, params![account, kind])? > 0;
        if lifted {
            let what = format!("un{}", kind.name());
            self.decided(&what, Some(account), decision, &[])?;
        }
        Ok(lifted)
    }

    /// The accounts among these that are banned now.
    pub fn banned(&mut self, among: &[Account], now: Ms) -> Result<Vec<Account>, StoreError> {
        let sql = "SELECT account FROM sanctions \
                   WHERE kind = 'ban' AND (until IS NULL OR until > $1)";
        let mut banned = self.rows(sql, params![now], |mut row| row.take())?;
        banned.retain(|account| among.contains(account));
        Ok(banned)
    }

    /// Gives an account another nickname, or none, free of charge.
    pub fn rename(
        &mut self,
        account: Account,
        nickname: Option<&Nickname>,
        decision: &Decision,
    ) -> Result<(), Deny> {
        match nickname {
            Some(nickname) => self
                .set_nickname(account, nickname, 0, decision.at)
                .map(drop)?,
            None => {
                self.existing(account)?;
                self.drop_looks(account)?;
                let sql = "UPDATE accounts SET nickname = NULL, nickname_key = NULL \
                           WHERE account = $1";
                self.execute(sql, params![account])?;
            }
        }
        self.decided("rename", Some(account), decision, &[])?;
        Ok(())
    }

    /// Voids a match: orders the server to do so if the match is live, or reverses its transfers if
    /// it is over. Denied if it is over and somebody has already spent tokens that would have to be
    /// returned.
    pub fn void_match(&mut self, game_id: MatchId, decision: &Decision) -> Result<Voided, Deny> {
        let Some(stored) = self.stored_match(game_id)? else {
            return Err(Denied::UnknownMatch { game_id }.into());
        };
        let voided = match stored.state {
            MatchState::Void | MatchState::Quarantined => return Ok(Voided::Already),
            MatchState::Open => {
                let sql = "INSERT INTO void_orders (game_id, at) VALUES ($1, $2) \
                           ON CONFLICT DO NOTHING";
                self.execute(sql, params![game_id, decision.at])?;
                Voided::Ordered
            }
            MatchState::Over => {
                self.reverse_bookings(game_id, decision)?;
                self.uncount(game_id, &stored.game)?;
                Voided::Reversed
            }
        };
        let id = game_id.to_string();
        self.decided("void", None, decision, &[("match_id", id)])?;
        Ok(voided)
    }

    /// The live matches that the server must void.
    pub fn void_orders(&mut self) -> Result<Vec<MatchId>, StoreError> {
        let sql = "SELECT o.game_id FROM void_orders o JOIN matches m ON m.game_id = o.game_id \
                   WHERE m.state = 'open' ORDER BY o.at, o.game_id";
        self.rows(sql, &[], |mut row| row.take())
    }

    /// Reverses the transfers of a match.
    fn reverse_bookings(&mut self, game_id: MatchId, decision: &Decision) -> Result<(), Deny> {
        let booked = self.rows(
            "SELECT e.account, CAST(sum(e.amount) AS BIGINT) FROM entries e \
             JOIN transfers t ON t.number = e.transfer WHERE t.game_id = $1 \
             GROUP BY e.account HAVING sum(e.amount) <> 0",
            params![game_id],
            |mut row| Ok((row.take::<LedgerAccount>()?, row.take::<i64>()?)),
        )?;
        if booked.is_empty() {
            return Ok(());
        }
        let legs: Vec<(LedgerAccount, i64)> = booked.iter().map(|(to, n)| (*to, -n)).collect();
        self.transfer(&Transfer {
            key: format!("void:{game_id}"),
            kind: TransferKind::Correction,
            game_id: Some(game_id),
            legs: Legs::new(&legs).map_err(StoreError::from)?,
            at: decision.at,
            memo: decision.reason.clone(),
            operator: Some(decision.operator.clone()),
        })?;
        Ok(())
    }

    /// Removes a match from the statistics: results, counts and league points.
    fn uncount(&mut self, game_id: MatchId, game: &str) -> Result<(), StoreError> {
        let counted = self.counted_mode(game_id)?;
        for row in self.results(game_id)? {
            let result = row.result;
            if result.result == MatchResult::Void {
                continue;
            }
            if let Some(mode) = counted {
                self.uncount_result(&result, mode)?;
            }
            let sql = "UPDATE ratings SET league = league - $1 WHERE account = $2 AND game = $3";
            let delta = result.league_delta;
            self.execute(sql, params![delta, result.account, game])?;
        }
        let sql = "UPDATE results SET result = 'void', league_delta = 0 WHERE game_id = $1";
        self.execute(sql, params![game_id])?;
        let sql = "UPDATE matches SET state = 'void', winner = NULL WHERE game_id = $1";
        self.execute(sql, params![game_id]).map(drop)
    }

    fn uncount_result(&mut self, row: &ResultRow, mode: Mode) -> Result<(), StoreError> {
        let one = |counts: bool| u64::from(counts);
        let won = one(row.result == MatchResult::Win);
        let (pvp, pve) = (one(mode == Mode::Pvp), one(mode == Mode::Pve));
        self.execute(
            "UPDATE stats SET n_battles = n_battles - 1, n_wins = n_wins - $1, \
             n_losses = n_losses - $2, n_draws = n_draws - $3, \
             n_pvp_battles = n_pvp_battles - $4, n_pve_battles = n_pve_battles - $5, \
             n_pvp_wins = n_pvp_wins - $6, n_pve_wins = n_pve_wins - $7 \
             WHERE account = $8 AND n_battles > 0",
            params![
                won,
                one(row.result == MatchResult::Loss),
                one(row.result == MatchResult::Draw),
                pvp,
                pve,
                won * pvp,
                won * pve,
                row.account
            ],
        )
        .map(drop)
    }

    /// The matches between two accounts, the newest first.
    pub fn pair_history(
        &mut self,
        account: Account,
        other: Account,
        limit: u32,
    ) -> Result<Vec<PairMatch>, StoreError> {
        let own = LedgerAccount::Player(account);
        self.rows(
            "SELECT m.game_id, m.game, r.result, r.reason, r.rounds, \
             coalesce((SELECT CAST(sum(e.amount) AS BIGINT) FROM transfers t \
                 JOIN entries e ON e.transfer = t.number \
                 WHERE t.game_id = m.game_id AND e.account = $1), 0), r.at \
             FROM results r JOIN results o ON o.game_id = r.game_id AND o.account = $2 \
             JOIN matches m ON m.game_id = r.game_id \
             WHERE r.account = $3 ORDER BY m.number DESC LIMIT $4",
            &[
                Param::from(own),
                Param::from(other),
                Param::from(account),
                page(limit),
            ],
            read_pair_match,
        )
    }

    /// The pairs of accounts that met in at least `n_least` counted matches since a time, ordered
    /// by the tokens that moved, most first.
    pub fn collusion_report(
        &mut self,
        since: Ms,
        n_least: u64,
        limit: u32,
    ) -> Result<Vec<PairReport>, StoreError> {
        let pairs = self.rows(
            "SELECT a.account, b.account, count(*), \
             CAST(sum(CASE WHEN a.result = 'win' THEN 1 ELSE 0 END) AS BIGINT), \
             CAST(sum(CASE WHEN b.result = 'win' THEN 1 ELSE 0 END) AS BIGINT), \
             CAST(sum(CASE WHEN a.reason IN ('resign', 'leave', 'disconnect', 'timeout') \
                 THEN 1 ELSE 0 END) AS BIGINT), \
             CAST(sum(coalesce((SELECT sum(e.amount) FROM transfers t \
                 JOIN entries e ON e.transfer = t.number \
                 WHERE t.game_id = m.game_id AND e.account = 'player:' || a.account), 0)) \
                 AS BIGINT) \
             FROM results a \
             JOIN results b ON b.game_id = a.game_id AND b.account > a.account \
             JOIN matches m ON m.game_id = a.game_id \
             WHERE m.mode = 'pvp' AND a.result <> 'void' AND a.at >= $1 \
             AND coalesce(m.rating_bound, '') <> 'test_match' \
             GROUP BY a.account, b.account HAVING count(*) >= $2 \
             ORDER BY 7 DESC, 3 DESC",
            params![since, n_least],
            read_pair,
        )?;
        let mut report = Vec::with_capacity(pairs.len());
        for mut pair in pairs {
            let n_fewest = self
                .n_pvp(pair.gainer, since)?
                .min(self.n_pvp(pair.loser, since)?);
            pair.share_percent = pair.n_matches * 100 / n_fewest.max(1);
            report.push(pair);
        }
        report.sort_by_key(|it| (std::cmp::Reverse(it.net), std::cmp::Reverse(it.n_matches)));
        report.truncate(limit as usize);
        Ok(report)
    }

    fn n_pvp(&mut self, account: Account, since: Ms) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM results r JOIN matches m ON m.game_id = r.game_id \
                   WHERE r.account = $1 AND m.mode = 'pvp' AND r.result <> 'void' AND r.at >= $2 \
                   AND coalesce(m.rating_bound, '') <> 'test_match'";
        Ok(self.value(sql, params![account, since])?.unwrap_or(0))
    }

    /// Writes a decision to the audit log, and increases the counter that the server watches.
    fn decided(
        &mut self,
        kind: &str,
        account: Option<Account>,
        decision: &Decision,
        more: &[(&str, String)],
    ) -> Result<(), StoreError> {
        let mut said = BTreeMap::from([
            ("operator", decision.operator.clone()),
            ("reason", decision.reason.clone()),
        ]);
        said.extend(more.iter().cloned());
        let payload = audit::payload(&said)?;
        self.audit(NewAudit {
            at: decision.at,
            account,
            kind: &format!("moderate_{kind}"),
            payload: &payload,
        })?;
        let sql = "UPDATE moderation SET version = version + 1 WHERE id = 1";
        self.execute(sql, &[]).map(drop)
    }
}

fn read_pair_match(mut row: Row) -> Result<PairMatch, StoreError> {
    Ok(PairMatch {
        game_id: row.take()?,
        game: row.take()?,
        result: row.take()?,
        reason: row.take()?,
        rounds: row.take()?,
        net: row.take()?,
        at: row.take()?,
    })
}

/// The account that gained comes first.
fn read_pair(mut row: Row) -> Result<PairReport, StoreError> {
    let (first, second): (Account, Account) = (row.take()?, row.take()?);
    let n_matches = row.take()?;
    let (first_won, second_won): (u64, u64) = (row.take()?, row.take()?);
    let n_given_up = row.take()?;
    let net: i64 = row.take()?;
    let [(gainer, n_won), (loser, n_lost)] = match net {
        0.. => [(first, first_won), (second, second_won)],
        _ => [(second, second_won), (first, first_won)],
    };
    Ok(PairReport {
        gainer,
        loser,
        n_matches,
        n_won,
        n_lost,
        n_given_up,
        net: net.abs(),
        share_percent: 0,
    })
}
