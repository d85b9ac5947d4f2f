//! A folder that becomes a dataset at the very end, or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::Fault;

/// The file that makes a folder a dataset.
const MANIFEST: &str = "dataset.json";
/// What a file's name ends in until all are written.
const PART: &str = "part";

/// A folder in which files have other names until all of them are there. Dropped before
/// that, it takes along what it wrote.
pub(crate) struct Folder {
    dir: PathBuf,
    was_made: bool,
    names: Vec<String>,
    is_whole: bool,
}

impl Folder {
    /// Makes the folder, or takes one that is empty.
    pub(crate) fn create(dir: &Path) -> Result<Folder, Fault> {
        let was_made = !dir.exists();
        fs::create_dir_all(dir).map_err(|error| Fault::file(dir, error))?;
        let first = first_entry(dir).map_err(|error| Fault::file(dir, error))?;
        if let Some(name) = first {
            let message = format!("holds {name:?} already: choose another folder, or empty it");
            return Err(Fault::file(dir, message));
        }
        Ok(Folder {
            dir: dir.to_owned(),
            was_made,
            names: Vec::new(),
            is_whole: false,
        })
    }

    /// Writes a file under a name that nobody takes for a whole one.
    pub(crate) fn write(&mut self, name: String, bytes: &[u8]) -> Result<(), Fault> {
        let part = self.part(&name);
        let made = OpenOptions::new().write(true).create_new(true).open(&part);
        let mut file = made.map_err(|error| Fault::file(&part, error))?;
        self.names.push(name);
        let written = file.write_all(bytes).and_then(|()| file.sync_all());
        written.map_err(|error| Fault::file(&part, error))
    }

    /// Gives all files their names, the manifest last.
    pub(crate) fn finish(mut self, manifest: &str) -> Result<(), Fault> {
        self.write(MANIFEST.to_owned(), manifest.as_bytes())?;
        for name in &self.names {
            let (part, whole) = (self.part(name), self.dir.join(name));
            let renamed = fs::rename(&part, &whole).and_then(|()| sync(&self.dir));
            renamed.map_err(|error| Fault::file(&whole, error))?;
        }
        self.is_whole = true;
        Ok(())
    }

    fn part(&self, name: &str) -> PathBuf {
        self.dir.join(format!("{name}.{PART}"))
    }
}

impl Drop for Folder {
    /// What cannot be removed keeps a name that no reader looks for.
    fn drop(&mut self) {
        if self.is_whole {
            return;
        }
        for name in self.names.iter().rev() {
            fs::remove_file(self.dir.join(name)).ok();
            fs::remove_file(self.part(name)).ok();
        }
        if self.was_made {
            fs::remove_dir(&self.dir).ok();
        }
    }
}

fn first_entry(dir: &Path) -> io::Result<Option<String>> {
    let entry = dir.read_dir()?.next().transpose()?;
    Ok(entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
}

/// Makes the names in a folder survive a loss of power.
fn sync(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}
