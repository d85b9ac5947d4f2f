//! JSON as the referee reads and writes it.
//!
//! A document has exactly one canonical spelling: the bytes that Python's
//! `json.dumps(document, sort_keys=True)` returns. Anyone can check a [`struct@Hash`] in one line.
//!
//! ```
//! use kernel::json;
//! let document = json::read(br#"{"b": [1, true], "a": "\u00e9"}"#).unwrap();
//! assert_eq!(json::to_canonical(&document).unwrap(), br#"{"a": "\u00e9", "b": [1, true]}"#);
//! ```

mod hash;
mod key;
mod pretty;
mod read;
mod real;
mod text;
mod write;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};

pub(crate) use hash::hex_32_bytes;
pub use hash::{Hash, HashError};
pub use read::{ReadError, read};
pub use real::{NotANumber, Real};
pub use write::{CanonicalError, from_value, to_canonical, write_canonical};

/// The maximum depth of nested lists and objects, for reading and writing.
pub const DEPTH_MAX: usize = 64;

/// A JSON document, or a part of one.
///
/// Object keys are in code-point order, which is the canonical order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer. [`read`] produces only 64-bit integers, signed or unsigned.
    Int(i128),
    /// A number that is not allowed in a hashed document: one with a fraction or an exponent, or an
    /// integer beyond 64 bits. It is kept as written, so that a reader can report its place or read
    /// it exactly; it has no canonical form.
    Real(Real),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// An object.
    Object(BTreeMap<String, Json>),
}

impl Json {
    /// An object with these entries.
    pub fn object<const N: usize>(entries: [(&str, Json); N]) -> Json {
        Json::Object(
            entries
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect(),
        )
    }

    /// A list of these strings.
    pub fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Json {
        Json::List(
            texts
                .into_iter()
                .map(|text| Json::Text(text.to_owned()))
                .collect(),
        )
    }

    /// The integer, if this is one.
    #[must_use]
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Json::Int(int) => Some(*int),
            _ => None,
        }
    }

    /// The boolean, if this is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Json::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The string, if this is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items, if this is a list.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Json]> {
        match self {
            Json::List(items) => Some(items),
            _ => None,
        }
    }

    /// The entries, if this is an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&BTreeMap<String, Json>> {
        match self {
            Json::Object(entries) => Some(entries),
            _ => None,
        }
    }

    /// True if this is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Json::Null)
    }

    /// The value under `key`, if this is an object that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.as_object()?.get(key)
    }

    /// The value at a JSON pointer (RFC 6901): `""` is the document, `"/a/0"` is the first item of
    /// the list under `a`; `~1` means `/` and `~0` means `~`.
    #[must_use]
    pub fn pointer(&self, pointer: &str) -> Option<&Json> {
        if pointer.is_empty() {
            return Some(self);
        }
        let steps = pointer.strip_prefix('/')?.split('/');
        steps.into_iter().try_fold(self, |place, step| {
            let step = step.replace("~1", "/").replace("~0", "~");
            match place {
                Json::Object(entries) => entries.get(&step),
                Json::List(items) => items.get(list_idx(&step)?),
                _ => None,
            }
        })
    }
}

/// The full canonical text; a real number, which has no canonical form, is written in Rust's form.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match to_canonical(self) {
            Ok(bytes) => f.write_str(&String::from_utf8_lossy(&bytes)),
            Err(_) => write!(f, "{self:?}"),
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Int(int) => match (i64::try_from(*int), u64::try_from(*int)) {
                (Ok(int), _) => serializer.serialize_i64(int),
                (_, Ok(int)) => serializer.serialize_u64(int),
                _ => serializer.serialize_i128(*int),
            },
            Json::Real(real) => serializer.serialize_f64(real.to_f64()),
            Json::Text(text) => serializer.serialize_str(text),
            Json::List(items) => serializer.collect_seq(items),
            Json::Object(entries) => serializer.collect_map(entries),
        }
    }
}

/// A list index in a pointer: digits without a leading zero.
fn list_idx(step: &str) -> Option<usize> {
    let plain = step.bytes().all(|byte| byte.is_ascii_digit());
    let padded = step.len() > 1 && step.starts_with('0');
    if plain && !padded {
        step.parse().ok()
    } else {
        None
    }
}
