//! Sampling a position that agrees with what a viewer knows.

use kernel::rng::Generator;
use kernel::{Redraw, Seat, Viewer};

use crate::constants::{ARMY_BROKEN, ARMY_STRENGTH, MORALE_FULL, MORALE_LEAST, RETREAT_SHARES};
use crate::galaxy::SystemIdx;
use crate::state::{Draft, Fleet, Mission, Place, Ship, Stellar};

impl Redraw for Stellar {
    /// Drops foreign orders, moves foreign fleets in the fog to other places in the fog, and draws
    /// new values for foreign fuel, ammunition, courses and unseen armies. Between battles, when
    /// nobody can act, nothing is redrawn.
    fn redraw(&self, viewer: Viewer, rng: &mut Generator) -> Stellar {
        let mut drawn = self.clone();
        if self.end.is_some() || !self.battles.is_empty() {
            return drawn;
        }
        let fog: Vec<SystemIdx> = match viewer {
            Viewer::Public => self.galaxy().indices().collect(),
            Viewer::Seat(seat) => {
                let hidden = |it: &SystemIdx| !self.sees_place(seat, self.galaxy().at(*it));
                self.galaxy().indices().filter(hidden).collect()
            }
        };
        let sees = |fleet: &Fleet| match viewer {
            Viewer::Public => false,
            Viewer::Seat(seat) => self.sees_fleet(seat, fleet),
        };
        for (idx, fleet) in self.fleets.iter().enumerate() {
            if !viewer.is(fleet.owner) {
                let hidden = !sees(fleet);
                drawn.redraw_fleet(idx, hidden.then_some(fog.as_slice()), rng);
            }
        }
        drawn.redraw_armies(self, viewer, rng);
        drawn.redraw_done(viewer, rng);
        drawn
    }
}

impl Stellar {
    fn redraw_fleet(&mut self, idx: usize, fog: Option<&[SystemIdx]>, rng: &mut Generator) {
        let n_systems = self.galaxy().n_systems() as u64;
        let fleet = &mut self.fleets[idx];
        fleet.order = None;
        fleet.new_retreat = None;
        fleet.retreat = RETREAT_SHARES[rng.below(RETREAT_SHARES.len() as u64) as usize];
        fleet.ships.iter_mut().for_each(|ship| ship.redraw(rng));
        self.drafts[fleet.owner.index()] = Draft::Idle;
        match (&mut fleet.place, fog) {
            (Place::Orbit(system), Some(fog)) if !fog.is_empty() => {
                *system = fog[rng.below(fog.len() as u64) as usize];
            }
            (Place::Moving { to, .. }, _) => {
                *to = SystemIdx(rng.below(n_systems) as u16);
                fleet.mission = Mission::None;
            }
            _ => {}
        }
    }

    fn redraw_armies(&mut self, before: &Stellar, viewer: Viewer, rng: &mut Generator) {
        for army in &mut self.armies {
            let seen = match viewer {
                Viewer::Public => false,
                Viewer::Seat(seat) => before.sees_army(seat, army),
            };
            if !seen {
                let between = |low: u16, high: u16, rng: &mut Generator| {
                    low + rng.below(u64::from(high - low) + 1) as u16
                };
                army.strength = between(ARMY_BROKEN + 1, ARMY_STRENGTH, rng);
                army.morale = between(MORALE_LEAST, MORALE_FULL, rng);
            }
        }
    }

    /// Other factions may be done, unless that would make all of them done.
    fn redraw_done(&mut self, viewer: Viewer, rng: &mut Generator) {
        let contenders = self.contenders();
        for seat in Seat::first(self.world.n_seats()) {
            if viewer.is(seat) || !contenders.contains(seat) {
                continue;
            }
            self.done = self.done.without(seat);
        }
        for seat in contenders.iter().filter(|it| !viewer.is(*it)) {
            let all = contenders.is_subset(self.done.with(seat));
            if !all && rng.below(2) == 0 {
                self.done = self.done.with(seat);
            }
        }
    }
}

impl Ship {
    fn redraw(&mut self, rng: &mut Generator) {
        let class = self.kind.class();
        let mut up_to = |most: u8| rng.below(u64::from(most) + 1) as u8;
        self.missiles = up_to(class.missiles.0);
        self.torpedoes = up_to(class.torpedoes.0);
        self.interceptors = up_to(class.interceptors);
        self.fuel = rng.below(class.tank as u64 + 1) as i32;
        self.leaves = false;
    }
}
