//! One value for each seat.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut, Index, IndexMut};
use std::slice;

use arrayvec::ArrayVec;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::doc::{Document, Faults, Node};
use crate::{SEATS_MAX, Seat, Viewer};

/// One value for each seat of a match with at most `N` seats; a smaller `N` takes less memory.
/// Documents write it as a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct PerSeat<T, const N: usize = SEATS_MAX>(ArrayVec<T, N>);

impl<T, const N: usize> PerSeat<T, N> {
    /// The same value for each of `n_seats` seats, at most `N`.
    pub fn new(n_seats: impl Into<usize>, value: T) -> PerSeat<T, N>
    where
        T: Clone,
    {
        PerSeat(std::iter::repeat_n(value, n_seats.into().min(N)).collect())
    }

    /// Every seat in order.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + use<T, N> {
        Seat::first(self.len())
    }

    /// Every seat in turn order, beginning with this one.
    pub fn from(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<T, N> {
        [seat].into_iter().chain(self.after(seat)).take(self.len())
    }

    /// Every seat in turn order, beginning after this one, which comes last.
    pub fn after(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<T, N> {
        seat.followers(self.len())
    }

    /// The values of all seats but the viewer's own.
    pub fn hidden_from(&mut self, viewer: Viewer) -> impl Iterator<Item = &mut T> {
        let values = Seat::first(N).zip(&mut self.0);
        values.filter_map(move |(seat, value)| (!viewer.is(seat)).then_some(value))
    }
}

impl<T, const N: usize> Index<Seat> for PerSeat<T, N> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T, const N: usize> IndexMut<Seat> for PerSeat<T, N> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

impl<T, const N: usize> Deref for PerSeat<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T, const N: usize> DerefMut for PerSeat<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a PerSeat<T, N> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> slice::Iter<'a, T> {
        self.0.iter()
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a mut PerSeat<T, N> {
    type Item = &'a mut T;
    type IntoIter = slice::IterMut<'a, T>;

    fn into_iter(self) -> slice::IterMut<'a, T> {
        self.0.iter_mut()
    }
}

impl<T: Document, const N: usize> Document for PerSeat<T, N> {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<PerSeat<T, N>> {
        ArrayVec::read(node, faults).map(PerSeat)
    }
}

impl<T: JsonSchema, const N: usize> JsonSchema for PerSeat<T, N> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        ArrayVec::<T, N>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        ArrayVec::<T, N>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turn_order_begins_anywhere() {
        let values = PerSeat::<u8, 4>::new(3_u8, 0);
        let order = |seats: Vec<Seat>| seats.into_iter().map(Seat::index).collect::<Vec<_>>();
        assert_eq!(order(values.seats().collect()), [0, 1, 2]);
        assert_eq!(order(values.from(Seat::SECOND).collect()), [1, 2, 0]);
        assert_eq!(order(values.after(Seat::SECOND).collect()), [2, 0, 1]);
    }

    #[test]
    fn a_viewer_does_not_see_the_values_of_others() {
        let mut values = PerSeat::<u8, 4>::new(9_u8, 0);
        assert_eq!(values.len(), 4);
        for value in values.hidden_from(Viewer::Seat(Seat::SECOND)) {
            *value += 1;
        }
        values
            .hidden_from(Viewer::Public)
            .for_each(|value| *value += 1);
        assert_eq!(*values, [2, 1, 2, 2]);
    }
}
