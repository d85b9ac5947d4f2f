//! A folder that becomes a dataset at the very end, or not at all.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::Fault;

/// The file whose presence makes a folder a dataset.
const MANIFEST: &str = "dataset.json";
/// The suffix of file names until all files are written.
const PART: &str = "part";

/// A folder whose files have temporary names until all of them are written. Dropping it earlier
/// removes the files it wrote.
pub(crate) struct Folder {
    dir: PathBuf,
    /// Excludes other runs while this one writes.
    _lock: File,
    was_made: bool,
    names: Vec<String>,
    is_whole: bool,
}

impl Folder {
    /// Creates the folder, or opens one that is empty or holds only the files of an interrupted
    /// run, which are removed.
    pub(crate) fn create(dir: &Path) -> Result<Folder, Fault> {
        let was_made = !dir.exists();
        fs::create_dir_all(dir).map_err(|error| Fault::file(dir, error))?;
        let lock = File::open(dir).map_err(|error| Fault::file(dir, error))?;
        if let Err(refused) = lock.try_lock() {
            let message = match refused {
                TryLockError::WouldBlock => "is being written by another run".to_owned(),
                TryLockError::Error(error) => error.to_string(),
            };
            return Err(Fault::file(dir, message));
        }
        let names = entries(dir).map_err(|error| Fault::file(dir, error))?;
        let is_part = |name: &&PathBuf| name.extension().is_some_and(|it| it == PART);
        if let Some(name) = names.iter().find(|name| !is_part(name)) {
            let message = format!("already holds {name:?}: choose another folder, or empty it");
            return Err(Fault::file(dir, message));
        }
        for name in names {
            let part = dir.join(name);
            fs::remove_file(&part).map_err(|error| Fault::file(&part, error))?;
        }
        Ok(Folder {
            dir: dir.to_owned(),
            _lock: lock,
            was_made,
            names: Vec::new(),
            is_whole: false,
        })
    }

    /// Writes a file under a temporary name, which no reader accepts.
    pub(crate) fn write(&mut self, name: String, bytes: &[u8]) -> Result<(), Fault> {
        let part = self.part(&name);
        let made = OpenOptions::new().write(true).create_new(true).open(&part);
        let mut file = made.map_err(|error| Fault::file(&part, error))?;
        self.names.push(name);
        let written = file.write_all(bytes).and_then(|()| file.sync_all());
        written.map_err(|error| Fault::file(&part, error))
    }

    /// Renames all files to their final names, the manifest last.
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
    /// A file that cannot be removed keeps its temporary name, which no reader looks for.
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

/// The entries of a folder, sorted.
fn entries(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let names = dir.read_dir()?.map(|entry| Ok(entry?.file_name().into()));
    let mut names: Vec<PathBuf> = names.collect::<io::Result<_>>()?;
    names.sort();
    Ok(names)
}

/// Makes the entries of a folder survive a power loss.
fn sync(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_an_interrupted_run_do_not_block_the_next() {
        let scratch = tempfile::tempdir().unwrap();
        let dir = scratch.path().join("out");
        let mut cut_off = Folder::create(&dir).unwrap();
        cut_off.write("shard.npz".to_owned(), b"half").unwrap();
        let Err(refused) = Folder::create(&dir) else {
            panic!("two runs wrote into one folder")
        };
        assert!(refused.to_string().contains("another run"), "{refused}");
        // A killed run removes nothing; its lock ends with it.
        cut_off.names.clear();
        cut_off.was_made = false;
        drop(cut_off);
        let mut again = Folder::create(&dir).unwrap();
        again.write("shard.npz".to_owned(), b"whole").unwrap();
        again.finish("{}").unwrap();
        assert_eq!(fs::read(dir.join("shard.npz")).unwrap(), b"whole");
        let Err(refused) = Folder::create(&dir) else {
            panic!("a dataset was overwritten")
        };
        assert!(refused.to_string().contains("dataset.json"), "{refused}");
    }
}
