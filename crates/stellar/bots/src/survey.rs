//! A commander's knowledge of each system.

use kernel::Seat;
use stellar::constants::{CAPTURE_RANGE_MLY, ShipKind};
use stellar::{Fleet, Goal, Post, SystemIdx, View};

/// Sightings of foreign fleets in earlier turns.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// By system: the last power seen, and the turn.
    seen: Vec<(u32, u32)>,
}

/// Sightings are believed for this many turns, less each turn.
const BELIEVED: u32 = 10;

impl Memory {
    pub(super) fn forget(&mut self) {
        self.seen.clear();
    }

    pub(super) fn update(&mut self, view: &View) {
        self.seen.resize(view.owners.len(), (0, 0));
        let galaxy = view.world().galaxy();
        for fleet in &view.fleets {
            if let Some(system) = fleet.orbit() {
                self.seen[system.index()] = (0, view.turn);
            }
        }
        for contact in &view.contacts {
            let near = contact
                .orbit
                .or_else(|| galaxy.nearest_within(contact.at, CAPTURE_RANGE_MLY));
            if let Some(near) = near {
                let (power, when) = &mut self.seen[near.index()];
                if *when != view.turn {
                    (*power, *when) = (0, view.turn);
                }
                *power += contact
                    .ships
                    .iter()
                    .map(|it| power_of(it.0, it.1))
                    .sum::<u32>();
            }
        }
    }

    /// The power believed to be at a system now.
    fn power(&self, system: usize, turn: u32) -> u32 {
        let (power, when) = self.seen[system];
        let age = turn - when;
        match age {
            0 => power,
            age if age < BELIEVED => power * (BELIEVED - age) / BELIEVED,
            _ => 0,
        }
    }
}

/// The value of a ship in battle.
pub(super) fn power_of(kind: ShipKind, hull: u16) -> u32 {
    let class = kind.class();
    let armed = 2 * u32::from(class.gun)
        + 10 * u32::from(class.missiles.0)
        + 20 * u32::from(class.torpedoes.0);
    let whole = u32::from(class.hull).max(1);
    u32::from(hull) / 10 + armed * u32::from(hull) / whole
}

pub(super) fn fleet_power(fleet: &Fleet) -> u32 {
    fleet
        .ships
        .iter()
        .map(|it| power_of(it.kind, it.hull))
        .sum()
}

/// Knowledge and belief about one system.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Site {
    /// Foreign power in orbit.
    pub(super) threat: u32,
    /// Own power in orbit.
    pub(super) guard: u32,
    /// Foreign power on the ground.
    pub(super) garrison: u32,
    /// Own armies on the ground.
    pub(super) n_armies: u32,
    /// Own power on the ground.
    pub(super) ground: u32,
    /// Extra value beyond that of any system.
    pub(super) bonus: u32,
    /// True if a fleet is already on the way.
    pub(super) claimed: bool,
}

/// Every system as a commander sees it.
pub(super) fn sites(view: &View, seat: Seat, memory: &Memory) -> Vec<Site> {
    let world = view.world();
    let galaxy = world.galaxy();
    let mut sites = vec![Site::default(); view.owners.len()];
    let mut observed = vec![false; view.owners.len()];
    for (idx, site) in sites.iter_mut().enumerate() {
        site.threat = memory.power(idx, view.turn);
        site.bonus = u32::from(galaxy.systems()[idx].has_gas);
        observed[idx] = view.owners[idx] == Some(seat);
    }
    for fleet in &view.fleets {
        if let Some(system) = fleet.orbit() {
            sites[system.index()].guard += fleet_power(fleet);
            observed[system.index()] = true;
        }
        if let stellar::Place::Moving { to, .. } = fleet.place
            && fleet.mission != stellar::Mission::None
        {
            sites[to.index()].claimed = true;
        }
    }
    for army in &view.armies {
        if let Post::Ground(system, _) = army.post {
            let site = &mut sites[system.index()];
            if army.owner == seat {
                site.n_armies += 1;
                site.ground += army.power() as u32;
            } else {
                site.garrison += army.power() as u32;
            }
        }
    }
    for (idx, site) in sites.iter_mut().enumerate() {
        let Some(owner) = view.owners[idx].filter(|it| *it != seat) else {
            continue;
        };
        if !observed[idx] {
            let is_home = galaxy.home(owner) == Some(SystemIdx(idx as u16));
            site.garrison = if is_home { 30_000 } else { 9_000 };
        }
    }
    for goal in world.goals() {
        if let Goal::Hill(hill, _) = goal {
            sites[hill.index()].bonus += 60;
        }
    }
    sites
}
