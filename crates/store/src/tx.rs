//! A transaction.

use crate::database::{Column, Database, Into, Param, Row};
use crate::{Denied, Deny, StoreError};

/// A transaction: everything done through it takes effect together, or not at all.
///
/// Its methods are defined in the modules of their subjects: accounts, tokens, the ledger, matches,
/// results, ratings, invitations, the audit log.
pub struct Tx<'a> {
    db: &'a mut dyn Database,
    /// The first failure. After one, nothing is committed, even if the work ignored it.
    failed: Option<StoreError>,
}

impl<'a> Tx<'a> {
    /// Runs the work of one transaction.
    pub(crate) fn run<T>(
        db: &'a mut dyn Database,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut tx = Tx { db, failed: None };
        let done = work(&mut tx)?;
        match tx.failed {
            None => Ok(done),
            Some(error) => Err(error),
        }
    }

    /// Runs one part of the transaction. If it is denied, only this part is rolled back, and the
    /// denial is returned as data; if storage fails, the whole transaction is rolled back.
    pub fn attempt<T>(
        &mut self,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, Deny>,
    ) -> Result<Result<T, Denied>, StoreError> {
        self.script("SAVEPOINT part")?;
        let done = match work(self) {
            Ok(done) => Ok(done),
            Err(Deny::Failed(error)) => return Err(self.fail(error)),
            Err(Deny::Denied(denied)) => {
                self.script("ROLLBACK TO SAVEPOINT part")?;
                Err(denied)
            }
        };
        self.script("RELEASE SAVEPOINT part")?;
        Ok(done)
    }

    pub(crate) fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, StoreError> {
        let done = check(params).and_then(|()| self.db.execute(sql, params));
        done.map_err(|error| self.fail(error))
    }

    pub(crate) fn query(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
    ) -> Result<Vec<Row>, StoreError> {
        let rows = check(params).and_then(|()| self.db.query(sql, params));
        rows.map_err(|error| self.fail(error))
    }

    pub(crate) fn row(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
    ) -> Result<Option<Row>, StoreError> {
        Ok(self.query(sql, params)?.into_iter().next())
    }

    pub(crate) fn value<T: Column>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
    ) -> Result<Option<T>, StoreError> {
        let row = self.row(sql, params)?;
        row.map(|mut row| row.take()).transpose()
    }

    pub(crate) fn rows<T>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        read: impl Fn(Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.query(sql, params)?.into_iter().map(read).collect()
    }

    pub(crate) fn insert_rows(
        &mut self,
        into: &Into,
        rows: &[Vec<Param<'_>>],
    ) -> Result<u64, StoreError> {
        let checked: Result<(), StoreError> = rows.iter().try_for_each(|row| check(row));
        let added = checked.and_then(|()| self.db.insert_rows(into, rows));
        added.map_err(|error| self.fail(error))
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        let done = self.db.run_script(sql);
        done.map_err(|error| self.fail(error))
    }

    /// Marks the transaction as failed: nothing is committed from now on, even if the work ignores
    /// it.
    pub(crate) fn fail(&mut self, error: StoreError) -> StoreError {
        self.failed.get_or_insert_with(|| error.clone());
        error
    }
}

/// PostgreSQL cannot store text with a NUL, so no database may.
fn check(params: &[Param<'_>]) -> Result<(), StoreError> {
    let has_nul = |param: &Param<'_>| matches!(param, Param::Text(text) if text.contains('\0'));
    if params.iter().any(has_nul) {
        return Err(StoreError::rejected("a text contains a NUL"));
    }
    Ok(())
}

/// The maximum number of rows that one query returns.
pub const PAGE_MAX: u32 = 1_000;

/// The limit of a query: as requested, but at most [`PAGE_MAX`].
pub(crate) fn page(limit: u32) -> Param<'static> {
    Param::from(limit.min(PAGE_MAX))
}
