//! The position.

use kernel::doc::{Document, Names};
use kernel::{Departure, Endings, Outcome, Sealed, Seat, SeatSet, Turn, Verdict};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Layout, Setup, resolve_step};

/// A player who misses this many rounds in a row loses.
pub const AFK_ROUNDS_MAX: u8 = 2;

/// A position of Orcain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Orcain {
    pub(crate) setup: Setup,
    pub(crate) players: [Player; 2],
    /// The round, from 1.
    pub(crate) round: u8,
    pub(crate) stage: Stage,
    /// The number of steps of this round that were revealed.
    pub(crate) n_shown: u8,
    pub(crate) ending: Option<Ending>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Player {
    pub(crate) hp: u8,
    /// Hit points when the round began.
    pub(crate) round_hp: u8,
    /// Rounds missed in a row, up to the last final one.
    pub(crate) afk_streak: u8,
    pub(crate) status: Status,
    /// Drafts accepted in this round.
    pub(crate) n_drafts: u8,
    /// The draft, the confirmed layout, or once final the layout to reveal.
    pub(crate) layout: Layout,
}

/// The stage of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Layouts are being made; each is hidden from the opponent.
    Prep,
    /// Layouts are final and are revealed step by step.
    Reveal,
}

/// The phase of a match, as documents write it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document, Names)]
#[serde(rename_all = "UPPERCASE")]
pub enum Phase {
    /// Layouts are being made.
    Prep,
    /// Layouts are revealed.
    Reveal,
    /// The match is over.
    End,
}

/// A player's status in the current round.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// No draft or confirm. If that does not change, the round is missed.
    Silent,
    /// A draft, empty or not, which shows that the player is present.
    Drafted,
    /// A layout that is final for the round.
    Confirmed,
}

/// The ending of a match. Documents write its [outcome](Ending::outcome).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(into = "Outcome")]
pub enum Ending {
    /// One player won.
    Won(Seat, Win),
    /// Both are at 0 after a round.
    Draw,
    /// Equal hit points after the last round.
    RoundCap,
    /// Both missed two rounds in a row: both lose.
    BothAfk,
    /// Both players left at the same instant, or the host removed a seat. The match does not
    /// count.
    Void(Departure),
}

/// The reason for a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Names)]
#[serde(rename_all = "lowercase")]
pub enum Win {
    /// More hit points.
    Normal,
    /// The opponent missed two rounds in a row, or left for missed deadlines.
    Timeout,
    /// The opponent disconnected.
    Disconnect,
    /// The opponent resigned.
    Resign,
}

impl From<Ending> for Outcome {
    fn from(ending: Ending) -> Outcome {
        ending.outcome()
    }
}

impl Endings for Ending {
    fn all() -> impl Iterator<Item = Ending> {
        let seats = [Seat::FIRST, Seat::SECOND];
        let won = seats
            .into_iter()
            .flat_map(|seat| Win::ALL.map(|win| Ending::Won(seat, win)));
        let void = Departure::ALL.map(Ending::Void);
        won.chain([Ending::Draw, Ending::RoundCap, Ending::BothAfk])
            .chain(void)
    }
}

impl Ending {
    /// The result for each seat, and the reason.
    pub const fn outcome(self) -> Outcome {
        match self {
            Ending::Won(seat, win) => Outcome::decided(Verdict::Winner(seat), win.name()),
            Ending::Draw => Outcome::decided(Verdict::Draw, Win::Normal.name()),
            Ending::RoundCap => Outcome::truncated(Verdict::Draw, "round_cap"),
            Ending::BothAfk => Outcome::decided(Verdict::AllLose, Win::Timeout.name()),
            Ending::Void(cause) => Outcome::decided(Verdict::Void, cause.name()),
        }
    }
}

impl Orcain {
    pub(crate) const SEATS: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

    pub(crate) fn at_start(setup: &Setup) -> Orcain {
        let player = Player {
            hp: setup.start_hp,
            round_hp: setup.start_hp,
            afk_streak: 0,
            status: Status::Silent,
            n_drafts: 0,
            layout: Layout::EMPTY,
        };
        Orcain {
            setup: *setup,
            players: [player; 2],
            round: 1,
            stage: Stage::Prep,
            n_shown: 0,
            ending: None,
        }
    }

    /// The constants of the match.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Hit points by seat.
    #[inline]
    pub fn hp(&self) -> [u8; 2] {
        let [first, second] = &self.players;
        [first.hp, second.hp]
    }

    #[inline]
    pub(crate) fn layouts(&self) -> [Layout; 2] {
        let [first, second] = &self.players;
        [first.layout, second.layout]
    }

    /// The round, from 1.
    pub fn round(&self) -> u8 {
        self.round
    }

    /// Rounds missed in a row, by seat.
    pub fn afk_streaks(&self) -> [u8; 2] {
        self.players.map(|player| player.afk_streak)
    }

    /// True once the round limit has passed with equal hit points.
    #[inline]
    pub fn is_sudden_death(&self) -> bool {
        self.round > self.setup.round_limit
    }

    /// The ending, or `None` while the match runs.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    pub(crate) fn phase(&self) -> Phase {
        match (self.ending, self.stage) {
            (Some(_), _) => Phase::End,
            (None, Stage::Prep) => Phase::Prep,
            (None, Stage::Reveal) => Phase::Reveal,
        }
    }

    /// The stage of the current round.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    #[inline]
    pub(crate) fn player(&self, seat: Seat) -> &Player {
        &self.players[seat.index() & 1]
    }

    #[inline]
    pub(crate) fn other(seat: Seat) -> Seat {
        Orcain::SEATS[1 - (seat.index() & 1)]
    }

    /// Hit points after this many steps of the round.
    pub(crate) fn hp_after(&self, n_steps: usize) -> [u8; 2] {
        let layouts = self.players.map(|player| player.layout);
        (0..n_steps).fold(self.players.map(|player| player.round_hp), |hp, idx| {
            resolve_step(
                layouts.map(|layout| layout.slot(idx)),
                hp,
                self.setup.max_hp,
            )
        })
    }

    #[inline]
    pub(crate) fn turn_now(&self) -> Turn {
        match (self.ending, self.stage) {
            (Some(ending), _) => Turn::Over(ending.outcome()),
            (None, Stage::Reveal) => Turn::Clock,
            (None, Stage::Prep) => Turn::Sealed(Sealed {
                open: self.seats_with(|status| status != Status::Confirmed),
                missing: self.seats_with(|status| status == Status::Silent),
            }),
        }
    }

    #[inline]
    fn seats_with(&self, wanted: impl Fn(Status) -> bool) -> SeatSet {
        let mut seats = SeatSet::EMPTY;
        for seat in Orcain::SEATS {
            if wanted(self.player(seat).status) {
                seats = seats.with(seat);
            }
        }
        seats
    }
}
