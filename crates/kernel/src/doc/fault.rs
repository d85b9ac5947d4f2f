//! What is wrong with a document.

use std::fmt;

use serde::Serialize;

use super::Node;

/// One thing that is wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The JSON pointer of the place, `""` for the document itself.
    pub pointer: String,
    /// What kind of fault it is: a stable name for programs.
    pub code: &'static str,
    /// What is there and what would be right, for people.
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

/// All that is wrong with a document: the first [`Faults::KEPT_MAX`] and how many more there were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    kept: Vec<Fault>,
    n_more: usize,
    warnings: Vec<Fault>,
}

impl Faults {
    /// How many faults are kept.
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

    /// Adds a fault at `node` unless it has one of this kind: several readers may look for
    /// something inside a value that is not there.
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

    /// Remarks on something that is read all the same, but not as its writer may think. At most
    /// [`Faults::KEPT_MAX`] are kept.
    pub fn remark(&mut self, warning: Fault) {
        if self.warnings.len() < Faults::KEPT_MAX {
            self.warnings.push(warning);
        }
    }

    /// Remarks on `node`.
    pub fn warn(&mut self, node: &Node<'_>, code: &'static str, message: impl Into<String>) {
        self.remark(Fault::new(node.pointer(), code, message));
    }

    /// What was remarked on. It makes nothing wrong.
    #[must_use]
    pub fn warnings(&self) -> &[Fault] {
        &self.warnings
    }

    /// All faults in one line, for messages that hold one line.
    pub fn one_line(&self) -> String {
        let listed: Vec<String> = self.iter().map(ToString::to_string).collect();
        listed.join("; ")
    }

    /// Adds the faults of a document that stands at `node`.
    pub fn extend_below(&mut self, node: &Node<'_>, found: &Faults) {
        let base = node.pointer();
        for fault in found {
            self.push(Fault {
                pointer: format!("{base}{}", fault.pointer),
                ..fault.clone()
            });
        }
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// How many faults there are, with those that were not kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len() + self.n_more
    }

    /// How many faults were counted but not kept.
    #[must_use]
    pub fn n_more(&self) -> usize {
        self.n_more
    }

    /// The faults that were kept, in the order in which they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Fault> {
        self.kept.iter()
    }

    /// The value when nothing is wrong, else the faults. No value and no fault is a fault, too.
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
