//! Random generators whose draws anyone can reproduce.
//!
//! Three of them produce, draw for draw, the numbers of a well-known library from the same seed:
//! Python's `random`, NumPy's `RandomState` and NumPy's `default_rng`. The fourth is ChaCha20, for
//! matches where the next draw must be unpredictable. The state of each can be saved and restored
//! exactly, at any point between two draws.
//! point between two draws.

mod chacha20;
mod float_text;
mod mt19937;
mod numpy;
mod pcg64;
mod py_random;
mod seed;
mod seed_sequence;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use crate::doc::{Document, Faults, Names, Node};

pub use chacha20::ChaCha20;
pub use numpy::Numpy;
pub use pcg64::Pcg64;
pub use py_random::PyRandom;
pub use seed::{Seed, SeedError};
pub use seed_sequence::{SeedSequence, SeedSequences};

/// One of the generators, with its state.
///
/// Two are equal when they are of the same kind and serialize to the same state; then they give the
/// same draws forever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Generator {
    /// Python's `random.Random`.
    PyRandom(PyRandom),
    /// NumPy's `numpy.random.RandomState`.
    Numpy(Numpy),
    /// NumPy's `numpy.random.default_rng()`.
    Pcg64(Pcg64),
    /// The ChaCha20 stream cipher.
    ChaCha20(ChaCha20),
}

impl Generator {
    /// The generator that the library makes from this seed.
    #[must_use]
    pub fn from_seed(kind: GeneratorKind, seed: &Seed) -> Generator {
        match kind {
            GeneratorKind::PyRandom => Generator::PyRandom(PyRandom::from_seed(seed)),
            GeneratorKind::Numpy => Generator::Numpy(Numpy::from_seed(seed)),
            GeneratorKind::Pcg64 => Generator::Pcg64(Pcg64::from_seed(seed)),
            GeneratorKind::ChaCha20 => Generator::ChaCha20(ChaCha20::from_seed(seed)),
        }
    }

    /// The kind of this generator.
    #[must_use]
    pub fn kind(&self) -> GeneratorKind {
        match self {
            Generator::PyRandom(_) => GeneratorKind::PyRandom,
            Generator::Numpy(_) => GeneratorKind::Numpy,
            Generator::Pcg64(_) => GeneratorKind::Pcg64,
            Generator::ChaCha20(_) => GeneratorKind::ChaCha20,
        }
    }

    /// A uniform integer from 0 to `n` - 1, by the library's own method. Returns 0 without a draw
    /// when `n` is 0.
    #[inline(always)]
    pub fn below(&mut self, n: u64) -> u64 {
        match self {
            // The generator of simulations, which draw in their inner loop.
            Generator::Pcg64(rng) => rng.below(n),
            other => other.below_called(n),
        }
    }

    #[inline(never)]
    fn below_called(&mut self, n: u64) -> u64 {
        match self {
            Generator::PyRandom(rng) => rng.below(n),
            Generator::Numpy(rng) => rng.below(n),
            Generator::Pcg64(rng) => rng.below(n),
            Generator::ChaCha20(rng) => rng.below(n),
        }
    }

    /// 64 uniform bits: `getrandbits(64)` in Python, the bit generator's next 64 bits in NumPy.
    #[inline]
    pub fn bits64(&mut self) -> u64 {
        match self {
            Generator::PyRandom(rng) => rng.getrandbits64(64),
            Generator::Numpy(rng) => rng.bits64(),
            Generator::Pcg64(rng) => rng.bits64(),
            Generator::ChaCha20(rng) => rng.bits64(),
        }
    }

    /// Shuffles the items as the library shuffles a Python list.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        match self {
            Generator::PyRandom(rng) => rng.shuffle(items),
            Generator::Numpy(rng) => rng.shuffle(items),
            Generator::Pcg64(rng) => rng.shuffle(items),
            Generator::ChaCha20(rng) => rng.shuffle(items),
        }
    }

    /// The index of a uniform choice among `len` items, made like the library's `choice`; `None`
    /// when `len` is 0.
    pub fn choice_index(&mut self, len: usize) -> Option<usize> {
        choice_index(len, |n| self.below(n))
    }
}

