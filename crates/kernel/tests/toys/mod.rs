//! Toy games with the shapes of real ones, for tests of the kernel.

#![allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "each test program uses some of the toys"
)]

pub mod armada;
pub mod broken;
pub mod smugglers;

use std::ops::RangeInclusive;

use kernel::Seat;
use kernel::doc::{Faults, Node};

/// A small integer under a key.
pub fn int<T: TryFrom<i64>>(
    node: &Node<'_>,
    key: &str,
    range: RangeInclusive<i64>,
    faults: &mut Faults,
) -> Option<T> {
    T::try_from(node.field(key).int_in(range, faults)?).ok()
}

/// A small integer under a key, with a default for an omitted key.
pub fn int_or<T: TryFrom<i64>>(
    node: &Node<'_>,
    key: &str,
    range: RangeInclusive<i64>,
    standard: T,
    faults: &mut Faults,
) -> Option<T> {
    if node.field(key).exists() {
        int(node, key, range, faults)
    } else {
        Some(standard)
    }
}

/// One of the first `n_seats` seats.
pub fn seat(node: &Node<'_>, n_seats: usize, faults: &mut Faults) -> Option<Seat> {
    let idx = node.int_in(0..=n_seats as i64 - 1, faults)?;
    Seat::new(usize::try_from(idx).ok()?)
}

/// A list of exactly `N` values; every bad one is reported.
pub fn array<T, const N: usize>(
    node: &Node<'_>,
    faults: &mut Faults,
    mut read: impl FnMut(&Node<'_>, &mut Faults) -> Option<T>,
) -> Option<[T; N]> {
    let items = node.list_of_len(N, faults)?;
    let values: Vec<Option<T>> = items.iter().map(|item| read(item, faults)).collect();
    let values: Option<Vec<T>> = values.into_iter().collect();
    values?.try_into().ok()
}

/// Fills an observation from the front.
pub struct Writer<'a> {
    out: &'a mut [i16],
}

impl<'a> Writer<'a> {
    /// A writer at the start of the buffer.
    pub fn new(out: &'a mut [i16]) -> Writer<'a> {
        Writer { out }
    }

    pub fn value(&mut self, value: impl Into<i16>) {
        let (first, rest) = std::mem::take(&mut self.out)
            .split_first_mut()
            .expect("the layout has room for every value");
        *first = value.into();
        self.out = rest;
    }

    pub fn all(&mut self, values: impl IntoIterator<Item = u8>) {
        for value in values {
            self.value(value);
        }
    }
}
