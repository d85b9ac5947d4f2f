//! `referee backup` and `referee restore`: verified copies of the database.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use store::{Check, CopyFault, InTheWay, Place};

use crate::common::{Done, Failure, print};
use crate::place::PlaceArgs;

/// Back up the server's database to a file. The server may be running.
///
/// The server may be running.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee backup copy.sqlite
  referee backup /mnt/backups/monday.sqlite --data /var/lib/referee --force

The copy is consistent as of one instant, and is checked before it is moved into place. A failed
backup leaves no file behind and does not touch an existing one. For PostgreSQL, use pg_dump.")]
pub(crate) struct BackupArgs {
    /// The file to write.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Restore a backup while the server is stopped.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee restore copy.sqlite --data /var/lib/referee
  referee restore copy.sqlite --force

The backup is checked before anything changes, and is itself not modified. A database replaced by
--force is kept under another name, which is printed. Open matches resume when the server starts,
with their deadlines shifted. For PostgreSQL, use pg_restore.")]
pub(crate) struct RestoreArgs {
    /// The backup file to restore.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Replace an existing database, keeping it under another name.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    place: PlaceArgs,
}

pub(crate) fn back_up(args: &BackupArgs) -> Done {
    let file = args.file.display();
    let database = match args.place.existing()? {
        Place::Sqlite(path) => path,
        place @ Place::Postgres(_) => {
            return Err(Failure::Wrong(format!(
                "{place} is a PostgreSQL database: back it up with pg_dump --format=custom --file={file} URL"
            )));
        }
    };
    let in_the_way = in_the_way(args.force);
    let checks = store::back_up(&database, &args.file, &in_the_way).map_err(|fault| {
        let advice = match fault {
            CopyFault::Present { .. } => "; choose another file, or replace it with --force",
            _ => "",
        };
        Failure::Wrong(format!("no backup was made: {fault}{advice}"))
    })?;
    print(format!("{file} is a valid backup: {}", summary(&checks)))
}

pub(crate) fn restore(args: &RestoreArgs) -> Done {
    let file = args.file.display();
    let database = match args.place.wanted()? {
        Place::Sqlite(path) => path,
        place @ Place::Postgres(_) => {
            return Err(Failure::Wrong(format!(
                "{place} is a PostgreSQL database: restore it with pg_restore --clean --if-exists --dbname=URL {file}"
            )));
        }
    };
    let in_the_way = in_the_way(args.force);
    let restored = store::restore(&args.file, &database, &in_the_way).map_err(|fault| {
        let advice = match fault {
            CopyFault::Present { .. } => {
                "; choose another --data directory, or replace it with --force (a copy is kept)"
            }
            _ => "",
        };
        Failure::Wrong(format!("nothing was restored: {fault}{advice}"))
    })?;
    if let Some(kept) = &restored.kept {
        print(format!("the previous database is now {}", kept.display()))?;
    }
    print(format!(
        "restored {} from {file}: {}",
        database.display(),
        summary(&restored.checks)
    ))
}

fn in_the_way(force: bool) -> InTheWay {
    if !force {
        return InTheWay::Refuse;
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |it| it.as_millis());
    InTheWay::Replace {
        suffix: format!(".replaced-{now}"),
    }
}

fn summary(checks: &[Check]) -> String {
    let said = checks
        .iter()
        .filter_map(|it| it.verdict.as_deref().ok().map(|well| (it.subject, well)));
    let said: Vec<String> = said
        .map(|(subject, well)| format!("{subject}: {well}"))
        .collect();
    said.join("; ")
}
