//! The worth of homes, and homes that are worth nearly the same.

use kernel::Seat;

use super::{Galaxy, SystemIdx, homes};
use crate::constants::ShipKind;
use crate::dice::Dice;
use crate::scenario::{Condition, Scenario};

/// The largest spread of fair homes, in percent of the best one.
pub(super) const SPREAD_MAX_PERCENT: i64 = 5;

/// Sets of homes that are tried in one galaxy, fewer in a large one, and replacements of one home
/// in each.
const SETS: usize = 60;
const SETS_LEAST: usize = 6;
const SWAPS: u32 = 12;

/// The conquests that count for the worth of a home, and the transports that make them.
const CONQUESTS_MAX: usize = 256;
const TRANSPORTS_MAX: usize = 8;

/// Systems that are taken later than this count nothing, and each turn sooner counts one more.
const HORIZON: i64 = 16;

/// The turn of a system that is not taken.
const NEVER: i64 = i64::MAX / 2;

/// A hill counts as much as this many systems.
const HILL: i64 = 10;

/// Homes that are far apart and worth nearly the same, or the smallest spread found, in percent.
pub(super) fn fair_homes(
    galaxy: &Galaxy,
    scenario: &Scenario,
    dice: &mut Dice,
) -> Result<Vec<SystemIdx>, u32> {
    let survey = Survey::new(galaxy, scenario);
    let mut least = i64::MAX;
    let n_sets = SETS * 1000 / galaxy.n_systems().max(1000);
    for _ in 0..n_sets.max(SETS_LEAST) {
        let mut set = survey.draw(dice);
        for _ in 0..SWAPS {
            if set.spread_percent <= SPREAD_MAX_PERCENT {
                return Ok(set.homes);
            }
            survey.improve(&mut set, dice);
        }
        least = least.min(set.spread_percent);
    }
    Err(least.min(100) as u32)
}

/// The parts of a galaxy that the worth of a home depends on.
struct Survey<'a> {
    galaxy: &'a Galaxy,
    free: Vec<SystemIdx>,
    n_factions: usize,
    n_transports: usize,
    /// By system: how much it counts.
    weights: Vec<i64>,
}

/// Homes, with the turn in which the transports of each take every system.
struct Set {
    homes: Vec<SystemIdx>,
    turns: Vec<Vec<i64>>,
    spread_percent: i64,
}

