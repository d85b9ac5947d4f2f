//! What can go wrong with storage.

use std::fmt;

/// Why nothing was stored, or read. A transaction that ends in one left nothing behind,
/// except where [`StoreError::Unavailable`] says that its outcome is unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoreError {
    /// The database cannot be reached, also not after several tries.
    Unavailable {
        /// What was tried, and what came of it.
        message: String,
    },
    /// The database is held by another connection for too long.
    Busy {
        /// What the database said.
        message: String,
    },
    /// There is no room left on the disk.
    Full,
    /// Reading or writing the disk failed. What is on it is known only after a restart.
    Disk {
        /// What the database said.
        message: String,
    },
    /// What is stored cannot be right.
    Corrupt {
        /// What, and where.
        message: String,
    },
    /// Another process has claimed the store, or has written what this one was about to.
    Fenced,
    /// The store was opened, but not claimed.
    NotClaimed,
    /// The schema is of a newer program.
    Newer {
        /// The version that is there.
        found: u64,
        /// The newest that this program knows.
        known: u64,
    },
    /// The schema is of an older program, and a reader does not change it.
    Older {
        /// The version that is there.
        found: u64,
        /// The one that this program needs.
        known: u64,
    },
    /// Another process has the database file.
    InUse {
        /// Its process id, if it has written it down.
        pid: Option<u32>,
        /// The file that it holds locked.
        lock: String,
    },
    /// A file of the database was deleted, renamed or replaced while it was open: what is
    /// written to the open one is lost when the process ends.
    Moved {
        /// The path that no longer names the open file.
        path: String,
        /// What is there now.
        found: MovedFile,
        /// Where everything that was committed has been saved, if that was possible.
        saved: Option<String>,
    },
    /// The same key was used for something else before.
    Conflict {
        /// The key.
        key: String,
        /// What is stored under it.
        stored: String,
        /// What was to be stored.
        asked: String,
    },
    /// The program itself broke down while it wrote.
    Broken {
        /// What it said.
        message: String,
    },
    /// The database refused a statement: the caller broke a rule of the schema.
    Rejected {
        /// Which.
        message: String,
    },
}

/// What is at the path of a file that was moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MovedFile {
    /// Nothing.
    Nothing,
    /// Another file.
    Another,
}

impl StoreError {
    /// Whether the process must stop. Going on could break a promise, or cannot help: a
    /// restart reads back what is durable. Other errors may pass.
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

    /// Whether doing the same again soon may work.
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
                "the database cannot be reached: {message}; see that it runs, then do the same again"
            ),
            StoreError::Busy { message } => {
                write!(f, "the database is busy: {message}; do the same again")
            }
            StoreError::Full => f.write_str(
                "the disk of the database is full and nothing was stored; make room, then do the same again",
            ),
            StoreError::Disk { message } => write!(
                f,
                "the disk of the database failed: {message}; stop, check the disk and start again"
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
                "the database has schema {found}, but this program knows only up to {known}; use the newer program"
            ),
            StoreError::Older { found, known } => write!(
                f,
                "the database has schema {found}, but this program needs {known}; start the server once, which brings it up to date"
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
                        "; all that was committed is in {saved}: restore it with `referee restore`"
                    ),
                    None => f.write_str("; put it back, or restore a backup with `referee restore`"),
                }
            }
            StoreError::Conflict { key, stored, asked } => write!(
                f,
                "{key} is stored already as {stored}, and cannot become {asked}"
            ),
            StoreError::Broken { message } => write!(
                f,
                "what writes to the database broke down: {message}; start again, nothing acknowledged is lost"
            ),
            StoreError::Rejected { message } => {
                write!(f, "the database refused a statement: {message}")
            }
        }
    }
}

impl std::error::Error for StoreError {}
