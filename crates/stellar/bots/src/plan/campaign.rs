//! Joint operations of war fleets.

use stellar::constants::ShipKind;
use stellar::{Action, Fleet, Goal, Place, SystemIdx, Verb};

use super::reach::Way;
use super::{Kind, Plan, kind_of};
use crate::Skill;
use crate::survey::fleet_power;

/// A war fleet that can take an order.
#[derive(Clone, Copy)]
struct Force<'a> {
    fleet: &'a Fleet,
    power: u32,
}

/// A rival's count with this many turns left has to be stopped.
const PRESSING: u32 = 5;
/// The turns that a transport takes from one landing to the next.
const TURNS_PER_LANDING: u32 = 3;

/// Own fleets that are on the way to a system.
#[derive(Clone, Copy, Default)]
pub(super) struct Coming {
    /// The power of the war fleets among them.
    pub(super) power: u32,
    /// Their total hull points.
    pub(super) hull: u64,
    /// The power of the troops aboard.
    pub(super) troops: u32,
    /// The turns until the last of them arrives.
    pub(super) turns: u32,
}

/// The state of a hill.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    /// This faction's count is running.
    Ours,
    /// A rival's count is running and ends the match after this many more turns.
    Theirs { turns_left: u32 },
    /// No count is running.
    Open,
}

