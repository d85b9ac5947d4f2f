//! The audit log: actions of people that somebody may ask about later. It only grows, and each row
//! is chained to the previous one.

use std::collections::BTreeMap;
use std::fmt;

use kernel::json::{Hash, to_canonical};
use session::{Account, Ms};

use crate::database::{Param, Row, params};
use crate::tx::page;
use crate::{StoreError, Tx};

/// A row to add.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewAudit<'a> {
    /// The time of the action.
    pub at: Ms,
    /// The account that it concerns, if any.
    pub account: Option<Account>,
    /// The kind of action.
    pub kind: &'a str,
    /// The details: JSON, whose format the caller defines. It must contain no secrets.
    pub payload: &'a str,
}

/// A stored row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditRow {
    /// The number of the row, from 1, without gaps.
    pub number: u64,
    /// The time of the action.
    pub at: Ms,
    /// The account that it concerns, if any.
    pub account: Option<Account>,
    /// The kind of action.
    pub kind: String,
    /// The details, as JSON.
    pub payload: String,
    /// The hash of this row and of the chain before it.
    pub chain: [u8; 32],
}

/// The end of the chain. Anyone who keeps a copy of it can later check that no row up to it was
/// changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AuditHead {
    /// The number of the last row.
    pub number: u64,
    /// The hash of the last row.
    pub chain: [u8; 32],
}

/// The first row that is not as it was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AuditFault {
    /// This row or an earlier one was changed.
    Changed {
        /// The number of the row.
        number: u64,
    },
    /// A row is missing.
    Missing {
        /// The number of the row.
        number: u64,
    },
    /// Rows were added after the last one, or the head was changed.
    Head {
        /// The number of the last row in the chain.
        number: u64,
    },
}

impl fmt::Display for AuditFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AuditFault::Changed { number } => write!(
                f,
                "row {number} of the audit log was changed; compare with a backup"
            ),
            AuditFault::Missing { number } => write!(
                f,
                "row {number} of the audit log is missing; compare with a backup"
            ),
            AuditFault::Head { number } => write!(
                f,
                "the audit log ends at row {number}, but its head does not match; compare with a backup"
            ),
        }
    }
}

const BEGIN: AuditHead = AuditHead {
    number: 0,
    chain: [0; 32],
};

const ROWS_AT_ONCE: u32 = 1_000;

