//! Supply: fuel, repair, ammunition, morale.

use super::Presence;
use crate::constants::{
    EXTRACTOR_FUEL, MORALE_FULL, SUPPLY_MORALE, SUPPLY_REARM, SUPPLY_REPAIR, ShipKind, TANKER_FUEL,
    TANKER_RESERVE,
};
use crate::state::{Army, Fleet, Post, Ship, Stellar};

impl Stellar {
    /// Supplies fleets and armies in their own systems. Extractors work at uncontested gas systems,
    /// tankers anywhere.
    pub(super) fn resupply(&mut self, presence: &Presence) {
        let supply = self.world.scenario().rules.supply;
        let world = std::sync::Arc::clone(&self.world);
        for fleet in &mut self.fleets {
            let orbit = fleet.orbit().filter(|it| !presence.is_contested(*it));
            if let Some(system) = orbit {
                let own = self.owners[system.index()] == Some(fleet.owner);
                if supply && own {
                    fleet.ships.iter_mut().for_each(Ship::service);
                } else if world.galaxy().system(system).has_gas {
                    fleet.extract();
                }
            }
            fleet.share_fuel();
        }
        if supply {
            let owners = &self.owners;
            for army in self.armies.iter_mut().filter(|it| it.morale < MORALE_FULL) {
                let at_home = match army.post {
                    Post::Ground(system, _) => owners[system.index()] == Some(army.owner),
                    Post::Aboard => false,
                };
                if at_home {
                    army.recover();
                }
            }
        }
    }
}

impl Ship {
    /// One turn of supply: a full tank, some hull, some ammunition.
    fn service(&mut self) {
        let class = self.kind.class();
        let some = |left: u8, full: u8| left.saturating_add((full / SUPPLY_REARM).max(1)).min(full);
        self.fuel = class.tank as i32;
        self.hull = (self.hull + class.hull * SUPPLY_REPAIR / 100).min(class.hull);
        self.missiles = some(self.missiles, class.missiles.0);
        self.torpedoes = some(self.torpedoes, class.torpedoes.0);
        self.interceptors = some(self.interceptors, class.interceptors);
    }

    fn room_for_fuel(&self) -> i64 {
        self.kind.class().tank - i64::from(self.fuel)
    }

    /// Fills the tank from a pool.
    fn fill_from(&mut self, pool: &mut i64) {
        let taken = self.room_for_fuel().min(*pool);
        self.fuel += taken as i32;
        *pool -= taken;
    }
}

impl Army {
    fn recover(&mut self) {
        self.morale = (self.morale + SUPPLY_MORALE).min(MORALE_FULL);
    }
}

impl Fleet {
    /// Extractors make fuel, which is split evenly between the ships with room for it.
    fn extract(&mut self) {
        let is_extractor = |it: &&Ship| it.kind == ShipKind::Extractor;
        let n_extractors = self.ships.iter().filter(is_extractor).count() as i64;
        let mut pool = n_extractors * EXTRACTOR_FUEL;
        loop {
            let has_room = |it: &&mut Ship| it.room_for_fuel() > 0;
            let n_thirsty = self.ships.iter_mut().filter(has_room).count() as i64;
            if pool == 0 || n_thirsty == 0 {
                return;
            }
            let each = (pool / n_thirsty).max(1);
            for ship in self.ships.iter_mut().filter(has_room) {
                let mut part = each.min(pool);
                pool -= part;
                ship.fill_from(&mut part);
                pool += part;
            }
        }
    }

    /// Tankers refuel the other ships, down to their reserve.
    fn share_fuel(&mut self) {
        for idx in 0..self.ships.len() {
            if self.ships[idx].kind != ShipKind::Tanker {
                continue;
            }
            let reserve = ShipKind::Tanker.class().tank * TANKER_RESERVE / 100;
            let spare = i64::from(self.ships[idx].fuel) - reserve;
            let pool = spare.clamp(0, TANKER_FUEL);
            let mut left = pool;
            for ship in self
                .ships
                .iter_mut()
                .filter(|it| it.kind != ShipKind::Tanker)
            {
                ship.fill_from(&mut left);
            }
            self.ships[idx].fuel -= (pool - left) as i32;
        }
    }
}
