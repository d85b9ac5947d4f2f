//! Orders for transports: landings and loading.

use std::cmp::Reverse;

use stellar::{Action, Fleet, Goal, SystemIdx, Verb};

use super::reach::Near;
use super::{Choice, Plan};
use crate::Skill;
use crate::survey::fleet_power;

/// The least strength of own troops on a hill.
const HILL_GARRISON: u32 = 10_000;

impl<'a> Plan<'a> {
    /// Lands on hills together, and garrisons own ones: the faction with the most troops there owns
    /// the hill once the orbit is clear.
    pub(super) fn garrison_hills(&mut self, loaded: &mut Vec<&'a Fleet>, out: &mut Vec<Action>) {
        let view = self.view;
        for goal in view.world().goals() {
            if let Goal::Hill(hill, wanted) = *goal
                && self.is_shortest(wanted)
            {
                self.garrison_hill(hill, loaded, out);
            }
        }
    }

    fn garrison_hill(
        &mut self,
        hill: SystemIdx,
        loaded: &mut Vec<&'a Fleet>,
        out: &mut Vec<Action>,
    ) {
        // In a duel the rival lands everything it has on the hill.
        let least = match self.n_rivals() {
            0 | 1 => 3 * HILL_GARRISON,
            _ => HILL_GARRISON,
        };
        let site = self.sites[hill.index()];
        let coming = self.coming(hill);
        let needed = site.garrison.max(least);
        let missing = needed.saturating_sub(site.ground + coming.troops);
        let has_escort = site.danger() <= (site.guard + site.coming) * 2;
        if missing == 0 || !has_escort {
            return;
        }
        let group = self.group_for(hill, missing, loaded);
        let turns = group.iter().map(|(turns, _)| *turns);
        let last = turns.max().unwrap_or(0).max(coming.turns);
        for (turns, fleet) in group {
            loaded.retain(|it| it.rank != fleet.rank);
            if turns + 1 >= last {
                self.order(fleet, Verb::Invade, hill, out);
            }
        }
    }

    /// Sends a loaded transport to the best system that it can take alone.
    pub(super) fn command_loaded(&mut self, fleet: &Fleet, out: &mut Vec<Action>) -> bool {
        let nearby = self.nearby(fleet);
        let choice = self.best_landing(fleet, &nearby);
        self.recycle(nearby);
        let choice = choice.or_else(|| {
            let everywhere = self.everywhere(fleet);
            self.best_landing(fleet, &everywhere)
        });
        match choice {
            Some(choice) => {
                self.order(fleet, Verb::Invade, choice.system, out);
                true
            }
            None => false,
        }
    }

    fn best_landing(&mut self, fleet: &Fleet, among: &[Near]) -> Option<Choice> {
        let strength = self.strength(fleet);
        let own = fleet_power(fleet);
        let mut best: Option<Choice> = None;
        for &Near { system, turns, .. } in among {
            let site = self.sites[system.index()];
            let owner = self.view.owners[system.index()];
            let held = owner == Some(self.seat) && site.garrison == 0;
            if held || site.claimed || site.garrison * 3 / 2 > strength {
                continue;
            }
            let guard = site.guard + site.coming;
            let danger = site.danger().max(site.recent);
            if danger > 0 && !self.odds(own + guard, danger) {
                continue;
            }
            if site.is_hill && guard == 0 && self.is_able() && self.n_rivals() > 1 {
                continue;
            }
            let worth = 10 + site.bonus + if owner.is_some() { 6 } else { 0 };
            let score = self.judged(worth * 100 / (turns + 2));
            if best.is_none_or(|best| score > best.score) {
                best = Some(Choice { system, score });
            }
        }
        best
    }

    /// The power of the troops aboard.
    pub(super) fn strength(&self, fleet: &Fleet) -> u32 {
        let armies = &self.view.armies;
        let aboard = |rank: u16| {
            let key = (self.seat, rank);
            let found = armies.binary_search_by_key(&key, |it| (it.owner, it.rank));
            found.map_or(0, |idx| armies[idx].power() as u32)
        };
        fleet
            .ships
            .iter()
            .filter_map(|it| it.army)
            .map(aboard)
            .sum()
    }

    /// Loads an empty transport where it is, or sends it to the nearest armies.
    pub(super) fn command_empty(&mut self, fleet: &Fleet, out: &mut Vec<Action>) {
        let nearby = self.nearby(fleet);
        let choice = self.best_loading(&nearby);
        self.recycle(nearby);
        let choice = choice.or_else(|| {
            let everywhere = self.everywhere(fleet);
            self.best_loading(&everywhere)
        });
        if let Some(choice) = choice {
            self.order(fleet, Verb::Load, choice.system, out);
            let site = &mut self.sites[choice.system.index()];
            site.n_armies -= 1;
        }
    }

