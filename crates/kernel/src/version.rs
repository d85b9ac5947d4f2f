//! Versions of formats and rules.

use std::fmt;
use std::str::FromStr;

use crate::doc::{Faults, Node};

/// A semantic version: breaking changes, additions, fixes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Version {
    major: u32,
    minor: u32,
    patch: u32,
}

impl Version {
    /// True if a reader of version `self` can read what was written as `written`: the same major
    /// version and no later minor version.
    pub fn reads(&self, written: Version) -> bool {
        self.major == written.major && self.minor >= written.minor
    }

    /// Reads a version that a reader of `supported` can read.
    pub fn read_supported(
        node: &Node<'_>,
        supported: &str,
        faults: &mut Faults,
    ) -> Option<Version> {
        let text = node.text(faults)?;
        let own: Version = supported.parse().ok()?;
        let Ok(written) = text.parse::<Version>() else {
            faults.at(
                node,
                "not_a_version",
                format!("expected a version such as {supported}, found {text:?}"),
            );
            return None;
        };
        if own.reads(written) {
            return Some(written);
        }
        let remedy = if written > own {
            "it was written by a newer Referee; read it with that one"
        } else {
            "it was written before a breaking change of the format"
        };
        faults.at(
            node,
            "unsupported_version",
            format!("version {written} cannot be read here (this reads up to {own}): {remedy}"),
        );
        None
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// The error for a string that is not a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAVersion;

impl FromStr for Version {
    type Err = NotAVersion;

    fn from_str(text: &str) -> Result<Version, NotAVersion> {
        let mut parts = text.split('.').map(str::parse::<u32>);
        let mut next = || parts.next().and_then(Result::ok).ok_or(NotAVersion);
        let version = Version {
            major: next()?,
            minor: next()?,
            patch: next()?,
        };
        // Signs, leading zeros and further parts change when they are written again.
        (version.to_string() == text)
            .then_some(version)
            .ok_or(NotAVersion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_additions_are_read_and_newer_ones_are_not() {
        let version = |text: &str| text.parse::<Version>().unwrap();
        assert!(version("0.2.0").reads(version("0.1.9")));
        assert!(version("0.2.0").reads(version("0.2.7")));
        assert!(!version("0.2.0").reads(version("0.3.0")));
        assert!(!version("0.2.0").reads(version("1.0.0")));
        assert!(!version("1.0.0").reads(version("0.9.0")));
    }

    #[test]
    fn only_three_plain_numbers_are_a_version() {
        for text in ["", "1", "1.2", "1.2.3.4", "01.2.3", "+1.2.3", "1.2.x"] {
            assert_eq!(text.parse::<Version>(), Err(NotAVersion), "{text}");
        }
    }
}