impl Tx<'_> {
    /// Adds a row to the audit log.
    pub fn audit(&mut self, new: NewAudit<'_>) -> Result<(), StoreError> {
        let before = self.audit_head()?;
        let mut row = AuditRow {
            number: before.number + 1,
            // Limited to what a column can hold, because the chain is checked against what is read
            // back.
            at: new.at.min(i64::MAX as Ms),
            account: new.account,
            kind: new.kind.to_owned(),
            payload: new.payload.to_owned(),
            chain: [0; 32],
        };
        row.chain = chain(&before, &row);
        self.execute(
            "INSERT INTO audit (number, at, account, kind, payload, chain) \
             VALUES ($1, $2, $3, $4, $5, $6)",
            params![
                row.number,
                row.at,
                row.account,
                &row.kind,
                &row.payload,
                &row.chain
            ],
        )?;
        self.execute(
            "INSERT INTO audit_head (id, number, chain) VALUES (1, $1, $2) \
             ON CONFLICT (id) DO UPDATE SET number = excluded.number, chain = excluded.chain",
            params![row.number, &row.chain],
        )
        .map(drop)
    }

    /// The rows about an account, or all rows, the newest first; `before` is the number of the last
    /// row on the previous page.
    pub fn audit_rows(
        &mut self,
        account: Option<Account>,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<AuditRow>, StoreError> {
        let about = account.map_or("", |_| "AND account = $3");
        let sql = format!(
            "SELECT number, at, account, kind, payload, chain FROM audit \
             WHERE number < $1 {about} ORDER BY number DESC LIMIT $2"
        );
        let mut params = vec![Param::from(before.unwrap_or(u64::MAX)), page(limit)];
        params.extend(account.map(Param::from));
        self.rows(&sql, &params, read)
    }

    /// The rows after the one with this number, in order.
    pub fn audit_after(&mut self, number: u64, limit: u32) -> Result<Vec<AuditRow>, StoreError> {
        self.rows(
            "SELECT number, at, account, kind, payload, chain FROM audit \
             WHERE number > $1 ORDER BY number LIMIT $2",
            &[Param::from(number), page(limit)],
            read,
        )
    }

    /// The last row that was pruned, with its hash: the base of the stored chain.
    pub fn audit_base(&mut self) -> Result<AuditHead, StoreError> {
        self.head_in("audit_base")
    }

    /// Deletes the rows before the first one that is not older than this, and records that in a new
    /// row. The hash of the last pruned row is kept, so that the rest can still be checked from
    /// there. Nothing is pruned if the chain is broken. Returns the number of deleted rows.
    pub fn prune_audit(
        &mut self,
        before: Ms,
        operator: &str,
        at: Ms,
    ) -> Result<Result<u64, AuditFault>, StoreError> {
        if let Err(fault) = self.check_audit()? {
            return Ok(Err(fault));
        }
        let sql = "SELECT min(number) FROM audit WHERE at >= $1";
        let kept: Option<u64> = self.value(sql, params![before])?.flatten();
        let end = kept.unwrap_or(self.audit_head()?.number + 1);
        let sql = "SELECT number, chain FROM audit WHERE number < $1 ORDER BY number DESC LIMIT 1";
        let Some(mut last) = self.row(sql, params![end])? else {
            return Ok(Ok(0));
        };
        let (number, chain): (u64, [u8; 32]) = (last.take()?, last.take()?);
        self.execute(
            "INSERT INTO audit_base (id, number, chain) VALUES (1, $1, $2) \
             ON CONFLICT (id) DO UPDATE SET number = excluded.number, chain = excluded.chain",
            params![number, &chain],
        )?;
        let sql = "DELETE FROM audit WHERE number <= $1";
        let n_pruned = self.execute(sql, params![number])?;
        let said = BTreeMap::from([
            ("n_rows", n_pruned.to_string()),
            ("operator", operator.to_owned()),
        ]);
        let payload = payload(&said)?;
        self.audit(NewAudit {
            at,
            account: None,
            kind: "audit_pruned",
            payload: &payload,
        })?;
        Ok(Ok(n_pruned))
    }

    /// Checks every row. Returns the end of the chain, or the first row that is not as it was
    /// written.
    pub fn check_audit(&mut self) -> Result<Result<AuditHead, AuditFault>, StoreError> {
        let mut head = self.audit_base()?;
        loop {
            let rows = self.audit_after(head.number, ROWS_AT_ONCE)?;
            if rows.is_empty() {
                break;
            }
            for row in rows {
                let number = head.number + 1;
                if row.number != number {
                    return Ok(Err(AuditFault::Missing { number }));
                }
                if row.chain != chain(&head, &row) {
                    return Ok(Err(AuditFault::Changed { number }));
                }
                head = AuditHead {
                    number,
                    chain: row.chain,
                };
            }
        }
        let kept = self.audit_head()?;
        if kept.number > head.number {
            let number = head.number + 1;
            return Ok(Err(AuditFault::Missing { number }));
        }
        Ok(if kept == head {
            Ok(head)
        } else {
            Err(AuditFault::Head {
                number: head.number,
            })
        })
    }

    fn audit_head(&mut self) -> Result<AuditHead, StoreError> {
        self.head_in("audit_head")
    }

    fn head_in(&mut self, table: &str) -> Result<AuditHead, StoreError> {
        let sql = format!("SELECT number, chain FROM {table} WHERE id = 1");
        let row = self.row(&sql, &[])?;
        let head = row.map(|mut row| {
            Ok(AuditHead {
                number: row.take()?,
                chain: row.take()?,
            })
        });
        head.unwrap_or(Ok(BEGIN))
    }
}

fn read(mut row: Row) -> Result<AuditRow, StoreError> {
    Ok(AuditRow {
        number: row.take()?,
        at: row.take()?,
        account: row.take()?,
        kind: row.take()?,
        payload: row.take()?,
        chain: row.take()?,
    })
}

/// The details of a row, in canonical JSON.
pub(crate) fn payload(said: &BTreeMap<&str, String>) -> Result<String, StoreError> {
    let bytes = to_canonical(said).map_err(|error| StoreError::rejected(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| StoreError::rejected(error.to_string()))
}

/// Every field has a fixed length or a length prefix, so that no two rows hash the same bytes.
fn chain(before: &AuditHead, row: &AuditRow) -> [u8; 32] {
    let account = row.account.map_or(0, |account| account.0);
    let number = |value: u64| value.to_le_bytes();
    let hash = Hash::of_parts(&[
        &before.chain,
        &number(row.number),
        &number(row.at),
        &number(account),
        &number(row.kind.len() as u64),
        row.kind.as_bytes(),
        &number(row.payload.len() as u64),
        row.payload.as_bytes(),
    ]);
    *hash.as_bytes()
}
