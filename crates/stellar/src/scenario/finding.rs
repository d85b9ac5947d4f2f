//! What was found in a scenario document.

use std::fmt;

use kernel::doc::{Fault, Names};
use kernel::json::Json;
use serde::Serialize;

use super::Scenario;

/// One thing that was found in a document.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// Whether the document is refused for it.
    pub severity: Severity,
    /// A stable name for programs.
    pub code: &'static str,
    /// The JSON pointer of the place.
    pub pointer: String,
    /// What is there and what would be right.
    pub message: String,
}

/// Whether a finding refuses a document.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Names)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It does.
    Error,
    /// It does not, but it is worth a look.
    Warning,
}

/// All that was found in a document, and the scenario if nothing is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The scenario, when there are no errors.
    pub scenario: Option<Scenario>,
    /// In the order in which they were found.
    pub findings: Vec<Finding>,
}

impl Report {
    /// The most findings that are kept.
    pub const KEPT_MAX: usize = 200;

    /// Adds a finding.
    pub fn push(&mut self, finding: Finding) {
        if self.findings.len() < Report::KEPT_MAX {
            self.findings.push(finding);
        }
    }

    /// Whether the document is refused.
    pub fn has_errors(&self) -> bool {
        let is_error = |it: &Finding| it.severity == Severity::Error;
        self.findings.iter().any(is_error)
    }

    /// The codes with their severity, as `error:code`, in order.
    pub fn codes(&self) -> Vec<String> {
        let code = |it: &Finding| format!("{}:{}", it.severity.name(), it.code);
        self.findings.iter().map(code).collect()
    }
}

impl Finding {
    /// A reason to refuse the document.
    pub fn error(pointer: impl Into<String>, code: &'static str, message: String) -> Finding {
        Finding {
            severity: Severity::Error,
            code,
            pointer: pointer.into(),
            message,
        }
    }

    /// A reader's remark on something that it read otherwise than it was written.
    pub(super) fn remark(remark: &Fault) -> Finding {
        Finding::warning(remark.pointer.clone(), remark.code, remark.message.clone())
    }

    /// Something worth a look.
    pub fn warning(pointer: impl Into<String>, code: &'static str, message: String) -> Finding {
        Finding {
            severity: Severity::Warning,
            code,
            pointer: pointer.into(),
            message,
        }
    }

    /// The same finding with the pointer that the place has in the older shape.
    pub(super) fn in_older_shape(mut self, document: &Json) -> Finding {
        let pointer = self
            .pointer
            .replace("/objectives/victory", "/objectives/win")
            .replace("/objectives/constraints/maxTurns", "/objectives/maxTurns")
            .replace("/objectives/constraints", "/objectives");
        self.pointer = nearest_place(document, pointer);
        self
    }
}

/// The pointer, or the longest part of it that leads somewhere.
fn nearest_place(document: &Json, mut pointer: String) -> String {
    while document.pointer(&pointer).is_none() {
        let parent = pointer.rfind('/').unwrap_or(0);
        pointer.truncate(parent);
    }
    pointer
}

impl From<&Fault> for Finding {
    fn from(fault: &Fault) -> Finding {
        Finding::error(fault.pointer.clone(), fault.code, fault.message.clone())
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match self.pointer.as_str() {
            "" => "the document",
            pointer => pointer,
        };
        let severity = self.severity.name();
        write!(f, "{severity} {} at {place}: {}", self.code, self.message)
    }
}
