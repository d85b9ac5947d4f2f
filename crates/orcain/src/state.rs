//! The position.

use kernel::doc::{Document, Names};
use kernel::{Departure, Outcome, Sealed, Seat, SeatSet, Turn, Verdict};
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
    /// From 1.
    pub(crate) round: u8,
    pub(crate) stage: Stage,
    /// Steps of this round that were turned over.
    pub(crate) n_shown: u8,
    pub(crate) ending: Option<Ending>,
}

/// One player's part of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Player {
    pub(crate) hp: u8,
    /// Hit points when the round began.
    pub(crate) round_hp: u8,
    /// Rounds missed in a row, up to the last finalised one.
    pub(crate) afk_streak: u8,
    pub(crate) status: Status,
    /// Drafts taken this round.
    pub(crate) n_drafts: u8,
    /// The draft, the confirmed layout, or after finalisation what will be turned over.
    pub(crate) layout: Layout,
}

/// Where a round stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Layouts are made; nobody sees the other's.
    Prep,
    /// Layouts are final and are turned over step by step.
    Reveal,
}

/// The phase of a match, as documents write it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document, Names)]
#[serde(rename_all = "UPPERCASE")]
pub enum Phase {
    /// Layouts are made.
    Prep,
    /// Layouts are turned over.
    Reveal,
    /// The match is over.
    End,
}

/// A player's part in the round so far.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Nothing at all: if it stays so, the round is missed.
    Silent,
    /// A draft, empty or not. The player is there.
    Drafted,
    /// A layout that is final for the round.
    Confirmed,
}

/// How a match ended. Documents write its [outcome](Ending::outcome).
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
    /// Both left at the same instant, or the host took a seat away: it does not count.
    Void(Departure),
}

/// What a win was by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Names)]
#[serde(rename_all = "lowercase")]
pub enum Win {
    /// Hit points.
    Normal,
    /// The other missed two rounds in a row, or left for missed deadlines.
    Timeout,
    /// The other's connection was lost.
    Disconnect,
    /// The other gave up.
    Resign,
}

impl From<Ending> for Outcome {
    fn from(ending: Ending) -> Outcome {
        ending.outcome()
    }
}

impl Ending {
    /// Every ending there is.
    pub(crate) fn all() -> impl Iterator<Item = Ending> {
        let seats = [Seat::FIRST, Seat::SECOND];
        let won = seats
            .into_iter()
            .flat_map(|seat| Win::ALL.map(|win| Ending::Won(seat, win)));
        let void = Departure::ALL.map(Ending::Void);
        won.chain([Ending::Draw, Ending::RoundCap, Ending::BothAfk])
            .chain(void)
    }

    /// What it means for each seat, and why.
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
    pub fn hp(&self) -> [u8; 2] {
        self.players.map(|player| player.hp)
    }

    /// The round, from 1.
    pub fn round(&self) -> u8 {
        self.round
    }

    /// Rounds missed in a row, by seat.
    pub fn afk_streaks(&self) -> [u8; 2] {
        self.players.map(|player| player.afk_streak)
    }

    /// Whether the round limit has passed with equal hit points.
    pub fn is_sudden_death(&self) -> bool {
        self.round > self.setup.round_limit
    }

    /// How the match ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The phase of the match.
    pub(crate) fn phase(&self) -> Phase {
        match (self.ending, self.stage) {
            (Some(_), _) => Phase::End,
            (None, Stage::Prep) => Phase::Prep,
            (None, Stage::Reveal) => Phase::Reveal,
        }
    }

    /// Where the round stands.
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
