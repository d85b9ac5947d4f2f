//! Process limits and resource usage.

use std::fs;

use rustix::process::{Resource, getrlimit, setrlimit};
use serde::Serialize;

#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub(super) struct Usage {
    pub(super) cpu_seconds: f64,
    pub(super) rss_kb: u64,
}

/// Raises this process's limit on open files to at least `n_files`.
pub(super) fn raise_file_limit(n_files: u64) -> Result<(), String> {
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= n_files) {
        return Ok(());
    }
    limit.current = Some(limit.maximum.map_or(n_files, |max| max.min(n_files)));
    if limit.current < Some(n_files) {
        let most = limit.maximum.unwrap_or_default();
        return Err(format!(
            "{n_files} open files are needed, but the system allows {most}: lower --matches, or \
             raise the limit (ulimit -Hn)"
        ));
    }
    setrlimit(Resource::Nofile, limit).map_err(|error| format!("cannot open enough files: {error}"))
}

/// The usage of a process so far. `None` if there is no such process, or no `/proc`.
pub(super) fn usage(pid: u32) -> Option<Usage> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let ticks_per_second = rustix::param::clock_ticks_per_second() as f64;
    Some(Usage {
        cpu_seconds: cpu_ticks(&stat)? as f64 / ticks_per_second,
        rss_kb: rss_kb(&status)?,
    })
}

/// Reads the user and system time from `/proc/PID/stat`. The program's name may contain spaces and
/// parentheses, so fields are counted after the last parenthesis.
fn cpu_ticks(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(") ")?;
    let mut fields = rest.split(' ').skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

fn rss_kb(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proc_files_are_parsed() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 3 0 1 2 3";
        assert_eq!(cpu_ticks(stat), Some(300));
        assert_eq!(rss_kb("Name:\tx\nVmRSS:\t  1234 kB\n"), Some(1234));
        let own = usage(std::process::id()).unwrap();
        assert!(own.rss_kb > 0);
        assert_eq!(usage(u32::MAX), None);
    }
}
