//! A match as a log: JSON Lines with one header, one line per action and one closing line.
//!
//! Every line is canonical JSON and carries `chain`: the SHA-256 of the previous line's chain (32
//! zero bytes before the header) followed by the canonical bytes of the line without `chain`. A
//! changed byte is therefore found at its line before any rule is applied. Every action line also
//! carries the `state_hash` after it, so replaying finds a line that is well formed but untrue.
//!
//! Nothing here touches a file: a [`Recorder`] appends lines to a buffer, a [`Reader`]
//! takes them one at a time, and a [`Replay`] plays them.

mod closing;
mod header;
mod line;
mod log;
mod reader;
mod recorder;
mod replay;
mod resume;
mod sealing;

pub use closing::Closing;
pub use header::Header;
pub use line::{ActionLine, ActionResult, CHANCE, DEADLINE, LEAVE};
pub(crate) use log::check_log;
pub use log::{EXTENSION_TYPES, LogEntry, Moment, log_of, state_at};
pub use reader::{Line, Reader, RecordFault, split_lines};
pub use recorder::{Origin, Recorder};
pub use replay::{Chance, Protection, Replay, Report, TestMatch, verify};

/// The version of the record format. 0.3.0 had no `ending` in the closing line. 0.2.0 had no
/// `contributions` in the header, no `parts` in the opening and no departure cause `timeout`. 0.1.0
/// had no `chain`, no `result.chance` and no closing line; such records are still read, but only
/// their hashes protect them.
pub const SCHEMA_VERSION: &str = WITH_ENDING;

/// The version that a closing line with an `ending` names.
const WITH_ENDING: &str = "0.4.0";

/// The version that every other line names. A line names the first version that has all of its
/// fields, so that older programs can read it.
const WITHOUT_ENDING: &str = "0.3.0";

/// The maximum length of a line in bytes: a header may hold an entire scenario.
pub const LINE_BYTES_MAX: usize = 16 << 20;
