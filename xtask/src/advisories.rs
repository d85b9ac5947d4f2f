//! Known vulnerabilities of the dependencies, by the RustSec advisory database.
//!
//! The database is a git repository that no package registry has, so it is not fetched here. A whole
//! copy on this machine is read if there is one; else `xtask/advisories.json`, which has the
//! advisories on the locked packages up to its date.
//!
//! Promise: No dependency has a known vulnerability.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result};
use rustsec::advisory::Date;
use rustsec::database::{Database, Query};
use rustsec::{Advisory, Lockfile, Vulnerability};
use serde::{Deserialize, Serialize};

use crate::deny::{self, Findings};
use crate::step::Outcome;

/// Names the folder of a copy of the database.
const VARIABLE: &str = "REFEREE_ADVISORY_DB";
/// The lock files of what is built here.
const LOCKS: [&str; 2] = ["Cargo.lock", "fuzz/Cargo.lock"];

/// Checks all locked dependencies.
pub(crate) fn step(target: &Path) -> Result<Outcome> {
    let (report, of) = match find() {
        Some(folder) => (Report::read(&folder)?, String::new()),
        None => {
            let kept = Kept::read()?;
            let folder = target.join("advisories");
            kept.unpack(&folder)?;
            (Report::read(&folder)?, kept.extent()?)
        }
    };
    let mut note = format!(
        "{} advisories up to {}{of}",
        report.n_advisories, report.newest
    );
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

/// The advisories that are kept in this repository: facts alone, without their texts.
#[derive(Deserialize)]
struct Kept {
    /// The date of the newest advisory that the database had, on any package.
    seen_until: String,
    /// The packages that the database was asked about.
    packages: BTreeSet<String>,
    advisories: Vec<KeptAdvisory>,
}

#[derive(Deserialize)]
struct KeptAdvisory {
    title: String,
    #[serde(flatten)]
    about: About,
    #[serde(flatten)]
    versions: Versions,
}

#[derive(Serialize, Deserialize)]
struct About {
    id: String,
    package: String,
    date: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    informational: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    withdrawn: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Versions {
    patched: Vec<String>,
    #[serde(default)]
    unaffected: Vec<String>,
}

impl Kept {
    fn read() -> Result<Kept> {
        let text = include_str!("../advisories.json");
        serde_json::from_str(text).context("xtask/advisories.json cannot be read")
    }

    /// Writes the advisories as the database has them.
    fn unpack(&self, folder: &Path) -> Result<()> {
        fs::remove_dir_all(folder).ok();
        for advisory in &self.advisories {
            let About { id, package, .. } = &advisory.about;
            let place = folder.join("crates").join(package);
            fs::create_dir_all(&place)?;
            fs::write(place.join(format!("{id}.md")), advisory.text()?)?;
        }
        Ok(())
    }

    /// How much of the database this is.
    fn extent(&self) -> Result<String> {
        let mut unknown = BTreeSet::new();
        for lock in LOCKS {
            let lock = Lockfile::load(lock).with_context(|| format!("cannot read {lock}"))?;
            let packages = lock.packages.iter().filter(|it| it.source.is_some());
            let names = packages.map(|it| it.name.to_string());
            unknown.extend(names.filter(|it| !self.packages.contains(it)));
        }
        let Kept { seen_until, .. } = self;
        let mut extent = format!(" on the locked packages, from a copy of {seen_until}");
        if !unknown.is_empty() {
            let unknown: Vec<String> = unknown.into_iter().collect();
            extent.push_str(&format!("; not asked about: {}", unknown.join(", ")));
        }
        Ok(extent)
    }
}

impl KeptAdvisory {
    /// The advisory in the database's own form.
    fn text(&self) -> Result<String> {
        #[derive(Serialize)]
        struct Front<'a> {
            advisory: &'a About,
            versions: &'a Versions,
        }
        let front = toml::to_string(&Front {
            advisory: &self.about,
            versions: &self.versions,
        })?;
        let title = &self.title;
        Ok(format!("```toml\n{front}```\n\n# {title}\n\n{title}.\n"))
    }
}

struct Report {
    n_advisories: usize,
    /// The date of the newest advisory: how old the copy is at most.
    newest: String,
    verdict: Findings,
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
            verdict: Findings::default(),
        }
    }
}

/// A vulnerability is a fault; a crate that is unmaintained or unsound is a warning.
fn judge(database: &Database, lock: &Lockfile, ignored: &[String]) -> Findings {
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
    Findings {
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
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("crates")).unwrap();
        for (id, informational) in advisories {
            let text = format!(
                "```toml\n[advisory]\nid = \"{id}\"\npackage = \"no-such-crate\"\ndate = \
                 \"2026-01-02\"\n{informational}\n[versions]\npatched = [\">= 1.2.0\"]\n```\n\n# A \
                 made-up fault\n\nOf a made-up crate.\n"
            );
            let place = folder.join("crates/no-such-crate");
            fs::create_dir_all(&place).unwrap();
            fs::write(place.join(format!("{id}.md")), text).unwrap();
        }
        let database = Database::open(&folder).unwrap();
        fs::remove_dir_all(folder).unwrap();
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
        assert_eq!(judge(&database, &lock("1.2.0"), &[]), Findings::default());
        let ignored = ["RUSTSEC-2026-9001".to_owned()];
        assert!(judge(&database, &lock("1.1.9"), &ignored).faults.is_empty());
        let report = Report::of(&database);
        assert_eq!(
            (report.n_advisories, report.newest.as_str()),
            (2, "2026-01-02")
        );
    }

    #[test]
    fn the_kept_advisories_are_read_as_the_database_would_be() {
        let kept = Kept::read().unwrap();
        let folder = env::temp_dir().join(format!("referee-kept-{}", std::process::id()));
        kept.unpack(&folder).unwrap();
        let database = Database::open(&folder).unwrap();
        fs::remove_dir_all(folder).unwrap();
        assert_eq!(database.iter().count(), kept.advisories.len());
        // Tokio before 1.18.4 let pipes be reached from other machines.
        let text = "version = 4\n\n[[package]]\nname = \"tokio\"\nversion = \"1.18.3\"\nsource = \
                    \"registry+https://github.com/rust-lang/crates.io-index\"\n";
        let found = judge(&database, &text.parse().unwrap(), &[]);
        let hit = found
            .faults
            .iter()
            .any(|it| it.starts_with("RUSTSEC-2023-0001"));
        assert!(hit, "{:?}", found.faults);
        for advisory in &kept.advisories {
            assert!(kept.packages.contains(&advisory.about.package));
            assert!(advisory.about.date <= kept.seen_until);
        }
    }

    #[test]
    fn a_folder_that_is_no_database_is_an_error() {
        assert!(Report::read(Path::new("no/such/folder")).is_err());
    }
}
