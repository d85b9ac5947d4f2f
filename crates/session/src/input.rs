//! The inputs of a session, and its verdicts on them.

use kernel::Seat;

use crate::{Live, Ms};

/// The id of the account in a seat. The host may know the account by other names too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Account(pub u64);

/// The host's number for a connection. A newer connection has a higher number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Conn(pub u64);

/// An input of a session.
#[derive(Clone, Debug)]
pub enum Input<G: Live> {
    /// A connection claims a seat, or takes it over from an older one of the same account.
    Connect {
        /// The seat that it claims.
        seat: Seat,
        /// The connection's number.
        conn: Conn,
        /// The connection's account.
        account: Account,
        /// The last version that the client saw; 0 for none.
        seen: u64,
        /// The lowest number among the client's messages without an answer.
        next_seq: u64,
    },
    /// These connections were lost at the same instant.
    Disconnect {
        /// The lost connections, with their seats.
        gone: Vec<(Seat, Conn)>,
    },
    /// A seat's message.
    Say {
        /// The sender's seat.
        seat: Seat,
        /// The connection that the message arrived on.
        conn: Conn,
        /// The message.
        say: Say<G>,
    },
    /// A bot, which the host plays itself, decides. It has no connection and gets no answer.
    Play {
        /// The bot's seat.
        seat: Seat,
        /// The actions that make up one line of the record, in order.
        actions: Vec<G::Action>,
    },
    /// The timer fired.
    Timer,
    /// All events up to this version are durable.
    Stored {
        /// The version of the last durable event.
        version: u64,
    },
    /// A write that began after this [`Effect::Probe`](crate::Effect::Probe) is durable.
    Proved {
        /// The number of the probe.
        probe: u64,
    },
    /// Storage cannot be written. The clock stops until [`Input::StorageBack`].
    StorageLost {
        /// The last time at which storage is known to have taken a write.
        since: Ms,
    },
    /// Storage can be written again.
    StorageBack,
    /// The host cancels the match: it is void.
    Cancel,
}

/// A seat's message.
#[derive(Clone, Debug)]
pub enum Say<G: Live> {
    /// A decision. Its number is one more than that of the previous numbered message.
    Ask {
        /// The number of the message.
        client_seq: u64,
        /// The decision.
        ask: G::Ask,
    },
    /// A question about what could follow the beginning of a decision. It changes nothing and takes
    /// no number from the sequence.
    Consider {
        /// Any number; the answer repeats it.
        question: u64,
        /// A whole decision or the beginning of one.
        ask: G::Ask,
    },
    /// The player resigns.
    Resign {
        /// The number of the message.
        client_seq: u64,
    },
    /// A request for everything after this version.
    Resync {
        /// The last version that the client saw; 0 for none.
        seen: u64,
    },
}

/// The verdict on an input. None of them is an error of the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disposition {
    /// The input took effect.
    Done,
    /// A client's mistake was corrected; the code names it.
    Corrected(&'static str),
    /// The input was refused, and the answer says why.
    Refused(&'static str),
    /// The input came at the wrong time and was ignored.
    Ignored(&'static str),
    /// The input came after the deadline and was dropped.
    Late,
    /// The input came after the deadline. It is judged once storage has proved that the clock ran.
    Held,
    /// The message had been answered before, and was answered again.
    Duplicate,
    /// An earlier message is missing.
    Gap,
    /// The input came over a connection that does not hold the seat.
    Stale,
    /// The account does not have the seat.
    NotYours,
    /// The match was already over.
    Over,
}
