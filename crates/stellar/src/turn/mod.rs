//! A turn, phase by phase: orders, movement, battles, landings, bombardment, ground combat,
//! conquest, supply, objectives.

mod battle;
mod finish;
mod ground;
mod landing;
mod movement;
mod orders;
mod supply;

use kernel::{Draw, SeatSet, Sink};

use crate::event::Event;
use crate::galaxy::SystemIdx;
use crate::state::{Fought, Place, Stellar};

impl Stellar {
    /// Carries out the orders once every faction is done or time runs out: up to the first battle,
    /// or to the end of the turn.
    pub(crate) fn resolve_orders(&mut self, events: &mut impl Sink<Event>) {
        self.drop_drafts();
        self.done = SeatSet::EMPTY;
        self.carry_out(events);
        self.move_fleets(events);
        self.find_battles();
        if self.battles.is_empty() {
            self.after_battles(events);
        }
    }

    /// Fights the next battle with this seed.
    pub(crate) fn fight_next(&mut self, draw: Draw, events: &mut impl Sink<Event>) {
        if self.battles.is_empty() {
            return;
        }
        let system = self.battles.remove(0);
        self.fight(system, draw.0, events);
        self.fought.push(Fought {
            seed: draw.0,
            system,
        });
        if self.battles.is_empty() {
            self.after_battles(events);
        }
    }

    fn after_battles(&mut self, events: &mut impl Sink<Event>) {
        self.break_off(events);
        let presence = self.presence();
        self.land(&presence, events);
        self.bombard(&presence, events);
        self.fight_on_the_ground(events);
        self.conquer(&presence, events);
        self.resupply(&presence);
        self.fought.clear();
        self.finish_turn(&presence, events);
    }

    /// The factions with ships at each system: in orbit, or passing within capture range.
    pub(crate) fn presence(&self) -> Presence {
        let mut by_system = vec![SeatSet::EMPTY; self.owners.len()];
        for fleet in &self.fleets {
            if let Some(system) = self.system_of(fleet) {
                let there = &mut by_system[system.index()];
                *there = there.with(fleet.owner);
            }
        }
        Presence { by_system }
    }

    /// The system that a fleet is at: in orbit, or passing within capture range.
    pub(crate) fn system_of(&self, fleet: &crate::Fleet) -> Option<SystemIdx> {
        match fleet.place {
            Place::Orbit(system) => Some(system),
            Place::Moving { at, .. } => self
                .galaxy()
                .nearest_within(at, crate::constants::CAPTURE_RANGE_MLY),
        }
    }
}

/// The factions with ships at each system.
pub(crate) struct Presence {
    by_system: Vec<SeatSet>,
}

impl Presence {
    pub(crate) fn at(&self, system: SystemIdx) -> SeatSet {
        self.by_system[system.index()]
    }

    /// True if ships of two or more factions are within capture range.
    pub(crate) fn is_contested(&self, system: SystemIdx) -> bool {
        self.at(system).len() > 1
    }

    /// True if no ship of another faction is within capture range. On a hill (DEC-001) even a
    /// single foreign ship contests the orbit.
    pub(crate) fn is_clean_for(&self, system: SystemIdx, owner: kernel::Seat) -> bool {
        self.at(system).without(owner).is_empty()
    }
}
