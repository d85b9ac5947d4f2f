//! Snapshots, decisions and descriptions.

use schemars::{Schema, schema_for};
use serde::Serialize;

use super::{ActionSpace, Check, Next, Position, Rules};
use crate::doc::{Document, Faults, Names, Node, Object};
use crate::json::{self, Json};
use crate::terminal::{self, Terminal};
use crate::words::{Vocabulary, Word};
use crate::{
    Conserve, DecisionOf, Departure, Describe, GameExt, Recorded, SeatSet, SnapshotOf, Table,
    schema,
};

impl<R: Rules> Recorded for Position<R> {
    const SNAPSHOT_VERSION: &'static str = R::SNAPSHOT_VERSION;

    type Snapshot = Position<R>;
    type Decision = Decision<R::Action>;
}

impl<R: Rules> Conserve for Position<R> {}

/// A decision as a record writes it.
#[derive(Serialize, Document, Names)]
#[serde(tag = "type", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
#[serde(bound(serialize = "A: Vocabulary"))]
pub enum Decision<A: Vocabulary> {
    /// A seat took an action.
    Play {
        /// The action.
        action: Word<A>,
    },
}

impl<R: Rules> DecisionOf<Position<R>> for Decision<R::Action> {
    fn of(_: &Position<R>, actions: &[R::Action]) -> Decision<R::Action> {
        debug_assert_eq!(actions.len(), 1, "a decision is one action");
        let action = Word(actions[0]);
        Decision::Play { action }
    }

    fn actions(self, _: &Position<R>, _: &Node<'_>, _: &mut Faults) -> Option<Vec<R::Action>> {
        let Decision::Play { action } = self;
        Some(vec![action.0])
    }
}

impl<R: Rules> SnapshotOf<Position<R>> for Position<R> {
    fn of(position: &Position<R>) -> Position<R> {
        position.clone()
    }

    fn restore(node: &Node<'_>, faults: &mut Faults) -> Option<Position<R>> {
        let n_faults = faults.len();
        let position = Position::<R>::read_beside(node, &Table::<Position<R>>::KEYS, faults)?;
        if faults.len() == n_faults {
            let n_seats = position.state.n_seats();
            position.state.check(&mut Check {
                node: node.field("state"),
                faults,
                n_seats,
            });
        }
        if faults.len() == n_faults {
            position.check_seats(node, faults);
        }
        (faults.len() == n_faults).then_some(position)
    }
}

impl<R: Rules> Position<R> {
    /// Reports seats that contradict the state of the rules, which is consistent in itself.
    fn check_seats(&self, node: &Node<'_>, faults: &mut Faults) {
        let n_seats = self.state.n_seats();
        let mut wrong = |field: &str, message: &str| {
            faults.at(&node.field(field), "contradiction", message);
        };
        let allowed = R::SEATS.contains(&u8::try_from(n_seats).unwrap_or(u8::MAX));
        let next = self.state.next();
        let deciding = next.seats();
        if !allowed || !deciding.is_subset(SeatSet::first(n_seats)) {
            return wrong("state", "the game does not have these seats");
        }
        if !self.present.is_subset(SeatSet::first(n_seats)) {
            wrong("present", "a seat that does not exist is present");
        }
        let fits = match self.ended {
            None => self.present.len() >= 2,
            Some(_) if matches!(next, Next::Over(_)) => false,
            Some(ended) => match ended.winner {
                Some(winner) => {
                    self.present == SeatSet::only(winner) && ended.cause != Departure::Cancel
                }
                None => self.present.is_empty() || ended.cause == Departure::Cancel,
            },
        };
        if !fits {
            wrong(
                "ended",
                "the seats that are present do not fit the end of the match",
            );
        }
        if self.waits_in_vain().is_some() {
            wrong("present", "the match waits for a seat that left");
        }
        let is_stuck = |seat| self.ended.is_none() && self.legal(seat).is_empty();
        if deciding.iter().any(is_stuck) {
            wrong("state", "a seat that must decide has no legal action");
        }
    }
}

impl<R: Rules> Describe for Position<R> {
    const TITLE: &'static str = R::TITLE;
    const SUMMARY: &'static str = R::SUMMARY;
    const SEATS: std::ops::RangeInclusive<u8> = R::SEATS;

    /// The setup.
    fn tables(setup: &Self::Setup) -> Json {
        let setup = json::from_value(setup).expect("a setup holds no floats");
        Json::object([("setup", setup)])
    }

    fn setup_for(n_seats: u8) -> Option<Self::Setup> {
        R::SEATS.contains(&n_seats).then(|| R::setup_for(n_seats))
    }

    fn quick_setup_for(n_seats: u8) -> Option<Self::Setup> {
        R::SEATS
            .contains(&n_seats)
            .then(|| R::quick_setup_for(n_seats))
    }

    fn setup_schema() -> Schema {
        titled::<R>("setup", schema_for!(R::Setup))
    }

    fn snapshot_schema() -> Schema {
        titled::<R>("snapshot", schema::of_read::<Position<R>>())
    }
}

impl<R: Rules> Terminal for Position<R> {
    fn how_to_play(_: &Self::Setup) -> String {
        format!("The words:\n{}", terminal::forms::<R::Action>())
    }

    fn names(&self, action: R::Action) -> Vec<String> {
        vec![action.label()]
    }
}

fn titled<R: Rules>(part: &str, mut schema: Schema) -> Schema {
    let title = format!("{} {part}", R::TITLE);
    schema.insert("title".to_owned(), title.into());
    schema
}
