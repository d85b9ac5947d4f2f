//! The promise that the game breaks.

use std::cell::Cell;

/// A fault of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// No fault.
    Sound,
    /// No fault, but everything that one seat does in a row is on one line of the record, including
    /// the chance in between.
    LongLines,
    /// Two actions have the same id.
    IdsRepeat,
    /// There is an action after the last id.
    IdsTooMany,
    /// Two actions have the same text.
    TextsRepeat,
    /// A seat that must act has no legal action.
    MaskEmpty,
    /// A seat that has acted still has a legal action.
    MaskClosed,
    /// A seat that is not open is missing.
    MissingNotOpen,
    /// A masked action is refused.
    MaskedRefused,
    /// An action outside the mask is accepted.
    UnmaskedPlays,
    /// A refusal changes the position.
    RefusalMarks,
    /// A match never ends.
    NeverEnds,
    /// A match has more steps than the stated bound.
    BoundTooLow,
    /// The order of picks matters.
    CommitsOrdered,
    /// Turn numbers decrease.
    TurnFalls,
    /// An event has a name that is not listed.
    EventUnlisted,
    /// A seat that does not exist is present.
    PresentTooMany,
    /// The action space grows.
    ActionsGrow,
    /// A pick forces the coin although the match is not a test.
    ForcesInEarnest,
    /// A match becomes a test while it is played.
    TurnsIntoATest,
    /// The snapshot omits the points.
    SnapshotForgets,
    /// A damaged snapshot makes the reader panic.
    ReaderPanics,
    /// A damaged snapshot is read as something else.
    ReaderGuesses,
    /// Unknown fields are ignored.
    ReaderPassesOver,
    /// The reader stops at the first fault.
    ReaderStops,
    /// The reader refuses a position without the keys of its table.
    ReaderNeedsTable,
    /// Outside state gets into the position.
    Tainted,
    /// A record contains another pick than was made.
    EncodeWrong,
    /// A record contains another coin than was drawn.
    EncodeDrawWrong,
    /// The view shows the opponent's pick.
    ViewLeaks,
    /// The text of the view shows the opponent's pick.
    ViewTextLeaks,
    /// The mask depends on the opponent's pick.
    MaskLeaks,
    /// The observation shows the opponent's pick.
    ObservationLeaks,
    /// Redrawing changes nothing.
    RedrawLazy,
    /// Redrawing gives an impossible position.
    RedrawImpossible,
    /// A pick is immediately visible to everyone.
    EventLeaks,
    /// The coin reveals the picks to everyone.
    CoinLeaks,
    /// A value of the observation is not written.
    ObservationGap,
    /// A value of the observation is out of its range.
    ObservationRange,
    /// A step allocates.
    StepAllocates,
    /// Time passes although the position does not wait for it.
    TimeHurries,
    /// One of several decisions that are played together is lost.
    SealedForgets,
    /// A deadline has another effect if its events are dropped.
    EventsMatter,
    /// The prepared choices leave out legal actions.
    ChoicesDiffer,
}

thread_local! {
    static FAULT: Cell<Fault> = const { Cell::new(Fault::Sound) };
}

/// True if the game on this thread has this fault.
pub(super) fn is(fault: Fault) -> bool {
    FAULT.get() == fault
}

/// Runs a closure with a fault set for the game. The game is the same type for every fault, so that
/// the suite is compiled only once; the fault is therefore stored per thread.
pub fn with_fault<T>(fault: Fault, run: impl FnOnce() -> T) -> T {
    FAULT.set(fault);
    let result = run();
    FAULT.set(Fault::Sound);
    result
}
