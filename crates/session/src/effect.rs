//! What a session wants done.

use kernel::Viewer;

use crate::{Conn, Event, Live, Message, Ms};

/// What a session wants done, in this order.
#[derive(Clone, Debug)]
pub enum Effect<G: Live> {
    /// Write this event after those before it, and report with
    /// [`Input::Stored`](crate::Input::Stored) once it is durable. The closing event holds the
    /// settlement: the host settles in the transaction that stores the event.
    Persist(Event),
    /// Send this to the seat's connection, or to all spectators. What it depends on is
    /// durable.
    Send(Viewer, Message<G>),
    /// Close this connection: a newer one of the same account has taken over.
    Hangup(Conn),
    /// Call back with [`Input::Timer`](crate::Input::Timer) at this time; an earlier timer is
    /// forgotten. No time means: no timer.
    SetTimer(Option<Ms>),
    /// Prove that storage takes writes: begin a write after this and, once it is durable,
    /// answer with [`Input::Proved`](crate::Input::Proved). A newer probe replaces it.
    Probe(u64),
    /// The match is over: its closing event is durable, and all of the above was asked for.
    Closed,
}
