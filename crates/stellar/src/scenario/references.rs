//! References from one part of a scenario to another: to a faction by its id, to a system by its
//! id.
//!
//! They are checked in the document, so that they are reported together with errors of its shape.
//! A reference is judged only if everything that it could refer to can be read: an id that is
//! unreadable elsewhere may be the one that is meant.

use std::collections::BTreeSet;

use kernel::doc::{Faults, Node};
use kernel::json::Json;

use super::query::{generated_id, generated_rank};

/// Reports every reference to a faction or a system that does not exist. A reference that has been
/// refused for its shape is left out. If the document `has_shape`, every part of it can be read.
pub(super) fn check(node: &Node<'_>, has_shape: bool, faults: &mut Faults) {
    let (generation, setup) = (node.field("generation"), node.field("setup"));
    if let Some(factions) = ids(&setup.field("factions")) {
        check_factions(&factions, &generation, &setup, faults);
    }
    let is_counted = has_shape || !is_refused(&generation.field("systemCount"), faults);
    if let Some(systems) = Systems::of(&generation).filter(|_| is_counted) {
        check_hills(&systems, &node.field("objectives").field("victory"), faults);
    }
}

fn check_factions(known: &[&str], generation: &Node<'_>, setup: &Node<'_>, faults: &mut Faults) {
    let mut check = |node: &Node<'_>, id: Option<&str>| {
        if let Some(id) = id.filter(|id| !known.contains(id)) {
            let message = format!(
                "no faction has the id {id:?}; the factions are {}",
                known.join(", ")
            );
            report(node, "unknown_faction", message, faults);
        }
    };
    for system in items(&generation.field("staticSystems")) {
        for body in items(&system.field("planets")) {
            let owner = body.field("ownerFactionId");
            check(&owner, text(&owner));
        }
    }
    for fleet in items(&setup.field("initialFleets")) {
        let owner = fleet.field("ownerFactionId");
        check(&owner, text(&owner));
    }
    let shares = setup.field("territoryAllocation").field("byFactionId");
    let entries = shares.json().and_then(Json::as_object);
    for id in entries.into_iter().flat_map(|it| it.keys()) {
        check(&shares.field(id), Some(id));
    }
}

/// The systems of every galaxy of a scenario.
struct Systems<'a> {
    static_ids: BTreeSet<&'a str>,
    n_generated: u32,
}

impl<'a> Systems<'a> {
    /// `None` if the systems cannot be read.
    fn of(generation: &Node<'a>) -> Option<Systems<'a>> {
        let statics = generation.field("staticSystems");
        let ids = match statics.exists() {
            true => ids(&statics)?,
            false => Vec::new(),
        };
        let n_systems = generation.field("systemCount").json()?.as_int()?;
        let n_systems = u32::try_from(n_systems).ok()?;
        Some(Systems {
            n_generated: n_systems.saturating_sub(ids.len() as u32),
            static_ids: ids.into_iter().collect(),
        })
    }

    fn contains(&self, id: &str) -> bool {
        let is_generated = |rank| rank <= self.n_generated;
        self.static_ids.contains(id) || generated_rank(id).is_some_and(is_generated)
    }
}

fn check_hills(systems: &Systems<'_>, victory: &Node<'_>, faults: &mut Faults) {
    for condition in items(victory) {
        let place = condition.field("systemId");
        let is_hill = text(&condition.field("type")) == Some("king_of_the_hill");
        let Some(id) = text(&place).filter(|id| is_hill && !systems.contains(id)) else {
            continue;
        };
        let message = format!(
            "no system has the id {id:?}: generated systems are sys-0001 to {}, static systems \
             are listed in generation.staticSystems",
            generated_id(systems.n_generated)
        );
        report(&place, "unknown_system", message, faults);
    }
}

fn report(node: &Node<'_>, code: &'static str, message: String, faults: &mut Faults) {
    if !is_refused(node, faults) {
        faults.at(node, code, message);
    }
}

fn is_refused(node: &Node<'_>, faults: &Faults) -> bool {
    let pointer = node.pointer();
    faults.iter().any(|it| it.pointer == pointer)
}

/// The ids of the items of a list, or `None` if one of them cannot be read.
fn ids<'a>(list: &Node<'a>) -> Option<Vec<&'a str>> {
    list.json()?.as_list()?;
    items(list).iter().map(|it| text(&it.field("id"))).collect()
}

/// The items of a list; none of anything else.
fn items<'a>(node: &Node<'a>) -> Vec<Node<'a>> {
    let n_items = node.json().and_then(Json::as_list).map_or(0, <[Json]>::len);
    (0..n_items).map(|idx| node.item(idx)).collect()
}

fn text<'a>(node: &Node<'a>) -> Option<&'a str> {
    node.json().and_then(Json::as_text)
}
