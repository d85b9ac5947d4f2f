//! The effects of a step, reported to viewers as events.

use std::fmt;

use serde::Serialize;

use crate::Viewer;
use crate::doc::Named;

/// One effect of a step.
///
/// The event itself holds everything and stays inside the referee. Each viewer receives its own
/// [`seen_by`](Event::seen_by). Records keep only the [name](Named::name).
pub trait Event: Named + Clone + PartialEq + fmt::Debug {
    /// The event as one viewer may see it.
    type Seen: Serialize + Clone + PartialEq + fmt::Debug;

    /// The part of the event that this viewer may see; `None` if the event is hidden from the
    /// viewer.
    fn seen_by(&self, viewer: Viewer) -> Option<Self::Seen>;
}

/// A receiver of the events of a transition.
pub trait Sink<E> {
    /// False if the sink drops every event. Rules may then use a shortcut that makes none.
    const KEEPS: bool = true;

    /// Receives one event.
    fn push(&mut self, event: E);

    /// Receives one event that is expensive to make. A sink that drops its events does not make it.
    #[inline]
    fn push_with(&mut self, make: impl FnOnce() -> E) {
        self.push(make());
    }
}

/// A sink that drops every event, for simulation.
#[derive(Clone, Copy, Default, Debug)]
pub struct Discard;

impl<E> Sink<E> for Discard {
    const KEEPS: bool = false;

    #[inline]
    fn push(&mut self, _: E) {}

    #[inline]
    fn push_with(&mut self, _: impl FnOnce() -> E) {}
}

impl<E> Sink<E> for Vec<E> {
    #[inline]
    fn push(&mut self, event: E) {
        Vec::push(self, event);
    }
}
