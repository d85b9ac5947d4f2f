//! The process groups of programs that run, so that none outlives this one.

use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::signal::unix::{SignalKind, signal};

/// The groups that run, by the id of their first process.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// A group was started.
pub(super) fn enter(id: u32) {
    running().insert(id);
}

/// A group has ended and was waited for: its id may be used again by others.
pub(super) fn leave(id: u32) {
    running().remove(&id);
}

/// Ends a group that was started here and has not been waited for yet.
pub(super) fn end(id: u32) {
    let pid = i32::try_from(id).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid.filter(|_| running().contains(&id)) {
        // A group that is gone already is what was wanted.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

/// From now on an interrupt, a hang-up or a request to end takes the programs along.
pub(super) fn end_all_on_signals() -> Result<(), String> {
    static LISTENING: OnceLock<Result<(), String>> = OnceLock::new();
    LISTENING
        .get_or_init(|| listen().map_err(|error| format!("signals cannot be heard: {error}")))
        .clone()
}

fn listen() -> Result<(), std::io::Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    let inside = runtime.enter();
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    drop(inside);
    thread::spawn(move || {
        let code = runtime.block_on(async {
            tokio::select! {
                _ = interrupt.recv() => 130,
                _ = terminate.recv() => 143,
                _ = hang_up.recv() => 129,
            }
        });
        let ids: Vec<u32> = running().iter().copied().collect();
        ids.into_iter().for_each(end);
        std::process::exit(code);
    });
    Ok(())
}

fn running() -> std::sync::MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}
