//! The connection to a PostgreSQL server.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::time::Duration;

use postgres::error::SqlState;
use postgres::types::private::BytesMut;
use postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, Config, NoTls, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::StoreError;
use crate::database::{Access, Database, Dialect, Into, Param, Row, Value};
use crate::tls::PostgresUrl;

/// The timeout for connecting.
const CONNECT: Duration = Duration::from_secs(5);
/// The time after which a silent connection counts as lost.
const SILENCE: Duration = Duration::from_secs(10);
/// The numbers of rows in one statement: only a few, so that each is prepared once.
const CHUNKS: [usize; 3] = [64, 8, 1];

pub(crate) struct Postgres {
    config: Config,
    tls: Option<MakeRustlsConnect>,
    access: Access,
    client: Client,
    statements: BTreeMap<String, Statement>,
    in_transaction: bool,
    lost: bool,
}

impl Postgres {
    pub(crate) fn open(url: &str, access: Access) -> Result<Postgres, StoreError> {
        let url = PostgresUrl::parse(url).map_err(|message| StoreError::Unavailable { message })?;
        let tls = url.connector()?;
        let mut config = url.config;
        config.connect_timeout(CONNECT).tcp_user_timeout(SILENCE);
        let client = connect(&config, tls.as_ref(), access)?;
        Ok(Postgres {
            config,
            tls,
            access,
            client,
            statements: BTreeMap::new(),
            in_transaction: false,
            lost: false,
        })
    }

    fn statement(&mut self, sql: &str) -> Result<Statement, StoreError> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let prepared = self.client.prepare(sql);
        let statement = prepared.map_err(|it| self.note(&it))?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    /// Translates an error, and remembers if the connection was lost.
    fn note(&mut self, error: &postgres::Error) -> StoreError {
        let read = read(error);
        if self.client.is_closed() || matches!(read, StoreError::Unavailable { .. }) {
            self.lost = true;
        }
        read
    }
}

/// A commit is durable when it returns, whatever the server's default is. The server releases the
/// locks of an abandoned transaction.
fn connect(
    config: &Config,
    tls: Option<&MakeRustlsConnect>,
    access: Access,
) -> Result<Client, StoreError> {
    let connected = match tls {
        Some(tls) => config.connect(tls.clone()),
        None => config.connect(NoTls),
    };
    let mut client = connected.map_err(|it| match read(&it) {
        StoreError::Rejected { message } => StoreError::Unavailable { message },
        error => error,
    })?;
    let read_only = match access {
        Access::Read => "on",
        Access::Write => "off",
    };
    client
        .batch_execute(&format!(
            "SET synchronous_commit = on; SET idle_in_transaction_session_timeout = '10s'; \
             SET lock_timeout = '15s'; SET client_min_messages = warning; \
             SET default_transaction_read_only = {read_only}"
        ))
        .map_err(|it| read(&it))?;
    Ok(client)
}

impl Database for Postgres {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, StoreError> {
        let statement = self.statement(sql)?;
        let ran = self.client.execute(&statement, &refs(params));
        ran.map_err(|it| self.note(&it))
    }

    fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>, StoreError> {
        let statement = self.statement(sql)?;
        let ran = self.client.query(&statement, &refs(params));
        let rows = ran.map_err(|it| self.note(&it))?;
        let mut out = Vec::with_capacity(rows.len());
        for row in &rows {
            let values = (0..row.len()).map(|idx| row.try_get(idx));
            let values: Result<Vec<Value>, _> = values.collect();
            out.push(Row::new(values.map_err(|it| self.note(&it))?));
        }
        Ok(out)
    }