impl<'a> Plan<'a> {
    /// Commands all war fleets that can take an order: first together, then one by one.
    pub(super) fn command_fleets(&mut self, fleets: &[&'a Fleet], out: &mut Vec<Action>) {
        let mut forces: Vec<Force<'a>> = Vec::new();
        for &fleet in fleets {
            if self.ordered[usize::from(fleet.rank)] {
                continue;
            }
            if self.is_worn(fleet) && self.is_able() {
                self.seek_supplies(fleet, out);
                continue;
            }
            let power = fleet_power(fleet);
            forces.push(Force { fleet, power });
        }
        if self.is_able() {
            for (hill, claim) in self.hills() {
                self.fight_for_hill(hill, claim, &mut forces, out);
            }
        }
        for force in forces {
            if !self.ordered[usize::from(force.fleet.rank)] {
                self.command_war(force.fleet, out);
            }
        }
    }

    /// The hills, the most urgent first.
    pub(super) fn hills(&self) -> Vec<(SystemIdx, Claim)> {
        let goals = self.view.world().goals().iter().zip(&self.view.holds);
        let mut hills: Vec<(u32, SystemIdx, Claim)> = goals
            .filter_map(|(goal, hold)| {
                let Goal::Hill(system, wanted) = *goal else {
                    return None;
                };
                let claim = match hold {
                    None => Claim::Open,
                    Some(hold) if hold.holder == self.seat => Claim::Ours,
                    Some(hold) => Claim::Theirs {
                        turns_left: wanted.saturating_sub(hold.n_turns),
                    },
                };
                let pressing =
                    matches!(claim, Claim::Theirs { turns_left } if turns_left <= PRESSING);
                if !pressing && !self.is_shortest(wanted) {
                    return None;
                }
                let urgency = match claim {
                    Claim::Theirs { turns_left } => turns_left,
                    Claim::Ours => 1000,
                    Claim::Open => 2000,
                };
                Some((urgency, system, claim))
            })
            .collect();
        hills.sort_unstable_by_key(|(urgency, system, _)| (*urgency, *system));
        hills
            .into_iter()
            .map(|(_, system, claim)| (system, claim))
            .collect()
    }

    /// Sends every fleet that can reach the hill there, if together they are strong enough or if
    /// waiting would lose the match. Otherwise they gather nearby.
    fn fight_for_hill(
        &mut self,
        hill: SystemIdx,
        claim: Claim,
        forces: &mut Vec<Force<'a>>,
        out: &mut Vec<Action>,
    ) {
        let turns_to = |force: &Force<'_>| self.turns_to(force.fleet, hill);
        let able: Vec<(u32, Force<'a>)> = forces
            .iter()
            .filter_map(|force| turns_to(force).map(|turns| (turns, *force)))
            .collect();
        let Some(slowest) = able.iter().map(|(turns, _)| *turns).max() else {
            return;
        };
        let coming = self.coming(hill);
        let total: u32 = coming.power + able.iter().map(|(_, it)| it.power).sum::<u32>();
        let threat = self.sites[hill.index()].danger();
        let must = match claim {
            Claim::Theirs { turns_left } => {
                turns_left <= slowest + 1 && !self.decoyed.contains(&hill)
            }
            Claim::Ours | Claim::Open => false,
        };
        let patient =
            self.n_rivals() > 1 && claim == Claim::Open && self.view.turn < self.patience();
        let goes = !patient && (must || threat == 0 || self.odds(total, threat));
        let staging = if goes { None } else { self.staging(hill) };
        let arrival = slowest.max(coming.turns);
        for (turns, force) in able {
            forces.retain(|it| it.fleet.rank != force.fleet.rank);
            if goes {
                let waits = threat > 0 && !must && turns < arrival;
                if turns > 0 && !waits {
                    self.order(force.fleet, Verb::Move, hill, out);
                    self.sites[hill.index()].guard += force.power;
                }
            } else if let Some(staging) = staging
                && self.turns_to(force.fleet, staging).is_some_and(|it| it > 0)
            {
                self.order(force.fleet, Verb::Move, staging, out);
            }
            self.ordered[usize::from(force.fleet.rank)] = true;
        }
    }

    /// True if holding a hill for so many turns is quicker than any domination that wins.
    pub(super) fn is_shortest(&self, n_turns: u32) -> bool {
        let transports = self.view.fleets.iter().flat_map(|it| &it.ships);
        let n_transports = transports
            .filter(|it| it.kind == ShipKind::TroopTransport)
            .count();
        let n_owned = self.view.n_owned(self.seat);
        self.view.world().goals().iter().all(|goal| match goal {
            Goal::Domination(wanted) => {
                let missing = wanted.saturating_sub(n_owned) as u32;
                missing * TURNS_PER_LANDING > n_turns * (n_transports as u32).max(1)
            }
            _ => true,
        })
    }

    /// The turn from which the commander goes for an open hill that several rivals want: the first
    /// to arrive fight each other.
    fn patience(&self) -> u32 {
        match self.skill {
            Skill::Easy => 0,
            Skill::Medium => 6,
            Skill::Full => 20,
        }
    }

    /// The number of other factions that can still win.
    pub(super) fn n_rivals(&self) -> usize {
        let rivals = self.view.alive.iter().filter(|it| *it != self.seat);
        rivals.filter(|it| self.view.present.contains(*it)).count()
    }

    /// Own fleets that are on the way to a system.
    pub(super) fn coming(&self, system: SystemIdx) -> Coming {
        let galaxy = self.view.world().galaxy();
        let mut coming = Coming::default();
        for fleet in &self.view.fleets {
            let Place::Moving { at, to } = fleet.place else {
                continue;
            };
            if to == system {
                let distance = galaxy.at(to).distance_to(at);
                let turns = (distance / fleet.speed_mly().max(1)) as u32 + 1;
                coming.turns = coming.turns.max(turns);
                coming.troops += self.strength(fleet);
                coming.hull += fleet.hull();
                if kind_of(fleet) == Kind::War {
                    coming.power += fleet_power(fleet);
                }
            }
        }
        coming
    }

    /// The turns that a fleet takes to a system; `None` if it cannot reach it in one jump.
    pub(super) fn turns_to(&self, fleet: &Fleet, system: SystemIdx) -> Option<u32> {
        let way = Way::of(fleet, self.view)?;
        let squared = self.view.world().galaxy().at(system).squared_to(way.at);
        way.reaches(squared).then(|| way.to(system, squared).turns)
    }
}
