//! A space battle: up to ten rounds, all from one seed.

use kernel::{Seat, SeatSet, Sink};

use crate::constants::{
    ACCURACY, ATTRITION, BOMBER_FOCUS, DEFENCE_DAMAGE, INTERCEPTOR_HITS, INTERCEPTOR_SENT,
    KEEP_TARGET, LAUNCHES_MAX, LOCK_GAIN, LOCK_LEAST, LOCK_LOSS, MISSILE_FLIGHT, MISSILE_HULL,
    ROUNDS_MAX, Role, ShipKind, TORPEDO_FLIGHT, TORPEDO_HULL, TRANSPORT_FOCUS,
};
use crate::dice::Dice;
use crate::event::Event;
use crate::galaxy::SystemIdx;
use crate::state::{Mission, Stellar};

struct Combatant {
    fleet_idx: u16,
    ship_idx: u16,
    side: Seat,
    kind: ShipKind,
    hull: u16,
    missiles: u8,
    torpedoes: u8,
    interceptors: u8,
    lock: u32,
    target: Option<u16>,
    /// True once it broke off.
    gone: bool,
}

/// A missile or torpedo in flight.
struct Projectile {
    target: u16,
    damage: u16,
    hull: u16,
    rounds_left: u8,
}

struct Battle {
    ships: Vec<Combatant>,
    flying: Vec<Projectile>,
    dice: Dice,
    /// By kind: the ships that are still in the battle, as of the start of the round. Sorted, so the
    /// ships of one side are next to each other.
    rosters: [Vec<u16>; ShipKind::ALL.len()],
    /// All ships that are still in the battle.
    active: Vec<u16>,
    /// By seat: the initial power of each side.
    power: [u64; 8],
}

impl Combatant {
    fn is_in(&self) -> bool {
        self.hull > 0 && !self.gone
    }

    fn hit(&mut self, damage: u16) {
        self.hull = self.hull.saturating_sub(damage);
    }
}

impl Stellar {
    /// Fights the battle at a system and writes losses, ammunition and retreats back to the fleets.
    pub(super) fn fight(&mut self, system: SystemIdx, seed: u64, events: &mut impl Sink<Event>) {
        let mut battle = self.muster(system, seed);
        let sides = battle.sides();
        let seen = self.witnesses(self.galaxy().at(system));
        let came = battle.strength();
        let mut n_rounds = 0;
        while n_rounds < ROUNDS_MAX && battle.sides().len() > 1 {
            battle.round(n_rounds);
            n_rounds += 1;
            self.withdraw(&mut battle);
        }
        let winner = battle.winner();
        let lost = self.settle(&battle);
        events.push(Event::Fought {
            system,
            sides,
            winner,
            n_rounds,
            came,
            lost,
            seen,
        });
    }

    fn muster(&self, system: SystemIdx, seed: u64) -> Battle {
        let mut battle = Battle {
            ships: Vec::new(),
            flying: Vec::new(),
            dice: Dice::new(seed),
            rosters: Default::default(),
            active: Vec::new(),
            power: [0; 8],
        };
        for (fleet_idx, fleet) in self.fleets.iter().enumerate() {
            if fleet.orbit() != Some(system) {
                continue;
            }
            battle.power[fleet.owner.index()] += fleet.hull();
            let ships = fleet.ships.iter().enumerate();
            battle.ships.extend(ships.map(|(ship_idx, ship)| Combatant {
                fleet_idx: fleet_idx as u16,
                ship_idx: ship_idx as u16,
                side: fleet.owner,
                kind: ship.kind,
                hull: ship.hull,
                missiles: ship.missiles,
                torpedoes: ship.torpedoes,
                interceptors: ship.interceptors,
                lock: 0,
                target: None,
                gone: false,
            }));
        }
        // By faction and ship rank, independent of the fleets' composition.
        battle.ships.sort_by_key(|it| {
            let fleet = &self.fleets[usize::from(it.fleet_idx)];
            (it.side, fleet.ships[usize::from(it.ship_idx)].rank)
        });
        battle
    }

    /// After a round, fleets whose side has fallen below their threshold break off.
    fn withdraw(&self, battle: &mut Battle) {
        let mut left = [0u64; 8];
        for ship in battle.ships.iter().filter(|it| it.is_in()) {
            left[ship.side.index()] += u64::from(ship.hull);
        }
        let power = battle.power;
        for ship in battle.ships.iter_mut().filter(|it| it.is_in()) {
            let share = self.fleets[usize::from(ship.fleet_idx)].retreat;
            let side = ship.side.index();
            ship.gone = left[side] * 100 < power[side] * u64::from(share);
        }
    }

