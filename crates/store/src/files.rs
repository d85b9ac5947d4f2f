//! The files of the embedded database: created, looked at, and never opened here.
//!
//! A process that closes any descriptor of a file loses all its POSIX locks on that file, and
//! SQLite's locks are such. A database without them is fair game: the next program that opens
//! and closes it takes itself for the last one and deletes the log, with everything in it. So
//! SQLite alone opens these files, and everything else asks the file system about them.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::error::MovedFile;
use crate::{StoreError, lock};

/// What SQLite appends to the path of a database for its log and for the log's index.
pub(crate) const LOG: &str = "-wal";
pub(crate) const INDEX: &str = "-shm";

/// The path with something appended to its last part.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Which file a path names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileId {
    pub(crate) device: u64,
    pub(crate) inode: u64,
}

impl FileId {
    /// The file at a path, or `None` where there is none. The file is not opened.
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
    /// The database at a path with its log and index, all of which are open by now.
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

    /// Removes the open log and its index from beside another database: their content would be
    /// taken for a part of it.
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
            // What cannot be removed is a finding of the next start.
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

/// Makes an empty database file that only its owner can read, and its folder, where there is
/// none. A file that is there is left alone. A database that has gone missing is refused: an
/// empty one in its place would hide the loss.
pub(crate) fn create(database: &Path) -> Result<(), StoreError> {
    /// Held while the new file is open here, so that no other thread's connection has it too.
    static CREATING: Mutex<()> = Mutex::new(());
    let _creating = CREATING.lock().unwrap_or_else(PoisonError::into_inner);
    let failed = |error: std::io::Error| unavailable(database, &error);
    if database.try_exists().map_err(failed)? {
        return Ok(());
    }
    for trace in [beside(database, LOG), lock::path(database)] {
        if trace.try_exists().map_err(failed)? {
            return Err(StoreError::corrupt(format!(
                "{} is missing, but {} shows that there was one (to begin with an empty database, delete that file)",
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

/// Makes an empty file that only its owner can read; one that another process has just made
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
