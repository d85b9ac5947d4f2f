//! Which database a command is about.

use std::path::PathBuf;

use store::Place;

use crate::common::Failure;

/// Where the server keeps its data, as `referee serve` is told.
#[derive(clap::Args)]
pub(crate) struct PlaceArgs {
    /// The data directory of the server.
    #[arg(
        long,
        env = "REFEREE_DATA",
        default_value = "referee-data",
        value_name = "DIR",
        global = true
    )]
    data: PathBuf,

    /// The PostgreSQL database of the server, instead of the data directory.
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
    /// The place, whether or not there is a database.
    pub(crate) fn wanted(&self) -> Result<Place, Failure> {
        match &self.database_url {
            Some(url) => Place::from_url(url)
                .map_err(|fault| Failure::Usage(format!("--database-url: {fault}"))),
            None => Ok(Place::Sqlite(self.data.join("referee.sqlite"))),
        }
    }

    /// The place of a database that exists; whether a PostgreSQL server answers is not asked.
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
