//! Homes and territory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kernel::Seat;

use super::sectors::Orbits;
use super::{Galaxy, Garrison, NoGalaxy, SystemIdx, forces, worth};
use crate::constants::{CLUSTER_NEIGHBOURS, JUMP_MAX_MLY, ShipKind};
use crate::decimal::Share;
use crate::dice::{Dice, label};
use crate::scenario::{BodyClass, Distribution, Homes, Scenario, Territory};

/// Gives every faction its starting home, territory, fleets and armies.
pub(super) fn settle(
    galaxy: &mut Galaxy,
    orbits: &Orbits,
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
            let homes = match scenario.generation.homes {
                _ if !orbits.is_empty() => orbit_of_homes(galaxy, orbits, &mut dice),
                Homes::Far => far_homes(galaxy, n_factions, &mut dice),
                Homes::Fair => {
                    let fair = worth::fair_homes(galaxy, scenario, &mut dice);
                    let mut homes = fair.map_err(|spread_percent| NoGalaxy::Uneven {
                        spread_percent,
                        n_attempts: attempt,
                    })?;
                    // The order in which homes were drawn must not favor a seat.
                    dice.shuffle(&mut homes);
                    homes
                }
            };
            for (seat, home) in Seat::first(n_factions).zip(homes) {
                galaxy.homes[seat.index()] = Some(home);
                galaxy.owners[home.index()] = Some(seat);
            }
            allocate(galaxy, orbits, scenario);
            check_reach(galaxy, scenario, attempt)?;
        }
    }
    forces::place_fleets(galaxy, orbits, scenario, &mut dice);
    forces::station(galaxy, garrisons);
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
fn far_homes(galaxy: &Galaxy, n_factions: usize, dice: &mut Dice) -> Vec<SystemIdx> {
    let free: Vec<SystemIdx> = free(galaxy).collect();
    let mut far = vec![i64::MAX; free.len()];
    let mut next = dice.below(free.len() as u32) as usize;
    let mut homes = Vec::new();
    for _ in 0..n_factions {
        let home = free[next];
        homes.push(home);
        for (far, system) in far.iter_mut().zip(&free) {
            *far = (*far).min(galaxy.at(*system).squared_to(galaxy.at(home)));
        }
        // Ties go to the first system.
        next = (0..far.len())
            .rev()
            .max_by_key(|idx| far[*idx])
            .unwrap_or(0);
    }
    homes
}

/// Draws an orbit among the half of them whose systems are farthest apart, and the sector of the
/// first faction.
fn orbit_of_homes(galaxy: &Galaxy, orbits: &Orbits, dice: &mut Dice) -> Vec<SystemIdx> {
    let apart = |orbit: &[SystemIdx]| {
        let first = galaxy.at(orbit[0]);
        let others = orbit[1..].iter();
        others.map(|it| galaxy.at(*it).squared_to(first)).min()
    };
    let mut order: Vec<&Vec<SystemIdx>> = orbits.iter().collect();
    order.sort_by_key(|orbit| Reverse(apart(orbit)));
    let n_far = order.len().div_ceil(2) as u32;
    let mut homes = order[dice.below(n_far) as usize].clone();
    let shift = dice.below(homes.len() as u32);
    homes.rotate_left(shift as usize);
    homes
}

/// Systems without an owner that the scenario did not place.
pub(super) fn free(galaxy: &Galaxy) -> impl Iterator<Item = SystemIdx> {
    galaxy
        .indices()
        .filter(|idx| galaxy.owners[idx.index()].is_none() && !galaxy.system(*idx).is_static)
}