impl<'a> Survey<'a> {
    fn new(galaxy: &'a Galaxy, scenario: &Scenario) -> Survey<'a> {
        let mut weights = vec![1; galaxy.n_systems()];
        for condition in scenario.conditions() {
            if let Condition::KingOfTheHill { system_id, .. } = condition
                && let Some(hill) = galaxy.find(system_id)
            {
                weights[hill.index()] = HILL;
            }
        }
        let n_factions = scenario.setup.factions.len();
        let fleets = scenario.setup.initial_fleets.iter();
        let ships = fleets.flat_map(|it| &it.ships);
        let n_transports = ships.filter(|it| **it == ShipKind::TroopTransport).count();
        Survey {
            galaxy,
            free: homes::free(galaxy).collect(),
            n_factions,
            n_transports: (n_transports / n_factions).clamp(1, TRANSPORTS_MAX),
            weights,
        }
    }

    /// A random home, and further ones at random among those nearly as far away as possible.
    fn draw(&self, dice: &mut Dice) -> Set {
        let first = self.free[dice.below(self.free.len() as u32) as usize];
        let mut homes = vec![first];
        while homes.len() < self.n_factions {
            homes.push(self.draw_far_from(&homes, dice));
        }
        let turns = homes.iter().map(|it| self.turns_from(*it)).collect();
        self.rated(homes, turns)
    }

    /// Replaces the home whose worth is farthest from the mean, if that narrows the spread.
    fn improve(&self, set: &mut Set, dice: &mut Dice) {
        let worths = self.worths(&set.turns);
        let mean = worths.iter().sum::<i64>() / worths.len() as i64;
        let odd = (0..worths.len()).max_by_key(|idx| (worths[*idx] - mean).abs());
        let odd = odd.unwrap_or(0);
        let mut homes = set.homes.clone();
        homes.remove(odd);
        let other = self.draw_far_from(&homes, dice);
        homes.insert(odd, other);
        let mut turns = set.turns.clone();
        turns[odd] = self.turns_from(other);
        let changed = self.rated(homes, turns);
        if changed.spread_percent < set.spread_percent {
            *set = changed;
        }
    }

    /// A free system at least three quarters as far from these homes as the farthest one.
    fn draw_far_from(&self, homes: &[SystemIdx], dice: &mut Dice) -> SystemIdx {
        let far = |idx: SystemIdx| {
            let at = self.galaxy.at(idx);
            let apart = homes.iter().map(|it| self.galaxy.at(*it).squared_to(at));
            apart.min().unwrap_or(0)
        };
        let farthest = self.free.iter().map(|it| far(*it)).max().unwrap_or(0);
        let is_far = |it: &SystemIdx| far(*it) / 9 >= farthest / 16;
        let fitting: Vec<SystemIdx> = self.free.iter().copied().filter(is_far).collect();
        fitting[dice.below(fitting.len() as u32) as usize]
    }

    /// The turn in which each system is taken by transports that set out from a home without
    /// resistance: each goes to the nearest system that is left, and on from there.
    fn turns_from(&self, home: SystemIdx) -> Vec<i64> {
        let speed = ShipKind::TroopTransport.class().speed_mly;
        let mut turns = vec![NEVER; self.galaxy.n_systems()];
        turns[home.index()] = 0;
        let mut transports = vec![(0, home); self.n_transports];
        let n_conquests = 2 * self.galaxy.n_systems() / self.n_factions;
        for _ in 0..n_conquests.min(CONQUESTS_MAX) {
            let Some(idle) = transports.iter_mut().min_by_key(|it| it.0) else {
                break;
            };
            let at = self.galaxy.at(idle.1);
            let is_left = |it: SystemIdx| turns[it.index()] == NEVER;
            let Some(next) = self.galaxy.nearest_where(at, is_left) else {
                break;
            };
            let way = at.distance_to(self.galaxy.at(next));
            *idle = (idle.0 + (way + speed - 1) / speed, next);
            turns[next.index()] = idle.0;
        }
        turns
    }

    fn rated(&self, homes: Vec<SystemIdx>, turns: Vec<Vec<i64>>) -> Set {
        let worths = self.worths(&turns);
        let best = worths.iter().max().copied().unwrap_or(0).max(1);
        let worst = worths.iter().min().copied().unwrap_or(0);
        Set {
            homes,
            turns,
            spread_percent: ((best - worst) * 100 + best - 1) / best,
        }
    }

    /// The worth of each home: the sum over all systems of how soon its transports take it. A
    /// system that a rival takes in the same turn counts half, and one that a rival takes sooner
    /// counts nothing.
    fn worths(&self, turns: &[Vec<i64>]) -> Vec<i64> {
        let mut worths = vec![0; turns.len()];
        for (system, weight) in self.weights.iter().enumerate() {
            for seat in Seat::first(turns.len()) {
                let own = turns[seat.index()][system];
                let rivals = (0..turns.len()).filter(|it| *it != seat.index());
                let soonest = rivals.map(|it| turns[it][system]).min().unwrap_or(i64::MAX);
                let part = match own.cmp(&soonest) {
                    std::cmp::Ordering::Less => 2,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 0,
                };
                worths[seat.index()] += weight * part * (HORIZON - own).max(0);
            }
        }
        worths
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shipped;

    /// A galaxy of land_rush without symmetry, with the spread of its homes.
    fn spread(fair: bool, seed: u32) -> i64 {
        let mut scenario = shipped::scenario("land_rush").unwrap();
        scenario.generation.symmetry = crate::scenario::Symmetry::None;
        if fair {
            scenario.generation.homes = crate::scenario::Homes::Fair;
        }
        let galaxy = Galaxy::generate(&scenario, seed).unwrap();
        let survey = Survey::new(&galaxy, &scenario);
        let homes: Vec<SystemIdx> = galaxy.homes.iter().flatten().copied().collect();
        let turns = homes.iter().map(|it| survey.turns_from(*it)).collect();
        survey.rated(homes, turns).spread_percent
    }

    #[test]
    fn fair_homes_are_within_the_bound_and_far_ones_are_not() {
        let seeds = 0..30;
        assert!(
            seeds
                .clone()
                .all(|seed| spread(true, seed) <= SPREAD_MAX_PERCENT)
        );
        let n_wide = seeds.filter(|seed| spread(false, *seed) > SPREAD_MAX_PERCENT);
        assert!(n_wide.count() >= 20);
    }
}
