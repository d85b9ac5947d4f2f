//! Orders as they stand in a record.

use std::collections::BTreeMap;

use kernel::Entry;
use kernel::doc::{Fault, Faults, Node};
use kernel::json::Json;

use crate::action::Action;
use crate::constants::{LANDABLE_MAX, RETREAT_SHARES};
use crate::state::{Stellar, Verb};

/// The kinds of entries.
pub const KINDS: [&str; 2] = ["DONE", "ORDER"];

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
        let mut fields: BTreeMap<String, Json> = BTreeMap::new();
        let mut listed = |key: &str, value: Json| {
            let list = fields
                .entry(key.to_owned())
                .or_insert_with(|| Json::List(Vec::new()));
            if let Json::List(items) = list {
                items.push(value);
            }
        };
        let mut single = Vec::new();
        for action in actions {
            match *action {
                Action::Fleet(rank) => single.push(("fleet", Json::Int(rank.into()))),
                Action::Verb(verb) => single.push(("verb", Json::Text(verb.name().to_owned()))),
                Action::System(system) => {
                    let id = self.galaxy().system(system).id.clone();
                    single.push(("system", Json::Text(id)));
                }
                Action::Body(body) => listed("bodies", Json::Int(body.into())),
                Action::AnyBody => listed("bodies", Json::Null),
                Action::Ship(place) => listed("ships", Json::Int(place.into())),
                Action::End => single.push(("end", Json::Bool(true))),
                Action::Into(rank) => single.push(("into", Json::Int(rank.into()))),
                Action::Share(idx) => {
                    let share = RETREAT_SHARES[usize::from(idx)];
                    single.push(("below", Json::Int(share.into())));
                }
                Action::Done => {}
            }
        }
        for (key, value) in single {
            fields.insert(key.to_owned(), value);
        }
        Entry {
            kind: KINDS[1],
            payload: Json::Object(fields),
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
        payload.only_fields(
            &[
                "fleet", "verb", "system", "bodies", "ships", "end", "into", "below",
            ],
            faults,
        );
        let (n_fleets, n_ships) = (self.world.fleet_slots(), self.world.ship_slots());
        let mut steps: Vec<Option<Action>> = Vec::new();
        let below = |n: usize| 0..=n as i64 - 1;
        if let Some(node) = given(payload, "fleet") {
            let rank = node.int_in(below(n_fleets), faults);
            steps.push(rank.map(|it| Action::Fleet(it as u16)));
        }
        if let Some(node) = given(payload, "verb") {
            let idx = node.one_of(&Verb::NAMES, faults);
            steps.push(idx.map(|idx| Action::Verb(Verb::ALL[idx])));
        }
        if let Some(node) = given(payload, "system") {
            let system = node.text(faults).and_then(|id| {
                let found = self.galaxy().find(id);
                if found.is_none() {
                    let message = format!("there is no system {id:?}");
                    faults.at(&node, "unknown_system", message);
                }
                found
            });
            steps.push(system.map(Action::System));
        }
        if let Some(node) = given(payload, "bodies") {
            for item in node.list(faults)? {
                let body =
                    item.null_or(faults, |it, faults| it.int_in(below(LANDABLE_MAX), faults));
                steps.push(body.map(|body| match body {
                    Some(body) => Action::Body(body as u8),
                    None => Action::AnyBody,
                }));
            }
        }
        if let Some(node) = given(payload, "ships") {
            for item in node.list(faults)? {
                let place = item.int_in(below(n_ships), faults);
                steps.push(place.map(|it| Action::Ship(it as u16)));
            }
        }
        if let Some(node) = given(payload, "end") {
            let end = node.bool(faults);
            if end == Some(false) {
                faults.at(&node, "out_of_range", "expected true, or nothing at all");
            }
            steps.push(end.map(|_| Action::End));
        }
        if let Some(node) = given(payload, "into") {
            let rank = node.int_in(below(n_fleets), faults);
            steps.push(rank.map(|it| Action::Into(it as u16)));
        }
        if let Some(node) = given(payload, "below") {
            let share = node.int_in(0..=100, faults);
            let idx = share.and_then(|share| {
                let idx = RETREAT_SHARES.iter().position(|it| i64::from(*it) == share);
                if idx.is_none() {
                    let message = format!("expected one of {RETREAT_SHARES:?}, found {share}");
                    faults.at(&node, "out_of_range", message);
                }
                idx
            });
            steps.push(idx.map(|idx| Action::Share(idx as u8)));
        }
        if steps.is_empty() {
            let message = "an order says at least one of its parts";
            faults.push(Fault::new("/payload", "missing", message));
        }
        steps.into_iter().collect()
    }
}

/// The place under a key, if something is there.
fn given<'b>(payload: &Node<'b>, key: &'b str) -> Option<Node<'b>> {
    let node = payload.field(key);
    node.exists().then_some(node)
}
