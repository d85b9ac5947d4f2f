//! Arguments, file reading and output shared by several commands.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use catalog::GameName;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use kernel::Recorded;
use kernel::json::{self, Json};
use kernel::record::{LINE_BYTES_MAX, Line, Reader, RecordFault};
use kernel::rng::Seed;
use serde::Serialize;

/// The reason why a command stopped early.
pub(crate) enum Failure {
    /// The input is wrong; the text explains why. Exit code 1.
    Wrong(String),
    /// The command line is wrong; the text explains why. Exit code 2.
    Usage(String),
    /// The input is wrong, and the command has already printed why. Exit code 1.
    Told,
    /// The reader closed standard output. This is not an error. Exit code 0.
    Closed,
}

impl<E: fmt::Display> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::Wrong(error.to_string())
    }
}

pub(crate) type Done = Result<(), Failure>;

/// Parses the name of a game; `--help` lists the possible values.
pub(crate) fn game_parser() -> impl TypedValueParser<Value = GameName> {
    let names = GameName::ALL.map(GameName::as_str);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<GameName>())
}

/// Parses a non-negative integer of up to 4096 bits.
pub(crate) fn parse_seed(text: &str) -> Result<Seed, String> {
    text.parse()
        .map_err(|error: kernel::rng::SeedError| error.to_string())
}

/// The options that choose the setup of a match.
#[derive(clap::Args)]
pub(crate) struct SetupArgs {
    /// A JSON file with a setup or a scenario [default: the standard setup].
    #[arg(long, value_name = "FILE", conflicts_with = "scenario")]
    setup: Option<PathBuf>,
    /// The name of a scenario that ships with the game, or a JSON file.
    #[arg(long, value_name = "NAME|FILE")]
    scenario: Option<String>,
}

impl SetupArgs {
    /// True if an option chooses a setup.
    pub(crate) fn is_given(&self) -> bool {
        self.setup.is_some() || self.scenario.is_some()
    }

    /// Reads the requested setup, or returns the game's default.
    pub(crate) fn read<G: Recorded>(&self) -> Result<G::Setup, Failure> {
        match (&self.setup, &self.scenario) {
            (Some(file), _) => read_setup_file::<G>(file),
            (None, Some(_)) if G::SCENARIOS.is_empty() => Err(Failure::Usage(format!(
                "{} has no scenarios: pass a setup file with --setup",
                G::NAME
            ))),
            (None, Some(scenario)) => read_scenario::<G>(scenario),
            (None, None) => Ok(G::Setup::default()),
        }
    }
}

/// The options as they are typed, each after a space.
impl fmt::Display for SetupArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.setup {
            write!(f, " --setup {}", file.display())?;
        }
        if let Some(scenario) = &self.scenario {
            write!(f, " --scenario {scenario}")?;
        }
        Ok(())
    }
}

/// The setup of a scenario: one that comes with the game, by name, or a file.
pub(crate) fn read_scenario<G: Recorded>(scenario: &str) -> Result<G::Setup, Failure> {
    if is_path(scenario) {
        return read_setup_file::<G>(Path::new(scenario));
    }
    G::read_setup(&Json::Text(scenario.to_owned()))
        .map_err(|faults| Failure::Usage(format!("scenario {scenario}: {faults}")))
}

/// Scenario names contain neither a dot nor a slash.
fn is_path(scenario: &str) -> bool {
    scenario.contains(['.', '/', std::path::MAIN_SEPARATOR])
}

fn read_setup_file<G: Recorded>(file: &Path) -> Result<G::Setup, Failure> {
    let document = read_json(file)?;
    G::read_setup(&document).map_err(|faults| {
        let shown = file.display();
        Failure::Wrong(format!("{shown} is not a setup of {}:\n{faults}", G::NAME))
    })
}