fn allocate(galaxy: &mut Galaxy, orbits: &Orbits, scenario: &Scenario) {
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
    if !orbits.is_empty() {
        let common = targets.iter().min().copied().unwrap_or(1);
        for _ in 1..common {
            growth.take_orbit(galaxy, orbits, whole_turns);
        }
    }
    if whole_turns && orbits.is_empty() {
        // Each faction takes all its neighbors before the next faction does.
        for seat in Seat::first(n_factions) {
            let home = galaxy.homes[seat.index()];
            for _ in 1..targets[seat.index()] {
                growth.take(galaxy, seat, home);
            }
        }
    }
    let mut grows = !whole_turns;
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
        let fraction = |idx: &usize| Reverse(wanted[*idx] % Share::ONE);
        order.sort_by_key(fraction);
        // With fair homes, factions with equal fractions all get one more system or none does.
        let is_even = is_even(scenario);
        for group in order.chunk_by(|a, b| is_even && fraction(a) == fraction(b)) {
            if left >= group.len() as i64 {
                group.iter().for_each(|idx| targets[*idx] += 1);
                left -= group.len() as i64;
            }
        }
    }
    targets.iter().map(|it| (*it).max(1) as usize).collect()
}

/// True if the scenario asks for equal starts.
fn is_even(scenario: &Scenario) -> bool {
    scenario.n_sectors() > 1 || scenario.generation.homes == Homes::Fair
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
        let far = |idx: &SystemIdx| self.distance(galaxy, seat, home, *idx);
        let Some(taken) = free(galaxy).min_by_key(far) else {
            return false;
        };
        self.own(galaxy, seat, taken);
        true
    }

    /// The first faction takes the free system nearest to its home, or to its territory, and each
    /// other faction takes the image of that system in its own sector.
    fn take_orbit(&mut self, galaxy: &mut Galaxy, orbits: &Orbits, near_home: bool) {
        let home = galaxy.homes[0].filter(|_| near_home);
        let places = orbits
            .iter()
            .flat_map(|orbit| (0..orbit.len()).map(move |sector| (orbit, sector)));
        let free = places.filter(|(orbit, sector)| {
            let system = orbit[*sector];
            galaxy.owners[system.index()].is_none()
        });
        let far = |orbit: &[SystemIdx], sector: usize| {
            self.distance(galaxy, Seat::FIRST, home, orbit[sector])
        };
        let nearest = free.min_by_key(|(orbit, sector)| far(orbit, *sector));
        let Some((orbit, sector)) = nearest else {
            return;
        };
        for seat in Seat::first(galaxy.homes.len()) {
            let image = orbit[(sector + seat.index()) % orbit.len()];
            self.own(galaxy, seat, image);
        }
    }

    /// The square of the distance from `home` if given, otherwise from the faction's territory.
    fn distance(&self, galaxy: &Galaxy, seat: Seat, home: Option<SystemIdx>, to: SystemIdx) -> i64 {
        match home {
            Some(home) => galaxy.at(to).squared_to(galaxy.at(home)),
            None => self.far[seat.index()][to.index()],
        }
    }

    fn own(&mut self, galaxy: &mut Galaxy, seat: Seat, taken: SystemIdx) {
        galaxy.owners[taken.index()] = Some(seat);
        self.note(galaxy, seat, taken);
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
    let refuels = rules.unlimited_fuel || rules.supply;
    let way_max = (!refuels).then_some(tank);
    for (idx, home) in galaxy.homes.iter().enumerate() {
        let Some(home) = *home else { continue };
        let reaches = match way_max {
            Some(way_max) => reaches_another(galaxy, home, jump, way_max),
            None => hops_to_another(galaxy, home, jump),
        };
        if !reaches {
            return Err(NoGalaxy::CutOff {
                faction: scenario.setup.factions[idx].id.clone(),
                n_attempts: attempt,
            });
        }
    }
    Ok(())
}

/// Follows jumps of any number until another home is reached.
fn hops_to_another(galaxy: &Galaxy, home: SystemIdx, jump: i64) -> bool {
    let mut seen = vec![false; galaxy.n_systems()];
    let mut front = vec![home];
    seen[home.index()] = true;
    while let Some(from) = front.pop() {
        if from != home && galaxy.homes.contains(&Some(from)) {
            return true;
        }
        galaxy.for_each_within(galaxy.at(from), jump, |to, _| {
            if !std::mem::replace(&mut seen[to.index()], true) {
                front.push(to);
            }
        });
    }
    false
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
