//! Orders as they stand in a record.

use kernel::Entry;
use kernel::doc::{Document, Fault, Faults, Node, given};
use kernel::json::{self, Json};
use serde::Serialize;

use crate::action::Action;
use crate::constants::{LANDABLE_MAX, RETREAT_SHARES};
use crate::state::{Stellar, Verb};

/// The kinds of entries.
pub const KINDS: [&str; 2] = ["DONE", "ORDER"];

/// An order, or the part of one that stands on one line.
#[derive(Default, Serialize, Document)]
struct OrderEntry {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[document(read_with = given)]
    below: Option<u8>,
    /// Any body is null.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    bodies: Vec<Option<u8>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    end: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[document(read_with = given)]
    fleet: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[document(read_with = given)]
    into: Option<u16>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ships: Vec<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[document(read_with = given)]
    system: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[document(read_with = given)]
    verb: Option<Verb>,
}

impl Stellar {
    /// An order is one line. Where something came between its steps, each part is a line
    /// with the fields that it has.
    pub(crate) fn entry(&self, actions: &[Action]) -> Entry {
        if actions == [Action::Done] {
            return Entry {
                kind: KINDS[0],
                payload: Json::object([]),
            };
        }
        let mut order = OrderEntry::default();
        for action in actions {
            match *action {
                Action::Fleet(rank) => order.fleet = Some(rank),
                Action::Verb(verb) => order.verb = Some(verb),
                Action::System(it) => order.system = Some(self.galaxy().system(it).id.clone()),
                Action::Body(body) => order.bodies.push(Some(body)),
                Action::AnyBody => order.bodies.push(None),
                Action::Ship(place) => order.ships.push(place),
                Action::End => order.end = true,
                Action::Into(rank) => order.into = Some(rank),
                Action::Share(idx) => order.below = Some(RETREAT_SHARES[usize::from(idx)]),
                Action::Done => {}
            }
        }
        Entry {
            kind: KINDS[1],
            payload: json::from_value(&order).expect("an order holds no floats"),
        }
    }

    pub(crate) fn actions_of(
        &self,
        kind: &str,
        payload: &Node<'_>,
        faults: &mut Faults,
    ) -> Option<Vec<Action>> {
        match kind {
            "DONE" => {
                payload.only_fields(&[], faults);
                Some(vec![Action::Done])
            }
            "ORDER" => self.order_of(payload, faults),
            _ => {
                let message = format!("{kind:?} is no action of Stellar Fleet");
                faults.push(Fault::new("/type", "unknown_value", message));
                None
            }
        }
    }

    fn order_of(&self, payload: &Node<'_>, faults: &mut Faults) -> Option<Vec<Action>> {
        let order = OrderEntry::read(payload, faults)?;
        self.check_bounds(payload, faults);
        let system = order.system.map(|id| {
            let found = self.galaxy().find(&id);
            if found.is_none() {
                let message = format!("there is no system {id:?}");
                faults.at(&payload.field("system"), "unknown_system", message);
            }
            found.map(Action::System)
        });
        let share = order.below.map(|share| {
            let idx = RETREAT_SHARES.iter().position(|it| *it == share);
            if idx.is_none() {
                let message = format!("expected one of {RETREAT_SHARES:?}, found {share}");
                faults.at(&payload.field("below"), "out_of_range", message);
            }
            idx.map(|idx| Action::Share(idx as u8))
        });
        let body = |body: Option<u8>| body.map_or(Action::AnyBody, Action::Body);
        let steps: Vec<Option<Action>> = (order.fleet.map(Action::Fleet).map(Some).into_iter())
            .chain(order.verb.map(Action::Verb).map(Some))
            .chain(system)
            .chain(order.bodies.into_iter().map(|it| Some(body(it))))
            .chain(order.ships.into_iter().map(|it| Some(Action::Ship(it))))
            .chain(order.end.then_some(Some(Action::End)))
            .chain(order.into.map(Action::Into).map(Some))
            .chain(share)
            .collect();
        if steps.is_empty() {
            let message = "an order says at least one of its parts";
            faults.push(Fault::new("/payload", "missing", message));
        }
        steps.into_iter().collect()
    }

    /// The bounds that this match sets.
    fn check_bounds(&self, payload: &Node<'_>, faults: &mut Faults) {
        let below = |n: usize| 0..=n as i64 - 1;
        for key in ["fleet", "into"] {
            if payload.field(key).exists() {
                payload
                    .field(key)
                    .int_in(below(self.world.fleet_slots()), faults);
            }
        }
        let items = |key: &'static str| payload.field(key).list(&mut Faults::default());
        for item in items("bodies").into_iter().flatten() {
            item.null_or(faults, |it, faults| it.int_in(below(LANDABLE_MAX), faults));
        }
        for item in items("ships").into_iter().flatten() {
            item.int_in(below(self.world.ship_slots()), faults);
        }
    }
}
