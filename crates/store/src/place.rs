//! The location of the store.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::tls::PostgresUrl;

/// The location of the store: a file of the embedded database, or a PostgreSQL server.
#[derive(Clone, PartialEq, Eq)]
pub enum Place {
    /// The database file. Its folder is created if it is missing.
    Sqlite(PathBuf),
    /// A URL in the form that PostgreSQL's own programs accept, including `sslmode` and
    /// `sslrootcert`.
    Postgres(String),
}

impl Place {
    /// Parses a path, `sqlite:PATH` or `postgres://…`.
    pub fn from_url(text: &str) -> Result<Place, NotAPlace> {
        let text = text.trim();
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return postgres(text);
        }
        let path = match text.split_once("://") {
            Some(("sqlite" | "file", path)) => path,
            Some((scheme, _)) => return Err(NotAPlace::scheme(scheme)),
            None => text.strip_prefix("sqlite:").unwrap_or(text),
        };
        match path {
            "" => Err(NotAPlace("the path of the database is empty".to_owned())),
            ":memory:" => Err(NotAPlace(
                "a database in memory does not survive a restart".to_owned(),
            )),
            path => Ok(Place::Sqlite(PathBuf::from(path))),
        }
    }
}

/// Checked here, so that a mistake shows before anything connects.
fn postgres(text: &str) -> Result<Place, NotAPlace> {
    match PostgresUrl::parse(text) {
        Ok(_) => Ok(Place::Postgres(text.to_owned())),
        Err(fault) => Err(NotAPlace(fault)),
    }
}

impl FromStr for Place {
    type Err = NotAPlace;

    fn from_str(text: &str) -> Result<Place, NotAPlace> {
        Place::from_url(text)
    }
}

/// For logs: without user, password and parameters.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Sqlite(path) => write!(f, "{}", path.display()),
            Place::Postgres(url) => {
                let rest = url.split_once("://").map_or("", |(_, rest)| rest);
                let rest = rest.split_once('?').map_or(rest, |(rest, _)| rest);
                let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
                write!(f, "postgres://{host}")
            }
        }
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The reason why a text names no place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotAPlace(String);

impl NotAPlace {
    fn scheme(scheme: &str) -> NotAPlace {
        NotAPlace(format!("there is no database type {scheme:?}"))
    }
}

impl fmt::Display for NotAPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: use the path of a file, sqlite:PATH, or postgres://USER:PASSWORD@HOST:PORT/DATABASE",
            self.0
        )
    }
}

impl std::error::Error for NotAPlace {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_path_or_a_url() {
        let path = Ok(Place::Sqlite("data/referee.db".into()));
        assert_eq!(Place::from_url("data/referee.db"), path);
        assert_eq!(Place::from_url("sqlite:data/referee.db"), path);
        assert_eq!(Place::from_url("sqlite://data/referee.db"), path);
        let url = "postgres://me:secret@localhost/referee";
        assert_eq!(Place::from_url(url), Ok(Place::Postgres(url.to_owned())));
    }

    #[test]
    fn an_invalid_place_is_refused_with_the_valid_forms() {
        for text in ["", "sqlite:", "mysql://x", "postgres://[", ":memory:"] {
            let error = Place::from_url(text).unwrap_err().to_string();
            assert!(error.contains("sqlite:PATH"), "{error}");
        }
    }

    #[test]
    fn a_password_is_never_shown() {
        let place = Place::from_url("postgres://me:se@cret@db:5432/x?password=other").unwrap();
        assert_eq!(place.to_string(), "postgres://db:5432/x");
        assert_eq!(format!("{place:?}"), "postgres://db:5432/x");
    }
}
