//! Consistency checks between the parts of a scenario, except [references](super::references).

use std::collections::BTreeSet;

use kernel::doc::{Faults, Node};

use super::{Distribution, GENERATED, Scenario, Symmetry};
use crate::constants::{FACTIONS_MAX, FACTIONS_MIN, SHIPS_MAX};
use crate::decimal::Share;

/// Reports every contradiction between the parts.
pub(super) fn check(scenario: &Scenario, node: &Node<'_>, faults: &mut Faults) {
    let (generation, setup) = (node.field("generation"), node.field("setup"));
    check_factions(scenario, &setup.field("factions"), faults);
    check_systems(scenario, &generation, faults);
    check_symmetry(scenario, &generation, faults);
    check_fleets(scenario, &setup.field("initialFleets"), faults);
    check_territory(scenario, &setup.field("territoryAllocation"), faults);
}

fn check_factions(scenario: &Scenario, list: &Node<'_>, faults: &mut Faults) {
    let factions = &scenario.setup.factions;
    let n_factions = factions.len();
    if n_factions < FACTIONS_MIN {
        let message = format!("expected at least {FACTIONS_MIN} factions, found {n_factions}");
        faults.at(list, "too_few_factions", message);
    }
    if n_factions > FACTIONS_MAX {
        let message = format!("expected at most {FACTIONS_MAX} factions, found {n_factions}");
        faults.at(list, "too_many_factions", message);
    }
    let mut ids = BTreeSet::new();
    for (idx, faction) in factions.iter().enumerate() {
        let id = list.item(idx).field("id");
        if !ids.insert(&faction.id) {
            let message = format!("another faction already has the id {:?}", faction.id);
            faults.at(&id, "duplicate_id", message);
        }
        if faction.id == "draw" {
            let message = "\"draw\" is reserved for a match without a winner; choose another id";
            faults.at(&id, "reserved_id", message);
        }
    }
    if !factions.iter().any(|it| it.is_playable) {
        let message = "no faction has isPlayable true; at least one must";
        faults.at(list, "nobody_playable", message);
    }
}

fn check_systems(scenario: &Scenario, generation: &Node<'_>, faults: &mut Faults) {
    let (n_systems, systems) = (
        scenario.generation.system_count,
        &scenario.generation.static_systems,
    );
    let n_homes = match scenario.setup.starting_distribution {
        Distribution::None => 0,
        Distribution::Scattered | Distribution::Cluster => scenario.setup.factions.len(),
    };
    let n_static = systems.len();
    let needed = n_static + n_homes;
    if (n_systems as usize) < needed {
        let message = format!(
            "expected at least {needed}, for {n_static} static systems and {n_homes} homes, \
             found {n_systems}"
        );
        faults.at(&generation.field("systemCount"), "too_few_systems", message);
    }
    let list = generation.field("staticSystems");
    let (mut ids, mut names, mut bodies) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (idx, system) in systems.iter().enumerate() {
        let item = list.item(idx);
        let (id, name) = (item.field("id"), item.field("name"));
        if !ids.insert(&system.id) {
            let message = format!("another static system already has the id {:?}", system.id);
            faults.at(&id, "duplicate_id", message);
        }
        if system.id.starts_with(GENERATED) {
            let message = format!(
                "ids that start with {GENERATED:?} are reserved for generated systems; \
                 choose another"
            );
            faults.at(&id, "reserved_id", message);
        }
        if !names.insert(&system.name) {
            let found = &system.name;
            let message = format!("another static system already has the name {found:?}");
            faults.at(&name, "duplicate_name", message);
        }
        for (rank, body) in system.planets.iter().enumerate() {
            let place = item.field("planets").item(rank);
            if let Some(id) = &body.id
                && !bodies.insert(id)
            {
                let message = format!("another body already has the id {id:?}");
                faults.at(&place.field("id"), "duplicate_id", message);
            }
        }
    }
}

/// A symmetry needs a sector for each faction, and the same number of systems in each.
fn check_symmetry(scenario: &Scenario, generation: &Node<'_>, faults: &mut Faults) {
    let n_factions = scenario.setup.factions.len();
    // One system more can lie in the mirror.
    if scenario.generation.symmetry == Symmetry::Mirror {
        if n_factions != 2 {
            let message = format!(
                "a mirrored galaxy has two halves, for 2 factions, but there are {n_factions}; \
                 use \"rotational\""
            );
            faults.at(&generation.field("symmetry"), "symmetry_factions", message);
        }
        return;
    }
    let (n_sectors, n_generated) = (scenario.n_sectors() as u32, scenario.n_generated());
    if n_sectors > 0 && !n_generated.is_multiple_of(n_sectors) {
        let fits = scenario.generation.system_count - n_generated % n_sectors;
        let message = format!(
            "{n_generated} generated systems cannot be divided into {n_sectors} equal sectors; \
             use {fits} or {} systems, static ones included",
            fits + n_sectors
        );
        faults.at(&generation.field("systemCount"), "symmetry_uneven", message);
    }
}

fn check_fleets(scenario: &Scenario, list: &Node<'_>, faults: &mut Faults) {
    let fleets = &scenario.setup.initial_fleets;
    for faction in &scenario.setup.factions {
        let id = &faction.id;
        let own = fleets.iter().filter(|it| it.owner_faction_id == *id);
        let n_ships: usize = own.map(|fleet| fleet.ships.len()).sum();
        if n_ships > SHIPS_MAX {
            let message = format!("expected at most {SHIPS_MAX} ships for {id:?}, found {n_ships}");
            faults.at(list, "too_many", message);
        }
    }
}

fn check_territory(scenario: &Scenario, node: &Node<'_>, faults: &mut Faults) {
    let Some(territory) = &scenario.setup.territory_allocation else {
        return;
    };
    let shares = node.field("byFactionId");
    let shared: i64 = territory.by_faction_id.values().map(|it| it.units()).sum();
    let all = shared + territory.neutral_share.map_or(0, Share::units);
    if all > Share::ONE {
        let found = Share::from_units(all);
        let message = format!("expected shares that add up to at most 1, found {found}");
        faults.at(&shares, "shares_exceed_one", message);
    }
}
