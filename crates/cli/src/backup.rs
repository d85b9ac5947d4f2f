//! `referee backup` and `referee restore`: copies of the database that can be relied on.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use store::{Check, CopyFault, InTheWay, Place};

use crate::common::{Done, Failure, print};
use crate::place::PlaceArgs;

/// Copy the server's database to a file, while the server runs or not.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee backup copy.sqlite
  referee backup /mnt/backups/monday.sqlite --data /var/lib/referee --force

The copy is the database at one instant, checked before it gets its name. A failed backup leaves
no file behind, and an older one as it was. A PostgreSQL database has pg_dump.")]
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

/// Make a backup the database of a server that is stopped.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee restore copy.sqlite --data /var/lib/referee
  referee restore copy.sqlite --force

The backup is checked before anything is changed, and is left as it is. A database that --force
replaces is kept under another name, which is printed. Open matches continue when the server
starts, with their deadlines moved. A PostgreSQL database has pg_restore.")]
pub(crate) struct RestoreArgs {
    /// The backup.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Replace a database that is there, which is kept under another name.
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
                "{place} is a PostgreSQL database, which has its own tool: pg_dump --format=custom --file={file} URL"
            )));
        }
    };
    let in_the_way = in_the_way(args.force);
    let checks = store::back_up(&database, &args.file, &in_the_way).map_err(|fault| {
        let advice = match fault {
            CopyFault::Present { .. } => "; name another file, or replace it with --force",
            _ => "",
        };
        Failure::Wrong(format!("no backup was made: {fault}{advice}"))
    })?;
    print(format!("{file} is a sound backup: {}", summary(&checks)))
}

pub(crate) fn restore(args: &RestoreArgs) -> Done {
    let file = args.file.display();
    let database = match args.place.wanted()? {
        Place::Sqlite(path) => path,
        place @ Place::Postgres(_) => {
            return Err(Failure::Wrong(format!(
                "{place} is a PostgreSQL database, which has its own tool: pg_restore --clean --if-exists --dbname=URL {file}"
            )));
        }
    };
    let in_the_way = in_the_way(args.force);
    let restored = store::restore(&args.file, &database, &in_the_way).map_err(|fault| {
        let advice = match fault {
            CopyFault::Present { .. } => {
                "; name another --data directory, or keep it under another name with --force"
            }
            _ => "",
        };
        Failure::Wrong(format!("nothing was restored: {fault}{advice}"))
    })?;
    if let Some(kept) = &restored.kept {
        print(format!("the database that was there is {}", kept.display()))?;
    }
    print(format!(
        "{} is restored from {file}: {}",
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
