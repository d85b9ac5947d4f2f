//! The trait that every game implements.

use std::fmt;
use std::ops::RangeInclusive;

use schemars::{JsonSchema, Schema};
use serde::Serialize;

use crate::json::Json;
use crate::recorded::Recorded;
use crate::rng::Generator;
use crate::{
    Choices, Departure, Draw, Event, Mask, Odds, Reason, Refusal, Seat, SeatSet, Sink, Step, Turn,
    Viewer,
};

/// A position of a game, with the rules as its methods.
///
/// A position holds what the rules need and nothing else: no history, no clock, no generator. It is
/// plain data, cheap to clone, and always valid: it comes from a validated setup or snapshot and
/// changes only through the transitions below.
///
/// The `*_trusted` transitions are fast and unchecked: **the caller promises that the step is
/// legal** (see [`GameExt::check`]). On an illegal step they may do anything that safe code can do,
/// including panic, and the position must not be used afterwards. [`GameExt`] has the checked
/// versions.
pub trait Game: Clone + Eq + fmt::Debug + fmt::Display + Send + Sync + 'static {
    /// The game's name on the command line, in records, in Python and on the wire.
    const NAME: &'static str;
    /// The version of the rules (semver). A change that can alter any outcome needs a new major
    /// version.
    const RULES_VERSION: &'static str;

    /// The starting conditions of a match, already validated: starting cannot fail. The default is
    /// the standard match.
    type Setup: Clone + Eq + fmt::Debug + Default + Send + Sync + 'static;
    /// A seat's decision. Every action has an id and every id has an action. Its text is short and
    /// unique, for terminals and bug reports.
    type Action: Copy + Eq + fmt::Debug + fmt::Display + Send + Sync + 'static;
    /// An effect of a step.
    type Event: Event;
    /// The part of a position that one viewer may see: plain data, with a text form for the
    /// terminal.
    type View: Clone + PartialEq + fmt::Debug + fmt::Display + Serialize;

    /// The first position of a match.
    fn start(setup: &Self::Setup) -> Self;

    /// An upper bound on the number of steps of any match with this setup.
    fn steps_max(setup: &Self::Setup) -> u64;

    /// The number of seats; constant through a match.
    fn n_seats(&self) -> usize;

    /// The input that the position waits for.
    fn turn(&self) -> Turn;

    /// The number of the turn or round, counted from 0 or 1; it never decreases.
    fn turn_number(&self) -> u32;

    /// The seats that are still in the match, and so can leave it.
    fn present(&self) -> SeatSet {
        SeatSet::first(self.n_seats())
    }

    /// The size of the action space; constant through a match.
    fn n_actions(&self) -> usize;

    /// The id of an action of this match.
    fn action_id(&self, action: Self::Action) -> ActionId;

    /// The action with this id, whether or not it is legal now. `None` when no action has this id.
    fn action(&self, id: ActionId) -> Option<Self::Action>;

    /// Adds the seat's legal actions to `mask`, which is empty and has the right size. A seat that
    /// is not open has no legal actions.
    fn write_legal(&self, seat: Seat, mask: &mut Mask);

    /// The seat's legal actions, if the game has them prepared, for loops that would otherwise write
    /// a mask only to draw from it. Must agree with the mask.
    #[inline]
    fn choices(&self, _seat: Seat) -> Option<&'static Choices<Self::Action>> {
        None
    }

    /// The reason the rules refuse this action of an open seat now; `None` when it is legal. Must
    /// agree with the mask; the reason may be more specific.
    fn refuse(&self, seat: Seat, action: Self::Action) -> Option<Reason> {
        let mut mask = Mask::new(self.n_actions());
        self.write_legal(seat, &mut mask);
        let legal = mask.allows(self.action_id(action));
        (!legal).then_some(Reason("illegal_action"))
    }

    /// Plays a seat's decision. Trusted: the action is legal for the seat.
    fn play_trusted(
        &mut self,
        seat: Seat,
        action: Self::Action,
        events: &mut impl Sink<Self::Event>,
    );

    /// The odds of the chance that is due. Called only while the turn is [`Turn::Chance`]; a game
    /// without chance omits this and [`resolve_trusted`](Game::resolve_trusted).
    fn odds(&self) -> Odds {
        Odds::uniform(1)
    }

    /// Resolves chance with a draw. Trusted: chance is due and the odds admit the draw.
    fn resolve_trusted(&mut self, _draw: Draw, _events: &mut impl Sink<Self::Event>) {}

    /// Lets the deadline pass. Trusted: the match is not over and no chance is due.
    fn deadline_trusted(&mut self, events: &mut impl Sink<Self::Event>);

    /// Lets deadlines pass, one after another, while the turn is [`Turn::Clock`], and returns their
    /// number. An override must do the same, only faster.
    #[inline]
    fn pass_time_trusted(&mut self, events: &mut impl Sink<Self::Event>) -> u64 {
        let mut n_passed = 0;
        while matches!(self.turn(), Turn::Clock) {
            self.deadline_trusted(events);
            n_passed += 1;
        }
        n_passed
    }

    /// Plays the decisions of the missing seats of a sealed turn in the order of their seats, then
    /// lets deadlines pass while the turn is [`Turn::Clock`] or sealed with no seat missing, and
    /// returns the number of deadlines. Trusted: the turn is sealed, each missing seat decides once,
    /// and each action is legal. An override must do the same, only faster.
    #[inline]
    fn play_sealed_trusted(
        &mut self,
        plays: &[(Seat, Self::Action)],
        events: &mut impl Sink<Self::Event>,
    ) -> u64 {
        for &(seat, action) in plays {
            self.play_trusted(seat, action, events);
        }
        let mut n_passed = 0;
        loop {
            match self.turn() {
                Turn::Clock => n_passed += self.pass_time_trusted(events),
                Turn::Sealed(sealed) if sealed.missing.is_empty() => {
                    self.deadline_trusted(events);
                    n_passed += 1;
                }
                _ => return n_passed,
            }
        }
    }

    /// Removes seats from the match, all at the same instant. Trusted: the match is not over, no
    /// chance is due, and the set is a non-empty subset of [`present`](Game::present).
    fn leave_trusted(
        &mut self,
        seats: SeatSet,
        cause: Departure,
        events: &mut impl Sink<Self::Event>,
    );

    /// The seat's progress toward victory as the rules count it, such as points or territory: larger
    /// is better, and a tie-break by the same count agrees with it. `None` if the rules count
    /// nothing. It may depend on hidden facts, so it is for positions that a search may read.
    fn progress(&self, _seat: Seat) -> Option<u32> {
        None
    }

    /// True if the setup declares a test match; constant through a match. A test match has no stake
    /// and does not affect ratings.
    fn is_test(&self) -> bool {
        false
    }

    /// True if the action decides the outcome of the next chance. Such an action is legal only in a
    /// [test match](Game::is_test).
    fn forces_chance(&self, _action: Self::Action) -> bool {
        false
    }

    /// The part of the position that this viewer may see.
    fn view(&self, viewer: Viewer) -> Self::View;

    /// True while a composite action is incomplete, such as a discard of several cards. Its small
    /// steps share one line of the record.
    fn line_open(&self) -> bool {
        false
    }

    /// True while this seat's composite action is incomplete. A game whose seats compose at the
    /// same time overrides this, so that one seat's unfinished order keeps no other seat's line
    /// open.
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

