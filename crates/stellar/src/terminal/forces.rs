//! Fleets and armies in words.

use std::fmt;

use super::light_years;
use crate::constants::ShipKind;
use crate::galaxy::SystemIdx;
use crate::state::{Fleet, Order, Place, Post};
use crate::view::{Contact, View};

/// The number of systems listed as the targets of a fleet.
const TARGETS_MAX: usize = 6;

impl View {
    /// Writes the viewer's fleets with their nearest targets, the visible foreign fleets and the
    /// number of armies.
    pub(super) fn write_forces(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fleet in &self.fleets {
            writeln!(f, "  fleet {} {}", fleet.rank, self.describe(fleet))?;
            let targets = self.targets(fleet);
            if !targets.is_empty() {
                writeln!(f, "    near: {}", targets.join(", "))?;
            }
        }
        for contact in &self.contacts {
            writeln!(f, "  {}", self.describe_contact(contact))?;
        }
        let is_own = |owner| Some(owner) == self.seat;
        let n_own = self.armies.iter().filter(|it| is_own(it.owner)).count();
        let on_ground = |post: Post| matches!(post, Post::Ground(..));
        let n_foreign = self
            .armies
            .iter()
            .filter(|it| !is_own(it.owner) && on_ground(it.post))
            .count();
        writeln!(
            f,
            "  armies: {n_own} of yours, {n_foreign} of others in sight"
        )
    }

    fn describe(&self, fleet: &Fleet) -> String {
        let galaxy = self.world.galaxy();
        let place = match fleet.place {
            Place::Orbit(system) => format!("at {}", self.named(system)),
            Place::Moving { at, to } => {
                let distance = at.distance_to(galaxy.at(to));
                format!(
                    "on the way to {}, {}",
                    self.named(to),
                    trip(fleet, distance)
                )
            }
        };
        let ships = listed(fleet.ships.iter().map(|it| it.kind));
        let n_armies = fleet.ships.iter().filter(|it| it.army.is_some()).count();
        let armies = match n_armies {
            0 => String::new(),
            n => format!(", {}", counted(n, "army", "armies")),
        };
        let order = match fleet.order {
            Some(order) => format!(" · order: {}", self.describe_order(order)),
            None => String::new(),
        };
        let retreat = match fleet.new_retreat.unwrap_or(fleet.retreat) {
            0 => String::new(),
            share => format!(" · retreats below {share} %"),
        };
        format!("{place}: {ships}{armies}{order}{retreat}")
    }

    fn describe_order(&self, order: Order) -> String {
        match order {
            Order::Move(to) => format!("move to {}", self.named(to)),
            Order::Invade(to, _) => format!("invade {}", self.named(to)),
            Order::Load(to) => format!("load armies at {}", self.named(to)),
            Order::Unload(to, _) => format!("unload armies at {}", self.named(to)),
            Order::Transfer(from, to) => format!("carry an army from body {from} to body {to}"),
            Order::Split => "split".to_owned(),
            Order::Merge(into) => format!("merge into fleet {into}"),
            Order::Receive => "wait for a fleet that merges into it".to_owned(),
        }
    }

    fn describe_contact(&self, contact: &Contact) -> String {
        let owner = self.world.faction_id(contact.owner);
        let place = match contact.orbit {
            Some(system) => format!("at {}", self.named(system)),
            None => {
                let (system, distance) = self.nearest(contact);
                format!(
                    "in space, {} from {}",
                    light_years(distance),
                    self.named(system)
                )
            }
        };
        let ships = listed(contact.ships.iter().map(|it| it.0));
        format!("{owner}'s fleet {} {place}: {ships}", contact.rank)
    }

    fn nearest(&self, contact: &Contact) -> (SystemIdx, i64) {
        let galaxy = self.world.galaxy();
        let distance = |idx: SystemIdx| galaxy.at(idx).distance_to(contact.at);
        let nearest = galaxy.indices().min_by_key(|idx| distance(*idx));
        let nearest = nearest.unwrap_or(SystemIdx(0));
        (nearest, distance(nearest))
    }

    /// The nearest systems that a fleet in orbit without an order can jump to.
    fn targets(&self, fleet: &Fleet) -> Vec<String> {
        let (Place::Orbit(from), None) = (fleet.place, fleet.order) else {
            return Vec::new();
        };
        let galaxy = self.world.galaxy();
        let reach = fleet.reach_mly(self.world.scenario().rules.unlimited_fuel);
        let mut near: Vec<(i64, SystemIdx)> = Vec::new();
        galaxy.for_each_within(galaxy.at(from), reach, |system, _| {
            if system != from {
                near.push((galaxy.at(from).distance_to(galaxy.at(system)), system));
            }
        });
        near.sort_unstable();
        let target = |(distance, system): &(i64, SystemIdx)| {
            let owner = match self.owners[system.index()] {
                Some(owner) if Some(owner) == self.seat => " yours".to_owned(),
                Some(owner) => format!(" {}", self.world.faction_id(owner)),
                None => String::new(),
            };
            format!("{}{owner} {}", self.named(*system), trip(fleet, *distance))
        };
        near.iter().take(TARGETS_MAX).map(target).collect()
    }
}

/// A distance, with the number of turns that the fleet needs for it.
fn trip(fleet: &Fleet, distance_mly: i64) -> String {
    let speed = fleet.speed_mly().max(1);
    let n_turns = ((distance_mly + speed - 1) / speed).max(1) as usize;
    let turns = counted(n_turns, "turn", "turns");
    format!("{} ({turns})", light_years(distance_mly))
}

/// Ships by kind, such as `2 cruisers, 1 troop transport`.
fn listed(ships: impl Iterator<Item = ShipKind>) -> String {
    let ships: Vec<ShipKind> = ships.collect();
    let row = |kind: ShipKind| {
        let n = ships.iter().filter(|it| **it == kind).count();
        let name = kind.name().replace('_', " ");
        (n > 0).then(|| counted(n, &name, &format!("{name}s")))
    };
    let rows: Vec<String> = ShipKind::ALL.into_iter().filter_map(row).collect();
    rows.join(", ")
}

fn counted(n: usize, one: &str, many: &str) -> String {
    let noun = if n == 1 { one } else { many };
    format!("{n} {noun}")
}
