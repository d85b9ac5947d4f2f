//! Breaking a rival's count on a hill without a battle that cannot be won.

use stellar::constants::RETREAT_SHARES;
use stellar::{Action, Fleet, Place, SystemIdx, Verb};

use super::campaign::Claim;
use super::{Plan, RETREAT_EARLY, RETREAT_NEVER};
use crate::survey::fleet_power;

/// Hull points per point of enemy power with which ships outlast a battle of one turn.
const HULL_PER_POWER: u32 = 2;
/// The least hull worth sending.
const HULL_MIN: u32 = 500;
/// The turns between the arrival of decoys and the end of the count, so that there is time for a
/// second attempt.
const SPARE_TURNS: u32 = 2;
/// Playing for time pays with this many times the systems of any rival.
const LEAD: usize = 2;

impl<'a> Plan<'a> {
    /// Breaks the counts of rivals that are too strong to attack. Any ship that is in orbit after
    /// the battle contests a hill, and transports have the most hull, so the war fleets can stay
    /// away. Removes the decoys from `transports`.
    pub(super) fn send_decoys(
        &mut self,
        transports: &mut Vec<&'a Fleet>,
        war: &[&'a Fleet],
        out: &mut Vec<Action>,
    ) {
        if !self.leads() {
            return;
        }
        for (hill, claim) in self.hills() {
            let Claim::Theirs { turns_left } = claim else {
                continue;
            };
            let site = self.sites[hill.index()];
            let expected = site.danger().max(site.recent);
            let able = war.iter().filter(|it| self.turns_to(it, hill).is_some());
            let able: u32 = able.map(|it| fleet_power(it)).sum();
            if site.guard == 0 && !self.odds(self.coming(hill).power + able, expected) {
                self.decoy(hill, turns_left, expected, transports, out);
            }
        }
    }

    /// True if the commander has so many more systems than any rival that it wins at the turn limit.
    fn leads(&self) -> bool {
        let rivals = self.view.alive.iter().filter(|it| *it != self.seat);
        let most = rivals.map(|it| self.view.n_owned(it)).max().unwrap_or(0);
        self.view.n_owned(self.seat) >= LEAD * most
    }

    /// Sends the nearest transports that together outlast the expected power, if there are enough
    /// of them, so that all arrive in the same turn.
    fn decoy(
        &mut self,
        hill: SystemIdx,
        turns_left: u32,
        expected: u32,
        transports: &mut Vec<&'a Fleet>,
        out: &mut Vec<Action>,
    ) {
        let needed = u64::from((expected * HULL_PER_POWER).max(HULL_MIN));
        let mut hull = self.coming(hill).hull;
        let turns = |it: &&'a Fleet| self.turns_to(it, hill).map(|turns| (turns, *it));
        let near = transports.iter().filter_map(turns);
        let mut near: Vec<(u32, &'a Fleet)> = near.filter(|it| it.0 <= turns_left).collect();
        near.sort_unstable_by_key(|(turns, fleet)| (*turns, fleet.rank));
        let mut n_sent = 0;
        while hull < needed {
            let Some((_, fleet)) = near.get(n_sent) else {
                return;
            };
            hull += fleet.hull();
            n_sent += 1;
        }
        self.decoyed.push(hill);
        for &(turns, fleet) in &near[..n_sent] {
            transports.retain(|it| it.rank != fleet.rank);
            if turns_left <= turns + SPARE_TURNS {
                self.stand_firm(fleet, out);
                let verb = if fleet.has_army() {
                    Verb::Invade
                } else {
                    Verb::Move
                };
                self.order(fleet, verb, hill, out);
            }
        }
    }

    /// Keeps a transport from breaking off, unless its threshold already changes this turn.
    fn stand_firm(&self, fleet: &Fleet, out: &mut Vec<Action>) {
        let early = RETREAT_SHARES[usize::from(RETREAT_EARLY)];
        if fleet.retreat == early && fleet.new_retreat.is_none() {
            out.extend([
                Action::Fleet(fleet.rank),
                Action::Verb(Verb::Retreat),
                Action::Share(RETREAT_NEVER),
            ]);
        }
    }

    /// True if the fleet is at or on the way to a hill that a rival owns.
    pub(super) fn contests(&self, fleet: &Fleet) -> bool {
        let (Place::Orbit(to) | Place::Moving { to, .. }) = fleet.place;
        let owner = self.view.owners[to.index()];
        self.sites[to.index()].is_hill && owner.is_some_and(|it| it != self.seat)
    }
}
