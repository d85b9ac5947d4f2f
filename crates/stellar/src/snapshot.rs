//! A position as a document. Systems are given by index in the galaxy's list, which is sorted by id
//! and follows from the setup.

use kernel::doc::{Document, Faults, Node, Object};
use kernel::{Seat, SeatSet, SnapshotOf, Table};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::check;
use crate::constants::{FACTIONS_MAX, LANDABLE_MAX, RETREAT_SHARES};
use crate::galaxy::SystemIdx;
use crate::setup::{Setup, SetupDocument};
use crate::space::Point;
use crate::state::{
    Army, Cause, Draft, Ending, Fleet, Hold, Mission, Order, Place, Post, Score, Ship, Stellar,
};

/// A position as a document.
#[derive(Serialize, JsonSchema, Document)]
pub struct Snapshot {
    alive: SeatSet,
    armies: Vec<ArmySnapshot>,
    battles: Vec<SystemIdx>,
    done: SeatSet,
    /// By seat: the order that is being composed, as words.
    drafts: Vec<Draft>,
    end: Option<EndSnapshot>,
    fleets: Vec<FleetSnapshot>,
    fought: Vec<FoughtSnapshot>,
    #[document(read_with = read_holds)]
    holds: Vec<Option<Hold>>,
    owners: Vec<Option<Seat>>,
    present: SeatSet,
    #[schemars(with = "SetupDocument")]
    setup: Setup,
    #[schemars(range(min = 1, max = i32::MAX))]
    turn: u32,
}

#[derive(Serialize, JsonSchema, Document)]
#[document(check = FleetSnapshot::check)]
struct FleetSnapshot {
    /// The position in deep space, in thousandths of a light-year; null in orbit.
    at: Option<[Coordinate; 3]>,
    breaks_off: bool,
    mission: Mission,
    order: Option<Order>,
    owner: Seat,
    rank: u16,
    retreat: u8,
    retreat_next: Option<u8>,
    ships: Vec<Ship>,
    /// The system that it orbits or is heading for.
    system: SystemIdx,
}

/// A coordinate of a fleet, bounded by what scenarios allow.
#[derive(Clone, Copy, Serialize, JsonSchema, Document)]
#[serde(transparent)]
#[schemars(inline)]
struct Coordinate(#[schemars(range(min = -200_000_000, max = 200_000_000))] i32);

#[derive(Serialize, JsonSchema, Document)]
#[document(check = ArmySnapshot::check)]
struct ArmySnapshot {
    #[schemars(range(max = LANDABLE_MAX - 1))]
    body: Option<u8>,
    morale: u16,
    owner: Seat,
    rank: u16,
    strength: u16,
    /// The system it is in; null for an army aboard a transport.
    system: Option<SystemIdx>,
}

#[derive(Serialize, JsonSchema, Document)]
struct FoughtSnapshot {
    #[serde(serialize_with = "seed_text")]
    #[schemars(with = "String")]
    #[document(read_with = read_seed)]
    seed: u64,
    system: SystemIdx,
}

#[derive(Serialize, JsonSchema, Document)]
#[document(check = EndSnapshot::check)]
struct EndSnapshot {
    cause: CauseName,
    #[schemars(range(max = 15))]
    condition: Option<u8>,
    scores: Vec<ScoreSnapshot>,
    turn: u32,
    winner: Option<Seat>,
}

/// The cause of the ending. The cause `condition` comes with an index.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, Document)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum CauseName {
    Condition,
    TieBreakControl,
    TieBreakPower,
    Draw,
    MutualAnnihilation,
    Forfeit,
    Void,
}

#[derive(Clone, Copy, Serialize, JsonSchema, Document)]
struct ScoreSnapshot {
    power: u64,
    systems: u32,
}

impl SnapshotOf<Stellar> for Snapshot {
    fn of(at: &Stellar) -> Snapshot {
        let fought = at.fought.iter();
        Snapshot {
            alive: at.alive,
            armies: at.armies.iter().map(ArmySnapshot::of).collect(),
            battles: at.battles.clone(),
            done: at.done,
            drafts: at.drafts[..at.world.n_seats()].to_vec(),
            end: at.end.as_ref().map(EndSnapshot::of),
            fleets: at.fleets.iter().map(FleetSnapshot::of).collect(),
            fought: fought
                .map(|&(system, seed)| FoughtSnapshot { seed, system })
                .collect(),
            holds: at.holds.clone(),
            owners: at.owners.clone(),
            present: at.present,
            setup: Setup::of(std::sync::Arc::clone(&at.world)),
            turn: at.turn,
        }
    }

    /// Reads a position. Refuses one that play could not have produced.
    fn restore(node: &Node<'_>, faults: &mut Faults) -> Option<Stellar> {
        let n_faults = faults.len();
        let read = Snapshot::read_beside(node, &Table::<Stellar>::KEYS, faults)?;
        let world = read.setup.world();
        node.field("drafts").list_of_len(world.n_seats(), faults)?;
        let mut drafts = [Draft::Idle; FACTIONS_MAX];
        drafts[..read.drafts.len()].copy_from_slice(&read.drafts);
        let holds = match node.field("holds").exists() {
            true => read.holds,
            false => vec![None; world.goals().len()],
        };
        let fought = read.fought.iter();
        let at = Stellar {
            turn: read.turn,
            owners: read.owners,
            fleets: read.fleets.into_iter().map(FleetSnapshot::fleet).collect(),
            armies: read.armies.iter().map(ArmySnapshot::army).collect(),
            holds,
            present: read.present,
            alive: read.alive,
            done: read.done,
            drafts,
            battles: read.battles,
            fought: fought.map(|it| (it.system, it.seed)).collect(),
            end: read.end.map(EndSnapshot::ending),
            world,
        };
        if faults.len() == n_faults {
            check::check(&at, node, faults);
        }
        (faults.len() == n_faults).then_some(at)
    }
}

