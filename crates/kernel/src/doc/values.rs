//! Readers for the basic values of documents.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use arrayvec::ArrayVec;
use serde::Serialize;

use super::{Document, Faults, Listed, Named, Node, StandIn};
use crate::json::{Hash, Json, from_value};
use crate::{Endings, Seat, SeatSet, Timestamp};

/// A number whose values a declaration restricts with `range`.
pub trait Ranged: Sized {
    /// The smallest value of the type.
    const LEAST: i128;
    /// The largest value of the type.
    const MOST: i128;

    /// Reads an integer within `range`.
    fn read_within(
        node: &Node<'_>,
        range: RangeInclusive<i128>,
        faults: &mut Faults,
    ) -> Option<Self>;
}

/// A list or a string whose length a declaration restricts with `length`.
pub trait Counted: Sized {
    /// Reads a value whose length is within `length`.
    fn read_counted(
        node: &Node<'_>,
        length: RangeInclusive<usize>,
        faults: &mut Faults,
    ) -> Option<Self>;
}

macro_rules! integers {
    ($($type:ty),+) => {$(
        impl Ranged for $type {
            const LEAST: i128 = <$type>::MIN as i128;
            const MOST: i128 = <$type>::MAX as i128;

            fn read_within(
                node: &Node<'_>,
                range: RangeInclusive<i128>,
                faults: &mut Faults,
            ) -> Option<$type> {
                <$type>::try_from(node.integer_in(range, faults)?).ok()
            }
        }

        impl Document for $type {
            fn read(node: &Node<'_>, faults: &mut Faults) -> Option<$type> {
                Self::read_within(node, Self::LEAST..=Self::MOST, faults)
            }
        }

        /// A number that may be omitted but must not be null.
        impl StandIn<Option<$type>> for $type {
            fn value(self) -> Option<$type> {
                Some(self)
            }
        }
    )+};
}

integers!(u8, u16, u32, u64, i8, i16, i32, i64);

impl<T: Ranged> Ranged for Option<T> {
    const LEAST: i128 = T::LEAST;
    const MOST: i128 = T::MOST;

    fn read_within(
        node: &Node<'_>,
        range: RangeInclusive<i128>,
        faults: &mut Faults,
    ) -> Option<Option<T>> {
        node.null_or(faults, |node, faults| T::read_within(node, range, faults))
    }
}

/// Reads a value that may be omitted but must not be null: for `#[document(read_with = given)]` on
/// an `Option` with `#[serde(default)]`.
pub fn given<T: Document>(node: &Node<'_>, faults: &mut Faults) -> Option<Option<T>> {
    T::read(node, faults).map(Some)
}

/// Reads the one of these values whose serialized form equals the document. `expected` describes
/// the values for the fault.
pub fn one_written<T: Serialize>(
    node: &Node<'_>,
    mut values: impl Iterator<Item = T>,
    expected: &str,
    faults: &mut Faults,
) -> Option<T> {
    let found = node.present(faults)?;
    let value = values.find(|it| from_value(it).is_ok_and(|written| written == *found));
    if value.is_none() {
        faults.at(node, "unknown_value", format!("expected {expected}"));
    }
    value
}

