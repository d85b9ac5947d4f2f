//! Every number of the rules in one place. A change here is a change of the rules version.

use std::fmt;

use kernel::doc::{Document, Names};
use schemars::JsonSchema;
use serde::Serialize;

/// The fewest factions of a match.
pub const FACTIONS_MIN: usize = 2;
/// The most factions of a match.
pub const FACTIONS_MAX: usize = 8;
/// The most systems of a galaxy.
pub const SYSTEMS_MAX: u32 = 20_000;
/// The most fleets in a scenario.
pub const INITIAL_FLEETS_MAX: usize = 4096;
/// The most ships of one faction in a scenario.
pub const SHIPS_MAX: usize = 8192;
/// The most bodies of a system that troops can land on.
pub const LANDABLE_MAX: usize = 8;
/// A match without `maxTurns` is cut off after this many turns.
pub const TURNS_MAX: u32 = 1000;

/// The farthest a fleet jumps, in thousandths of a light-year.
pub const JUMP_MAX_MLY: i64 = 200_000;
/// Ships this near to a system are at it: they can be caught there.
pub const CAPTURE_RANGE_MLY: i64 = 5_000;
/// A fleet sees other fleets this far.
pub const SENSOR_RANGE_MLY: i64 = 15_000;
/// An owned system is the centre of territory this far.
pub const TERRITORY_RADIUS_MLY: i64 = 28_000;
/// The spacing of a scenario that does not give one.
pub const SPACING_DEFAULT_MLY: i64 = 5_000;

/// Systems that a faction takes beside its home with the distribution `cluster`.
pub const CLUSTER_NEIGHBOURS: usize = 4;
/// Armies on a homeworld at the start.
pub const HOME_GARRISON: usize = 3;

/// Strength of a new army.
pub const ARMY_STRENGTH: u16 = 10_000;
/// An army at or below this strength is destroyed.
pub const ARMY_BROKEN: u16 = 2_000;
/// Full morale, in thousandths.
pub const MORALE_FULL: u16 = 1_000;
/// Morale never falls below this.
pub const MORALE_LEAST: u16 = 250;

/// Rounds of a space battle.
pub const ROUNDS_MAX: u8 = 10;
/// Chance of a gun to hit, before lock and evasion, in thousandths.
pub const ACCURACY: u32 = 850;
/// Gain of the lock on a target per round, in thousandths, up to 1000.
pub const LOCK_GAIN: u32 = 350;
/// Loss of the lock in a round without a target.
pub const LOCK_LOSS: u32 = 100;
/// The lock counts at least this much.
pub const LOCK_LEAST: u32 = 100;
/// Projectiles a ship launches per round.
pub const LAUNCHES_MAX: u8 = 3;
/// Rounds a missile flies.
pub const MISSILE_FLIGHT: u8 = 2;
/// Damage that point defence must do to a missile.
pub const MISSILE_HULL: u16 = 50;
/// Rounds a torpedo flies.
pub const TORPEDO_FLIGHT: u8 = 3;
/// Damage that point defence must do to a torpedo.
pub const TORPEDO_HULL: u16 = 150;
/// Damage per point of point defence and round.
pub const DEFENCE_DAMAGE: u16 = 6;
/// Chance that an interceptor is sent, in thousandths.
pub const INTERCEPTOR_SENT: u32 = 500;
/// Chance that it hits, in thousandths.
pub const INTERCEPTOR_HITS: u32 = 150;
/// Chance to stay on a target, in thousandths.
pub const KEEP_TARGET: u32 = 600;
/// Chance that a capital ship looks for bombers first, in thousandths.
pub const BOMBER_FOCUS: u32 = 250;
/// Chance to look for transports first in the first round, its rise per round, its most.
pub const TRANSPORT_FOCUS: (u32, u32, u32) = (50, 20, 120);
/// What survivors of a battle lose: this share of the full hull in hundredths, at least so much.
pub const ATTRITION: (u16, u16) = (10, 15);

/// Chance that an army which lands under a contested orbit is hit, in thousandths.
pub const LANDING_RISK: u32 = 350;
/// What it then loses, in thousandths.
pub const LANDING_LOSS: u32 = 350;

/// Strength that bombardment takes per warship, in thousandths, and the most.
pub const BOMBARD_STRENGTH: (u32, u32) = (3, 200);
/// Morale that bombardment takes per warship, in thousandths, and the most.
pub const BOMBARD_MORALE: (u32, u32) = (5, 300);

/// What a side loses on the ground, in thousandths of the enemy's power.
pub const GROUND_LOSS: u64 = 350;
/// Morale lost per strength lost, in thousandths.
pub const GROUND_MORALE: u64 = 600;

