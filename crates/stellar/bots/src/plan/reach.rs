//! Where a fleet can go, and how long that takes.

use stellar::{Fleet, Point, SystemIdx, View};

use super::Plan;

/// The radius in which a fleet looks for targets, in thousandths of a light-year.
const HORIZON: i64 = 80_000;

/// A system within reach of a fleet.
#[derive(Clone, Copy)]
pub(super) struct Near {
    pub(super) system: SystemIdx,
    pub(super) turns: u32,
    pub(super) squared: i64,
}

impl Plan<'_> {
    /// The systems around a fleet and the landmarks, if within reach, with the turns it takes to
    /// get there.
    pub(super) fn nearby(&mut self, fleet: &Fleet) -> Vec<Near> {
        let mut found = self.within(fleet, HORIZON);
        let Some(way) = Way::of(fleet, self.view) else {
            return found;
        };
        let galaxy = self.view.world().galaxy();
        for &landmark in &self.landmarks {
            let squared = galaxy.at(landmark).squared_to(way.at);
            if squared > HORIZON * HORIZON && way.reaches(squared) {
                found.push(way.to(landmark, squared));
            }
        }
        found
    }

    /// Every system within reach, with the turns it takes to get there.
    pub(super) fn everywhere(&mut self, fleet: &Fleet) -> Vec<Near> {
        self.within(fleet, i64::from(i32::MAX))
    }

    fn within(&mut self, fleet: &Fleet, range: i64) -> Vec<Near> {
        let mut found = std::mem::take(&mut self.spare);
        found.clear();
        if let Some(way) = Way::of(fleet, self.view) {
            let galaxy = self.view.world().galaxy();
            let range = way.reach.min(range);
            galaxy.for_each_within(way.at, range, |idx, squared| {
                found.push(way.to(idx, squared));
            });
        }
        found
    }

    /// Keeps a list that is no longer needed, so that the next one needs no allocation.
    pub(super) fn recycle(&mut self, list: Vec<Near>) {
        self.spare = list;
    }

    pub(super) fn reaches(&self, fleet: &Fleet, to: SystemIdx) -> bool {
        let galaxy = self.view.world().galaxy();
        Way::of(fleet, self.view).is_some_and(|way| way.reaches(galaxy.at(to).squared_to(way.at)))
    }
}

/// The position, reach and speed of a fleet.
pub(super) struct Way {
    from: SystemIdx,
    pub(super) at: Point,
    reach: i64,
    speed: i64,
}

impl Way {
    pub(super) fn of(fleet: &Fleet, view: &View) -> Option<Way> {
        let from = fleet.orbit()?;
        let unlimited = view.world().scenario().rules.unlimited_fuel;
        Some(Way {
            from,
            at: view.world().galaxy().at(from),
            reach: fleet.reach_mly(unlimited),
            speed: fleet.speed_mly().max(1),
        })
    }

    /// True if a system at this squared distance is within one jump.
    pub(super) fn reaches(&self, squared: i64) -> bool {
        squared <= self.reach * self.reach
    }

    pub(super) fn to(&self, system: SystemIdx, squared: i64) -> Near {
        // The whole turns of travel: jumps are short, so counting is faster than a square root.
        let mut turns = 0;
        let mut way = self.speed;
        while way * way <= squared {
            turns += 1;
            way += self.speed;
        }
        let turns = turns + u32::from(system != self.from);
        Near {
            system,
            turns,
            squared,
        }
    }
}
