//! The effects that a session asks of its host.

use kernel::Viewer;

use crate::{Conn, Event, Live, Message, Ms};

/// An effect that a session asks of its host. The host carries them out in order.
#[derive(Clone, Debug)]
pub enum Effect<G: Live> {
    /// Write this event after the previous ones, and report with
    /// [`Input::Stored`](crate::Input::Stored) once it is durable. The closing event holds the
    /// settlement: the host settles in the transaction that stores the event.
    Persist(Event),
    /// Send this to the seat's connection, or to all spectators. The events that it depends on are
    /// durable.
    Send(Viewer, Message<G>),
    /// Close this connection: a newer one of the same account has taken over.
    Hangup(Conn),
    /// Call back with [`Input::Timer`](crate::Input::Timer) at this time, instead of at the time
    /// set before. `None` clears the timer.
    SetTimer(Option<Ms>),
    /// Prove that storage takes writes: begin a write after this and, once it is durable,
    /// answer with [`Input::Proved`](crate::Input::Proved). A newer probe replaces it.
    Probe(u64),
    /// The match is over: its closing event is durable, and nothing follows.
    Closed,
}
