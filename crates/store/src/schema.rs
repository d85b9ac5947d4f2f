//! The schema and its versions.

use crate::StoreError;
use crate::database::{Access, Database, Dialect, params};

/// Each brings the schema from the version before it to the next. Never changed once
/// released: a change is a new one.
const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_first.sql"),
    include_str!("../migrations/0003_economy.sql"),
];

/// The version that this program works with.
pub(crate) const KNOWN: u64 = MIGRATIONS.len() as u64;

/// Brings the schema up to date: all that is missing, or nothing.
pub(crate) fn migrate(db: &mut dyn Database) -> Result<(), StoreError> {
    if found(db)? == Some(KNOWN) {
        return Ok(());
    }
    db.begin(Access::Write)?;
    let done = bring_up(db).and_then(|()| db.commit());
    if done.is_err() {
        db.rollback()?;
    }
    done
}

/// Refuses a schema that is not the one this program works with.
pub(crate) fn check(db: &mut dyn Database) -> Result<(), StoreError> {
    let found = found(db)?.unwrap_or(0);
    match found.cmp(&KNOWN) {
        std::cmp::Ordering::Less => Err(older(found)),
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(newer(found)),
    }
}

fn bring_up(db: &mut dyn Database) -> Result<(), StoreError> {
    if db.dialect() == Dialect::Postgres {
        // Two programs that start at once migrate one after the other.
        db.run_script("SELECT pg_advisory_xact_lock(7303014331)")?;
    }
    db.run_script(&write(
        "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY) STRICT;",
        db.dialect(),
    ))?;
    let found = found(db)?.unwrap_or(0);
    if found > KNOWN {
        return Err(newer(found));
    }
    for (sql, version) in MIGRATIONS.iter().zip(1..).skip(found as usize) {
        db.run_script(&write(sql, db.dialect()))?;
        let insert = "INSERT INTO schema_version (version) VALUES ($1)";
        db.execute(insert, params![version as u64])?;
    }
    Ok(())
}

/// The version that is there; None for an empty database.
fn found(db: &mut dyn Database) -> Result<Option<u64>, StoreError> {
    let exists = match db.dialect() {
        Dialect::Sqlite => "SELECT count(*) FROM sqlite_schema WHERE name = 'schema_version'",
        Dialect::Postgres => {
            "SELECT count(*) FROM pg_tables \
             WHERE tablename = 'schema_version' AND schemaname = current_schema()"
        }
    };
    let count: u64 = first(db, exists)?;
    if count == 0 {
        return Ok(None);
    }
    first(db, "SELECT coalesce(max(version), 0) FROM schema_version").map(Some)
}

fn first(db: &mut dyn Database, sql: &str) -> Result<u64, StoreError> {
    let rows = db.query(sql, &[])?;
    let row = rows.into_iter().next();
    row.map_or(Ok(0), |mut row| row.take())
}

/// The same schema in another database's words.
fn write(sql: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Sqlite => sql.to_owned(),
        Dialect::Postgres => sql
            .replace(" STRICT, WITHOUT ROWID", "")
            .replace(" STRICT", "")
            .replace(" INTEGER", " BIGINT")
            .replace(" BLOB", " BYTEA")
            .replace(" REAL", " DOUBLE PRECISION"),
    }
}

fn newer(found: u64) -> StoreError {
    StoreError::Newer {
        found,
        known: KNOWN,
    }
}

fn older(found: u64) -> StoreError {
    StoreError::Older {
        found,
        known: KNOWN,
    }
}
