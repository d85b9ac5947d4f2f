//! The same for a server on PostgreSQL, which is backed up with PostgreSQL's tools.

use std::process::{Command, Output};

use store::{Place, Store};

use crate::documented::{How, documented};
use crate::operators::sh_with;
use crate::process::{Process, http};
use crate::servers::start_documented;
use crate::signups::Signups;

#[test]
fn the_documented_backup_of_postgresql_restores_to_a_valid_database() {
    let Some(cluster) = Cluster::of_tests() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let (one, other) = (cluster.create("one"), cluster.create("other"));
    let run = |line: &str, url: &str| sh_with(home.path(), line, &[("REFEREE_DATABASE_URL", url)]);
    let process = Process::start_on_postgres(&one, home.path());
    let signups = Signups::start(process.at);
    signups.wait_for(10);
    let before = signups.acked();
    let commands = documented();
    let commands: Vec<_> = commands
        .iter()
        .filter(|it| it.how == How::Postgres)
        .collect();
    let third = cluster.create("third");
    let variables = [
        ("REFEREE_DATABASE_URL", third.as_str()),
        ("REFEREE_LISTEN", "127.0.0.1:0"),
    ];
    assert_eq!(start_documented(How::PostgresServer, &variables), 1);
    let [dump, restore] = commands[..] else {
        panic!("expected a documented dump and restore: {commands:?}");
    };
    succeeds(&run(&dump.line, &one));
    succeeds(&run("referee doctor", &one));
    signups.wait_for(10);
    for (line, tool) in [
        ("referee backup copy.sqlite", "pg_dump"),
        ("referee restore copy.dump", "pg_restore"),
    ] {
        let output = run(line, &one);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(tool), "{said}");
    }
    process.kill();
    signups.stop();

    succeeds(&run(&restore.line, &other));
    succeeds(&run("referee doctor", &other));
    let mut store = Store::open_reader(&Place::from_url(&other).unwrap()).unwrap();
    for id in before {
        let row = store.read(|tx| tx.account_by_public_id(id)).unwrap();
        assert!(row.is_some(), "{id} is lost");
    }
    drop(store);
    let process = Process::start_on_postgres(&other, home.path());
    assert!(http(process.at, "POST", "/auth/guest", "").is_some());
}

fn succeeds(output: &Output) {
    assert!(output.status.success(), "{output:?}");
}

/// The cluster that `cargo xtask test` starts, and the databases that a test has created in it.
struct Cluster {
    url: String,
    made: std::cell::RefCell<Vec<String>>,
}

impl Cluster {
    fn of_tests() -> Option<Cluster> {
        let Ok(url) = std::env::var("REFEREE_TEST_POSTGRES_URL") else {
            let required = std::env::var_os("REFEREE_REQUIRE_POSTGRES").is_some()
                || std::env::var_os("CI").is_some();
            assert!(!required, "REFEREE_TEST_POSTGRES_URL is not set");
            eprintln!("SKIPPED: no REFEREE_TEST_POSTGRES_URL");
            return None;
        };
        Some(Cluster {
            url,
            made: std::cell::RefCell::default(),
        })
    }

    /// Creates a database and returns its URL.
    fn create(&self, name: &str) -> String {
        let name = format!("referee_{name}_{}", std::process::id());
        succeeds(&self.psql(&format!("CREATE DATABASE {name}")));
        let (server, _) = self.url.rsplit_once('/').unwrap();
        let url = format!("{server}/{name}");
        self.made.borrow_mut().push(name);
        url
    }

    fn psql(&self, sql: &str) -> Output {
        let mut psql = Command::new("psql");
        psql.args(["--no-psqlrc", "--quiet", "--command", sql, &self.url]);
        psql.output().unwrap()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for name in self.made.borrow().iter() {
            self.psql(&format!("DROP DATABASE {name} WITH (FORCE)"));
        }
    }
}
