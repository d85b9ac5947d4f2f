//! Every number of the rules in one place. Changing one changes the rules version.

use std::fmt;

use kernel::doc::{Document, Names};
use schemars::JsonSchema;
use serde::Serialize;

/// The minimum number of factions in a match.
pub const FACTIONS_MIN: usize = 2;
/// The maximum number of factions in a match.
pub const FACTIONS_MAX: usize = 8;
/// The maximum number of systems in a galaxy.
pub const SYSTEMS_MAX: u32 = 20_000;
/// The maximum number of fleets in a scenario.
pub const INITIAL_FLEETS_MAX: usize = 4096;
/// The maximum number of ships of one faction in a scenario.
pub const SHIPS_MAX: usize = 8192;
/// The maximum number of bodies per system that troops can land on.
pub const LANDABLE_MAX: usize = 8;
/// A match without `maxTurns` is cut off after this many turns.
pub const TURNS_MAX: u32 = 1000;

/// The longest jump, in thousandths of a light-year.
pub const JUMP_MAX_MLY: i64 = 200_000;
/// Ships within this distance of a system count as being there and can be intercepted.
pub const CAPTURE_RANGE_MLY: i64 = 5_000;
/// The distance at which a fleet sees other fleets.
pub const SENSOR_RANGE_MLY: i64 = 15_000;
/// The radius of territory around an owned system.
pub const TERRITORY_RADIUS_MLY: i64 = 28_000;
/// The minimum spacing in a scenario that does not give one.
pub const SPACING_DEFAULT_MLY: i64 = 5_000;

/// Systems that a faction gets in addition to its home with the distribution `cluster`.
pub const CLUSTER_NEIGHBOURS: usize = 4;
/// Armies on a home system at the start.
pub const HOME_GARRISON: usize = 3;

/// The strength of a new army.
pub const ARMY_STRENGTH: u16 = 10_000;
/// An army at or below this strength is destroyed.
pub const ARMY_BROKEN: u16 = 2_000;
/// Full morale, in thousandths.
pub const MORALE_FULL: u16 = 1_000;
/// Morale never falls below this.
pub const MORALE_LEAST: u16 = 250;

/// The maximum number of rounds in a space battle.
pub const ROUNDS_MAX: u8 = 10;
/// A gun's chance to hit, before lock and evasion, in thousandths.
pub const ACCURACY: u32 = 850;
/// The gain of a target lock per round, in thousandths, up to 1000.
pub const LOCK_GAIN: u32 = 350;
/// The loss of the lock in a round without a target.
pub const LOCK_LOSS: u32 = 100;
/// The lock counts for at least this much.
pub const LOCK_LEAST: u32 = 100;
/// The maximum number of projectiles a ship launches per round.
pub const LAUNCHES_MAX: u8 = 3;
/// Rounds a missile flies.
pub const MISSILE_FLIGHT: u8 = 2;
/// Damage that point defense must do to destroy a missile.
pub const MISSILE_HULL: u16 = 50;
/// Rounds a torpedo flies.
pub const TORPEDO_FLIGHT: u8 = 3;
/// Damage that point defense must do to destroy a torpedo.
pub const TORPEDO_HULL: u16 = 150;
/// Damage per point of point defense and round.
pub const DEFENCE_DAMAGE: u16 = 6;
/// The chance that an interceptor is launched, in thousandths.
pub const INTERCEPTOR_SENT: u32 = 500;
/// The chance that an interceptor hits, in thousandths.
pub const INTERCEPTOR_HITS: u32 = 150;
/// The chance to keep a target, in thousandths.
pub const KEEP_TARGET: u32 = 600;
/// The chance that a capital ship targets bombers first, in thousandths.
pub const BOMBER_FOCUS: u32 = 250;
/// The chance to target transports first: in the first round, its rise per round, its maximum.
pub const TRANSPORT_FOCUS: (u32, u32, u32) = (50, 20, 120);
/// The damage to survivors of a battle: percent of the full hull, and the minimum in points.
pub const ATTRITION: (u16, u16) = (10, 15);

/// The chance that an army landing under a contested orbit is hit, in thousandths.
pub const LANDING_RISK: u32 = 350;
/// The share of its strength that a hit army loses, in thousandths.
pub const LANDING_LOSS: u32 = 350;

/// Strength that bombardment takes per warship, in thousandths, and the maximum.
pub const BOMBARD_STRENGTH: (u32, u32) = (3, 200);
/// Morale that bombardment takes per warship, in thousandths, and the maximum.
pub const BOMBARD_MORALE: (u32, u32) = (5, 300);

/// The loss of a side on the ground, in thousandths of the enemy's power.
pub const GROUND_LOSS: u64 = 350;
/// Morale lost per strength lost, in thousandths.
pub const GROUND_MORALE: u64 = 600;

/// Fuel an extractor makes per turn at a gas system, in hundredths.
pub const EXTRACTOR_FUEL: i64 = 50_000;
/// Fuel a tanker hands out per turn, in hundredths.
pub const TANKER_FUEL: i64 = 40_000;
/// The fuel a tanker keeps for itself, in percent of its capacity.
pub const TANKER_RESERVE: i64 = 10;
/// Hull that a supplied ship repairs per turn, in percent of its full hull.
pub const SUPPLY_REPAIR: u16 = 10;
/// A supplied ship rearms one part in this many of each magazine per turn, at least one round.
pub const SUPPLY_REARM: u8 = 4;
/// Morale that a supplied army regains per turn, in thousandths.
pub const SUPPLY_MORALE: u16 = 100;
/// Retreat thresholds that a fleet can be given, in percent of its side's initial power.
pub const RETREAT_SHARES: [u8; 4] = [0, 25, 50, 75];

/// A type of ship.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "snake_case")]
#[allow(
    missing_docs,
    reason = "the names are self-explanatory; the table below has the numbers"
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

/// The purpose of a ship: decides its targets, and whether it bombards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Fights in the line of battle.
    Capital,
    /// Escorts other ships.
    Screen,
    /// Fighters and bombers.
    Striker,
    /// Carries cargo, fuel or troops.
    Transport,
}

/// The properties of a ship type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class {
    /// Full hull points.
    pub hull: u16,
    /// Damage of a gun hit.
    pub gun: u16,
    /// Speed in thousandths of a light-year per turn.
    pub speed_mly: i64,
    /// Points of point defense.
    pub defence: u16,
    /// Chance to evade guns, in thousandths.
    pub evasion: u32,
    /// Missiles at the start, and the damage of each.
    pub missiles: (u8, u16),
    /// Torpedoes at the start, and the damage of each.
    pub torpedoes: (u8, u16),
    /// Interceptors at the start.
    pub interceptors: u8,
    /// The ship's purpose.
    pub role: Role,
    /// Full tank, in hundredths of a unit of fuel.
    pub tank: i64,
    /// Fuel burned per light-year, in whole units.
    pub burn: i64,
}

impl Class {
    /// The range of a full tank, in thousandths of a light-year.
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
    /// The properties of this ship type.
    #[inline]
    pub const fn class(self) -> &'static Class {
        &CLASSES[self as usize]
    }

    /// True for every ship except transports. Only warships bombard.
    pub fn is_warship(self) -> bool {
        self.class().role != Role::Transport
    }
}

impl fmt::Display for ShipKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
