//! Durability under killed processes, killed connections and lost replies.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use common::{Home, accounts, assert_books, ending, game_id, new_match, settlement};
use session::SettlementKind;
use store::{Account, NewAudit, NewEvent, Place, Store, StoreError, Tx};

/// Plays one match from beginning to end, and adds a row without a key, so that a repetition shows.
fn play(tx: &mut Tx<'_>, nth: u64, made: &[Account]) -> Result<(), StoreError> {
    tx.attempt(|tx| tx.open_match(&new_match(nth, made, 1)))?
        .unwrap();
    let bytes = nth.to_le_bytes();
    tx.append(NewEvent {
        game_id: game_id(nth),
        version: 1,
        bytes: &bytes,
    })?;
    let seats: Vec<Option<Account>> = made.iter().copied().map(Some).collect();
    tx.settle(
        &settlement(nth, SettlementKind::Refund, &[1, 1], 0),
        &seats,
        9,
    )?;
    tx.finish_match(game_id(nth), &ending(None))?;
    tx.audit(NewAudit {
        at: nth,
        account: None,
        kind: "played",
        payload: "{}",
    })
}

/// The number of matches that were played, checked in every way of counting.
fn n_played(store: &mut Store) -> u64 {
    assert_books(store);
    let (matches, audit) = store
        .read(|tx| {
            Ok((
                tx.matches(&store::MatchFilter::default(), 1)?,
                tx.check_audit()?,
            ))
        })
        .unwrap();
    let n_rows = audit.unwrap().number;
    assert_eq!(matches.first().map_or(0, |it| it.number), n_rows);
    n_rows
}

on_both! {
    // Promise: An acknowledged commit is never lost, and no commit takes effect twice.
    fn a_writer_killed_at_any_instant_loses_nothing_that_it_acknowledged(home: &Home) {
        let url = match &home.place {
            Place::Sqlite(path) => path.display().to_string(),
            Place::Postgres(url) => url.clone(),
        };
        let mut n_acked = 0;
        for nth in 0..12 {
            n_acked = n_acked.max(run_and_kill(&url, 1 + nth * 3));
            let n_stored = n_played(&mut home.open());
            assert!(n_stored >= n_acked, "{n_stored} stored, {n_acked} acknowledged");
            // One may have been stored just before the kill without being acknowledged.
            assert!(n_stored <= n_acked + 1 + nth, "{n_stored} stored, {n_acked} acknowledged");
        }
        assert!(n_acked > 50);
    }
}

/// Runs [`child_that_plays_until_it_is_killed`], kills it after some answers, and returns the
/// number of matches that it acknowledged.
fn run_and_kill(url: &str, n_answers: u64) -> u64 {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "child_that_plays_until_it_is_killed",
            "--nocapture",
        ])
        .env("STORE_TEST_CHILD", url)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut last = 0;
    let mut n_seen = 0;
    while n_seen < n_answers {
        let line = lines.next().expect("the child exited by itself").unwrap();
        if let Some(nth) = acked(&line) {
            (last, n_seen) = (nth, n_seen + 1);
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let rest = lines
        .map_while(Result::ok)
        .filter_map(|line| acked(&line))
        .last();
    rest.unwrap_or(last)
}

fn acked(line: &str) -> Option<u64> {
    line.split_once("acknowledged ")?.1.trim().parse().ok()
}

#[test]
#[allow(clippy::print_stdout, reason = "its parent reads it")]
fn child_that_plays_until_it_is_killed() {
    let Ok(url) = std::env::var("STORE_TEST_CHILD") else {
        return;
    };
    let mut store = Store::open(&Place::from_url(&url).unwrap()).unwrap();
    store.claim(1).unwrap();
    let made = accounts(&mut store, 2);
    let first = n_played(&mut store) + 1;
    for nth in first..first + 10_000 {
        store.commit(|tx| play(tx, nth, &made)).unwrap();
        println!("acknowledged {nth}");
    }
}

// Promise: An acknowledged commit is never lost, and no commit takes effect twice.
#[test]
fn connections_killed_during_commits_cost_nothing() {
    let Some(home) = Home::postgres() else {
        return;
    };
    let Place::Postgres(url) = &home.place else {
        unreachable!()
    };
    let named = Place::Postgres(format!("{url}&application_name=victim"));
    let mut store = Store::open(&named).unwrap();
    store.claim(1).unwrap();
    let made = accounts(&mut store, 2);
    let (mut n_killed, mut n_rounds) = (0, 0);
    while n_killed <= 5 || n_rounds < 4 {
        assert!(n_rounds < 40, "only {n_killed} connections were killed");
        // Fewer than the retries of a commit, so that no commit can fail in all of them.
        let killer = Killer::start(url, 8);
        for nth in 1..=30 {
            store
                .commit(|tx| play(tx, n_rounds * 30 + nth, &made))
                .unwrap();
        }
        n_killed += killer.stop();
        n_rounds += 1;
    }
    assert_eq!(n_played(&mut home.reader()), 30 * n_rounds);
}

/// Kills connections while a test runs, up to this many.
struct Killer {
    done: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<u64>>,
}

impl Killer {
    fn start(url: &str, most: u64) -> Killer {
        let done = Arc::new(AtomicBool::new(false));
        let (url, stopped) = (url.to_owned(), Arc::clone(&done));
        let work = move || {
            let mut n_killed = 0;
            while n_killed < most && !stopped.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(20));
                n_killed += kill_connections(&url);
            }
            n_killed
        };
        Killer {
            done,
            thread: Some(thread::spawn(work)),
        }
    }

    /// Stops, and returns the number of killed connections.
    fn stop(mut self) -> u64 {
        self.done.store(true, Ordering::Relaxed);
        let thread = self.thread.take();
        thread.map_or(0, |thread| thread.join().unwrap())
    }
}

