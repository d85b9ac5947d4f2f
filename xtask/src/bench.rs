//! Measures the release build next to its peers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::python::Venv;
use crate::step::{capture, cargo, command};
use crate::test::metadata;
use crate::{instructions, tools, wheel};

/// One measurement: its command, and peers that do the same work.
struct Bench {
    name: &'static str,
    /// Arguments of `referee`, without the number of games.
    args: &'static [&'static str],
    /// Numbers in the program's JSON answer, each with what it counts.
    fields: &'static [(&'static str, &'static str)],
    peers: &'static [Peer],
    n_games: u32,
    /// Instructions are counted on two lengths, so that starting up cancels out.
    n_games_counted: (u32, u32),
    /// A benchmark of a crate that prints a further table: the crate's name and its own.
    further: Option<(&'static str, &'static str)>,
    /// A peer measured in the same run: a Python script that prints the same fields as JSON.
    beside: Option<Beside>,
}

struct Beside {
    name: &'static str,
    script: &'static str,
}

struct Peer {
    name: &'static str,
    counts: &'static str,
    per_second: f64,
}

const BENCHES: &[Bench] = &[
    Bench {
        name: "orcain",
        args: &[
            "simulate",
            "orcain",
            "--seats",
            "random,random",
            "--threads",
            "1",
            "--seed",
            "1",
            "--json",
        ],
        fields: &[
            (
                "joint_decisions_per_core_second",
                "joint decisions per core-second",
            ),
            (
                "decisions_per_core_second",
                "agents' decisions per core-second",
            ),
            ("steps_per_second", "steps of every kind per second"),
            ("games_per_second", "games per second"),
        ],
        peers: &[
            Peer {
                name: "OpenSpiel goofspiel (C++)",
                counts: "joint decisions per core-second",
                per_second: 1.0e6,
            },
            Peer {
                name: "PufferLib tripletriad (C), writes observations",
                counts: "agents' decisions per core-second",
                per_second: 5.4e6,
            },
        ],
        n_games: 1_000_000,
        n_games_counted: (10_000, 20_000),
        further: None,
        beside: None,
    },
    Bench {
        name: "stellar",
        args: &[
            "simulate",
            "stellar",
            "--seats",
            "balanced,balanced",
            "--threads",
            "1",
            "--seed",
            "1",
            "--json",
        ],
        fields: &[
            (
                "turns_per_core_second",
                "turns per core-second, two commanders, 80 systems, 36 ships",
            ),
            (
                "decisions_per_core_second",
                "agents' decisions per core-second",
            ),
            ("games_per_second", "games per second"),
        ],
        peers: &[Peer {
            name: "the first implementation (TypeScript), two AIs",
            counts: "turns per core-second, two commanders, 80 systems, 36 ships",
            per_second: 31.0,
        }],
        n_games: 500,
        n_games_counted: (4, 12),
        further: Some(("stellar-bots", "growth")),
        beside: None,
    },
    Bench {
        name: "catan",
        args: &[
            "simulate",
            "catan",
            "--seats",
            "random,random",
            "--threads",
            "1",
            "--seed",
            "1",
            "--json",
        ],
        fields: &[
            ("games_per_core_second", "matches per core-second"),
            (
                "decisions_per_core_second",
                "agents' decisions per core-second",
            ),
        ],
        peers: &[],
        n_games: 10_000,
        n_games_counted: (100, 300),
        further: Some(("catan", "costs")),
        beside: Some(Beside {
            name: "catanatron 3.2.1 (Python), without player trades",
            script: "tests/python/bench_catanatron.py",
        }),
    },
];

const N_RUNS: usize = 3;

/// Takes the named measurement, or all of them, and prints a table for each.
pub(crate) fn run(name: Option<&str>) -> Result<bool> {
    if name == Some("learn") {
        return wheel::bench();
    }
    let chosen = choose(name)?;
    let referee = build()?;
    for bench in chosen {
        println!("{}", measure(bench, &referee)?);
    }
    Ok(true)
}

