//! Redraws what a viewer cannot know.

use kernel::rng::Generator;
use kernel::{Redraw, Seat, Viewer};

use super::{Armada, SYSTEMS_MAX};

impl Redraw for Armada {
    /// Enemy fleets in the fog move elsewhere in the fog, one faction per system, and enemy orders
    /// are replaced. Between battles, in which nobody can act, nothing is redrawn.
    fn redraw(&self, viewer: Viewer, rng: &mut Generator) -> Armada {
        let mut drawn = *self;
        if self.end.is_some() || self.battles != 0 {
            return drawn;
        }
        let foggy = |system: &usize| match viewer {
            Viewer::Seat(seat) => !self.sees(seat, *system),
            Viewer::Public => true,
        };
        let fog: Vec<usize> = self.systems().filter(foggy).collect();
        let others = || self.alive.iter().filter(move |seat| !viewer.is(*seat));
        for seat in others() {
            let faction = &mut drawn.factions[seat.index()];
            faction.forget_orders();
            for &system in &fog {
                faction.fleets[system] = 0;
            }
            drawn.done = drawn.done.without(seat);
        }
        for seat in others() {
            for &system in &fog {
                drawn.scatter(seat, self.faction(seat).fleets[system], &fog, rng);
            }
            drawn.redraw_orders(seat, rng);
        }
        drawn.redraw_done(viewer, rng);
        drawn
    }
}

impl Armada {
    /// Places fleets somewhere in the fog where no other faction is. There is always room: every
    /// stack had a system before.
    fn scatter(&mut self, seat: Seat, n_fleets: u8, fog: &[usize], rng: &mut Generator) {
        let free = |system: &usize| self.held_by(*system).iter().all(|it| it == seat);
        let places: Vec<usize> = fog.iter().copied().filter(free).collect();
        if n_fleets > 0 {
            let place = places[rng.below(places.len() as u64) as usize];
            self.factions[seat.index()].fleets[place] += n_fleets;
        }
    }

    fn redraw_orders(&mut self, seat: Seat, rng: &mut Generator) {
        for system in 0..SYSTEMS_MAX {
            if self.faction(seat).fleets[system] == 0 {
                continue;
            }
            let beside = self.beside(system);
            let faction = &mut self.factions[seat.index()];
            match rng.below(4) {
                0 => faction.orders[system] = Some(beside[rng.below(2) as usize] as u8),
                1 => faction.chosen = Some(system as u8),
                _ => {}
            }
        }
    }

    /// Lets other factions be done, unless they are in the middle of an order or all would be done.
    fn redraw_done(&mut self, viewer: Viewer, rng: &mut Generator) {
        for seat in self.alive.iter().filter(|seat| !viewer.is(*seat)) {
            let all = self.alive.is_subset(self.done.with(seat));
            if !all && self.faction(seat).chosen.is_none() && rng.below(2) == 0 {
                self.done = self.done.with(seat);
            }
        }
    }
}
