//! The narrow interface to a database: the operations that both databases support, and nothing
//! else.

use std::borrow::Cow;

use kernel::MatchId;
use session::Account;
use uuid::Uuid;

use crate::StoreError;

/// One connection. Statements are written once for both databases, with `$1` for the first
/// parameter.
pub(crate) trait Database: Send {
    fn dialect(&self) -> Dialect;
    /// Runs one statement and returns the number of rows that it changed.
    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, StoreError>;
    /// Runs one statement that returns rows.
    fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>, StoreError>;
    /// Inserts rows, except those whose key exists; returns the number of inserted rows.
    fn insert_rows(&mut self, into: &Into, rows: &[Vec<Param<'_>>]) -> Result<u64, StoreError>;
    /// Runs statements without parameters, separated by semicolons.
    fn run_script(&mut self, sql: &str) -> Result<(), StoreError>;
    fn begin(&mut self, access: Access) -> Result<(), StoreError>;
    /// Commits the transaction durably.
    fn commit(&mut self) -> Result<(), StoreError>;
    /// Rolls back the transaction, if there is one.
    fn rollback(&mut self) -> Result<(), StoreError>;
    /// True if the connection was lost and [`Database::reconnect`] is needed.
    fn is_lost(&self) -> bool;
    fn reconnect(&mut self) -> Result<(), StoreError>;
    /// Moves pages from the write-ahead log into the database file, as far as readers allow.
    fn checkpoint(&mut self) -> Result<(), StoreError>;
}

/// The database behind a connection, where the difference matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// Sees one state of the database from beginning to end.
    Read,
    Write,
}

/// The table and columns into which rows are inserted.
pub(crate) struct Into {
    pub(crate) table: &'static str,
    pub(crate) columns: &'static [&'static str],
}

impl Into {
    /// The statement that inserts this many rows.
    pub(crate) fn sql(&self, n_rows: usize) -> String {
        let n_columns = self.columns.len();
        let row = |nth: usize| {
            let first = nth * n_columns + 1;
            let holders: Vec<String> = (first..first + n_columns)
                .map(|idx| format!("${idx}"))
                .collect();
            format!("({})", holders.join(", "))
        };
        let rows: Vec<String> = (0..n_rows).map(row).collect();
        format!(
            "INSERT INTO {} ({}) VALUES {} ON CONFLICT DO NOTHING",
            self.table,
            self.columns.join(", "),
            rows.join(", ")
        )
    }
}

/// A value sent to the database.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Param<'a> {
    Null,
    Int(i64),
    Real(f64),
    Text(Cow<'a, str>),
    Bytes(&'a [u8]),
}

/// A value received from the database.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

/// A list of parameters, each converted into a [`Param`].
macro_rules! params {
    ($($value:expr),* $(,)?) => { &[$($crate::database::Param::from($value)),*] };
}
pub(crate) use params;

impl From<i64> for Param<'_> {
    fn from(value: i64) -> Self {
        Param::Int(value)
    }
}

/// Times and counts. A value that does not fit the column becomes the largest that does.
impl From<u64> for Param<'_> {
    fn from(value: u64) -> Self {
        Param::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Param<'_> {
    fn from(value: u32) -> Self {
        Param::Int(value.into())
    }
}

impl From<f64> for Param<'_> {
    fn from(value: f64) -> Self {
        Param::Real(value)
    }
}

impl<'a> From<&'a str> for Param<'a> {
    fn from(value: &'a str) -> Self {
        Param::Text(Cow::Borrowed(value))
    }
}

impl<'a> From<&'a String> for Param<'a> {
    fn from(value: &'a String) -> Self {
        Param::Text(Cow::Borrowed(value))
    }
}

impl From<String> for Param<'_> {
    fn from(value: String) -> Self {
        Param::Text(Cow::Owned(value))
    }
}

impl<'a> From<&'a [u8]> for Param<'a> {
    fn from(value: &'a [u8]) -> Self {
        Param::Bytes(value)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Param<'a> {
    fn from(value: &'a [u8; N]) -> Self {
        Param::Bytes(value)
    }
}

impl From<Account> for Param<'_> {
    fn from(account: Account) -> Self {
        Param::from(account.0)
    }
}

impl From<MatchId> for Param<'_> {
    fn from(game_id: MatchId) -> Self {
        Param::from(game_id.to_string())
    }
}

impl From<Uuid> for Param<'_> {
    fn from(uuid: Uuid) -> Self {
        Param::from(uuid.to_string())
    }
}

impl<'a, T> From<Option<T>> for Param<'a>
where
    Param<'a>: From<T>,
{
    fn from(value: Option<T>) -> Self {
        value.map_or(Param::Null, Param::from)
    }
}

/// A row, read from left to right.
pub(crate) struct Row {
    values: std::vec::IntoIter<Value>,
    n_read: usize,
}

impl Row {
    pub(crate) fn new(values: Vec<Value>) -> Row {
        Row {
            values: values.into_iter(),
            n_read: 0,
        }
    }

