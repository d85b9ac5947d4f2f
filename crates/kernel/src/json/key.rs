//! The values that may be keys of an object.

use std::fmt;

use serde::ser::{Impossible, Serialize, Serializer};

use super::text::{push_displayed, push_i64, push_text, push_u64};
use super::write::CanonicalError;

/// Writes a key: a string, a character or the name of a variant as it is, an integer in decimal.
/// Any other value is refused.
pub(super) struct KeyWriter<'o>(pub(super) &'o mut Vec<u8>);

impl KeyWriter<'_> {
    fn text(self, text: &str) -> Result<(), CanonicalError> {
        push_text(self.0, text);
        Ok(())
    }

    fn signed(self, int: i64) -> Result<(), CanonicalError> {
        self.0.push(b'"');
        push_i64(self.0, int);
        self.0.push(b'"');
        Ok(())
    }

    fn unsigned(self, int: u64) -> Result<(), CanonicalError> {
        self.0.push(b'"');
        push_u64(self.0, int);
        self.0.push(b'"');
        Ok(())
    }
}

fn refused<T>() -> Result<T, CanonicalError> {
    Err(CanonicalError::new(
        "the key of an object must be a string or an integer",
    ))
}

impl Serializer for KeyWriter<'_> {
    type Ok = ();
    type Error = CanonicalError;
    type SerializeSeq = Impossible<(), CanonicalError>;
    type SerializeTuple = Impossible<(), CanonicalError>;
    type SerializeTupleStruct = Impossible<(), CanonicalError>;
    type SerializeTupleVariant = Impossible<(), CanonicalError>;
    type SerializeMap = Impossible<(), CanonicalError>;
    type SerializeStruct = Impossible<(), CanonicalError>;
    type SerializeStructVariant = Impossible<(), CanonicalError>;

    fn serialize_str(self, text: &str) -> Result<(), CanonicalError> {
        self.text(text)
    }

    fn serialize_char(self, char: char) -> Result<(), CanonicalError> {
        self.text(char.encode_utf8(&mut [0; 4]))
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), CanonicalError> {
        self.text(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), CanonicalError> {
        value.serialize(self)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<(), CanonicalError> {
        push_displayed(self.0, value).map_err(CanonicalError::from)
    }

    fn serialize_i8(self, int: i8) -> Result<(), CanonicalError> {
        self.signed(int.into())
    }

    fn serialize_i16(self, int: i16) -> Result<(), CanonicalError> {
        self.signed(int.into())
    }

    fn serialize_i32(self, int: i32) -> Result<(), CanonicalError> {
        self.signed(int.into())
    }

    fn serialize_i64(self, int: i64) -> Result<(), CanonicalError> {
        self.signed(int)
    }

    fn serialize_u8(self, int: u8) -> Result<(), CanonicalError> {
        self.unsigned(int.into())
    }

    fn serialize_u16(self, int: u16) -> Result<(), CanonicalError> {
        self.unsigned(int.into())
    }

    fn serialize_u32(self, int: u32) -> Result<(), CanonicalError> {
        self.unsigned(int.into())
    }

    fn serialize_u64(self, int: u64) -> Result<(), CanonicalError> {
        self.unsigned(int)
    }

    fn serialize_i128(self, int: i128) -> Result<(), CanonicalError> {
        self.text(&int.to_string())
    }

    fn serialize_u128(self, int: u128) -> Result<(), CanonicalError> {
        self.text(&int.to_string())
    }

    fn serialize_bool(self, _: bool) -> Result<(), CanonicalError> {
        refused()
    }

    fn serialize_f32(self, _: f32) -> Result<(), CanonicalError> {
        refused()
    }

    fn serialize_f64(self, _: f64) -> Result<(), CanonicalError> {
        refused()
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), CanonicalError> {
        refused()
    }

    fn serialize_none(self) -> Result<(), CanonicalError> {
        refused()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), CanonicalError> {
        refused()
    }

    fn serialize_unit(self) -> Result<(), CanonicalError> {
        refused()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), CanonicalError> {
        refused()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), CanonicalError> {
        refused()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, CanonicalError> {
        refused()
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, CanonicalError> {
        refused()
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, CanonicalError> {
        refused()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, CanonicalError> {
        refused()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, CanonicalError> {
        refused()
    }

    fn serialize_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStruct, CanonicalError> {
        refused()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, CanonicalError> {
        refused()
    }
}