/// Checked transitions and other methods that every game gets for free.
pub trait GameExt: Game {
    /// Checks that the step is legal now.
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

    /// Checks that the seat may take the action, given the position's current turn.
    #[doc(hidden)]
    fn check_play(&self, turn: Turn, seat: Seat, action: Self::Action) -> Result<(), Refusal> {
        if !turn.open().contains(seat) {
            return Err(Refusal::NotYourTurn(seat));
        }
        self.refuse(seat, action)
            .map_or(Ok(()), |reason| Err(Refusal::Illegal(seat, reason)))
    }

    /// Applies a step if it is legal; otherwise returns the refusal and changes nothing.
    fn apply(
        &mut self,
        step: Step<Self::Action>,
        events: &mut impl Sink<Self::Event>,
    ) -> Result<(), Refusal> {
        self.check(&step)?;
        self.apply_trusted(step, events);
        Ok(())
    }

    /// Applies a step. Trusted: [`check`](GameExt::check) would accept it.
    fn apply_trusted(&mut self, step: Step<Self::Action>, events: &mut impl Sink<Self::Event>) {
        match step {
            Step::Play(seat, action) => self.play_trusted(seat, action, events),
            Step::Chance(draw) => self.resolve_trusted(draw, events),
            Step::Deadline => self.deadline_trusted(events),
            Step::Leave(seats, cause) => self.leave_trusted(seats, cause, events),
        }
    }

