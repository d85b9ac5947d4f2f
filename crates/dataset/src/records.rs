//! Datasets from recorded matches, streamed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use kernel::record::{LINE_BYTES_MAX, Line, Reader, RecordFault, Replay};
use kernel::{GameExt, Step, doc};
use learn::{Encoder, Learn, Space};
use sha2::{Digest, Sha256};

use crate::fault::Problems;
use crate::folder::Folder;
use crate::rows::{Rows, Scribe};
use crate::shards::Shards;
use crate::{Fault, Manifest, Options, Source};

/// Replays the records in these files in order and writes them into a folder, which must be empty
/// or not exist yet. A file holds one match, or several in a row. `done` receives the number of
/// matches read so far.
///
/// Every line, hash and rule is checked. After a fault no more matches are stored, but the other
/// files are still read, so that all faults are reported at once.
pub fn from_records<G: Learn>(
    files: &[PathBuf],
    options: &Options,
    out: &Path,
    done: &dyn Fn(u64),
) -> Result<Manifest, Fault> {
    options.check::<G>()?;
    if files.is_empty() {
        return Err(Fault::Options(vec![
            "no records: name at least one file".to_owned(),
        ]));
    }
    let mut intake = Intake::<G>::new(options, Folder::create(out)?);
    let mut problems = Problems::default();
    for file in files {
        match intake.read_file(file, done, problems.is_empty()) {
            Ok(()) => {}
            Err(Stop::Record(fault)) => problems.push(file, fault),
            Err(Stop::Whole(fault)) => return Err(fault),
        }
    }
    match problems.is_empty() {
        true => intake.finish(),
        false => Err(Fault::Records(problems)),
    }
}

/// The files, with each folder replaced by the records (`*.jsonl`) in it, sorted by name.
pub fn record_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Fault> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let wrong = |error: io::Error| Fault::file(path, error);
        let mut inside = Vec::new();
        for entry in path.read_dir().map_err(wrong)? {
            let file = entry.map_err(wrong)?.path();
            if file.extension().is_some_and(|it| it == "jsonl") {
                inside.push(file);
            }
        }
        if inside.is_empty() {
            return Err(Fault::file(path, "holds no records (*.jsonl)"));
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

/// The reason to stop reading a file.
enum Stop {
    /// A record has a fault; other files can still be read.
    Record(RecordFault),
    /// The dataset cannot be written.
    Whole(Fault),
}

impl From<RecordFault> for Stop {
    fn from(fault: RecordFault) -> Stop {
        Stop::Record(fault)
    }
}

/// Reads records into shards.
struct Intake<'a, G: Learn> {
    options: &'a Options,
    /// Nothing is written before the first record determines the shape of rows.
    folder: Option<Folder>,
    known: Option<Known<G>>,
    n_matches: u64,
    hash: Sha256,
}

/// Facts from the first record, and the state of the records read so far.
struct Known<G: Learn> {
    setup: G::Setup,
    space: Space,
    has_one_setup: bool,
    scribe: Scribe,
    shards: Shards,
}

