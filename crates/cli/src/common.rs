//! What several commands share: arguments, files, output.

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

/// Why a command did not succeed.
pub(crate) enum Failure {
    /// The input is wrong, and this says how.
    Wrong(String),
    /// The command line asks for what there is not, and this says how.
    Usage(String),
    /// The input is wrong, and the command has said how.
    Told,
    /// Whoever read the output has gone: nothing is wrong.
    Closed,
}

impl<E: fmt::Display> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::Wrong(error.to_string())
    }
}

pub(crate) type Done = Result<(), Failure>;

/// A game by name; the possible ones stand in `--help`.
pub(crate) fn game_parser() -> impl TypedValueParser<Value = GameName> {
    let names = GameName::ALL.map(GameName::as_str);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<GameName>())
}

/// A seed: a non-negative integer of up to 4096 bits.
pub(crate) fn parse_seed(text: &str) -> Result<Seed, String> {
    text.parse()
        .map_err(|error: kernel::rng::SeedError| error.to_string())
}

/// The setup of matches.
#[derive(clap::Args)]
pub(crate) struct SetupArgs {
    /// A JSON file with the setup or a scenario [default: the standard match].
    #[arg(long, value_name = "FILE", conflicts_with = "scenario")]
    setup: Option<PathBuf>,
    /// A scenario: the name of one that comes with the game, or a JSON file.
    #[arg(long, value_name = "NAME|FILE")]
    scenario: Option<String>,
}

impl SetupArgs {
    /// The setup by the game's one reader, or the standard one.
    pub(crate) fn read<G: Recorded>(&self) -> Result<G::Setup, Failure> {
        match (&self.setup, &self.scenario) {
            (Some(file), _) => read_setup_file::<G>(file),
            (None, Some(_)) if G::SCENARIOS.is_empty() => Err(Failure::Usage(format!(
                "{} has no scenarios: --setup takes a file with its setup",
                G::NAME
            ))),
            (None, Some(scenario)) if is_path(scenario) => {
                read_setup_file::<G>(Path::new(scenario))
            }
            (None, Some(name)) => G::read_setup(&Json::Text(name.clone()))
                .map_err(|faults| Failure::Usage(format!("--scenario {name}: {faults}"))),
            (None, None) => Ok(G::Setup::default()),
        }
    }
}

/// Names of scenarios have neither a dot nor a slash.
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

/// The JSON document in a file.
pub(crate) fn read_json(file: &Path) -> Result<Json, Failure> {
    let shown = file.display();
    let bytes = std::fs::read(file).map_err(|error| format!("{shown}: {error}"))?;
    json::read(&bytes).map_err(|error| Failure::Wrong(format!("{shown}: {error}")))
}

/// Writes a line to standard output. A reader that has gone ends the command quietly.
pub(crate) fn print(text: impl fmt::Display) -> Done {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}").map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::Closed,
        _ => Failure::Wrong(format!("standard output: {error}")),
    })
}

/// Writes a value as indented JSON.
pub(crate) fn print_json(value: &impl Serialize) -> Done {
    print(serde_json::to_string_pretty(value)?)
}

/// The lines of a record file, one at a time.
pub(crate) struct RecordFile {
    input: BufReader<File>,
    bytes: Vec<u8>,
    pub(crate) reader: Reader,
}

/// What came of asking a record file for its next line.
pub(crate) enum Next {
    Line(Line),
    End,
    /// The last line was cut short; all before it is usable.
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
        // One byte more than the longest line with its end: a longer one is seen to be so.
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

    /// The header, which says which game it is.
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

/// The game that a header names.
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

/// How many matches a figure rests on, and how many setups.
pub(crate) fn matches_on(n_games: u64, n_setups: u64) -> String {
    let counted = |n: u64, word: &str| match n {
        1 => format!("1 {word}"),
        _ => format!("{} {word}s", thousands(n)),
    };
    let games = match n_games {
        1 => "1 match".to_owned(),
        _ => format!("{} matches", thousands(n_games)),
    };
    format!("{games} on {}", counted(n_setups, "setup"))
}

/// A number with its thousands apart.
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
    fn thousands_stand_apart() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