fn choose(name: Option<&str>) -> Result<Vec<&'static Bench>> {
    let chosen: Vec<_> = BENCHES
        .iter()
        .filter(|bench| name.is_none_or(|name| name == bench.name))
        .collect();
    if chosen.is_empty() {
        let mut known: Vec<_> = BENCHES.iter().map(|bench| bench.name).collect();
        known.push("learn");
        bail!(
            "There is no such measurement; there are: {}.",
            known.join(", ")
        );
    }
    Ok(chosen)
}

fn build() -> Result<PathBuf> {
    let metadata = metadata()?;
    let packages = metadata.workspace_packages();
    ensure!(
        packages.iter().any(|package| package.name == "cli"),
        "The workspace has no crate cli, so there is no program to measure."
    );
    let build = capture(cargo(&["build", "--release", "--package", "cli"]))?;
    ensure!(build.ok, "the release build failed:\n{}", build.text);
    Ok(metadata
        .target_directory
        .join("release/referee")
        .into_std_path_buf())
}

fn measure(bench: &Bench, referee: &Path) -> Result<String> {
    let mut runs = Vec::new();
    for _ in 0..N_RUNS {
        runs.push(answer(&mut simulate(
            Command::new(referee),
            bench,
            bench.n_games,
        ))?);
    }
    let mut text = format!("## {}\n\n{}\n\n", bench.name, circumstances(bench.n_games));
    text.push_str(&table(bench, &runs));
    if let Some(peer) = &bench.beside {
        text.push_str(&beside(bench, peer)?);
    }
    let counted = if tools::exists("valgrind", &["--version"]) {
        count_instructions(bench, referee)?
    } else {
        "Instructions were not counted: valgrind is not installed.".to_owned()
    };
    let further = bench.further.map_or(Ok(String::new()), further)?;
    Ok(format!("{text}\n{counted}\n{further}"))
}

/// The rows of a peer that is measured now, on the same machine.
fn beside(bench: &Bench, peer: &Beside) -> Result<String> {
    let venv = Venv::ensure(metadata()?.target_directory.as_std_path())?;
    let mut runs = Vec::new();
    for _ in 0..N_RUNS {
        runs.push(answer(venv.python().arg(peer.script))?);
    }
    Ok(rows(peer.name, bench, &runs))
}

/// The table that a benchmark of a crate prints.
fn further((package, name): (&str, &str)) -> Result<String> {
    let args = ["bench", "--quiet", "--package", package, "--bench", name];
    let output = cargo(&args).stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "the benchmark {name} failed");
    Ok(format!("\n{}", String::from_utf8_lossy(&output.stdout)))
}

fn simulate(mut program: Command, bench: &Bench, n_games: u32) -> Command {
    program
        .args(bench.args)
        .arg("--games")
        .arg(n_games.to_string());
    program
}

/// Runs the program and reads its JSON answer.
fn answer(command: &mut Command) -> Result<Value> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {command:?}"))?;
    ensure!(output.status.success(), "{command:?} failed");
    serde_json::from_slice(&output.stdout)
        .with_context(|| format!("{command:?} does not answer in JSON"))
}

fn table(bench: &Bench, runs: &[Value]) -> String {
    let mut table = "| Program | Unit | Best | Median |\n| --- | --- | ---: | ---: |\n".to_owned();
    table.push_str(&rows(&format!("Referee {}", bench.name), bench, runs));
    for peer in bench.peers {
        table.push_str(&format!(
            "| {}, measured earlier on the same kind of machine | {} | {} | |\n",
            peer.name,
            peer.counts,
            short(peer.per_second)
        ));
    }
    table
}

