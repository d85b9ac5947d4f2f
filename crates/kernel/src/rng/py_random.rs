//! Python's `random.Random`.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, SerializeSeq, SerializeTuple, Serializer};

use super::Seed;
use super::float_text::Float;
use super::mt19937::{Mt19937, N};
use crate::doc::{Document, Faults, Node};

/// Produces the draws of CPython's `random.Random`, and is written as its `getstate()`:
/// `[3, [624 words and the position], gauss_next]`.
///
/// `gauss_next`, the second half of a pair kept by `random.gauss`, is preserved but not used. It is
/// `null`, or the string of `float.hex()`; a plain number is also accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PyRandom {
    mt: Mt19937,
    gauss_next: Option<Float>,
}

impl PyRandom {
    /// The maximum number of bits that [`PyRandom::getrandbits`] returns.
    pub const BITS_MAX: u32 = 4096;

    /// `random.Random(seed)`, for an integer seed.
    #[must_use]
    pub fn from_seed(seed: &Seed) -> PyRandom {
        PyRandom {
            mt: Mt19937::from_key(seed.key()),
            gauss_next: None,
        }
    }

    /// `random()`.
    pub fn random(&mut self) -> f64 {
        self.mt.unit_float()
    }

    /// `getrandbits(n_bits)` for up to 64 bits; a larger number counts as 64.
    #[inline]
    pub fn getrandbits64(&mut self, n_bits: u32) -> u64 {
        match n_bits {
            0 => 0,
            1..=32 => u64::from(self.mt.next_u32() >> (32 - n_bits)),
            _ => {
                let low = u64::from(self.mt.next_u32());
                let high = u64::from(self.mt.next_u32());
                low | high >> 64u32.saturating_sub(n_bits) << 32
            }
        }
    }

    /// `getrandbits(n_bits)` as 32-bit words, least significant first. `None` for more than
    /// [`PyRandom::BITS_MAX`] bits.
    pub fn getrandbits(&mut self, n_bits: u32) -> Option<Vec<u32>> {
        if n_bits > PyRandom::BITS_MAX {
            return None;
        }
        let n_words = n_bits.div_ceil(32);
        let mut words: Vec<u32> = (0..n_words).map(|_| self.mt.next_u32()).collect();
        if let Some(last) = words.last_mut() {
            *last >>= n_words * 32 - n_bits;
        }
        Some(words)
    }

    /// `_randbelow(n)`: draws as many bits as `n` has until they are below `n`.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        let n_bits = u64::BITS - n.leading_zeros();
        loop {
            let drawn = self.getrandbits64(n_bits);
            if drawn < n {
                return drawn;
            }
        }
    }

    /// `randrange(start, stop, step)`; `None` when the range is empty.
    pub fn randrange(&mut self, start: i64, stop: i64, step: i64) -> Option<i64> {
        let (start, step) = (i128::from(start), i128::from(step));
        let width = i128::from(stop) - start;
        if step == 0 || width.signum() != step.signum() {
            return None;
        }
        let n_steps = width.unsigned_abs().div_ceil(step.unsigned_abs());
        let drawn = self.below(u64::try_from(n_steps).ok()?);
        i64::try_from(start + step * i128::from(drawn)).ok()
    }

    /// `choice(items)`; `None` when there are no items.
    pub fn choice<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        super::choice_index(items.len(), |n| self.below(n)).and_then(|idx| items.get(idx))
    }

    /// `shuffle(items)`.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        super::shuffle(items, |n| self.below(n));
    }
}

impl Serialize for PyRandom {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut state = serializer.serialize_tuple(3)?;
        state.serialize_element(&VERSION)?;
        state.serialize_element(&Words(&self.mt))?;
        state.serialize_element(&self.gauss_next.map(Float::to_hex))?;
        state.end()
    }
}

/// The version number with which CPython's state begins.
const VERSION: u8 = 3;

/// Serializes the words followed by the position.
struct Words<'m>(&'m Mt19937);

impl Serialize for Words<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut words = serializer.serialize_seq(Some(N + 1))?;
        for word in self.0.words() {
            words.serialize_element(word)?;
        }
        words.serialize_element(&self.0.position())?;
        words.end()
    }
}

impl Document for PyRandom {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<PyRandom> {
        node.list_of_len(3, faults)?;
        let version = node.item(0).int_in(VERSION.into()..=VERSION.into(), faults);
        let words = node.item(1).list_of_len(N + 1, faults);
        let mt = words.and_then(|words| match words.split_last() {
            Some((position, words)) => Mt19937::read(words, position, faults),
            None => None,
        });
        let gauss_next = node.item(2).null_or(faults, Float::read)?;
        version?;
        Some(PyRandom {
            mt: mt?,
            gauss_next,
        })
    }
}

impl JsonSchema for PyRandom {
    fn schema_name() -> Cow<'static, str> {
        "PyRandom".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "getstate() of Python's random.Random.",
            "type": "array",
            "prefixItems": [
                { "const": VERSION },
                {
                    "type": "array",
                    "items": { "type": "integer", "minimum": 0, "maximum": u32::MAX },
                    "minItems": N + 1,
                    "maxItems": N + 1
                },
                { "type": ["null", "string", "number"] }
            ],
            "minItems": 3,
            "maxItems": 3
        })
    }
}
