//! NumPy's `numpy.random.default_rng()`.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::{Seed, SeedSequence};
use crate::doc::{Document, Faults, Node};

/// Produces the draws of NumPy's `Generator` over `PCG64`: O'Neill's PCG XSL RR 128/64.
///
/// It is small, fast and cheap to seed, and so the generator for simulations. It is written as
/// `{"state", "inc", "has_uint32", "uinteger"}`, the first two as decimal strings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pcg64 {
    state: u128,
    /// Odd, so that every state is reached.
    inc: u128,
    /// The upper half of the last 64 bits, if only the lower half has been used.
    half: u32,
    has_half: bool,
}

impl Pcg64 {
    /// `default_rng(seed)`, for an integer seed.
    #[must_use]
    pub fn from_seed(seed: &Seed) -> Pcg64 {
        Pcg64::from_sequence(&SeedSequence::new(seed, &[]))
    }

    /// `default_rng(sequence)`.
    #[inline]
    #[must_use]
    pub fn from_sequence(sequence: &SeedSequence) -> Pcg64 {
        Pcg64::from_words(sequence.words64())
    }

    /// `default_rng(sequence)`, for a sequence with these [words](SeedSequence::words64).
    #[inline]
    #[must_use]
    pub fn from_words([start_high, start_low, inc_high, inc_low]: [u64; 4]) -> Pcg64 {
        let wide = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
        let mut rng = Pcg64 {
            state: 0,
            inc: wide(inc_high, inc_low) << 1 | 1,
            half: 0,
            has_half: false,
        };
        rng.advance();
        rng.state = rng.state.wrapping_add(wide(start_high, start_low));
        rng.advance();
        rng
    }

    /// The next 64 bits of the bit generator.
    #[inline]
    pub fn bits64(&mut self) -> u64 {
        self.advance();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    /// The next 32 bits: the lower half of 64 new bits, then their upper half.
    #[inline]
    pub fn bits32(&mut self) -> u32 {
        if self.has_half {
            self.has_half = false;
            return self.half;
        }
        let bits = self.bits64();
        self.half = (bits >> 32) as u32;
        self.has_half = true;
        bits as u32
    }

    /// `integers(0, n)` by Lemire's method, on 32-bit draws for `n` up to 2^32 and on 64-bit draws
    /// above; no draw when `n` is 0 or 1.
    #[inline(always)]
    pub fn below(&mut self, n: u64) -> u64 {
        match (n, u32::try_from(n)) {
            (0 | 1, _) => 0,
            (_, Ok(n)) => self.below32(n).into(),
            (0x1_0000_0000, _) => self.bits32().into(),
            _ => super::lemire64(n, || self.bits64()),
        }
    }

    /// `integers(low, high)`; `None` when the range is empty.
    pub fn integers(&mut self, low: i64, high: i64) -> Option<i64> {
        let width = u64::try_from(i128::from(high) - i128::from(low)).ok()?;
        (width > 0).then(|| low.wrapping_add_unsigned(self.below(width)))
    }

    /// `random()`.
    pub fn random(&mut self) -> f64 {
        (self.bits64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// `shuffle(items)` of a list. NumPy draws indexes by another method than `integers`: as many
    /// low bits as the last index has, until they are no greater than it.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        super::shuffle(items, |n| {
            let last = n - 1;
            let mask = u64::MAX >> last.leading_zeros();
            loop {
                let bits = match u32::try_from(last) {
                    Ok(_) => u64::from(self.bits32()),
                    Err(_) => self.bits64(),
                };
                if bits & mask <= last {
                    return bits & mask;
                }
            }
        });
    }

    #[inline]
    fn advance(&mut self) {
        const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.inc);
    }

    #[inline(always)]
    fn below32(&mut self, n: u32) -> u32 {
        let mut product = u64::from(self.bits32()) * u64::from(n);
        if (product as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u32) < threshold {
                product = u64::from(self.bits32()) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }
}

impl Serialize for Pcg64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Pcg64", 4)?;
        object.serialize_field("has_uint32", &u8::from(self.has_half))?;
        object.serialize_field("inc", &format_args!("{}", self.inc))?;
        object.serialize_field("state", &format_args!("{}", self.state))?;
        object.serialize_field("uinteger", &self.half)?;
        object.end()
    }
}

impl Document for Pcg64 {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Pcg64> {
        node.only_fields(&["has_uint32", "inc", "state", "uinteger"], faults);
        let state = node.field("state").u128_text(faults);
        let inc = node.field("inc").u128_text(faults);
        let has_half = node.field("has_uint32").int_in(0..=1, faults);
        let half = node.field("uinteger").int_in(0..=u32::MAX.into(), faults);
        let inc = inc?;
        if inc % 2 == 0 {
            return node
                .field("inc")
                .refuse("out_of_range", "an odd integer", faults);
        }
        Some(Pcg64 {
            state: state?,
            inc,
            half: half? as u32,
            has_half: has_half? == 1,
        })
    }
}

impl JsonSchema for Pcg64 {
    fn schema_name() -> Cow<'static, str> {
        "Pcg64".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The state of NumPy's PCG64 bit generator.",
            "type": "object",
            "properties": {
                "state": { "type": "string", "pattern": "^[0-9]+$" },
                "inc": { "type": "string", "pattern": "^[0-9]*[13579]$" },
                "has_uint32": { "enum": [0, 1] },
                "uinteger": { "type": "integer", "minimum": 0, "maximum": u32::MAX }
            },
            "required": ["state", "inc", "has_uint32", "uinteger"],
            "additionalProperties": false
        })
    }
}