/// The supported generators.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "snake_case")]
pub enum GeneratorKind {
    /// `py_random`.
    PyRandom,
    /// `numpy`.
    Numpy,
    /// `pcg64`.
    Pcg64,
    /// `chacha20`.
    #[serde(rename = "chacha20")]
    ChaCha20,
}

impl fmt::Display for GeneratorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for GeneratorKind {
    type Err = UnknownGenerator;

    fn from_str(text: &str) -> Result<GeneratorKind, UnknownGenerator> {
        let named = |kind: &GeneratorKind| kind.name() == text;
        Self::ALL.into_iter().find(named).ok_or(UnknownGenerator)
    }
}

/// The error for a string that names no generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownGenerator;

impl fmt::Display for UnknownGenerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a generator must be {}",
            GeneratorKind::NAMES.join(" or ")
        )
    }
}

impl std::error::Error for UnknownGenerator {}

impl Serialize for Generator {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Generator", 2)?;
        match self {
            Generator::PyRandom(rng) => object.serialize_field("state", rng)?,
            Generator::Numpy(rng) => object.serialize_field("state", rng)?,
            Generator::Pcg64(rng) => object.serialize_field("state", rng)?,
            Generator::ChaCha20(rng) => object.serialize_field("state", rng)?,
        }
        object.serialize_field("type", &self.kind())?;
        object.end()
    }
}

impl Document for Generator {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Generator> {
        node.only_fields(&["state", "type"], faults);
        let kind = GeneratorKind::read(&node.field("type"), faults)?;
        let state = node.field("state");
        match kind {
            GeneratorKind::PyRandom => PyRandom::read(&state, faults).map(Generator::PyRandom),
            GeneratorKind::Numpy => Numpy::read(&state, faults).map(Generator::Numpy),
            GeneratorKind::Pcg64 => Pcg64::read(&state, faults).map(Generator::Pcg64),
            GeneratorKind::ChaCha20 => ChaCha20::read(&state, faults).map(Generator::ChaCha20),
        }
    }
}

impl JsonSchema for Generator {
    fn schema_name() -> Cow<'static, str> {
        "Generator".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = |kind: GeneratorKind, state: Schema| {
            json_schema!({
                "type": "object",
                "properties": { "type": { "const": kind.name() }, "state": state },
                "required": ["type", "state"],
                "additionalProperties": false
            })
        };
        json_schema!({
            "description": "A random generator and its exact state.",
            "oneOf": [
                one(GeneratorKind::PyRandom, PyRandom::json_schema(generator)),
                one(GeneratorKind::Numpy, Numpy::json_schema(generator)),
                one(GeneratorKind::Pcg64, Pcg64::json_schema(generator)),
                one(GeneratorKind::ChaCha20, ChaCha20::json_schema(generator))
            ]
        })
    }
}

/// A uniform index below `len`, drawn by `below`.
#[inline]
fn choice_index(len: usize, below: impl FnOnce(u64) -> u64) -> Option<usize> {
    (len > 0).then(|| below(len as u64) as usize)
}

/// Fisher–Yates from the last item down: swaps each item with a random one up to and including
/// itself.
#[inline]
fn shuffle<T>(items: &mut [T], mut below: impl FnMut(u64) -> u64) {
    for idx in (1..items.len()).rev() {
        let other = below(idx as u64 + 1) as usize;
        items.swap(idx, other);
    }
}

/// Lemire's unbiased integer below `n` from 64-bit draws; `n` must be at least 1.
#[inline]
fn lemire64(n: u64, mut next: impl FnMut() -> u64) -> u64 {
    let mut product = u128::from(next()) * u128::from(n);
    if (product as u64) < n {
        let threshold = n.wrapping_neg() % n;
        while (product as u64) < threshold {
            product = u128::from(next()) * u128::from(n);
        }
    }
    (product >> 64) as u64
}
