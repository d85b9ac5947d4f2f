//! Homes, territory, fleets and garrisons.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kernel::Seat;

use super::{Galaxy, Garrison, NoGalaxy, StartFleet, StartPlace, SystemIdx};
use crate::constants::{CLUSTER_NEIGHBOURS, HOME_GARRISON, JUMP_MAX_MLY, ShipKind};
use crate::decimal::Share;
use crate::dice::{Dice, label};
use crate::scenario::{BodyClass, Distribution, Scenario, Spawn, SpawnName, Territory};

/// Gives every faction its starting home, territory, fleets and armies.
pub(super) fn settle(
    galaxy: &mut Galaxy,
    scenario: &Scenario,
    seed: u32,
    attempt: u32,
) -> Result<(), NoGalaxy> {
    let world = u64::from(seed) << 32 | u64::from(attempt);
    let mut dice = Dice::labelled(world, label("homes"));
    let n_factions = scenario.setup.factions.len();
    galaxy.homes = vec![None; n_factions];
    let garrisons = own_given_bodies(galaxy, scenario);
    match scenario.setup.starting_distribution {
        Distribution::None => first_owned_as_home(galaxy),
        Distribution::Scattered | Distribution::Cluster => {
            draw_homes(galaxy, n_factions, &mut dice);
            allocate(galaxy, scenario);
            check_reach(galaxy, scenario, attempt)?;
        }
    }
    place_fleets(galaxy, scenario, &mut dice);
    station(galaxy, garrisons);
    Ok(())
}

/// Gives a static system to a faction if all its owned bodies belong to that faction, and puts a
/// garrison on each owned body.
fn own_given_bodies(galaxy: &mut Galaxy, scenario: &Scenario) -> Vec<Garrison> {
    let mut garrisons = Vec::new();
    for given in &scenario.generation.static_systems {
        let Some(system) = galaxy.find(&given.id) else {
            continue;
        };
        let n_landable = galaxy.system(system).n_landable;
        let solid = given
            .planets
            .iter()
            .filter(|it| it.class == BodyClass::Solid);
        let first = n_landable.saturating_sub(solid.clone().count() as u8);
        for (body, planet) in (first..).zip(solid) {
            let owner = planet.owner_faction_id.as_deref();
            if let Some(owner) = owner.and_then(|id| scenario.faction(id)) {
                garrisons.push(Garrison {
                    owner,
                    system,
                    body,
                });
            }
        }
        galaxy.owners[system.index()] = given.owner().and_then(|id| scenario.faction(id));
    }
    garrisons
}

fn first_owned_as_home(galaxy: &mut Galaxy) {
    for seat in Seat::first(galaxy.homes.len()) {
        let owned = galaxy.owners.iter().position(|it| *it == Some(seat));
        galaxy.homes[seat.index()] = owned.map(|idx| SystemIdx(idx as u16));
    }
}

/// Draws the first home; each further home is the system farthest from all earlier ones.
fn draw_homes(galaxy: &mut Galaxy, n_factions: usize, dice: &mut Dice) {
    let free: Vec<SystemIdx> = free(galaxy).collect();
    let mut far = vec![i64::MAX; free.len()];
    let mut next = dice.below(free.len() as u32) as usize;
    for seat in Seat::first(n_factions) {
        let home = free[next];
        galaxy.homes[seat.index()] = Some(home);
        galaxy.owners[home.index()] = Some(seat);
        for (far, system) in far.iter_mut().zip(&free) {
            *far = (*far).min(galaxy.at(*system).squared_to(galaxy.at(home)));
        }
        // Ties go to the first system.
        next = (0..far.len())
            .rev()
            .max_by_key(|idx| far[*idx])
            .unwrap_or(0);
    }
}

/// Systems without an owner that the scenario did not place.
fn free(galaxy: &Galaxy) -> impl Iterator<Item = SystemIdx> {
    galaxy
        .indices()
        .filter(|idx| galaxy.owners[idx.index()].is_none() && !galaxy.system(*idx).is_static)
}

