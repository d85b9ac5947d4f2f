//! Finds the process that uses a database file, from what the system knows. No file of the database
//! is opened for it.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::files::{FileId, INDEX, LOG, beside};
use crate::{Check, lock};

/// The permission bits of everybody but the owner.
const OTHERS: u32 = 0o077;

/// Checks the locks and the files of a database, while a server may be running on it.
pub fn inspect_files(database: &Path) -> Vec<Check> {
    let locks = fs::read_to_string("/proc/locks").map(|text| read_locks(&text));
    let server = match &locks {
        Ok(locks) => server(database, locks),
        Err(_) => None,
    };
    let lock = match &locks {
        Ok(locks) => check_locks(database, locks, server),
        Err(_) => Ok("not checked: this system has no /proc/locks".to_owned()),
    };
    let files = check_files(database, server);
    vec![
        Check {
            subject: "lock",
            verdict: lock,
        },
        Check {
            subject: "files",
            verdict: files,
        },
    ]
}

/// One line of `/proc/locks`. The device is left out, because some file systems report a different
/// one to `stat`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Lock {
    kind: LockKind,
    pid: u32,
    inode: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LockKind {
    /// A lock of a process, which SQLite uses.
    Posix,
    /// A lock of an open file, which the lock file uses.
    Flock,
}

fn read_locks(text: &str) -> Vec<Lock> {
    text.lines().filter_map(read_lock).collect()
}

/// `1: POSIX  ADVISORY  READ 4711 fe:00:5390985 1073741826 1073742335`
fn read_lock(line: &str) -> Option<Lock> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [_, kind, _, _, pid, file, ..] = words[..] else {
        return None;
    };
    let kind = match kind {
        "POSIX" => LockKind::Posix,
        "FLOCK" => LockKind::Flock,
        _ => return None,
    };
    Some(Lock {
        kind,
        pid: pid.parse().ok()?,
        inode: file.rsplit(':').next()?.parse().ok()?,
    })
}

fn inode(path: &Path) -> Option<u64> {
    FileId::at(path).ok().flatten().map(|id| id.inode)
}

fn server(database: &Path, locks: &[Lock]) -> Option<u32> {
    let inode = inode(&lock::path(database))?;
    let held = locks
        .iter()
        .find(|it| it.kind == LockKind::Flock && it.inode == inode);
    held.map(|it| it.pid)
}

fn check_locks(database: &Path, locks: &[Lock], server: Option<u32>) -> Result<String, String> {
    let Some(pid) = server else {
        return Ok("no server uses this database".to_owned());
    };
    for path in [database.to_owned(), beside(database, INDEX)] {
        let locked = inode(&path).is_some_and(|inode| {
            locks.contains(&Lock {
                kind: LockKind::Posix,
                pid,
                inode,
            })
        });
        if !locked {
            return Err(format!(
                "process {pid} uses this database but has no lock on {}, so other programs may delete its log; restart it",
                path.display()
            ));
        }
    }
    Ok(format!(
        "process {pid} uses this database and holds its locks"
    ))
}

fn check_files(database: &Path, server: Option<u32>) -> Result<String, String> {
    let metadata = fs::metadata(database).map_err(|error| {
        format!(
            "{}: {error}; put the database back, or restore a backup",
            database.display()
        )
    })?;
    if metadata.mode() & OTHERS != 0 {
        return Err(format!(
            "{} holds secrets but has mode {:o}; run chmod 600 on it",
            database.display(),
            metadata.mode() & 0o777
        ));
    }
    let Some(pid) = server else {
        return Ok("only its owner can read the database".to_owned());
    };
    let Some(open) = open_files(pid) else {
        return Ok(format!(
            "not compared with the files that process {pid} has open: run this as the same user"
        ));
    };
    let paths: [PathBuf; 3] = [
        database.to_owned(),
        beside(database, LOG),
        beside(database, INDEX),
    ];
    for path in paths {
        if !inode(&path).is_some_and(|inode| open.contains(&inode)) {
            return Err(format!(
                "{} is not the file that process {pid} has open: it was replaced or deleted; stop the server and restore a backup",
                path.display()
            ));
        }
    }
    Ok(format!(
        "the database, its log and its index are the files that process {pid} has open"
    ))
}

/// The inode numbers of the files that a process has open; `None` if they cannot be read.
fn open_files(pid: u32) -> Option<BTreeSet<u64>> {
    let links = fs::read_dir(format!("/proc/{pid}/fd")).ok()?;
    let ids = links.flatten().filter_map(|link| inode(&link.path()));
    Some(ids.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lock_lines_are_parsed_and_others_ignored() {
        let text = "1: FLOCK  ADVISORY  WRITE 19899 fe:00:5390985 0 EOF\n\
                    2: POSIX  ADVISORY  READ 77 08:01:12 1073741826 1073742335\n\
                    2: -> POSIX  ADVISORY  WRITE 78 08:01:12 0 EOF\n\
                    3: OFDLCK ADVISORY  READ -1 08:01:13 0 EOF\n\
                    nonsense\n";
        let lock = |kind, pid, inode| Lock { kind, pid, inode };
        assert_eq!(
            read_locks(text),
            [
                lock(LockKind::Flock, 19_899, 5_390_985),
                lock(LockKind::Posix, 77, 12)
            ]
        );
    }

    #[test]
    fn a_server_without_its_locks_is_found() {
        let folder = std::env::temp_dir().join(format!("referee_locks_{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let database = folder.join("referee.sqlite");
        for path in [&database, &beside(&database, INDEX)] {
            fs::write(path, "").unwrap();
        }
        let posix = |path: &Path| Lock {
            kind: LockKind::Posix,
            pid: 7,
            inode: inode(path).unwrap(),
        };
        let both = [posix(&database), posix(&beside(&database, INDEX))];
        assert!(check_locks(&database, &both, Some(7)).is_ok());
        assert!(check_locks(&database, &both[1..], Some(7)).is_err());
        assert!(check_locks(&database, &both[..1], Some(7)).is_err());
        assert!(check_locks(&database, &both, Some(8)).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
