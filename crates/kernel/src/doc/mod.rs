//! Documents read in full, with every fault reported.
//!
//! A reader takes a [`Node`], a place in a document, and asks it for the value that belongs there.
//! Anything wrong goes into [`Faults`] and reading continues, so that the author of a document
//! learns everything that is wrong with it at once.
//!
//! ```
//! use kernel::doc::{Document, parse};
//!
//! #[derive(Document)]
//! struct Roll {
//!     dice: [Die; 2],
//! }
//!
//! #[derive(Document, Clone, Copy, PartialEq, Debug)]
//! #[serde(transparent)]
//! struct Die(#[schemars(range(min = 1, max = 6))] u8);
//!
//! let good = kernel::json::read(br#"{"dice": [3, 4]}"#).unwrap();
//! assert_eq!(parse::<Roll>(&good).unwrap().dice, [Die(3), Die(4)]);
//!
//! let bad = kernel::json::read(br#"{"dice": [7, "x"], "dise": 0}"#).unwrap();
//! assert_eq!(
//!     parse::<Roll>(&bad).err().unwrap().to_string(),
//!     "at /dise: unknown field \"dise\"; did you mean \"dice\"?\n\
//!      at /dice/0: expected an integer from 1 to 6, found 7\n\
//!      at /dice/1: expected an integer from 1 to 6, found \"x\"",
//! );
//! ```

mod declare;
mod fault;
mod nearest;
mod node;
mod stand_in;
mod values;

#[cfg(test)]
mod tests;

use crate::json::Json;

pub use document::{Document, Names};
pub use fault::{Fault, Faults};
pub(crate) use node::any_of;
pub use node::{Choice, Node};
pub use stand_in::StandIn;
pub use values::{Counted, Ranged, given, name, one_written, outcome};

/// A value that is read from a document.
pub trait Document: Sized {
    /// Reads the value at `node` and adds everything wrong with it to `faults`. Returns `None` only
    /// after adding at least one fault.
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Self>;
}

/// A document that is an object, so that its fields can be mixed with the fields of others.
pub trait Object: Document {
    /// The names of all its fields.
    fn keys() -> Vec<&'static str>;

    /// Reads the value at `node`, where fields named in `others` may appear next to its own.
    fn read_beside(node: &Node<'_>, others: &[&str], faults: &mut Faults) -> Option<Self>;
}

/// An enum whose variants have names in documents.
pub trait Named {
    /// Every name, in a stable order: a closed list.
    const NAMES: &'static [&'static str];

    /// The name of this value: one of [`NAMES`](Named::NAMES).
    fn name(&self) -> &'static str;
}

/// An enum without fields, whose values can be listed: the keys of a map in documents.
pub trait Listed: Named + Copy + 'static {
    /// Every value, in the order of [`NAMES`](Named::NAMES).
    const LIST: &'static [Self];
}

/// An enum that documents write as the name of a variant in one field and its content in another:
/// derived with `#[serde(tag = "…", content = "…")]`.
pub trait Variants: Document + Named {
    /// The name of the field that holds the content.
    const CONTENT: &'static str;

    /// Reads the content at `node` of the variant with this index in [`NAMES`](Named::NAMES).
    fn read_variant(idx: usize, node: &Node<'_>, faults: &mut Faults) -> Option<Self>;
}

/// Reads an entire document; any fault makes it fail.
pub fn parse<T: Document>(json: &Json) -> Result<T, Faults> {
    let mut faults = Faults::default();
    let value = T::read(&Node::root(json), &mut faults);
    faults.into_result(value)
}

/// Appends one step to a JSON pointer.
pub(crate) fn push_step(pointer: &mut String, step: &str) {
    pointer.push('/');
    pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
}
