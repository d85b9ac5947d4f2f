//! The check of positions as text.

use super::driver::visit;
use super::{Finding, Suite};
use crate::{GameExt, Recorded, notation};

// Promise: Every position can be written as one line of text that reads back.
pub(super) fn notation_reads_back<G: Recorded>(suite: &Suite<G>) -> Finding {
    let standard = G::start(&G::Setup::default());
    visit(suite, 13, |_, position, rng| {
        // Reading a snapshot is slow, so only some of the positions are checked, and every last one.
        if rng.below(8) > 0 && position.outcome().is_none() {
            return Ok(());
        }
        let text = notation::write(&standard, position);
        match notation::read(&standard, &text) {
            Ok(read) if read == *position => Ok(()),
            Ok(read) => Err(format!("{position} is read back as {read} from {text}")),
            Err(faults) => Err(format!("{position} is refused: {faults}\nin {text}")),
        }
    })
}
