//! Movement, interception and retreat.

use kernel::Sink;

use crate::event::Event;
use crate::galaxy::SystemIdx;
use crate::state::{Mission, Place, Stellar};

impl Stellar {
    /// Moves every fleet in flight in a straight line, as fast as its slowest ship.
    pub(super) fn move_fleets(&mut self, events: &mut impl Sink<Event>) {
        for idx in 0..self.fleets.len() {
            let Place::Moving { at, to } = self.fleets[idx].place else {
                continue;
            };
            let target = self.galaxy().at(to);
            let (distance, speed) = (at.distance_to(target), self.fleets[idx].speed_mly());
            if distance > speed {
                let at = at.towards(target, speed, distance);
                self.fleets[idx].place = Place::Moving { at, to };
                continue;
            }
            self.moor(idx, to);
            events.push_with(|| {
                let fleet = &self.fleets[idx];
                let seen = self.witnesses(target).with(fleet.owner);
                Event::Arrived(fleet.sighting(to, seen))
            });
        }
    }

    /// Finds the systems where ships of several factions meet. A fleet passing such a system is
    /// stopped there and loses its target.
    pub(super) fn find_battles(&mut self) {
        if !self.world.scenario().rules.use_advanced_combat {
            return;
        }
        let presence = self.presence();
        let contested = |system: &SystemIdx| presence.is_contested(*system);
        for idx in 0..self.fleets.len() {
            let Some(system) = self.system_of(&self.fleets[idx]) else {
                continue;
            };
            if !contested(&system) {
                continue;
            }
            if self.fleets[idx].orbit().is_none() {
                self.moor(idx, system);
                self.fleets[idx].mission = Mission::None;
            }
            if let Err(place) = self.battles.binary_search(&system) {
                self.battles.insert(place, system);
            }
        }
    }

    /// Sends each fleet that broke off to the nearest own system it can reach, else to the nearest
    /// system, with half a turn's travel at once.
    pub(super) fn break_off(&mut self, events: &mut impl Sink<Event>) {
        for idx in 0..self.fleets.len() {
            if !std::mem::take(&mut self.fleets[idx].breaks_off) {
                continue;
            }
            let Some(from) = self.fleets[idx].orbit() else {
                continue;
            };
            let Some(to) = self.refuge(idx, from) else {
                continue;
            };
            let (at, target) = (self.galaxy().at(from), self.galaxy().at(to));
            let (distance, half) = (at.distance_to(target), self.fleets[idx].speed_mly() / 2);
            let seen = self.witnesses(at);
            let unlimited = self.unlimited_fuel();
            let fleet = &mut self.fleets[idx];
            if !unlimited {
                fleet.ships.iter_mut().for_each(|ship| ship.burn(distance));
            }
            fleet.mission = Mission::None;
            fleet.place = match distance <= half {
                true => Place::Orbit(to),
                false => Place::Moving {
                    at: at.towards(target, half, distance),
                    to,
                },
            };
            events.push(Event::BrokeOff(fleet.sighting(from, seen)));
        }
    }

    fn refuge(&self, idx: usize, from: SystemIdx) -> Option<SystemIdx> {
        let fleet = &self.fleets[idx];
        let (galaxy, at) = (self.galaxy(), self.galaxy().at(from));
        let reach = fleet.reach_mly(self.unlimited_fuel());
        let others = || galaxy.indices().filter(|it| *it != from);
        let far = |system: &SystemIdx| galaxy.at(*system).squared_to(at);
        let own = others().filter(|it| self.owner(*it) == Some(fleet.owner));
        let own = own.filter(|it| far(it) <= reach * reach).min_by_key(far);
        own.or_else(|| others().min_by_key(far))
    }
}
