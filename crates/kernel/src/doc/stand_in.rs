//! Types that stand in for the types of fields.

use std::collections::BTreeMap;

use super::Document;

/// A type that describes and reads a field of type `T`, named by `#[schemars(with = "…")]` or
/// `#[serde(with = "…")]` on the field. A derived newtype with `#[serde(transparent)]` stands in for
/// its content.
pub trait StandIn<T>: Document {
    /// The value of the field.
    fn value(self) -> T;
}

impl<T, S: StandIn<T>> StandIn<Option<T>> for Option<S> {
    fn value(self) -> Option<T> {
        self.map(S::value)
    }
}

impl<T, S: StandIn<T>> StandIn<Vec<T>> for Vec<S> {
    fn value(self) -> Vec<T> {
        self.into_iter().map(S::value).collect()
    }
}

impl<T, S: StandIn<T>, const N: usize> StandIn<[T; N]> for [S; N] {
    fn value(self) -> [T; N] {
        self.map(S::value)
    }
}

impl<T, S: StandIn<T>> StandIn<BTreeMap<String, T>> for BTreeMap<String, S> {
    fn value(self) -> BTreeMap<String, T> {
        let entries = self.into_iter();
        entries.map(|(key, it)| (key, it.value())).collect()
    }
}
