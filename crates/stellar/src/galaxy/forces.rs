//! Fleets and garrisons at the start.

use kernel::Seat;

use super::sectors::Orbits;
use super::{Galaxy, Garrison, StartFleet, StartPlace, SystemIdx};
use crate::constants::HOME_GARRISON;
use crate::dice::Dice;
use crate::scenario::{Scenario, Spawn, SpawnName};

/// Places every fleet of the scenario. In a symmetric galaxy, the random places of one faction are
/// images of those of another.
pub(super) fn place_fleets(
    galaxy: &mut Galaxy,
    orbits: &Orbits,
    scenario: &Scenario,
    dice: &mut Dice,
) {
    let mut alike = vec![dice.clone(); scenario.setup.factions.len()];
    for spec in &scenario.setup.initial_fleets {
        let Some(owner) = scenario.faction(&spec.owner_faction_id) else {
            continue;
        };
        let place = match spec.spawn_location {
            Spawn::Named(SpawnName::HomeSystem) => match galaxy.home(owner) {
                Some(home) => StartPlace::Orbit(home),
                None => StartPlace::Orbit(random_system(galaxy, owner, dice)),
            },
            Spawn::Named(SpawnName::Random) if !orbits.is_empty() => {
                let own = own_by_orbit(galaxy, orbits, owner);
                let dice = &mut alike[owner.index()];
                match own.len() as u32 {
                    0 => StartPlace::Orbit(random_system(galaxy, owner, dice)),
                    n => StartPlace::Orbit(own[dice.below(n) as usize]),
                }
            }
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

/// The generated systems of a faction, in the order of their orbits.
fn own_by_orbit(galaxy: &Galaxy, orbits: &Orbits, owner: Seat) -> Vec<SystemIdx> {
    let is_own = |idx: &SystemIdx| galaxy.owners[idx.index()] == Some(owner);
    orbits.iter().flatten().copied().filter(is_own).collect()
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
pub(super) fn station(galaxy: &mut Galaxy, given: Vec<Garrison>) {
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
