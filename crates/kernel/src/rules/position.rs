//! A position of a game that is written as [`Rules`].

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Event, Next, Rules, Seen};
use crate::doc::Document;
use crate::json;
use crate::rules::ActionSpace;
use crate::{
    ActionId, Departure, Draw, Game, Mask, Odds, Outcome, Reason, Sealed, Seat, SeatSet, Sink,
    Turn, Verdict, Viewer,
};

/// A position: the state of the rules, and what is the same in every game.
///
/// - A deadline plays [`Rules::absent`] for every seat that must decide.
/// - A departure that leaves one seat ends the match, and that seat wins. If no seat is left, or the
///   host cancels the match, it is void. Otherwise the match continues without the seat, and
///   [`Rules::absent`] decides for it while the rules still wait for it. A seat that left cannot
///   win.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[schemars(rename = "Snapshot")]
pub struct Position<R: Rules> {
    /// The end of the match by departures; null while it runs and if the rules ended it.
    pub(super) ended: Option<Ended>,
    /// The seats that have not left.
    pub(super) present: SeatSet,
    /// The state of the rules.
    pub(super) state: R,
    /// The number of decisions so far.
    pub(super) turn_number: u32,
}

/// The end of a match by departures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(deny_unknown_fields)]
pub struct Ended {
    /// The cause of the last departure.
    pub cause: Departure,
    /// The only seat that stayed; null if the match is void.
    pub winner: Option<Seat>,
}

impl Ended {
    fn outcome(self) -> Outcome {
        let verdict = self.winner.map_or(Verdict::Void, Verdict::Winner);
        Outcome::decided(verdict, self.cause.name())
    }
}

impl<R: Rules> Position<R> {
    /// The state of the rules.
    pub fn state(&self) -> &R {
        &self.state
    }

    /// The outcome by the rules: the seats that left cannot win. If only they would, the others win
    /// together.
    fn judged(&self, outcome: Outcome) -> Outcome {
        let winners = outcome.winners();
        let stayed = winners.intersection(self.present);
        if stayed == winners {
            return outcome;
        }
        let winners = if stayed.is_empty() {
            self.present
        } else {
            stayed
        };
        let verdict = Verdict::of(winners);
        Outcome { verdict, ..outcome }
    }

    /// Plays a decision of a seat that the state waits for.
    fn decide(&mut self, seat: Seat, action: R::Action, events: &mut impl Sink<Event>) {
        let before = self.state.next();
        events.push_with(|| Event::Played {
            seat,
            word: action.to_string(),
            label: action.label(),
            sealed: matches!(before, Next::Sealed(_)),
        });
        self.state.play(seat, action, events);
        if !is_rest_of(before, self.state.next()) {
            self.turn_number = self.turn_number.saturating_add(1);
        }
    }

    /// Decides for a seat that does not. Returns false if it has no legal action.
    fn decide_for(&mut self, seat: Seat, events: &mut impl Sink<Event>) -> bool {
        let action = self.state.absent(seat);
        if let Some(action) = action {
            debug_assert!(self.state.is_legal(seat, action), "{action} is not legal");
            self.decide(seat, action, events);
        }
        action.is_some()
    }

    /// Decides for the seats that left, while the state waits for one, and reports the end.
    fn settle(&mut self, events: &mut impl Sink<Event>) {
        while let Some(seat) = self.waits_in_vain() {
            if !self.decide_for(seat, events) {
                break;
            }
        }
        if let Turn::Over(outcome) = self.turn() {
            events.push_with(|| Event::MatchEnded { outcome });
        }
    }

    /// A seat that must decide but has left.
    pub(super) fn waits_in_vain(&self) -> Option<Seat> {
        let running = self.ended.is_none();
        let mut seats = self.state.next().seats().iter();
        seats.find(|seat| running && !self.present.contains(*seat))
    }
}

/// True if `after` waits for the rest of the same simultaneous decision.
fn is_rest_of(before: Next, after: Next) -> bool {
    match (before, after) {
        (Next::Sealed(before), Next::Sealed(after)) => after != before && after.is_subset(before),
        _ => false,
    }
}

