//! Which faults struck in which phases.

use serde::Serialize;
use serde::ser::SerializeMap;

use super::simulated::Simulated;

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

/// Where a match stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phase {
    /// Its name, of the game's own.
    pub name: &'static str,
    /// What kind of phase it is.
    pub kind: PhaseKind,
    /// How often something rare is planned when it begins, in a thousand times.
    pub(super) mischief: u64,
}

/// What kind of phase it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PhaseKind {
    /// Seats decide, and have a deadline.
    Deciding,
    /// Nobody decides: things are shown, one after the other.
    Showing,
    /// The match is paused.
    Paused,
    /// It is over.
    Over,
}

/// A fault in a phase.
pub type Cell = (Fault, Phase);

const N_FAULTS: usize = Fault::ALL.len();

impl Fault {
    /// All of them.
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

    /// A phase of a game. `mischief` is how often something rare is planned when it begins, in a
    /// thousand times.
    pub const fn new(name: &'static str, kind: PhaseKind, mischief: u64) -> Phase {
        Phase {
            name,
            kind,
            mischief,
        }
    }
}

/// Whether the fault can strike in a phase of this kind, in any game.
fn is_possible(fault: Fault, kind: PhaseKind) -> bool {
    use Fault::*;
    use PhaseKind::*;
    match fault {
        CrashBeforeClosed | CrashAfterClosed => kind == Over,
        // After the end nobody is judged, and nobody needs to return.
        CrashBeforeProbe | CrashAfterProbe | NobodyReturns | OneStaysAway => kind != Over,
        // Decisions have a deadline only while they are made, and while time runs.
        OutageAtDeadline | LateInput | DeadlineEdge | MissedDeadline => kind == Deciding,
        Garbage | AdjustedAsk | RefusedAsk => kind == Deciding,
        // After the end everything that is sent comes at the wrong time.
        WrongTime => kind != Paused,
        Resign | Cancel | Disconnect | Reconnect => kind != Over,
        // While the match is paused, somebody is away already.
        AllDisconnect => !matches!(kind, Paused | Over),
        // The timer is stopped together with the closing event, in the phase before.
        CrashBeforeTimer | CrashAfterTimer => kind != Over,
        _ => true,
    }
}

/// How often each fault struck in each phase of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cells {
    phases: &'static [Phase],
    possible: Vec<Cell>,
    counts: Counts,
}

/// How often each fault struck in each phase, by the phase's place in the list of its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Counts(Vec<[u64; N_FAULTS]>);

impl Counts {
    pub(super) fn new(n_phases: usize) -> Counts {
        Counts(vec![[0; N_FAULTS]; n_phases])
    }

    pub(super) fn count(&mut self, fault: Fault, phase_idx: usize) {
        self.0[phase_idx][fault as usize] += 1;
    }

    /// Whether a fault struck at all.
    pub(super) fn has(&self, fault: Fault) -> bool {
        self.0.iter().any(|counts| counts[fault as usize] > 0)
    }
}

impl Cells {
    /// The cells of a game, none of them reached.
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

    /// How often the fault struck in the phase.
    pub fn get(&self, (fault, phase): Cell) -> u64 {
        let idx = self.phases.iter().position(|it| *it == phase);
        idx.map_or(0, |idx| self.counts.0[idx][fault as usize])
    }

    /// Every cell that can be reached.
    pub fn possible(&self) -> impl Iterator<Item = Cell> + '_ {
        self.possible.iter().copied()
    }

    /// How many cells there are.
    pub fn n_possible(&self) -> usize {
        self.possible.len()
    }

    /// How many of them were reached.
    pub fn n_reached(&self) -> usize {
        self.n_possible() - self.unreached().count()
    }

    /// Cells that were never reached: the run says nothing about them.
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
