//! Orders for single war fleets.

use stellar::{Action, Fleet, SystemIdx, Verb};

use super::reach::Near;
use super::{Choice, PARTS, Plan, has_strikers};
use crate::survey::fleet_power;

impl Plan<'_> {
    /// A war fleet merges, defends, strikes or guards.
    pub(super) fn command_war(&mut self, fleet: &Fleet, out: &mut Vec<Action>) {
        if self.join(fleet, out) {
            return;
        }
        let Some(here) = fleet.orbit() else { return };
        let power = fleet_power(fleet);
        let mut best = Choice {
            system: here,
            score: self.war_score(here, 0, power, here) * PARTS,
        };
        let nearby = self.nearby(fleet);
        for &Near { system, turns, .. } in &nearby {
            let score = self.war_score(system, turns, power, here);
            let score = self.judged(score);
            if system != here && score > best.score {
                best = Choice { system, score };
            }
        }
        self.recycle(nearby);
        if best.system != here {
            self.sites[best.system.index()].guard += power;
            self.order(fleet, Verb::Move, best.system, out);
        }
    }

    /// The value of a system to a war fleet.
    fn war_score(&self, system: SystemIdx, turns: u32, power: u32, here: SystemIdx) -> u32 {
        let site = self.sites[system.index()];
        let owner = self.view.owners[system.index()];
        let other_guard = match system == here {
            true => site.guard.saturating_sub(power),
            false => site.guard,
        };
        let together = power + other_guard;
        if site.danger() > 0 && !self.odds(together, site.danger()) {
            return 0;
        }
        let mut worth = 1;
        if owner == Some(self.seat) && (site.threat > 0 || site.garrison > 0) {
            worth += self.weights.defend;
        }
        if site.threat > 0 {
            worth += 15;
        }
        if owner.is_some_and(|it| it != self.seat) {
            worth += self.weights.strike + if self.pressing { 10 } else { 0 };
        }
        if site.bonus >= 60 && other_guard == 0 {
            worth += 45;
        }
        if site.claimed && owner != Some(self.seat) {
            worth += 6;
        }
        // One fleet is enough to guard a system.
        if other_guard > site.threat * 2 && site.threat == 0 {
            worth /= 3;
        }
        worth * 100 / (turns + 2)
    }

    /// Merges into the first fleet of its kind in the same orbit.
    fn join(&mut self, fleet: &Fleet, out: &mut Vec<Action>) -> bool {
        let Some(orbit) = fleet.orbit().filter(|_| self.is_able()) else {
            return false;
        };
        let Some(&partner) = self.flagships.get(&(orbit, has_strikers(fleet))) else {
            return false;
        };
        if partner == fleet.rank || self.acts[usize::from(partner)] {
            return false;
        }
        let steps = [
            Action::Fleet(fleet.rank),
            Action::Verb(Verb::Merge),
            Action::Into(partner),
        ];
        out.extend(steps);
        self.note(fleet.rank);
        self.ordered[usize::from(partner)] = true;
        true
    }

    /// True if the fleet has lost half its hull, or has little fuel left.
    pub(super) fn is_worn(&self, fleet: &Fleet) -> bool {
        let full: u32 = fleet
            .ships
            .iter()
            .map(|it| u32::from(it.kind.class().hull))
            .sum();
        let left: u32 = fleet.ships.iter().map(|it| u32::from(it.hull)).sum();
        let unlimited = self.view.world().scenario().rules.unlimited_fuel;
        let short = fleet
            .ships
            .iter()
            .map(|it| it.kind.class().range_mly())
            .min();
        let low = fleet.reach_mly(unlimited) * 3 < short.unwrap_or(0).min(200_000);
        left * 2 < full || (low && !unlimited)
    }

    /// Sends a fleet to the nearest safe system of its own.
    pub(super) fn seek_supplies(&mut self, fleet: &Fleet, out: &mut Vec<Action>) {
        let nearby = self.nearby(fleet);
        let nearest = self.nearest_safe(&nearby);
        self.recycle(nearby);
        let nearest = nearest.or_else(|| {
            let everywhere = self.everywhere(fleet);
            self.nearest_safe(&everywhere)
        });
        if let Some(nearest) = nearest.filter(|it| fleet.orbit() != Some(it.system)) {
            self.order(fleet, Verb::Move, nearest.system, out);
        }
    }

    fn nearest_safe(&self, among: &[Near]) -> Option<Near> {
        let own = among.iter().filter(|it| {
            let idx = it.system.index();
            self.view.owners[idx] == Some(self.seat) && self.sites[idx].threat == 0
        });
        own.min_by_key(|it| (it.turns, it.squared, it.system))
            .copied()
    }
}
