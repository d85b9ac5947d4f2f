//! Instruction counts of each game's inner loop: the same on a busy machine as on an idle one.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::step::{Outcome, command};
use crate::test::metadata;
use crate::{debian, tools};

/// The counts that a check compares with.
const STORED: &str = "xtask/instructions.json";
/// A count may rise by this much before the check fails.
const RISE_MAX_PERCENT: u64 = 5;

/// Instructions are counted on two lengths, so that starting up cancels out: on as many matches as
/// have about these many joint decisions.
const N_DECISIONS: (u64, u64) = (2_000, 8_000);
/// The matches from which the length of a match is estimated.
const N_SAMPLES: u64 = 10;

/// The instructions for one joint decision in matches between agents of one kind.
fn count(program: &Path, game: &str, agent: &str) -> Result<u64> {
    let work = |n_games: u64| {
        let mut work = Command::new(program);
        work.args([game, agent, &n_games.to_string()]);
        work
    };
    let n_decisions =
        |output: &[u8]| -> Result<u64> { Ok(std::str::from_utf8(output)?.trim().parse()?) };
    let play = |n_games: u64| -> Result<(u64, u64)> {
        let (instructions, output) = callgrind(&work(n_games))?;
        Ok((instructions, n_decisions(&output)?))
    };
    let sample = n_decisions(&work(N_SAMPLES).output()?.stdout)?.max(1);
    let few = (N_DECISIONS.0 * N_SAMPLES).div_ceil(sample);
    let many = (N_DECISIONS.1 * N_SAMPLES).div_ceil(sample).max(few + 1);
    let (less, more) = (play(few)?, play(many)?);
    Ok(more.0.saturating_sub(less.0) / more.1.saturating_sub(less.1).max(1))
}

/// Instructions per joint decision, by game and agent.
type Counts = BTreeMap<String, u64>;

/// Fails if a game takes more instructions than stored.
pub(crate) fn step() -> Result<Outcome> {
    let (stored, now) = (stored()?, count_all()?);
    let faults = rises(&stored, &now);
    Ok(Outcome::faults(&faults).with_note(summary(&stored, &now)))
}

/// Compares the counts with the stored ones; false if one has risen too far.
pub(crate) fn check() -> Result<bool> {
    let faults = rises(&stored()?, &printed()?);
    for fault in &faults {
        eprintln!("{fault}");
    }
    Ok(faults.is_empty())
}

/// Stores the counts.
pub(crate) fn bless() -> Result<bool> {
    store(&printed()?)?;
    Ok(true)
}

/// Stores counts for what has none yet, and leaves the others as they are.
pub(crate) fn bless_missing() -> Result<()> {
    let mut counts = stored()?;
    counts.extend(count_loops(|name| !counts.contains_key(name))?);
    store(&counts)
}

fn store(counts: &Counts) -> Result<()> {
    let text = serde_json::to_string_pretty(counts)? + "\n";
    fs::write(STORED, text).with_context(|| format!("cannot write {STORED}"))
}

fn printed() -> Result<Counts> {
    let counts = count_all()?;
    for (game, count) in &counts {
        println!("{game}: {count} instructions per joint decision");
    }
    Ok(counts)
}

fn stored() -> Result<Counts> {
    let text = fs::read_to_string(STORED).with_context(|| format!("cannot read {STORED}"))?;
    serde_json::from_str(&text).with_context(|| format!("{STORED} is not a list of counts"))
}

fn count_all() -> Result<Counts> {
    count_loops(|_| true)
}

/// Counts the inner loops of the catalog that are wanted by name.
fn count_loops(is_wanted: impl Fn(&str) -> bool) -> Result<Counts> {
    ensure_valgrind()?;
    let built = tools::build_program()?;
    ensure!(built.ok, "the inner loop does not build:\n{}", built.text);
    let program = metadata()?
        .target_directory
        .join("debug/examples/inner_loop");
    let listed = Command::new(&program).output()?;
    let loops = String::from_utf8(listed.stdout)?;
    let count = |line: &str| {
        let (game, agent) = line
            .split_once(' ')
            .context("expected a game and an agent")?;
        Ok((line.to_owned(), count(program.as_std_path(), game, agent)?))
    };
    let wanted = loops.lines().filter(|line| is_wanted(line));
    wanted.map(count).collect()
}

