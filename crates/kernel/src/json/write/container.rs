//! Lists and objects while they are being written.

use std::cmp::Ordering;

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};

use super::entries::{Entry, key_text};
use super::{CanonicalError, Writer};
use crate::json::key::KeyWriter;
use crate::json::text::push_text;

pub(super) struct List<'w, 'o> {
    writer: &'w mut Writer<'o>,
    n_items: usize,
    variant: Option<&'static str>,
}

impl<'w, 'o> List<'w, 'o> {
    #[inline]
    pub(super) fn open(
        writer: &'w mut Writer<'o>,
        variant: Option<&'static str>,
    ) -> Result<Self, CanonicalError> {
        if let Some(name) = variant {
            writer.open_variant(name)?;
        }
        writer.open(b'[')?;
        Ok(List {
            writer,
            n_items: 0,
            variant,
        })
    }

    #[inline]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
        if self.n_items > 0 {
            self.writer.out.extend_from_slice(b", ");
        }
        value
            .serialize(&mut *self.writer)
            .map_err(|error| in_variant(error.inside(self.n_items), self.variant))?;
        self.n_items += 1;
        Ok(())
    }

    #[inline]
    fn close(self) -> Result<(), CanonicalError> {
        self.writer.close(b']');
        if self.variant.is_some() {
            self.writer.close(b'}');
        }
        Ok(())
    }
}

pub(super) struct Object<'w, 'o> {
    writer: &'w mut Writer<'o>,
    /// The number of entries on the stack that belong to outer objects.
    first: usize,
    sorted: bool,
    awaits_value: bool,
    variant: Option<&'static str>,
}

impl<'w, 'o> Object<'w, 'o> {
    #[inline]
    pub(super) fn open(
        writer: &'w mut Writer<'o>,
        variant: Option<&'static str>,
    ) -> Result<Self, CanonicalError> {
        if let Some(name) = variant {
            writer.open_variant(name)?;
        }
        writer.open(b'{')?;
        Ok(Object {
            first: writer.entries.len(),
            writer,
            sorted: true,
            awaits_value: false,
            variant,
        })
    }

    #[inline]
    fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), CanonicalError> {
        if self.awaits_value {
            return Err(CanonicalError::new("a key without a value"));
        }
        let start = self.begin_entry();
        key.serialize(KeyWriter(self.writer.out))?;
        let escaped = self.writer.out[start..].contains(&b'\\');
        self.end_key(start, escaped)
    }

    #[inline]
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
        if !self.awaits_value {
            return Err(CanonicalError::new("a value without a key"));
        }
        self.awaits_value = false;
        let n_entries = self.writer.entries.len();
        let written = value.serialize(&mut *self.writer);
        written.map_err(|error| self.seen_from_entry(error, n_entries))
    }

    #[inline]
    fn field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), CanonicalError> {
        let start = self.begin_entry();
        let escaped = push_text(self.writer.out, key);
        self.end_key(start, escaped)?;
        self.value(value)
    }

    #[inline]
    fn begin_entry(&mut self) -> usize {
        let end = self.writer.out.len();
        if let Some(last) = self.writer.entries.since(self.first).last_mut() {
            last.end = end;
            self.writer.out.extend_from_slice(b", ");
        }
        self.writer.out.len()
    }

    #[inline]
    fn end_key(&mut self, start: usize, escaped: bool) -> Result<(), CanonicalError> {
        let Writer { out, entries, .. } = &mut *self.writer;
        let entry = Entry::begun(start, escaped, out);
        if self.sorted
            && let Some(last) = entries.since(self.first).last()
        {
            match last.key_order(&entry, out) {
                Ordering::Less => {}
                Ordering::Greater => self.sorted = false,
                Ordering::Equal => return Err(twice(entry.key(out))),
            }
        }
        entries.push(entry);
        out.extend_from_slice(b": ");
        self.awaits_value = true;
        Ok(())
    }

    #[inline]
    fn close(self) -> Result<(), CanonicalError> {
        if self.awaits_value {
            return Err(CanonicalError::new("a key without a value"));
        }
        if !self.sorted {
            sort(self.writer, self.first)?;
        }
        self.writer.entries.truncate(self.first);
        self.writer.close(b'}');
        if self.variant.is_some() {
            self.writer.close(b'}');
        }
        Ok(())
    }

    /// The error seen from this object. Removes the entries that a failed inner object left behind.
    fn seen_from_entry(&mut self, error: CanonicalError, n_entries: usize) -> CanonicalError {
        self.writer.entries.truncate(n_entries);
        let error = match self.writer.entries.since(self.first).last() {
            Some(entry) => error.inside(key_text(entry.key(self.writer.out))),
            None => error,
        };
        in_variant(error, self.variant)
    }
}

/// Sorts the entries of the innermost object by key.
#[inline(never)]
fn sort(writer: &mut Writer<'_>, first: usize) -> Result<(), CanonicalError> {
    let Writer {
        out,
        entries,
        scratch,
        ..
    } = writer;
    let entries = entries.since(first);
    let Some(base) = entries.first().map(|entry| entry.start) else {
        return Ok(());
    };
    if let Some(last) = entries.last_mut() {
        last.end = out.len();
    }
    // Equal keys end up next to each other, so some comparison has seen them.
    let mut repeated = None;
    entries.sort_unstable_by(|a, b| {
        let order = a.key_order(b, out);
        if order == Ordering::Equal && a.start != b.start {
            repeated = Some(*a);
        }
        order
    });
    if let Some(entry) = repeated {
        return Err(twice(entry.key(out)));
    }
    scratch.clear();
    scratch.extend_from_slice(&out[base..]);
    out.truncate(base);
    for (idx, entry) in entries.iter().enumerate() {
        if idx > 0 {
            out.extend_from_slice(b", ");
        }
        out.extend_from_slice(&scratch[entry.range_from(base)]);
    }
    Ok(())
}

fn twice(key: &[u8]) -> CanonicalError {
    let message = format!("the key {:?} is written twice", key_text(key));
    CanonicalError::new(message)
}

fn in_variant(error: CanonicalError, variant: Option<&'static str>) -> CanonicalError {
    match variant {
        Some(name) => error.inside(name),
        None => error,
    }
}

macro_rules! list_as {
    ($($shape:ident :: $item:ident),*) => {$(
        impl $shape for List<'_, '_> {
            type Ok = ();
            type Error = CanonicalError;

            #[inline]
            fn $item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
                self.item(value)
            }

            #[inline]
            fn end(self) -> Result<(), CanonicalError> {
                self.close()
            }
        }
    )*};
}

list_as!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
);

macro_rules! object_as {
    ($($shape:ident),*) => {$(
        impl $shape for Object<'_, '_> {
            type Ok = ();
            type Error = CanonicalError;

            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), CanonicalError> {
                self.field(key, value)
            }

            #[inline]
            fn end(self) -> Result<(), CanonicalError> {
                self.close()
            }
        }
    )*};
}

object_as!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for Object<'_, '_> {
    type Ok = ();
    type Error = CanonicalError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), CanonicalError> {
        self.key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
        self.value(value)
    }

    fn end(self) -> Result<(), CanonicalError> {
        self.close()
    }
}
