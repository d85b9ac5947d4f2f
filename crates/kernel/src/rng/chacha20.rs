//! ChaCha20, for play where nobody may guess the next draw.

use std::borrow::Cow;
use std::fmt;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::Seed;
use crate::doc::{Document, Faults, Node};
use crate::json::{Hash, hex_32_bytes};

/// The key stream of ChaCha20, as `rand_chacha`'s `ChaCha20Rng` gives it.
///
/// It is written as `{"key", "stream", "word_pos"}`: 64 hex digits and two integers as decimal
/// text. Whoever has this document knows every draw to come; printing the generator for debugging
/// does not show the key.
#[derive(Clone)]
pub struct ChaCha20(Box<ChaCha20Rng>);

impl ChaCha20 {
    /// The generator with this key, at the beginning of stream 0.
    #[must_use]
    pub fn from_key(key: [u8; 32]) -> ChaCha20 {
        ChaCha20(Box::new(ChaCha20Rng::from_seed(key)))
    }

    /// The generator whose key is the seed as 32 bytes, the most significant first. A seed of more
    /// than 256 bits is too large for that: its key is the SHA-256 of its bytes, the most
    /// significant first, without leading zeros.
    #[must_use]
    pub fn from_seed(seed: &Seed) -> ChaCha20 {
        let bytes = seed.to_be_bytes();
        let mut key = [0; 32];
        match key.len().checked_sub(bytes.len()) {
            Some(n_zeros) => key[n_zeros..].copy_from_slice(&bytes),
            None => key = *Hash::of_bytes(&bytes).as_bytes(),
        }
        ChaCha20::from_key(key)
    }

    /// The next 64 bits: two words, the less significant first.
    #[inline]
    pub fn bits64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform integer below `n`: Lemire's method on 64-bit draws, for every `n`; no draw when
    /// `n` is 0 or 1.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        match n {
            0 | 1 => 0,
            _ => super::lemire64(n, || self.0.next_u64()),
        }
    }

    /// Fisher–Yates from the last item down.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        super::shuffle(items, |n| self.below(n));
    }

    /// How many words of the stream have been drawn; the stream begins again after 2^68.
    fn word_pos(&self) -> u128 {
        self.0.get_word_pos() % WORDS_MAX
    }
}

const WORDS_MAX: u128 = 1 << 68;

impl PartialEq for ChaCha20 {
    fn eq(&self, other: &ChaCha20) -> bool {
        let place = |rng: &ChaCha20| (rng.0.get_seed(), rng.0.get_stream(), rng.word_pos());
        place(self) == place(other)
    }
}

impl Eq for ChaCha20 {}

impl fmt::Debug for ChaCha20 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChaCha20")
            .field("stream", &self.0.get_stream())
            .field("word_pos", &self.word_pos())
            .finish_non_exhaustive()
    }
}

impl Serialize for ChaCha20 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("ChaCha20", 3)?;
        object.serialize_field("key", &format_args!("{}", Hex(self.0.get_seed())))?;
        object.serialize_field("stream", &format_args!("{}", self.0.get_stream()))?;
        object.serialize_field("word_pos", &format_args!("{}", self.word_pos()))?;
        object.end()
    }
}

struct Hex([u8; 32]);

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Document for ChaCha20 {
    /// A bad key is refused without being quoted: it may be nearly the right one.
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<ChaCha20> {
        node.only_fields(&["key", "stream", "word_pos"], faults);
        let key = node.field("key");
        let key = key.text(faults).and_then(|hex| {
            let bytes = hex_32_bytes(hex);
            if bytes.is_none() {
                faults.at(&key, "bad_key", "expected 64 lower-case hex digits");
            }
            bytes
        });
        let stream = node.field("stream").u64_text(faults);
        let word_pos = node.field("word_pos").u128_text(faults)?;
        if word_pos >= WORDS_MAX {
            let word_pos = node.field("word_pos");
            return word_pos.refuse("out_of_range", "an integer from 0 to 2^68 - 1", faults);
        }
        let mut rng = ChaCha20::from_key(key?);
        rng.0.set_stream(stream?);
        rng.0.set_word_pos(word_pos);
        Some(rng)
    }
}

impl JsonSchema for ChaCha20 {
    fn schema_name() -> Cow<'static, str> {
        "ChaCha20".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The key of a ChaCha20 stream and the place in it.",
            "type": "object",
            "properties": {
                "key": { "type": "string", "pattern": "^[0-9a-f]{64}$" },
                "stream": { "type": "string", "pattern": "^[0-9]+$" },
                "word_pos": { "type": "string", "pattern": "^[0-9]+$" }
            },
            "required": ["key", "stream", "word_pos"],
            "additionalProperties": false
        })
    }
}
