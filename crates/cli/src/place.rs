//! The options that select the server's database.

use std::path::PathBuf;

use store::Place;

use crate::common::Failure;

/// The location of the server's data, with the same options as `referee serve`.
#[derive(clap::Args)]
pub(crate) struct PlaceArgs {
    /// The server's data directory.
    #[arg(
        long,
        env = "REFEREE_DATA",
        default_value = "referee-data",
        value_name = "DIR",
        global = true
    )]
    data: PathBuf,

    /// The server's PostgreSQL database, instead of a data directory.
    #[arg(
        long,
        env = "REFEREE_DATABASE_URL",
        value_name = "URL",
        hide_env_values = true,
        global = true
    )]
    database_url: Option<String>,
}

impl PlaceArgs {
    /// The place that the options name, whether or not a database exists there.
    pub(crate) fn wanted(&self) -> Result<Place, Failure> {
        match &self.database_url {
            Some(url) => Place::from_url(url)
                .map_err(|fault| Failure::Usage(format!("--database-url: {fault}"))),
            None => Ok(Place::Sqlite(self.data.join("referee.sqlite"))),
        }
    }

    /// Like [`PlaceArgs::wanted`], but fails if the database file does not exist. A PostgreSQL
    /// server is not contacted.
    pub(crate) fn existing(&self) -> Result<Place, Failure> {
        let place = self.wanted()?;
        match &place {
            Place::Sqlite(path) if !path.exists() => Err(Failure::Wrong(format!(
                "{} does not exist; name the server's data directory with --data, or its database with --database-url",
                path.display()
            ))),
            _ => Ok(place),
        }
    }
}