/// Also stops when the test fails, which would otherwise never end.
impl Drop for Killer {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

/// Only those of this test's schema, because other tests run at the same time.
fn kill_connections(url: &str) -> u64 {
    let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
    let victims = "SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a \
        WHERE a.application_name = 'victim' AND EXISTS (SELECT 1 FROM pg_locks l \
        WHERE l.pid = a.pid AND l.relation = 'writer'::regclass)";
    client.query(victims, &[]).unwrap().len() as u64
}

// Promise: An acknowledged commit is never lost, and no commit takes effect twice.
#[test]
fn a_commit_whose_reply_is_lost_takes_effect_once() {
    let Some(home) = Home::postgres() else {
        return;
    };
    let Place::Postgres(url) = &home.place else {
        unreachable!()
    };
    let proxy = Proxy::start(&home, url);
    let mut store = Store::open(&Place::Postgres(proxy.url.clone())).unwrap();
    store.claim(1).unwrap();
    let made = accounts(&mut store, 2);
    for (nth, mood) in (1..).zip([
        Mood::SwallowAnswer,
        Mood::SwallowCommit,
        Mood::SwallowAnswer,
    ]) {
        proxy.set(mood);
        let mut n_runs = 0;
        store
            .commit(|tx| {
                n_runs += 1;
                play(tx, nth, &made)
            })
            .unwrap();
        assert!(
            proxy.struck(),
            "the proxy did not interfere with the commit"
        );
        // A commit that took effect is not repeated; one that did not is retried.
        let expected = if mood == Mood::SwallowAnswer { 1 } else { 2 };
        assert_eq!(n_runs, expected);
        assert_eq!(n_played(&mut home.reader()), nth);
    }
}

/// A proxy between a client and the server, which drops what it is set to drop.
struct Proxy {
    url: String,
    folder: PathBuf,
    mood: Arc<AtomicU64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mood {
    /// The next commit takes effect, but its reply is lost with the connection.
    SwallowAnswer = 1,
    /// The next commit is lost with the connection.
    SwallowCommit = 2,
}

impl Proxy {
    fn start(home: &Home, url: &str) -> Proxy {
        let config: postgres::Config = url.parse().unwrap();
        let [postgres::config::Host::Unix(server)] = config.get_hosts() else {
            panic!("this test needs a URL with the folder of a socket as its host");
        };
        let port = config.get_ports().first().copied().unwrap_or(5432);
        let folder = home.scratch();
        let listener = UnixListener::bind(folder.join(".s.PGSQL.5432")).unwrap();
        let server = server.join(format!(".s.PGSQL.{port}"));
        let mood = Arc::new(AtomicU64::new(0));
        let shared = Arc::clone(&mood);
        // Ends with the test's process.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let (server, mood) = (server.clone(), Arc::clone(&shared));
                thread::spawn(move || carry(client, &server, &mood));
            }
        });
        let query = url.split_once('?').unwrap().1;
        let host = folder.display().to_string().replace('/', "%2F");
        Proxy {
            url: format!("postgresql://referee@{host}/postgres?{query}"),
            folder,
            mood,
        }
    }

    fn set(&self, mood: Mood) {
        self.mood.store(mood as u64, Ordering::SeqCst);
    }

    fn struck(&self) -> bool {
        self.mood.load(Ordering::SeqCst) == 0
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.folder).ok();
    }
}

fn carry(mut client: UnixStream, server: &Path, mood: &AtomicU64) {
    let mut server = UnixStream::connect(server).unwrap();
    let (mut from, mut to) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    let mute = Arc::new(AtomicBool::new(false));
    let muted = Arc::clone(&mute);
    thread::spawn(move || {
        let mut buffer = [0; 8192];
        while let Ok(n @ 1..) = from.read(&mut buffer) {
            if muted.load(Ordering::SeqCst) || to.write_all(&buffer[..n]).is_err() {
                break;
            }
        }
        to.shutdown(std::net::Shutdown::Both).ok();
    });
    let mut buffer = [0; 8192];
    while let Ok(n @ 1..) = client.read(&mut buffer) {
        let is_commit = buffer[..n].windows(7).any(|it| it == b"COMMIT\0");
        if is_commit {
            match mood.swap(0, Ordering::SeqCst) {
                1 => mute.store(true, Ordering::SeqCst),
                2 => break,
                _ => {}
            }
        }
        if server.write_all(&buffer[..n]).is_err() {
            break;
        }
    }
    client.shutdown(std::net::Shutdown::Both).ok();
    server.shutdown(std::net::Shutdown::Both).ok();
}
