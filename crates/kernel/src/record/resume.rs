//! Going on with a match from its record.

use super::replay::{Wrong, at_line, wrong};
use super::{Reader, RecordFault, Recorder, Replay};
use crate::fair::Opening;
use crate::{Recorded, Source, Table, Timestamp};

impl<G: Recorded> Replay<G> {
    /// A recorder that goes on where the record stops: the same table, the next action id,
    /// the same chain. Its lines belong right after those that were read; a torn last line
    /// is to be cut off first. Of a match that is over, only the closing line is left to
    /// write, and it is written at once.
    ///
    /// A promised seed must be brought along, and must be the one that was promised and
    /// that drew what the record says.
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
                "records of the older format can be read and not continued",
            ));
        }
        let source = match (self.table().source(), &opening) {
            (Source::Open(generator), None) => Source::Open(generator.clone()),
            (Source::Open(_), Some(_)) => {
                return Err(wrong(
                    "nothing_promised",
                    "a seed is opened, but the header promised none",
                ));
            }
            (Source::Committed(..), None) => {
                return Err(wrong(
                    "seed_missing",
                    "the header promised a seed: going on needs it",
                ));
            }
            (Source::Committed(commitment, _), Some(opening)) => {
                let opened = commitment.verify(opening);
                opened.map_err(|error| wrong("wrong_opening", error))?;
                self.check_parts(opening)?;
                let generator = self.redraw_promised(opening.generator())?;
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
