//! The files a failed test leaves in `target/test-failures/TEST/`: the log of its server and the
//! messages its players received.

use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::{fs, io, thread};

/// Every message that a player received, as it arrived.
#[derive(Debug)]
pub(crate) struct Transcript {
    account_id: String,
    frames: Vec<String>,
}

impl Transcript {
    pub(crate) fn by(account_id: &str) -> Transcript {
        Transcript {
            account_id: account_id.to_owned(),
            frames: Vec::new(),
        }
    }
}

impl Deref for Transcript {
    type Target = Vec<String>;

    fn deref(&self) -> &Vec<String> {
        &self.frames
    }
}

impl DerefMut for Transcript {
    fn deref_mut(&mut self) -> &mut Vec<String> {
        &mut self.frames
    }
}

impl<'a> IntoIterator for &'a Transcript {
    type Item = &'a String;
    type IntoIter = std::slice::Iter<'a, String>;

    fn into_iter(self) -> Self::IntoIter {
        self.frames.iter()
    }
}

impl Drop for Transcript {
    fn drop(&mut self) {
        let file = format!("player-{}.frames.jsonl", self.account_id);
        keep_if_failed(&file, || self.frames.join("\n"));
    }
}

/// Saves a file if the current test has failed.
#[allow(
    clippy::print_stderr,
    reason = "a failed test reports where its files are"
)]
pub(crate) fn keep_if_failed(file: &str, content: impl FnOnce() -> String) {
    if !thread::panicking() {
        return;
    }
    let folder = folder(thread::current().name().unwrap_or("unnamed"));
    let write = || -> io::Result<()> {
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(file), content())
    };
    match write() {
        Ok(()) => eprintln!("evidence: {}", folder.join(file).display()),
        Err(error) => eprintln!("cannot save evidence in {}: {error}", folder.display()),
    }
}

/// The folder for the files of a test.
pub(crate) fn folder(test: &str) -> PathBuf {
    let letter = |it: char| if it.is_alphanumeric() { it } else { '-' };
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    let target = target.unwrap_or(Path::new("target"));
    target
        .join("test-failures")
        .join(test.chars().map(letter).collect::<String>())
}
