//! NumPy's `numpy.random.RandomState`.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, SerializeTuple, Serializer};

use super::Seed;
use super::float_text::Float;
use super::mt19937::{Mt19937, N};
use crate::doc::{Document, Faults, Node};

/// Produces the draws of NumPy's `RandomState`, and is written as its `get_state()`:
/// `["MT19937", [624 words], position, has_gauss, cached]`.
///
/// `cached`, the second half of a pair kept by `standard_normal`, is preserved but not used. It is
/// 0 when `has_gauss` is 0 and otherwise the string of `float.hex()`; a plain number is also
/// accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numpy {
    mt: Mt19937,
    gauss: Option<Float>,
}

impl Numpy {
    /// `RandomState(seed)` for a seed below 2^32. NumPy accepts no larger integer, but it accepts
    /// lists of words: a larger seed is `RandomState(words)` with its 32-bit words, least
    /// significant first.
    #[must_use]
    pub fn from_seed(seed: &Seed) -> Numpy {
        let mt = match seed.key() {
            [word] => Mt19937::from_word(*word),
            words => Mt19937::from_key(words),
        };
        Numpy { mt, gauss: None }
    }

    /// `random_sample()`.
    pub fn random_sample(&mut self) -> f64 {
        self.mt.unit_float()
    }

    /// The next 64 bits of the bit generator: two words, the more significant first.
    #[inline]
    pub fn bits64(&mut self) -> u64 {
        let high = u64::from(self.mt.next_u32());
        high << 32 | u64::from(self.mt.next_u32())
    }

    /// `randint(0, n)`: draws as many low bits as `n - 1` has until they are below `n`. One word is
    /// drawn at a time for `n` up to 2^32, two above; none when `n` is 0 or 1.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        let Some(last) = n.checked_sub(1).filter(|last| *last > 0) else {
            return 0;
        };
        let mask = u64::MAX >> last.leading_zeros();
        loop {
            let bits = match u32::try_from(last) {
                Ok(_) => u64::from(self.mt.next_u32()),
                Err(_) => self.bits64(),
            };
            if bits & mask <= last {
                return bits & mask;
            }
        }
    }

    /// `randint(low, high)`; `None` when the range is empty.
    pub fn randint(&mut self, low: i64, high: i64) -> Option<i64> {
        let width = u64::try_from(i128::from(high) - i128::from(low)).ok()?;
        (width > 0).then(|| low.wrapping_add_unsigned(self.below(width)))
    }

    /// `shuffle(items)` of a list.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        super::shuffle(items, |n| self.below(n));
    }
}

impl Serialize for Numpy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut state = serializer.serialize_tuple(5)?;
        state.serialize_element(NAME)?;
        state.serialize_element(&self.mt.words()[..])?;
        state.serialize_element(&self.mt.position())?;
        state.serialize_element(&u8::from(self.gauss.is_some()))?;
        match self.gauss {
            Some(float) => state.serialize_element(&float.to_hex())?,
            None => state.serialize_element(&0)?,
        }
        state.end()
    }
}

/// The name with which NumPy's state begins.
const NAME: &str = "MT19937";

impl Document for Numpy {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Numpy> {
        node.list_of_len(5, faults)?;
        let name = node.item(0).one_of(&[NAME], faults);
        let words = node.item(1).list_of_len(N, faults);
        let mt = match words {
            Some(words) => Mt19937::read(&words, &node.item(2), faults),
            None => {
                node.item(2).int_in(0..=N as i64, faults);
                None
            }
        };
        let has_gauss = node.item(3).int_in(0..=1, faults);
        let cached = Float::read(&node.item(4), faults)?;
        let gauss = (has_gauss? == 1).then_some(cached);
        if gauss.is_none() && !cached.is_zero() {
            return node
                .item(4)
                .refuse("out_of_range", "0, because has_gauss is 0", faults);
        }
        name?;
        Some(Numpy { mt: mt?, gauss })
    }
}

impl JsonSchema for Numpy {
    fn schema_name() -> Cow<'static, str> {
        "Numpy".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "get_state() of NumPy's RandomState.",
            "type": "array",
            "prefixItems": [
                { "const": NAME },
                {
                    "type": "array",
                    "items": { "type": "integer", "minimum": 0, "maximum": u32::MAX },
                    "minItems": N,
                    "maxItems": N
                },
                { "type": "integer", "minimum": 0, "maximum": N },
                { "enum": [0, 1] },
                { "type": ["string", "number"] }
            ],
            "minItems": 5,
            "maxItems": 5
        })
    }
}
