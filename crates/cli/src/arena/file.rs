//! The result file of an arena run: a header, then one line per finished bout.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use bots::arena::{Bout, BoutId};
use serde::{Deserialize, Serialize};

use crate::common::Failure;

/// The format and its version.
pub(super) const FORMAT: &str = "referee-arena-1";

/// Larger files are refused.
const FILE_BYTES_MAX: u64 = 1 << 30;

/// The parameters of a run. A run resumes only from a file with the same header.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) arena: String,
    pub(super) game: String,
    pub(super) rules_version: String,
    /// The hash of the setup, with a note if each bout draws the parts that it leaves open.
    pub(super) setup: String,
    pub(super) seats: Vec<String>,
    pub(super) games: u32,
    pub(super) seed: String,
}

/// A result file open for appending.
pub(super) struct BoutFile {
    file: File,
    shown: String,
}

impl BoutFile {
    /// Opens or creates the file and returns the bouts in it. An incomplete last line is
    /// truncated, and its bout is played again.
    pub(super) fn open(
        path: &Path,
        header: &Header,
        all: &BTreeSet<BoutId>,
    ) -> Result<(BoutFile, Vec<Bout>), Failure> {
        let shown = path.display().to_string();
        let named = |error: std::io::Error| format!("{shown}: {error}");
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(named)?;
        let mut text = Vec::new();
        Read::by_ref(&mut file)
            .take(FILE_BYTES_MAX + 1)
            .read_to_end(&mut text)
            .map_err(named)?;
        if text.len() as u64 > FILE_BYTES_MAX {
            return Err(Failure::Wrong(format!(
                "{shown}: this is not an arena file: it is too large"
            )));
        }
        let whole = text
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let bouts =
            read(&text[..whole], header, all).map_err(|fault| format!("{shown}: {fault}"))?;
        if whole == 0 && !header_line(header)?.as_bytes().starts_with(&text) {
            return Err(Failure::Wrong(format!(
                "{shown}: this is not an arena file"
            )));
        }
        file.set_len(whole as u64).map_err(named)?;
        file.seek(SeekFrom::End(0)).map_err(named)?;
        let mut file = BoutFile { file, shown };
        if whole == 0 {
            file.write(&header_line(header)?)?;
        }
        Ok((file, bouts))
    }

    pub(super) fn push(&mut self, bout: &Bout) -> Result<(), String> {
        let line = serde_json::to_string(bout).map_err(|error| error.to_string())?;
        self.write(&(line + "\n"))
    }

    fn write(&mut self, line: &str) -> Result<(), String> {
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|error| format!("{}: {error}", self.shown))
    }
}

fn header_line(header: &Header) -> Result<String, String> {
    let line = serde_json::to_string(header).map_err(|error| error.to_string())?;
    Ok(line + "\n")
}

/// Reads the bouts from `text`, which ends with a complete line.
fn read(text: &[u8], header: &Header, all: &BTreeSet<BoutId>) -> Result<Vec<Bout>, String> {
    let mut lines = text.split(|&byte| byte == b'\n');
    let Some(first) = lines.next().filter(|line| !line.is_empty()) else {
        return Ok(Vec::new());
    };
    let found: Header = serde_json::from_slice(first)
        .map_err(|error| format!("line 1: this is not an arena file: {error}"))?;
    if found != *header {
        return Err(format!(
            "this file belongs to another run: {}. Repeat that run's command, or choose another file",
            differences(&found, header).join("; ")
        ));
    }
    let mut bouts: Vec<Bout> = Vec::new();
    let mut seen = BTreeSet::new();
    for (idx, line) in lines.enumerate().filter(|(_, line)| !line.is_empty()) {
        let number = idx + 2;
        let bout: Bout =
            serde_json::from_slice(line).map_err(|error| format!("line {number}: {error}"))?;
        if !all.contains(&bout.id) || !seen.insert(bout.id) {
            return Err(format!(
                "line {number}: a duplicate bout, or one that is not part of this run: {:?}",
                bout.id
            ));
        }
        bouts.push(bout);
    }
    Ok(bouts)
}

/// Lists the header fields in which two runs differ.
fn differences(found: &Header, asked: &Header) -> Vec<String> {
    let [found_games, asked_games] = [found.games, asked.games].map(|n| n.to_string());
    let [found_seats, asked_seats] = [&found.seats, &asked.seats].map(|names| names.join(","));
    [
        ("format", &found.arena, &asked.arena),
        ("game", &found.game, &asked.game),
        ("rules_version", &found.rules_version, &asked.rules_version),
        ("setup", &found.setup, &asked.setup),
        ("seats", &found_seats, &asked_seats),
        ("games", &found_games, &asked_games),
        ("seed", &found.seed, &asked.seed),
    ]
    .into_iter()
    .filter(|(_, found, asked)| found != asked)
    .map(|(key, found, asked)| format!("{key} is {found} in the file and {asked} here"))
    .collect()
}
