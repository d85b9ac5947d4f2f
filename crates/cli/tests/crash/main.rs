//! The real program is killed at any instant, and loses nothing.
//!
//! Promise: A killed process loses no acknowledged decision, no match and no token.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that cannot go on fails; what it saw is printed for people"
)]

mod books;
mod documented;
mod draws;
#[path = "../evidence/mod.rs"]
mod evidence;
mod games;
mod on_postgres;
mod operators;
mod player;
mod process;
mod seat;
mod servers;
mod signups;
mod socket;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use books::{Audit, START_TOKENS};
use draws::Draws;
use games::Pastime;
use player::{Acked, Played, Player};
use process::{Process, Round, Strace};

/// The players that play at the same time.
const COMPANIES: [Pastime; 6] = [
    Pastime::Orcain,
    Pastime::Orcain,
    Pastime::Orcain,
    Pastime::Catan,
    Pastime::CatanAtOneScreen,
    Pastime::Stellar,
];

/// How many kills the long test has, unless `REFEREE_KILLS` says otherwise.
const KILLS: usize = 200;

#[test]
fn slow_killed_at_many_random_instants_under_load_nothing_is_lost() {
    let kills = std::env::var("REFEREE_KILLS");
    killed_under_load(kills.map_or(KILLS, |kills| kills.parse().unwrap()));
}

#[test]
fn killed_at_ten_random_instants_under_load_nothing_is_lost() {
    killed_under_load(10);
}

fn killed_under_load(n_kills: usize) {
    let data = tempfile::tempdir().unwrap();
    let mut process = Process::start(data.path(), Round::Hurried);
    let at = process.at;
    let companies = (0..).zip(COMPANIES);
    let players: Vec<Player> = companies
        .flat_map(|(nth, pastime)| Player::company(at, 10 * nth, pastime))
        .collect();
    let n_players = players.len() as u64;
    let playing = Arc::new(AtomicBool::new(true));
    let players: Vec<_> = players
        .into_iter()
        .map(|player| {
            let playing = Arc::clone(&playing);
            thread::spawn(move || player.play(&playing))
        })
        .collect();
    let mut draws = Draws::new(2_026);
    let mut restarts = Vec::new();
    for _ in 0..n_kills {
        thread::sleep(Duration::from_millis(draws.below(500)));
        process.kill();
        let down = Instant::now();
        process = Process::start_on(data.path(), at, Round::Hurried, None);
        restarts.push(down.elapsed());
    }
    playing.store(false, Ordering::Relaxed);
    let played: Vec<Played> = players.into_iter().map(|it| it.join().unwrap()).collect();
    process.wait_until_no_match_runs();
    process.kill();
    let audit = Audit::of(data.path());
    let n_rematches: usize = played.iter().map(|it| it.n_rematches).sum();
    let acked: Vec<Acked> = played.into_iter().flat_map(|it| it.acked).collect();
    audit.check(&acked, n_players * START_TOKENS);
    audit.check_records();
    restarts.sort();
    let (median, slowest) = (restarts[n_kills / 2], restarts[n_kills - 1]);
    let courses = audit.courses();
    eprintln!(
        "{n_kills} kills, matches {courses:?}, {n_rematches} times somebody played again, {} \
         acknowledged decisions, restarts in {median:?}, at most {slowest:?}",
        acked.len(),
    );
    for kind in ["catan hotseat", "catan pvp", "orcain pvp", "stellar pvp"] {
        let was_played = courses.keys().any(|it| it.starts_with(kind));
        assert!(was_played, "{kind}: {courses:?}");
    }
    assert!(acked.len() > n_kills / 10, "there was load");
    assert!(
        n_rematches > 0 || n_kills < KILLS,
        "matches were played again"
    );
    assert!(median < Duration::from_secs(5), "{median:?}");
}

/// The matches in which the program is killed at single writes.
const TRACED: [Pastime; 3] = [Pastime::Orcain, Pastime::Catan, Pastime::Stellar];

/// At most so many calls of each kind are tried in the matches of a game that have more.
const CALLS_MAX: usize = 64;

#[test]
fn slow_killed_at_writes_and_syncs_all_over_a_match_nothing_is_lost() {
    for pastime in TRACED {
        for call in ["pwrite64", "fdatasync"] {
            let n_calls = killed_at(pastime, call, None);
            assert!(n_calls > 5, "{pastime:?}, {call}: {n_calls}");
            let step = n_calls.div_ceil(CALLS_MAX);
            let tried = (1..=n_calls).step_by(step);
            eprintln!(
                "{pastime:?}, {call}: killed at {} of {n_calls} calls",
                tried.clone().count()
            );
            for nth in tried {
                killed_at(pastime, call, Some(nth));
            }
        }
    }
}

#[test]
fn killed_at_some_syncs_of_a_match_nothing_is_lost() {
    for (pastime, nth) in TRACED.into_iter().zip([9, 3, 15]) {
        killed_at(pastime, "fdatasync", Some(nth));
    }
}

/// Plays one match against a server that dies at the `nth` call, then goes on with a sound
/// one. Gives the number of calls that a server made which did not die.
fn killed_at(pastime: Pastime, call: &'static str, nth: Option<usize>) -> usize {
    let data = tempfile::tempdir().unwrap();
    // Accounts are made by a sound server: what is tried here is a match.
    let sound = Process::start(data.path(), Round::Patient);
    let at = sound.at;
    let players = Player::company(at, 0, pastime);
    let n_players = players.len() as u64;
    sound.kill();
    let log = data.path().join("calls");
    let strace = Strace {
        call,
        nth,
        log: log.clone(),
    };
    let mut process = Process::start_on(data.path(), at, Round::Patient, Some(&strace));
    let over = Arc::new(AtomicBool::new(false));
    let games: Vec<_> = players
        .into_iter()
        .map(|player| {
            let over = Arc::clone(&over);
            thread::spawn(move || player.play_once(&over))
        })
        .collect();
    let deadline = Instant::now() + Duration::from_secs(50);
    while games.iter().any(|game| !game.is_finished()) {
        assert!(
            Instant::now() < deadline,
            "{pastime:?}, {call} {nth:?}: the match does not end"
        );
        if process.has_died() {
            process = Process::start_on(data.path(), at, Round::Patient, None);
        }
        thread::sleep(Duration::from_millis(5));
    }
    let acked: Vec<Acked> = games
        .into_iter()
        .flat_map(|it| it.join().unwrap())
        .collect();
    assert!(
        nth.is_some() || !acked.is_empty(),
        "{pastime:?}, {call}: a match was played"
    );
    if process.has_died() {
        process = Process::start_on(data.path(), at, Round::Patient, None);
    }
    process.wait_until_no_match_runs();
    process.kill();
    Audit::of(data.path()).check(&acked, n_players * START_TOKENS);
    let calls = std::fs::read_to_string(&log).unwrap_or_default();
    let mut by_thread: BTreeMap<&str, usize> = BTreeMap::new();
    for line in calls.lines().filter(|line| line.contains(call)) {
        let thread = line.split_whitespace().next().unwrap_or_default();
        *by_thread.entry(thread).or_default() += 1;
    }
    // Calls are counted by thread, and only one thread writes.
    by_thread.into_values().max().unwrap_or(0)
}
