//! Keeps the log of the program that a failed test ran.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;

/// A program's log file. If the test fails, dropping this copies the log to
/// `target/test-failures/TEST/`.
pub(crate) struct Log {
    file: PathBuf,
}

impl Log {
    /// A log in this folder. Programs that run one after another may share it.
    pub(crate) fn at(folder: &Path) -> Log {
        Log {
            file: folder.join("server.log"),
        }
    }

    /// Appends the standard error of the next program to the log.
    pub(crate) fn stderr(&self) -> io::Result<Stdio> {
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        let open = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.file)?;
        Ok(Stdio::from(open))
    }

    #[allow(dead_code, reason = "not every test reads the log")]
    pub(crate) fn read(&self) -> io::Result<String> {
        fs::read_to_string(&self.file)
    }
}

impl Drop for Log {
    #[allow(clippy::print_stderr, reason = "a failed test prints where its log is")]
    fn drop(&mut self) {
        if !thread::panicking() {
            return;
        }
        let folder = folder(thread::current().name().unwrap_or("unnamed"));
        let copied = fs::create_dir_all(&folder)
            .and_then(|()| fs::copy(&self.file, folder.join("server.log")));
        match copied {
            Ok(_) => eprintln!("evidence: {}", folder.display()),
            Err(error) => eprintln!("no evidence in {}: {error}", folder.display()),
        }
    }
}

/// The folder that keeps the log of a failed test.
pub(crate) fn folder(test: &str) -> PathBuf {
    let name: String = test
        .chars()
        .map(|it| if it.is_alphanumeric() { it } else { '-' })
        .collect();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    let target = target.unwrap_or(Path::new("target"));
    target.join("test-failures").join(name)
}
