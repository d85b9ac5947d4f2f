//! The observation of a policy, as numbers.

use kernel::{Block, Layout, Observe, Seat};

use crate::constants::{CAPTURE_RANGE_MLY, FACTIONS_MAX};
use crate::setup::Setup;
use crate::state::{Draft, Fleet, Order, Place, Post, Stellar};
use crate::world::Goal;

/// Numbers per system.
const PER_SYSTEM: usize = 8;
/// Numbers per fleet of the observer.
const PER_FLEET: usize = 10;
/// Numbers about the match.
const GLOBALS: usize = 6 + 2 * FACTIONS_MAX;
/// Counts and sums are capped here.
const MOST: i16 = 10_000;

impl Observe for Stellar {
    fn observation(setup: &Setup) -> Layout {
        let world = setup.world();
        let block = |name, shape: &[usize], scale, about| Block {
            name,
            shape: shape.to_vec(),
            low: -1,
            high: i16::MAX,
            scale,
            about,
        };
        let n_systems = world.galaxy().n_systems();
        Layout {
            blocks: vec![
                block(
                    "systems",
                    &[n_systems, PER_SYSTEM],
                    100,
                    "owner (0 nobody, 1 you, 2 the next seat and so on), gas, your ships, your \
                     hull in hundreds, your ground strength in hundreds, visible foreign ships, \
                     their hull and their ground strength",
                ),
                block(
                    "fleets",
                    &[world.fleet_slots(), PER_FLEET],
                    100,
                    "your fleets by rank: present (1), orbited system, target, ships, reach in \
                     light-years, hull in hundreds, armies aboard, empty transports, ordered (1), \
                     retreat threshold",
                ),
                block(
                    "draft",
                    &[4],
                    100,
                    "the order being composed: fleet, verb, system, body; -1 for none",
                ),
                block(
                    "match",
                    &[GLOBALS],
                    100,
                    "turn, last turn, done (1), hill's holder (same coding as owner), turns held, \
                     turns needed, then systems owned and alive (1) for each faction, yours first",
                ),
            ],
        }
    }

    fn write_observation(&self, seat: Seat, out: &mut [i16]) {
        let n_systems = self.galaxy().n_systems();
        let (systems, rest) = out.split_at_mut(n_systems * PER_SYSTEM);
        let (fleets, rest) = rest.split_at_mut(self.world.fleet_slots() * PER_FLEET);
        let (draft, globals) = rest.split_at_mut(4);
        self.write_systems(seat, systems);
        self.write_fleets(seat, fleets);
        draft.copy_from_slice(&self.draft_numbers(seat));
        self.write_globals(seat, globals);
    }
}

/// A sum in hundreds, capped.
fn hundreds(sum: u64) -> i16 {
    (sum / 100).min(MOST as u64) as i16
}

fn bounded(number: u64) -> i16 {
    number.min(MOST as u64) as i16
}

impl Stellar {
    /// Seats relative to the observer: 1 is the observer, 2 the next seat and so on.
    fn relative(&self, seat: Seat, other: Seat) -> i16 {
        let n = self.world.n_seats();
        1 + ((other.index() + n - seat.index()) % n) as i16
    }

