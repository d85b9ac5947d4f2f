//! The centre: what a game is.

use std::fmt;

use schemars::{JsonSchema, Schema};
use serde::Serialize;

use crate::json::Json;
use crate::recorded::Recorded;
use crate::rng::Generator;
use crate::{
    Departure, Draw, Event, Mask, Odds, Reason, Refusal, Seat, SeatSet, Sink, Step, Turn, Viewer,
};

/// A position of a game, with the rules as its methods.
///
/// A position holds what the rules need and nothing else: no history, no clock, no
/// generator. It is plain data, cheap to clone, and always valid: it comes from a
/// validated setup or snapshot and changes only through the transitions below.
///
/// The `*_trusted` transitions are the fast, unchecked door: **the caller promises that
/// the step is legal** (see [`GameExt::check`]). On an illegal step they may do anything
/// that safe code can do, panic included, but the position must not be used afterwards.
/// [`GameExt`] has the checked door.
pub trait Game: Clone + Eq + fmt::Debug + fmt::Display + Send + Sync + 'static {
    /// The name everywhere: on the command line, in records, in Python, on the wire.
    const NAME: &'static str;
    /// The version of the rules (semver). A change of any outcome is a new major.
    const RULES_VERSION: &'static str;

    /// What a match starts from, already validated: starting cannot fail. The default is
    /// the standard match.
    type Setup: Clone + Eq + fmt::Debug + Default + Send + Sync + 'static;
    /// A seat's decision. Every action has an id and every id an action.
    /// Its text is short and unique, for terminals and bug reports.
    type Action: Copy + Eq + fmt::Debug + fmt::Display + Send + Sync + 'static;
    /// What a step causes.
    type Event: Event;
    /// What one viewer may know: plain data, with a text form for the terminal.
    type View: Clone + PartialEq + fmt::Debug + fmt::Display + Serialize;

    /// The first position of a match.
    fn start(setup: &Self::Setup) -> Self;

    /// A bound on the number of steps of any match with this setup.
    fn steps_max(setup: &Self::Setup) -> u64;

    /// How many seats there are; the same through a match.
    fn n_seats(&self) -> usize;

    /// What the position waits for.
    fn turn(&self) -> Turn;

    /// The number of the turn or round, from 0 or 1 up; never falls.
    fn turn_number(&self) -> u32;

    /// Seats that are still in the match, and so can leave it.
    fn present(&self) -> SeatSet {
        SeatSet::first(self.n_seats())
    }

    /// The size of the action space; the same through a match.
    fn n_actions(&self) -> usize;

    /// The id of an action of this match.
    fn action_id(&self, action: Self::Action) -> ActionId;

    /// The action with this id, legal now or not; none when there is no such id.
    fn action(&self, id: ActionId) -> Option<Self::Action>;

    /// Adds the seat's legal actions to a mask that is empty and of the right size.
    /// Nothing is legal for a seat that is not open.
    fn write_legal(&self, seat: Seat, mask: &mut Mask);

    /// Why the rules refuse the action of an open seat now; none when it is legal.
    /// Agrees with the mask, and may say more.
    fn refuse(&self, seat: Seat, action: Self::Action) -> Option<Reason> {
        let mut mask = Mask::new(self.n_actions());
        self.write_legal(seat, &mut mask);
        let legal = mask.allows(self.action_id(action));
        (!legal).then_some(Reason("illegal_action"))
    }

    /// A seat decides. Trusted: the action is legal for the seat.
    fn play_trusted(
        &mut self,
        seat: Seat,
        action: Self::Action,
        events: &mut impl Sink<Self::Event>,
    );

    /// The outcomes of chance. Meaningful while the turn is [`Turn::Chance`]; a game without chance
    /// leaves it and [`resolve_trusted`](Game::resolve_trusted) out.
    fn odds(&self) -> Odds {
        Odds::uniform(1)
    }

    /// Chance comes out. Trusted: chance is due and the odds admit the draw.
    fn resolve_trusted(&mut self, _draw: Draw, _events: &mut impl Sink<Self::Event>) {}

    /// The time is over. Trusted: the match is not over and no chance is due.
    fn deadline_trusted(&mut self, events: &mut impl Sink<Self::Event>);

    /// Time passes until the match waits for more than time: a deadline after the other while
    /// the turn is [`Turn::Clock`]. A game that overrides this does the same, faster.
    #[inline]
    fn pass_time_trusted(&mut self, events: &mut impl Sink<Self::Event>) {
        while matches!(self.turn(), Turn::Clock) {
            self.deadline_trusted(events);
        }
    }

    /// Seats leave at the same instant. Trusted: the match is not over, no chance is
    /// due, and the set is a non-empty part of [`present`](Game::present).
    fn leave_trusted(
        &mut self,
        seats: SeatSet,
        cause: Departure,
        events: &mut impl Sink<Self::Event>,
    );

    /// Whether this is a test match, as its setup says; the same through a match. A test match
    /// counts for nothing: it is played without a stake, and no rating sees it.
    fn is_test(&self) -> bool {
        false
    }

    /// Whether the action says how the next chance comes out. Such an action is legal in a
    /// [test match](Game::is_test) only.
    fn forces_chance(&self, _action: Self::Action) -> bool {
        false
    }

    /// What this viewer may know.
    fn view(&self, viewer: Viewer) -> Self::View;

    /// True while the position stands inside a composite action, such as a discard of
    /// several cards, whose small steps stand on one line of a record.
    fn line_open(&self) -> bool {
        false
    }

    /// True while this seat stands inside a composite action. A game whose seats compose
    /// at the same time says it here, seat by seat, so that one seat's half-given order
    /// keeps nobody else's line open.
    fn line_open_for(&self, _seat: Seat) -> bool {
        self.line_open()
    }
}

