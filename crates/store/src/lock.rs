//! The lock file, which says which process holds the database file.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::StoreError;
use crate::files::beside;

/// Held while this process writes; the system releases it when the process ends for any reason. It
/// is a lock on the open file (`flock`), so other descriptors do not affect it.
pub(crate) struct LockFile {
    _file: File,
}

impl LockFile {
    /// Locks the file next to the database, or reports the process that holds it.
    pub(crate) fn take(database: &Path) -> Result<LockFile, StoreError> {
        let path = path(database);
        let unavailable = |error: std::io::Error| StoreError::Unavailable {
            message: format!("{}: {error}", path.display()),
        };
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).read(true).write(true);
        let mut file = options.open(&path).map_err(unavailable)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::InUse {
                    pid: pid(&mut file),
                    lock: path.display().to_string(),
                });
            }
            Err(TryLockError::Error(error)) => return Err(unavailable(error)),
        }
        sign(&mut file).map_err(unavailable)?;
        Ok(LockFile { _file: file })
    }
}

/// The path of the lock file of a database.
pub(crate) fn path(database: &Path) -> PathBuf {
    beside(database, ".lock")
}

fn sign(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}

fn pid(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(32).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
