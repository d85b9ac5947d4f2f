//! What a step caused, as news for viewers.

use std::fmt;

use serde::Serialize;

use crate::Viewer;

/// One thing that a step caused.
///
/// The event itself holds the whole truth and stays inside; what leaves is
/// [`seen_by`](Event::seen_by), made for one viewer. Records keep only the name.
pub trait Event: Clone + PartialEq + fmt::Debug {
    /// The event as one viewer may see it.
    type Seen: Serialize + Clone + PartialEq + fmt::Debug;

    /// Every name there is, in a stable order: a closed list.
    const NAMES: &'static [&'static str];

    /// The name of this event: one of [`NAMES`](Event::NAMES).
    fn name(&self) -> &'static str;

    /// What this viewer may know of it; nothing if it is hidden from the viewer.
    fn seen_by(&self, viewer: Viewer) -> Option<Self::Seen>;
}

/// Where a transition puts its events.
pub trait Sink<E> {
    /// Takes one event.
    fn push(&mut self, event: E);
}

/// A sink that forgets: for simulation, where nobody listens.
#[derive(Clone, Copy, Default, Debug)]
pub struct Discard;

impl<E> Sink<E> for Discard {
    #[inline]
    fn push(&mut self, _: E) {}
}

impl<E> Sink<E> for Vec<E> {
    #[inline]
    fn push(&mut self, event: E) {
        Vec::push(self, event);
    }
}