/// Reads a JSON document. The error names the file.
pub(crate) fn read_json(file: &Path) -> Result<Json, Failure> {
    let shown = file.display();
    let bytes = std::fs::read(file).map_err(|error| format!("{shown}: {error}"))?;
    json::read(&bytes).map_err(|error| Failure::Wrong(format!("{shown}: {error}")))
}

/// Writes a line to standard output. A broken pipe ends the command without an error.
pub(crate) fn print(text: impl fmt::Display) -> Done {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}").map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::Closed,
        _ => Failure::Wrong(format!("standard output: {error}")),
    })
}

/// Writes a value to standard output as indented JSON.
pub(crate) fn print_json(value: &impl Serialize) -> Done {
    print(serde_json::to_string_pretty(value)?)
}

/// Reads a record file line by line.
pub(crate) struct RecordFile {
    input: BufReader<File>,
    bytes: Vec<u8>,
    pub(crate) reader: Reader,
}

/// The result of reading the next line of a record file.
pub(crate) enum Next {
    Line(Line),
    End,
    /// The last line is incomplete; all lines before it are usable.
    Torn(RecordFault),
}

impl RecordFile {
    pub(crate) fn open(file: &Path) -> Result<RecordFile, RecordFault> {
        let input = File::open(file).and_then(|input| match input.metadata()?.is_dir() {
            true => Err(io::Error::other("this is a directory, not a record")),
            false => Ok(input),
        });
        let input = input.map_err(|error| RecordFault {
            line: 0,
            code: "cannot_open",
            message: error.to_string(),
        })?;
        Ok(RecordFile {
            input: BufReader::with_capacity(1 << 16, input),
            bytes: Vec::new(),
            reader: Reader::new(),
        })
    }

    pub(crate) fn next(&mut self) -> Result<Next, RecordFault> {
        self.bytes.clear();
        // One byte more than the longest line and its newline, so that a longer line is detected.
        let mut limited = self.input.by_ref().take(LINE_BYTES_MAX as u64 + 2);
        let read = limited.read_until(b'\n', &mut self.bytes);
        read.map_err(|error| RecordFault {
            line: self.reader.n_lines() + 1,
            code: "cannot_read",
            message: error.to_string(),
        })?;
        match self.bytes.split_last() {
            None => Ok(Next::End),
            Some((b'\n', line)) => self.reader.push(line).map(Next::Line),
            Some(_) if self.bytes.len() > LINE_BYTES_MAX => {
                self.reader.push(&self.bytes).map(Next::Line)
            }
            Some(_) => Ok(Next::Torn(self.reader.torn(self.bytes.len()))),
        }
    }

    /// Reads the header, which must be the first line.
    pub(crate) fn header(&mut self) -> Result<Box<kernel::record::Header>, RecordFault> {
        match self.next()? {
            Next::Line(Line::Header(header)) => Ok(header),
            Next::Torn(fault) => Err(fault),
            _ => Err(RecordFault {
                line: 1,
                code: "empty",
                message: "the record is empty".to_owned(),
            }),
        }
    }
}

/// The game named by a header; fails with `wrong_game` if it is unknown.
pub(crate) fn game_of(header: &kernel::record::Header) -> Result<GameName, RecordFault> {
    header
        .game
        .parse()
        .map_err(|error: catalog::UnknownGame| RecordFault {
            line: 1,
            code: "wrong_game",
            message: error.to_string(),
        })
}

/// Formats a sample size, such as "1,000 matches on 1 setup".
pub(crate) fn matches_on(n_games: u64, n_setups: u64) -> String {
    let games = counted(n_games, "match", "matches");
    format!("{games} on {}", counted(n_setups, "setup", "setups"))
}

/// Formats a count with its noun, such as "0 errors", "1 error" or "1,000 errors".
pub(crate) fn counted(n: u64, one: &str, many: &str) -> String {
    let noun = if n == 1 { one } else { many };
    format!("{} {noun}", thousands(n))
}

/// Formats a number with thousands separators.
pub(crate) fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated_by_commas() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
