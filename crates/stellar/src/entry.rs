//! Orders as a record writes them.

use kernel::DecisionOf;
use kernel::doc::{Document, Fault, Faults, Names, Node};
use serde::Serialize;

use crate::action::Action;
use crate::constants::{LANDABLE_MAX, RETREAT_SHARES};
use crate::state::{Stellar, Verb};

/// A decision as a record writes it.
#[derive(Serialize, Document, Names)]
#[serde(tag = "type", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Decision {
    /// The faction has given all its orders for the turn.
    Done {},
    /// A complete order, or a part of one.
    Order(OrderEntry),
}

/// An order, or the part of an order that fits on one line of the record.
#[derive(Default, Serialize, Document)]
pub struct OrderEntry {
    #[serde(skip_serializing_if = "Option::is_none")]
    below: Option<u8>,
    /// A null entry means any body.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    bodies: Vec<Option<u8>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    end: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    fleet: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    into: Option<u16>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ships: Vec<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verb: Option<Verb>,
}

impl DecisionOf<Stellar> for Decision {
    /// Writes an order as one line. If something happened between its steps, each part becomes a
    /// line with only the fields it has.
    fn of(position: &Stellar, actions: &[Action]) -> Decision {
        if actions == [Action::Done] {
            return Decision::Done {};
        }
        let mut order = OrderEntry::default();
        for action in actions {
            match *action {
                Action::Fleet(rank) => order.fleet = Some(rank),
                Action::Verb(verb) => order.verb = Some(verb),
                Action::System(it) => order.system = Some(position.galaxy().system(it).id.clone()),
                Action::Body(body) => order.bodies.push(Some(body)),
                Action::AnyBody => order.bodies.push(None),
                Action::Ship(place) => order.ships.push(place),
                Action::End => order.end = true,
                Action::Into(rank) => order.into = Some(rank),
                Action::Share(idx) => order.below = Some(RETREAT_SHARES[usize::from(idx)]),
                Action::Done => {}
            }
        }
        Decision::Order(order)
    }

    fn actions(
        self,
        position: &Stellar,
        node: &Node<'_>,
        faults: &mut Faults,
    ) -> Option<Vec<Action>> {
        match self {
            Decision::Done {} => Some(vec![Action::Done]),
            Decision::Order(order) => position.order_of(order, node, faults),
        }
    }
}

impl Stellar {
    fn order_of(
        &self,
        order: OrderEntry,
        payload: &Node<'_>,
        faults: &mut Faults,
    ) -> Option<Vec<Action>> {
        self.check_bounds(payload, faults);
        let system = order.system.map(|id| {
            let found = self.galaxy().find(&id);
            if found.is_none() {
                let message = format!("no system has the id {id:?}");
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
            let message = "an order must have at least one of its fields";
            faults.push(Fault::new("/payload", "missing", message));
        }
        steps.into_iter().collect()
    }

    /// Checks the bounds that this match sets.
    fn check_bounds(&self, payload: &Node<'_>, faults: &mut Faults) {
        let n_fleets = self.world.fleet_slots();
        for (key, n) in [
            ("fleet", n_fleets),
            ("into", n_fleets),
            ("bodies", LANDABLE_MAX),
            ("ships", self.world.ship_slots()),
        ] {
            let place = payload.field(key);
            let items = place.list(&mut Faults::default());
            let items = items.unwrap_or_else(|| vec![place]).into_iter();
            for item in items.filter(|it| it.json().is_some_and(|it| !it.is_null())) {
                item.int_in(0..=n as i64 - 1, faults);
            }
        }
    }
}
