//! The queue of everything in flight between clients, host and disk, ordered by time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kernel::{Seat, SeatSet};

use super::client::Deed;
use super::simulated::Simulated;
use crate::{Conn, Message, Ms, Say};

/// An event in the queue.
pub(super) enum Happening<S: Simulated> {
    /// A message reaches the host.
    ToHost(Seat, Conn, Say<S::Game>),
    /// A message reaches a client.
    ToClient(Seat, Conn, Message<S::Game>),
    /// A connection for these seats reaches the host.
    Connect(SeatSet, Conn),
    /// The host notices that the connection of these seats is lost.
    Lost(SeatSet, Conn),
    /// A client acts on its own initiative.
    Client(Seat, Deed),
    /// A bot decides, unless the process has died since.
    Bot { life: u64, seat: Seat },
    /// The host's timer fires, unless it has been set again since.
    Timer(u64),
    /// The disk has stored an event, unless the process has died since.
    Stored { life: u64, version: u64 },
    /// A write after the probe is durable, unless the process has died since.
    Proved { life: u64, probe: u64 },
    /// Storage becomes unavailable, for this long.
    StorageDown(Ms),
    /// The host notices that storage has taken no writes since this time.
    OutageNoticed { life: u64, nth: u64, since: Ms },
    /// Storage can be written again.
    StorageUp,
    /// The host notices that, unless it has noticed another outage since.
    OutageOver { life: u64, nth: u64 },
    /// The host restarts.
    Restart,
    /// The operator cancels the match.
    Cancel,
    /// All connections are lost at once.
    AllGone,
    /// A foreign account claims a seat.
    Hijack(Seat),
}

pub(super) struct Queue<S: Simulated> {
    heap: BinaryHeap<Reverse<(Ms, u64, usize)>>,
    slots: Vec<Option<Happening<S>>>,
    free: Vec<usize>,
    n_pushed: u64,
}

impl<S: Simulated> Default for Queue<S> {
    fn default() -> Queue<S> {
        Queue {
            heap: BinaryHeap::new(),
            slots: Vec::new(),
            free: Vec::new(),
            n_pushed: 0,
        }
    }
}

impl<S: Simulated> Queue<S> {
    pub(super) fn push(&mut self, at: Ms, happening: Happening<S>) {
        let slot = match self.free.pop() {
            Some(slot) => {
                self.slots[slot] = Some(happening);
                slot
            }
            None => {
                self.slots.push(Some(happening));
                self.slots.len() - 1
            }
        };
        self.n_pushed += 1;
        self.heap.push(Reverse((at, self.n_pushed, slot)));
    }

    pub(super) fn pop(&mut self) -> Option<(Ms, Happening<S>)> {
        let Reverse((at, _, slot)) = self.heap.pop()?;
        self.free.push(slot);
        self.slots[slot].take().map(|happening| (at, happening))
    }
}
