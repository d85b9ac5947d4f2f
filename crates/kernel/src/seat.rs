//! The seats of a match, and the viewers of a position.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::doc::Document;

/// The fewest seats a match can have.
pub const SEATS_MIN: usize = 2;
/// The most seats a match can have.
pub const SEATS_MAX: usize = 16;

/// A place in a match, counted from 0. On the wire it is the `player_id`.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, JsonSchema, Document,
)]
#[serde(transparent)]
pub struct Seat(#[schemars(range(max = 15))] u8);

impl Seat {
    /// The first seat of every match.
    pub const FIRST: Seat = Seat(0);
    /// The second seat of every match.
    pub const SECOND: Seat = Seat(1);

    /// The seat with this index; `None` from [`SEATS_MAX`] up.
    pub const fn new(idx: usize) -> Option<Seat> {
        if idx < SEATS_MAX {
            Some(Seat(idx as u8))
        } else {
            None
        }
    }

    /// The index, for looking things up in per-seat arrays.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The first `n_seats` seats in order, at most [`SEATS_MAX`].
    pub fn first(n_seats: usize) -> impl DoubleEndedIterator<Item = Seat> {
        (0..n_seats.min(SEATS_MAX) as u8).map(Seat)
    }
}

impl Seat {
    /// The seats in turn order after this one, which comes last, in a match with `n_seats`.
    pub fn followers(self, n_seats: usize) -> impl Iterator<Item = Seat> {
        let seat = move |steps: usize| Seat::new((self.index() + steps) % n_seats);
        (1..=n_seats).filter_map(seat)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of seats, small enough to copy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SeatSet(u16);

impl SeatSet {
    /// The empty set.
    pub const EMPTY: SeatSet = SeatSet(0);

    /// The first `n_seats` seats.
    pub fn first(n_seats: usize) -> SeatSet {
        Seat::first(n_seats).collect()
    }

    /// The set of just this seat.
    pub const fn only(seat: Seat) -> SeatSet {
        SeatSet(1 << seat.0)
    }

    /// This set with the seat added.
    #[must_use]
    pub const fn with(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 | 1 << seat.0)
    }

    /// This set with the seat removed.
    #[must_use]
    pub const fn without(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 & !(1 << seat.0))
    }

    /// True if the seat is in the set.
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 & (1 << seat.0) != 0
    }

    /// The seats that are in both sets.
    #[must_use]
    pub const fn intersection(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 & other.0)
    }

    /// True if every seat of this set is in `other`.
    pub const fn is_subset(self, other: SeatSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// True if no seat is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of seats in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The seat with the lowest index.
    pub fn lowest(self) -> Option<Seat> {
        Seat::new(self.0.trailing_zeros() as usize).filter(|_| self.0 != 0)
    }

    /// The only seat of a set of one; `None` for any other set.
    pub fn sole(self) -> Option<Seat> {
        self.lowest().filter(|_| self.len() == 1)
    }

    /// The seats in ascending order of index.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let rest = std::iter::successors(Some(self.0), |rest| Some(rest & rest.wrapping_sub(1)));
        rest.take_while(|&rest| rest != 0)
            .map(|rest| Seat(rest.trailing_zeros() as u8))
    }
}

impl From<Seat> for SeatSet {
    fn from(seat: Seat) -> SeatSet {
        SeatSet::only(seat)
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        seats.into_iter().fold(SeatSet::EMPTY, SeatSet::with)
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for SeatSet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// The viewer for whom a view is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Viewer {
    /// A player, who sees their own secrets and no others.
    Seat(Seat),
    /// A spectator, who sees what is public.
    Public,
}

impl Viewer {
    /// Every viewer of a match with `n_seats` seats: each seat, then the public.
    pub fn all(n_seats: usize) -> impl Iterator<Item = Viewer> {
        Seat::first(n_seats)
            .map(Viewer::Seat)
            .chain([Viewer::Public])
    }

    /// True if this viewer may know what only `seat` may know.
    pub fn is(self, seat: Seat) -> bool {
        self == Viewer::Seat(seat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_sixteen_seats_and_no_more() {
        assert_eq!(Seat::new(15).map(Seat::index), Some(15));
        assert_eq!(Seat::new(16), None);
        assert_eq!(Seat::first(99).count(), SEATS_MAX);
        assert_eq!(SeatSet::first(16).len(), 16);
    }

    #[test]
    fn play_goes_around_the_table() {
        let order: Vec<usize> = Seat::SECOND.followers(4).map(Seat::index).collect();
        assert_eq!(order, [2, 3, 0, 1]);
        assert_eq!(Seat::FIRST.followers(0).count(), 0);
    }

    #[test]
    fn a_set_holds_what_was_put_in() {
        let set = SeatSet::only(Seat::SECOND).with(Seat(7));
        assert_eq!(set.iter().map(Seat::index).collect::<Vec<_>>(), [1, 7]);
        assert!(set.contains(Seat(7)) && !set.contains(Seat::FIRST));
        assert_eq!(set.without(Seat(7)).sole(), Some(Seat::SECOND));
        assert_eq!(set.sole(), None);
        assert_eq!(SeatSet::EMPTY.lowest(), None);
        assert!(set.is_subset(SeatSet::first(8)) && !SeatSet::first(8).is_subset(set));
    }
}
