//! `referee verify`: checks records without trusting them.

use std::path::{Path, PathBuf};

use catalog::with_game;
use kernel::Recorded;
use kernel::record::{Chance, Line, Protection, RecordFault, Replay, Report};
use serde::Serialize;

use crate::common::{Done, Failure, Next, RecordFile, game_of, print, print_json};

/// Check records: every line, every hash, every rule, every draw.
///
/// For a directory, all records (*.jsonl) in it are checked.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee verify match.jsonl
  referee verify records --json")]
pub(crate) struct Args {
    /// Record files, or directories of them.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The result for one file.
#[derive(Serialize)]
struct Verification {
    file: String,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<Report>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<RecordFault>,
}

pub(crate) fn run(args: &Args) -> Done {
    let files = expand(&args.files)?;
    let mut verdicts = Vec::new();
    let mut n_bad = 0;
    for file in &files {
        let verdict = check(file);
        n_bad += usize::from(!verdict.ok);
        if args.json {
            verdicts.push(verdict);
        } else if files.len() == 1 || !verdict.ok {
            print(verdict.text())?;
        }
    }
    if args.json {
        print_json(&verdicts)?;
    } else if files.len() > 1 {
        print(format!(
            "{} records: {} valid, {n_bad} invalid",
            files.len(),
            files.len() - n_bad
        ))?;
    }
    if n_bad > 0 {
        Err(Failure::Told)
    } else {
        Ok(())
    }
}

/// Replaces each directory by the records in it, sorted by name.
fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let shown = path.display();
        let mut inside = Vec::new();
        for entry in path
            .read_dir()
            .map_err(|error| format!("{shown}: {error}"))?
        {
            let file = entry.map_err(|error| format!("{shown}: {error}"))?.path();
            if file.extension().is_some_and(|it| it == "jsonl") {
                inside.push(file);
            }
        }
        if inside.is_empty() {
            return Err(Failure::Wrong(format!(
                "{shown} contains no records (*.jsonl)"
            )));
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

/// Checks one file. Failure to open it is a fault like any other, so the remaining files are still
/// checked.
fn check(file: &Path) -> Verification {
    let result = RecordFile::open(file).and_then(|mut record| {
        let header = record.header()?;
        let game = game_of(&header)?;
        with_game!(game, G => check_lines(&mut record, Replay::<G>::begin(&header)?))
    });
    let (report, fault) = match result {
        Ok(report) => (Some(report), None),
        Err(fault) => (None, Some(fault)),
    };
    Verification {
        file: file.display().to_string(),
        ok: fault.is_none(),
        report,
        fault,
    }
}

fn check_lines<G: Recorded>(
    record: &mut RecordFile,
    mut replay: Replay<G>,
) -> Result<Report, RecordFault> {
    let mut closed = None;
    loop {
        match record.next()? {
            Next::Line(Line::Action(line)) => {
                replay.advance(&line, record.reader.n_lines())?;
            }
            Next::Line(Line::Closing(closing)) => {
                closed = Some(replay.close(&closing, record.reader.n_lines())?);
            }
            Next::Line(Line::Header(_)) => {}
            Next::Torn(fault) => return Err(fault),
            Next::End => return replay.report(&record.reader, closed),
        }
    }
}

impl Verification {
    fn text(&self) -> String {
        match (&self.report, &self.fault) {
            (Some(report), _) => {
                let outcome = report
                    .outcome
                    .map_or("not over yet".to_owned(), |it| it.to_string());
                let chance = match report.chance {
                    Chance::Redrawn => "chance verified",
                    Chance::Revealed => "seed revealed, chance verified",
                    Chance::Joint => "seed drawn jointly and revealed, chance verified",
                    Chance::Committed => "seed committed, not revealed",
                };
                let warning = match report.protection {
                    Protection::Chain => "",
                    Protection::HashesOnly => {
                        "\n  an older format without a chain: times and names are not protected"
                    }
                };
                let test = report.test.map(|it| match it.n_forced {
                    1 => "\n  a test match with 1 forced roll: unrated".to_owned(),
                    n => format!("\n  a test match with {n} forced rolls: unrated"),
                });
                format!(
                    "{}: valid: {} actions, {outcome}, {chance}\n  {}{}{warning}",
                    self.file,
                    report.n_actions,
                    report.state_hash,
                    test.unwrap_or_default()
                )
            }
            (None, Some(fault)) => format!("{}: {fault}", self.file),
            (None, None) => self.file.clone(),
        }
    }
}
