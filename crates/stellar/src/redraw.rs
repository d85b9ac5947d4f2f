//! Sampling a position that agrees with what a viewer knows.

use kernel::rng::Generator;
use kernel::{Redraw, Seat, Viewer};

use crate::constants::{ARMY_BROKEN, ARMY_STRENGTH, MORALE_FULL, MORALE_LEAST, RETREAT_SHARES};
use crate::galaxy::SystemIdx;
use crate::sight::Sight;
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
        let sight = match viewer {
            Viewer::Public => None,
            Viewer::Seat(seat) => Some(Sight::of(self, seat)),
        };
        let hidden = |it: &SystemIdx| {
            let place = self.galaxy().at(*it);
            sight.as_ref().is_none_or(|sight| !sight.sees_place(place))
        };
        let fog: Vec<SystemIdx> = self.galaxy().indices().filter(hidden).collect();
        let sees = |fleet: &Fleet| sight.as_ref().is_some_and(|it| it.sees_fleet(fleet));
        for (idx, fleet) in self.fleets.iter().enumerate() {
            if !viewer.is(fleet.owner) {
                let hidden = !sees(fleet);
                drawn.redraw_fleet(idx, hidden.then_some(fog.as_slice()), rng);
            }
        }
        drawn.redraw_armies(sight.as_ref(), rng);
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

    fn redraw_armies(&mut self, sight: Option<&Sight<'_>>, rng: &mut Generator) {
        for army in &mut self.armies {
            if !sight.is_some_and(|it| it.sees_army(army)) {
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
