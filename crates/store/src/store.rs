//! The store: one connection, its transactions, and the right to write.

use std::thread;
use std::time::Duration;

use session::Ms;

use crate::database::{Access, Database, Dialect, params};
use crate::lock::LockFile;
use crate::on_postgres::Postgres;
use crate::on_sqlite::Sqlite;
use crate::{Place, StoreError, Tx, schema};

/// The number of attempts when the database is unavailable or busy, and the backoff between them:
/// some eight seconds in all, in waits short enough to notice soon that it is back.
const TRIES_MAX: u32 = 36;
const WAIT_FIRST: Duration = Duration::from_millis(10);
const WAIT_MAX: Duration = Duration::from_millis(250);

/// A connection to the database.
///
/// One thread of one process commits, after it has claimed the store. Other threads read through
/// separate connections.
pub struct Store {
    db: Box<dyn Database>,
    place: Place,
    writer: Option<Writer>,
    on_retry: Box<dyn Fn(&StoreError) + Send>,
}

/// The number of times that the store has been claimed. A later claim has a higher epoch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Epoch(pub u64);

/// The state of a process that has claimed the store.
struct Writer {
    epoch: Epoch,
    /// The number of transactions committed under this epoch. Each one writes its number, so that
    /// after a lost connection the next one knows whether it took effect.
    n_commits: u64,
    _lock: Option<LockFile>,
}

/// The result of asking for the right to write.
enum Fence {
    Open,
    /// The transaction has already taken effect.
    Done,
}

impl Store {
    /// Connects, and brings the schema up to date.
    pub fn open(place: &Place) -> Result<Store, StoreError> {
        let mut store = Store::connect(place, Access::Write)?;
        schema::migrate(store.db.as_mut())?;
        Ok(store)
    }

    /// Connects for reading only. Fails unless the schema is up to date.
    pub fn open_reader(place: &Place) -> Result<Store, StoreError> {
        let mut store = Store::connect(place, Access::Read)?;
        schema::check(store.db.as_mut())?;
        Ok(store)
    }

    fn connect(place: &Place, access: Access) -> Result<Store, StoreError> {
        let db: Box<dyn Database> = match place {
            Place::Sqlite(path) => Box::new(Sqlite::open(path, access)?),
            Place::Postgres(url) => Box::new(Postgres::open(url, access)?),
        };
        Ok(Store {
            db,
            place: place.clone(),
            writer: None,
            on_retry: Box::new(|_| {}),
        })
    }

    /// Makes this connection the only writer. The previous writer gets [`StoreError::Fenced`] at
    /// its next commit. A database file is also locked, so that a second process is refused while
    /// this one runs.
    pub fn claim(&mut self, now: Ms) -> Result<Epoch, StoreError> {
        self.writer = None;
        let lock = match &self.place {
            Place::Sqlite(path) => Some(LockFile::take(path)?),
            Place::Postgres(_) => None,
        };
        let epoch = self.persist(|store| store.raise_epoch(now))?;
        self.writer = Some(Writer {
            epoch,
            n_commits: 0,
            _lock: lock,
        });
        Ok(epoch)
    }

    fn raise_epoch(&mut self, now: Ms) -> Result<Epoch, StoreError> {
        let mut open = Open::begin(self.db.as_mut(), Access::Write)?;
        let rows = open.db.query(
            "UPDATE writer SET epoch = epoch + 1, n_commits = 0, claimed_at = $1 \
             WHERE id = 1 RETURNING epoch",
            params![now],
        )?;
        let row = rows.into_iter().next();
        let mut row = row.ok_or_else(|| StoreError::corrupt("the writer row is missing"))?;
        let epoch = row.take().map(Epoch)?;
        open.commit()?;
        Ok(epoch)
    }