/// A row for each field of the answers of one program.
fn rows(program: &str, bench: &Bench, runs: &[Value]) -> String {
    let mut rows = String::new();
    for (field, counts) in bench.fields {
        let mut figures: Vec<f64> = runs.iter().filter_map(|run| run[field].as_f64()).collect();
        figures.sort_by(f64::total_cmp);
        let (best, median) = match figures.last() {
            Some(best) => (short(*best), short(figures[figures.len() / 2])),
            None => ("not reported".to_owned(), String::new()),
        };
        rows.push_str(&format!("| {program} | {counts} | {best} | {median} |\n"));
    }
    rows
}

/// A rate with three significant digits: `1.04 million`, `520 thousand`, `75.0`.
fn short(rate: f64) -> String {
    let (scaled, unit) = match rate {
        r if r >= 1e6 => (r / 1e6, " million"),
        r if r >= 1e3 => (r / 1e3, " thousand"),
        r => (r, ""),
    };
    let n_decimals = match scaled {
        s if s >= 100.0 => 0,
        s if s >= 10.0 => 1,
        _ => 2,
    };
    format!("{scaled:.n_decimals$}{unit}")
}

/// Counts instructions between a short and a long run.
fn count_instructions(bench: &Bench, referee: &Path) -> Result<String> {
    let count = |n_games: u32| -> Result<(u64, Value)> {
        let work = simulate(Command::new(referee), bench, n_games);
        let (instructions, output) = instructions::callgrind(&work)?;
        Ok((instructions, serde_json::from_slice(&output)?))
    };
    let (few, many) = bench.n_games_counted;
    let ((less, short), (more, long)) = (count(few)?, count(many)?);
    let joint = |answer: &Value| answer["joint_decisions"].as_u64();
    let (n, unit) = match (joint(&short), joint(&long)) {
        (Some(less), Some(more)) if more > less => (more - less, "joint decision"),
        _ => (u64::from(many - few), "game"),
    };
    Ok(format!(
        "{} instructions per {unit} (callgrind, {many} games less {few}).",
        more.saturating_sub(less) / n
    ))
}

/// The date, the commit and the processor.
fn circumstances(n_games: u32) -> String {
    let commit = capture(command("git", &["describe", "--always", "--dirty"]))
        .ok()
        .filter(|captured| captured.ok)
        .map_or_else(
            || "an unknown commit".to_owned(),
            |c| c.text.trim().to_owned(),
        );
    let processor = fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|info| processor(&info).map(str::to_owned))
        .unwrap_or_else(|| "an unknown processor".to_owned());
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    format!(
        "{}, {commit}, {processor}, {N_RUNS} runs of {n_games} games.",
        date(seconds)
    )
}

fn processor(cpuinfo: &str) -> Option<&str> {
    let (_, name) = cpuinfo.split_once("model name")?;
    name.lines()
        .next()?
        .split_once(':')
        .map(|(_, name)| name.trim())
}

/// The day of a Unix time in the Gregorian calendar, counted in years that start in March.
fn date(unix_seconds: u64) -> String {
    let days = unix_seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_shows_best_and_median_beside_the_peers() {
        let runs: Vec<Value> = [2.0e6, 4.0e6, 3.0e6]
            .map(|rate| serde_json::json!({ "joint_decisions_per_core_second": rate }))
            .into();
        let table = table(&BENCHES[0], &runs);
        assert!(table.contains(
            "| Referee orcain | joint decisions per core-second | 4.00 million | 3.00 million |"
        ));
        assert!(table.contains("| Referee orcain | games per second | not reported |  |"));
        assert!(table.contains("OpenSpiel goofspiel (C++), measured earlier"));
    }

    #[test]
    fn rates_are_short() {
        assert_eq!(short(1_040_000.0), "1.04 million");
        assert_eq!(short(520_400.0), "520 thousand");
        assert_eq!(short(75.04), "75.0");
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_400), "2000-02-29");
        assert_eq!(date(1_798_761_599), "2026-12-31");
    }

    #[test]
    fn an_unknown_measurement_is_refused() {
        assert!(choose(Some("chess")).is_err());
        assert_eq!(choose(None).unwrap().len(), BENCHES.len());
    }
}
