//! A complete run: creates accounts, plays, and measures.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep_until, timeout_at};

use super::company::Company;
use super::measures::Shared;
use super::part::Part;
use super::plan::Plan;
use super::player::play;
use super::process::{Usage, usage};
use super::report::{Report, ServerUse};
use super::roster::Roster;
use super::{Args, guests, lag};

/// A player's game, company and token.
type Seated = ((Part, Company), String);

pub(super) async fn drive(args: &Args) -> Result<Report, String> {
    let roster = Roster::new(args);
    let players = roster.players()?;
    let tokens = guests::make(args.server, roster.n_players()).await?;
    let ahead_us = lag::measure_ahead_us(args.server).await?;
    let shared = Shared::default();
    let mut watchers = JoinSet::new();
    watchers.spawn(lag::watch_own_lag(shared.clone()));
    let before = args.server_pid.and_then(usage);
    let peak = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    if let Some(pid) = args.server_pid {
        watchers.spawn(watch_memory(pid, std::sync::Arc::clone(&peak)));
    }
    let seated = players.into_iter().zip(tokens).collect();
    let began = Instant::now();
    let n_left = play_all(args, Plan::new(args, ahead_us), seated, &shared).await;
    let seconds = began.elapsed().as_secs_f64();
    watchers.shutdown().await;
    let after = args.server_pid.and_then(usage);
    let peak_kb = peak.load(std::sync::atomic::Ordering::Relaxed);
    let server = server_use(before, after, peak_kb, seconds);
    let measures = shared.lock();
    Ok(Report::new(
        args, &roster, &measures, seconds, n_left, server,
    ))
}

/// Runs all players until they finish or time is up. Returns the number of unfinished players.
async fn play_all(args: &Args, plan: Plan, seated: Vec<Seated>, shared: &Shared) -> u64 {
    let give_up = Instant::now() + Duration::from_secs(args.give_up_seconds);
    let gap = Duration::from_secs(1) / args.connects_per_second;
    let mut players = JoinSet::new();
    let mut next = Instant::now();
    for (number, (player, token)) in (0..).zip(seated) {
        sleep_until(next).await;
        next += gap;
        players.spawn(play(plan.clone(), number, player, token, shared.clone()));
    }
    while let Ok(Some(_)) = timeout_at(give_up, players.join_next()).await {}
    let n_left = players.len() as u64;
    players.shutdown().await;
    n_left
}

async fn watch_memory(pid: u32, peak_kb: std::sync::Arc<std::sync::atomic::AtomicU64>) {
    let mut ticks = interval(Duration::from_millis(500));
    loop {
        ticks.tick().await;
        let rss_kb = usage(pid).map_or(0, |usage| usage.rss_kb);
        peak_kb.fetch_max(rss_kb, std::sync::atomic::Ordering::Relaxed);
    }
}

fn server_use(
    before: Option<Usage>,
    after: Option<Usage>,
    rss_peak_kb: u64,
    seconds: f64,
) -> Option<ServerUse> {
    let (before, after) = (before?, after?);
    let cpu_seconds = after.cpu_seconds - before.cpu_seconds;
    Some(ServerUse {
        cpu_seconds,
        cpu_cores: cpu_seconds / seconds.max(1e-9),
        rss_before_kb: before.rss_kb,
        rss_peak_kb: rss_peak_kb.max(after.rss_kb),
    })
}