    /// Plays a seat's decision if it is legal.
    fn play(
        &mut self,
        seat: Seat,
        action: Self::Action,
        events: &mut impl Sink<Self::Event>,
    ) -> Result<(), Refusal> {
        self.apply(Step::Play(seat, action), events)
    }

    /// Resolves chance with a draw if that is possible now.
    fn resolve(&mut self, draw: Draw, events: &mut impl Sink<Self::Event>) -> Result<(), Refusal> {
        self.apply(Step::Chance(draw), events)
    }

    /// The seat's legal actions in a new mask. In a loop, reuse one mask with
    /// [`fill_legal`](GameExt::fill_legal).
    fn legal(&self, seat: Seat) -> Mask {
        let mut mask = Mask::default();
        self.fill_legal(seat, &mut mask);
        mask
    }

    /// Empties and resizes the mask, then adds the seat's legal actions.
    #[inline]
    fn fill_legal(&self, seat: Seat, mask: &mut Mask) {
        mask.reset(self.n_actions());
        self.write_legal(seat, mask);
    }

    /// The outcome of the match, once it is over.
    fn outcome(&self) -> Option<crate::Outcome> {
        self.turn().outcome()
    }

    /// Every action of this match with its id, in order of id.
    fn actions(&self) -> impl Iterator<Item = (ActionId, Self::Action)> {
        (0..self.n_actions())
            .map(ActionId::new)
            .filter_map(|id| self.action(id).map(|action| (id, action)))
    }
}

impl<G: Game> GameExt for G {}

/// A game that can redraw everything a viewer cannot know.
///
/// This is the only way for a planner to get a position to search in. The conformance suite uses it
/// to prove that views leak nothing: the redrawn position must look exactly the same to the viewer.
pub trait Redraw: Game {
    /// A position that agrees with this one in everything the viewer may know, with the rest drawn
    /// at random.
    #[must_use]
    fn redraw(&self, viewer: Viewer, rng: &mut Generator) -> Self;
}

/// A game that describes itself: for `describe`, schemas and generated docs.
pub trait Describe: Recorded {
    /// The game's name for people.
    const TITLE: &'static str;
    /// A summary of the game in one sentence.
    const SUMMARY: &'static str;
    /// The fewest and the most seats of a match.
    const SEATS: RangeInclusive<u8> = 2..=2;

    /// Reference data for readers of actions and observations: boards, cards, costs.
    fn tables(setup: &Self::Setup) -> Json;

    /// The standard setup for this many seats. `None` if the game does not have that many, or if
    /// its setups are documents that people choose or write.
    fn setup_for(_n_seats: u8) -> Option<Self::Setup> {
        None
    }

    /// Like [`setup_for`](Describe::setup_for), but for a short match, with which tests and
    /// simulations play.
    fn quick_setup_for(n_seats: u8) -> Option<Self::Setup> {
        Self::setup_for(n_seats)
    }

    /// The JSON Schema of the setup.
    fn setup_schema() -> Schema;

    /// The JSON Schema of the position's part of a snapshot.
    fn snapshot_schema() -> Schema;
}
