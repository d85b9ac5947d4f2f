//! Reading documents with every fault named.
//!
//! A reader takes a [`Node`], a place in a document, and asks it for what should be there. What is
//! not as it should be goes into [`Faults`] and reading goes on, so that whoever wrote the document
//! learns all that is wrong with it at once.
//!
//! ```
//! use kernel::doc::{Document, Faults, Node, parse};
//!
//! struct Roll { dice: Vec<i64> }
//!
//! impl Document for Roll {
//!     fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Roll> {
//!         node.only_fields(&["dice"], faults);
//!         let dice = node.field("dice").list_of_len(2, faults)?;
//!         let dice: Vec<_> = dice.iter().map(|die| die.int_in(1..=6, faults)).collect();
//!         Some(Roll { dice: dice.into_iter().collect::<Option<_>>()? })
//!     }
//! }
//!
//! let good = kernel::json::read(br#"{"dice": [3, 4]}"#).unwrap();
//! assert_eq!(parse::<Roll>(&good).unwrap().dice, [3, 4]);
//!
//! let bad = kernel::json::read(br#"{"dice": [7, "x"], "dise": 0}"#).unwrap();
//! assert_eq!(
//!     parse::<Roll>(&bad).err().unwrap().to_string(),
//!     "at /dise: unknown field \"dise\"; did you mean \"dice\"?\n\
//!      at /dice/0: expected an integer from 1 to 6, found 7\n\
//!      at /dice/1: expected an integer from 1 to 6, found \"x\"",
//! );
//! ```

mod fault;
mod nearest;
mod node;

#[cfg(test)]
mod tests;

use crate::json::{Hash, Json};

pub use fault::{Fault, Faults};
pub use node::Node;

/// A value that is read from a document.
pub trait Document: Sized {
    /// Reads the value at `node`. What is wrong goes into `faults`, all of it that can be told;
    /// nothing is returned without a fault that says why.
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Self>;
}

/// Reads a whole document; any fault refuses it.
pub fn parse<T: Document>(json: &Json) -> Result<T, Faults> {
    let mut faults = Faults::default();
    let value = T::read(&Node::root(json), &mut faults);
    faults.into_result(value)
}

impl Document for Hash {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Hash> {
        let hash = node.text(faults)?.parse().ok();
        hash.or_else(|| {
            node.refuse(
                "bad_hash",
                "\"sha256:\" and 64 lower-case hex digits",
                faults,
            )
        })
    }
}

/// Appends one step to a JSON pointer.
pub(crate) fn push_step(pointer: &mut String, step: &str) {
    pointer.push('/');
    pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
}
