//! Visibility under the fog of war.

use kernel::{Seat, SeatSet};

use crate::constants::{CAPTURE_RANGE_MLY, SENSOR_RANGE_MLY, TERRITORY_RADIUS_MLY};
use crate::galaxy::SystemIdx;
use crate::space::Point;
use crate::state::{Army, Fleet, Post, Stellar};

impl Stellar {
    /// True if a faction sees a fleet: always its own; a foreign one within range of its sensors,
    /// near one of its systems, or inside its territory.
    pub fn sees_fleet(&self, seat: Seat, fleet: &Fleet) -> bool {
        fleet.owner == seat || self.sees_place(seat, fleet.at(self.galaxy()))
    }

    /// True if a faction sees an army: always its own; a foreign one on the ground of a system that
    /// it owns or where it has a fleet or an army.
    pub fn sees_army(&self, seat: Seat, army: &Army) -> bool {
        army.owner == seat
            || match army.post {
                Post::Ground(system, _) => self.observes(seat, system),
                Post::Aboard => !self.has_fog(),
            }
    }

    /// True if a faction sees what happens on the ground of a system.
    pub(crate) fn observes(&self, seat: Seat, system: SystemIdx) -> bool {
        let is_there = |army: &Army| matches!(army.post, Post::Ground(at, _) if at == system);
        !self.has_fog()
            || self.owner(system) == Some(seat)
            || self
                .fleets_of(seat)
                .iter()
                .any(|it| it.orbit() == Some(system))
            || self.armies_of(seat).iter().any(is_there)
    }

    pub(crate) fn has_fog(&self) -> bool {
        self.world.scenario().rules.fog_of_war
    }

    pub(crate) fn armies_of(&self, seat: Seat) -> &[Army] {
        let first = self.armies.partition_point(|it| it.owner < seat);
        let end = self.armies.partition_point(|it| it.owner <= seat);
        &self.armies[first..end]
    }

    /// True if a faction would see a fleet at this point.
    pub(crate) fn sees_place(&self, seat: Seat, place: Point) -> bool {
        if !self.has_fog() {
            return true;
        }
        let galaxy = self.galaxy();
        let range = SENSOR_RANGE_MLY * SENSOR_RANGE_MLY;
        let near = |fleet: &Fleet| fleet.at(galaxy).squared_to(place) <= range;
        self.in_territory(seat, place) || self.fleets_of(seat).iter().any(near)
    }

    /// True if the nearest owned system is the faction's and close enough, or if one of its systems
    /// is within capture range. A point at the same distance from two owners belongs to neither.
    fn in_territory(&self, seat: Seat, place: Point) -> bool {
        let mut nearest: Option<(i64, Option<Seat>)> = None;
        let mut beside_own = false;
        let close = CAPTURE_RANGE_MLY * CAPTURE_RANGE_MLY;
        self.galaxy()
            .for_each_within(place, TERRITORY_RADIUS_MLY, |system, squared| {
                let Some(owner) = self.owner(system) else {
                    return;
                };
                beside_own |= owner == seat && squared <= close;
                nearest = match nearest {
                    Some((best, _)) if best < squared => nearest,
                    Some((best, other)) if best == squared && other != Some(owner) => {
                        Some((best, None))
                    }
                    _ => Some((squared, Some(owner))),
                };
            });
        beside_own || nearest.is_some_and(|(_, owner)| owner == Some(seat))
    }

    /// The factions that see what happens on the ground of a system.
    pub(crate) fn observers(&self, system: SystemIdx) -> SeatSet {
        let seats = Seat::first(self.world.n_seats());
        seats.filter(|it| self.observes(*it, system)).collect()
    }

    /// The factions that see this point.
    pub(crate) fn witnesses(&self, place: Point) -> SeatSet {
        let seats = Seat::first(self.world.n_seats());
        seats.filter(|seat| self.sees_place(*seat, place)).collect()
    }
}

/// Everything that one faction sees, for many questions about one position: each answer takes about
/// the same time with ten fleets and with a thousand.
pub(crate) struct Sight<'a> {
    at: &'a Stellar,
    seat: Seat,
    /// The places of the faction's fleets, sorted.
    sensors: Vec<Point>,
    /// By system: true if the faction sees what happens on the ground.
    observed: Vec<bool>,
}

impl<'a> Sight<'a> {
    pub(crate) fn of(at: &'a Stellar, seat: Seat) -> Sight<'a> {
        let mut sight = Sight {
            at,
            seat,
            sensors: Vec::new(),
            observed: Vec::new(),
        };
        if !at.has_fog() {
            return sight;
        }
        let owned = at.owners.iter().map(|it| *it == Some(seat));
        sight.observed.extend(owned);
        for fleet in at.fleets_of(seat) {
            sight.sensors.push(fleet.at(at.galaxy()));
            if let Some(system) = fleet.orbit() {
                sight.observed[system.index()] = true;
            }
        }
        for army in at.armies_of(seat) {
            if let Post::Ground(system, _) = army.post {
                sight.observed[system.index()] = true;
            }
        }
        sight.sensors.sort_unstable();
        sight.sensors.dedup();
        sight
    }

    /// True if the faction sees a fleet.
    pub(crate) fn sees_fleet(&self, fleet: &Fleet) -> bool {
        fleet.owner == self.seat || self.sees_place(fleet.at(self.at.galaxy()))
    }

    /// True if the faction would see a fleet at this point.
    pub(crate) fn sees_place(&self, place: Point) -> bool {
        !self.at.has_fog() || self.is_in_range(place) || self.at.in_territory(self.seat, place)
    }

    /// True if the faction sees an army.
    pub(crate) fn sees_army(&self, army: &Army) -> bool {
        if army.owner == self.seat || !self.at.has_fog() {
            return true;
        }
        matches!(army.post, Post::Ground(system, _) if self.observed[system.index()])
    }

    fn is_in_range(&self, place: Point) -> bool {
        let first = i64::from(place.x) - SENSOR_RANGE_MLY;
        let last = i64::from(place.x) + SENSOR_RANGE_MLY;
        let start = self.sensors.partition_point(|it| i64::from(it.x) < first);
        let near = self.sensors[start..].iter();
        let mut near = near.take_while(|it| i64::from(it.x) <= last);
        near.any(|it| it.squared_to(place) <= SENSOR_RANGE_MLY * SENSOR_RANGE_MLY)
    }
}
