//! `referee doctor`: checks a database and prints one line per check.

use std::path::Path;

use rustix::fs::statvfs;
use serde_json::json;
use store::{Check, Place, Store};

use crate::common::{Done, Failure, print};
use crate::place::PlaceArgs;

/// Check the server's database: locks, files, space, schema, books, audit and events.
///
/// The server may be running.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee doctor
  referee doctor --data /var/lib/referee --json

Each line is either ok or a finding with the action to take. The exit code is 0 if there are no
findings, otherwise 1. The check is read-only and does not block a running server.")]
pub(crate) struct Args {
    #[command(flatten)]
    place: PlaceArgs,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let place = args.place.existing()?;
    // The files come first, while this process holds no lock itself.
    let mut checks = match &place {
        Place::Sqlite(path) => {
            let mut checks = store::inspect_files(path);
            checks.push(space(path));
            checks
        }
        Place::Postgres(_) => Vec::new(),
    };
    match Store::open_reader(&place) {
        Ok(mut store) => checks.extend(store.inspect()),
        Err(error) => checks.push(Check {
            subject: "schema",
            verdict: Err(error.to_string()),
        }),
    }
    if args.json {
        print(json!(checks.iter().map(as_json).collect::<Vec<_>>()))?;
    } else {
        for check in &checks {
            print(line(check))?;
        }
    }
    if checks.iter().all(|check| check.verdict.is_ok()) {
        Ok(())
    } else {
        Err(Failure::Told)
    }
}

/// The write-ahead log may grow by this much before it is folded into the database.
const LOG_BYTES_MAX: u64 = 256 << 20;

/// Checks that the disk has room for a backup next to the database, and for its log.
fn space(database: &Path) -> Check {
    let bytes = std::fs::metadata(database).map_or(0, |it| it.len());
    let folder = match database.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let needed = bytes + LOG_BYTES_MAX;
    let verdict = match statvfs(folder) {
        Err(error) => Err(format!("{}: {error}", folder.display())),
        Ok(stat) => {
            let free = stat.f_bavail * stat.f_frsize;
            let said = format!("{} free; the database uses {}", mib(free), mib(bytes));
            if free >= needed {
                Ok(said)
            } else {
                Err(format!(
                    "{said}; free up space until {} are available",
                    mib(needed)
                ))
            }
        }
    };
    Check {
        subject: "space",
        verdict,
    }
}

fn mib(bytes: u64) -> String {
    format!("{} MiB", bytes.div_ceil(1 << 20))
}

fn line(check: &Check) -> String {
    match &check.verdict {
        Ok(well) => format!("{:<8} ok       {well}", check.subject),
        Err(finding) => format!("{:<8} FINDING  {finding}", check.subject),
    }
}

fn as_json(check: &Check) -> serde_json::Value {
    let (Ok(message) | Err(message)) = &check.verdict;
    json!({ "check": check.subject, "ok": check.verdict.is_ok(), "message": message })
}