fn allocate(galaxy: &mut Galaxy, scenario: &Scenario) {
    let n_factions = scenario.setup.factions.len();
    let targets = match &scenario.setup.territory_allocation {
        Some(territory) => shares(galaxy, scenario, territory),
        None if scenario.setup.starting_distribution == Distribution::Cluster => {
            vec![1 + CLUSTER_NEIGHBOURS; n_factions]
        }
        None => vec![1; n_factions],
    };
    let whole_turns = scenario.setup.territory_allocation.is_none();
    let mut growth = Growth::new(galaxy, n_factions);
    if whole_turns {
        // Each faction takes all its neighbors before the next faction does.
        for seat in Seat::first(n_factions) {
            let home = galaxy.homes[seat.index()];
            for _ in 1..targets[seat.index()] {
                growth.take(galaxy, seat, home);
            }
        }
        return;
    }
    let mut grows = true;
    while grows {
        grows = false;
        for seat in Seat::first(n_factions) {
            let owned = galaxy.owners.iter().filter(|it| **it == Some(seat));
            if growth.owned[seat.index()].max(owned.count()) < targets[seat.index()] {
                grows |= growth.take(galaxy, seat, None);
            }
        }
    }
}

/// The number of systems for each faction: its share rounded down. A given neutral share leaves a
/// remainder, which goes to the largest fractions.
fn shares(galaxy: &Galaxy, scenario: &Scenario, territory: &Territory) -> Vec<usize> {
    let total = galaxy.n_systems() as i64;
    let factions = &scenario.setup.factions;
    let wanted: Vec<i64> = factions
        .iter()
        .map(|it| {
            territory
                .by_faction_id
                .get(&it.id)
                .map_or(0, |it| it.units())
                * total
        })
        .collect();
    let mut targets: Vec<i64> = wanted.iter().map(|it| it / Share::ONE).collect();
    if let Some(neutral) = territory.neutral_share {
        let n_neutral = (neutral.units() * total + Share::ONE / 2) / Share::ONE;
        let mut left = total - n_neutral - targets.iter().sum::<i64>();
        let mut order: Vec<usize> = (0..wanted.len()).filter(|it| wanted[*it] > 0).collect();
        order.sort_by_key(|idx| Reverse(wanted[*idx] % Share::ONE));
        for idx in order {
            if left > 0 {
                targets[idx] += 1;
                left -= 1;
            }
        }
    }
    targets.iter().map(|it| (*it).max(1) as usize).collect()
}

/// Territory that grows by taking the nearest free system.
struct Growth {
    /// By seat: the square of each system's distance to the faction's nearest system.
    far: Vec<Vec<i64>>,
    owned: Vec<usize>,
}

impl Growth {
    fn new(galaxy: &Galaxy, n_factions: usize) -> Growth {
        let mut growth = Growth {
            far: vec![vec![i64::MAX; galaxy.n_systems()]; n_factions],
            owned: vec![0; n_factions],
        };
        for idx in galaxy.indices() {
            if let Some(owner) = galaxy.owners[idx.index()] {
                growth.note(galaxy, owner, idx);
            }
        }
        growth
    }

    fn note(&mut self, galaxy: &Galaxy, seat: Seat, taken: SystemIdx) {
        self.owned[seat.index()] += 1;
        let at = galaxy.at(taken);
        for (far, system) in self.far[seat.index()].iter_mut().zip(galaxy.systems()) {
            *far = (*far).min(system.at.squared_to(at));
        }
    }

    /// Takes the free system nearest to the faction's territory, or to `home` if given. Returns
    /// false when no system is free.
    fn take(&mut self, galaxy: &mut Galaxy, seat: Seat, home: Option<SystemIdx>) -> bool {
        let far = |idx: SystemIdx| match home {
            Some(home) => galaxy.at(idx).squared_to(galaxy.at(home)),
            None => self.far[seat.index()][idx.index()],
        };
        let Some(taken) = free(galaxy).min_by_key(|idx| far(*idx)) else {
            return false;
        };
        galaxy.owners[taken.index()] = Some(seat);
        self.note(galaxy, seat, taken);
        true
    }
}

