//! Operators' commands do not harm a running server, and backups can be restored.

use std::collections::BTreeSet;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use store::{Account, MatchState, Place, Store};

use crate::books::{Audit, START_TOKENS};
use crate::documented::{CORRECT, How, RENAME_BACK, SIGN_OUT, VOID, documented};
use crate::games::Pastime;
use crate::player::{Acked, Player, wait_for_a_decision};
use crate::process::{Process, Round, http, post};
use crate::signups::Signups;

/// The number of times that every documented command is run. The server is killed after each.
const ROUNDS: usize = 2;
/// The number of accounts that must be acknowledged before each command, and again between the
/// command and the kill.
const SIGNUPS: usize = 4;

// Promise: No documented command harms a running server.
#[test]
fn no_documented_command_harms_a_server_under_load() {
    let commands = documented();
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("referee-data");
    let mut process = Process::start(&data, Round::Hurried);
    let at = process.at;
    let (grom, mallory) = (named(at, "Grom"), named(at, "Mallory"));
    named(at, "Mila");
    let playing = Arc::new(AtomicBool::new(true));
    let players: Vec<_> = everybody(at)
        .map(|player| {
            let playing = Arc::clone(&playing);
            thread::spawn(move || player.play(&playing))
        })
        .collect();
    let signups = Signups::start(at);
    for round in 0..ROUNDS {
        // Commands find the data at the documented path, and have a folder for their own files.
        let desk = home.path().join(format!("desk-{round}"));
        fs::create_dir(&desk).unwrap();
        std::os::unix::fs::symlink(&data, desk.join("referee-data")).unwrap();
        for command in commands.iter().filter(|it| it.how == How::Beside) {
            signups.wait_for(SIGNUPS);
            let running = match command.line.as_str() {
                VOID => a_match_that_runs(&data),
                _ => String::new(),
            };
            let output = sh_with(&desk, &command.line, &[("MATCH", &running)]);
            assert!(output.status.success(), "{}: {output:?}", command.line);
            match command.line.as_str() {
                CORRECT => assert_eq!(tokens(at, &grom), Some(START_TOKENS + 5)),
                SIGN_OUT => assert_eq!(tokens(at, &mallory), None),
                _ => {}
            }
            signups.wait_for(SIGNUPS);
            wait_for_a_decision();
            process.kill();
            process = Process::start_on(&data, at, Round::Hurried, None);
        }
        assert!(sh(&desk, RENAME_BACK).status.success());
    }
    playing.store(false, Ordering::Relaxed);
    let acked: Vec<Acked> = players
        .into_iter()
        .flat_map(|it| it.join().unwrap().acked)
        .collect();
    let signed_up = signups.stop();
    process.wait_until_no_match_runs();
    process.kill();
    let n_accounts = check_accounts(&data, &signed_up);
    Audit::of(&data).check(&acked, n_accounts * START_TOKENS + 5);
}

/// Players for a match of each kind.
fn everybody(at: SocketAddr) -> impl Iterator<Item = Player> {
    let own = [Pastime::Orcain, Pastime::Catan, Pastime::Stellar];
    let companies = (0..).zip(own.into_iter().chain(Pastime::others()));
    companies.flat_map(move |(nth, pastime)| Player::company(at, 10 * nth, pastime))
}

