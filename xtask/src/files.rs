//! The project's files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::step::{capture, command};

/// Folders that hold nothing of the project's own.
const FOREIGN: &[&str] = &[".git", "target", "node_modules", "corpus", "artifacts"];

/// The files under version control; without a repository, all files outside build folders.
pub(crate) fn tracked() -> Result<Vec<PathBuf>> {
    let listing = capture(command("git", &["ls-files", "-z"]));
    match listing {
        Ok(listing) if listing.ok => Ok(listing
            .text
            .split_terminator('\0')
            .map(PathBuf::from)
            .filter(|path| path.is_file())
            .collect()),
        _ => under(Path::new("")),
    }
}

/// All files below a folder in a fixed order, without build folders; none when it does not exist.
pub(crate) fn under(folder: &Path) -> Result<Vec<PathBuf>> {
    let start = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    if !start.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    let entries =
        fs::read_dir(start).with_context(|| format!("cannot list {}", start.display()))?;
    for entry in entries {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if !entry.file_type()?.is_dir() {
            files.push(path);
        } else if !FOREIGN.iter().any(|name| entry.file_name() == *name) {
            files.extend(under(&path)?);
        }
    }
    files.sort();
    Ok(files)
}
