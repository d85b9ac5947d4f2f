//! Consistency checks between the parts of a scenario, except [references](super::references).

use std::collections::BTreeSet;

use kernel::doc::{Faults, Node};

use super::{Distribution, GENERATED, Scenario, Symmetry};
use crate::constants::{FACTIONS_MAX, FACTIONS_MIN, SHIPS_MAX};
use crate::decimal::Share;

/// Reports every contradiction between the parts.
pub(super) fn check(scenario: &Scenario, node: &Node<'_>, faults: &mut Faults) {
    let mut check = Check { faults };
    check.check_factions(node, scenario);
    check.check_systems(node, scenario);
    check.check_symmetry(node, scenario);
    check.check_amounts(node, scenario);
}

struct Check<'f> {
    faults: &'f mut Faults,
}

impl Check<'_> {
    fn error(&mut self, node: &Node<'_>, code: &'static str, message: String) {
        self.faults.at(node, code, message);
    }

    fn check_factions(&mut self, node: &Node<'_>, scenario: &Scenario) {
        let setup = node.field("setup");
        let list = setup.field("factions");
        let factions = &scenario.setup.factions;
        if factions.len() < FACTIONS_MIN {
            let message = format!(
                "expected at least {FACTIONS_MIN} factions, found {}",
                factions.len()
            );
            self.error(&list, "too_few_factions", message);
        }
        if factions.len() > FACTIONS_MAX {
            let message = format!(
                "expected at most {FACTIONS_MAX} factions, found {}",
                factions.len()
            );
            self.error(&list, "too_many_factions", message);
        }
        let mut known = BTreeSet::new();
        for (idx, faction) in factions.iter().enumerate() {
            let item = list.item(idx);
            let id = item.field("id");
            if !known.insert(faction.id.as_str()) {
                let message = format!("another faction already has the id {:?}", faction.id);
                self.error(&id, "duplicate_id", message);
            }
            if faction.id == "draw" {
                let message = "\"draw\" is reserved for a match without a winner; \
                               choose another id"
                    .to_owned();
                self.error(&id, "reserved_id", message);
            }
        }
        if !factions.iter().any(|it| it.is_playable) {
            let message = "no faction has isPlayable true; at least one must".to_owned();
            self.error(&list, "nobody_playable", message);
        }
    }

    fn check_systems(&mut self, node: &Node<'_>, scenario: &Scenario) {
        let generation = node.field("generation");
        let (n_static, n_factions) = (
            scenario.generation.static_systems.len(),
            scenario.setup.factions.len(),
        );
        let n_homes = match scenario.setup.starting_distribution {
            Distribution::None => 0,
            Distribution::Scattered | Distribution::Cluster => n_factions,
        };
        let needed = n_static + n_homes;
        if (scenario.generation.system_count as usize) < needed {
            let message = format!(
                "expected at least {needed}, for {n_static} static systems and {n_homes} homes, \
                 found {}",
                scenario.generation.system_count
            );
            self.error(&generation.field("systemCount"), "too_few_systems", message);
        }
        let list = generation.field("staticSystems");
        let (mut ids, mut names, mut bodies) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for (idx, system) in scenario.generation.static_systems.iter().enumerate() {
            let item = list.item(idx);
            if !ids.insert(system.id.as_str()) {
                let message = format!("another static system already has the id {:?}", system.id);
                self.error(&item.field("id"), "duplicate_id", message);
            }
            if system.id.starts_with(GENERATED) {
                let message = format!(
                    "ids that start with {GENERATED:?} are reserved for generated systems; \
                     choose another"
                );
                self.error(&item.field("id"), "reserved_id", message);
            }
            if !names.insert(system.name.as_str()) {
                let message = format!(
                    "another static system already has the name {:?}",
                    system.name
                );
                self.error(&item.field("name"), "duplicate_name", message);
            }
            for (rank, body) in system.planets.iter().enumerate() {
                let place = item.field("planets").item(rank);
                if let Some(id) = &body.id
                    && !bodies.insert(id.as_str())
                {
                    let message = format!("another body already has the id {id:?}");
                    self.error(&place.field("id"), "duplicate_id", message);
                }
            }
        }
    }

    /// A symmetry needs a sector for each faction, and the same number of systems in each.
    fn check_symmetry(&mut self, node: &Node<'_>, scenario: &Scenario) {
        let generation = node.field("generation");
        let n_factions = scenario.setup.factions.len();
        if scenario.generation.symmetry == Symmetry::Mirror && n_factions != 2 {
            let message = format!(
                "a mirrored galaxy has two halves, for 2 factions, but there are {n_factions}; \
                 use \"rotational\""
            );
            let symmetry = generation.field("symmetry");
            return self.error(&symmetry, "symmetry_factions", message);
        }
        let (n_sectors, n_generated) = (scenario.n_sectors() as u32, scenario.n_generated());
        // One system more can lie in the mirror.
        let is_mirror = scenario.generation.symmetry == Symmetry::Mirror;
        if n_sectors > 0 && !is_mirror && !n_generated.is_multiple_of(n_sectors) {
            let fits = scenario.generation.system_count - n_generated % n_sectors;
            let message = format!(
                "{n_generated} generated systems cannot be divided into {n_sectors} equal \
                 sectors; use {fits} or {} systems, static ones included",
                fits + n_sectors
            );
            self.error(&generation.field("systemCount"), "symmetry_uneven", message);
        }
    }

    /// Bounds on the ships of a faction and on the sum of all shares.
    fn check_amounts(&mut self, node: &Node<'_>, scenario: &Scenario) {
        let setup = node.field("setup");
        let fleets = setup.field("initialFleets");
        for faction in &scenario.setup.factions {
            let own = scenario.setup.initial_fleets.iter();
            let own = own.filter(|fleet| fleet.owner_faction_id == faction.id);
            let n_ships: usize = own.map(|fleet| fleet.ships.len()).sum();
            if n_ships > SHIPS_MAX {
                let message = format!(
                    "expected at most {SHIPS_MAX} ships for {:?}, found {n_ships}",
                    faction.id
                );
                self.error(&fleets, "too_many", message);
            }
        }
        let Some(territory) = &scenario.setup.territory_allocation else {
            return;
        };
        let territory_node = setup.field("territoryAllocation");
        let shares = territory_node.field("byFactionId");
        let shared: i64 = territory.by_faction_id.values().map(|it| it.units()).sum();
        let all = shared + territory.neutral_share.map_or(0, Share::units);
        if all > Share::ONE {
            let message = format!(
                "expected shares that add up to at most 1, found {}",
                Share::from_units(all)
            );
            self.error(&shares, "shares_exceed_one", message);
        }
    }
}