    /// The best place to load; of equally good ones, the nearest.
    fn best_loading(&self, among: &[Near]) -> Option<Choice> {
        let mut best: Option<(u32, Reverse<i64>, SystemIdx)> = None;
        for &Near {
            system,
            turns,
            squared,
        } in among
        {
            let site = self.sites[system.index()];
            let danger = site.garrison > 0 || site.threat > site.guard;
            if site.n_armies == 0 || danger {
                continue;
            }
            // The hill is never left empty, and the last army of a home stays.
            let home = self.view.world().galaxy().home(self.seat) == Some(system);
            if (site.bonus >= 60 || home) && site.n_armies == 1 {
                continue;
            }
            let score = 1000 / (turns + 1) + if site.n_armies > 1 { 100 } else { 0 };
            best = best.max(Some((score, Reverse(squared), system)));
        }
        best.map(|(score, _, system)| Choice { system, score })
    }

    /// Transports that found no target alone take garrisons together: as many as one garrison
    /// needs set out so that they arrive at the same time. If the rest are too weak for any target,
    /// they gather near the best one.
    pub(super) fn assault(&mut self, waiting: &[&'a Fleet], out: &mut Vec<Action>) {
        let mut waiting: Vec<&'a Fleet> = waiting.to_vec();
        let targets = self.assault_targets(&waiting);
        for &target in &targets {
            let needed = self.sites[target.index()].garrison * 2;
            let group = self.group_for(target, needed, &waiting);
            let Some(arrival) = group.iter().map(|(turns, _)| *turns).max() else {
                // Only the best commanders look beyond the target that they like most.
                match self.skill {
                    Skill::Full => continue,
                    Skill::Easy | Skill::Medium => break,
                }
            };
            self.sites[target.index()].claimed = true;
            for (turns, fleet) in group {
                waiting.retain(|it| it.rank != fleet.rank);
                if turns == arrival {
                    self.order(fleet, Verb::Invade, target, out);
                }
            }
        }
        let unclaimed = |it: &&SystemIdx| !self.sites[it.index()].claimed;
        if let Some(&target) = targets.iter().find(unclaimed) {
            self.gather(target, &waiting, out);
        }
    }

    /// The nearest fleets whose troops are strong enough for a target, each with the turns it
    /// needs; empty if all together are too weak.
    fn group_for(
        &self,
        target: SystemIdx,
        needed: u32,
        waiting: &[&'a Fleet],
    ) -> Vec<(u32, &'a Fleet)> {
        let turns = |fleet: &&'a Fleet| self.turns_to(fleet, target).map(|turns| (turns, *fleet));
        let mut able: Vec<(u32, &'a Fleet)> = waiting.iter().filter_map(turns).collect();
        able.sort_unstable_by_key(|(turns, fleet)| (*turns, fleet.rank));
        let mut strength = 0;
        for (idx, (_, fleet)) in able.iter().enumerate() {
            strength += self.strength(fleet);
            if strength >= needed {
                able.truncate(idx + 1);
                return able;
            }
        }
        Vec::new()
    }

    /// Fleets that are too weak for a target wait in the nearest system of their own.
    fn gather(&mut self, target: SystemIdx, waiting: &[&'a Fleet], out: &mut Vec<Action>) {
        let Some(staging) = self.staging(target) else {
            return;
        };
        for fleet in waiting {
            if fleet.orbit() != Some(staging) && self.reaches(fleet, staging) {
                self.order(fleet, Verb::Move, staging, out);
            }
        }
    }

    /// The foreign systems to take together, the best first: weakly held, near, and preferably
    /// besieged by own warships already.
    fn assault_targets(&self, waiting: &[&'a Fleet]) -> Vec<SystemIdx> {
        let galaxy = self.view.world().galaxy();
        let Some(first) = waiting.first() else {
            return Vec::new();
        };
        let at = first.at(galaxy);
        let mut targets: Vec<(Reverse<u32>, SystemIdx)> = Vec::new();
        for idx in galaxy.indices() {
            let site = self.sites[idx.index()];
            let foreign = self.view.owners[idx.index()].is_some_and(|it| it != self.seat);
            if !foreign || site.claimed || !self.odds(site.guard + site.coming, site.threat) {
                continue;
            }
            let distance = galaxy.at(idx).squared_to(at).isqrt() / 1000;
            let besieged = u32::from(site.guard > 0) * 300;
            let ease = 100_000 / (site.garrison / 10 + 500);
            let score = (1000 + besieged + 5 * site.bonus + ease) * 100 / (distance as u32 + 40);
            targets.push((Reverse(score), idx));
        }
        targets.sort_unstable();
        targets.into_iter().map(|(_, idx)| idx).collect()
    }

    /// The safe own system nearest to a target.
    pub(super) fn staging(&self, target: SystemIdx) -> Option<SystemIdx> {
        let galaxy = self.view.world().galaxy();
        let at = galaxy.at(target);
        let own = galaxy.indices().filter(|idx| {
            let site = &self.sites[idx.index()];
            self.view.owners[idx.index()] == Some(self.seat)
                && site.threat <= site.guard
                && site.garrison == 0
        });
        own.min_by_key(|idx| galaxy.at(*idx).squared_to(at))
    }
}
