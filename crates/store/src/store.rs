//! The store: one connection, transactions, and who may write.

use std::thread;
use std::time::Duration;

use session::Ms;

use crate::database::{Access, Database, Dialect, params};
use crate::lock::LockFile;
use crate::on_postgres::Postgres;
use crate::on_sqlite::Sqlite;
use crate::{Place, StoreError, Tx, schema};

/// How often a transaction is tried when the database is away or busy, and the waits
/// between: some eight seconds in all, and a database that is back is found at once.
const TRIES_MAX: u32 = 36;
const WAIT_FIRST: Duration = Duration::from_millis(10);
const WAIT_MAX: Duration = Duration::from_millis(250);

/// A connection to what survives.
///
/// One thread of one process commits; it has claimed the store. Other threads read through
/// connections of their own.
pub struct Store {
    db: Box<dyn Database>,
    place: Place,
    writer: Option<Writer>,
    on_retry: Box<dyn Fn(&StoreError) + Send>,
}

/// How many times the store has been claimed: a later claim has a higher one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Epoch(pub u64);

/// What a process that has claimed the store knows.
struct Writer {
    epoch: Epoch,
    /// The transactions committed under this epoch. Each writes its number, so that after a
    /// lost connection it is known whether it took place.
    n_commits: u64,
    _lock: Option<LockFile>,
}

/// What a transaction finds when it asks whether it may write.
enum Fence {
    Open,
    /// It took place already.
    Done,
}

impl Store {
    /// Connects, and brings the schema up to date.
    pub fn open(place: &Place) -> Result<Store, StoreError> {
        let mut store = Store::connect(place, Access::Write)?;
        schema::migrate(store.db.as_mut())?;
        Ok(store)
    }

    /// Connects for reading only. The schema must be up to date.
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

    /// Makes this the one that writes. Whoever claimed the store before finds at its next
    /// commit that it is [`StoreError::Fenced`]. A database file is also locked, so that a
    /// second process is refused while this one runs.
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
        let mut row = row.ok_or_else(|| StoreError::corrupt("the row of the writer is missing"))?;
        let epoch = row.take().map(Epoch)?;
        open.commit()?;
        Ok(epoch)
    }

    /// Runs one durable transaction: all of it is stored when this returns, or nothing.
    ///
    /// The work may run more than once, when the database goes away under it, and takes
    /// effect once. Where even that could not be found out ([`StoreError::Unavailable`]), the
    /// same work may be committed again: what has a key is then found done.
    pub fn commit<T>(
        &mut self,
        mut work: impl FnMut(&mut Tx<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        // What the last try gave, when it may have taken place.
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
            // An earlier call gave up without knowing that its transaction took place.
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

    /// Runs one durable transaction of an operator beside the process that has claimed the
    /// store. It waits for that process's transaction, and takes nothing away from it. The
    /// work is not run again: after [`StoreError::Unavailable`] do the same again with the
    /// same key.
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

    /// Moves what was written ahead to its place in the database file, as far as nobody is
    /// in the way. Call it every few seconds, best from a connection of its own: commits
    /// then never have to.
    pub fn checkpoint(&mut self) -> Result<(), StoreError> {
        self.db.checkpoint()
    }

    /// Whether the database answers.
    pub fn ping(&mut self) -> Result<(), StoreError> {
        if self.db.is_lost() {
            self.db.reconnect()?;
        }
        self.db.query("SELECT 1", &[]).map(drop)
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.db.dialect()
    }

    /// Calls this with the reason whenever something failed and is tried again.
    pub fn on_retry(&mut self, on_retry: impl Fn(&StoreError) + Send + 'static) {
        self.on_retry = Box::new(on_retry);
    }

    /// Where it is.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Tries something again while it may pass, with a new connection where the old one is
    /// gone.
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

/// Asks for the right to write, and numbers the transaction. The row is locked from here to
/// the end, so a claim, or an own transaction that was given up, is either before or after.
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

/// An open transaction: undone unless it is committed, also when the work panics.
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
        // A transaction that cannot be undone now is undone by the database when the
        // connection goes; the next one would say so.
        self.db.rollback().ok();
    }
}

#[cfg(test)]
mod tests {
    use kernel::GameId;

    use super::*;
    use crate::{Mode, NewEvent, NewMatch};

    fn home() -> std::path::PathBuf {
        let name = format!("referee_full_{}", std::process::id());
        std::env::temp_dir().join(name)
    }

    // Promise: A transaction takes effect whole or not at all.
    #[test]
    fn a_full_disk_is_told_and_nothing_is_half_written() {
        let folder = home();
        let mut store = Store::open(&Place::Sqlite(folder.join("referee.db"))).unwrap();
        store.claim(1).unwrap();
        let game_id = GameId::from_random_bytes([1; 16]);
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

        // With room again it goes on.
        store.db.query(&limit(100_000), &[]).unwrap();
        append(&mut store, n_stored + 1).unwrap();
        assert_eq!(n_events(&mut store) as u64, n_stored + 2);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
