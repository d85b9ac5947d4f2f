//! What a step caused, as news for viewers.

use std::fmt;

use serde::Serialize;

use crate::Viewer;
use crate::doc::Named;

/// One thing that a step caused.
///
/// The event itself holds the whole truth and stays inside; viewers get
/// [`seen_by`](Event::seen_by), made for each of them. Records keep only the [name](Named::name).
pub trait Event: Named + Clone + PartialEq + fmt::Debug {
    /// The event as one viewer may see it.
    type Seen: Serialize + Clone + PartialEq + fmt::Debug;

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
