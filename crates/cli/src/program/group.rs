//! The process groups of running programs, tracked so that none outlives this process.

use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::signal::unix::{SignalKind, signal};

/// The running groups, by the id of their first process.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Registers a group that was started.
pub(super) fn enter(id: u32) {
    running().insert(id);
}

/// Unregisters a group that was waited for. The system may reuse its id from now on.
pub(super) fn leave(id: u32) {
    running().remove(&id);
}

/// Kills a group, unless it is no longer registered.
pub(super) fn end(id: u32) {
    let pid = i32::try_from(id).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid.filter(|_| running().contains(&id)) {
        // It fails if the group has already ended, which is fine.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

/// Makes SIGINT, SIGTERM and SIGHUP kill all registered groups before this process exits.
pub(super) fn end_all_on_signals() -> Result<(), String> {
    static LISTENING: OnceLock<Result<(), String>> = OnceLock::new();
    LISTENING
        .get_or_init(|| listen().map_err(|error| format!("cannot listen for signals: {error}")))
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
