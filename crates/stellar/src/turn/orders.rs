//! Carrying out orders: transfers and courses first, then merges, then splits.

use kernel::{Seat, Sink};

use crate::event::Event;
use crate::galaxy::SystemIdx;
use crate::state::{Fleet, Mission, Order, Place, Post, Ship, Stellar};

impl Stellar {
    pub(super) fn carry_out(&mut self, events: &mut impl Sink<Event>) {
        let mut any_merge = false;
        let mut any_split = false;
        for idx in 0..self.fleets.len() {
            let fleet = &mut self.fleets[idx];
            if let Some(share) = fleet.new_retreat.take() {
                fleet.retreat = share;
            }
            match fleet.order {
                None | Some(Order::Receive) => fleet.order = None,
                Some(Order::Merge(_)) => any_merge = true,
                Some(Order::Split) => any_split = true,
                Some(Order::Transfer(from, to)) => {
                    fleet.order = None;
                    self.transfer(idx, from, to, events);
                }
                Some(order) => {
                    fleet.order = None;
                    self.set_course(idx, order, events);
                }
            }
        }
        if any_merge {
            self.merge_all();
        }
        if any_split {
            self.split_all();
        }
    }

    fn set_course(&mut self, idx: usize, order: Order, events: &mut impl Sink<Event>) {
        let (to, mission) = match order {
            Order::Invade(to, body) => (to, Mission::Invade(body)),
            Order::Load(to) => (to, Mission::Load),
            Order::Unload(to, body) => (to, Mission::Unload(body)),
            Order::Move(to) => (to, Mission::None),
            _ => return,
        };
        let unlimited = self.unlimited_fuel();
        let Some(from) = self.fleets[idx].orbit() else {
            return;
        };
        self.fleets[idx].mission = mission;
        if from == to {
            return;
        }
        let at = self.galaxy().at(from);
        let distance = at.distance_to(self.galaxy().at(to));
        let fleet = &mut self.fleets[idx];
        if !unlimited {
            for ship in &mut fleet.ships {
                ship.burn(distance);
            }
        }
        fleet.place = Place::Moving { at, to };
        events.push_with(|| {
            let seen = self.witnesses(at);
            Event::Departed(self.fleets[idx].sighting(from, seen))
        });
    }

    /// Carries one army from one body to another, if one is still there.
    fn transfer(&mut self, idx: usize, from: u8, to: u8, events: &mut impl Sink<Event>) {
        let fleet = &self.fleets[idx];
        let (owner, rank) = (fleet.owner, fleet.rank);
        let Some(system) = fleet.orbit() else { return };
        let wanted = Post::Ground(system, from);
        let army = self
            .armies
            .iter_mut()
            .find(|it| it.owner == owner && it.post == wanted);
        match army {
            Some(army) => army.post = Post::Ground(system, to),
            None => events.push(Event::Failed {
                seat: owner,
                fleet: rank,
                why: "no_army_there",
            }),
        }
    }

    /// A fleet that others merge into never merges itself in the same turn, so the order of merges
    /// does not matter.
    fn merge_all(&mut self) {
        for idx in 0..self.fleets.len() {
            let Some(Order::Merge(into)) = self.fleets[idx].order else {
                continue;
            };
            self.fleets[idx].order = None;
            if let Some(target) = self.fleet_idx(self.fleets[idx].owner, into) {
                let mut ships = std::mem::take(&mut self.fleets[idx].ships);
                self.fleets[target].ships.append(&mut ships);
            }
        }
        self.fleets.retain(|fleet| !fleet.ships.is_empty());
        for fleet in &mut self.fleets {
            fleet.ships.sort_by_key(|ship| ship.rank);
        }
    }

    fn split_all(&mut self) {
        let mut new = Vec::new();
        for idx in 0..self.fleets.len() {
            let fleet = &mut self.fleets[idx];
            if fleet.order != Some(Order::Split) {
                continue;
            }
            fleet.order = None;
            let (leaving, staying): (Vec<Ship>, Vec<Ship>) =
                fleet.ships.iter().partition(|ship| ship.leaves);
            fleet.ships = staying;
            let mut split = Fleet {
                ships: leaving,
                ..fleet.clone()
            };
            split.ships.iter_mut().for_each(|ship| ship.leaves = false);
            new.push(split);
        }
        for mut fleet in new {
            fleet.rank = self.free_rank(fleet.owner);
            let key = (fleet.owner, fleet.rank);
            let at = self.fleets.partition_point(|it| (it.owner, it.rank) < key);
            self.fleets.insert(at, fleet);
        }
    }

    /// The lowest rank that no fleet of the faction has.
    fn free_rank(&self, seat: Seat) -> u16 {
        let own = self.fleets_of(seat);
        let taken = (0u16..)
            .zip(own)
            .take_while(|(rank, fleet)| fleet.rank == *rank);
        taken.count() as u16
    }

    /// Puts a fleet into orbit immediately.
    pub(super) fn moor(&mut self, idx: usize, system: SystemIdx) {
        self.fleets[idx].place = Place::Orbit(system);
    }
}

impl Ship {
    /// Burns the fuel of a jump; the tank does not go below zero.
    pub(super) fn burn(&mut self, distance: i64) {
        let left = i64::from(self.fuel) - self.cost(distance);
        self.fuel = left.max(0) as i32;
    }
}
