//! `referee scenario`: tools for Stellar Fleet scenarios.

mod balance;
mod new;

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::json;
use stellar::scenario::{self, Dialect, Finding, Report, Scenario, Severity};
use stellar::{Galaxy, draw_svg, shipped, survey};

use crate::common::{Done, Failure, counted, print, print_json, read_json};

/// Validate, upgrade, create, draw and measure Stellar Fleet scenarios.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  referee scenario generate --topology spiral --systems 60 --factions 3 --seed 1 --out war.json
  referee scenario validate war.json
  referee scenario map war.json --svg war.svg
  referee scenario generate --open-galaxy --out open.json
  referee scenario balance open.json --games 1000 --galaxies 100
  referee scenario upgrade old.json > new.json
  referee scenario show skirmish")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Report every finding in scenario files. The exit code is 1 if any file is invalid.
    Validate {
        /// The scenario files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
        /// The seed to generate the galaxy with, if the scenario does not fix one.
        #[arg(long, default_value_t = 0)]
        seed: u32,
    },
    /// Upgrade a scenario from an older format. Changes are listed on standard error.
    Upgrade {
        /// The scenario file.
        file: PathBuf,
    },
    /// Print the JSON Schema of scenarios.
    Schema,
    /// Create a scenario from flags, or interactively if --title is not given.
    New(new::Args),
    /// Generate a complete scenario with equal fleets.
    Generate(new::GenerateArgs),
    /// Let commanders play a scenario in many galaxies and report how even its seats are, how
    /// matches end, how long they last and whether skill pays.
    Balance(balance::Args),
    /// Draw the galaxy of a scenario: owners, ranges, homeworlds, the hill.
    Map {
        /// The scenario file.
        file: PathBuf,
        /// The SVG file to write.
        #[arg(long)]
        svg: PathBuf,
        /// The seed, if the scenario does not fix one.
        #[arg(long, default_value_t = 0)]
        seed: u32,
    },
    /// Print a scenario that ships with the game, or list them all.
    Show {
        /// The scenario's id.
        name: Option<String>,
    },
}

pub(crate) fn run(args: &Args) -> Done {
    match &args.command {
        Command::Validate { files, json, seed } => validate(files, *json, *seed),
        Command::Upgrade { file } => upgrade(file),
        Command::Schema => print_json(&scenario::schema()),
        Command::New(args) => new::run(args),
        Command::Generate(args) => new::generate(args),
        Command::Balance(args) => balance::run(args),
        Command::Map { file, svg, seed } => map(file, svg, *seed),
        Command::Show { name } => show(name.as_deref()),
    }
}

/// Validates one file. A file that is not JSON yields a `not_json` finding.
fn findings(file: &Path, seed: u32) -> Report {
    match read_json(file) {
        Ok(document) => survey(&document, seed).0,
        Err(Failure::Wrong(message) | Failure::Usage(message)) => Report {
            scenario: None,
            findings: vec![Finding::error("", "not_json", message)],
        },
        Err(Failure::Told | Failure::Closed) => Report::default(),
    }
}

fn validate(files: &[PathBuf], as_json: bool, seed: u32) -> Done {
    let reports: Vec<(&PathBuf, Report)> = files
        .iter()
        .map(|file| (file, findings(file, seed)))
        .collect();
    if as_json {
        let row = |(file, report): &(&PathBuf, Report)| {
            json!({
                "file": file,
                "valid": !report.has_errors(),
                "findings": report.findings,
            })
        };
        print_json(&reports.iter().map(row).collect::<Vec<_>>())?;
    } else {
        for (file, report) in &reports {
            print(table(file, report))?;
        }
    }
    match reports.iter().any(|(_, report)| report.has_errors()) {
        true => Err(Failure::Told),
        false => Ok(()),
    }
}

fn table(file: &Path, report: &Report) -> String {
    let count = |severity: Severity| {
        let found = report.findings.iter().filter(|it| it.severity == severity);
        found.count() as u64
    };
    let verdict = match report.has_errors() {
        true => "refused",
        false => "valid",
    };
    let (n_errors, n_warnings) = (count(Severity::Error), count(Severity::Warning));
    let mut lines = vec![format!(
        "{}: {verdict}, {}, {}",
        file.display(),
        counted(n_errors, "error", "errors"),
        counted(n_warnings, "warning", "warnings")
    )];
    let width = |of: fn(&Finding) -> usize| report.findings.iter().map(of).max().unwrap_or(0);
    let (codes, places) = (width(|it| it.code.len()), width(|it| it.pointer.len()));
    for it in &report.findings {
        let severity = it.severity.name();
        lines.push(format!(
            "  {severity:7}  {:codes$}  {:places$}  {}",
            it.code, it.pointer, it.message
        ));
    }
    lines.join("\n")
}

fn upgrade(file: &Path) -> Done {
    let upgraded = scenario::upgrade(&read_json(file)?);
    for finding in &upgraded.findings {
        eprintln!("{finding}");
    }
    match upgraded.document {
        Some(document) => print(document.pretty()),
        None => Err(Failure::Told),
    }
}

/// Reads a scenario and its galaxy. Fails with all findings if the scenario has errors.
fn galaxy_of(file: &Path, seed: u32) -> Result<(Scenario, Galaxy), Failure> {
    let (report, galaxy) = survey(&read_json(file)?, seed);
    match (&report.scenario, galaxy) {
        (Some(scenario), Some(galaxy)) => Ok((scenario.clone(), galaxy)),
        _ => Err(Failure::Wrong(table(file, &report))),
    }
}

fn map(file: &Path, svg: &Path, seed: u32) -> Done {
    let (scenario, galaxy) = galaxy_of(file, seed)?;
    write(svg, &draw_svg(&scenario, &galaxy))
}

fn write(file: &Path, text: &str) -> Done {
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()).into())
}

fn show(name: Option<&str>) -> Done {
    let Some(name) = name else {
        for name in shipped::NAMES {
            let scenario = shipped::scenario(name);
            let about = scenario.map_or(String::new(), |it| it.meta.description);
            print(format_args!("{name:16}  {about}"))?;
        }
        return Ok(());
    };
    match shipped::text(name) {
        Some(text) => print(text.trim_end()),
        None => Err(Failure::Usage(format!(
            "no scenario {name:?} ships with the game; choose one of {}",
            shipped::NAMES.join(", ")
        ))),
    }
}

/// Validates a scenario, then writes it to a file or to standard output.
fn hand_out(scenario: &Scenario, out: Option<&Path>, seed: u32) -> Done {
    let document = scenario.document(Dialect::File);
    let (report, _) = survey(&document, seed);
    for finding in &report.findings {
        eprintln!("{finding}");
    }
    if report.has_errors() {
        return Err(Failure::Told);
    }
    let text = document.pretty();
    match out {
        Some(file) => write(file, &format!("{text}\n")),
        None => print(text),
    }
}
