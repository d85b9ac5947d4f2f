//! The position of a match.

use std::sync::Arc;

use kernel::doc::{Document, Faults, Named, Names, Node};
use kernel::{Outcome, Seat, SeatSet, Verdict};
use schemars::JsonSchema;
use serde::Serialize;

use crate::constants::{ARMY_STRENGTH, FACTIONS_MAX, JUMP_MAX_MLY, MORALE_FULL, ShipKind};
use crate::galaxy::{Galaxy, StartPlace, SystemIdx};
use crate::setup::{Setup, World};
use crate::space::Point;

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
    /// Battles fought this turn, with their seeds, sorted.
    pub(crate) fought: Vec<(SystemIdx, u64)>,
    pub(crate) end: Option<Ending>,
}

/// A group of ships that move together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fleet {
    /// The faction that owns it.
    pub owner: Seat,
    /// Its rank among its owner's fleets: the lowest that was free when it was formed.
    pub rank: u16,
    /// Its place.
    pub place: Place,
    /// Its task on arrival.
    pub mission: Mission,
    /// The retreat threshold: it breaks off a battle when its side falls below this percentage of
    /// its initial power.
    pub retreat: u8,
    /// The ships in the order of rank; at least one.
    pub ships: Vec<Ship>,
    /// This turn's sealed order.
    pub order: Option<Order>,
    /// The sealed change of `retreat`.
    pub new_retreat: Option<u8>,
    /// True if it broke off a battle this turn.
    pub(crate) breaks_off: bool,
}

/// The place of a fleet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In orbit of a system.
    Orbit(SystemIdx),
    /// Between systems.
    Moving {
        /// Its position.
        at: Point,
        /// The system it is heading for.
        to: SystemIdx,
    },
}

/// A fleet's task when it reaches orbit of its target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mission {
    /// No task.
    None,
    /// Land every army, on this body or on the default one.
    Invade(Option<u8>),
    /// Take armies aboard.
    Load,
    /// Land every army in one of its own systems.
    Unload(Option<u8>),
}

/// A ship of a fleet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[document(check = Ship::check)]
pub struct Ship {
    /// The rank of the army aboard.
    pub army: Option<u16>,
    /// Fuel in hundredths.
    #[schemars(range(min = 0))]
    pub fuel: i32,
    /// Remaining hull points: at least 1.
    #[schemars(range(min = 1))]
    pub hull: u16,
    /// Interceptors left.
    pub interceptors: u8,
    /// The type of ship.
    pub kind: ShipKind,
    /// True if it leaves the fleet by the split that is ordered or being composed.
    pub(crate) leaves: bool,
    /// Missiles left.
    pub missiles: u8,
    /// Its rank among its owner's ships; never reused.
    pub rank: u16,
    /// Torpedoes left.
    pub torpedoes: u8,
}

/// An army on the ground or in a transport.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Army {
    /// The faction that owns it.
    pub owner: Seat,
    /// Its rank among its owner's armies; never reused.
    pub rank: u16,
    /// Its strength: always above [`ARMY_BROKEN`](crate::constants::ARMY_BROKEN).
    pub strength: u16,
    /// Its morale in thousandths.
    pub morale: u16,
    /// Its place.
    pub post: Post,
}

/// The place of an army.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Post {
    /// On a body of a system.
    Ground(SystemIdx, u8),
    /// In a transport.
    Aboard,
}

/// A fleet's order for this turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Go to a system.
    Move(SystemIdx),
    /// Go there and land every army, on this body or on the default one.
    Invade(SystemIdx, Option<u8>),
    /// Go there and take armies aboard.
    Load(SystemIdx),
    /// Go there and land every army.
    Unload(SystemIdx, Option<u8>),
    /// Carry an army from one body to another in the system that the fleet orbits.
    Transfer(u8, u8),
    /// Detach the marked ships as a new fleet.
    Split,
    /// Merge into the fleet of this rank.
    Merge(u16),
    /// Wait for other fleets to merge into this one.
    Receive,
}

/// The kinds of order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Document, Names)]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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

/// The end of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The winner; none in a draw.
    pub winner: Option<Seat>,
    /// The cause of the ending.
    pub cause: Cause,
    /// The last turn that was resolved.
    pub turn: u32,
    /// The scores, by seat.
    pub scores: Vec<Score>,
}

/// The cause of an ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The condition with this index was met: by one faction, or by several that tied.
    Condition(u8),
    /// The winner owned the most systems at the turn limit.
    Control,
    /// The winner had the most power among those with the most systems.
    Power,
    /// No faction was ahead at the turn limit.
    Draw,
    /// No faction that could win is left.
    MutualAnnihilation,
    /// All other factions left.
    Forfeit,
    /// All factions left.
    Void,
}

