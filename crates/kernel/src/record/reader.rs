//! Reads lines: checks form and chain before any rule is applied.

use std::fmt;

use serde::Serialize;

use super::sealing::{Broken, CHAIN, Chain};
use super::{ActionLine, Closing, Header, LINE_BYTES_MAX};
use crate::doc::{self, Document};
use crate::json::{self, Json};

/// Reads the lines of a record one at a time and checks their form and their chain.
#[derive(Clone, Debug)]
pub struct Reader {
    chain: Chain,
    n_lines: usize,
    /// False for the older format, whose lines have no chain.
    chained: bool,
    closed: bool,
}

/// A line that was read.
#[derive(Clone, PartialEq, Debug)]
pub enum Line {
    /// The first line.
    Header(Box<Header>),
    /// A line between the first and the last.
    Action(Box<ActionLine>),
    /// The last line.
    Closing(Box<Closing>),
}

/// A fault in a record, with its line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RecordFault {
    /// The number of the line, from 1; 0 when the fault concerns no line.
    pub line: usize,
    /// The stable code of the fault.
    pub code: &'static str,
    /// The fault described in a sentence.
    pub message: String,
}

impl fmt::Display for RecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl std::error::Error for RecordFault {}

impl Default for Reader {
    fn default() -> Reader {
        Reader::new()
    }
}

impl Reader {
    /// A reader that expects a header next.
    pub fn new() -> Reader {
        Reader {
            chain: Chain::START,
            n_lines: 0,
            chained: true,
            closed: false,
        }
    }

    /// The number of lines read, including the last one even if it was refused.
    pub fn n_lines(&self) -> usize {
        self.n_lines
    }

    /// True once the closing line has been read.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// True if this record's format has closing lines and chains.
    pub fn is_chained(&self) -> bool {
        self.chained
    }

    /// The chain after the lines read so far.
    pub(super) fn chain(&self) -> Chain {
        self.chain
    }

    /// Reads the next line, without its line end.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Line, RecordFault> {
        self.n_lines += 1;
        if self.closed {
            return Err(self.fault("after_closing", "nothing may follow the closing line"));
        }
        let json = self.check(bytes)?;
        if self.n_lines == 1 {
            return self.parse(&json).map(Line::Header);
        }
        if json.get("closing").is_some() {
            self.closed = true;
            return self.parse(&json).map(Line::Closing);
        }
        self.parse(&json).map(Line::Action)
    }

    /// The fault for a last line without a line end, which an interrupted write leaves behind.
    pub fn torn(&self, n_bytes: usize) -> RecordFault {
        RecordFault {
            line: self.n_lines + 1,
            code: "torn_line",
            message: format!(
                "the last line has {n_bytes} bytes and no line end: a write was interrupted; \
                 everything before it is usable"
            ),
        }
    }

    fn check(&mut self, bytes: &[u8]) -> Result<Json, RecordFault> {
        if bytes.len() > LINE_BYTES_MAX {
            return Err(self.fault(
                "line_too_long",
                format!("a line has at most {LINE_BYTES_MAX} bytes"),
            ));
        }
        let mut json = json::read(bytes).map_err(|error| {
            self.fault("not_json", format!("this is not a JSON document: {error}"))
        })?;
        if self.n_lines == 1 {
            self.chained = json.get(CHAIN).is_some() || !is_older_format(&json);
        }
        if self.chained && json.get(CHAIN).is_none() {
            return Err(self.fault("no_chain", "the line has no chain"));
        }
        let checked = self.chain.check(bytes, &mut json);
        checked.map_err(|broken| self.broken(&broken))?;
        Ok(json)
    }

    fn parse<T: Document>(&self, json: &Json) -> Result<Box<T>, RecordFault> {
        doc::parse::<T>(json).map(Box::new).map_err(|faults| {
            let listed: Vec<String> = faults.iter().map(ToString::to_string).collect();
            self.fault("malformed_line", listed.join("; "))
        })
    }

    fn broken(&self, broken: &Broken) -> RecordFault {
        match broken {
            Broken::NotCanonical => self.fault(
                "not_canonical",
                "the line is not in canonical form: bytes were changed",
            ),
            Broken::Wrong { found, expected } => self.fault(
                "broken_chain",
                format!(
                    "the chain says {found}, but this line after the lines before it gives \
                     {expected}: this line was changed, or a line before it is missing, \
                     added or moved"
                ),
            ),
        }
    }

    fn fault(&self, code: &'static str, message: impl Into<String>) -> RecordFault {
        RecordFault {
            line: self.n_lines,
            code,
            message: message.into(),
        }
    }
}

/// True for version 0.1, which had no chain.
fn is_older_format(header: &Json) -> bool {
    let version = header.get("schema_version").and_then(Json::as_text);
    version.is_some_and(|version| version.starts_with("0.1."))
}

/// The complete lines of a record in memory, without their line ends, and the torn rest.
///
/// ```
/// let (lines, torn) = kernel::record::split_lines(b"one\ntwo\nthr");
/// assert_eq!(lines.collect::<Vec<_>>(), [b"one", b"two"]);
/// assert_eq!(torn, b"thr");
/// ```
pub fn split_lines(bytes: &[u8]) -> (impl Iterator<Item = &[u8]>, &[u8]) {
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    let (whole, torn) = bytes.split_at(end.map_or(0, |at| at + 1));
    let lines = whole.split_inclusive(|&byte| byte == b'\n');
    (lines.map(|line| &line[..line.len() - 1]), torn)
}
