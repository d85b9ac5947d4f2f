//! Copies of the embedded database: backups and restored databases.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;

use crate::files::{FileId, INDEX, LOG, beside};
use crate::lock::LockFile;
use crate::{Check, Place, Store, StoreError, files, on_sqlite};

/// The treatment of a file that is in the way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InTheWay {
    /// Refuse, and change nothing.
    Refuse,
    /// Replace it. A backup overwrites the old backup. A restored database replaces the old one,
    /// which is kept under its name with this suffix.
    Replace {
        /// The suffix for the name of the old database.
        suffix: String,
    },
}

/// Copies the database file `from`, as of one instant, to the file `to`: complete and checked, or
/// not at all. A process may write to `from` meanwhile and is not held up.
pub fn back_up(from: &Path, to: &Path, in_the_way: &InTheWay) -> Result<Vec<Check>, CopyFault> {
    if same(from, to)? || exists(&beside(to, LOG))? {
        return Err(CopyFault::Live { path: to.into() });
    }
    if *in_the_way == InTheWay::Refuse && exists(to)? {
        return Err(CopyFault::Present { path: to.into() });
    }
    let staged = Staged::copy(from, to, on_sqlite::Source::Shared)?;
    let checks = staged.check()?;
    staged.put(to)?;
    Ok(checks)
}

/// A restored database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Restored {
    /// The checks that it passed.
    pub checks: Vec<Check>,
    /// The path under which the previous database was kept, if there was one.
    pub kept: Option<PathBuf>,
}

/// Replaces the database at `database` with the backup `from`. The backup is copied and checked
/// before anything is changed. Fails while a server uses the database.
pub fn restore(from: &Path, database: &Path, in_the_way: &InTheWay) -> Result<Restored, CopyFault> {
    if !exists(from)? {
        return Err(CopyFault::file(from, io::ErrorKind::NotFound.into()));
    }
    if same(from, database)? {
        return Err(CopyFault::Live { path: from.into() });
    }
    if let Some(folder) = database.parent() {
        fs::create_dir_all(folder).map_err(|error| CopyFault::file(folder, error))?;
    }
    is_free(database, in_the_way)?;
    let staged = Staged::copy(from, database, on_sqlite::Source::Kept)?;
    let checks = staged.check()?;
    let _lock = LockFile::take(database)?;
    // Check again: a server may have created one meanwhile.
    let free = is_free(database, in_the_way)?;
    let kept = match in_the_way {
        InTheWay::Replace { suffix } if !free => Some(set_aside(database, suffix)?),
        _ => None,
    };
    staged.put(database)?;
    Ok(Restored { checks, kept })
}

/// True if there is no database. Fails if there is one that must not be replaced.
fn is_free(database: &Path, in_the_way: &InTheWay) -> Result<bool, CopyFault> {
    let free = !exists(database)? && !exists(&beside(database, LOG))?;
    if !free && *in_the_way == InTheWay::Refuse {
        return Err(CopyFault::Present {
            path: database.into(),
        });
    }
    Ok(free)
}

/// Saves everything that a connection sees next to its database, once per process: its files were
/// moved, and this process may be the only one that still has them. The copy is not checked;
/// [`restore`] does that. Returns the path of the copy.
pub(crate) fn rescue(from: &Connection, database: &Path) -> Result<PathBuf, CopyFault> {
    static SAVED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut saved = SAVED.lock().unwrap_or_else(PoisonError::into_inner);
    let target = beside(database, &format!(".rescued-{}", std::process::id()));
    if !saved.contains(&target) {
        let staged = Staged::create(&target)?;
        on_sqlite::copy(from, &staged.path)?;
        staged.put(&target)?;
        saved.insert(target.clone());
    }
    Ok(target)
}

/// Renames a database together with its log, which holds a part of it. The index is rebuilt from
/// the log.
fn set_aside(database: &Path, suffix: &str) -> Result<PathBuf, CopyFault> {
    let kept = beside(database, suffix);
    for ending in ["", LOG] {
        let (old, new) = (beside(database, ending), beside(&kept, ending));
        if exists(&old)? {
            fs::rename(&old, &new).map_err(|error| CopyFault::file(&old, error))?;
        }
    }
    remove(&beside(database, INDEX))?;
    Ok(kept)
}

