//! Matches gathered into shards, in order.

use std::thread;

use envelope::{ArrayFault, FILE_BYTES_MAX, write_arrays};
use kernel::json::Hash;

use crate::folder::Folder;
use crate::rows::Rows;
use crate::{Fault, Options, ShardEntry};

/// A shard is closed early at this size, so that memory stays bounded when observations are wide.
const SHARD_BYTES: usize = 256 << 20;
/// A larger match is refused, because it fits into no shard.
const EPISODE_BYTES_MAX: usize = FILE_BYTES_MAX as usize - SHARD_BYTES;

/// Gathers matches into shards. Full shards wait until there is one for every thread and are then
/// packed in parallel.
pub(crate) struct Shards {
    folder: Folder,
    shard_rows: usize,
    n_threads: usize,
    open: Rows,
    full: Vec<Shard>,
    entries: Vec<ShardEntry>,
    n_episodes: u64,
    first_episode: u64,
}

struct Shard {
    rows: Rows,
    n_episodes: u64,
    first_episode: u64,
}

impl Shards {
    pub(crate) fn new(folder: Folder, options: &Options, rows: Rows) -> Shards {
        Shards {
            folder,
            shard_rows: options.shard_rows,
            n_threads: options.n_threads,
            open: rows,
            full: Vec::new(),
            entries: Vec::new(),
            n_episodes: 0,
            first_episode: 0,
        }
    }

    /// Adds the next match.
    pub(crate) fn push(&mut self, mut episode: Rows) -> Result<(), Fault> {
        let n_bytes = episode.n_bytes();
        if n_bytes > EPISODE_BYTES_MAX {
            let idx = self.n_episodes;
            let message = format!(
                "match {idx} has {n_bytes} bytes of rows, a shard holds at most {EPISODE_BYTES_MAX}"
            );
            return Err(Fault::Options(vec![message]));
        }
        self.open.append(&mut episode, self.n_episodes as i64);
        self.n_episodes += 1;
        if self.open.len() >= self.shard_rows || self.open.n_bytes() >= SHARD_BYTES {
            self.close();
        }
        match self.full.len() < self.n_threads {
            true => Ok(()),
            false => self.write_full(),
        }
    }

    /// Writes the remaining shards and returns the folder and its entries.
    pub(crate) fn finish(mut self) -> Result<(Folder, Vec<ShardEntry>), Fault> {
        if self.n_episodes > self.first_episode {
            self.close();
        }
        self.write_full()?;
        Ok((self.folder, self.entries))
    }

    fn close(&mut self) {
        let next = self.open.fresh();
        self.full.push(Shard {
            rows: std::mem::replace(&mut self.open, next),
            n_episodes: self.n_episodes - self.first_episode,
            first_episode: self.first_episode,
        });
        self.first_episode = self.n_episodes;
    }

    fn write_full(&mut self) -> Result<(), Fault> {
        let full = std::mem::take(&mut self.full);
        for (shard, packed) in full.iter().zip(pack(&full)) {
            let bytes = packed.map_err(|fault| Fault::Options(vec![fault.to_string()]))?;
            let file = format!("shard-{:05}.npz", self.entries.len());
            self.folder.write(file.clone(), &bytes)?;
            self.entries.push(ShardEntry {
                file,
                n_rows: shard.rows.len() as u64,
                n_episodes: shard.n_episodes,
                first_episode: shard.first_episode,
                n_bytes: bytes.len() as u64,
                sha256: Hash::of_bytes(&bytes),
            });
        }
        Ok(())
    }
}

/// Packs shards in parallel, the first one on the current thread.
fn pack(shards: &[Shard]) -> Vec<Result<Vec<u8>, ArrayFault>> {
    let pack = |shard: &Shard| write_arrays(&shard.rows.arrays());
    let Some((first, rest)) = shards.split_first() else {
        return Vec::new();
    };
    thread::scope(|scope| {
        let others: Vec<_> = rest
            .iter()
            .map(|it| scope.spawn(move || pack(it)))
            .collect();
        let mut packed = vec![pack(first)];
        for other in others {
            match other.join() {
                Ok(bytes) => packed.push(bytes),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        packed
    })
}
