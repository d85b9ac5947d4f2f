//! Which promise the game breaks.

use std::cell::Cell;

/// What is wrong with the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Nothing.
    Sound,
    /// Nothing; but all that one seat does in a row stands on one line of a record, the
    /// chance between included.
    LongLines,
    /// Two actions have the same id.
    IdsRepeat,
    /// The action after the last exists too.
    IdsTooMany,
    /// Two actions have the same text.
    TextsRepeat,
    /// A seat that must act has nothing to do.
    MaskEmpty,
    /// A seat that has acted has something to do.
    MaskClosed,
    /// A seat that is not open is missing.
    MissingNotOpen,
    /// An action of the mask is refused.
    MaskedRefused,
    /// An action that is not in the mask is accepted.
    UnmaskedPlays,
    /// A refusal leaves a mark.
    RefusalMarks,
    /// A match goes on for ever.
    NeverEnds,
    /// A match has more steps than were stated.
    BoundTooLow,
    /// It counts who picks first.
    CommitsOrdered,
    /// Turn numbers fall.
    TurnFalls,
    /// An event has a name that is not listed.
    EventUnlisted,
    /// Somebody is present who has no seat.
    PresentTooMany,
    /// The action space grows.
    ActionsGrow,
    /// A pick forces the coin, and the match is no test.
    ForcesInEarnest,
    /// A match becomes a test on its way.
    TurnsIntoATest,
    /// The snapshot does not say the points.
    SnapshotForgets,
    /// A damaged snapshot makes the reader panic.
    ReaderPanics,
    /// A damaged snapshot is read as something else.
    ReaderGuesses,
    /// Fields that do not belong are passed over.
    ReaderPassesOver,
    /// The reader stops at the first fault.
    ReaderStops,
    /// Something from outside gets into the position.
    Tainted,
    /// A record says another pick than was made.
    EncodeWrong,
    /// A record says another coin than fell.
    EncodeDrawWrong,
    /// The view tells the other's pick.
    ViewLeaks,
    /// The text of the view tells the other's pick.
    ViewTextLeaks,
    /// The mask tells the other's pick.
    MaskLeaks,
    /// The observation tells the other's pick.
    ObservationLeaks,
    /// Redrawing draws nothing.
    RedrawLazy,
    /// Redrawing gives a position that cannot be.
    RedrawImpossible,
    /// Everybody learns what was picked when it is picked.
    EventLeaks,
    /// The fall of the coin tells everybody the picks.
    CoinLeaks,
    /// A value of the observation is not written.
    ObservationGap,
    /// A value of the observation is out of its range.
    ObservationRange,
    /// A step allocates.
    StepAllocates,
    /// Time passes though nobody waits for it.
    TimeHurries,
}

thread_local! {
    static FAULT: Cell<Fault> = const { Cell::new(Fault::Sound) };
}

/// Whether the game on this thread has this fault.
pub(super) fn is(fault: Fault) -> bool {
    FAULT.get() == fault
}

/// Does something with a game that has a fault. The game is the same type for every
/// fault, so that the suite is compiled once; so the fault belongs to the thread.
pub fn with_fault<T>(fault: Fault, run: impl FnOnce() -> T) -> T {
    FAULT.set(fault);
    let result = run();
    FAULT.set(Fault::Sound);
    result
}
