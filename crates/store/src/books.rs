//! Checks of the books: recomputes everything that must hold for the ledger.

use std::fmt;

use kernel::MatchId;

use crate::database::params;
use crate::{LedgerAccount, MatchState, StoreError, Tx};

/// An inconsistency in the books.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BookFault {
    /// A transfer creates or loses tokens.
    Unbalanced {
        /// The key of the transfer.
        key: String,
        /// The sum of its entries.
        sum: i64,
    },
    /// A balance is not the sum of its entries.
    Balance {
        /// The account.
        account: LedgerAccount,
        /// The stored balance.
        kept: i64,
        /// The sum of the entries.
        counted: i64,
    },
    /// A balance is below zero.
    Negative {
        /// The account.
        account: LedgerAccount,
        /// The stored balance.
        kept: i64,
    },
    /// The pot of a match has the wrong amount.
    Escrow {
        /// The match's id.
        game_id: MatchId,
        /// The state of the match.
        state: MatchState,
        /// The stored balance of the pot.
        kept: i64,
        /// The amount that it must have.
        due: i64,
    },
    /// A pot exists without a match.
    Stray {
        /// The account of the pot.
        account: LedgerAccount,
        /// The stored balance of the pot.
        kept: i64,
    },
    /// All balances together do not sum to zero.
    Total {
        /// Their sum.
        sum: i64,
    },
}

impl fmt::Display for BookFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookFault::Unbalanced { key, sum } => {
                write!(f, "transfer {key} sums to {sum}, but must sum to 0")
            }
            BookFault::Balance {
                account,
                kept,
                counted,
            } => write!(
                f,
                "{account} has a balance of {kept}, but its entries sum to {counted}"
            ),
            BookFault::Negative { account, kept } => {
                write!(f, "{account} has a balance of {kept}, below 0")
            }
            BookFault::Escrow {
                game_id,
                state,
                kept,
                due,
            } => write!(
                f,
                "the pot of match {game_id} ({}) has {kept} tokens, but must have {due}",
                state.name()
            ),
            BookFault::Stray { account, kept } => {
                write!(f, "{account} has {kept} tokens, but there is no such match")
            }
            BookFault::Total { sum } => write!(f, "all balances sum to {sum}, but must sum to 0"),
        }
    }
}

/// The maximum number of faults that are reported of each kind.
const FAULTS_MAX: u64 = 100;

impl Tx<'_> {
    /// Returns every fault in the books, or nothing if they are correct. It reads all entries, so
    /// it is for operators and tests, in a transaction that only reads.
    pub fn check_books(&mut self) -> Result<Vec<BookFault>, StoreError> {
        let mut faults = self.unbalanced()?;
        faults.extend(self.wrong_balances()?);
        faults.extend(self.wrong_pots()?);
        faults.extend(self.stray_pots()?);
        let sql = "SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) FROM balances";
        let sum = self.value(sql, &[])?.unwrap_or(0);
        if sum != 0 {
            faults.push(BookFault::Total { sum });
        }
        Ok(faults)
    }

    fn unbalanced(&mut self) -> Result<Vec<BookFault>, StoreError> {
        self.rows(
            "SELECT t.key, CAST(sum(e.amount) AS BIGINT) \
             FROM transfers t JOIN entries e ON e.transfer = t.number \
             GROUP BY t.number, t.key HAVING sum(e.amount) <> 0 ORDER BY t.number LIMIT $1",
            params![FAULTS_MAX],
            |mut row| {
                Ok(BookFault::Unbalanced {
                    key: row.take()?,
                    sum: row.take()?,
                })
            },
        )
    }

    fn wrong_balances(&mut self) -> Result<Vec<BookFault>, StoreError> {
        let mut faults = self.rows(
            "SELECT a.account, coalesce(b.amount, 0), coalesce(s.amount, 0) \
             FROM (SELECT account FROM entries UNION SELECT account FROM balances) a \
             LEFT JOIN balances b ON b.account = a.account \
             LEFT JOIN (SELECT account, CAST(sum(amount) AS BIGINT) AS amount \
                        FROM entries GROUP BY account) s ON s.account = a.account \
             WHERE coalesce(b.amount, 0) <> coalesce(s.amount, 0) \
             ORDER BY a.account LIMIT $1",
            params![FAULTS_MAX],
            |mut row| {
                Ok(BookFault::Balance {
                    account: row.take()?,
                    kept: row.take()?,
                    counted: row.take()?,
                })
            },
        )?;
        faults.extend(self.rows(
            "SELECT account, amount FROM balances \
             WHERE amount < 0 AND account <> 'issue' ORDER BY account LIMIT $1",
            params![FAULTS_MAX],
            |mut row| {
                Ok(BookFault::Negative {
                    account: row.take()?,
                    kept: row.take()?,
                })
            },
        )?);
        Ok(faults)
    }

    /// An open match holds one stake for each account in it; a closed one holds nothing.
    fn wrong_pots(&mut self) -> Result<Vec<BookFault>, StoreError> {
        self.rows(
            "SELECT game_id, state, kept, due FROM ( \
                 SELECT m.game_id, m.state, coalesce(b.amount, 0) AS kept, \
                     CASE WHEN m.state = 'open' THEN m.stake * \
                         (SELECT count(s.account) FROM seats s WHERE s.game_id = m.game_id) \
                     ELSE 0 END AS due \
                 FROM matches m LEFT JOIN balances b ON b.account = 'escrow:' || m.game_id) pots \
             WHERE kept <> due ORDER BY game_id LIMIT $1",
            params![FAULTS_MAX],
            |mut row| {
                Ok(BookFault::Escrow {
                    game_id: row.take()?,
                    state: row.take()?,
                    kept: row.take()?,
                    due: row.take()?,
                })
            },
        )
    }

    fn stray_pots(&mut self) -> Result<Vec<BookFault>, StoreError> {
        self.rows(
            "SELECT b.account, b.amount FROM balances b \
             LEFT JOIN matches m ON m.game_id = substr(b.account, 8) \
             WHERE substr(b.account, 1, 7) = 'escrow:' AND m.game_id IS NULL \
             ORDER BY b.account LIMIT $1",
            params![FAULTS_MAX],
            |mut row| {
                Ok(BookFault::Stray {
                    account: row.take()?,
                    kept: row.take()?,
                })
            },
        )
    }
}
