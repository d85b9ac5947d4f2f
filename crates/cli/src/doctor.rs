//! `referee doctor`: what is wrong with a database, one line for each thing that was checked.

use std::path::Path;

use rustix::fs::statvfs;
use serde_json::json;
use store::{Check, Place, Store};

use crate::common::{Done, Failure, print};
use crate::place::PlaceArgs;

/// Check the database of a server, while the server runs or not.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee doctor
  referee doctor --data /var/lib/referee --json

Each line is ok, or a finding with what to do about it. The exit code is 0 without findings and 1
with some. Everything is read, nothing is changed, and a running server is not held up.")]
pub(crate) struct Args {
    #[command(flatten)]
    place: PlaceArgs,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let place = args.place.existing()?;
    // First, while this process has no lock itself.
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

/// The log may grow by this before it is folded into the database.
const LOG_BYTES_MAX: u64 = 256 << 20;

/// There must be room for a backup beside the database, and for its log.
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
            let said = format!("{} free; the database has {}", mib(free), mib(bytes));
            if free >= needed {
                Ok(said)
            } else {
                Err(format!("{said}; make room until {} are free", mib(needed)))
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