/// A copy under a temporary name, deleted unless it is put in its place.
struct Staged {
    path: PathBuf,
}

impl Staged {
    fn copy(from: &Path, target: &Path, source: on_sqlite::Source) -> Result<Staged, CopyFault> {
        let staged = Staged::create(target)?;
        let from = on_sqlite::open_source(from, source)?;
        on_sqlite::copy(&from, &staged.path)?;
        Ok(staged)
    }

    fn create(target: &Path) -> Result<Staged, CopyFault> {
        let staged = Staged {
            path: beside(target, &format!(".new-{}", std::process::id())),
        };
        staged.clear()?;
        files::create_private(&staged.path)
            .map_err(|error| CopyFault::file(&staged.path, error))?;
        Ok(staged)
    }

    fn check(&self) -> Result<Vec<Check>, CopyFault> {
        let checks = Store::open_reader(&Place::Sqlite(self.path.clone()))?.inspect();
        if checks.iter().all(|check| check.verdict.is_ok()) {
            return Ok(checks);
        }
        let faults = checks.into_iter().filter_map(|it| it.verdict.err());
        Err(CopyFault::Unsound {
            faults: faults.collect(),
        })
    }

    /// Nobody has the copy open, so it may be opened here.
    fn put(&self, target: &Path) -> Result<(), CopyFault> {
        let synced = File::open(&self.path).and_then(|file| file.sync_all());
        synced.map_err(|error| CopyFault::file(&self.path, error))?;
        fs::rename(&self.path, target).map_err(|error| CopyFault::file(target, error))?;
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        synced.map_err(|error| CopyFault::file(folder, error))
    }

    fn clear(&self) -> Result<(), CopyFault> {
        [LOG, INDEX, "-journal", ""]
            .iter()
            .try_for_each(|ending| remove(&beside(&self.path, ending)))
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // If this fails, the next attempt under the same name deletes it.
        self.clear().ok();
    }
}

fn exists(path: &Path) -> Result<bool, CopyFault> {
    path.try_exists()
        .map_err(|error| CopyFault::file(path, error))
}

fn same(one: &Path, other: &Path) -> Result<bool, CopyFault> {
    let id = |path: &Path| FileId::at(path).map_err(|error| CopyFault::file(path, error));
    let (one, other) = (id(one)?, id(other)?);
    Ok(one.is_some() && one == other)
}

fn remove(path: &Path) -> Result<(), CopyFault> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(CopyFault::file(path, error)),
        _ => Ok(()),
    }
}

/// The reason why a database was not copied. Nothing was changed.
#[derive(Debug)]
pub enum CopyFault {
    /// A file is in the way.
    Present {
        /// The path of the file.
        path: PathBuf,
    },
    /// The copy would overwrite the database itself, or another one in use.
    Live {
        /// The path of that database.
        path: PathBuf,
    },
    /// The copy failed its checks.
    Unsound {
        /// The faults that were found.
        faults: Vec<String>,
    },
    /// A file cannot be read, written or renamed.
    File {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The database cannot be read or written.
    Store(StoreError),
}

impl CopyFault {
    fn file(path: &Path, error: io::Error) -> CopyFault {
        CopyFault::File {
            path: path.into(),
            error,
        }
    }
}

impl From<StoreError> for CopyFault {
    fn from(error: StoreError) -> CopyFault {
        CopyFault::Store(error)
    }
}

impl fmt::Display for CopyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CopyFault::Present { path } => {
                write!(f, "{} already exists; nothing was changed", path.display())
            }
            CopyFault::Live { path } => write!(
                f,
                "{} is a database in use; choose another file for the copy",
                path.display()
            ),
            CopyFault::Unsound { faults } => write!(
                f,
                "the copy failed its checks and was discarded: {}",
                faults.join("; ")
            ),
            CopyFault::File { path, error } => write!(f, "{}: {error}", path.display()),
            CopyFault::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CopyFault {}
