//! Known vulnerabilities of the dependencies, by the RustSec advisory database.
//!
//! The database is a git repository that no package registry has, so it is not fetched here: a
//! copy on this machine is read. Without one the check is skipped, and says so.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rustsec::advisory::Date;
use rustsec::database::{Database, Query};
use rustsec::{Advisory, Lockfile, Vulnerability};

use crate::deny::{self, Verdict};
use crate::step::Outcome;

/// Names the folder of a copy of the database.
const VARIABLE: &str = "REFEREE_ADVISORY_DB";
/// The lock files of what is built here.
const LOCKS: [&str; 2] = ["Cargo.lock", "fuzz/Cargo.lock"];

/// Checks all locked dependencies, if there is a copy of the database.
pub(crate) fn step() -> Result<Outcome> {
    let Some(folder) = find() else {
        return Ok(Outcome::skipped(format!(
            "no advisory database: clone https://github.com/rustsec/advisory-db and set {VARIABLE}"
        )));
    };
    let report = Report::read(&folder)?;
    let mut note = format!("{} advisories up to {}", report.n_advisories, report.newest);
    if !report.verdict.warnings.is_empty() {
        note.push_str(&format!("; {}", report.verdict.warnings.join(" ")));
    }
    Ok(Outcome::faults(&report.verdict.faults).with_note(note))
}

/// The named copy, or the one that cargo-audit keeps.
fn find() -> Option<PathBuf> {
    if let Some(named) = env::var_os(VARIABLE) {
        return Some(PathBuf::from(named));
    }
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    home.map(|it| it.join("advisory-db"))
        .filter(|it| it.join("crates").is_dir())
}

struct Report {
    n_advisories: usize,
    /// The date of the newest advisory: how old the copy is at most.
    newest: String,
    verdict: Verdict,
}

impl Report {
    fn read(folder: &Path) -> Result<Report> {
        let context = || format!("{} is no copy of the advisory database", folder.display());
        let database = Database::open(folder).with_context(context)?;
        let ignored = deny::ignored_advisories()?;
        let mut report = Report::of(&database);
        for lock in LOCKS {
            let lock = Lockfile::load(lock).with_context(|| format!("cannot read {lock}"))?;
            report.verdict.add(judge(&database, &lock, &ignored));
        }
        Ok(report)
    }

    fn of(database: &Database) -> Report {
        let newest = database.iter().map(Advisory::date).max();
        Report {
            n_advisories: database.iter().count(),
            newest: newest.map_or_else(|| "no date".to_owned(), Date::to_string),
            verdict: Verdict::default(),
        }
    }
}

/// A vulnerability is a fault; a crate that is unmaintained or unsound is a warning.
fn judge(database: &Database, lock: &Lockfile, ignored: &[String]) -> Verdict {
    let said = |it: &Vulnerability| {
        let (package, about) = (&it.package, &it.advisory);
        let (id, title) = (&about.id, &about.title);
        let patched = it.versions.patched();
        let patched: Vec<String> = patched.iter().map(ToString::to_string).collect();
        let remedy = match patched.as_slice() {
            [] => "no version is patched".to_owned(),
            patched => format!("patched in {}", patched.join(", ")),
        };
        format!(
            "{id}: {} {}: {title} ({remedy}).",
            package.name, package.version
        )
    };
    let counts = |it: &Vulnerability| !ignored.iter().any(|id| it.advisory.id.as_str() == id);
    let find = |query: &Query| database.query_vulnerabilities(lock, query);
    let faults = find(&Query::crate_scope().informational(false));
    let warnings = find(&Query::crate_scope().informational(true));
    Verdict {
        faults: faults.iter().filter(|it| counts(it)).map(said).collect(),
        warnings: warnings.iter().filter(|it| counts(it)).map(said).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A database with these advisories, each of a crate that nobody has published.
    fn database(advisories: &[(&str, &str)]) -> Database {
        let folder = env::temp_dir().join(format!("referee-advisories-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("crates")).unwrap();
        for (id, informational) in advisories {
            let text = format!(
                "```toml\n[advisory]\nid = \"{id}\"\npackage = \"no-such-crate\"\ndate = \
                 \"2026-01-02\"\n{informational}\n[versions]\npatched = [\">= 1.2.0\"]\n```\n\n# A \
                 made-up fault\n\nOf a made-up crate.\n"
            );
            let place = folder.join("crates/no-such-crate");
            std::fs::create_dir_all(&place).unwrap();
            std::fs::write(place.join(format!("{id}.md")), text).unwrap();
        }
        let database = Database::open(&folder).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        database
    }

    fn lock(version: &str) -> Lockfile {
        let text = format!(
            "version = 4\n\n[[package]]\nname = \"no-such-crate\"\nversion = \"{version}\"\n\
             source = \"registry+https://github.com/rust-lang/crates.io-index\"\n"
        );
        text.parse().unwrap()
    }

    #[test]
    fn a_vulnerable_version_is_a_fault_with_its_remedy_until_it_is_patched_or_ignored() {
        let database = database(&[
            ("RUSTSEC-2026-9001", ""),
            ("RUSTSEC-2026-9002", "informational = \"unmaintained\""),
        ]);
        let found = judge(&database, &lock("1.1.9"), &[]);
        assert_eq!(
            found.faults,
            ["RUSTSEC-2026-9001: no-such-crate 1.1.9: A made-up fault (patched in >=1.2.0)."]
        );
        assert_eq!(found.warnings.len(), 1, "{:?}", found.warnings);
        assert!(found.warnings[0].starts_with("RUSTSEC-2026-9002"));
        assert_eq!(judge(&database, &lock("1.2.0"), &[]), Verdict::default());
        let ignored = ["RUSTSEC-2026-9001".to_owned()];
        assert!(judge(&database, &lock("1.1.9"), &ignored).faults.is_empty());
        let report = Report::of(&database);
        assert_eq!(
            (report.n_advisories, report.newest.as_str()),
            (2, "2026-01-02")
        );
    }

    #[test]
    fn a_folder_that_is_no_database_is_an_error() {
        assert!(Report::read(Path::new("no/such/folder")).is_err());
    }
}
