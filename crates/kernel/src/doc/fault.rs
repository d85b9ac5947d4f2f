//! Faults in documents.

use std::fmt;

use serde::Serialize;

use super::Node;

/// One thing that is wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The JSON pointer of the faulty place, `""` for the document itself.
    pub pointer: String,
    /// The kind of fault: a stable name for programs.
    pub code: &'static str,
    /// The value found and the value expected, for people.
    pub message: String,
}

impl Fault {
    /// A fault at a pointer.
    pub fn new(
        pointer: impl Into<String>,
        code: &'static str,
        message: impl Into<String>,
    ) -> Fault {
        Fault {
            pointer: pointer.into(),
            code,
            message: message.into(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => write!(f, "at the document: {}", self.message),
            pointer => write!(f, "at {pointer}: {}", self.message),
        }
    }
}

/// The faults of a document: the first [`Faults::KEPT_MAX`] of them, and the number of further
/// ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    kept: Vec<Fault>,
    n_more: usize,
    warnings: Vec<Fault>,
}

impl Faults {
    /// The maximum number of faults kept; further ones are only counted.
    pub const KEPT_MAX: usize = 100;

    /// Adds a fault.
    pub fn push(&mut self, fault: Fault) {
        if self.kept.len() == Faults::KEPT_MAX {
            self.n_more += 1;
        } else {
            self.kept.push(fault);
        }
    }

    /// Adds a fault at `node`.
    pub fn at(&mut self, node: &Node<'_>, code: &'static str, message: impl Into<String>) {
        if self.kept.len() == Faults::KEPT_MAX {
            self.n_more += 1;
            return;
        }
        self.push(Fault {
            pointer: node.pointer(),
            code,
            message: message.into(),
        });
    }

    /// Adds a fault at `node` unless it already has one with this code: several readers may look
    /// for something inside the same missing value.
    pub(super) fn once(&mut self, node: &Node<'_>, code: &'static str, message: String) {
        if self.kept.len() == Faults::KEPT_MAX {
            self.n_more += 1;
            return;
        }
        let pointer = node.pointer();
        let same = |fault: &Fault| fault.code == code && fault.pointer == pointer;
        if !self.kept.iter().any(same) {
            self.push(Fault {
                pointer,
                code,
                message,
            });
        }
    }

    /// Adds a warning about something that is accepted, but perhaps not as its author meant it. At
    /// most [`Faults::KEPT_MAX`] warnings are kept.
    pub fn remark(&mut self, warning: Fault) {
        if self.warnings.len() < Faults::KEPT_MAX {
            self.warnings.push(warning);
        }
    }

    /// Adds a warning at `node`.
    pub fn warn(&mut self, node: &Node<'_>, code: &'static str, message: impl Into<String>) {
        self.remark(Fault::new(node.pointer(), code, message));
    }

    /// The warnings. They do not make a document invalid.
    #[must_use]
    pub fn warnings(&self) -> &[Fault] {
        &self.warnings
    }

    /// All faults in one line, for messages that must be one line.
    pub fn one_line(&self) -> String {
        let listed: Vec<String> = self.iter().map(ToString::to_string).collect();
        listed.join("; ")
    }

    /// Adds the faults of an embedded document whose root is at `node`.
    pub fn extend_below(&mut self, node: &Node<'_>, found: &Faults) {
        let base = node.pointer();
        for fault in found {
            self.push(Fault {
                pointer: format!("{base}{}", fault.pointer),
                ..fault.clone()
            });
        }
    }

    /// True if there are no faults. Warnings do not count.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The number of faults, including those that were not kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len() + self.n_more
    }

    /// The number of faults that were counted but not kept.
    #[must_use]
    pub fn n_more(&self) -> usize {
        self.n_more
    }

    /// The faults that were kept, in the order in which they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Fault> {
        self.kept.iter()
    }

    /// Returns the value if there are no faults, else the faults. A missing value without any fault
    /// counts as a fault, too.
    pub fn into_result<T>(mut self, value: Option<T>) -> Result<T, Faults> {
        match value {
            Some(value) if self.is_empty() => Ok(value),
            Some(_) => Err(self),
            None => {
                if self.is_empty() {
                    self.push(Fault {
                        pointer: String::new(),
                        code: "unreadable",
                        message: "the document could not be read".to_owned(),
                    });
                }
                Err(self)
            }
        }
    }
}

impl<'a> IntoIterator for &'a Faults {
    type Item = &'a Fault;
    type IntoIter = std::slice::Iter<'a, Fault>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (idx, fault) in self.kept.iter().enumerate() {
            if idx > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{fault}")?;
        }
        match self.n_more {
            0 => Ok(()),
            n_more => write!(f, "\nand {n_more} more"),
        }
    }
}

impl std::error::Error for Faults {}
