//! The report of a run.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Args;
use super::histogram::Summary;
use super::measures::Measures;
use super::roster::Roster;
use crate::common::thousands;

/// The results of a run. Serialized for `--json`.
#[derive(Serialize)]
pub(super) struct Report {
    protocol: &'static str,
    seconds: f64,
    sockets_max: u64,
    matches_wanted: u64,
    matches_begun: u64,
    matches_ended: u64,
    /// Players that had not finished when time was up.
    players_left: u64,
    sent: u64,
    received: u64,
    sent_per_second: f64,
    received_per_second: f64,
    games: Vec<GameReport>,
    confirm: Summary,
    step_late: Summary,
    deadline_late: Summary,
    own_lag: Summary,
    refusals: BTreeMap<String, u64>,
    troubles: BTreeMap<String, u64>,
    server: Option<ServerUse>,
}

/// The results of one game.
#[derive(Serialize)]
struct GameReport {
    game: &'static str,
    seats: u8,
    matches_wanted: u64,
    matches_begun: u64,
    matches_ended: u64,
    /// Answered decisions, without drafts.
    decisions: u64,
    confirm: Summary,
}

impl GameReport {
    fn all(roster: &Roster, measures: &Measures) -> Vec<GameReport> {
        let report = |group: &super::roster::Group| {
            let game = group.part.game;
            let of_game = measures.by_game.get(&game).cloned().unwrap_or_default();
            let matches = |n_seats: u64| n_seats / u64::from(group.n_seats);
            let confirm = of_game.confirms.summary();
            GameReport {
                game: game.as_str(),
                seats: group.n_seats,
                matches_wanted: group.n_matches,
                matches_begun: matches(of_game.n_seats_begun),
                matches_ended: matches(of_game.n_seats_ended),
                decisions: confirm.n,
                confirm,
            }
        };
        roster.groups.iter().map(report).collect()
    }

    fn line(&self) -> String {
        let Summary {
            p50_ms,
            p99_ms,
            max_ms,
            ..
        } = self.confirm;
        format!(
            "{}, {} seats: {} matches begun, {} ended; {} decisions, answered in {p50_ms:.2} ms \
             (p50), {p99_ms:.2} ms (p99), {max_ms:.2} ms (max)",
            self.game,
            self.seats,
            thousands(self.matches_begun),
            thousands(self.matches_ended),
            thousands(self.decisions),
        )
    }
}

/// The server's use of resources.
#[derive(Clone, Copy, Serialize)]
pub(super) struct ServerUse {
    pub(super) cpu_seconds: f64,
    pub(super) cpu_cores: f64,
    pub(super) rss_before_kb: u64,
    pub(super) rss_peak_kb: u64,
}

impl Report {
    pub(super) fn new(
        args: &Args,
        roster: &Roster,
        measures: &Measures,
        seconds: f64,
        players_left: u64,
        server: Option<ServerUse>,
    ) -> Report {
        let games = GameReport::all(roster, measures);
        let sum = |count: fn(&GameReport) -> u64| games.iter().map(count).sum();
        let per_second = |n: u64| n as f64 / seconds.max(1e-9);
        Report {
            protocol: if args.socketio {
                "socket.io"
            } else {
                "referee"
            },
            seconds,
            sockets_max: measures.n_sockets_max,
            matches_wanted: args.matches.into(),
            matches_begun: sum(|it| it.matches_begun),
            matches_ended: sum(|it| it.matches_ended),
            players_left,
            sent: measures.n_sent,
            received: measures.n_received,
            sent_per_second: per_second(measures.n_sent),
            received_per_second: per_second(measures.n_received),
            games,
            confirm: measures.confirms.summary(),
            step_late: measures.steps.summary(),
            deadline_late: measures.deadlines.summary(),
            own_lag: measures.own_lag.summary(),
            refusals: measures.refusals.clone(),
            troubles: measures.troubles.clone(),
            server,
        }
    }

    /// True if every match that began has ended and there were no errors.
    pub(super) fn is_sound(&self) -> bool {
        let all_ended = self.matches_begun > 0 && self.matches_begun == self.matches_ended;
        all_ended && self.players_left == 0 && self.troubles.is_empty()
    }

    pub(super) fn text(&self) -> String {
        let mut lines = vec![
            format!(
                "{:.1} s over {}: {} sockets at most, {} matches begun, {} ended",
                self.seconds,
                self.protocol,
                thousands(self.sockets_max),
                thousands(self.matches_begun),
                thousands(self.matches_ended)
            ),
            format!(
                "messages per second: {:.0} to the server, {:.0} from it",
                self.sent_per_second, self.received_per_second
            ),
            String::new(),
            format!(
                "{:<26} {:>10} {:>9} {:>9} {:>9} {:>9}",
                "milliseconds", "n", "p50", "p99", "p99.9", "max"
            ),
            row("decision to its answer", &self.confirm),
            row("reveal later than due", &self.step_late),
            row("deadline later than due", &self.deadline_late),
            row("this program's own lag", &self.own_lag),
        ];
        if self.games.len() > 1 {
            lines.push(String::new());
            lines.extend(self.games.iter().map(GameReport::line));
        }
        if let Some(server) = &self.server {
            lines.push(String::new());
            lines.push(self.server_line(server));
        }
        lines.extend(counts("refused", &self.refusals));
        lines.extend(counts("errors", &self.troubles));
        if self.players_left > 0 {
            let n = thousands(self.players_left);
            lines.push(format!("{n} players had not finished"));
        }
        lines.join("\n")
    }

    fn server_line(&self, server: &ServerUse) -> String {
        let grown_kb = server.rss_peak_kb.saturating_sub(server.rss_before_kb);
        format!(
            "server: {:.1} s of processor time ({:.2} cores), {:.1} MB at most, {:.1} KB more per match",
            server.cpu_seconds,
            server.cpu_cores,
            server.rss_peak_kb as f64 / 1024.0,
            grown_kb as f64 / self.matches_wanted.max(1) as f64
        )
    }
}

fn row(name: &str, summary: &Summary) -> String {
    format!(
        "{name:<26} {:>10} {:>9.2} {:>9.2} {:>9.2} {:>9.2}",
        thousands(summary.n),
        summary.p50_ms,
        summary.p99_ms,
        summary.p999_ms,
        summary.max_ms
    )
}

fn counts(name: &str, counts: &BTreeMap<String, u64>) -> Option<String> {
    let listed: Vec<String> = counts
        .iter()
        .map(|(what, n)| format!("{what} × {}", thousands(*n)))
        .collect();
    (!listed.is_empty()).then(|| format!("{name}: {}", listed.join(", ")))
}
