//! The canonical writer.

use std::fmt;

use serde::ser::{self, Serialize, Serializer};

use super::text::{push_displayed, push_i64, push_text, push_u64};
use super::{DEPTH_MAX, Json, read};
use crate::doc::push_step;

mod container;
mod entries;

use container::{List, Object};
use entries::Entries;

/// The canonical bytes of `value`.
///
/// They are what Python's `json.dumps(document, sort_keys=True)` returns for the same document, and
/// [`read`](super::read()) reads them back; floats, bytes and integers beyond 64 bits are therefore
/// refused. Enums are written as `serde_json` writes them. An integer key becomes a string and is
/// sorted as one, because that is the document a reader gets.
pub fn to_canonical<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, CanonicalError> {
    let mut out = Vec::with_capacity(128);
    write_canonical(value, &mut out)?;
    Ok(out)
}

/// Appends the canonical bytes of `value` to `out`; on an error `out` is left unchanged.
///
/// Values whose keys arrive in order are written in one pass. While the open objects have no more
/// than 48 keys in total, only `out` allocates.
pub fn write_canonical<T: Serialize + ?Sized>(
    value: &T,
    out: &mut Vec<u8>,
) -> Result<(), CanonicalError> {
    let n_before = out.len();
    let mut writer = Writer::new(out);
    let written = value.serialize(&mut writer);
    if written.is_err() {
        out.truncate(n_before);
    }
    written
}

/// Converts `value` to the document that it serializes to. A value without a canonical form is
/// refused.
pub fn from_value<T: Serialize + ?Sized>(value: &T) -> Result<Json, CanonicalError> {
    let bytes = to_canonical(value)?;
    read(&bytes).map_err(|error| CanonicalError::new(error.to_string()))
}

/// The reason a value has no canonical form, and the place in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalError(Box<Refusal>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Refusal {
    /// The path to the place, innermost step first.
    steps: Vec<String>,
    message: String,
}

impl CanonicalError {
    pub(super) fn new(message: impl Into<String>) -> CanonicalError {
        CanonicalError(Box::new(Refusal {
            steps: Vec::new(),
            message: message.into(),
        }))
    }

    /// The JSON pointer of the place, `""` for the entire value.
    #[must_use]
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in self.0.steps.iter().rev() {
            push_step(&mut pointer, step);
        }
        pointer
    }

    /// The fault described in a sentence.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The same error seen from the container that has the place under `step`.
    fn inside(mut self, step: impl fmt::Display) -> CanonicalError {
        self.0.steps.push(step.to_string());
        self
    }
}

impl fmt::Display for CanonicalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer().as_str() {
            "" => write!(f, "at the document: {}", self.0.message),
            pointer => write!(f, "at {pointer}: {}", self.0.message),
        }
    }
}

impl std::error::Error for CanonicalError {}

impl ser::Error for CanonicalError {
    fn custom<T: fmt::Display>(message: T) -> CanonicalError {
        CanonicalError::new(message.to_string())
    }
}

impl From<fmt::Error> for CanonicalError {
    fn from(_: fmt::Error) -> CanonicalError {
        CanonicalError::new("this value could not be displayed")
    }
}

/// The output buffer, and the state of the objects that are still open.
struct Writer<'o> {
    out: &'o mut Vec<u8>,
    depth: usize,
    entries: Entries,
    scratch: Vec<u8>,
}

impl<'o> Writer<'o> {
    fn new(out: &'o mut Vec<u8>) -> Writer<'o> {
        Writer {
            out,
            depth: 0,
            entries: Entries::new(),
            scratch: Vec::new(),
        }
    }

    #[inline]
    fn open(&mut self, bracket: u8) -> Result<(), CanonicalError> {
        if self.depth == DEPTH_MAX {
            return Err(CanonicalError::new(format!(
                "lists and objects are nested more than {DEPTH_MAX} levels deep"
            )));
        }
        self.depth += 1;
        self.out.push(bracket);
        Ok(())
    }

    #[inline]
    fn close(&mut self, bracket: u8) {
        self.depth -= 1;
        self.out.push(bracket);
    }

    /// Writes `{"Name": `, before the content of a variant; [`Writer::close`] ends it.
    #[inline]
    fn open_variant(&mut self, name: &str) -> Result<(), CanonicalError> {
        self.open(b'{')?;
        push_text(self.out, name);
        self.out.extend_from_slice(b": ");
        Ok(())
    }

    #[inline]
    fn word(&mut self, word: &str) -> Result<(), CanonicalError> {
        self.out.extend_from_slice(word.as_bytes());
        Ok(())
    }

    #[inline]
    fn signed(&mut self, int: i64) -> Result<(), CanonicalError> {
        push_i64(self.out, int);
        Ok(())
    }

    #[inline]
    fn unsigned(&mut self, int: u64) -> Result<(), CanonicalError> {
        push_u64(self.out, int);
        Ok(())
    }
}

fn too_wide<T>(int: impl fmt::Display) -> Result<T, CanonicalError> {
    let message = format!("the integer {int} is beyond 64 bits: write it as a string");
    Err(CanonicalError::new(message))
}

fn no_float<T>(float: f64) -> Result<T, CanonicalError> {
    let message = format!("a document must not contain floats, found {float}");
    Err(CanonicalError::new(message))
}

impl<'w, 'o> Serializer for &'w mut Writer<'o> {
    type Ok = ();
    type Error = CanonicalError;
    type SerializeSeq = List<'w, 'o>;
    type SerializeTuple = List<'w, 'o>;
    type SerializeTupleStruct = List<'w, 'o>;
    type SerializeTupleVariant = List<'w, 'o>;
    type SerializeMap = Object<'w, 'o>;
    type SerializeStruct = Object<'w, 'o>;
    type SerializeStructVariant = Object<'w, 'o>;

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<(), CanonicalError> {
        self.word(if value { "true" } else { "false" })
    }

