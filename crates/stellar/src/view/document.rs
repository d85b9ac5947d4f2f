//! A view as a document for clients, and its schema.

use std::borrow::Cow;
use std::fmt;

use kernel::doc::Named;
use kernel::{Outcome, Seat, SeatSet};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use super::{Contact, View};
use crate::choices::Choice;
use crate::constants::{
    CAPTURE_RANGE_MLY, JUMP_MAX_MLY, SENSOR_RANGE_MLY, ShipKind, TERRITORY_RADIUS_MLY,
};
use crate::galaxy::SystemIdx;
use crate::scenario::Condition;
use crate::setup::Goal;
use crate::space::Point;
use crate::state::{Army, Cause, Draft, Fleet, Mission, Order, Place, Post, Score, Stellar};

/// Everything a viewer may know. Lengths are in thousandths of a light-year.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "View")]
pub(super) struct ViewDocument<'a> {
    /// The seats that had a fleet or a system when the last turn ended.
    alive: SeatSet,
    /// The visible armies, including your own.
    armies: Vec<ArmyDocument<'a>>,
    /// The visible foreign fleets.
    contacts: Vec<ContactDocument<'a>>,
    /// True once you have given all your orders for this turn.
    done: bool,
    /// The order that you are composing, as words.
    draft: Draft,
    /// Your own fleets with their sealed orders.
    fleets: Vec<FleetDocument<'a>>,
    /// Everything that stays the same during the match.
    map: MapDocument<'a>,
    /// The victory conditions, in the order of their declaration.
    objectives: Vec<ObjectiveDocument<'a>>,
    /// The outcome in the form common to all games; null until the match is over.
    outcome: Option<Outcome>,
    /// The owner of each system; null for none.
    owners: &'a [Option<Seat>],
    /// The seats that have not left.
    present: SeatSet,
    /// The result in detail; null until the match is over.
    result: Option<ResultDocument<'a>>,
    /// Your own score; null in the public view.
    score: Option<Score>,
    /// Your seat; null in the public view.
    seat: Option<Seat>,
    /// The turn that is being planned, from 1.
    turn: u32,
    /// The number of turns still to be resolved, including this one.
    turns_left: u32,
}

/// Everything that stays the same during a match; public.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "StarMap")]
struct MapDocument<'a> {
    /// The factions, by seat.
    factions: Vec<FactionDocument<'a>>,
    /// True if distant foreign forces are hidden.
    fog: bool,
    /// The last turn that is resolved.
    last_turn: u32,
    ranges: Ranges,
    systems: Vec<SystemDocument<'a>>,
    /// The scenario's title.
    title: &'a str,
}

/// Ranges, in thousandths of a light-year.
#[derive(Serialize, JsonSchema)]
struct Ranges {
    /// Ships within this distance of a system count as being there.
    capture: i64,
    /// The longest possible jump.
    jump: i64,
    /// The distance at which a fleet sees others.
    sensor: i64,
    /// The radius of territory around an owned system.
    territory: i64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "StarSystem")]
struct SystemDocument<'a> {
    /// True if extractors can make fuel here.
    gas: bool,
    /// The faction whose home it is.
    home_of: Option<Seat>,
    id: &'a str,
    /// The number of bodies that troops can land on.
    n_bodies: u8,
    name: &'a str,
    x: i32,
    y: i32,
    z: i32,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Faction")]
struct FactionDocument<'a> {
    /// The color, as `#RRGGBB`.
    color: &'a str,
    id: &'a str,
    name: &'a str,
}

/// One of your fleets.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OwnFleet")]
struct FleetDocument<'a> {
    at: Point,
    /// Every verb with its legal arguments or the reason it is illegal; empty when no orders are
    /// accepted.
    choices: Vec<Choice>,
    /// Its task on arrival, as words.
    mission: Mission,
    /// The id of the system it orbits; null in flight.
    orbit: Option<&'a str>,
    /// This turn's sealed order, as words; systems are given by index.
    order: Option<Order>,
    /// Its rank among its owner's fleets.
    rank: u16,
    /// The longest jump it can make.
    reach: i64,
    /// It breaks off a battle when its side falls below this percentage of its initial power.
    retreat: u8,
    /// The sealed change of `retreat`.
    retreat_next: Option<u8>,
    ships: Vec<ShipDocument>,
    /// The distance it travels per turn.
    speed: i64,
    /// The id of the system it is heading for; null in orbit.
    to: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OwnShip")]
struct ShipDocument {
    /// The rank of the army aboard.
    army: Option<u16>,
    /// Fuel in hundredths.
    fuel: i32,
    /// Remaining hull points.
    hull: u16,
    /// Full hull points of this type.
    hull_max: u16,
    interceptors: u8,
    kind: ShipKind,
    /// True if it leaves by the split that is ordered or being composed.
    leaves: bool,
    missiles: u8,
    torpedoes: u8,
}

