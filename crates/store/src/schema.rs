//! The schema and its migrations.

use crate::database::{Access, Database, Dialect, params};
use crate::{StoreError, nickname};

/// Each migration brings the schema from the previous version to the next. A released migration is
/// never changed: a change is a new migration.
const MIGRATIONS: &[Migration] = &[
    Migration::script(include_str!("../migrations/0001_first.sql")),
    Migration {
        script: include_str!("../migrations/0002_accounts.sql"),
        then: nickname::fill_looks,
    },
    Migration::script(include_str!("../migrations/0003_economy.sql")),
];

/// One migration: a script, then a step for what SQL cannot compute.
struct Migration {
    script: &'static str,
    then: fn(&mut dyn Database) -> Result<(), StoreError>,
}

impl Migration {
    const fn script(script: &'static str) -> Migration {
        Migration {
            script,
            then: |_| Ok(()),
        }
    }
}

/// The version that this program works with.
pub(crate) const KNOWN: u64 = MIGRATIONS.len() as u64;

/// Applies all missing migrations, or none if one fails.
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

/// Fails if the schema is not the version that this program works with.
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
    for (step, version) in MIGRATIONS.iter().zip(1..).skip(found as usize) {
        db.run_script(&write(step.script, db.dialect()))?;
        (step.then)(db)?;
        let insert = "INSERT INTO schema_version (version) VALUES ($1)";
        db.execute(insert, params![version as u64])?;
    }
    Ok(())
}

/// The version of the schema; `None` for an empty database.
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

/// The same schema in the syntax of another database.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::on_sqlite::Sqlite;

    /// A database with the first schema, before any later migration.
    fn first_schema(test: &str) -> (std::path::PathBuf, Sqlite) {
        let name = format!("referee_schema_{test}_{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let mut db = Sqlite::open(&folder.join("referee.db"), Access::Write).unwrap();
        db.run_script(MIGRATIONS[0].script).unwrap();
        db.run_script(
            "CREATE TABLE schema_version (version INTEGER PRIMARY KEY) STRICT; \
             INSERT INTO schema_version (version) VALUES (1);",
        )
        .unwrap();
        (folder, db)
    }

    #[test]
    fn the_older_account_keeps_a_name_when_two_old_names_look_the_same() {
        let (folder, mut db) = first_schema("names");
        for (account, created_at, shown) in [
            (1_u64, 20_u64, "paypaI"),
            (2, 10, "paypal"),
            (3, 30, "Grom"),
        ] {
            db.execute(
                "INSERT INTO accounts (account, public_id, created_at, last_seen_at, nickname, \
                 nickname_key, language, avatar) VALUES ($1, $2, $3, $3, $4, $5, 'en', 'orc')",
                params![account, shown, created_at, shown, shown.to_lowercase()],
            )
            .unwrap();
        }
        migrate(&mut db).unwrap();
        let owners = "SELECT DISTINCT account FROM nickname_looks ORDER BY account";
        let owners = db.query(owners, &[]).unwrap();
        let owners: Vec<i64> = owners
            .into_iter()
            .map(|mut row| row.take().unwrap())
            .collect();
        assert_eq!(owners, [2, 3]);
        let names = "SELECT count(*) FROM accounts WHERE nickname IS NOT NULL";
        assert_eq!(
            first(&mut db, names).unwrap(),
            3,
            "every name is still shown"
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_token_of_the_first_schema_still_opens_its_account() {
        let (folder, mut db) = first_schema("tokens");
        db.run_script(
            "INSERT INTO accounts (account, public_id, created_at, last_seen_at, language, avatar) \
             VALUES (1, 'a', 5, 5, 'en', 'orc'), (2, 'b', 5, 5, 'en', 'orc'); \
             INSERT INTO tokens (hash, account, created_at, expires_at) \
             VALUES (x'02', 2, 7, 900), (x'01', 1, 7, 800), (x'03', 1, 9, 900);",
        )
        .unwrap();
        migrate(&mut db).unwrap();
        let sql = "SELECT s.account * 1000 + s.expires_at FROM tokens t \
                   JOIN sign_ins s ON s.id = t.sign_in ORDER BY t.hash";
        let found = db.query(sql, &[]).unwrap();
        let found: Vec<i64> = found
            .into_iter()
            .map(|mut row| row.take().unwrap())
            .collect();
        assert_eq!(found, [1_800, 2_900, 1_900]);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