    /// The next column, which must have this type. Otherwise the database has another schema than
    /// ours and is reported as corrupt.
    pub(crate) fn take<T: Column>(&mut self) -> Result<T, StoreError> {
        self.n_read += 1;
        let value = self.values.next();
        let read = value.clone().and_then(T::from_value);
        read.ok_or_else(|| {
            StoreError::corrupt(format!(
                "column {} of a row should be {}, but is {}",
                self.n_read,
                T::WHAT,
                value.as_ref().map_or("missing", Value::what)
            ))
        })
    }
}

impl Value {
    fn what(&self) -> &'static str {
        match self {
            Value::Null => "nothing",
            Value::Int(_) => "an integer",
            Value::Real(_) => "a number",
            Value::Text(_) => "a text",
            Value::Bytes(_) => "bytes",
        }
    }
}

/// A type that a column can hold.
pub(crate) trait Column: Sized {
    /// The name of the type for error messages.
    const WHAT: &'static str;
    fn from_value(value: Value) -> Option<Self>;
}

impl Column for i64 {
    const WHAT: &'static str = "an integer";
    fn from_value(value: Value) -> Option<i64> {
        match value {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }
}

impl Column for u64 {
    const WHAT: &'static str = "a count";
    fn from_value(value: Value) -> Option<u64> {
        i64::from_value(value).and_then(|value| u64::try_from(value).ok())
    }
}

impl Column for u32 {
    const WHAT: &'static str = "a small count";
    fn from_value(value: Value) -> Option<u32> {
        i64::from_value(value).and_then(|value| u32::try_from(value).ok())
    }
}

impl Column for f64 {
    const WHAT: &'static str = "a number";
    fn from_value(value: Value) -> Option<f64> {
        match value {
            Value::Real(value) => Some(value),
            _ => None,
        }
    }
}

impl Column for String {
    const WHAT: &'static str = "a text";
    fn from_value(value: Value) -> Option<String> {
        match value {
            Value::Text(value) => Some(value),
            _ => None,
        }
    }
}

impl Column for Vec<u8> {
    const WHAT: &'static str = "bytes";
    fn from_value(value: Value) -> Option<Vec<u8>> {
        match value {
            Value::Bytes(value) => Some(value),
            _ => None,
        }
    }
}

impl<const N: usize> Column for [u8; N] {
    const WHAT: &'static str = "a fixed number of bytes";
    fn from_value(value: Value) -> Option<[u8; N]> {
        Vec::from_value(value).and_then(|bytes: Vec<u8>| bytes.try_into().ok())
    }
}

impl Column for Account {
    const WHAT: &'static str = "an account";
    fn from_value(value: Value) -> Option<Account> {
        u64::from_value(value).map(Account)
    }
}

impl Column for MatchId {
    const WHAT: &'static str = "a match id";
    fn from_value(value: Value) -> Option<MatchId> {
        String::from_value(value).and_then(|text| text.parse().ok())
    }
}

impl Column for Uuid {
    const WHAT: &'static str = "a UUID";
    fn from_value(value: Value) -> Option<Uuid> {
        String::from_value(value).and_then(|text| Uuid::parse_str(&text).ok())
    }
}

impl<T: Column> Column for Option<T> {
    const WHAT: &'static str = T::WHAT;
    fn from_value(value: Value) -> Option<Option<T>> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

/// Defines an enum without fields that is stored as text.
macro_rules! words {
    (
        $(#[$doc:meta])* $name:ident, $what:literal {
            $($(#[$variant_doc:meta])* $variant:ident = $word:literal),* $(,)?
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum $name {
            $($(#[$variant_doc])* $variant),*
        }

        impl $name {
            /// The text that it is stored as.
            pub fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $word),*
                }
            }
        }

        impl From<$name> for $crate::database::Param<'_> {
            fn from(value: $name) -> Self {
                Self::from(value.name())
            }
        }

        impl $crate::database::Column for $name {
            const WHAT: &'static str = $what;
            fn from_value(value: $crate::database::Value) -> Option<$name> {
                match String::from_value(value)?.as_str() {
                    $($word => Some($name::$variant),)*
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use words;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_inserted_by_one_statement() {
        let into = Into {
            table: "t",
            columns: &["a", "b"],
        };
        assert_eq!(
            into.sql(2),
            "INSERT INTO t (a, b) VALUES ($1, $2), ($3, $4) ON CONFLICT DO NOTHING"
        );
    }

    #[test]
    fn a_column_of_another_type_is_reported_as_corrupt() {
        let mut row = Row::new(vec![Value::Int(-1), Value::Text("x".to_owned())]);
        let error = row.take::<u64>().unwrap_err().to_string();
        assert!(error.contains("column 1 of a row should be a count"));
        assert!(row.take::<MatchId>().is_err());
        assert!(row.take::<i64>().is_err());
    }
}