/// Checks that every home reaches another by jumps between systems, each within the range of a full
/// transport. If fleets cannot refuel on the way, the entire route must fit into one tank.
fn check_reach(galaxy: &Galaxy, scenario: &Scenario, attempt: u32) -> Result<(), NoGalaxy> {
    let rules = &scenario.rules;
    let tank = ShipKind::TroopTransport.class().range_mly();
    let jump = match rules.unlimited_fuel {
        true => JUMP_MAX_MLY,
        false => JUMP_MAX_MLY.min(tank),
    };
    let way_max = match rules.unlimited_fuel || rules.supply {
        true => i64::MAX,
        false => tank,
    };
    for (idx, home) in galaxy.homes.iter().enumerate() {
        let Some(home) = *home else { continue };
        if !reaches_another(galaxy, home, jump, way_max) {
            return Err(NoGalaxy::CutOff {
                faction: scenario.setup.factions[idx].id.clone(),
                n_attempts: attempt,
            });
        }
    }
    Ok(())
}

/// Dijkstra's search, until another home is reached.
fn reaches_another(galaxy: &Galaxy, home: SystemIdx, jump: i64, way_max: i64) -> bool {
    let mut ways = vec![i64::MAX; galaxy.n_systems()];
    let mut front = BinaryHeap::from([Reverse((0, home))]);
    ways[home.index()] = 0;
    while let Some(Reverse((way, from))) = front.pop() {
        if from != home && galaxy.homes.contains(&Some(from)) {
            return true;
        }
        if way > ways[from.index()] {
            continue;
        }
        galaxy.for_each_within(galaxy.at(from), jump, |to, squared| {
            let longer = way + crate::space::root_up(squared);
            let known = &mut ways[to.index()];
            if longer <= way_max && longer < *known {
                *known = longer;
                front.push(Reverse((longer, to)));
            }
        });
    }
    false
}

fn place_fleets(galaxy: &mut Galaxy, scenario: &Scenario, dice: &mut Dice) {
    for spec in &scenario.setup.initial_fleets {
        let Some(owner) = scenario.faction(&spec.owner_faction_id) else {
            continue;
        };
        let place = match spec.spawn_location {
            Spawn::Named(SpawnName::HomeSystem) => match galaxy.home(owner) {
                Some(home) => StartPlace::Orbit(home),
                None => StartPlace::Orbit(random_system(galaxy, owner, dice)),
            },
            Spawn::Named(SpawnName::Random) => {
                StartPlace::Orbit(random_system(galaxy, owner, dice))
            }
            Spawn::At(position) => {
                let to = galaxy.nearest_of_all(position.into());
                if galaxy.at(to) == position.into() {
                    StartPlace::Orbit(to)
                } else {
                    StartPlace::Space(position.into(), to)
                }
            }
        };
        galaxy.fleets.push(StartFleet {
            owner,
            place,
            ships: spec.ships.clone(),
            with_armies: spec.with_armies,
        });
    }
}

/// A random system of the faction, else an unowned one, else any.
fn random_system(galaxy: &Galaxy, owner: Seat, dice: &mut Dice) -> SystemIdx {
    for wanted in [Some(Some(owner)), Some(None), None] {
        let fits =
            |idx: &SystemIdx| wanted.is_none_or(|wanted| galaxy.owners[idx.index()] == wanted);
        let fitting: Vec<SystemIdx> = galaxy.indices().filter(fits).collect();
        if !fitting.is_empty() {
            return fitting[dice.below(fitting.len() as u32) as usize];
        }
    }
    SystemIdx(0)
}

/// Places one army in every owned system and three in a home, spread over its bodies.
fn station(galaxy: &mut Galaxy, given: Vec<Garrison>) {
    let mut garrisons = given;
    for system in galaxy.indices() {
        let Some(owner) = galaxy.owners[system.index()] else {
            continue;
        };
        if garrisons.iter().any(|it| it.system == system) && galaxy.system(system).is_static {
            continue;
        }
        let n_armies = match galaxy.home(owner) == Some(system) {
            true => HOME_GARRISON,
            false => 1,
        };
        let n_landable = usize::from(galaxy.system(system).n_landable);
        garrisons.extend((0..n_armies).map(|rank| Garrison {
            owner,
            system,
            body: (rank % n_landable) as u8,
        }));
    }
    garrisons.sort_by_key(|it| (it.owner, it.system, it.body));
    galaxy.garrisons = garrisons;
}