    fn insert_rows(&mut self, into: &Into, rows: &[Vec<Param<'_>>]) -> Result<u64, StoreError> {
        let mut n_added = 0;
        let mut rest = rows;
        for size in CHUNKS {
            while rest.len() >= size {
                let (chunk, after) = rest.split_at(size);
                rest = after;
                let statement = self.statement(&into.sql(size))?;
                let params: Vec<&(dyn ToSql + Sync)> =
                    chunk.iter().flat_map(|row| refs(row)).collect();
                let ran = self.client.execute(&statement, &params);
                n_added += ran.map_err(|it| self.note(&it))?;
            }
        }
        Ok(n_added)
    }

    fn run_script(&mut self, sql: &str) -> Result<(), StoreError> {
        let ran = self.client.batch_execute(sql);
        ran.map_err(|it| self.note(&it))
    }

    fn begin(&mut self, access: Access) -> Result<(), StoreError> {
        self.run_script(match access {
            Access::Read => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Access::Write => "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
        })?;
        self.in_transaction = true;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.in_transaction = false;
        self.run_script("COMMIT")
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        if !self.in_transaction || self.lost {
            return Ok(());
        }
        self.in_transaction = false;
        self.run_script("ROLLBACK")
    }

    fn is_lost(&self) -> bool {
        self.lost || self.client.is_closed()
    }

    fn reconnect(&mut self) -> Result<(), StoreError> {
        self.client = connect(&self.config, self.tls.as_ref(), self.access)?;
        self.statements.clear();
        self.in_transaction = false;
        self.lost = false;
        Ok(())
    }

    /// The server does this by itself.
    fn checkpoint(&mut self) -> Result<(), StoreError> {
        Ok(())
    }
}

fn refs<'a>(params: &'a [Param<'_>]) -> Vec<&'a (dyn ToSql + Sync)> {
    let each = params.iter().map(|param| param as &(dyn ToSql + Sync));
    each.collect()
}

type Fault = Box<dyn std::error::Error + Sync + Send>;

impl ToSql for Param<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Fault> {
        match self {
            Param::Null => Ok(IsNull::Yes),
            Param::Int(value) if *kind == Type::INT8 => value.to_sql(kind, out),
            Param::Real(value) if *kind == Type::FLOAT8 => value.to_sql(kind, out),
            Param::Text(value) if *kind == Type::TEXT => value.as_ref().to_sql(kind, out),
            Param::Bytes(value) if *kind == Type::BYTEA => value.to_sql(kind, out),
            _ => Err(format!("a column of type {kind} cannot hold this value").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Value {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Value, Fault> {
        match *kind {
            Type::INT8 => i64::from_sql(kind, raw).map(Value::Int),
            Type::INT4 => i32::from_sql(kind, raw).map(|it| Value::Int(it.into())),
            Type::FLOAT8 => f64::from_sql(kind, raw).map(Value::Real),
            Type::BYTEA => Vec::from_sql(kind, raw).map(Value::Bytes),
            Type::TEXT | Type::VARCHAR | Type::NAME => String::from_sql(kind, raw).map(Value::Text),
            _ => Err(format!("the type {kind} is not supported").into()),
        }
    }

    fn from_sql_null(_: &Type) -> Result<Value, Fault> {
        Ok(Value::Null)
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// Translates an error of the library. The server's own message is short and names no password;
/// without it, the library's text says nothing useful.
fn read(error: &postgres::Error) -> StoreError {
    let Some(db) = error.as_db_error() else {
        let cause = error.source().map(|it| format!(": {it}"));
        let message = format!("{error}{}", cause.unwrap_or_default());
        // Without a message from the server, it is the connection or our own conversion that
        // failed.
        return if is_ours(error) {
            StoreError::Rejected { message }
        } else {
            StoreError::Unavailable { message }
        };
    };
    let message = db.message().to_owned();
    match db.code() {
        &SqlState::DISK_FULL => StoreError::Full,
        &SqlState::IO_ERROR => StoreError::Disk { message },
        &SqlState::DATA_CORRUPTED | &SqlState::INDEX_CORRUPTED => StoreError::Corrupt { message },
        &SqlState::T_R_SERIALIZATION_FAILURE
        | &SqlState::T_R_DEADLOCK_DETECTED
        | &SqlState::LOCK_NOT_AVAILABLE
        | &SqlState::QUERY_CANCELED => StoreError::Busy { message },
        code if is_connection(code.code()) => StoreError::Unavailable { message },
        _ => StoreError::Rejected { message },
    }
}

/// Codes of connections, resources, shutdowns and authorization.
fn is_connection(code: &str) -> bool {
    const TIMED_OUT: &str = "25P03";
    code == TIMED_OUT
        || ["08", "53", "57P", "28"]
            .iter()
            .any(|it| code.starts_with(it))
}

/// True for a value that does not fit its column.
fn is_ours(error: &postgres::Error) -> bool {
    let text = error.to_string();
    text.starts_with("error serializing") || text.starts_with("error deserializing")
}