fn ensure_valgrind() -> Result<()> {
    let there = || tools::exists("valgrind", &["--version"]);
    if !there() && debian::can_install() {
        debian::install(&["valgrind"])?;
    }
    if !there() {
        bail!("valgrind is missing: install it (on Debian: apt-get install valgrind).");
    }
    Ok(())
}

/// A fault for each count that rose too far, and for each that is stored or counted alone.
fn rises(stored: &Counts, now: &Counts) -> Vec<String> {
    let mut faults = Vec::new();
    for (game, count) in now {
        match stored.get(game) {
            Some(before) if *count > before * (100 + RISE_MAX_PERCENT) / 100 => {
                faults.push(format!(
                    "{game}: {count} instructions per joint decision, more than \
                     {RISE_MAX_PERCENT} % above the stored {before}. Find the reason, or run \
                     `cargo xtask bench --bless` if the work itself has grown."
                ));
            }
            Some(_) => {}
            None => faults.push(format!(
                "{game}: {STORED} has no count. Run `cargo xtask bench --bless`."
            )),
        }
    }
    let gone = stored.keys().filter(|game| !now.contains_key(*game));
    faults
        .extend(gone.map(|game| format!("{game}: {STORED} has a count, but nothing is counted.")));
    faults
}

/// The change of every count: `catan +0.3 %, orcain -2.0 %`.
fn summary(stored: &Counts, now: &Counts) -> String {
    let changes = now.iter().filter_map(|(game, count)| {
        let before = *stored.get(game)?;
        let change = 100.0 * (*count as f64 / before.max(1) as f64 - 1.0);
        Some(format!("{game} {change:+.1} %"))
    });
    changes.collect::<Vec<_>>().join(", ")
}

/// Counts the instructions of a command, and returns its output with them.
pub(crate) fn callgrind(work: &Command) -> Result<(u64, Vec<u8>)> {
    let mut valgrind = command(
        "valgrind",
        &["--tool=callgrind", "--callgrind-out-file=/dev/null"],
    );
    valgrind.arg(work.get_program()).args(work.get_args());
    let output = valgrind.output().context("cannot start valgrind")?;
    let log = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "valgrind failed:\n{log}");
    let instructions = collected(&log).context("callgrind reported no instructions")?;
    Ok((instructions, output.stdout))
}

/// The 123 of `==42== Collected : 123`.
fn collected(log: &str) -> Option<u64> {
    let (_, count) = log.split_once("Collected :")?;
    count.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(counts: &[(&str, u64)]) -> Counts {
        let owned = |(game, count): &(&str, u64)| ((*game).to_owned(), *count);
        counts.iter().map(owned).collect()
    }

    #[test]
    fn a_count_may_rise_by_five_percent_and_fall_freely() {
        let stored = counts(&[("chess", 1000), ("go", 1000)]);
        assert!(rises(&stored, &counts(&[("chess", 1050), ("go", 10)])).is_empty());
        let faults = rises(&stored, &counts(&[("chess", 1051), ("go", 1000)]));
        assert_eq!(faults.len(), 1);
        assert!(faults[0].starts_with("chess: 1051 instructions per joint decision"));
    }

    #[test]
    fn every_game_is_both_stored_and_counted() {
        let faults = rises(&counts(&[("chess", 1000)]), &counts(&[("go", 1000)]));
        assert_eq!(faults.len(), 2);
    }

    #[test]
    fn callgrinds_count_is_read_from_its_log() {
        let log = "==42== Events    : Ir\n==42== Collected : 123456\n==42== \n";
        assert_eq!(collected(log), Some(123_456));
        assert_eq!(collected("valgrind: not found"), None);
    }
}