/// Reads a name of an enum: for `#[document(read_with = name::<T>)]`.
pub fn name<T: Named>(node: &Node<'_>, faults: &mut Faults) -> Option<&'static str> {
    node.one_of(T::NAMES, faults).map(|idx| T::NAMES[idx])
}

/// Reads null or an outcome that a game can have: for `#[document(read_with = outcome)]`.
pub fn outcome<E: Endings>(node: &Node<'_>, faults: &mut Faults) -> Option<Option<E>> {
    node.null_or(faults, |node, faults| {
        let expected = "null or an outcome that the game can have, with exactly the fields \
                        reason, result, truncated and winners";
        one_written(node, E::all(), expected, faults)
    })
}

impl Document for bool {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<bool> {
        node.bool(faults)
    }
}

impl Document for String {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<String> {
        node.text(faults).map(str::to_owned)
    }
}

impl<T: Document> Document for Option<T> {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Option<T>> {
        node.null_or(faults, T::read)
    }
}

impl<T: Document> Document for Box<T> {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Box<T>> {
        T::read(node, faults).map(Box::new)
    }
}

impl<T: Document> Document for Vec<T> {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<T>> {
        read_items(&node.list(faults)?, faults)
    }
}

impl<T: Document> Counted for Vec<T> {
    fn read_counted(
        node: &Node<'_>,
        length: RangeInclusive<usize>,
        faults: &mut Faults,
    ) -> Option<Vec<T>> {
        read_items(&node.list_of(length, faults)?, faults)
    }
}

/// The length is the number of characters.
impl Counted for String {
    fn read_counted(
        node: &Node<'_>,
        length: RangeInclusive<usize>,
        faults: &mut Faults,
    ) -> Option<String> {
        let text = node.text(faults)?;
        let (n_chars, least, most) = (text.chars().count(), length.start(), length.end());
        if n_chars > *most {
            let message = format!("expected at most {most} characters, found {n_chars}");
            faults.at(node, "too_long", message);
        } else if n_chars < *least {
            let message = format!("expected a length of at least {least}, found {n_chars}");
            faults.at(node, "too_short", message);
        }
        length.contains(&n_chars).then(|| text.to_owned())
    }
}

impl<T: Counted> Counted for Option<T> {
    fn read_counted(
        node: &Node<'_>,
        length: RangeInclusive<usize>,
        faults: &mut Faults,
    ) -> Option<Option<T>> {
        node.null_or(faults, |node, faults| T::read_counted(node, length, faults))
    }
}

impl<T: Document, const N: usize> Document for ArrayVec<T, N> {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<ArrayVec<T, N>> {
        Self::read_counted(node, 0..=N, faults)
    }
}

impl<T: Document, const N: usize> Counted for ArrayVec<T, N> {
    fn read_counted(
        node: &Node<'_>,
        length: RangeInclusive<usize>,
        faults: &mut Faults,
    ) -> Option<ArrayVec<T, N>> {
        let length = *length.start()..=*length.end().min(&N);
        let items: Vec<T> = read_items(&node.list_of(length, faults)?, faults)?;
        Some(items.into_iter().collect())
    }
}

impl<T: Document, const N: usize> Document for [T; N] {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<[T; N]> {
        let items: Vec<T> = read_items(&node.list_of_len(N, faults)?, faults)?;
        items.try_into().ok()
    }
}

/// Any of the names may be omitted.
impl<K: Listed + Ord, V: Document> Document for BTreeMap<K, V> {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<BTreeMap<K, V>> {
        node.only_fields(K::NAMES, faults);
        node.entries(faults)?;
        let entries = K::LIST.iter().zip(K::NAMES).filter_map(|(key, name)| {
            let field = node.field(name);
            field
                .exists()
                .then(|| Some((*key, V::read(&field, faults)?)))
        });
        let entries: Vec<Option<(K, V)>> = entries.collect();
        entries.into_iter().collect()
    }
}

/// An object with arbitrary keys.
impl<V: Document> Document for BTreeMap<String, V> {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<BTreeMap<String, V>> {
        let entries = node.entries(faults)?.into_iter();
        let entries = entries.map(|(key, node)| Some((key.to_owned(), V::read(&node, faults)?)));
        let entries: Vec<Option<(String, V)>> = entries.collect();
        entries.into_iter().collect()
    }
}

/// All items, or `None` with the faults of every item that cannot be read.
fn read_items<T: Document>(nodes: &[Node<'_>], faults: &mut Faults) -> Option<Vec<T>> {
    let items: Vec<Option<T>> = nodes.iter().map(|item| T::read(item, faults)).collect();
    items.into_iter().collect()
}

impl Document for Json {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Json> {
        node.present(faults).cloned()
    }
}

impl Document for Hash {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Hash> {
        let hash = node.text(faults)?.parse().ok();
        let expected = "sha256: and 64 lowercase hex digits";
        hash.or_else(|| node.refuse("not_a_hash", expected, faults))
    }
}

impl Document for Timestamp {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Timestamp> {
        node.parsed("not_a_timestamp", faults)
    }
}

impl Document for SeatSet {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<SeatSet> {
        let seats = Vec::<Seat>::read(node, faults)?;
        if seats.windows(2).all(|pair| pair[0] < pair[1]) {
            return Some(seats.into_iter().collect());
        }
        faults.at(
            node,
            "out_of_order",
            "expected each seat once, in ascending order",
        );
        None
    }
}
