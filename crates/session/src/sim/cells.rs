//! Which faults struck in which phases.

use serde::Serialize;
use serde::ser::SerializeMap;

/// What can go wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "each is its name")]
pub enum Fault {
    CrashBeforePersist,
    CrashAfterPersist,
    CrashBeforeSend,
    CrashAfterSend,
    CrashBeforeTimer,
    CrashAfterTimer,
    CrashBeforeProbe,
    CrashAfterProbe,
    CrashBeforeSettle,
    CrashAfterSettle,
    CrashBeforeClosed,
    CrashAfterClosed,
    TornStorage,
    CorruptStorage,
    StorageOutage,
    OutageAtDeadline,
    NobodyReturns,
    OneStaysAway,
    WallClockForward,
    WallClockBack,
    PacketLost,
    PacketDuplicated,
    PacketReordered,
    SlowClient,
    LateInput,
    DeadlineEdge,
    Garbage,
    InvalidDraft,
    InvalidConfirm,
    WrongTime,
    DuplicateInput,
    GapInInputs,
    Disconnect,
    BothDisconnect,
    Reconnect,
    Takeover,
    StaleConnection,
    SeatHijack,
    Resign,
    Cancel,
    MissedDeadline,
}

/// Where a match stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// Layouts are made.
    Prep,
    /// They are turned over.
    Reveal,
    /// Either, after the round limit.
    SuddenDeath,
    /// The match stands still.
    Paused,
    /// It is over.
    Over,
}

/// A fault in a phase.
pub type Cell = (Fault, Phase);

const N_FAULTS: usize = Fault::ALL.len();
const N_PHASES: usize = Phase::ALL.len();

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 41] = {
        use Fault::*;
        [
            CrashBeforePersist,
            CrashAfterPersist,
            CrashBeforeSend,
            CrashAfterSend,
            CrashBeforeTimer,
            CrashAfterTimer,
            CrashBeforeProbe,
            CrashAfterProbe,
            CrashBeforeSettle,
            CrashAfterSettle,
            CrashBeforeClosed,
            CrashAfterClosed,
            TornStorage,
            CorruptStorage,
            StorageOutage,
            OutageAtDeadline,
            NobodyReturns,
            OneStaysAway,
            WallClockForward,
            WallClockBack,
            PacketLost,
            PacketDuplicated,
            PacketReordered,
            SlowClient,
            LateInput,
            DeadlineEdge,
            Garbage,
            InvalidDraft,
            InvalidConfirm,
            WrongTime,
            DuplicateInput,
            GapInInputs,
            Disconnect,
            BothDisconnect,
            Reconnect,
            Takeover,
            StaleConnection,
            SeatHijack,
            Resign,
            Cancel,
            MissedDeadline,
        ]
    };
}

impl Phase {
    /// All of them.
    pub const ALL: [Phase; 5] = [
        Phase::Prep,
        Phase::Reveal,
        Phase::SuddenDeath,
        Phase::Paused,
        Phase::Over,
    ];
}

/// Whether the fault can strike in the phase.
fn is_possible((fault, phase): Cell) -> bool {
    use Fault::*;
    use Phase::*;
    match fault {
        CrashBeforeSettle | CrashAfterSettle | CrashBeforeClosed | CrashAfterClosed => {
            phase == Over
        }
        // After the end nobody is judged, and nobody needs to return.
        CrashBeforeProbe | CrashAfterProbe | NobodyReturns | OneStaysAway => phase != Over,
        OutageAtDeadline => matches!(phase, Prep | SuddenDeath),
        // Layouts have a deadline only while they are made, and while time runs.
        LateInput | DeadlineEdge | MissedDeadline | Garbage | InvalidDraft | InvalidConfirm => {
            matches!(phase, Prep | SuddenDeath)
        }
        // After the end everything that is sent comes at the wrong time.
        WrongTime => phase != Paused,
        Resign | Cancel | Disconnect => phase != Over,
        // While the match stands still, somebody is away already.
        BothDisconnect => !matches!(phase, Paused | Over),
        // The closing event ends the phase before; after it nothing is stored or timed.
        CrashBeforePersist | CrashAfterPersist | CrashBeforeTimer | CrashAfterTimer => {
            phase != Over
        }
        Reconnect => matches!(phase, Prep | Reveal | SuddenDeath | Paused),
        _ => true,
    }
}

/// How often each fault struck in each phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cells([[u64; N_PHASES]; N_FAULTS]);

impl Default for Cells {
    fn default() -> Cells {
        Cells([[0; N_PHASES]; N_FAULTS])
    }
}

impl Cells {
    pub(super) fn count(&mut self, fault: Fault, phase: Phase) {
        self.0[fault as usize][phase as usize] += 1;
    }

    pub(super) fn add(&mut self, other: &Cells) {
        for (own, more) in self
            .0
            .as_flattened_mut()
            .iter_mut()
            .zip(other.0.as_flattened())
        {
            *own += more;
        }
    }

    /// How often the fault struck in the phase.
    pub fn get(&self, (fault, phase): Cell) -> u64 {
        self.0[fault as usize][phase as usize]
    }

    /// Every cell that can be reached.
    pub fn possible() -> impl Iterator<Item = Cell> {
        let cells = |fault| Phase::ALL.map(|phase| (fault, phase));
        let all = Fault::ALL.into_iter().flat_map(cells);
        all.filter(|&cell| is_possible(cell))
    }

    /// How many cells there are.
    pub fn n_possible() -> usize {
        Cells::possible().count()
    }

    /// How many of them were reached.
    pub fn n_reached(&self) -> usize {
        Cells::n_possible() - self.unreached().count()
    }

    /// Cells that were never reached: what the run says nothing about.
    pub fn unreached(&self) -> impl Iterator<Item = Cell> + '_ {
        Cells::possible().filter(|&cell| self.get(cell) == 0)
    }
}

impl Serialize for Cells {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for cell in Cells::possible() {
            let key = format!("{:?} in {:?}", cell.0, cell.1);
            map.serialize_entry(&key, &self.get(cell))?;
        }
        map.end()
    }
}

impl Fault {
    /// Whether it struck at all.
    pub(super) fn struck(self, cells: &Cells) -> bool {
        cells.0[self as usize].iter().any(|&n| n > 0)
    }
}
