//! The real program can be killed at any instant without losing anything.
//!
//! Promise: A killed process loses no acknowledged decision, no match and no token.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that cannot continue must fail; results are printed for people"
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

/// The groups of players that play concurrently.
const COMPANIES: [Pastime; 6] = [
    Pastime::Orcain,
    Pastime::Orcain,
    Pastime::Orcain,
    Pastime::Catan,
    Pastime::CatanAtOneScreen,
    Pastime::Stellar,
];

/// The number of kills in the long test. `REFEREE_KILLS` overrides it.
const KILLS: usize = 200;

#[test]
fn slow_nothing_is_lost_when_killed_at_many_random_instants_under_load() {
    let kills = std::env::var("REFEREE_KILLS");
    killed_under_load(kills.map_or(KILLS, |kills| kills.parse().unwrap()));
}

#[test]
fn nothing_is_lost_when_killed_at_ten_random_instants_under_load() {
    killed_under_load(10);
}

fn killed_under_load(n_kills: usize) {
    let data = tempfile::tempdir().unwrap();
    let mut process = Process::start(data.path(), Round::Hurried);
    let at = process.at;
    let companies = (0..).zip(COMPANIES.into_iter().chain(Pastime::others()));
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
        "{n_kills} kills, matches {courses:?}, {n_rematches} rematches, {} \
         acknowledged decisions, restarts in {median:?}, at most {slowest:?}",
        acked.len(),
    );
    let others = Pastime::others().map(|it| format!("{} pvp", it.game()));
    let kinds = ["catan hotseat", "catan pvp", "orcain pvp", "stellar pvp"].map(str::to_owned);
    for kind in kinds.into_iter().chain(others) {
        let was_played = courses.keys().any(|it| it.starts_with(&kind));
        assert!(was_played, "{kind}: {courses:?}");
    }
    assert!(acked.len() > n_kills / 10, "too little load");
    assert!(n_rematches > 0 || n_kills < KILLS, "no match had a rematch");
    assert!(median < Duration::from_secs(5), "{median:?}");
}

/// The matches in which the program is killed at individual writes.
const TRACED: [Pastime; 3] = [Pastime::Orcain, Pastime::Catan, Pastime::Stellar];

/// The most calls of each kind that are tried per game.
const CALLS_MAX: usize = 64;

#[test]
fn slow_nothing_is_lost_when_killed_at_any_write_or_sync_of_a_match() {
    for pastime in TRACED.into_iter().chain(Pastime::others()) {
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
fn nothing_is_lost_when_killed_at_some_syncs_of_a_match() {
    let others = Pastime::others().map(|it| (it, 7));
    for (pastime, nth) in TRACED.into_iter().zip([9, 3, 15]).chain(others) {
        killed_at(pastime, "fdatasync", Some(nth));
    }
}

/// Plays one match on a server that is killed at the `nth` call, then continues on a normal one.
/// Returns the number of calls made, which is complete only if `nth` is `None`.
fn killed_at(pastime: Pastime, call: &'static str, nth: Option<usize>) -> usize {
    let data = tempfile::tempdir().unwrap();
    // A normal server creates the accounts: this tests only the match.
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
            "{pastime:?}, {call} {nth:?}: the match did not end"
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
        "{pastime:?}, {call}: no match was played"
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
