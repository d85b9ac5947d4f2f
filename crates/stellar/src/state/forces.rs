//! Fleets, ships and armies.

use kernel::Seat;
use kernel::doc::{Document, Faults, Node};
use schemars::JsonSchema;
use serde::Serialize;

use crate::constants::{ARMY_STRENGTH, JUMP_MAX_MLY, MORALE_FULL, RETREAT_SHARES, ShipKind};
use crate::galaxy::{Galaxy, SystemIdx};
use crate::snapshot::{PlaceSnapshot, PostSnapshot};
use crate::space::Point;

/// A group of ships that move together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[schemars(rename = "FleetSnapshot")]
#[document(check = Fleet::check)]
pub struct Fleet {
    /// True if it broke off a battle this turn.
    pub(crate) breaks_off: bool,
    /// Its task on arrival.
    pub mission: Mission,
    /// This turn's sealed order.
    pub order: Option<Order>,
    /// The faction that owns it.
    pub owner: Seat,
    /// Its place.
    #[serde(flatten)]
    pub place: Place,
    /// Its rank among its owner's fleets: the lowest that was free when it was formed.
    pub rank: u16,
    /// The retreat threshold: it breaks off a battle when its side falls below this percentage of
    /// its initial power.
    pub retreat: u8,
    /// The sealed change of `retreat`.
    #[serde(rename = "retreat_next")]
    pub new_retreat: Option<u8>,
    /// The ships in the order of rank; at least one.
    pub ships: Vec<Ship>,
}

/// The place of a fleet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(from = "PlaceSnapshot", into = "PlaceSnapshot")]
#[document(object)]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(into = "Vec<String>")]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[schemars(rename = "ArmySnapshot")]
pub struct Army {
    /// Its morale in thousandths.
    pub morale: u16,
    /// The faction that owns it.
    pub owner: Seat,
    /// Its place.
    #[serde(flatten)]
    pub post: Post,
    /// Its rank among its owner's armies; never reused.
    pub rank: u16,
    /// Its strength: always above the strength at which an army breaks.
    pub strength: u16,
}

/// The place of an army.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(from = "PostSnapshot", into = "PostSnapshot")]
#[document(object)]
pub enum Post {
    /// On a body of a system.
    Ground(SystemIdx, u8),
    /// In a transport.
    Aboard,
}

/// A fleet's order for this turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(into = "Vec<String>")]
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

    fn check(&self, node: &Node<'_>, faults: &mut Faults) {
        let shares = [
            ("retreat", Some(self.retreat)),
            ("retreat_next", self.new_retreat),
        ];
        for (key, share) in shares {
            if share.is_some_and(|share| !RETREAT_SHARES.contains(&share)) {
                let expected = format!("one of {RETREAT_SHARES:?}");
                let _: Option<()> = node.field(key).refuse("out_of_range", &expected, faults);
            }
        }
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
