//! The files of the embedded database: created and inspected here, but never opened.
//!
//! A process that closes any descriptor of a file loses all its POSIX locks on that file, and
//! SQLite uses such locks. Without them the database is unprotected: the next program that opens
//! and closes it believes that it is the last one and deletes the log, with everything in it. So
//! only SQLite opens these files, and everything else asks the file system about them.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::error::MovedFile;
use crate::{StoreError, lock};

/// The suffix that SQLite appends to a database's path for its log.
pub(crate) const LOG: &str = "-wal";
pub(crate) const INDEX: &str = "-shm";

/// The path with a suffix appended to its last part.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// The identity of the file that a path names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileId {
    pub(crate) device: u64,
    pub(crate) inode: u64,
}

impl FileId {
    /// The file at a path, or `None` if there is none. The file is not opened.
    pub(crate) fn at(path: &Path) -> std::io::Result<Option<FileId>> {
        match std::fs::metadata(path) {
            Ok(metadata) => Ok(Some(FileId {
                device: metadata.dev(),
                inode: metadata.ino(),
            })),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// The files that a connection has open.
pub(crate) struct Files([(PathBuf, FileId); 3]);

impl Files {
    /// The database at a path with its log and index, all of which must be open by now.
    pub(crate) fn of(database: &Path) -> Result<Files, StoreError> {
        let open = |path: PathBuf| match FileId::at(&path) {
            Ok(Some(id)) => Ok((path, id)),
            Ok(None) => Err(moved(&path, MovedFile::Nothing)),
            Err(error) => Err(unavailable(&path, &error)),
        };
        Ok(Files([
            open(database.to_owned())?,
            open(beside(database, LOG))?,
            open(beside(database, INDEX))?,
        ]))
    }

    /// Fails once one of the paths no longer names the file that is open.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        self.0.iter().try_for_each(check)
    }

    /// Removes the open log and its index from next to another database, which would take their
    /// content for its own.
    pub(crate) fn clear_stale_log(&self) {
        let [database, log @ ..] = &self.0;
        let replaced = matches!(
            check(database),
            Err(StoreError::Moved {
                found: MovedFile::Another,
                ..
            })
        );
        for open in log.iter().filter(|open| replaced && check(open).is_ok()) {
            // If it cannot be removed, the next start reports it.
            std::fs::remove_file(&open.0).ok();
        }
    }
}

fn check((path, id): &(PathBuf, FileId)) -> Result<(), StoreError> {
    match FileId::at(path).map_err(|error| unavailable(path, &error))? {
        Some(found) if found == *id => Ok(()),
        Some(_) => Err(moved(path, MovedFile::Another)),
        None => Err(moved(path, MovedFile::Nothing)),
    }
}

/// Creates an empty database file that only its owner can read, and its folder, unless it exists. A
/// database that has gone missing is refused, because an empty one in its place would hide the
/// loss.
pub(crate) fn create(database: &Path) -> Result<(), StoreError> {
    /// Held while the new file is open here, so that no connection of another thread has it open
    /// too.
    static CREATING: Mutex<()> = Mutex::new(());
    let _creating = CREATING.lock().unwrap_or_else(PoisonError::into_inner);
    let failed = |error: std::io::Error| unavailable(database, &error);
    if database.try_exists().map_err(failed)? {
        return Ok(());
    }
    for trace in [beside(database, LOG), lock::path(database)] {
        if trace.try_exists().map_err(failed)? {
            return Err(StoreError::corrupt(format!(
                "{} is missing, but {} shows that it existed (to start with an empty database, delete that file)",
                database.display(),
                trace.display()
            )));
        }
    }
    if let Some(folder) = database.parent().filter(|it| !it.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    create_private(database).map_err(failed)
}

/// Creates an empty file that only its owner can read. A file that another process has just created
/// is left alone.
pub(crate) fn create_private(path: &Path) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

fn moved(path: &Path, found: MovedFile) -> StoreError {
    StoreError::Moved {
        path: path.display().to_string(),
        found,
        saved: None,
    }
}

fn unavailable(path: &Path, error: &std::io::Error) -> StoreError {
    StoreError::Unavailable {
        message: format!("{}: {error}", path.display()),
    }
}
