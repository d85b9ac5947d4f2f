//! Resumes a match from its record.

use super::replay::{Wrong, at_line, wrong};
use super::{Reader, RecordFault, Recorder, Replay};
use crate::fair::Opening;
use crate::{Recorded, Source, Table, Timestamp};

impl<G: Recorded> Replay<G> {
    /// Returns a recorder that continues where the record stops: the same table, the next action
    /// id, the same chain. Its lines belong right after those that were read; a torn last line must
    /// be cut off first. For a match that is over, only the closing line is missing, and it is
    /// written immediately.
    ///
    /// If the header committed to a seed, `opening` must be that seed, and it must draw what the
    /// record says.
    pub fn resume(
        self,
        reader: &Reader,
        opening: Option<Opening>,
    ) -> Result<Recorder<G>, RecordFault> {
        let n_line = reader.n_lines();
        self.checked(reader, opening)
            .map_err(|wrong| at_line(n_line, wrong))
    }

    fn checked(self, reader: &Reader, opening: Option<Opening>) -> Result<Recorder<G>, Wrong> {
        if reader.is_closed() {
            return Err(wrong("closed", "the record is closed: nothing can follow"));
        }
        if !reader.is_chained() {
            return Err(wrong(
                "older_format",
                "records of the older format can be read but not continued",
            ));
        }
        let source = match (self.table().source(), &opening) {
            (Source::Open(generator), None) => Source::Open(generator.clone()),
            (Source::Open(_), Some(_)) => {
                return Err(wrong(
                    "nothing_promised",
                    "a seed was given, but the header committed to none",
                ));
            }
            (Source::Committed(..), None) => {
                return Err(wrong(
                    "seed_missing",
                    "the header committed to a seed, which is needed to resume",
                ));
            }
            (Source::Committed(commitment, _), Some(opening)) => {
                let opened = commitment.verify(opening);
                opened.map_err(|error| wrong("wrong_opening", error))?;
                self.check_parts(opening)?;
                let generator = self.redraw_committed(opening.generator())?;
                Source::Committed(*commitment, Some(generator))
            }
        };
        let last_at = self.last_at().unwrap_or(Timestamp::from_ms(0));
        let n_actions = self.n_actions();
        let (game_id, position) = (self.table().game_id(), self.table().position().clone());
        let table = Table::at(position, game_id, source);
        let mut recorder = Recorder::at(table, opening, reader.chain(), last_at).after(n_actions);
        recorder.close_if_over();
        Ok(recorder)
    }
}
