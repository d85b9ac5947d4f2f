//! The place of one test's data, removed when the test is over.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use server::Options;
use store::{Place, Store, StoreError, Tx};
use tempfile::TempDir;

pub(crate) struct Home {
    folder: TempDir,
    schema: Option<Schema>,
}

/// A separate schema in a PostgreSQL server.
struct Schema {
    server: String,
    name: String,
}

impl Home {
    pub(crate) fn sqlite() -> Home {
        Home {
            folder: TempDir::new().unwrap(),
            schema: None,
        }
    }

    /// A place in the cluster that `cargo xtask test` starts.
    #[allow(clippy::print_stderr, reason = "a skipped test says so")]
    pub(crate) fn postgres() -> Option<Home> {
        let Ok(server) = std::env::var("REFEREE_TEST_POSTGRES_URL") else {
            let required = std::env::var_os("REFEREE_REQUIRE_POSTGRES").is_some()
                || std::env::var_os("CI").is_some();
            assert!(
                !required,
                "REFEREE_TEST_POSTGRES_URL is not set: run `cargo xtask test`, which starts a PostgreSQL"
            );
            eprintln!(
                "SKIPPED: no REFEREE_TEST_POSTGRES_URL; `cargo xtask test` starts a PostgreSQL"
            );
            return None;
        };
        let schema = Schema {
            server,
            name: unique(),
        };
        schema.execute("CREATE SCHEMA");
        Some(Home {
            folder: TempDir::new().unwrap(),
            schema: Some(schema),
        })
    }

    /// Sets the options that point a server at this data.
    pub(crate) fn furnish(&self, options: &mut Options) {
        options.data = Some(self.folder.path().to_owned());
        options.database_url = self.schema.as_ref().map(Schema::url);
    }

    pub(crate) fn database_file(&self) -> PathBuf {
        self.folder.path().join("referee.sqlite")
    }

    /// Reads durable data, as another program would.
    pub(crate) fn read<T: Send>(
        &self,
        question: impl Fn(&mut Tx<'_>) -> Result<T, StoreError> + Send,
    ) -> T {
        let place = self.place();
        off_runtime(move || {
            let mut store = Store::open_reader(&place).unwrap();
            store.read(question).unwrap()
        })
    }

    /// Runs an operator's maintenance, while the server runs.
    pub(crate) fn maintain<T: Send>(
        &self,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, StoreError> + Send,
    ) -> T {
        let place = self.place();
        off_runtime(move || {
            let mut store = Store::open(&place).unwrap();
            store.maintain(work).unwrap()
        })
    }

    fn place(&self) -> Place {
        match &self.schema {
            None => Place::Sqlite(self.database_file()),
            Some(schema) => Place::Postgres(schema.url()),
        }
    }

    /// Changes the embedded database behind the server's back, as another program would.
    pub(crate) fn meddle(&self, sql: &str) {
        let database = rusqlite::Connection::open(self.database_file()).unwrap();
        database.execute_batch(sql).unwrap();
    }
}

impl Schema {
    fn url(&self) -> String {
        let Schema { server, name } = self;
        let and = if server.contains('?') { '&' } else { '?' };
        format!("{server}{and}options=-csearch_path%3D{name}")
    }

    fn execute(&self, verb: &str) {
        let Schema { server, name } = self;
        let tail = if verb.starts_with("DROP") {
            " CASCADE"
        } else {
            ""
        };
        let sql = format!("{verb} \"{name}\"{tail}");
        off_runtime(|| {
            let mut client = postgres::Client::connect(server, postgres::NoTls).unwrap();
            client.batch_execute(&sql).unwrap();
        });
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        self.execute("DROP SCHEMA IF EXISTS");
    }
}

/// The database libraries block, so they run on a separate thread.
fn off_runtime<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join().unwrap())
}

fn unique() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let nth = NEXT.fetch_add(1, Ordering::Relaxed);
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let stamp = since.unwrap().as_nanos();
    format!("referee_server_{}_{nth}_{stamp}", std::process::id())
}