/// The possessions of a faction that count at the turn limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Score {
    /// Systems owned.
    pub n_systems: u32,
    /// The total hull points of its ships.
    pub power: u64,
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

    /// By condition: the holder of the hill and the number of turns.
    pub fn holds(&self) -> &[Option<Hold>] {
        &self.holds
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

impl Fleet {
    /// The total hull points of its ships.
    pub fn hull(&self) -> u64 {
        self.ships.iter().map(|it| u64::from(it.hull)).sum()
    }

    /// The system it orbits, or `None` in flight.
    #[inline]
    pub fn orbit(&self) -> Option<SystemIdx> {
        match self.place {
            Place::Orbit(system) => Some(system),
            Place::Moving { .. } => None,
        }
    }

    /// The position of the fleet.
    #[inline]
    pub fn at(&self, galaxy: &Galaxy) -> Point {
        match self.place {
            Place::Orbit(system) => galaxy.at(system),
            Place::Moving { at, .. } => at,
        }
    }

    /// Speed in thousandths of a light-year per turn: that of the slowest ship.
    pub fn speed_mly(&self) -> i64 {
        let speeds = self.ships.iter().map(|it| it.kind.class().speed_mly);
        speeds.min().unwrap_or(0)
    }

    /// The longest jump it can make, in thousandths of a light-year: limited by every ship's fuel
    /// and by the maximum jump.
    pub fn reach_mly(&self, unlimited_fuel: bool) -> i64 {
        if unlimited_fuel {
            return JUMP_MAX_MLY;
        }
        let reaches = self.ships.iter().map(|ship| {
            let class = ship.kind.class();
            i64::from(ship.fuel) * 10 / class.burn
        });
        reaches.min().unwrap_or(0).min(JUMP_MAX_MLY)
    }

    /// True if an army is aboard.
    pub fn has_army(&self) -> bool {
        self.ships.iter().any(|it| it.army.is_some())
    }

    /// True if a transport is empty.
    pub fn has_room(&self) -> bool {
        self.ships.iter().any(Ship::has_room)
    }
}

impl Ship {
    pub(crate) fn new(rank: u16, kind: ShipKind, army: Option<u16>) -> Ship {
        let class = kind.class();
        Ship {
            rank,
            kind,
            hull: class.hull,
            fuel: class.tank as i32,
            missiles: class.missiles.0,
            torpedoes: class.torpedoes.0,
            interceptors: class.interceptors,
            army,
            leaves: false,
        }
    }

    /// Refuses amounts above the maximum of the ship's type.
    fn check(&self, node: &Node<'_>, faults: &mut Faults) {
        let class = self.kind.class();
        for (key, most) in [
            ("fuel", class.tank),
            ("hull", class.hull.into()),
            ("interceptors", class.interceptors.into()),
            ("missiles", class.missiles.0.into()),
            ("torpedoes", class.torpedoes.0.into()),
        ] {
            node.field(key).int_in(0..=most, faults);
        }
    }

    /// True if an army can come aboard.
    pub fn has_room(&self) -> bool {
        self.kind == ShipKind::TroopTransport && self.army.is_none()
    }

    /// The fuel a jump costs, in hundredths.
    pub fn cost(&self, distance_mly: i64) -> i64 {
        let burnt = self.kind.class().burn * distance_mly;
        burnt / 10 + i64::from(burnt % 10 > 0)
    }
}

impl Army {
    pub(crate) fn new(owner: Seat, rank: u16, post: Post) -> Army {
        Army {
            owner,
            rank,
            strength: ARMY_STRENGTH,
            morale: MORALE_FULL,
            post,
        }
    }

    /// Strength weighted by morale.
    pub fn power(&self) -> u64 {
        u64::from(self.strength) * u64::from(self.morale) / u64::from(MORALE_FULL)
    }
}

impl Cause {
    /// The stable code of this cause.
    pub fn code(self, world: &World) -> &'static str {
        match self {
            Cause::Condition(idx) => {
                let conditions = world.scenario().conditions();
                conditions
                    .get(usize::from(idx))
                    .map_or("condition", |it| it.name())
            }
            Cause::Control => "tie_break_control",
            Cause::Power => "tie_break_power",
            Cause::Draw => "draw",
            Cause::MutualAnnihilation => "mutual_annihilation",
            Cause::Forfeit => "forfeit",
            Cause::Void => "void",
        }
    }
}

impl Ending {
    pub(crate) fn outcome(&self, world: &World) -> Outcome {
        let verdict = match (self.cause, self.winner) {
            (Cause::Void, _) => Verdict::Void,
            (_, Some(winner)) => Verdict::Winner(winner),
            (_, None) => Verdict::Draw,
        };
        let code = self.cause.code(world);
        let at_cap = matches!(self.cause, Cause::Control | Cause::Power | Cause::Draw);
        // The scenario's own limit is a rule of the match; the hard limit only cuts it off.
        let given = world.scenario().objectives.constraints.max_turns.is_some();
        if at_cap && !given {
            Outcome::truncated(verdict, code)
        } else {
            Outcome::decided(verdict, code)
        }
    }
}

/// Hands out consecutive ranks.
struct Ranks(u16);

impl Ranks {
    fn next_rank(&mut self) -> u16 {
        self.0 += 1;
        self.0 - 1
    }
}
