//! Games from their rules alone.
//!
//! [`Rules`] is what the author of a small game writes. [`Position`] adds everything that is the
//! same in all games: departures, deadlines, records, snapshots, live play, learning, and a picture
//! for pages and terminals. `docs/tutorial.md` builds a game step by step.
//!
//! A game whose needs go further, such as decisions composed of several steps, implements
//! [`Game`](crate::Game) and the other traits itself.

mod action;
mod check;
mod die;
mod document;
mod event;
mod learn;
mod live;
mod numbers;
mod per_seat;
mod position;
pub mod prelude;
mod seen;
mod veil;

use std::fmt;
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::Serialize;

use crate::doc::Document;
use crate::live::Policy;
use crate::picture::Picture;
use crate::{Draw, Odds, Outcome, Seat, SeatSet, Verdict, Viewer};

pub use action::{ActionSpace, read_word, word_of};
pub use check::Check;
pub use die::Die;
pub use document::Decision;
pub use event::{Event, Log};
pub use numbers::Numbers;
pub use per_seat::PerSeat;
pub use position::{Ended, Position};
pub use seen::{Choice, Seen};
pub use veil::Veil;

/// The rules of a game, as the methods of its state.
///
/// The state holds what the rules need and nothing else: no history, no clock, no generator. It is
/// plain data, and it is its own document in snapshots.
///
/// The kernel calls [`play`](Rules::play) only with legal actions of seats that must decide, and
/// [`resolve`](Rules::resolve) only with draws that the odds admit.
pub trait Rules:
    Clone + Eq + fmt::Debug + Serialize + Document + JsonSchema + Send + Sync + 'static
{
    /// The game's name on the command line, in records, in Python and on the wire.
    const NAME: &'static str;
    /// The game's name for people.
    const TITLE: &'static str;
    /// A summary of the game in one sentence.
    const SUMMARY: &'static str;
    /// The version of the rules (semver). A change that can alter any outcome needs a new major
    /// version.
    const RULES_VERSION: &'static str;
    /// The fewest and the most seats of a match.
    const SEATS: RangeInclusive<u8> = 2..=2;

    /// The starting conditions of a match. Its reader accepts only what can be started; the default
    /// is the standard match.
    type Setup: Clone
        + Eq
        + fmt::Debug
        + Default
        + Serialize
        + Document
        + JsonSchema
        + Send
        + Sync
        + 'static;
    /// A seat's decision: an enum that derives [`ActionSpace`].
    type Action: ActionSpace;

    /// The standard setup for this many seats, which are in [`SEATS`](Rules::SEATS).
    fn setup_for(n_seats: u8) -> Self::Setup;

    /// Like [`setup_for`](Rules::setup_for), but for a short match, with which tests and simulations
    /// play.
    fn quick_setup_for(n_seats: u8) -> Self::Setup {
        Self::setup_for(n_seats)
    }

    /// The first state of a match.
    fn start(setup: &Self::Setup) -> Self;

    /// An upper bound on the number of decisions and draws in any match with this setup.
    fn steps_max(setup: &Self::Setup) -> u64;

    /// The number of seats; constant through a match.
    fn n_seats(&self) -> usize;

    /// The input that the state waits for.
    fn next(&self) -> Next;

    /// True if this seat, which must decide, may take the action now.
    fn is_legal(&self, seat: Seat, action: Self::Action) -> bool;

    /// Plays a decision.
    fn play(&mut self, seat: Seat, action: Self::Action, log: &mut impl Log);

    /// The odds of the chance that is due: a roll of one [`Die`], unless the game says otherwise.
    fn odds(&self) -> Odds {
        Die::ODDS
    }

    /// Resolves the chance that is due. A game without chance omits this.
    fn resolve(&mut self, _draw: Draw, _log: &mut impl Log) {}

    /// Puts every value that this viewer may not know behind the veil. The rest is the view; in a
    /// redrawn state, which a search uses, other values take the place of the secrets. A game
    /// without secrets omits this.
    fn secrets(&mut self, _viewer: Viewer, _veil: &mut Veil<'_>) {}

    /// A picture of a view: of a state whose secrets are hidden from the viewer. It lists the fields
    /// of the state, unless the game draws something better.
    fn picture(view: &Self, _viewer: Viewer) -> Picture {
        Picture::listing(view)
    }

    /// Declares and writes a seat's observation. It shows nothing that the seat may not know, and
    /// the names and shapes of its blocks are the same in all positions of a match.
    fn observe(&self, seat: Seat, numbers: &mut Numbers<'_>);

    /// Reports everything that is inconsistent in a state that was read from a document and has the
    /// right form, so that no method fails on a state that passes.
    fn check(&self, check: &mut Check<'_, '_>);

    /// The decision of a seat whose time runs out, or that has left the match: the first legal one,
    /// unless the game has a better idea.
    fn absent(&self, seat: Seat) -> Option<Self::Action> {
        Self::Action::all().find(|action| self.is_legal(seat, *action))
    }

    /// Removes a seat from a match that continues with two or more seats. While the state still
    /// waits for such a seat, [`absent`](Rules::absent) decides for it.
    fn leave(&mut self, _seat: Seat, _log: &mut impl Log) {}

    /// The seat's progress toward victory, as in [`Game::progress`](crate::Game::progress).
    fn progress(&self, _seat: Seat) -> Option<u32> {
        None
    }

    /// The size of the action space: actions with this id or a higher one never become legal in
    /// this match. Constant through a match.
    fn n_actions(&self) -> usize {
        Self::Action::N
    }

    /// The version of the snapshot format (semver). An added field needs a new minor version.
    const SNAPSHOT_VERSION: &'static str = "1.0.0";
    /// The version of the observation (semver). A change of any number needs a new major version.
    const OBSERVATION_VERSION: &'static str = "1.0.0";
    /// The time limits and the treatment of absent players in matches between people.
    const POLICY: Policy = Policy::TURNS;
    /// The number of decisions from which a match counts as played. The winner of a match that ends
    /// earlier gains no rating.
    const PLAYED_FROM: u32 = 4;
    /// True if people can share a screen.
    const AT_ONE_SCREEN: bool = true;
}

/// The input that a state waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// One seat decides.
    Seat(Seat),
    /// These seats decide, each once and without seeing the others' decisions. Everyone sees which
    /// seats still have to decide.
    Sealed(SeatSet),
    /// Chance is due.
    Chance,
    /// The match is over.
    Over(Outcome),
}

impl Next {
    /// The match is over, and these seats win. If there are none, it is a draw.
    pub fn won(winners: impl Into<SeatSet>, reason: &'static str) -> Next {
        Next::Over(Outcome::decided(Verdict::of(winners.into()), reason))
    }

    /// The seats that must decide.
    pub fn seats(self) -> SeatSet {
        match self {
            Next::Seat(seat) => SeatSet::only(seat),
            Next::Sealed(seats) => seats,
            Next::Chance | Next::Over(_) => SeatSet::EMPTY,
        }
    }
}