    fn write_systems(&self, seat: Seat, out: &mut [i16]) {
        out.fill(0);
        let galaxy = self.galaxy();
        for (row, (idx, system)) in out
            .chunks_exact_mut(PER_SYSTEM)
            .zip(galaxy.indices().zip(galaxy.systems()))
        {
            row[0] = self
                .owner(idx)
                .map_or(0, |owner| self.relative(seat, owner));
            row[1] = system.has_gas.into();
        }
        let mut add = |idx: usize, column: usize, value: i16| {
            let cell = &mut out[idx * PER_SYSTEM + column];
            *cell = cell.saturating_add(value).min(MOST);
        };
        for fleet in self.fleets.iter().filter(|it| self.sees_fleet(seat, it)) {
            let near = fleet
                .orbit()
                .or_else(|| galaxy.nearest_within(fleet.at(galaxy), CAPTURE_RANGE_MLY));
            if let Some(near) = near {
                let column = if fleet.owner == seat { 2 } else { 5 };
                add(near.index(), column, bounded(fleet.ships.len() as u64));
                add(near.index(), column + 1, hundreds(fleet.hull()));
            }
        }
        for army in self.armies.iter().filter(|it| self.sees_army(seat, it)) {
            if let Post::Ground(system, _) = army.post {
                let column = if army.owner == seat { 4 } else { 7 };
                add(system.index(), column, hundreds(army.strength.into()));
            }
        }
    }

    fn write_fleets(&self, seat: Seat, out: &mut [i16]) {
        out.fill(-1);
        for fleet in self.fleets_of(seat) {
            let first = usize::from(fleet.rank) * PER_FLEET;
            let row = &mut out[first..first + PER_FLEET];
            let target = match (fleet.order, fleet.place) {
                (_, Place::Moving { to, .. }) => to.0 as i16,
                (
                    Some(
                        Order::Move(to)
                        | Order::Load(to)
                        | Order::Invade(to, _)
                        | Order::Unload(to, _),
                    ),
                    _,
                ) => to.0 as i16,
                _ => -1,
            };
            let count = |has: fn(&crate::Ship) -> bool| {
                bounded(fleet.ships.iter().filter(|it| has(it)).count() as u64)
            };
            row.copy_from_slice(&[
                1,
                fleet.orbit().map_or(-1, |it| it.0 as i16),
                target,
                bounded(fleet.ships.len() as u64),
                bounded((fleet.reach_mly(self.unlimited_fuel()) / 1000) as u64),
                hundreds(fleet.hull()),
                count(|it| it.army.is_some()),
                count(crate::Ship::has_room),
                fleet.order.is_some().into(),
                Fleet::share_number(fleet),
            ]);
        }
    }

    fn draft_numbers(&self, seat: Seat) -> [i16; 4] {
        match self.drafts[seat.index()] {
            Draft::Idle => [-1; 4],
            Draft::Fleet(rank) => [rank as i16, -1, -1, -1],
            Draft::Verb(rank, verb) => [rank as i16, verb as i16, -1, -1],
            Draft::Target(rank, verb, system) => [rank as i16, verb as i16, system.0 as i16, -1],
            Draft::From(rank, body) => [rank as i16, 4, -1, body.into()],
        }
    }

    fn write_globals(&self, seat: Seat, out: &mut [i16]) {
        out.fill(0);
        let hills = self.world.goals().iter().enumerate();
        let hill = hills.filter_map(|(idx, goal)| match goal {
            Goal::Hill(_, needed) => Some((self.holds[idx], *needed)),
            _ => None,
        });
        let hill = hill.into_iter().next();
        let held = hill.and_then(|(hold, _)| hold);
        out[0] = bounded(self.turn.into());
        out[1] = bounded(self.world.last_turn().into());
        out[2] = self.done.contains(seat).into();
        out[3] = held.map_or(0, |it| self.relative(seat, it.holder));
        out[4] = held.map_or(0, |it| bounded(it.n_turns.into()));
        out[5] = hill.map_or(0, |(_, needed)| bounded(needed.into()));
        for other in Seat::first(self.world.n_seats()) {
            let place = 6 + (self.relative(seat, other) - 1) as usize;
            let owned = self.owners.iter().filter(|it| **it == Some(other)).count();
            out[place] = bounded(owned as u64);
            out[place + FACTIONS_MAX] = self.alive.contains(other).into();
        }
    }
}

impl Fleet {
    /// The retreat threshold as it will be after this turn's orders.
    fn share_number(&self) -> i16 {
        self.new_retreat.unwrap_or(self.retreat).into()
    }
}