fn a_match_that_runs(data: &Path) -> String {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(running) = open_matches(data).pop_first() {
            return running;
        }
        assert!(Instant::now() < deadline, "no match is running");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Asserts that every acknowledged account exists. Returns the number of accounts.
fn check_accounts(data: &Path, signed_up: &[uuid::Uuid]) -> u64 {
    let mut store = Store::open_reader(&database(data)).unwrap();
    let read = store.read(|tx| {
        let mut lost = Vec::new();
        for id in signed_up {
            if tx.account_by_public_id(*id)?.is_none() {
                lost.push(*id);
            }
        }
        let mut n_accounts = 0;
        while tx.account(Account(n_accounts + 1))?.is_some() {
            n_accounts += 1;
        }
        Ok((lost, n_accounts))
    });
    let (lost, n_accounts) = read.unwrap();
    assert!(
        lost.is_empty(),
        "{} of {} acknowledged accounts are lost",
        lost.len(),
        signed_up.len()
    );
    n_accounts
}

// Promise: A backup can be restored, and open matches continue from it.
#[test]
fn a_backup_under_load_restores_to_a_server_on_which_open_matches_continue() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("referee-data");
    let process = Process::start(&data, Round::Endless);
    let at = process.at;
    let signups = Signups::start(at);
    let away = Arc::new(AtomicBool::new(false));
    let players: Vec<_> = everybody(at)
        .map(|player| {
            let away = Arc::clone(&away);
            thread::spawn(move || player.hesitate(&away))
        })
        .collect();
    process.wait_until_matches_run(catalog::GameName::ALL.len() as u64);
    signups.wait_for(10);
    let backup = sh(home.path(), "referee backup copy.sqlite");
    assert!(backup.status.success(), "{backup:?}");
    // The database of a running server is not replaced.
    let refused = sh(home.path(), "referee restore copy.sqlite --force");
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert!(said(&refused).contains("uses this database"), "{refused:?}");
    signups.wait_for(10);
    process.kill();
    signups.stop();
    away.store(true, Ordering::Relaxed);
    let players: Vec<Player> = players.into_iter().map(|it| it.join().unwrap()).collect();

    for command in [
        "referee restore copy.sqlite --data elsewhere",
        "referee doctor --data elsewhere",
    ] {
        let output = sh(home.path(), command);
        assert!(output.status.success(), "{command}: {output:?}");
    }
    let restored = home.path().join("elsewhere");
    let open = open_matches(&restored);
    assert_eq!(
        open.len(),
        catalog::GameName::ALL.len(),
        "a match of each game"
    );
    // The players connect before the server has started, so that none is late.
    let games: Vec<_> = players
        .into_iter()
        .map(|player| thread::spawn(move || player.play_once(&AtomicBool::new(false))))
        .collect();
    let process = Process::start_on(&restored, at, Round::Endless, None);
    let doctor = sh(home.path(), "referee doctor --data elsewhere");
    assert!(doctor.status.success(), "{doctor:?}");
    let acked: Vec<Acked> = games
        .into_iter()
        .flat_map(|it| it.join().unwrap())
        .collect();
    process.wait_until_no_match_runs();
    process.kill();
    let n_accounts = check_accounts(&restored, &[]);
    let audit = Audit::of(&restored);
    audit.check(&acked, n_accounts * START_TOKENS);
    let continued: BTreeSet<&String> = acked.iter().map(|it| &it.match_id).collect();
    assert_eq!(continued, open.iter().collect(), "the same matches");
}

#[test]
fn a_match_does_not_end_before_it_began_when_the_clock_is_set_back() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("referee-data");
    let process = Process::start(&data, Round::Endless);
    let at = process.at;
    let away = Arc::new(AtomicBool::new(false));
    let players: Vec<_> = (0..2)
        .map(|n| {
            let (away, player) = (Arc::clone(&away), Player::guest(at, n));
            thread::spawn(move || player.hesitate(&away))
        })
        .collect();
    process.wait_until_matches_run(1);
    process.kill();
    away.store(true, Ordering::Relaxed);
    let players: Vec<Player> = players.into_iter().map(|it| it.join().unwrap()).collect();
    // As if the clock had been an hour ahead when the match began.
    let ahead = "sqlite3 referee-data/referee.sqlite 'UPDATE matches SET created_at = created_at + 3600000'";
    assert!(sh(home.path(), ahead).status.success());
    let games: Vec<_> = players
        .into_iter()
        .map(|player| thread::spawn(move || player.play_once(&AtomicBool::new(false))))
        .collect();
    let process = Process::start_on(&data, at, Round::Endless, None);
    for game in games {
        game.join().unwrap();
    }
    process.wait_until_no_match_runs();
    let matches = http(at, "GET", "/api/matches", "").unwrap();
    let (began, ended) = (&matches[0]["created_at"], &matches[0]["ended_at"]);
    assert!(ended.as_u64() >= began.as_u64(), "{matches}");
    assert!(ended.as_u64().is_some(), "{matches}");
}

fn open_matches(data: &Path) -> BTreeSet<String> {
    let mut store = Store::open_reader(&database(data)).unwrap();
    let open = store.read(|tx| {
        let open = tx.open_matches()?;
        Ok(open)
    });
    let open = open.unwrap();
    assert!(open.iter().all(|it| it.state == MatchState::Open));
    open.iter().map(|it| it.game_id.to_string()).collect()
}

// Promise: No documented command harms a running server.
#[test]
fn a_running_server_keeps_its_locks_when_others_open_and_close_its_database() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("referee-data");
    let process = Process::start(&data, Round::Patient);
    let check = || {
        let locks = fs::read_to_string("/proc/locks").unwrap();
        for file in ["referee.sqlite", "referee.sqlite-shm"] {
            let inode =
                std::os::unix::fs::MetadataExt::ino(&fs::metadata(data.join(file)).unwrap());
            let held = |line: &str| {
                let mut words = line.split_whitespace().skip(1);
                words.next() == Some("POSIX")
                    && words.nth(2) == Some(&process.pid().to_string())
                    && words
                        .next()
                        .is_some_and(|it| it.ends_with(&format!(":{inode}")))
            };
            assert!(locks.lines().any(held), "no lock on {file}:\n{locks}");
        }
    };
    check();
    Player::guest(process.at, 1);
    check();
    for command in [
        "sqlite3 referee-data/referee.sqlite '.backup copy.sqlite'",
        "referee ledger check",
        "referee backup mine.sqlite",
    ] {
        let output = sh(home.path(), command);
        assert!(output.status.success(), "{command}: {output:?}");
        check();
    }
}

