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

    /// The factions that see this point.
    pub(crate) fn witnesses(&self, place: Point) -> SeatSet {
        let seats = Seat::first(self.world.n_seats());
        seats.filter(|seat| self.sees_place(*seat, place)).collect()
    }
}
