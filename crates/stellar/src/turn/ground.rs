//! Bombardment, ground combat, conquest.

use kernel::{Seat, SeatSet, Sink};

use super::Presence;
use crate::constants::{
    ARMY_BROKEN, BOMBARD_MORALE, BOMBARD_STRENGTH, FACTIONS_MAX, GROUND_LOSS, GROUND_MORALE,
    LANDABLE_MAX, MORALE_LEAST,
};
use crate::event::Event;
use crate::galaxy::SystemIdx;
use crate::state::{Army, Post, Stellar};

impl Stellar {
    /// Warships that are alone in an orbit bombard every foreign army below.
    pub(super) fn bombard(&mut self, presence: &Presence, events: &mut impl Sink<Event>) {
        let mut last = None;
        for system in self.systems_with_strangers(presence) {
            if last == Some(system) {
                continue;
            }
            last = Some(system);
            let Some(seat) = presence.at(system).sole() else {
                continue;
            };
            let own = self.fleets_of(seat).iter();
            let in_orbit = own.filter(|it| it.orbit() == Some(system));
            let warships =
                in_orbit.flat_map(|it| it.ships.iter().filter(|it| it.kind.is_warship()));
            let n_warships = warships.count() as u32;
            if n_warships == 0 {
                continue;
            }
            self.bombard_system(system, seat, n_warships);
            events.push_with(|| Event::Bombarded {
                seat,
                system,
                seen: self.observers(system),
            });
        }
    }

    /// Systems with an army below foreign ships, sorted.
    fn systems_with_strangers(&self, presence: &Presence) -> Vec<SystemIdx> {
        let mut systems: Vec<SystemIdx> = self
            .armies
            .iter()
            .filter_map(|army| match army.post {
                Post::Ground(system, _) => {
                    let above = presence.at(system).sole()?;
                    (above != army.owner).then_some(system)
                }
                Post::Aboard => None,
            })
            .collect();
        systems.sort_unstable();
        systems
    }

    fn bombard_system(&mut self, system: SystemIdx, seat: Seat, n_warships: u32) {
        let part = |(each, most): (u32, u32)| (each * n_warships).min(most);
        let (strength, morale) = (part(BOMBARD_STRENGTH), part(BOMBARD_MORALE));
        for army in &mut self.armies {
            let below = matches!(army.post, Post::Ground(at, _) if at == system);
            if below && army.owner != seat {
                let loss = (u32::from(army.strength) * strength / 1000) as u16;
                army.strength = (army.strength - loss).max(ARMY_BROKEN + 1);
                let shaken = u32::from(army.morale) * (1000 - morale) / 1000;
                army.morale = (shaken as u16).max(MORALE_LEAST);
            }
        }
    }

    /// Armies of several factions on one body fight.
    pub(super) fn fight_on_the_ground(&mut self, events: &mut impl Sink<Event>) {
        for system in self.disputed() {
            let mut bodies = [SeatSet::EMPTY; LANDABLE_MAX];
            for army in &self.armies {
                if let Post::Ground(at, body) = army.post
                    && at == system
                {
                    let there = &mut bodies[usize::from(body)];
                    *there = there.with(army.owner);
                }
            }
            for (body, sides) in (0u8..).zip(bodies) {
                if sides.len() > 1 {
                    self.fight_for(system, body, sides);
                    events.push_with(|| Event::GroundCombat {
                        system,
                        body,
                        sides,
                        seen: self.observers(system),
                    });
                }
            }
        }
        self.armies.retain(|army| army.strength > ARMY_BROKEN);
    }

    /// Systems with an army that is not the owner's, sorted. Only these can see ground combat or
    /// conquest.
    fn disputed(&self) -> Vec<SystemIdx> {
        let mut systems: Vec<SystemIdx> = self
            .armies
            .iter()
            .filter_map(|army| match army.post {
                Post::Ground(system, _) => {
                    (self.owner(system) != Some(army.owner)).then_some(system)
                }
                Post::Aboard => None,
            })
            .collect();
        systems.sort_unstable();
        systems.dedup();
        systems
    }

    /// Each side's power is spread over its enemies by their strength and takes a fixed fraction of
    /// itself from them, so the stronger side loses less. If the system's owner takes part, all
    /// others fight the owner and not each other.
    fn fight_for(&mut self, system: SystemIdx, body: u8, sides: SeatSet) {
        let on_body = |army: &Army| army.post == Post::Ground(system, body);
        let (mut power, mut strength) = ([0u64; FACTIONS_MAX], [0u64; FACTIONS_MAX]);
        for army in self.armies.iter().filter(|it| on_body(it)) {
            power[army.owner.index()] += army.power();
            strength[army.owner.index()] += u64::from(army.strength);
        }
        let defender = self.owner(system).filter(|owner| sides.contains(*owner));
        let are_enemies = |one: Seat, other: Seat| {
            one != other && defender.is_none_or(|it| it == one || it == other)
        };
        let mut losses = [0u64; FACTIONS_MAX];
        for side in sides.iter() {
            let enemies = || sides.iter().filter(|it| are_enemies(side, *it));
            let all: u64 = enemies().map(|it| strength[it.index()]).sum();
            for enemy in enemies() {
                let share = power[side.index()] * strength[enemy.index()] / all.max(1);
                losses[enemy.index()] += share * GROUND_LOSS / 1000;
            }
        }
        for army in self.armies.iter_mut().filter(|it| on_body(it)) {
            let side = army.owner.index();
            army.suffer(losses[side], strength[side]);
        }
    }

    /// Gives a system to the faction that alone holds more of its bodies than any other, unless its
    /// orbit is contested. Bodies without troops count for nobody.
    pub(super) fn conquer(&mut self, presence: &Presence, events: &mut impl Sink<Event>) {
        for system in self.disputed() {
            if presence.is_contested(system) {
                continue;
            }
            let Some(owner) = self.holder(system) else {
                continue;
            };
            let before = self.owner(system);
            if before != Some(owner) {
                self.owners[system.index()] = Some(owner);
                events.push(Event::Conquered {
                    system,
                    owner,
                    before,
                });
            }
        }
    }

    fn holder(&self, system: SystemIdx) -> Option<Seat> {
        let mut bodies = [SeatSet::EMPTY; LANDABLE_MAX];
        for army in &self.armies {
            if let Post::Ground(at, body) = army.post
                && at == system
            {
                bodies[usize::from(body)] = bodies[usize::from(body)].with(army.owner);
            }
        }
        let mut held = [0u8; FACTIONS_MAX];
        for holder in bodies.iter().filter_map(|it| it.sole()) {
            held[holder.index()] += 1;
        }
        let most = held.iter().max().copied().filter(|most| *most > 0)?;
        let mut best = Seat::first(FACTIONS_MAX).filter(|seat| held[seat.index()] == most);
        best.next().filter(|_| best.next().is_none())
    }
}

impl Army {
    /// Takes this army's part of the side's loss, and lowers its morale accordingly.
    fn suffer(&mut self, side_loss: u64, side_strength: u64) {
        let own = u64::from(self.strength);
        let loss = (side_loss * own).div_ceil(side_strength.max(1)).min(own);
        let shaken = loss * GROUND_MORALE / own.max(1);
        self.strength -= loss as u16;
        let morale = u64::from(self.morale) * (1000 - shaken) / 1000;
        self.morale = (morale as u16).max(MORALE_LEAST);
    }
}