// Promise: Nothing is committed to files that cannot be found again.
#[test]
fn a_server_whose_files_are_deleted_or_replaced_stops_with_exit_code_3() {
    for (harm, file) in [
        ("rm referee-data/referee.sqlite", "referee.sqlite "),
        ("rm referee-data/referee.sqlite*", "referee.sqlite "),
        ("rm referee-data/referee.sqlite-wal", "referee.sqlite-wal "),
        (
            "referee backup copy.sqlite && mv copy.sqlite referee-data/referee.sqlite",
            "referee.sqlite ",
        ),
    ] {
        let home = tempfile::tempdir().unwrap();
        let data = home.path().join("referee-data");
        let mut process = Process::start(&data, Round::Patient);
        let account = http(process.at, "POST", "/auth/guest", "").unwrap();
        let id = account["accountId"].as_str().unwrap().parse().unwrap();
        let output = sh(home.path(), harm);
        assert!(output.status.success(), "{harm}: {output:?}");
        // The server is idle: no client makes it write.
        assert_eq!(process.wait_for_end(), Some(3), "{harm}");
        let log = process.log();
        assert!(log.contains(file), "{harm}: {log}");
        // The server has saved a copy of the lost files, which can be restored.
        let (_, saved) = log.split_once("is in ").unwrap();
        let (saved, _) = saved.split_once(": restore it").unwrap();
        let output = sh(
            home.path(),
            &format!("referee restore {saved} --data again"),
        );
        assert!(output.status.success(), "{harm}: {output:?}");
        check_accounts(&home.path().join("again"), &[id]);
        if harm == "rm referee-data/referee.sqlite" {
            // A new empty database would hide the loss.
            let output = sh(home.path(), "referee serve --listen 127.0.0.1:0");
            assert_eq!(output.status.code(), Some(1), "{output:?}");
            assert!(said(&output).contains("is missing"), "{output:?}");
        }
    }
}

// Promise: A backup can be restored, and open matches continue from it.
#[test]
fn harmful_backups_and_restores_are_refused_and_change_nothing() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("referee-data");
    let process = Process::start(&data, Round::Patient);
    Player::guest(process.at, 1);
    let refused = |command: &str, why: &str| {
        let output = sh(home.path(), command);
        assert_eq!(output.status.code(), Some(1), "{command}: {output:?}");
        assert!(said(&output).contains(why), "{command}: {output:?}");
    };
    let audited = "referee ledger correct 1 --amount 5 --reason lost --operator ann --key one";
    assert!(sh(home.path(), audited).status.success());
    assert!(
        sh(home.path(), "referee backup copy.sqlite")
            .status
            .success()
    );
    let sound = fs::read(home.path().join("copy.sqlite")).unwrap();
    refused("referee backup copy.sqlite", "--force");
    refused(
        "referee backup referee-data/referee.sqlite --force",
        "in use",
    );
    refused("referee backup nowhere/copy.sqlite", "nowhere");
    refused(
        "REFEREE_DATABASE_URL=postgres://me@localhost/x referee backup copy.sqlite",
        "pg_dump",
    );
    refused(
        "referee restore missing.sqlite --data fresh",
        "missing.sqlite",
    );
    refused("referee restore copy.sqlite", "exists");
    assert_eq!(fs::read(home.path().join("copy.sqlite")).unwrap(), sound);
    process.kill();

    // Any modification of a copy is detected.
    for harm in [
        "UPDATE balances SET amount = amount + 1 WHERE account <> 'issue'",
        "UPDATE audit SET kind = 'nothing'",
        "DROP TABLE events",
        "DELETE FROM writer",
        "INSERT INTO schema_version (version) VALUES (99)",
    ] {
        fs::write(home.path().join("bad.sqlite"), &sound).unwrap();
        let output = sh(home.path(), &format!("sqlite3 bad.sqlite \"{harm}\""));
        assert!(output.status.success(), "{output:?}");
        refused(
            "referee restore bad.sqlite --data fresh",
            "nothing was restored",
        );
        assert!(!home.path().join("fresh/referee.sqlite").exists(), "{harm}");
    }
    let mut torn = sound.clone();
    torn.truncate(sound.len() / 2);
    fs::write(home.path().join("bad.sqlite"), torn).unwrap();
    refused(
        "referee restore bad.sqlite --data fresh",
        "nothing was restored",
    );

    // With --force, the previous database is kept and can itself be restored.
    let output = sh(home.path(), "referee restore copy.sqlite --force");
    assert!(output.status.success(), "{output:?}");
    let out = String::from_utf8(output.stdout).unwrap();
    let kept = out.lines().next().unwrap().rsplit(' ').next().unwrap();
    let output = sh(home.path(), &format!("referee restore {kept} --data again"));
    assert!(output.status.success(), "{output:?}");
    for data in ["referee-data", "again"] {
        let output = sh(home.path(), &format!("referee doctor --data {data}"));
        assert!(output.status.success(), "{output:?}");
        assert_eq!(check_accounts(&home.path().join(data), &[]), 1);
    }
}

