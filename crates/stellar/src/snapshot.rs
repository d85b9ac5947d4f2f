//! A position as a document. Systems are named by their place in the galaxy's list, which is
//! in the order of ids and follows from the setup.

use kernel::{Seat, SeatSet};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::notation;
use crate::setup::{Setup, SetupDocument};
use crate::state::{Army, Cause, Draft, Ending, Fleet, Hold, Place, Post, Ship, Stellar};

/// A position as a document.
#[derive(Serialize, JsonSchema)]
pub struct Snapshot {
    #[schemars(with = "Vec<u8>")]
    alive: SeatSet,
    armies: Vec<ArmySnapshot>,
    battles: Vec<u16>,
    #[schemars(with = "Vec<u8>")]
    done: SeatSet,
    /// By seat: the order that is being composed, as words.
    drafts: Vec<Vec<String>>,
    end: Option<EndSnapshot>,
    fleets: Vec<FleetSnapshot>,
    fought: Vec<FoughtSnapshot>,
    holds: Vec<Option<HoldSnapshot>>,
    owners: Vec<Option<Seat>>,
    #[schemars(with = "Vec<u8>")]
    present: SeatSet,
    #[schemars(with = "SetupDocument")]
    setup: Setup,
    turn: u32,
}

#[derive(Serialize, JsonSchema)]
struct FleetSnapshot {
    /// Where it is in deep space, in thousandths of a light-year.
    at: Option<[i32; 3]>,
    breaks_off: bool,
    mission: Vec<String>,
    order: Option<Vec<String>>,
    owner: Seat,
    rank: u16,
    retreat: u8,
    retreat_next: Option<u8>,
    ships: Vec<ShipSnapshot>,
    /// The system that it orbits or goes to.
    system: u16,
}

#[derive(Serialize, JsonSchema)]
struct ShipSnapshot {
    army: Option<u16>,
    fuel: i32,
    hull: u16,
    interceptors: u8,
    kind: &'static str,
    leaves: bool,
    missiles: u8,
    rank: u16,
    torpedoes: u8,
}

#[derive(Serialize, JsonSchema)]
struct ArmySnapshot {
    body: Option<u8>,
    morale: u16,
    owner: Seat,
    rank: u16,
    strength: u16,
    /// Nothing for an army in a transport.
    system: Option<u16>,
}

#[derive(Serialize, JsonSchema)]
struct HoldSnapshot {
    holder: Seat,
    turns: u32,
}

#[derive(Serialize, JsonSchema)]
struct FoughtSnapshot {
    #[serde(serialize_with = "seed_text")]
    #[schemars(with = "String")]
    seed: u64,
    system: u16,
}

#[derive(Serialize, JsonSchema)]
struct EndSnapshot {
    cause: &'static str,
    condition: Option<u8>,
    scores: Vec<ScoreSnapshot>,
    turn: u32,
    winner: Option<Seat>,
}

#[derive(Serialize, JsonSchema)]
struct ScoreSnapshot {
    power: u64,
    systems: u32,
}

/// The names of causes; a condition says which one it is.
pub(crate) const CAUSES: [&str; 7] = [
    "condition",
    "tie_break_control",
    "tie_break_power",
    "draw",
    "mutual_annihilation",
    "forfeit",
    "void",
];

fn seed_text<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(seed)
}

impl Snapshot {
    pub(crate) fn of(at: &Stellar) -> Snapshot {
        let drafts = at.drafts[..at.world.n_seats()].iter();
        Snapshot {
            alive: at.alive,
            armies: at.armies.iter().map(ArmySnapshot::of).collect(),
            battles: at.battles.iter().map(|it| it.0).collect(),
            done: at.done,
            drafts: drafts.map(|it: &Draft| notation::draft(*it)).collect(),
            end: at.end.as_ref().map(EndSnapshot::of),
            fleets: at.fleets.iter().map(FleetSnapshot::of).collect(),
            fought: at
                .fought
                .iter()
                .map(|(system, seed)| FoughtSnapshot {
                    seed: *seed,
                    system: system.0,
                })
                .collect(),
            holds: at.holds.iter().map(|it| it.map(HoldSnapshot::of)).collect(),
            owners: at.owners.clone(),
            present: at.present,
            setup: Setup::of(std::sync::Arc::clone(&at.world)),
            turn: at.turn,
        }
    }
}

impl FleetSnapshot {
    fn of(fleet: &Fleet) -> FleetSnapshot {
        let (system, at) = match fleet.place {
            Place::Orbit(system) => (system, None),
            Place::Moving { at, to } => (to, Some([at.x, at.y, at.z])),
        };
        FleetSnapshot {
            at,
            breaks_off: fleet.breaks_off,
            mission: notation::mission(fleet.mission),
            order: fleet.order.map(notation::order),
            owner: fleet.owner,
            rank: fleet.rank,
            retreat: fleet.retreat,
            retreat_next: fleet.new_retreat,
            ships: fleet.ships.iter().map(ShipSnapshot::of).collect(),
            system: system.0,
        }
    }
}

impl ShipSnapshot {
    fn of(ship: &Ship) -> ShipSnapshot {
        ShipSnapshot {
            army: ship.army,
            fuel: ship.fuel,
            hull: ship.hull,
            interceptors: ship.interceptors,
            kind: ship.kind.name(),
            leaves: ship.leaves,
            missiles: ship.missiles,
            rank: ship.rank,
            torpedoes: ship.torpedoes,
        }
    }
}

impl ArmySnapshot {
    fn of(army: &Army) -> ArmySnapshot {
        let (system, body) = match army.post {
            Post::Ground(system, body) => (Some(system.0), Some(body)),
            Post::Aboard => (None, None),
        };
        ArmySnapshot {
            body,
            morale: army.morale,
            owner: army.owner,
            rank: army.rank,
            strength: army.strength,
            system,
        }
    }
}

impl HoldSnapshot {
    fn of(hold: Hold) -> HoldSnapshot {
        HoldSnapshot {
            holder: hold.holder,
            turns: hold.n_turns,
        }
    }
}

impl EndSnapshot {
    fn of(end: &Ending) -> EndSnapshot {
        let (cause, condition) = match end.cause {
            Cause::Condition(idx) => (0, Some(idx)),
            Cause::Control => (1, None),
            Cause::Power => (2, None),
            Cause::Draw => (3, None),
            Cause::MutualAnnihilation => (4, None),
            Cause::Forfeit => (5, None),
            Cause::Void => (6, None),
        };
        let scores = end.scores.iter().map(|it| ScoreSnapshot {
            power: it.power,
            systems: it.n_systems,
        });
        EndSnapshot {
            cause: CAUSES[cause],
            condition,
            scores: scores.collect(),
            turn: end.turn,
            winner: end.winner,
        }
    }
}
