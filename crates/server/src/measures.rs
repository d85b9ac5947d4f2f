//! The metrics that operators watch, each with its help text: the server's counters, the process's
//! resources and the build.

use std::sync::OnceLock;

use metrics::{describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;

/// The bucket bounds of time histograms, in seconds.
const SECONDS: [f64; 11] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0,
];

const COUNTERS: &[(&str, &str)] = &[
    ("referee_accounts_made_total", "Accounts created."),
    ("referee_commits_total", "Transactions committed."),
    (
        "referee_committed_jobs_total",
        "Requests that shared these transactions.",
    ),
    (
        "referee_connections_refused_total",
        "Connections, and requests through a proxy, refused because the client or the server had too many.",
    ),
    (
        "referee_floods_total",
        "Sockets closed because they sent too many frames.",
    ),
    (
        "referee_foreign_origins_total",
        "Sockets and polls refused because the page's origin is not listed.",
    ),
    ("referee_frames_sent_total", "Messages sent over sockets."),
    ("referee_inputs_total", "Inputs to matches, by verdict."),
    (
        "referee_matches_begun_total",
        "Matches that began, by game.",
    ),
    (
        "referee_matches_ended_total",
        "Matches that ended, by game and reason.",
    ),
    (
        "referee_matches_quarantined_total",
        "Matches whose stored events are damaged or make their room panic.",
    ),
    (
        "referee_memory_refusals_total",
        "Messages, bodies and answers refused because too many bytes were held for the client or for all.",
    ),
    (
        "referee_misread_frames_total",
        "Messages that could not be read, by code.",
    ),
    (
        "referee_readers_broken_total",
        "Panics in a thread that reads from storage.",
    ),
    ("referee_rooms_broken_total", "Panics in a match."),
    (
        "referee_silent_sockets_total",
        "Sockets closed because they did not answer a heartbeat.",
    ),
    (
        "referee_slow_clients_total",
        "Sockets closed because too many messages waited to be read.",
    ),
    (
        "referee_slow_readers_total",
        "Connections closed because their client did not read.",
    ),
    (
        "referee_unknown_events_total",
        "Socket.IO events with an unknown name.",
    ),
    (
        "referee_upgrades_total",
        "Socket.IO connections upgraded from HTTP long-polling to WebSocket.",
    ),
    (
        "referee_workshop_microseconds_total",
        "Processor time spent on replays, galaxies and setups.",
    ),
];

const GAUGES: &[(&str, &str)] = &[
    ("referee_build_info", "The build of the program; always 1."),
    (
        "referee_held_bytes",
        "Bytes of messages, bodies and answers held for clients.",
    ),
    ("referee_matches_open", "Matches being played."),
    ("referee_players_waiting", "Players in queues."),
    (
        "referee_polling_sockets_open",
        "Socket.IO connections over HTTP long-polling.",
    ),
    ("referee_sockets_open", "Sockets open, of every transport."),
    (
        "referee_storage_writable",
        "1 if the last write succeeded, 0 if storage takes no writes.",
    ),
];

const HISTOGRAMS: &[(&str, &str)] = &[
    (
        "referee_commit_seconds",
        "Time of a transaction, from its start to its durable end.",
    ),
    (
        "referee_timer_lateness_seconds",
        "How much later than due the timers of matches fired.",
    ),
];

/// A source of the metrics of this process.
#[derive(Clone)]
pub(crate) struct Measures {
    recorder: PrometheusHandle,
    process: Collector,
}

impl Measures {
    /// Returns the recorder of the process. Servers in one process, as in tests, share it.
    pub(crate) fn start() -> Measures {
        static STARTED: OnceLock<Measures> = OnceLock::new();
        let measures = STARTED.get_or_init(|| {
            let builder = PrometheusBuilder::new();
            let seconds = Matcher::Suffix("_seconds".to_owned());
            let builder = builder.set_buckets_for_metric(seconds, &SECONDS);
            let recorder = builder.unwrap_or_default().build_recorder();
            let handle = recorder.handle();
            metrics::set_global_recorder(recorder).ok();
            let process = Collector::default();
            describe(&process);
            Measures {
                recorder: handle,
                process,
            }
        });
        measures.clone()
    }

    /// Renders all metrics in the text format of Prometheus.
    pub(crate) fn render(&self) -> String {
        self.process.collect();
        self.recorder.render()
    }

    /// Keeps the memory of histograms small. Must be called regularly.
    pub(crate) fn run_upkeep(&self) {
        self.recorder.run_upkeep();
    }
}

fn describe(process: &Collector) {
    for (name, help) in COUNTERS {
        describe_counter!(*name, *help);
    }
    for (name, help) in GAUGES {
        describe_gauge!(*name, *help);
    }
    for (name, help) in HISTOGRAMS {
        describe_histogram!(*name, *help);
    }
    process.describe();
    let profile = if cfg!(debug_assertions) {
        "debug"
    } else {
        "release"
    };
    let build = metrics::gauge!("referee_build_info",
        "version" => env!("CARGO_PKG_VERSION"),
        "profile" => profile,
        "target" => std::env::consts::ARCH);
    build.set(1);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// Collects the names of metrics in the source files below a folder.
    fn names(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                names(&path, found);
            } else if !path.ends_with("measures.rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let quoted = text.split('"').filter(|it| it.starts_with("referee_"));
                found.extend(quoted.map(str::to_owned));
            }
        }
    }

    // Promise: Every metric has its help text.
    #[test]
    fn every_metric_has_a_help_text_and_no_help_text_is_unused() {
        let mut counted = BTreeSet::from(["referee_build_info".to_owned()]);
        names(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
            &mut counted,
        );
        let described = [COUNTERS, GAUGES, HISTOGRAMS].concat();
        let described: BTreeSet<String> = described
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .collect();
        assert_eq!(counted, described);
    }

    #[test]
    fn the_rendered_text_has_help_process_and_build() {
        let measures = Measures::start();
        let text = measures.render();
        for line in [
            "# HELP referee_build_info ",
            "# TYPE referee_build_info gauge",
            "# HELP process_resident_memory_bytes ",
            "process_cpu_seconds_total ",
            "process_open_fds ",
        ] {
            assert!(text.contains(line), "no {line:?} in\n{text}");
        }
        let version = format!("version=\"{}\"", env!("CARGO_PKG_VERSION"));
        assert!(text.contains(&version), "{text}");
    }
}