    /// Writes the results back to the fleets: losses, hulls after attrition, ammunition.
    fn settle(&mut self, battle: &Battle) -> [u16; 8] {
        let mut lost = [0; 8];
        for ship in &battle.ships {
            let fleet = &mut self.fleets[usize::from(ship.fleet_idx)];
            let own = &mut fleet.ships[usize::from(ship.ship_idx)];
            let class = ship.kind.class();
            let worn = (class.hull * ATTRITION.0 / 100).max(ATTRITION.1);
            own.hull = ship.hull.saturating_sub(worn);
            own.missiles = ship.missiles;
            own.torpedoes = ship.torpedoes;
            own.interceptors = ship.interceptors;
            fleet.breaks_off |= ship.gone && own.hull > 0;
            lost[ship.side.index()] += u16::from(own.hull == 0);
        }
        self.bury_ships();
        lost
    }

    /// Removes destroyed ships, the armies aboard them, and fleets without ships.
    fn bury_ships(&mut self) {
        let armies = &mut self.armies;
        for fleet in &mut self.fleets {
            let owner = fleet.owner;
            fleet.ships.retain(|ship| {
                if ship.hull == 0
                    && let Some(rank) = ship.army
                {
                    armies.retain(|army| (army.owner, army.rank) != (owner, rank));
                }
                ship.hull > 0
            });
            if !fleet.has_army() && matches!(fleet.mission, Mission::Invade(_) | Mission::Unload(_))
            {
                fleet.mission = Mission::None;
            }
        }
        self.fleets.retain(|fleet| !fleet.ships.is_empty());
    }
}

impl Battle {
    fn sides(&self) -> SeatSet {
        let fighting = self.ships.iter().filter(|it| it.is_in());
        fighting.map(|it| it.side).collect()
    }

    /// The number of ships of each seat still in the battle.
    fn strength(&self) -> [u16; 8] {
        let mut n_ships = [0; 8];
        for ship in self.ships.iter().filter(|it| it.is_in()) {
            n_ships[ship.side.index()] += 1;
        }
        n_ships
    }

    /// The only side left, else the one with the most hull, then the most ships.
    fn winner(&self) -> Option<Seat> {
        let mut best: Option<(u64, u32, Option<Seat>)> = None;
        for side in self.sides().iter() {
            let own = self.ships.iter().filter(|it| it.is_in() && it.side == side);
            let hull = own.clone().map(|it| u64::from(it.hull)).sum();
            let n_ships = own.count() as u32;
            best = match best {
                Some((most, n, _)) if (most, n) > (hull, n_ships) => best,
                Some((most, n, _)) if (most, n) == (hull, n_ships) => Some((most, n, None)),
                _ => Some((hull, n_ships, Some(side))),
            };
        }
        best.and_then(|(_, _, side)| side)
    }

    fn round(&mut self, round: u8) {
        for projectile in &mut self.flying {
            projectile.rounds_left = projectile.rounds_left.saturating_sub(1);
        }
        self.muster_rosters();
        let active = std::mem::take(&mut self.active);
        for &idx in &active {
            self.aim(idx.into(), round, &active);
        }
        for &idx in &active {
            self.launch(idx.into());
        }
        self.intercept();
        self.defend();
        self.impact();
        for &idx in &active {
            self.fire(idx.into());
        }
        self.active = active;
    }

    fn muster_rosters(&mut self) {
        self.rosters.iter_mut().for_each(Vec::clear);
        self.active.clear();
        for (idx, ship) in (0u16..).zip(&self.ships) {
            if ship.is_in() {
                self.rosters[ship.kind as usize].push(idx);
                self.active.push(idx);
            }
        }
    }

    /// Keeps the target or finds another. The lock grows with a target and fades without one.
    fn aim(&mut self, idx: usize, round: u8, active: &[u16]) {
        let kept = self.ships[idx].target;
        let alive = |target: u16| self.ships[usize::from(target)].is_in();
        let kept = kept.filter(|target| alive(*target));
        let keeps = kept.is_some() && self.dice.chance(KEEP_TARGET);
        let target = match keeps {
            true => kept,
            false => self.choose(idx, round, active),
        };
        let ship = &mut self.ships[idx];
        ship.target = target;
        ship.lock = match target {
            Some(_) => (ship.lock + LOCK_GAIN).min(1000),
            None => ship.lock.saturating_sub(LOCK_LOSS),
        };
    }

    fn choose(&mut self, idx: usize, round: u8, active: &[u16]) -> Option<u16> {
        let kind = self.ships[idx].kind;
        let (first, rise, most) = TRANSPORT_FOCUS;
        if self
            .dice
            .chance((first + rise * u32::from(round)).min(most))
        {
            let found = self.pick_kind(idx, ShipKind::TroopTransport);
            if found.is_some() {
                return found;
            }
        }
        if kind.class().role == Role::Capital && self.dice.chance(BOMBER_FOCUS) {
            let found = self.pick_kind(idx, ShipKind::Bomber);
            if found.is_some() {
                return found;
            }
        }
        for wanted in preferred(kind) {
            let found = self.pick_kind(idx, wanted);
            if found.is_some() {
                return found;
            }
        }
        pick(&self.ships, active, idx, &mut self.dice)
    }

    /// A random enemy of a kind.
    fn pick_kind(&mut self, idx: usize, kind: ShipKind) -> Option<u16> {
        let roster = &self.rosters[kind as usize];
        pick(&self.ships, roster, idx, &mut self.dice)
    }

