//! Landing and embarking armies.

use kernel::{Seat, Sink};

use super::Presence;
use crate::constants::{ARMY_BROKEN, LANDING_LOSS, LANDING_RISK};
use crate::dice::Dice;
use crate::event::Event;
use crate::galaxy::SystemIdx;
use crate::state::{Mission, Post, Stellar};

/// Separates the draws of landings from those of the battle whose seed they share.
const LANDING: u64 = 0x1A2D;

impl Stellar {
    /// Fleets in orbit of their target carry out their missions.
    pub(super) fn land(&mut self, presence: &Presence, events: &mut impl Sink<Event>) {
        for idx in 0..self.fleets.len() {
            let fleet = &self.fleets[idx];
            let Some(system) = fleet.orbit() else {
                continue;
            };
            match fleet.mission {
                Mission::None => continue,
                Mission::Load => self.embark(idx, system, events),
                Mission::Invade(body) => self.invade(idx, system, body, presence, events),
                Mission::Unload(body) => self.unload(idx, system, body, presence, events),
            }
            self.fleets[idx].mission = Mission::None;
        }
        self.armies.retain(|army| army.strength > ARMY_BROKEN);
    }

    /// The armies with the lowest ranks board the empty transports.
    fn embark(&mut self, idx: usize, system: SystemIdx, events: &mut impl Sink<Event>) {
        let owner = self.fleets[idx].owner;
        let mut loaded = false;
        for ship in self.fleets[idx].ships.iter_mut().filter(|it| it.has_room()) {
            let waiting = |army: &&mut crate::Army| {
                army.owner == owner && matches!(army.post, Post::Ground(at, _) if at == system)
            };
            let Some(army) = self.armies.iter_mut().find(waiting) else {
                break;
            };
            army.post = Post::Aboard;
            ship.army = Some(army.rank);
            loaded = true;
            events.push(Event::Embarked {
                seat: owner,
                system,
            });
        }
        if !loaded {
            events.push(Event::Failed {
                seat: owner,
                fleet: self.fleets[idx].rank,
                why: "no_army_there",
            });
        }
    }

    fn unload(
        &mut self,
        idx: usize,
        system: SystemIdx,
        body: Option<u8>,
        presence: &Presence,
        events: &mut impl Sink<Event>,
    ) {
        let fleet = &self.fleets[idx];
        if self.owner(system) != Some(fleet.owner) {
            return events.push(Event::Failed {
                seat: fleet.owner,
                fleet: fleet.rank,
                why: "not_your_system",
            });
        }
        let mut risk = self.risk(system, presence, idx);
        for army in self.aboard(idx) {
            self.take_hit(army, &mut risk);
            self.set_down(idx, army, system, body, events);
        }
    }

    fn invade(
        &mut self,
        idx: usize,
        system: SystemIdx,
        body: Option<u8>,
        presence: &Presence,
        events: &mut impl Sink<Event>,
    ) {
        let mut risk = self.risk(system, presence, idx);
        for army in self.aboard(idx) {
            // An army that is hit turns back, weakened.
            if !self.take_hit(army, &mut risk) {
                self.set_down(idx, army, system, body, events);
            }
        }
    }

    /// The ranks of the armies aboard.
    fn aboard(&self, idx: usize) -> Vec<u16> {
        let ships = self.fleets[idx].ships.iter();
        ships.filter_map(|ship| ship.army).collect()
    }

    /// The draws for landings under a contested orbit, from the battle's seed; `None` if there is
    /// no risk.
    fn risk(&self, system: SystemIdx, presence: &Presence, idx: usize) -> Option<(Dice, usize)> {
        if !presence.is_contested(system) {
            return None;
        }
        let fought = self.fought.iter().find(|it| it.system == system);
        let fleet = &self.fleets[idx];
        let label = LANDING << 32 | (fleet.owner.index() as u64) << 16 | u64::from(fleet.rank);
        fought.map(|it| (Dice::labelled(it.seed, label), fleet.owner.index()))
    }

    /// Returns true if the army was hit on the way down. It is destroyed if its strength falls too
    /// low.
    fn take_hit(&mut self, army: u16, risk: &mut Option<(Dice, usize)>) -> bool {
        let Some((dice, owner)) = risk else {
            return false;
        };
        if !dice.chance(LANDING_RISK) {
            return false;
        }
        let owner = Seat::new(*owner).unwrap_or(Seat::FIRST);
        let Some(idx) = self.army_idx(owner, army) else {
            return false;
        };
        let army = &mut self.armies[idx];
        let loss = (u32::from(army.strength) * LANDING_LOSS / 1000).max(1) as u16;
        army.strength -= loss.min(army.strength);
        if army.strength <= ARMY_BROKEN {
            self.forget_aboard(owner, idx);
        }
        true
    }

    /// Empties the transport of an army that was destroyed aboard.
    fn forget_aboard(&mut self, owner: Seat, army_idx: usize) {
        let rank = self.armies[army_idx].rank;
        for fleet in self.fleets.iter_mut().filter(|it| it.owner == owner) {
            for ship in &mut fleet.ships {
                if ship.army == Some(rank) {
                    ship.army = None;
                }
            }
        }
    }

    fn set_down(
        &mut self,
        idx: usize,
        rank: u16,
        system: SystemIdx,
        body: Option<u8>,
        events: &mut impl Sink<Event>,
    ) {
        let owner = self.fleets[idx].owner;
        let Some(army) = self.army_idx(owner, rank) else {
            return;
        };
        if self.armies[army].strength <= ARMY_BROKEN {
            return;
        }
        let body = body.unwrap_or_else(|| self.default_body(owner, system));
        self.armies[army].post = Post::Ground(system, body);
        for ship in &mut self.fleets[idx].ships {
            if ship.army == Some(rank) {
                ship.army = None;
            }
        }
        events.push_with(|| Event::Landed {
            seat: owner,
            system,
            body,
            seen: self.observers(system),
        });
    }

    /// The default body for a landing: the one where the enemy's lead in power is largest. Without
    /// an enemy, a body with own armies, else the first.
    fn default_body(&self, owner: Seat, system: SystemIdx) -> u8 {
        let n_landable = self.galaxy().system(system).n_landable;
        let mut balance = [(0i64, 0i64); 8];
        for army in &self.armies {
            if let Post::Ground(at, body) = army.post
                && at == system
            {
                let (enemy, own) = &mut balance[usize::from(body)];
                let side = if army.owner == owner { own } else { enemy };
                *side += army.power() as i64;
            }
        }
        let bodies = 0..n_landable;
        let value = |body: &u8| {
            let (enemy, own) = balance[usize::from(*body)];
            (enemy > 0, if enemy > 0 { enemy - own } else { own })
        };
        // Ties go to the first body.
        bodies.rev().max_by_key(value).unwrap_or(0)
    }
}
