//! The chain that ties each line to all lines before it.

use serde::Serialize;

use crate::json::{self, Hash, Json};

/// The key of the chain within a line.
pub(super) const CHAIN: &str = "chain";

/// The running hash over all lines so far.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Chain([u8; 32]);

/// The reason a line does not follow from the ones before it.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Broken {
    /// The bytes are not the canonical form of their content.
    NotCanonical,
    /// The chain is not the one that the line should have.
    Wrong { found: String, expected: Hash },
}

impl Chain {
    /// The chain before the header.
    pub(super) const START: Chain = Chain([0; 32]);

    /// Appends the line, with its chain and line end, to a buffer and advances the chain.
    pub(super) fn seal<T: Serialize>(&mut self, body: &T, out: &mut Vec<u8>) {
        let start = out.len();
        json::write_canonical(body, out).expect("a record line holds no floats");
        let hash = self.link(&out[start..]);
        // The chain goes first, except after `action_id`, the only key that sorts before it.
        let chain = format!("\"{CHAIN}\": \"{hash}\", ");
        let at = start + insertion_point(&out[start..]);
        out.splice(at..at, chain.bytes());
        out.push(b'\n');
        self.0 = *hash.as_bytes();
    }

    /// Checks a line without its line end and advances the chain. A line of the older format, which
    /// has no chain, is checked only for its form.
    pub(super) fn check(&mut self, bytes: &[u8], line: &mut Json) -> Result<(), Broken> {
        let canonical = json::to_canonical(line).is_ok_and(|again| again == bytes);
        if !canonical {
            return Err(Broken::NotCanonical);
        }
        let Json::Object(fields) = line else {
            return Ok(());
        };
        let Some(found) = fields.remove(CHAIN) else {
            return Ok(());
        };
        let body = json::to_canonical(line).map_err(|_| Broken::NotCanonical)?;
        let expected = self.link(&body);
        let found = found.as_text().unwrap_or("something else").to_owned();
        if found != expected.to_string() {
            return Err(Broken::Wrong { found, expected });
        }
        self.0 = *expected.as_bytes();
        Ok(())
    }

    fn link(&self, body: &[u8]) -> Hash {
        Hash::of_parts(&[&self.0, body])
    }
}

/// The position for the chain: after the opening brace, or after a leading `action_id`.
fn insertion_point(body: &[u8]) -> usize {
    if body.starts_with(b"{\"action_id\": ") {
        let comma = body.iter().position(|&byte| byte == b',');
        comma.map_or(1, |at| at + 2)
    } else {
        1
    }
}
