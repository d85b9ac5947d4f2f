//! The connection to the embedded database.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql, params_from_iter};

use crate::database::{Access, Database, Dialect, Into, Param, Row, Value};
use crate::files::{self, Files};
use crate::{StoreError, copies};

/// The time that a statement waits for another connection.
const BUSY: Duration = Duration::from_secs(5);
/// More than the number of different statements.
const STATEMENTS_MAX: usize = 128;
/// The length of the log (256 MiB) at which a commit has to move it into the database file. Before
/// that, [`crate::Store::checkpoint`] does it without holding up commits.
const WAL_PAGES: u32 = 65_536;

pub(crate) struct Sqlite {
    path: PathBuf,
    access: Access,
    conn: Connection,
    /// The files that were opened for writing.
    files: Option<Files>,
    /// The current statement, in this database's syntax.
    sql: String,
}

impl Sqlite {
    /// Opens the file. For writing, it is created if it is missing.
    pub(crate) fn open(path: &Path, access: Access) -> Result<Sqlite, StoreError> {
        if access == Access::Write {
            files::create(path)?;
        }
        let conn = connect(path, access)?;
        let files = match access {
            Access::Read => None,
            Access::Write => Some(Files::of(path)?),
        };
        Ok(Sqlite {
            path: path.to_owned(),
            access,
            conn,
            files,
            sql: String::new(),
        })
    }

    /// An empty database, dropped with this value.
    pub(crate) fn in_memory() -> Result<Sqlite, StoreError> {
        Ok(Sqlite {
            path: PathBuf::from(":memory:"),
            access: Access::Write,
            conn: Connection::open_in_memory().map_err(read)?,
            files: None,
            sql: String::new(),
        })
    }

    /// Fails once the paths no longer name the files that were opened. Their content would be lost
    /// when the process ends, so it is saved first.
    fn check_files(&self) -> Result<(), StoreError> {
        let Some(files) = &self.files else {
            return Ok(());
        };
        let mut checked = files.check();
        if let Err(StoreError::Moved { saved, .. }) = &mut checked
            && let Ok(path) = copies::rescue(&self.conn, &self.path)
        {
            files.clear_stale_log();
            *saved = Some(path.display().to_string());
        }
        checked
    }

    /// Rewrites `$1`, which names a parameter here, to `?1`, which numbers it.
    fn write(&mut self, sql: &str) {
        self.sql.clear();
        self.sql
            .extend(sql.chars().map(|char| if char == '$' { '?' } else { char }));
    }
}

fn connect(path: &Path, access: Access) -> Result<Connection, StoreError> {
    let unavailable = |message: String| StoreError::Unavailable {
        message: format!("{}: {message}", path.display()),
    };
    let flags = match access {
        Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
        Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
    };
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags).map_err(|it| match read(it) {
        StoreError::Rejected { message } => unavailable(message),
        error => error,
    })?;
    conn.busy_timeout(BUSY).map_err(read)?;
    conn.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    conn.execute_batch(&settings(access)).map_err(read)?;
    // The first statement that reads opens the log and its index.
    conn.execute_batch("SELECT count(*) FROM sqlite_schema")
        .map_err(read)?;
    Ok(conn)
}

/// FULL makes a commit durable before it returns. The log keeps its size when it starts over,
/// because returning blocks to the file system holds up commits for a tenth of a second.
fn settings(access: Access) -> String {
    let both = "PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384;";
    match access {
        Access::Read => format!("{both} PRAGMA query_only = ON;"),
        Access::Write => format!(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
             PRAGMA wal_autocheckpoint = {WAL_PAGES}; {both}"
        ),
    }
}

/// The state of a database while it is copied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// Others may write to it.
    Shared,
    /// Nobody writes to it. If it has no log, it is read without creating one.
    Kept,
}

/// Opens a database for copying.
pub(crate) fn open_source(path: &Path, source: Source) -> Result<Connection, StoreError> {
    match source {
        Source::Kept if !files::beside(path, files::LOG).exists() => open_kept(path),
        _ => connect(path, Access::Read),
    }
}