    #[inline]
    fn serialize_i8(self, int: i8) -> Result<(), CanonicalError> {
        self.signed(int.into())
    }

    #[inline]
    fn serialize_i16(self, int: i16) -> Result<(), CanonicalError> {
        self.signed(int.into())
    }

    #[inline]
    fn serialize_i32(self, int: i32) -> Result<(), CanonicalError> {
        self.signed(int.into())
    }

    #[inline]
    fn serialize_i64(self, int: i64) -> Result<(), CanonicalError> {
        self.signed(int)
    }

    #[inline]
    fn serialize_u8(self, int: u8) -> Result<(), CanonicalError> {
        self.unsigned(int.into())
    }

    #[inline]
    fn serialize_u16(self, int: u16) -> Result<(), CanonicalError> {
        self.unsigned(int.into())
    }

    #[inline]
    fn serialize_u32(self, int: u32) -> Result<(), CanonicalError> {
        self.unsigned(int.into())
    }

    #[inline]
    fn serialize_u64(self, int: u64) -> Result<(), CanonicalError> {
        self.unsigned(int)
    }

    #[inline]
    fn serialize_i128(self, int: i128) -> Result<(), CanonicalError> {
        match (i64::try_from(int), u64::try_from(int)) {
            (Ok(int), _) => self.signed(int),
            (_, Ok(int)) => self.unsigned(int),
            _ => too_wide(int),
        }
    }

    #[inline]
    fn serialize_u128(self, int: u128) -> Result<(), CanonicalError> {
        u64::try_from(int).map_or_else(|_| too_wide(int), |int| self.unsigned(int))
    }

    #[inline]
    fn serialize_f32(self, float: f32) -> Result<(), CanonicalError> {
        no_float(float.into())
    }

    #[inline]
    fn serialize_f64(self, float: f64) -> Result<(), CanonicalError> {
        no_float(float)
    }

    #[inline]
    fn serialize_char(self, char: char) -> Result<(), CanonicalError> {
        self.serialize_str(char.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, text: &str) -> Result<(), CanonicalError> {
        push_text(self.out, text);
        Ok(())
    }

    #[inline]
    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<(), CanonicalError> {
        push_displayed(self.out, value).map_err(CanonicalError::from)
    }

    #[inline]
    fn serialize_bytes(self, _: &[u8]) -> Result<(), CanonicalError> {
        Err(CanonicalError::new("a document must not contain raw bytes"))
    }

    #[inline]
    fn serialize_none(self) -> Result<(), CanonicalError> {
        self.word("null")
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), CanonicalError> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_unit(self) -> Result<(), CanonicalError> {
        self.word("null")
    }

    #[inline]
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), CanonicalError> {
        self.word("null")
    }

    #[inline]
    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), CanonicalError> {
        self.serialize_str(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), CanonicalError> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), CanonicalError> {
        self.open_variant(variant)?;
        value
            .serialize(&mut *self)
            .map_err(|error| error.inside(variant))?;
        self.close(b'}');
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<List<'w, 'o>, CanonicalError> {
        List::open(self, None)
    }

    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<List<'w, 'o>, CanonicalError> {
        List::open(self, None)
    }

    #[inline]
    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<List<'w, 'o>, CanonicalError> {
        List::open(self, None)
    }

    #[inline]
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<List<'w, 'o>, CanonicalError> {
        List::open(self, Some(variant))
    }

    #[inline]
    fn serialize_map(self, _: Option<usize>) -> Result<Object<'w, 'o>, CanonicalError> {
        Object::open(self, None)
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Object<'w, 'o>, CanonicalError> {
        Object::open(self, None)
    }

    #[inline]
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Object<'w, 'o>, CanonicalError> {
        Object::open(self, Some(variant))
    }
}