    /// Runs one durable transaction: when this returns, either all of it is stored or nothing is.
    ///
    /// The work may run more than once if the database becomes unavailable meanwhile, but it takes
    /// effect once. If even the outcome is unknown ([`StoreError::Unavailable`]), the same work may
    /// be committed again: everything with a key is then found to be done already.
    pub fn commit<T>(
        &mut self,
        mut work: impl FnMut(&mut Tx<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        // The result of the last attempt, if it may have taken effect.
        let mut unsure = None;
        let done = self.persist(|store| store.commit_once(&mut work, &mut unsure))?;
        if let Some(writer) = &mut self.writer {
            writer.n_commits += 1;
        }
        Ok(done)
    }

    fn commit_once<T>(
        &mut self,
        work: &mut impl FnMut(&mut Tx<'_>) -> Result<T, StoreError>,
        unsure: &mut Option<T>,
    ) -> Result<T, StoreError> {
        let writer = self.writer.as_mut().ok_or(StoreError::NotClaimed)?;
        let mut open = Open::begin(self.db.as_mut(), Access::Write)?;
        if matches!(fence(open.db, writer)?, Fence::Done) {
            if let Some(done) = unsure.take() {
                return Ok(done);
            }
            // An earlier call gave up without knowing that its transaction took effect.
            writer.n_commits += 1;
            if matches!(fence(open.db, writer)?, Fence::Done) {
                return Err(StoreError::Fenced);
            }
        }
        let done = Tx::run(open.db, work)?;
        match open.commit() {
            Ok(()) => Ok(done),
            Err(error) => {
                *unsure = Some(done);
                Err(error)
            }
        }
    }

    /// Runs a transaction that only reads. All of it sees the same state.
    pub fn read<T>(
        &mut self,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.persist(|store| store.db.begin(Access::Read))?;
        let open = Open {
            db: self.db.as_mut(),
        };
        Tx::run(open.db, work)
    }

    /// Runs one durable transaction of an operator while another process holds the claim. It waits
    /// for that process's transaction and leaves the claim alone. The work is not retried: after
    /// [`StoreError::Unavailable`], do the same again with the same key.
    pub fn maintain<T>(
        &mut self,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.persist(|store| {
            store.db.begin(Access::Write)?;
            let lock = "UPDATE writer SET epoch = epoch WHERE id = 1";
            let locked = store.db.execute(lock, &[]);
            if locked.is_err() {
                store.db.rollback()?;
            }
            locked
        })?;
        let mut open = Open {
            db: self.db.as_mut(),
        };
        let done = Tx::run(open.db, work)?;
        open.commit()?;
        Ok(done)
    }

    /// Moves pages from the write-ahead log into the database file, as far as readers allow. Call
    /// it every few seconds, preferably over a separate connection, so that commits never have to.
    pub fn checkpoint(&mut self) -> Result<(), StoreError> {
        self.db.checkpoint()
    }

    /// Checks that the database answers.
    pub fn ping(&mut self) -> Result<(), StoreError> {
        if self.db.is_lost() {
            self.db.reconnect()?;
        }
        self.db.query("SELECT 1", &[]).map(drop)
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.db.dialect()
    }

    /// Calls `on_retry` with the reason whenever an attempt failed and is retried.
    pub fn on_retry(&mut self, on_retry: impl Fn(&StoreError) + Send + 'static) {
        self.on_retry = Box::new(on_retry);
    }

    /// The place that this store was opened with.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Retries an operation while it may still succeed, and reconnects if the connection was lost.
    fn persist<T>(
        &mut self,
        mut work: impl FnMut(&mut Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut wait = WAIT_FIRST;
        let mut tries_left = TRIES_MAX;
        loop {
            let connected = if self.db.is_lost() {
                self.db.reconnect()
            } else {
                Ok(())
            };
            let error = match connected.and_then(|()| work(self)) {
                Ok(done) => return Ok(done),
                Err(error) => error,
            };
            tries_left -= 1;
            if tries_left == 0 || !error.may_pass() {
                return Err(error);
            }
            (self.on_retry)(&error);
            thread::sleep(wait);
            wait = (wait * 2).min(WAIT_MAX);
        }
    }
}

/// Checks the right to write, and numbers the transaction. The row stays locked until the end, so a
/// concurrent claim, or an abandoned transaction of this process, comes either before or after.
fn fence(db: &mut dyn Database, writer: &Writer) -> Result<Fence, StoreError> {
    let number = writer.n_commits + 1;
    let numbered = db.execute(
        "UPDATE writer SET n_commits = $1 WHERE id = 1 AND epoch = $2 AND n_commits = $3",
        params![number, writer.epoch.0, writer.n_commits],
    )?;
    if numbered == 1 {
        return Ok(Fence::Open);
    }
    let done = db.query(
        "SELECT 1 FROM writer WHERE id = 1 AND epoch = $1 AND n_commits = $2",
        params![writer.epoch.0, number],
    )?;
    if done.is_empty() {
        Err(StoreError::Fenced)
    } else {
        Ok(Fence::Done)
    }
}

/// An open transaction, which is rolled back unless it is committed, also when the work panics.
struct Open<'a> {
    db: &'a mut dyn Database,
}

impl<'a> Open<'a> {
    fn begin(db: &'a mut dyn Database, access: Access) -> Result<Open<'a>, StoreError> {
        db.begin(access)?;
        Ok(Open { db })
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.db.commit()
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        // If the rollback fails, the database rolls back when the connection ends, and the next
        // transaction reports the error.
        self.db.rollback().ok();
    }
}

#[cfg(test)]
mod tests {
    use kernel::MatchId;

    use super::*;
    use crate::{Mode, NewEvent, NewMatch};

    fn home() -> std::path::PathBuf {
        let name = format!("referee_full_{}", std::process::id());
        std::env::temp_dir().join(name)
    }

    // Promise: A transaction takes effect whole or not at all.
    #[test]
    fn a_full_disk_is_reported_and_nothing_is_half_written() {
        let folder = home();
        let mut store = Store::open(&Place::Sqlite(folder.join("referee.db"))).unwrap();
        store.claim(1).unwrap();
        let game_id = MatchId::from_random_bytes([1; 16]);
        let new = NewMatch {
            game_id,
            game: "orcain".to_owned(),
            mode: Mode::Exhibition,
            terms: "{}".to_owned(),
            secret: Vec::new(),
            seats: Vec::new(),
            stake: 0,
            worth: crate::Worth::default(),
            at: 1,
        };
        let opened = store.commit(|tx| tx.attempt(|tx| tx.open_match(&new)));
        opened.unwrap().unwrap();
        let rows = store.db.query("PRAGMA page_count", &[]).unwrap();
        let n_pages: u64 = rows.into_iter().next().unwrap().take().unwrap();
        let limit = |pages: u64| format!("PRAGMA max_page_count = {pages}");
        store.db.query(&limit(n_pages + 20), &[]).unwrap();

        let append = |store: &mut Store, version: u64| {
            let bytes = [7; 900];
            store.commit(|tx| {
                let event = |version| NewEvent {
                    game_id,
                    version,
                    bytes: &bytes,
                };
                tx.append_all(&[event(version), event(version + 1)])
            })
        };
        let mut n_stored = 0;
        let error = loop {
            match append(&mut store, n_stored + 1) {
                Ok(()) => n_stored += 2,
                Err(error) => break error,
            }
            assert!(n_stored < 1_000, "the limit was not reached");
        };
        assert_eq!(error, StoreError::Full);
        assert!(!error.is_fatal());
        let n_events = |store: &mut Store| store.read(|tx| tx.events(game_id)).unwrap().len();
        assert_eq!(n_events(&mut store) as u64, n_stored);

        // With room again, writing continues.
        store.db.query(&limit(100_000), &[]).unwrap();
        append(&mut store, n_stored + 1).unwrap();
        assert_eq!(n_events(&mut store) as u64, n_stored + 2);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