/// A visible foreign fleet.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Contact")]
struct ContactDocument<'a> {
    at: Point,
    orbit: Option<&'a str>,
    owner: Seat,
    rank: u16,
    /// The type and remaining hull of each ship.
    ships: Vec<(ShipKind, u16)>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SeenArmy")]
struct ArmyDocument<'a> {
    /// The body it is on; null aboard a transport.
    body: Option<u8>,
    /// Morale in thousandths.
    morale: u16,
    owner: Seat,
    rank: u16,
    strength: u16,
    /// The id of the system it is in; null aboard a transport.
    system: Option<&'a str>,
}

/// A victory condition and the progress towards it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Objective")]
struct ObjectiveDocument<'a> {
    #[serde(rename = "type")]
    #[schemars(schema_with = "condition_names")]
    kind: &'static str,
    /// The number of systems or of turns held that is needed, or the turn to survive.
    #[serde(skip_serializing_if = "Option::is_none")]
    needed: Option<u32>,
    /// For domination: the systems owned, by seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<Vec<usize>>,
    /// For a hill: the id of the system.
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<&'a str>,
    /// For a hill: the faction that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    holder: Option<Seat>,
    /// For a hill: the number of turns it has been held in a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    held: Option<u32>,
    /// For a hill: the reason for the current count.
    #[serde(skip_serializing_if = "Option::is_none")]
    hill: Option<HillState>,
    /// For survival: the factions it counts for.
    #[serde(skip_serializing_if = "Option::is_none")]
    survivors: Option<SeatSet>,
}

/// The state of a hill.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum HillState {
    /// No turn has been resolved yet.
    Unasked,
    /// Nobody owns it.
    Unowned,
    /// Foreign ships are in its orbit, so the count is 0.
    Contested,
    /// Its owner holds it.
    Held,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "MatchResult")]
struct ResultDocument<'a> {
    /// The index of the condition that decided; null for other causes.
    condition: Option<u8>,
    /// The cause, as a stable code.
    reason: &'static str,
    /// The scores, by seat.
    scores: &'a [Score],
    /// The last turn that was resolved.
    turn: u32,
    winner: Option<Seat>,
}

fn condition_names(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": Condition::NAMES })
}

impl JsonSchema for View {
    fn schema_name() -> Cow<'static, str> {
        ViewDocument::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        ViewDocument::json_schema(generator)
    }
}

impl View {
    pub(super) fn id(&self, system: SystemIdx) -> &str {
        &self.world.galaxy().system(system).id
    }