/// The number of an action within a game's action space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct ActionId(u32);

impl ActionId {
    /// The id with this index.
    #[inline]
    pub const fn new(idx: usize) -> ActionId {
        ActionId(idx as u32)
    }

    /// The index within the action space.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for ActionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The final methods of every game: the checked door, and what follows from it.
pub trait GameExt: Game {
    /// Whether the step can happen now; if not, why.
    fn check(&self, step: &Step<Self::Action>) -> Result<(), Refusal> {
        let turn = self.turn();
        match (*step, turn) {
            (_, Turn::Over(_)) => Err(Refusal::Over),
            (Step::Chance(draw), Turn::Chance) if self.odds().admits(draw) => Ok(()),
            (Step::Chance(draw), Turn::Chance) => Err(Refusal::NoSuchDraw(draw)),
            (Step::Chance(_), _) => Err(Refusal::NoChanceDue),
            (_, Turn::Chance) => Err(Refusal::ChanceDue),
            (Step::Play(seat, action), turn) => self.check_play(turn, seat, action),
            (Step::Deadline, _) => Ok(()),
            (Step::Leave(seats, _), _) if seats.is_empty() || !seats.is_subset(self.present()) => {
                Err(Refusal::CannotLeave)
            }
            (Step::Leave(..), _) => Ok(()),
        }
    }

    /// Whether the seat may take the action, given the turn the position is at.
    #[doc(hidden)]
    fn check_play(&self, turn: Turn, seat: Seat, action: Self::Action) -> Result<(), Refusal> {
        if !turn.open().contains(seat) {
            return Err(Refusal::NotYourTurn(seat));
        }
        self.refuse(seat, action)
            .map_or(Ok(()), |reason| Err(Refusal::Illegal(seat, reason)))
    }

    /// Does a step if it is legal; otherwise says why not and changes nothing.
    fn apply(
        &mut self,
        step: Step<Self::Action>,
        events: &mut impl Sink<Self::Event>,
    ) -> Result<(), Refusal> {
        self.check(&step)?;
        self.apply_trusted(step, events);
        Ok(())
    }

    /// Does a step. Trusted: [`check`](GameExt::check) would accept it.
    fn apply_trusted(&mut self, step: Step<Self::Action>, events: &mut impl Sink<Self::Event>) {
        match step {
            Step::Play(seat, action) => self.play_trusted(seat, action, events),
            Step::Chance(draw) => self.resolve_trusted(draw, events),
            Step::Deadline => self.deadline_trusted(events),
            Step::Leave(seats, cause) => self.leave_trusted(seats, cause, events),
        }
    }

    /// A seat decides, checked.
    fn play(
        &mut self,
        seat: Seat,
        action: Self::Action,
        events: &mut impl Sink<Self::Event>,
    ) -> Result<(), Refusal> {
        self.apply(Step::Play(seat, action), events)
    }

    /// Chance comes out, checked.
    fn resolve(&mut self, draw: Draw, events: &mut impl Sink<Self::Event>) -> Result<(), Refusal> {
        self.apply(Step::Chance(draw), events)
    }

    /// The seat's legal actions, in a mask of its own. Loops reuse one with
    /// [`fill_legal`](GameExt::fill_legal).
    fn legal(&self, seat: Seat) -> Mask {
        let mut mask = Mask::default();
        self.fill_legal(seat, &mut mask);
        mask
    }

    /// Empties the mask, fits it and fills in the seat's legal actions.
    #[inline]
    fn fill_legal(&self, seat: Seat, mask: &mut Mask) {
        mask.reset(self.n_actions());
        self.write_legal(seat, mask);
    }

    /// How the match ended, if it has.
    fn outcome(&self) -> Option<crate::Outcome> {
        self.turn().outcome()
    }

    /// Every action of this match, by id.
    fn actions(&self) -> impl Iterator<Item = (ActionId, Self::Action)> {
        (0..self.n_actions())
            .map(ActionId::new)
            .filter_map(|id| self.action(id).map(|action| (id, action)))
    }
}

impl<G: Game> GameExt for G {}

/// A game that can draw again what a viewer cannot know.
///
/// This is the one door by which a planner gets a position to search in, and what the
/// conformance suite proves views with: the redrawn position must look the same to the
/// viewer in every way.
pub trait Redraw: Game {
    /// A position that is equal to this one in all that the viewer may know, with the
    /// rest drawn anew.
    #[must_use]
    fn redraw(&self, viewer: Viewer, rng: &mut Generator) -> Self;
}

/// A game that tells about itself: for `describe`, schemas and generated docs.
pub trait Describe: Recorded {
    /// One sentence.
    const SUMMARY: &'static str;

    /// The tables a reader of actions and observations needs: boards, cards, costs.
    fn tables(setup: &Self::Setup) -> Json;

    /// The JSON Schema of the setup.
    fn setup_schema() -> Schema;

    /// The JSON Schema of the position's part of a snapshot.
    fn snapshot_schema() -> Schema;
}