/// Fuel an extractor makes per turn at a gas system, in hundredths.
pub const EXTRACTOR_FUEL: i64 = 50_000;
/// Fuel a tanker hands out per turn, in hundredths.
pub const TANKER_FUEL: i64 = 40_000;
/// What a tanker keeps for itself, in hundredths of its capacity.
pub const TANKER_RESERVE: i64 = 10;
/// In supply, what a ship repairs per turn, in hundredths of its full hull.
pub const SUPPLY_REPAIR: u16 = 10;
/// In supply, what a magazine gets back per turn, as one part in so many, at least one.
pub const SUPPLY_REARM: u8 = 4;
/// In supply, the morale that an army gets back per turn, in thousandths.
pub const SUPPLY_MORALE: u16 = 100;
/// Shares of its power, in hundredths, below which a side can be told to break off.
pub const RETREAT_SHARES: [u8; 4] = [0, 25, 50, 75];

/// A type of ship.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "snake_case")]
#[allow(
    missing_docs,
    reason = "the names say it; the table below says the rest"
)]
pub enum ShipKind {
    Carrier,
    Cruiser,
    Destroyer,
    Frigate,
    Fighter,
    Bomber,
    TroopTransport,
    Tanker,
    Extractor,
}

/// What a ship is for: whom it shoots at, and whether it bombards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The line of battle.
    Capital,
    /// Escorts.
    Screen,
    /// Fighters and bombers.
    Striker,
    /// Whatever carries something.
    Transport,
}

/// What a type of ship can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class {
    /// Full hull.
    pub hull: u16,
    /// Damage of a hit by guns.
    pub gun: u16,
    /// Thousandths of a light-year per turn.
    pub speed_mly: i64,
    /// Points of point defence.
    pub defence: u16,
    /// Chance to evade guns, in thousandths.
    pub evasion: u32,
    /// Missiles at the start, and the damage of each.
    pub missiles: (u8, u16),
    /// Torpedoes at the start, and the damage of each.
    pub torpedoes: (u8, u16),
    /// Interceptors at the start.
    pub interceptors: u8,
    /// What it is for.
    pub role: Role,
    /// Full tank, in hundredths.
    pub tank: i64,
    /// Fuel per light-year.
    pub burn: i64,
}

impl Class {
    /// How far a full tank goes, in thousandths of a light-year.
    pub const fn range_mly(&self) -> i64 {
        self.tank * 10 / self.burn
    }
}

#[rustfmt::skip]
const CLASSES: [Class; 9] = [
    Class { hull: 2500, gun: 20, speed_mly: 20_000, defence: 30, evasion:  50, missiles: ( 0,  0), torpedoes: (0,   0), interceptors:  0, role: Role::Capital,   tank:   500_000, burn: 12 },
    Class { hull: 1200, gun: 80, speed_mly: 22_500, defence: 15, evasion: 150, missiles: (12, 30), torpedoes: (4, 150), interceptors: 12, role: Role::Capital,   tank:   300_000, burn:  8 },
    Class { hull:  600, gun: 40, speed_mly: 25_000, defence: 40, evasion: 250, missiles: ( 8, 25), torpedoes: (0,   0), interceptors:  8, role: Role::Screen,    tank:   200_000, burn:  6 },
    Class { hull:  300, gun: 20, speed_mly: 30_000, defence:  5, evasion: 500, missiles: ( 4, 20), torpedoes: (2, 100), interceptors:  4, role: Role::Screen,    tank:   150_000, burn:  4 },
    Class { hull:   50, gun: 10, speed_mly: 37_500, defence:  0, evasion: 800, missiles: ( 2, 15), torpedoes: (0,   0), interceptors:  2, role: Role::Striker,   tank:    12_000, burn:  2 },
    Class { hull:   80, gun:  5, speed_mly: 27_500, defence:  0, evasion: 600, missiles: ( 0,  0), torpedoes: (4, 120), interceptors:  0, role: Role::Striker,   tank:    18_000, burn:  3 },
    Class { hull: 2000, gun:  0, speed_mly: 20_000, defence: 10, evasion:  50, missiles: ( 0,  0), torpedoes: (0,   0), interceptors:  0, role: Role::Transport, tank:   300_000, burn: 10 },
    Class { hull: 1400, gun: 10, speed_mly: 21_250, defence:  8, evasion: 120, missiles: ( 0,  0), torpedoes: (0,   0), interceptors:  0, role: Role::Transport, tank: 1_200_000, burn: 10 },
    Class { hull:  700, gun: 15, speed_mly: 23_750, defence:  6, evasion: 200, missiles: ( 0,  0), torpedoes: (0,   0), interceptors:  0, role: Role::Transport, tank:   500_000, burn: 10 },
];

impl ShipKind {
    /// What it can do.
    #[inline]
    pub const fn class(self) -> &'static Class {
        &CLASSES[self as usize]
    }

    /// Whether it fights and bombards, other than by the way.
    pub fn is_warship(self) -> bool {
        self.class().role != Role::Transport
    }
}

impl fmt::Display for ShipKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
