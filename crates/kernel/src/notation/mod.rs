//! A position as one line of text, for bug reports and tests.
//!
//! The text lists what differs from a base position, normally the start of the standard setup:
//! edits of the base's snapshot document, separated by spaces and applied in order.
//!
//! | edit | meaning |
//! | --- | --- |
//! | `turn.phase=ACTION` | the value at this path |
//! | `pending_chance=absent` | the object has no such key |
//! | `bank.BRICK-=2` | an integer plus or minus a number |
//! | `players.0.roads+=14` | a list with an item appended; `-=` removes the first equal item |
//!
//! A path is made of keys and list indices, separated by dots. A value is JSON, in which strings of
//! letters, digits, `_`, `-` and `:` need no quotes unless they could be read as something else:
//! `deck=[KNIGHT,"two words",{id:3}]`. [`write()`] uses only the first two edits and no spaces outside
//! quotes.

mod edit;
mod scan;
mod text;

#[cfg(test)]
mod tests;

use crate::Recorded;
use crate::doc::{Faults, Node};
use crate::json::{self, Json};

#[cfg(feature = "conformance")]
pub(crate) use edit::{Change, Edit, pointer_to, read_all};
#[cfg(feature = "conformance")]
pub(crate) use scan::value;
#[cfg(feature = "conformance")]
pub(crate) use text::value_text;

/// The position as what differs from `base`; [`read`] is the inverse. Empty if they are equal.
pub fn write<G: Recorded>(base: &G, position: &G) -> String {
    text::edits_between(&document(base), &document(position))
}

/// Reads a position. Every malformed edit is reported, or else everything that the game refuses in
/// the edited snapshot.
pub fn read<G: Recorded>(base: &G, text: &str) -> Result<G, Faults> {
    let mut faults = Faults::default();
    let mut edited = document(base);
    for edit in edit::read_all(text, &mut faults) {
        edit.apply(&mut edited, &mut faults);
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let position = G::restore(&Node::root(&edited), &mut faults);
    faults.into_result(position)
}

/// The position's snapshot as a document.
pub(crate) fn document<G: Recorded>(position: &G) -> Json {
    json::from_value(&position.snapshot()).expect("a snapshot holds no floats")
}