/// Copies a database, as of one instant, over an empty file. The copy is a single file; its log is
/// created when it is first opened for writing.
pub(crate) fn copy(from: &Connection, to: &Path) -> Result<(), StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut to = Connection::open_with_flags(to, flags).map_err(read)?;
    // In one step, because a copy in several starts over whenever another process commits.
    let step = Backup::new(from, &mut to).and_then(|backup| backup.step(-1));
    match step.map_err(read)? {
        StepResult::Done => {}
        _ => {
            return Err(StoreError::Busy {
                message: "another connection holds it".to_owned(),
            });
        }
    }
    to.execute_batch("PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE")
        .map_err(read)?;
    to.close().map_err(|(_, error)| read(error))
}

/// Opens a file that does not change, without a lock and without creating further files.
fn open_kept(path: &Path) -> Result<Connection, StoreError> {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                uri.push(char::from(*byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri.push_str("?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(uri, flags).map_err(read)
}

impl Database for Sqlite {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, StoreError> {
        self.write(sql);
        let mut statement = self.conn.prepare_cached(&self.sql).map_err(read)?;
        let n_changed = statement.execute(params_from_iter(params)).map_err(read)?;
        Ok(n_changed as u64)
    }

    fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>, StoreError> {
        self.write(sql);
        let mut statement = self.conn.prepare_cached(&self.sql).map_err(read)?;
        let n_columns = statement.column_count();
        let mut rows = statement.query(params_from_iter(params)).map_err(read)?;
        let mut out = Vec::new();
        while let Some(row) = rows.next().map_err(read)? {
            let values = (0..n_columns).map(|idx| row.get_ref(idx).map_err(read).and_then(value));
            out.push(Row::new(values.collect::<Result<_, _>>()?));
        }
        Ok(out)
    }

    fn insert_rows(&mut self, into: &Into, rows: &[Vec<Param<'_>>]) -> Result<u64, StoreError> {
        self.write(&into.sql(1));
        let mut statement = self.conn.prepare_cached(&self.sql).map_err(read)?;
        let mut n_added = 0;
        for row in rows {
            n_added += statement.execute(params_from_iter(row)).map_err(read)? as u64;
        }
        Ok(n_added)
    }

    fn run_script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.conn.execute_batch(sql).map_err(read)
    }

    fn begin(&mut self, access: Access) -> Result<(), StoreError> {
        self.run_script(match access {
            Access::Read => "BEGIN",
            Access::Write => "BEGIN IMMEDIATE",
        })
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.run_script("COMMIT")?;
        self.check_files()
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        // Some failures have already rolled back the transaction.
        if self.conn.is_autocommit() {
            return Ok(());
        }
        self.run_script("ROLLBACK")
    }

    fn is_lost(&self) -> bool {
        false
    }

    fn reconnect(&mut self) -> Result<(), StoreError> {
        self.conn = connect(&self.path, self.access)?;
        self.check_files()
    }

    fn checkpoint(&mut self) -> Result<(), StoreError> {
        self.check_files()?;
        self.query("PRAGMA wal_checkpoint(PASSIVE)", &[]).map(drop)
    }
}

impl ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Param::Null => ValueRef::Null,
            Param::Int(value) => ValueRef::Integer(*value),
            Param::Real(value) => ValueRef::Real(*value),
            Param::Text(value) => ValueRef::Text(value.as_bytes()),
            Param::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}

fn value(value: ValueRef<'_>) -> Result<Value, StoreError> {
    Ok(match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(value) => Value::Int(value),
        ValueRef::Real(value) => Value::Real(value),
        ValueRef::Text(text) => Value::Text(
            String::from_utf8(text.to_vec())
                .map_err(|_| StoreError::corrupt("a text is not UTF-8"))?,
        ),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
    })
}

/// Translates an error of the library.
#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn read(error: rusqlite::Error) -> StoreError {
    let message = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy { message },
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            StoreError::Corrupt { message }
        }
        Some(ErrorCode::SystemIoFailure | ErrorCode::FileLockingProtocolFailed) => {
            StoreError::Disk { message }
        }
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => {
            StoreError::Unavailable { message }
        }
        _ => StoreError::Rejected { message },
    }
}