/// Reads the hill counts. In a snapshot that has none they start at 0, with a warning.
fn read_holds(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<Option<Hold>>> {
    if node.exists() {
        return Document::read(node, faults);
    }
    let message = "this snapshot has no hill counts: they start at 0";
    faults.warn(node, "counts_start_at_zero", message);
    Some(Vec::new())
}

fn seed_text<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(seed)
}

fn read_seed(node: &Node<'_>, faults: &mut Faults) -> Option<u64> {
    let text = node.text(faults)?;
    let number: Option<u64> = text.parse().ok();
    let canonical = number.filter(|it| it.to_string() == text);
    canonical.or_else(|| node.refuse("out_of_range", "a 64-bit number as text", faults))
}

impl FleetSnapshot {
    fn of(fleet: &Fleet) -> FleetSnapshot {
        let (system, at) = match fleet.place {
            Place::Orbit(system) => (system, None),
            Place::Moving { at, to } => (to, Some([at.x, at.y, at.z].map(Coordinate))),
        };
        FleetSnapshot {
            at,
            breaks_off: fleet.breaks_off,
            mission: fleet.mission,
            order: fleet.order,
            owner: fleet.owner,
            rank: fleet.rank,
            retreat: fleet.retreat,
            retreat_next: fleet.new_retreat,
            ships: fleet.ships.clone(),
            system,
        }
    }

    fn check(&self, node: &Node<'_>, faults: &mut Faults) {
        let shares = [
            ("retreat", Some(self.retreat)),
            ("retreat_next", self.retreat_next),
        ];
        for (key, share) in shares {
            if share.is_some_and(|share| !RETREAT_SHARES.contains(&share)) {
                let expected = format!("one of {RETREAT_SHARES:?}");
                let _: Option<()> = node.field(key).refuse("out_of_range", &expected, faults);
            }
        }
    }

    fn fleet(self) -> Fleet {
        Fleet {
            owner: self.owner,
            rank: self.rank,
            place: match self.at {
                None => Place::Orbit(self.system),
                Some([x, y, z]) => Place::Moving {
                    at: Point {
                        x: x.0,
                        y: y.0,
                        z: z.0,
                    },
                    to: self.system,
                },
            },
            mission: self.mission,
            retreat: self.retreat,
            ships: self.ships,
            order: self.order,
            new_retreat: self.retreat_next,
            breaks_off: self.breaks_off,
        }
    }
}

impl ArmySnapshot {
    fn of(army: &Army) -> ArmySnapshot {
        let (system, body) = match army.post {
            Post::Ground(system, body) => (Some(system), Some(body)),
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

    fn check(&self, node: &Node<'_>, faults: &mut Faults) {
        if self.system.is_some() != self.body.is_some() {
            let message = "an army must have both a system and a body, or neither";
            faults.at(node, "contradiction", message);
        }
    }

    fn army(&self) -> Army {
        Army {
            owner: self.owner,
            rank: self.rank,
            strength: self.strength,
            morale: self.morale,
            post: match (self.system, self.body) {
                (Some(system), Some(body)) => Post::Ground(system, body),
                _ => Post::Aboard,
            },
        }
    }
}

impl EndSnapshot {
    fn of(end: &Ending) -> EndSnapshot {
        let scores = end.scores.iter().map(|it| ScoreSnapshot {
            power: it.power,
            systems: it.n_systems,
        });
        EndSnapshot {
            cause: match end.cause {
                Cause::Condition(_) => CauseName::Condition,
                Cause::Control => CauseName::TieBreakControl,
                Cause::Power => CauseName::TieBreakPower,
                Cause::Draw => CauseName::Draw,
                Cause::MutualAnnihilation => CauseName::MutualAnnihilation,
                Cause::Forfeit => CauseName::Forfeit,
                Cause::Void => CauseName::Void,
            },
            condition: match end.cause {
                Cause::Condition(idx) => Some(idx),
                _ => None,
            },
            scores: scores.collect(),
            turn: end.turn,
            winner: end.winner,
        }
    }

    fn check(&self, node: &Node<'_>, faults: &mut Faults) {
        if (self.cause == CauseName::Condition) != self.condition.is_some() {
            let message = "expected an index exactly when the cause is a condition";
            faults.at(&node.field("condition"), "contradiction", message);
        }
    }

    fn ending(self) -> Ending {
        let scores = self.scores.iter().map(|it| Score {
            n_systems: it.systems,
            power: it.power,
        });
        Ending {
            winner: self.winner,
            cause: match self.cause {
                CauseName::Condition => Cause::Condition(self.condition.unwrap_or_default()),
                CauseName::TieBreakControl => Cause::Control,
                CauseName::TieBreakPower => Cause::Power,
                CauseName::Draw => Cause::Draw,
                CauseName::MutualAnnihilation => Cause::MutualAnnihilation,
                CauseName::Forfeit => Cause::Forfeit,
                CauseName::Void => Cause::Void,
            },
            turn: self.turn,
            scores: scores.collect(),
        }
    }
}