impl<R: Rules> Game for Position<R> {
    const NAME: &'static str = R::NAME;
    const RULES_VERSION: &'static str = R::RULES_VERSION;

    type Setup = R::Setup;
    type Action = R::Action;
    type Event = Event;
    type View = Seen<R>;

    fn start(setup: &R::Setup) -> Position<R> {
        let state = R::start(setup);
        Position {
            ended: None,
            present: SeatSet::first(state.n_seats()),
            state,
            turn_number: 0,
        }
    }

    /// Each seat can also leave.
    fn steps_max(setup: &R::Setup) -> u64 {
        let n_seats = R::start(setup).n_seats() as u64;
        R::steps_max(setup).saturating_add(n_seats)
    }

    fn n_seats(&self) -> usize {
        self.state.n_seats()
    }

    fn turn(&self) -> Turn {
        if let Some(ended) = self.ended {
            return Turn::Over(ended.outcome());
        }
        match self.state.next() {
            Next::Seat(seat) => Turn::Seat(seat),
            Next::Sealed(seats) => Turn::Sealed(Sealed {
                open: seats,
                missing: seats,
            }),
            Next::Chance => Turn::Chance,
            Next::Over(outcome) => Turn::Over(self.judged(outcome)),
        }
    }

    fn turn_number(&self) -> u32 {
        self.turn_number
    }

    fn present(&self) -> SeatSet {
        self.present
    }

    fn n_actions(&self) -> usize {
        self.state.n_actions()
    }

    fn action_id(&self, action: R::Action) -> ActionId {
        ActionId::new(action.id())
    }

    fn action(&self, id: ActionId) -> Option<R::Action> {
        let known = id.index() < self.n_actions();
        known.then(|| R::Action::with_id(id.index())).flatten()
    }

    fn write_legal(&self, seat: Seat, mask: &mut Mask) {
        if !self.turn().open().contains(seat) {
            return;
        }
        for id in (0..self.n_actions()).map(ActionId::new) {
            let action = R::Action::with_id(id.index());
            if action.is_some_and(|action| self.state.is_legal(seat, action)) {
                mask.allow(id);
            }
        }
    }

    fn refuse(&self, seat: Seat, action: R::Action) -> Option<Reason> {
        let legal = action.id() < self.n_actions() && self.state.is_legal(seat, action);
        (!legal).then_some(Reason("illegal_action"))
    }

    fn play_trusted(&mut self, seat: Seat, action: R::Action, events: &mut impl Sink<Event>) {
        self.decide(seat, action, events);
        self.settle(events);
    }

    fn odds(&self) -> Odds {
        self.state.odds()
    }

    fn resolve_trusted(&mut self, draw: Draw, events: &mut impl Sink<Event>) {
        events.push_with(|| Event::Drew {});
        self.state.resolve(draw, events);
        self.settle(events);
    }

    fn deadline_trusted(&mut self, events: &mut impl Sink<Event>) {
        for seat in self.state.next().seats().iter() {
            self.decide_for(seat, events);
        }
        self.settle(events);
    }

    fn leave_trusted(&mut self, seats: SeatSet, cause: Departure, events: &mut impl Sink<Event>) {
        for seat in seats.iter() {
            self.present = self.present.without(seat);
            events.push_with(|| Event::PlayerLeft { seat, cause });
        }
        let winner = self.present.sole().filter(|_| cause != Departure::Cancel);
        if winner.is_some() || self.present.is_empty() || cause == Departure::Cancel {
            self.ended = Some(Ended { cause, winner });
        }
        for seat in seats.iter() {
            let before = self.turn();
            if !matches!(before, Turn::Over(_)) {
                self.state.leave(seat, events);
                self.turn_number += u32::from(self.turn() != before);
            }
        }
        self.settle(events);
    }

    fn progress(&self, seat: Seat) -> Option<u32> {
        self.state.progress(seat)
    }

    fn view(&self, viewer: Viewer) -> Seen<R> {
        Seen::of(self, viewer)
    }
}

/// The position as JSON, for bug reports.
impl<R: Rules> fmt::Display for Position<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = json::to_canonical(self).map_err(|_| fmt::Error)?;
        f.write_str(&String::from_utf8_lossy(&bytes))
    }
}
