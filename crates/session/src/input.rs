//! What happens to a session, and how it judges it.

use kernel::Seat;

use crate::{Live, Ms};

/// Whose seat it is. The host's accounts have other names too; this one is enough here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Account(pub u64);

/// A connection of the host. A newer one has a higher number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Conn(pub u64);

/// What happens to a session.
#[derive(Clone, Debug)]
pub enum Input<G: Live> {
    /// A connection comes to a seat, or takes over from an older one of the same account.
    Connect {
        /// Which seat it wants.
        seat: Seat,
        /// Which connection it is.
        conn: Conn,
        /// Whose connection it is.
        account: Account,
        /// The last version it saw; 0 when it saw nothing.
        seen: u64,
        /// The lowest number among its messages without an answer.
        next_seq: u64,
    },
    /// Connections were lost at the same instant.
    Disconnect {
        /// Which, with the seats that they had.
        gone: Vec<(Seat, Conn)>,
    },
    /// A seat's message.
    Say {
        /// Who.
        seat: Seat,
        /// Over which connection.
        conn: Conn,
        /// What.
        say: Say<G>,
    },
    /// A seat that the host plays itself decides: a bot. It has no connection and wants no
    /// answer.
    Play {
        /// Who.
        seat: Seat,
        /// Actions in a row that make one line of the record.
        actions: Vec<G::Action>,
    },
    /// The timer fired.
    Timer,
    /// All events up to this version are durable.
    Stored {
        /// The version.
        version: u64,
    },
    /// A write that began after this [`Effect::Probe`](crate::Effect::Probe) is durable.
    Proved {
        /// The number of the probe.
        probe: u64,
    },
    /// Storage takes no writes. The clock stops until [`Input::StorageBack`].
    StorageLost {
        /// The last time at which it is known to have taken one.
        since: Ms,
    },
    /// Storage takes writes again.
    StorageBack,
    /// The host ends the match: it is void.
    Cancel,
}

/// A seat's message.
#[derive(Clone, Debug)]
pub enum Say<G: Live> {
    /// A decision. Its number rises by one with each message that wants an answer.
    Ask {
        /// The number.
        client_seq: u64,
        /// What is asked for.
        ask: G::Ask,
    },
    /// A question: what could be done, after this much of a decision? Nothing is done, and
    /// the question needs no number of its own in the row.
    Consider {
        /// Comes back in the answer.
        question: u64,
        /// The beginning of a decision, or a whole one.
        ask: G::Ask,
    },
    /// The player gives up.
    Resign {
        /// The number.
        client_seq: u64,
    },
    /// Everything after this version, please.
    Resync {
        /// The version.
        seen: u64,
    },
}

/// How an input was judged. Nothing here is an error of the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It did what it was for.
    Done,
    /// A client's mistake was mended; the code says what it was.
    Mended(&'static str),
    /// It was refused, and the answer says why.
    Refused(&'static str),
    /// It came at the wrong time and was passed over.
    Ignored(&'static str),
    /// It came after the deadline and was dropped.
    Late,
    /// It came after the deadline, and is judged once storage has proved that the clock ran.
    Held,
    /// It was seen before, and was answered again.
    Duplicate,
    /// A message before it is missing.
    Gap,
    /// It came over a connection that does not have the seat.
    Stale,
    /// The account does not have the seat.
    NotYours,
    /// The match was over already.
    Over,
}