    pub(super) fn document(&self) -> ViewDocument<'_> {
        let known = self.known();
        ViewDocument {
            alive: self.alive,
            armies: self.armies.iter().map(|it| self.army(it)).collect(),
            contacts: self.contacts.iter().map(|it| self.contact(it)).collect(),
            done: self.done,
            draft: self.draft,
            fleets: self
                .fleets
                .iter()
                .map(|it| self.fleet(it, known.as_ref()))
                .collect(),
            map: self.map(),
            objectives: (0..self.world.goals().len())
                .map(|idx| self.objective(idx))
                .collect(),
            outcome: self.outcome(),
            owners: &self.owners,
            present: self.present,
            result: self.result(),
            score: self.score,
            seat: self.seat,
            turn: self.turn,
            turns_left: (self.world.last_turn() + 1).saturating_sub(self.turn),
        }
    }

    /// A position that holds only what the viewer knows of its own forces. Legality depends on
    /// nothing else, so this position and the real one allow the same orders.
    pub(crate) fn known(&self) -> Option<Stellar> {
        let seat = self.seat?;
        let own = self.armies.iter().filter(|it| it.owner == seat);
        let known = Stellar {
            world: std::sync::Arc::clone(&self.world),
            turn: self.turn,
            owners: self.owners.clone(),
            fleets: self.fleets.clone(),
            armies: own.copied().collect(),
            holds: self.holds.clone(),
            present: self.present,
            alive: self.alive,
            done: match self.done {
                true => SeatSet::only(seat),
                false => SeatSet::EMPTY,
            },
            drafts: [crate::Draft::Idle; crate::constants::FACTIONS_MAX],
            battles: Vec::new(),
            fought: Vec::new(),
            end: self.ending.clone(),
        };
        known.is_open(seat).then_some(known)
    }

    fn map(&self) -> MapDocument<'_> {
        let scenario = self.world.scenario();
        let factions = scenario.setup.factions.iter();
        MapDocument {
            factions: factions
                .map(|it| FactionDocument {
                    color: &it.color_hex,
                    id: &it.id,
                    name: &it.name,
                })
                .collect(),
            fog: scenario.rules.fog_of_war,
            last_turn: self.world.last_turn(),
            ranges: Ranges {
                capture: CAPTURE_RANGE_MLY,
                jump: JUMP_MAX_MLY,
                sensor: SENSOR_RANGE_MLY,
                territory: TERRITORY_RADIUS_MLY,
            },
            systems: self.systems(),
            title: &scenario.meta.title,
        }
    }

    fn result(&self) -> Option<ResultDocument<'_>> {
        self.ending.as_ref().map(|it| ResultDocument {
            condition: match it.cause {
                Cause::Condition(idx) => Some(idx),
                _ => None,
            },
            reason: it.cause.code(&self.world),
            scores: &it.scores,
            turn: it.turn,
            winner: it.winner,
        })
    }

    fn systems(&self) -> Vec<SystemDocument<'_>> {
        let galaxy = self.world.galaxy();
        let home_of =
            |idx| Seat::first(self.world.n_seats()).find(|it| galaxy.home(*it) == Some(idx));
        let systems = galaxy.indices().zip(galaxy.systems());
        systems
            .map(|(idx, system)| SystemDocument {
                gas: system.has_gas,
                home_of: home_of(idx),
                id: &system.id,
                n_bodies: system.n_landable,
                name: &system.name,
                x: system.at.x,
                y: system.at.y,
                z: system.at.z,
            })
            .collect()
    }

    fn fleet(&self, fleet: &Fleet, known: Option<&Stellar>) -> FleetDocument<'_> {
        let unlimited = self.world.scenario().rules.unlimited_fuel;
        FleetDocument {
            at: fleet.at(self.world.galaxy()),
            choices: known.map_or(Vec::new(), |it| it.choices(fleet)),
            mission: fleet.mission,
            orbit: fleet.orbit().map(|it| self.id(it)),
            order: fleet.order,
            rank: fleet.rank,
            reach: fleet.reach_mly(unlimited),
            retreat: fleet.retreat,
            retreat_next: fleet.new_retreat,
            ships: fleet
                .ships
                .iter()
                .map(|ship| ShipDocument {
                    army: ship.army,
                    fuel: ship.fuel,
                    hull: ship.hull,
                    hull_max: ship.kind.class().hull,
                    interceptors: ship.interceptors,
                    kind: ship.kind,
                    leaves: ship.leaves,
                    missiles: ship.missiles,
                    torpedoes: ship.torpedoes,
                })
                .collect(),
            speed: fleet.speed_mly(),
            to: match fleet.place {
                Place::Orbit(_) => None,
                Place::Moving { to, .. } => Some(self.id(to)),
            },
        }
    }

    fn contact(&self, contact: &Contact) -> ContactDocument<'_> {
        ContactDocument {
            at: contact.at,
            orbit: contact.orbit.map(|it| self.id(it)),
            owner: contact.owner,
            rank: contact.rank,
            ships: contact.ships.clone(),
        }
    }

    fn army(&self, army: &Army) -> ArmyDocument<'_> {
        let (system, body) = match army.post {
            Post::Ground(system, body) => (Some(self.id(system)), Some(body)),
            Post::Aboard => (None, None),
        };
        ArmyDocument {
            body,
            morale: army.morale,
            owner: army.owner,
            rank: army.rank,
            strength: army.strength,
            system,
        }
    }

    fn objective(&self, idx: usize) -> ObjectiveDocument<'_> {
        let mut document = ObjectiveDocument {
            kind: self.world.scenario().conditions()[idx].name(),
            needed: None,
            progress: None,
            system: None,
            holder: None,
            held: None,
            hill: None,
            survivors: None,
        };
        match self.world.goals()[idx] {
            Goal::Elimination => {}
            Goal::Domination(needed) => {
                let seats = Seat::first(self.world.n_seats());
                document.needed = Some(needed as u32);
                document.progress = Some(seats.map(|it| self.n_owned(it)).collect());
            }
            Goal::Hill(system, needed) => {
                document.needed = Some(needed);
                document.system = Some(self.id(system));
                document.holder = self.holds[idx].map(|it| it.holder);
                document.held = Some(self.holds[idx].map_or(0, |it| it.n_turns));
                document.hill = Some(self.hill(idx, system));
            }
            Goal::Survival(turn) => {
                document.needed = Some(turn);
                document.survivors = Some(self.world.survivors());
            }
        }
        document
    }

    /// Writes the conditions, one per line.
    pub(super) fn write_objectives(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for idx in 0..self.world.goals().len() {
            let it = self.objective(idx);
            write!(f, "  {}", it.kind)?;
            if let Some(system) = it.system {
                write!(f, " {system} held {}", it.held.unwrap_or(0))?;
            }
            if let Some(needed) = it.needed {
                write!(f, " of {needed}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    /// Derives the state from owners and counts, which are public: if an owner does not hold its
    /// hill after a turn, the only possible reason is foreign ships in its orbit.
    fn hill(&self, idx: usize, system: SystemIdx) -> HillState {
        let asked = self.turn > 1 || self.ending.is_some();
        match (self.holds[idx], self.owners[system.index()]) {
            (Some(_), _) => HillState::Held,
            (None, None) => HillState::Unowned,
            (None, Some(_)) if asked => HillState::Contested,
            (None, Some(_)) => HillState::Unasked,
        }
    }
}
