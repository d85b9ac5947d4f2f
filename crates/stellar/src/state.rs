//! The position of a match.

mod ending;
mod forces;

use std::sync::Arc;

use kernel::doc::{Document, Names, Node};
use kernel::{Seat, SeatSet};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::constants::{FACTIONS_MAX, ShipKind};
use crate::galaxy::{Galaxy, StartPlace, SystemIdx};
use crate::setup::Setup;
use crate::world::World;

pub use ending::{Cause, Ending, Score};
pub use forces::{Army, Fleet, Mission, Order, Place, Post, Ship};

/// A position of Stellar Fleet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stellar {
    pub(crate) world: Arc<World>,
    /// The turn that is being planned, from 1.
    pub(crate) turn: u32,
    /// By system.
    pub(crate) owners: Vec<Option<Seat>>,
    /// In the order of owner and rank; each has ships.
    pub(crate) fleets: Vec<Fleet>,
    /// In the order of owner and rank.
    pub(crate) armies: Vec<Army>,
    /// By condition: the holder of the hill and the number of turns.
    pub(crate) holds: Vec<Option<Hold>>,
    /// The seats that have not left.
    pub(crate) present: SeatSet,
    /// The seats that had a fleet or a system when the last turn ended.
    pub(crate) alive: SeatSet,
    /// The seats that have given all their orders for this turn.
    pub(crate) done: SeatSet,
    /// By seat: the order that is being composed.
    pub(crate) drafts: [Draft; FACTIONS_MAX],
    /// Systems whose battle has not been fought yet, sorted.
    pub(crate) battles: Vec<SystemIdx>,
    /// Battles fought this turn, sorted.
    pub(crate) fought: Vec<Fought>,
    pub(crate) end: Option<Ending>,
}

/// The kinds of order.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "see `Order`")]
pub enum Verb {
    Move,
    Invade,
    Load,
    Unload,
    Transfer,
    Split,
    Merge,
    Retreat,
}

/// The order that a faction is composing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(into = "Vec<String>")]
pub enum Draft {
    /// No order has been started.
    #[default]
    Idle,
    /// The fleet of this rank is chosen.
    Fleet(u16),
    /// The fleet and the verb are chosen.
    Verb(u16, Verb),
    /// The target system is chosen too; the body is still open.
    Target(u16, Verb, SystemIdx),
    /// The body that a transfer takes the army from is chosen.
    From(u16, u8),
}

/// A battle that was fought this turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[schemars(rename = "FoughtSnapshot")]
pub(crate) struct Fought {
    #[serde(serialize_with = "as_text")]
    #[schemars(with = "String")]
    #[document(read_with = Node::u64_text)]
    pub(crate) seed: u64,
    pub(crate) system: SystemIdx,
}

/// A faction's hold on a hill.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
pub struct Hold {
    /// The faction that holds it.
    pub holder: Seat,
    /// The number of turns in a row.
    #[serde(rename = "turns")]
    #[schemars(range(min = 1))]
    pub n_turns: u32,
}

impl Stellar {
    pub(crate) fn first(setup: &Setup) -> Stellar {
        let world = setup.world();
        let seats = SeatSet::first(world.n_seats());
        let galaxy = world.galaxy();
        let mut at = Stellar {
            turn: 1,
            owners: galaxy.owners().to_vec(),
            fleets: Vec::new(),
            armies: Vec::new(),
            holds: vec![None; world.goals().len()],
            present: seats,
            alive: SeatSet::EMPTY,
            done: SeatSet::EMPTY,
            drafts: [Draft::Idle; FACTIONS_MAX],
            battles: Vec::new(),
            fought: Vec::new(),
            end: None,
            world: Arc::clone(&world),
        };
        for seat in seats.iter() {
            at.raise(seat, galaxy);
        }
        at.alive = seats.iter().filter(|seat| at.has_anything(*seat)).collect();
        at
    }