impl<'a, G: Learn> Intake<'a, G> {
    fn new(options: &'a Options, folder: Folder) -> Intake<'a, G> {
        Intake {
            options,
            folder: Some(folder),
            known: None,
            n_matches: 0,
            hash: Sha256::new(),
        }
    }

    fn read_file(&mut self, file: &Path, done: &dyn Fn(u64), keeps: bool) -> Result<(), Stop> {
        let mut lines = Lines::open(file)?;
        let mut n_before = 0;
        loop {
            let mut reader = Reader::new();
            let place = |fault: RecordFault| RecordFault {
                line: n_before + fault.line,
                ..fault
            };
            let rows = match self.read_match(&mut lines, &mut reader) {
                Ok(Some(rows)) => rows,
                Ok(None) if n_before > 0 => return Ok(()),
                Ok(None) => return Err(fault(1, "empty", "the record is empty").into()),
                Err(Stop::Record(fault)) => return Err(place(fault).into()),
                Err(stop) => return Err(stop),
            };
            n_before += reader.n_lines();
            self.n_matches += 1;
            if let Some(known) = self.known.as_mut().filter(|_| keeps) {
                known.shards.push(rows).map_err(Stop::Whole)?;
            }
            done(self.n_matches);
        }
    }

    /// Reads one match up to its closing line or the end of the file; `None` at the end of the
    /// file.
    fn read_match(&mut self, lines: &mut Lines, reader: &mut Reader) -> Result<Option<Rows>, Stop> {
        let header = match lines.next(reader, &mut self.hash)? {
            None => return Ok(None),
            Some(Line::Header(header)) => header,
            Some(_) => return Err(fault(1, "malformed_line", "expected a header").into()),
        };
        let mut replay = Replay::<G>::begin(&header)?;
        self.fit(&header)?;
        let Some(known) = &mut self.known else {
            return Ok(None);
        };
        known.scribe.begin();
        let mut closed = None;
        while closed.is_none() {
            match lines.next(reader, &mut self.hash)? {
                Some(Line::Action(line)) => {
                    let watch = |position: &G, step| {
                        if let Step::Play(seat, action) = step {
                            known.scribe.decide(position, seat, action);
                        }
                    };
                    replay.advance_watched(&line, reader.n_lines(), watch)?;
                }
                Some(Line::Closing(closing)) => {
                    closed = Some(replay.close(&closing, reader.n_lines())?);
                }
                Some(Line::Header(_)) => {}
                None => break,
            }
        }
        replay.report(reader, closed)?;
        let position = replay.table().position();
        let Some(outcome) = position.outcome() else {
            let message = "the match is not over: it has no result to learn from";
            return Err(fault(reader.n_lines(), "not_over", message).into());
        };
        Ok(Some(known.scribe.end(position, &outcome)))
    }

    /// The first match determines the shape of rows; others must fit it.
    fn fit(&mut self, header: &kernel::record::Header) -> Result<(), Stop> {
        let setup = doc::parse::<G::Setup>(&header.setup)
            .map_err(|faults| fault(1, "malformed_setup", faults.to_string()))?;
        if self
            .known
            .as_ref()
            .is_some_and(|known| known.setup == setup)
        {
            return Ok(());
        }
        if G::start(&setup).is_test() {
            return Err(fault(1, "test_match", crate::TEST_MATCH).into());
        }
        let unfit = |error: learn::Fault| fault(1, "malformed_setup", error.to_string());
        let space = Space::new::<G>(&setup).map_err(unfit)?;
        match (&mut self.known, self.folder.take()) {
            (Some(known), _) if known.space == space => known.has_one_setup = false,
            (Some(_), _) => {
                let message = "the observations or actions of its setup differ from those of the \
                               first match: make a separate dataset for it";
                return Err(fault(1, "other_shape", message).into());
            }
            (None, Some(folder)) => {
                self.known = Some(Known::new(setup, space, folder, self.options));
            }
            (None, None) => {}
        }
        Ok(())
    }

    fn finish(self) -> Result<Manifest, Fault> {
        let Some(known) = self.known else {
            return Err(Fault::Options(vec!["no records were read".to_owned()]));
        };
        let (folder, entries) = known.shards.finish()?;
        let digest = self.hash.finalize();
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let source = Source::Records {
            records: self.n_matches,
            sha256: format!("sha256:{hex}"),
        };
        let setup = known.has_one_setup.then_some(&known.setup);
        let manifest = Manifest::new::<G>(known.space, setup, source, self.options, entries)?;
        folder.finish(&manifest.to_text()?)?;
        Ok(manifest)
    }
}

impl<G: Learn> Known<G> {
    fn new(setup: G::Setup, space: Space, folder: Folder, options: &Options) -> Known<G> {
        let rows = Rows::new(space.n_values, space.n_actions, options.number);
        let encoder = Encoder::new::<G>(&setup);
        Known {
            scribe: Scribe::new(encoder, space.n_actions, options),
            shards: Shards::new(folder, options, rows),
            has_one_setup: true,
            setup,
            space,
        }
    }
}

/// The lines of a file, one at a time, up to the maximum length of a record's line.
struct Lines {
    input: BufReader<File>,
    bytes: Vec<u8>,
}

impl Lines {
    fn open(file: &Path) -> Result<Lines, RecordFault> {
        let input = File::open(file).and_then(|input| match input.metadata()?.is_dir() {
            true => Err(io::Error::other("this is a folder, not a record")),
            false => Ok(input),
        });
        let input = input.map_err(|error| fault(0, "cannot_open", error.to_string()))?;
        Ok(Lines {
            input: BufReader::with_capacity(1 << 16, input),
            bytes: Vec::new(),
        })
    }

    fn next(
        &mut self,
        reader: &mut Reader,
        hash: &mut Sha256,
    ) -> Result<Option<Line>, RecordFault> {
        self.bytes.clear();
        // One byte more than the longest line with its end, so that a longer one is detected.
        let mut limited = self.input.by_ref().take(LINE_BYTES_MAX as u64 + 2);
        let read = limited.read_until(b'\n', &mut self.bytes);
        read.map_err(|error| fault(reader.n_lines() + 1, "cannot_read", error.to_string()))?;
        hash.update(&self.bytes);
        match self.bytes.split_last() {
            None => Ok(None),
            Some((b'\n', line)) => reader.push(line).map(Some),
            Some(_) if self.bytes.len() > LINE_BYTES_MAX => reader.push(&self.bytes).map(Some),
            Some(_) => Err(reader.torn(self.bytes.len())),
        }
    }
}

fn fault(line: usize, code: &'static str, message: impl Into<String>) -> RecordFault {
    RecordFault {
        line,
        code,
        message: message.into(),
    }
}
