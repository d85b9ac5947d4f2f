//! A view as a document: what goes to clients, and its shape.

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

/// A view, with all that its viewer may know. Lengths are thousandths of a light-year.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "View")]
pub(super) struct ViewDocument<'a> {
    /// The seats that had a fleet or a system when the last turn ended.
    alive: SeatSet,
    /// Armies that are seen, the own ones included.
    armies: Vec<ArmyDocument<'a>>,
    /// Foreign fleets that are seen.
    contacts: Vec<ContactDocument<'a>>,
    /// Whether all own orders are given.
    done: bool,
    /// The own order that is being composed, as words.
    draft: Draft,
    /// The own fleets with their sealed orders.
    fleets: Vec<FleetDocument<'a>>,
    /// All that stays the same through the match.
    map: MapDocument<'a>,
    /// In the order of their declaration.
    objectives: Vec<ObjectiveDocument<'a>>,
    /// How the match ended, as every game says it.
    outcome: Option<Outcome>,
    /// Who owns each system.
    owners: &'a [Option<Seat>],
    /// The seats that have not left.
    present: SeatSet,
    /// How the match ended, in full.
    result: Option<ResultDocument<'a>>,
    /// The own score.
    score: Option<Score>,
    /// Whose eyes these are; nobody's for the public.
    seat: Option<Seat>,
    /// The turn that is being planned, from 1.
    turn: u32,
    /// How many turns are still resolved, this one included.
    turns_left: u32,
}

/// All that stays the same through a match; everybody knows it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "StarMap")]
struct MapDocument<'a> {
    /// By seat.
    factions: Vec<FactionDocument<'a>>,
    /// Whether what is far away is hidden.
    fog: bool,
    /// The last turn that is resolved.
    last_turn: u32,
    ranges: Ranges,
    systems: Vec<SystemDocument<'a>>,
    /// The scenario's title.
    title: &'a str,
}

/// How far things go, in thousandths of a light-year.
#[derive(Serialize, JsonSchema)]
struct Ranges {
    /// Ships this near to a system are in its orbit.
    capture: i64,
    /// No jump is longer.
    jump: i64,
    /// How far a fleet sees.
    sensor: i64,
    /// How far territory goes around an owned system.
    territory: i64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "StarSystem")]
struct SystemDocument<'a> {
    /// Whether extractors make fuel here.
    gas: bool,
    /// Whose home it is.
    home_of: Option<Seat>,
    id: &'a str,
    /// How many bodies troops can land on.
    n_bodies: u8,
    name: &'a str,
    x: i32,
    y: i32,
    z: i32,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Faction")]
struct FactionDocument<'a> {
    /// `#RRGGBB`.
    color: &'a str,
    id: &'a str,
    name: &'a str,
}

/// An own fleet.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OwnFleet")]
struct FleetDocument<'a> {
    at: Point,
    /// What may be ordered now, and why not; nothing when no orders are taken.
    choices: Vec<Choice>,
    /// What it does on arrival, as words.
    mission: Mission,
    /// The system in whose orbit it is.
    orbit: Option<&'a str>,
    /// The sealed order of this turn, as words: systems by their place in the list.
    order: Option<Order>,
    /// Its rank under its owner.
    rank: u16,
    /// How far it can jump.
    reach: i64,
    /// Below this share of its side's power, in hundredths, it breaks off a battle.
    retreat: u8,
    /// The sealed change of it.
    retreat_next: Option<u8>,
    ships: Vec<ShipDocument>,
    /// How far it goes in a turn.
    speed: i64,
    /// Where it goes.
    to: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OwnShip")]
struct ShipDocument {
    /// The rank of the army aboard.
    army: Option<u16>,
    /// In hundredths.
    fuel: i32,
    /// What is left of the hull.
    hull: u16,
    /// What a whole one has.
    hull_max: u16,
    interceptors: u8,
    kind: ShipKind,
    /// Whether it leaves by the split that is ordered.
    leaves: bool,
    missiles: u8,
    torpedoes: u8,
}

/// A foreign fleet as it is seen.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Contact")]
struct ContactDocument<'a> {
    at: Point,
    orbit: Option<&'a str>,
    owner: Seat,
    rank: u16,
    /// Type and what is left of the hull.
    ships: Vec<(ShipKind, u16)>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SeenArmy")]
struct ArmyDocument<'a> {
    /// The body it stands on; nothing aboard.
    body: Option<u8>,
    /// In thousandths.
    morale: u16,
    owner: Seat,
    rank: u16,
    strength: u16,
    /// Where it stands; nothing aboard.
    system: Option<&'a str>,
}

/// A condition with how far everybody has come.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Objective")]
struct ObjectiveDocument<'a> {
    #[serde(rename = "type")]
    #[schemars(schema_with = "condition_names")]
    kind: &'static str,
    /// Systems, turns held, or the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    needed: Option<u32>,
    /// Domination: systems by seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<Vec<usize>>,
    /// The hill.
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<&'a str>,
    /// Who holds the hill.
    #[serde(skip_serializing_if = "Option::is_none")]
    holder: Option<Seat>,
    /// For how many turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    held: Option<u32>,
    /// How it stands with the hill: why the count is where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    hill: Option<HillState>,
    /// Whose survival counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    survivors: Option<SeatSet>,
}

/// How it stands with a hill.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum HillState {
    /// No turn was resolved yet.
    Unasked,
    /// Nobody owns it.
    Unowned,
    /// Foreign ships are in its orbit: the count is 0.
    Contested,
    /// It is held.
    Held,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "MatchResult")]
struct ResultDocument<'a> {
    /// The condition that decided.
    condition: Option<u8>,
    /// What decided, as a stable code.
    reason: &'static str,
    /// By seat.
    scores: &'a [Score],
    /// The turn that was resolved last.
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

    /// A position with nothing but what the viewer knows of its own forces. Legality asks for
    /// nothing else, so it judges orders as the whole position does.
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

    /// The conditions, one to a line.
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

    /// An owner who does not hold its hill after a turn has foreign ships in its orbit: there
    /// is no other reason, so owners and counts, which are open to all, tell it.
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