    /// Creates the fleets and armies of one faction, ranked in the scenario's order, armies aboard
    /// first.
    fn raise(&mut self, owner: Seat, galaxy: &Galaxy) {
        let (mut ship_rank, mut army_rank) = (Ranks(0), Ranks(0));
        let own = galaxy.fleets().iter().filter(|it| it.owner == owner);
        for (rank, start) in (0..).zip(own) {
            let ships = start.ships.iter().map(|&kind| {
                let carries = start.with_armies && kind == ShipKind::TroopTransport;
                let army = carries.then(|| army_rank.next_rank());
                Ship::new(ship_rank.next_rank(), kind, army)
            });
            let ships: Vec<Ship> = ships.collect();
            let aboard = ships.iter().filter_map(|ship| ship.army);
            self.armies
                .extend(aboard.map(|rank| Army::new(owner, rank, Post::Aboard)));
            self.fleets.push(Fleet {
                owner,
                rank,
                place: match start.place {
                    StartPlace::Orbit(system) => Place::Orbit(system),
                    StartPlace::Space(at, to) => Place::Moving { at, to },
                },
                mission: Mission::None,
                retreat: 0,
                ships,
                order: None,
                new_retreat: None,
                breaks_off: false,
            });
        }
        for garrison in galaxy.garrisons().iter().filter(|it| it.owner == owner) {
            let post = Post::Ground(garrison.system, garrison.body);
            let army = Army::new(owner, army_rank.next_rank(), post);
            self.armies.push(army);
        }
    }

    /// The galaxy of the match.
    pub fn galaxy(&self) -> &Galaxy {
        self.world.galaxy()
    }

    /// Everything that stays the same during the match.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The owner of a system.
    #[inline]
    pub fn owner(&self, system: SystemIdx) -> Option<Seat> {
        self.owners[system.index()]
    }

    /// All fleets, sorted by owner and rank.
    pub fn fleets(&self) -> &[Fleet] {
        &self.fleets
    }

    /// All armies, sorted by owner and rank.
    pub fn armies(&self) -> &[Army] {
        &self.armies
    }

    /// The ending, once the match is over.
    pub fn ending(&self) -> Option<&Ending> {
        self.end.as_ref()
    }

    pub(crate) fn fleets_of(&self, seat: Seat) -> &[Fleet] {
        let first = self.fleets.partition_point(|it| it.owner < seat);
        let end = self.fleets.partition_point(|it| it.owner <= seat);
        &self.fleets[first..end]
    }

    pub(crate) fn fleet_idx(&self, owner: Seat, rank: u16) -> Option<usize> {
        let key = (owner, rank);
        self.fleets
            .binary_search_by_key(&key, |it| (it.owner, it.rank))
            .ok()
    }

    pub(crate) fn fleet(&self, owner: Seat, rank: u16) -> Option<&Fleet> {
        self.fleet_idx(owner, rank).map(|idx| &self.fleets[idx])
    }

    pub(crate) fn army_idx(&self, owner: Seat, rank: u16) -> Option<usize> {
        let key = (owner, rank);
        self.armies
            .binary_search_by_key(&key, |it| (it.owner, it.rank))
            .ok()
    }

    /// True if a faction has a fleet or a system.
    pub(crate) fn has_anything(&self, seat: Seat) -> bool {
        !self.fleets_of(seat).is_empty() || self.owners.contains(&Some(seat))
    }

    /// The current score of a faction.
    pub fn score(&self, seat: Seat) -> Score {
        let owned = self.owners.iter().filter(|it| **it == Some(seat));
        Score {
            n_systems: owned.count() as u32,
            power: self.fleets_of(seat).iter().map(Fleet::hull).sum(),
        }
    }
}

fn as_text<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(seed)
}

/// Hands out consecutive ranks.
struct Ranks(u16);

impl Ranks {
    fn next_rank(&mut self) -> u16 {
        self.0 += 1;
        self.0 - 1
    }
}
