//! Seeds of generators.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::doc::{Document, Faults, Node};
use crate::json::Json;

/// An unsigned integer of up to [`Seed::BITS_MAX`] bits.
///
/// In documents it is written as an integer up to 2^53 and as a decimal string above. Both are
/// accepted, as are strings of `0x` and hex digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seed(Digits);

/// One integer has one form: `Large` holds more than 64 bits, and its last word is not 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Digits {
    Small([u32; 2]),
    Large(Vec<u32>),
}

impl Seed {
    /// The maximum number of bits of a seed.
    pub const BITS_MAX: usize = 4096;

    /// The seed with these bytes, most significant first.
    pub fn from_be_bytes(bytes: &[u8]) -> Result<Seed, SeedError> {
        let n_zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        let bytes = &bytes[n_zeros..];
        if bytes.len() * 8 > Seed::BITS_MAX {
            return Err(SeedError::TooLarge);
        }
        let word = |chunk: &[u8]| {
            chunk
                .iter()
                .fold(0, |word, byte| word << 8 | u32::from(*byte))
        };
        Ok(Seed::from_words(bytes.rchunks(4).map(word).collect()))
    }

    /// The 32-bit words, least significant first, without leading zeros: empty for 0.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        match &self.0 {
            Digits::Small([0, 0]) => &[],
            Digits::Small([low, 0]) => std::slice::from_ref(low),
            Digits::Small(words) => words,
            Digits::Large(words) => words,
        }
    }

    /// The bytes, most significant first, without leading zeros: empty for 0.
    #[must_use]
    pub fn to_be_bytes(&self) -> Vec<u8> {
        let words = self.words().iter().rev();
        let bytes = words.flat_map(|word| word.to_be_bytes());
        bytes.skip_while(|byte| *byte == 0).collect()
    }

    /// The seed, if it has at most 64 bits.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match self.0 {
            Digits::Small([low, high]) => Some(u64::from(high) << 32 | u64::from(low)),
            Digits::Large(_) => None,
        }
    }

    /// The words that seed CPython and NumPy, where 0 is one word.
    pub(super) fn key(&self) -> &[u32] {
        match self.words() {
            [] => &[0],
            words => words,
        }
    }

    fn from_words(mut words: Vec<u32>) -> Seed {
        while words.last() == Some(&0) {
            words.pop();
        }
        match words.as_slice() {
            [] => Seed::from(0),
            [low] => Seed(Digits::Small([*low, 0])),
            [low, high] => Seed(Digits::Small([*low, *high])),
            _ => Seed(Digits::Large(words)),
        }
    }
}

impl From<u64> for Seed {
    fn from(seed: u64) -> Seed {
        Seed(Digits::Small([seed as u32, (seed >> 32) as u32]))
    }
}

impl FromStr for Seed {
    type Err = SeedError;

    /// Reads decimal digits, or hex digits after `0x`.
    fn from_str(text: &str) -> Result<Seed, SeedError> {
        let (digits, radix) = match text.strip_prefix("0x") {
            Some(hex) => (hex, 16),
            None => (text, 10),
        };
        if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
            return Err(SeedError::NotAnInteger);
        }
        let mut words = Vec::new();
        for digit in digits.chars().filter_map(|digit| digit.to_digit(radix)) {
            let mut carry = u64::from(digit);
            for word in &mut words {
                carry += u64::from(*word) * u64::from(radix);
                *word = carry as u32;
                carry >>= 32;
            }
            if carry > 0 {
                words.push(carry as u32);
            }
            if words.len() * 32 > Seed::BITS_MAX {
                return Err(SeedError::TooLarge);
            }
        }
        Ok(Seed::from_words(words))
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(small) = self.as_u64() {
            return fmt::Display::fmt(&small, f);
        }
        let mut rest = self.words().to_vec();
        let mut groups = Vec::new();
        while rest.iter().any(|word| *word != 0) {
            let mut group = 0;
            for word in rest.iter_mut().rev() {
                group = group << 32 | u64::from(*word);
                *word = (group / GROUP) as u32;
                group %= GROUP;
            }
            groups.push(group);
        }
        let mut text = String::new();
        for (idx, group) in groups.iter().rev().enumerate() {
            text += &match idx {
                0 => group.to_string(),
                _ => format!("{group:09}"),
            };
        }
        f.pad_integral(true, "", &text)
    }
}

/// Decimal digits are written nine at a time.
const GROUP: u64 = 1_000_000_000;

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_u64() {
            Some(small) if small <= 1 << 53 => serializer.serialize_u64(small),
            _ => serializer.collect_str(self),
        }
    }
}

impl Document for Seed {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Seed> {
        const EXPECTED: &str = "an integer of at least 0, or its decimal or 0x digits as a string";
        let (seed, code) = match node.json() {
            Some(Json::Int(int)) => (u64::try_from(*int).ok().map(Seed::from), "out_of_range"),
            Some(Json::Text(text)) => match text.parse() {
                Ok(seed) => (Some(seed), "bad_seed"),
                Err(SeedError::NotAnInteger) => (None, "bad_seed"),
                Err(error @ SeedError::TooLarge) => {
                    faults.at(node, "out_of_range", error.to_string());
                    return None;
                }
            },
            _ => (None, "wrong_type"),
        };
        seed.or_else(|| node.refuse(code, EXPECTED, faults))
    }
}

impl JsonSchema for Seed {
    fn schema_name() -> Cow<'static, str> {
        "Seed".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "An unsigned integer; one over 2^53 is written as a string.",
            "oneOf": [
                { "type": "integer", "minimum": 0 },
                { "type": "string", "pattern": "^([0-9]+|0x[0-9a-fA-F]+)$" }
            ]
        })
    }
}

/// The reason a value is not a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedError {
    /// The string has characters other than digits.
    NotAnInteger,
    /// The integer has more than [`Seed::BITS_MAX`] bits.
    TooLarge,
}

impl fmt::Display for SeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeedError::NotAnInteger => {
                f.write_str("a seed must be decimal digits, or 0x and hex digits")
            }
            SeedError::TooLarge => write!(f, "a seed has at most {} bits", Seed::BITS_MAX),
        }
    }
}

impl std::error::Error for SeedError {}
