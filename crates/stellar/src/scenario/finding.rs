//! Findings: the results of validating a scenario document.

use std::fmt;

use kernel::doc::{Fault, Names};
use kernel::json::Json;
use serde::Serialize;

use super::Scenario;

/// One result of validating a document.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// Says if the finding makes the document invalid.
    pub severity: Severity,
    /// A stable code for programs.
    pub code: &'static str,
    /// A JSON pointer to the value.
    pub pointer: String,
    /// The problem, and what is expected instead.
    pub message: String,
}

/// The severity of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Names)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The document is refused.
    Error,
    /// The document is accepted, but the author should look at this.
    Warning,
}

/// All findings of a document, and the scenario if there are no errors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The scenario, if there are no errors.
    pub scenario: Option<Scenario>,
    /// The findings in the order of discovery.
    pub findings: Vec<Finding>,
}

impl Report {
    /// The maximum number of findings that are kept.
    pub const KEPT_MAX: usize = 200;

    /// Adds a finding. Beyond [`Report::KEPT_MAX`] it is dropped, but an error replaces the last
    /// warning, so that no number of warnings hides an error.
    pub fn push(&mut self, finding: Finding) {
        if self.findings.len() >= Report::KEPT_MAX {
            let is_warning = |it: &Finding| it.severity == Severity::Warning;
            match self.findings.iter().rposition(is_warning) {
                Some(idx) if finding.severity == Severity::Error => self.findings.remove(idx),
                _ => return,
            };
        }
        self.findings.push(finding);
    }

    pub(super) fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        findings.into_iter().for_each(|it| self.push(it));
    }

    /// True if the document is refused.
    pub fn has_errors(&self) -> bool {
        let is_error = |it: &Finding| it.severity == Severity::Error;
        self.findings.iter().any(is_error)
    }

    /// The findings as `severity:code`, in order.
    pub fn codes(&self) -> Vec<String> {
        let code = |it: &Finding| format!("{}:{}", it.severity.name(), it.code);
        self.findings.iter().map(code).collect()
    }
}

impl Finding {
    /// A finding that refuses the document.
    pub fn error(pointer: impl Into<String>, code: &'static str, message: String) -> Finding {
        Finding {
            severity: Severity::Error,
            code,
            pointer: pointer.into(),
            message,
        }
    }

    /// A warning from a reader that changed a value, for example by rounding it.
    pub(super) fn remark(remark: &Fault) -> Finding {
        Finding::warning(remark.pointer.clone(), remark.code, remark.message.clone())
    }

    /// A finding that does not refuse the document.
    pub fn warning(pointer: impl Into<String>, code: &'static str, message: String) -> Finding {
        Finding {
            severity: Severity::Warning,
            code,
            pointer: pointer.into(),
            message,
        }
    }

    /// The same finding with the pointer translated to the older shape.
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

/// The pointer, or its longest prefix that exists in the document.
fn nearest_place(document: &Json, mut pointer: String) -> String {
    while document.pointer(&pointer).is_none() {
        let parent = pointer.rfind('/').unwrap_or(0);
        pointer.truncate(parent);
    }
    pointer
}

impl From<&Fault> for Finding {
    fn from(fault: &Fault) -> Finding {
        Finding::error(fault.pointer.clone(), code(fault), fault.message.clone())
    }
}

/// The code of a fault. Faults of victory conditions have codes of their own.
fn code(fault: &Fault) -> &'static str {
    let in_condition = fault.pointer.starts_with("/objectives/victory/");
    let is_type = fault.pointer.ends_with("/type");
    match fault.code {
        "unknown_field" if in_condition => "superfluous_parameter",
        "unknown_value" if in_condition && is_type => "unknown_condition",
        "missing" if in_condition && !is_type => "missing_parameter",
        code => code,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_do_not_hide_an_error() {
        let mut report = Report::default();
        for idx in 0..Report::KEPT_MAX + 5 {
            report.push(Finding::warning(
                format!("/{idx}"),
                "rounded",
                String::new(),
            ));
        }
        assert!(!report.has_errors());
        report.push(Finding::error("/last", "unknown_field", String::new()));
        assert!(report.has_errors());
        assert_eq!(report.findings.len(), Report::KEPT_MAX);
    }
}
