//! A seed that the host commits to before a match and reveals after it.
//!
//! Before the match the host publishes the [`Commitment`]: the SHA-256 of a random salt followed by
//! the seed. After the match it publishes the [`Opening`], and anyone can check that this seed,
//! chosen before the first move, rolled the dice. In Python:
//! `hashlib.sha256(bytes.fromhex(salt + seed)).hexdigest()`.
//!
//! ```
//! use kernel::fair::Opening;
//!
//! let opening = Opening::new([7; 32], [9; 32]);
//! let committed = opening.commitment();
//! assert!(committed.verify(&opening).is_ok());
//! assert!(committed.verify(&Opening::new([8; 32], [9; 32])).is_err());
//! ```

mod joint;

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use serde::ser::SerializeMap;

use crate::doc::{Document, Faults, Node};
use crate::json::{Hash, HashError};
use crate::rng::{ChaCha20, Generator};

pub(crate) use joint::read_by_seat;
pub use joint::{Contribution, Part, WrongParts};

/// The published hash of a seed, which does not reveal the seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Document)]
#[serde(transparent)]
pub struct Commitment(Hash);

/// The seed and salt behind a commitment: secret until the match is over.
#[derive(Clone, PartialEq, Eq)]
pub struct Opening {
    seed: [u8; 32],
    salt: [u8; 32],
    /// The parts that the seed was made from, by seat; empty when the host drew it alone.
    parts: Vec<Part>,
}

/// The revealed seed does not match its commitment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongOpening {
    /// The commitment published before the match.
    pub committed: Commitment,
    /// The commitment that the revealed seed and salt give.
    pub opened: Commitment,
}

impl Commitment {
    /// Checks that `opening` is the seed behind this commitment.
    pub fn verify(&self, opening: &Opening) -> Result<(), WrongOpening> {
        let opened = opening.commitment();
        if opened == *self {
            return Ok(());
        }
        Err(WrongOpening {
            committed: *self,
            opened,
        })
    }
}

impl Opening {
    /// A seed with its salt. Both must come from a cryptographic generator.
    pub fn new(seed: [u8; 32], salt: [u8; 32]) -> Opening {
        Opening {
            seed,
            salt,
            parts: Vec::new(),
        }
    }

    /// The hash to publish before the match.
    pub fn commitment(&self) -> Commitment {
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&self.salt);
        bytes[32..].copy_from_slice(&self.seed);
        Commitment(Hash::of_bytes(&bytes))
    }

    /// A generator started from the seed.
    pub fn generator(&self) -> Generator {
        Generator::ChaCha20(ChaCha20::from_key(self.seed))
    }
}

/// Shows only the commitment, so that the secret cannot leak into a log.
impl fmt::Debug for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opening of {}", self.commitment())
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for WrongOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the revealed seed gives the commitment {}, but {} was published",
            self.opened, self.committed
        )
    }
}

impl std::error::Error for WrongOpening {}

impl FromStr for Commitment {
    type Err = HashError;

    fn from_str(text: &str) -> Result<Commitment, HashError> {
        text.parse().map(Commitment)
    }
}

impl Serialize for Opening {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if !self.parts.is_empty() {
            map.serialize_entry("parts", &self.parts)?;
        }
        map.serialize_entry("salt", &to_hex(&self.salt))?;
        map.serialize_entry("seed", &to_hex(&self.seed))?;
        map.end()
    }
}

impl Document for Opening {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Opening> {
        node.only_fields(&["parts", "salt", "seed"], faults);
        let parts = joint::read_parts(&node.field("parts"), faults);
        let salt = read_hex(&node.field("salt"), faults);
        let seed = read_hex(&node.field("seed"), faults);
        Some(Opening {
            seed: seed?,
            salt: salt?,
            parts: parts?,
        })
    }
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads 32 bytes, such as a contribution, from 64 lowercase hex digits.
pub fn read_hex(node: &Node<'_>, faults: &mut Faults) -> Option<[u8; 32]> {
    let text = node.text(faults)?;
    let bytes = parse_hex(text);
    if bytes.is_none() {
        faults.at(node, "not_hex", "expected 64 lowercase hex digits");
    }
    bytes
}

fn parse_hex(text: &str) -> Option<[u8; 32]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let mut bytes = [0; 32];
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != bytes.len() || !rest.is_empty() {
        return None;
    }
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::parse;
    use crate::json::{from_value, read};

    #[test]
    fn an_opening_round_trips_and_opens_its_commitment() {
        let opening = Opening::new([1; 32], [2; 32]);
        let again: Opening = parse(&from_value(&opening).unwrap()).unwrap();
        assert_eq!(again, opening);
        assert_eq!(opening.commitment().verify(&again), Ok(()));
    }

    #[test]
    fn the_commitment_is_the_sha256_of_salt_and_seed() {
        // python3 -c 'import hashlib; print(hashlib.sha256(bytes([2]*32 + [1]*32)).hexdigest())'
        let commitment = Opening::new([1; 32], [2; 32]).commitment().to_string();
        assert_eq!(
            commitment,
            "sha256:c57d4f59c961b13e406cd991b0f342ec79e571dc2c1415ff72c6550645a3b198"
        );
    }

    #[test]
    fn damaged_openings_name_every_fault() {
        let json = read(br#"{"salt": "00", "seed": "XY", "sead": 1}"#).unwrap();
        let faults = parse::<Opening>(&json).unwrap_err();
        assert_eq!(faults.len(), 3, "{faults}");
    }

    #[test]
    fn debug_output_does_not_show_the_seed() {
        let shown = format!("{:?}", Opening::new([0xab; 32], [0xcd; 32]));
        assert!(!shown.contains("abab") && !shown.contains("171") && !shown.contains("cdcd"));
    }
}