    /// Launches torpedoes first, then missiles with the remaining launches.
    fn launch(&mut self, idx: usize) {
        let ship = &mut self.ships[idx];
        let Some(target) = ship.target else { return };
        let class = ship.kind.class();
        let n_torpedoes = ship.torpedoes.min(LAUNCHES_MAX);
        let n_missiles = ship.missiles.min(LAUNCHES_MAX - n_torpedoes);
        ship.torpedoes -= n_torpedoes;
        ship.missiles -= n_missiles;
        for _ in 0..n_torpedoes {
            self.flying.push(Projectile {
                target,
                damage: class.torpedoes.1,
                hull: TORPEDO_HULL,
                rounds_left: TORPEDO_FLIGHT,
            });
        }
        for _ in 0..n_missiles {
            self.flying.push(Projectile {
                target,
                damage: class.missiles.1,
                hull: MISSILE_HULL,
                rounds_left: MISSILE_FLIGHT,
            });
        }
    }

    /// Targets of projectiles about to arrive may launch an interceptor, which may hit.
    fn intercept(&mut self) {
        let (ships, dice) = (&mut self.ships, &mut self.dice);
        self.flying.retain(|projectile| {
            let target = &mut ships[usize::from(projectile.target)];
            if projectile.rounds_left > 1 || target.interceptors == 0 || !target.is_in() {
                return true;
            }
            if !dice.chance(INTERCEPTOR_SENT) {
                return true;
            }
            target.interceptors -= 1;
            !dice.chance(INTERCEPTOR_HITS)
        });
    }

    /// Point defense shoots at arriving projectiles in the order of launch.
    fn defend(&mut self) {
        let ships = &self.ships;
        let mut spent: Vec<(u16, u16)> = Vec::new();
        self.flying.retain(|projectile| {
            let target = &ships[usize::from(projectile.target)];
            if projectile.rounds_left > 0 || !target.is_in() {
                return true;
            }
            let pool = target.kind.class().defence * DEFENCE_DAMAGE;
            let place = spent
                .iter()
                .position(|(target, _)| *target == projectile.target);
            let place = place.unwrap_or_else(|| {
                spent.push((projectile.target, 0));
                spent.len() - 1
            });
            let used = &mut spent[place].1;
            let shot_down = *used + projectile.hull <= pool;
            *used = (*used + projectile.hull).min(pool);
            !shot_down
        });
    }

    /// Arriving projectiles hit. Those aimed at ships that are gone are wasted.
    fn impact(&mut self) {
        let ships = &mut self.ships;
        self.flying.retain(|projectile| {
            if projectile.rounds_left > 0 {
                return true;
            }
            let target = &mut ships[usize::from(projectile.target)];
            if target.is_in() {
                target.hit(projectile.damage);
            }
            false
        });
    }

    /// Fires the guns. Ships that were hit this round fire too, since all fire at once.
    fn fire(&mut self, idx: usize) {
        let ship = &self.ships[idx];
        let gun = ship.kind.class().gun;
        let Some(target) = ship.target.map(usize::from) else {
            return;
        };
        if gun == 0 || !self.ships[target].is_in() {
            return;
        }
        let evasion = self.ships[target].kind.class().evasion;
        let lock = ship.lock.max(LOCK_LEAST);
        let chance = ACCURACY * lock / 1000 * (1000 - evasion) / 1000;
        if self.dice.chance(chance) {
            self.ships[target].hit(gun);
        }
    }
}

/// A random enemy of the ship `idx` on a roster. No draw is taken if there is none.
fn pick(ships: &[Combatant], roster: &[u16], idx: usize, dice: &mut Dice) -> Option<u16> {
    let side = ships[idx].side;
    let side_of = |it: &u16| ships[usize::from(*it)].side;
    let first_own = roster.partition_point(|it| side_of(it) < side);
    let n_own = roster[first_own..].partition_point(|it| side_of(it) == side);
    let n_enemies = roster.len() - n_own;
    if n_enemies == 0 {
        return None;
    }
    let drawn = dice.below(n_enemies as u32) as usize;
    let skipped = if drawn < first_own { 0 } else { n_own };
    Some(roster[drawn + skipped])
}

/// The preferred targets of a ship type, best first.
fn preferred(kind: ShipKind) -> [ShipKind; 5] {
    use ShipKind::{Bomber, Carrier, Cruiser, Destroyer, Fighter, Frigate, TroopTransport};
    match kind {
        Carrier | Cruiser | Bomber => [Carrier, Cruiser, Destroyer, Frigate, TroopTransport],
        Destroyer | Fighter => [Bomber, Fighter, Frigate, Destroyer, TroopTransport],
        Frigate => [Bomber, Fighter, Destroyer, Frigate, TroopTransport],
        TroopTransport | ShipKind::Tanker | ShipKind::Extractor => {
            [Bomber, Fighter, Frigate, Destroyer, Cruiser]
        }
    }
}
