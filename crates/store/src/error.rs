//! Storage errors.

use std::fmt;

/// The reason why nothing was stored or read. A transaction that fails with one left nothing
/// behind, unless [`StoreError::Unavailable`] says that its outcome is unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoreError {
    /// The database cannot be reached, even after several attempts.
    Unavailable {
        /// The operation that was attempted, and its error.
        message: String,
    },
    /// Another connection has held the database for too long.
    Busy {
        /// The database's message.
        message: String,
    },
    /// The disk is full.
    Full,
    /// Reading or writing the disk failed. Its contents are known only after a restart.
    Disk {
        /// The database's message.
        message: String,
    },
    /// The stored data is inconsistent.
    Corrupt {
        /// A sentence that says what is wrong, and where.
        message: String,
    },
    /// Another process has claimed the store, or has already written what this one was about to
    /// write.
    Fenced,
    /// The store was opened, but not claimed.
    NotClaimed,
    /// The schema belongs to a newer program.
    Newer {
        /// The version of the schema.
        found: u64,
        /// The newest version that this program knows.
        known: u64,
    },
    /// The schema belongs to an older program, and a reader does not migrate it.
    Older {
        /// The version of the schema.
        found: u64,
        /// The version that this program needs.
        known: u64,
    },
    /// Another process holds the database file.
    InUse {
        /// Its process id, if it is known.
        pid: Option<u32>,
        /// The file that it has locked.
        lock: String,
    },
    /// A file of the database was deleted, renamed or replaced while it was open. Anything written
    /// to the open file is lost when the process ends.
    Moved {
        /// The path that no longer names the open file.
        path: String,
        /// The state of that path now.
        found: MovedFile,
        /// The file into which everything that was committed has been saved, if that was possible.
        saved: Option<String>,
    },
    /// The same key was used before for something else.
    Conflict {
        /// The key.
        key: String,
        /// The value stored under it.
        stored: String,
        /// The value that was to be stored.
        asked: String,
    },
    /// The writing thread panicked.
    Broken {
        /// The panic message.
        message: String,
    },
    /// The database refused a statement: the caller broke a constraint of the schema.
    Rejected {
        /// The database's message.
        message: String,
    },
}

/// The state of the path of a file that was moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MovedFile {
    /// The path does not exist.
    Nothing,
    /// The path names another file.
    Another,
}

impl StoreError {
    /// True if the process must stop. Continuing could break a promise, or cannot help: a restart
    /// reads back what is durable. Other errors may be temporary.
    pub fn is_fatal(&self) -> bool {
        match self {
            StoreError::Unavailable { .. } | StoreError::Busy { .. } | StoreError::Full => false,
            StoreError::Disk { .. }
            | StoreError::Corrupt { .. }
            | StoreError::Fenced
            | StoreError::NotClaimed
            | StoreError::Newer { .. }
            | StoreError::Older { .. }
            | StoreError::InUse { .. }
            | StoreError::Moved { .. }
            | StoreError::Conflict { .. }
            | StoreError::Broken { .. }
            | StoreError::Rejected { .. } => true,
        }
    }

    /// True if the same operation may succeed soon.
    pub(crate) fn may_pass(&self) -> bool {
        matches!(
            self,
            StoreError::Unavailable { .. } | StoreError::Busy { .. }
        )
    }

    pub(crate) fn corrupt(message: impl Into<String>) -> StoreError {
        let message = message.into();
        StoreError::Corrupt { message }
    }

    pub(crate) fn rejected(message: impl Into<String>) -> StoreError {
        let message = message.into();
        StoreError::Rejected { message }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Unavailable { message } => write!(
                f,
                "the database cannot be reached: {message}; check that it is running, then try again"
            ),
            StoreError::Busy { message } => {
                write!(f, "the database is busy: {message}; try again")
            }
            StoreError::Full => f.write_str(
                "the database's disk is full and nothing was stored; free some space, then try again",
            ),
            StoreError::Disk { message } => write!(
                f,
                "the database's disk failed: {message}; stop, check the disk, then restart"
            ),
            StoreError::Corrupt { message } => write!(
                f,
                "the database is damaged: {message}; stop and restore it from a backup"
            ),
            StoreError::Fenced => f.write_str(
                "another process has claimed this store; stop this one, and run only one at a time",
            ),
            StoreError::NotClaimed => {
                f.write_str("this process has not claimed the store; claim it before writing")
            }
            StoreError::Newer { found, known } => write!(
                f,
                "the database has schema {found}, but this program supports schemas up to {known}; use the newer program"
            ),
            StoreError::Older { found, known } => write!(
                f,
                "the database has schema {found}, but this program needs {known}; start the server once to migrate it"
            ),
            StoreError::InUse { pid: Some(pid), lock } => write!(
                f,
                "process {pid} uses this database ({lock} is locked); stop it first, or use another data folder"
            ),
            StoreError::InUse { pid: None, lock } => write!(
                f,
                "another process uses this database ({lock} is locked); stop it first, or use another data folder"
            ),
            StoreError::Moved { path, found, saved } => {
                let found = match found {
                    MovedFile::Nothing => "was deleted or renamed",
                    MovedFile::Another => "was replaced by another file",
                };
                write!(f, "{path} {found} while it was open")?;
                match saved {
                    Some(saved) => write!(
                        f,
                        "; everything that was committed is in {saved}: restore it with `referee restore`"
                    ),
                    None => f.write_str("; put it back, or restore a backup with `referee restore`"),
                }
            }
            StoreError::Conflict { key, stored, asked } => write!(
                f,
                "{key} is already stored as {stored} and cannot become {asked}"
            ),
            StoreError::Broken { message } => write!(
                f,
                "the thread that writes to the database panicked: {message}; restart, nothing acknowledged is lost"
            ),
            StoreError::Rejected { message } => {
                write!(f, "the database refused a statement: {message}")
            }
        }
    }
}

impl std::error::Error for StoreError {}