#[test]
fn the_doctor_reports_each_fault_under_its_check() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("referee-data");
    Process::start(&data, Round::Patient).kill();
    let doctor = || {
        let output = sh(home.path(), "referee doctor");
        let out = String::from_utf8(output.stdout).unwrap();
        let findings = out.lines().filter(|it| it.contains("FINDING"));
        let found: Vec<String> = findings
            .map(|it| it.split_whitespace().next().unwrap().to_owned())
            .collect();
        assert_eq!(output.status.code(), Some(i32::from(!found.is_empty())));
        assert_eq!(out.lines().count(), 8, "{out}");
        found
    };
    assert_eq!(doctor(), [""; 0]);
    for (harm, heal, subject) in [
        (
            "chmod 644 referee-data/referee.sqlite",
            "chmod 600 referee-data/referee.sqlite",
            "files",
        ),
        (
            "sqlite3 referee-data/referee.sqlite \"INSERT INTO balances VALUES ('burn', 3)\"",
            "sqlite3 referee-data/referee.sqlite \"DELETE FROM balances\"",
            "books",
        ),
        (
            "sqlite3 referee-data/referee.sqlite \"INSERT INTO audit_head VALUES (1, 3, x'00')\"",
            "sqlite3 referee-data/referee.sqlite \"DELETE FROM audit_head\"",
            "audit",
        ),
        (
            "sqlite3 referee-data/referee.sqlite \"INSERT INTO matches (game_id, game, mode, state, terms, secret, stake, created_at) VALUES ('00000000-0000-4000-8000-000000000000', 'orcain', 'pvp', 'open', '{}', x'', 0, 1); INSERT INTO events VALUES (1, 1, x'00')\"",
            "sqlite3 referee-data/referee.sqlite \"DELETE FROM events; DELETE FROM matches\"",
            "events",
        ),
        (
            "sqlite3 referee-data/referee.sqlite \"INSERT INTO seated VALUES (77, 'none')\"",
            "sqlite3 referee-data/referee.sqlite \"DELETE FROM seated\"",
            "pages",
        ),
    ] {
        assert!(sh(home.path(), harm).status.success(), "{harm}");
        assert_eq!(doctor(), [subject], "{harm}");
        assert!(sh(home.path(), heal).status.success(), "{heal}");
    }
    assert_eq!(doctor(), [""; 0]);
}

/// Creates an account with this nickname and returns its token.
fn named(at: SocketAddr, name: &str) -> String {
    let account = http(at, "POST", "/auth/guest", "").unwrap();
    let token = account["authToken"].as_str().unwrap().to_owned();
    let body = format!(r#"{{"nickname":"{name}"}}"#);
    let taken = post(at, "/account/nickname", &token, &body).unwrap();
    assert_eq!(taken["nickname"], name, "{taken}");
    token
}

/// The balance of the account that a token belongs to; `None` if the server refuses the token.
fn tokens(at: SocketAddr, token: &str) -> Option<u64> {
    http(at, "GET", "/auth/me", token).unwrap()["tokens"].as_u64()
}

fn database(data: &Path) -> Place {
    Place::Sqlite(data.join("referee.sqlite"))
}

/// Runs a command line in a folder, with `referee` on the path.
fn sh(folder: &Path, line: &str) -> Output {
    sh_with(folder, line, &[])
}

/// Like [`sh`], with environment variables.
pub(crate) fn sh_with(folder: &Path, line: &str, variables: &[(&str, &str)]) -> Output {
    let began = Instant::now();
    let output = shell(folder, line, variables).output().unwrap();
    assert!(began.elapsed() < Duration::from_secs(60), "{line}");
    output
}

/// A shell command that runs a line with `referee` on the path.
pub(crate) fn shell(folder: &Path, line: &str, variables: &[(&str, &str)]) -> Command {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_referee"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", path)
        .envs(variables.iter().copied());
    shell
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
