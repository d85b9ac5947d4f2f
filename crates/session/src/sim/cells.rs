//! Counts of which faults struck in which phases.

use serde::Serialize;
use serde::ser::SerializeMap;

use super::simulated::Simulated;

/// A fault that the simulator injects or observes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Fault {
    CrashBeforePersist,
    CrashAfterPersist,
    CrashBeforeSend,
    CrashAfterSend,
    CrashBeforeTimer,
    CrashAfterTimer,
    CrashBeforeProbe,
    CrashAfterProbe,
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
    AdjustedAsk,
    RefusedAsk,
    WrongTime,
    DuplicateInput,
    GapInInputs,
    Disconnect,
    AllDisconnect,
    Reconnect,
    Takeover,
    StaleConnection,
    SeatHijack,
    Resign,
    Cancel,
    MissedDeadline,
}

/// A phase of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phase {
    /// The name, chosen by the game.
    pub name: &'static str,
    /// The kind of phase.
    pub kind: PhaseKind,
    /// The chance that something rare is planned when the phase begins, per thousand.
    pub(super) mischief: u64,
}

/// The kind of a phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PhaseKind {
    /// Seats decide, and have a deadline.
    Deciding,
    /// Nobody decides: steps are revealed one after another.
    Showing,
    /// The match is paused.
    Paused,
    /// The match is over.
    Over,
}

/// A fault in a phase.
pub type Cell = (Fault, Phase);

const N_FAULTS: usize = Fault::ALL.len();

impl Fault {
    /// Every fault, in the order of the report.
    pub const ALL: [Fault; 39] = {
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
            AdjustedAsk,
            RefusedAsk,
            WrongTime,
            DuplicateInput,
            GapInInputs,
            Disconnect,
            AllDisconnect,
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
    /// The match is paused.
    pub const PAUSED: Phase = Phase::new("Paused", PhaseKind::Paused, 350);
    /// The match is over.
    pub const OVER: Phase = Phase::new("Over", PhaseKind::Over, 250);

    /// A phase of a game. `mischief` is the chance that something rare is planned when it begins,
    /// per thousand.
    pub const fn new(name: &'static str, kind: PhaseKind, mischief: u64) -> Phase {
        Phase {
            name,
            kind,
            mischief,
        }
    }
}

/// True if the fault can strike in a phase of this kind, in any game.
fn is_possible(fault: Fault, kind: PhaseKind) -> bool {
    use Fault::*;
    use PhaseKind::*;
    match fault {
        CrashBeforeClosed | CrashAfterClosed => kind == Over,
        // After the end nobody is judged, and nobody needs to return.
        CrashBeforeProbe | CrashAfterProbe | NobodyReturns | OneStaysAway => kind != Over,
        // Decisions have a deadline only while seats decide and the clock runs.
        OutageAtDeadline | LateInput | DeadlineEdge | MissedDeadline => kind == Deciding,
        Garbage | AdjustedAsk | RefusedAsk => kind == Deciding,
        // After the end every message comes at the wrong time.
        WrongTime => kind != Paused,
        Resign | Cancel | Disconnect | Reconnect => kind != Over,
        // While the match is paused, somebody is already absent.
        AllDisconnect => !matches!(kind, Paused | Over),
        // The timer is stopped together with the closing event, in the phase before.
        CrashBeforeTimer | CrashAfterTimer => kind != Over,
        _ => true,
    }
}

/// The number of times that each fault struck in each phase of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cells {
    phases: &'static [Phase],
    possible: Vec<Cell>,
    counts: Counts,
}

/// The number of times that each fault struck, by the index of the phase in its game's list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Counts(Vec<[u64; N_FAULTS]>);

impl Counts {
    pub(super) fn new(n_phases: usize) -> Counts {
        Counts(vec![[0; N_FAULTS]; n_phases])
    }

    pub(super) fn count(&mut self, fault: Fault, phase_idx: usize) {
        self.0[phase_idx][fault as usize] += 1;
    }

    /// True if a fault struck in any phase.
    pub(super) fn has(&self, fault: Fault) -> bool {
        self.0.iter().any(|counts| counts[fault as usize] > 0)
    }
}

impl Cells {
    /// The cells of a game, all with a count of zero.
    pub(super) fn of<S: Simulated>() -> Cells {
        let cells = |fault| S::PHASES.iter().map(move |&phase| (fault, phase));
        let all = Fault::ALL.into_iter().flat_map(cells);
        let possible = |cell: &Cell| is_possible(cell.0, cell.1.kind) && S::can_suffer(*cell);
        Cells {
            phases: S::PHASES,
            possible: all.filter(possible).collect(),
            counts: Counts::new(S::PHASES.len()),
        }
    }

    pub(super) fn add(&mut self, more: &Counts) {
        let own = self.counts.0.as_flattened_mut().iter_mut();
        for (own, more) in own.zip(more.0.as_flattened()) {
            *own += more;
        }
    }

    /// The number of times that the fault struck in the phase.
    pub fn get(&self, (fault, phase): Cell) -> u64 {
        let idx = self.phases.iter().position(|it| *it == phase);
        idx.map_or(0, |idx| self.counts.0[idx][fault as usize])
    }

    /// Every cell that can be reached.
    pub fn possible(&self) -> impl Iterator<Item = Cell> + '_ {
        self.possible.iter().copied()
    }

    /// The number of cells that can be reached.
    pub fn n_possible(&self) -> usize {
        self.possible.len()
    }

    /// The number of cells that were reached.
    pub fn n_reached(&self) -> usize {
        self.n_possible() - self.unreached().count()
    }

    /// The cells that were never reached, about which the run proves nothing.
    pub fn unreached(&self) -> impl Iterator<Item = Cell> + '_ {
        self.possible().filter(|&cell| self.get(cell) == 0)
    }
}

impl Serialize for Cells {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for cell in self.possible() {
            let key = format!("{:?} in {}", cell.0, cell.1.name);
            map.serialize_entry(&key, &self.get(cell))?;
        }
        map.end()
    }
}
