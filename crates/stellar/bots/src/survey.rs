//! A commander's knowledge of each system.

use kernel::Seat;
use stellar::constants::{CAPTURE_RANGE_MLY, FACTIONS_MAX, SENSOR_RANGE_MLY, ShipKind};
use stellar::{Fleet, Goal, Post, SystemIdx, View};

/// Sightings of foreign fleets in earlier turns.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// By system: the last power seen, and the turn.
    seen: Vec<(u32, u32)>,
}

/// Sightings are believed for this many turns, less each turn.
const BELIEVED: u32 = 10;

/// Transports avoid the places of sightings that are at most this many turns old.
const RECENT: u32 = 8;

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

    /// The power last seen at a system; 0 if that was long ago.
    fn last_seen(&self, system: usize, turn: u32) -> u32 {
        let (power, when) = self.seen[system];
        if turn - when <= RECENT { power } else { 0 }
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
    /// The foreign power last seen in orbit a short time ago.
    pub(super) recent: u32,
    /// The unseen power that a rival may have sent to a hill out of sight.
    pub(super) lurking: u32,
    /// Own power in orbit.
    pub(super) guard: u32,
    /// Own power on the way there.
    pub(super) coming: u32,
    /// Foreign power on the ground.
    pub(super) garrison: u32,
    /// Own armies on the ground.
    pub(super) n_armies: u32,
    /// Own power on the ground.
    pub(super) ground: u32,
    /// Extra value beyond that of any system.
    pub(super) bonus: u32,
    /// True if owning it for some turns wins.
    pub(super) is_hill: bool,
    /// True if a fleet is already on the way.
    pub(super) claimed: bool,
}

impl Site {
    /// The foreign power to expect in orbit.
    pub(super) fn danger(&self) -> u32 {
        self.threat.max(self.lurking)
    }
}

/// The power that the strongest rival may have out of sight: what it started with, less what is
/// in sight, and less what this faction itself has lost, since losses are mutual.
pub(super) fn lurking_power(view: &View, seat: Seat) -> u32 {
    let mut started = [0u32; FACTIONS_MAX];
    for fleet in view.world().galaxy().fleets() {
        let warships = fleet.ships.iter().filter(|it| it.is_warship());
        let power = warships.map(|it| power_of(*it, it.class().hull));
        started[fleet.owner.index()] += power.sum::<u32>();
    }
    let ships = view.fleets.iter().flat_map(|it| &it.ships);
    let warships = ships.filter(|it| it.kind.is_warship());
    let own: u32 = warships.map(|it| power_of(it.kind, it.hull)).sum();
    let lost = started[seat.index()].saturating_sub(own);
    for contact in &view.contacts {
        let ships = contact.ships.iter().filter(|it| it.0.is_warship());
        let seen: u32 = ships.map(|it| power_of(it.0, it.1)).sum();
        let left = &mut started[contact.owner.index()];
        *left = left.saturating_sub(seen);
    }
    let rivals = view.alive.iter().filter(|it| *it != seat);
    let unseen = rivals.map(|it| started[it.index()].saturating_sub(lost));
    unseen.max().unwrap_or(0)
}

/// True if a fleet in orbit of this system would be seen.
fn is_watched(view: &View, seat: Seat, system: SystemIdx) -> bool {
    let galaxy = view.world().galaxy();
    let range = SENSOR_RANGE_MLY * SENSOR_RANGE_MLY;
    let at = galaxy.at(system);
    let near = |it: &Fleet| it.at(galaxy).squared_to(at) <= range;
    view.owners[system.index()] == Some(seat) || view.fleets.iter().any(near)
}

/// Every system as a commander sees it.
pub(super) fn sites(view: &View, seat: Seat, memory: &Memory, lurking: u32) -> Vec<Site> {
    let world = view.world();
    let galaxy = world.galaxy();
    let mut sites = vec![Site::default(); view.owners.len()];
    let mut observed = vec![false; view.owners.len()];
    for (idx, site) in sites.iter_mut().enumerate() {
        site.threat = memory.power(idx, view.turn);
        site.recent = memory.last_seen(idx, view.turn);
        site.bonus = u32::from(galaxy.systems()[idx].has_gas);
        observed[idx] = view.owners[idx] == Some(seat);
    }
    for fleet in &view.fleets {
        if let Some(system) = fleet.orbit() {
            sites[system.index()].guard += fleet_power(fleet);
            observed[system.index()] = true;
        }
        if let stellar::Place::Moving { to, .. } = fleet.place {
            sites[to.index()].claimed |= fleet.mission != stellar::Mission::None;
            sites[to.index()].coming += fleet_power(fleet);
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
            sites[hill.index()].is_hill = true;
            if !is_watched(view, seat, *hill) {
                sites[hill.index()].lurking = lurking;
            }
        }
    }
    sites
}
