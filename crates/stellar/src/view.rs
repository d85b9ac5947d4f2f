//! What a viewer may know.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use kernel::{Outcome, Seat, SeatSet, Viewer};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use crate::constants::ShipKind;
use crate::galaxy::SystemIdx;
use crate::setup::{Goal, World};
use crate::space::Point;
use crate::state::{Army, Draft, Ending, Fleet, Hold, Place, Post, Score, Stellar};

/// What a viewer may know: the map and its owners, the own fleets, armies and orders, and
/// of the others what is seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    world: Arc<World>,
    /// Whose eyes these are; nobody's for the public.
    pub seat: Option<Seat>,
    /// The turn that is being planned, from 1.
    pub turn: u32,
    /// By system.
    pub owners: Vec<Option<Seat>>,
    /// The own fleets with their sealed orders.
    pub fleets: Vec<Fleet>,
    /// Foreign fleets that are seen.
    pub contacts: Vec<Contact>,
    /// Armies that are seen, the own ones included.
    pub armies: Vec<Army>,
    /// By condition: who holds the hill and for how long.
    pub holds: Vec<Option<Hold>>,
    /// Who has not left.
    pub present: SeatSet,
    /// Who had a fleet or a system when the last turn ended.
    pub alive: SeatSet,
    /// Whether all own orders are given.
    pub done: bool,
    /// The own order that is being composed.
    pub draft: Draft,
    /// The own score.
    pub score: Option<Score>,
    /// How the match ended, if it has.
    pub ending: Option<Ending>,
}

/// A foreign fleet as it is seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contact {
    /// Whose it is.
    pub owner: Seat,
    /// Its rank under its owner.
    pub rank: u16,
    /// Where it is.
    pub at: Point,
    /// The system in whose orbit it is.
    pub orbit: Option<SystemIdx>,
    /// Its ships: type and what is left of the hull.
    pub ships: Vec<(ShipKind, u16)>,
}

impl View {
    pub(crate) fn of(at: &Stellar, viewer: Viewer) -> View {
        let seat = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Public => None,
        };
        let foreign = at.fleets.iter().filter(|it| Some(it.owner) != seat);
        let seen = foreign.filter(|it| seat.is_some_and(|seat| at.sees_fleet(seat, it)));
        let contacts = seen.map(|fleet| Contact {
            owner: fleet.owner,
            rank: fleet.rank,
            at: fleet.at(at.galaxy()),
            orbit: fleet.orbit(),
            ships: fleet.ships.iter().map(|it| (it.kind, it.hull)).collect(),
        });
        let sees = |army: &&Army| seat.is_some_and(|seat| at.sees_army(seat, army));
        View {
            world: Arc::clone(&at.world),
            seat,
            turn: at.turn,
            owners: at.owners.clone(),
            fleets: seat.map_or(Vec::new(), |seat| at.fleets_of(seat).to_vec()),
            contacts: contacts.collect(),
            armies: at.armies.iter().filter(sees).copied().collect(),
            holds: at.holds.clone(),
            present: at.present,
            alive: at.alive,
            done: seat.is_some_and(|seat| at.done.contains(seat)),
            draft: seat.map_or(Draft::Idle, |seat| at.drafts[seat.index()]),
            score: seat.map(|seat| at.score(seat)),
            ending: at.end.clone(),
        }
    }

    /// All that stays the same through the match; everybody knows it.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// How many systems a faction owns.
    pub fn n_owned(&self, seat: Seat) -> usize {
        self.owners.iter().filter(|it| **it == Some(seat)).count()
    }

    /// How the match ended, as every game says it.
    pub fn outcome(&self) -> Option<Outcome> {
        self.ending.as_ref().map(|it| it.outcome(&self.world))
    }
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "View")]
struct ViewDocument<'a> {
    alive: SeatSet,
    armies: Vec<ArmyDocument<'a>>,
    contacts: Vec<ContactDocument<'a>>,
    done: bool,
    draft: Vec<String>,
    factions: Vec<FactionDocument<'a>>,
    fleets: Vec<FleetDocument<'a>>,
    objectives: Vec<ObjectiveDocument<'a>>,
    outcome: Option<Outcome>,
    present: SeatSet,
    result: Option<ResultDocument<'a>>,
    score: Option<Score>,
    seat: Option<Seat>,
    systems: Vec<SystemDocument<'a>>,
    turn: u32,
    turns_left: u32,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "System")]
struct SystemDocument<'a> {
    gas: bool,
    home_of: Option<Seat>,
    id: &'a str,
    n_bodies: u8,
    name: &'a str,
    owner: Option<Seat>,
    x: i32,
    y: i32,
    z: i32,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Faction")]
struct FactionDocument<'a> {
    color: &'a str,
    id: &'a str,
    n_systems: usize,
    name: &'a str,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Fleet")]
struct FleetDocument<'a> {
    at: Point,
    mission: Vec<String>,
    orbit: Option<&'a str>,
    order: Option<Vec<String>>,
    rank: u16,
    reach: i64,
    retreat: u8,
    retreat_next: Option<u8>,
    ships: Vec<ShipDocument>,
    speed: i64,
    to: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Ship")]
struct ShipDocument {
    army: Option<u16>,
    fuel: i32,
    hull: u16,
    interceptors: u8,
    kind: ShipKind,
    leaves: bool,
    missiles: u8,
    torpedoes: u8,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Contact")]
struct ContactDocument<'a> {
    at: Point,
    orbit: Option<&'a str>,
    owner: Seat,
    rank: u16,
    ships: Vec<(ShipKind, u16)>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Army")]
struct ArmyDocument<'a> {
    body: Option<u8>,
    morale: u16,
    owner: Seat,
    rank: u16,
    strength: u16,
    system: Option<&'a str>,
}

/// A condition with how far everybody has come.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Objective")]
struct ObjectiveDocument<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    needed: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    holder: Option<Seat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    survivors: Option<SeatSet>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Result")]
struct ResultDocument<'a> {
    condition: Option<u8>,
    reason: &'static str,
    scores: &'a [Score],
    turn: u32,
    winner: Option<Seat>,
}

impl JsonSchema for View {
    fn schema_name() -> Cow<'static, str> {
        "View".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        ViewDocument::json_schema(generator)
    }
}

impl Serialize for View {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.document().serialize(serializer)
    }
}

impl View {
    fn id(&self, system: SystemIdx) -> &str {
        &self.world.galaxy().system(system).id
    }

    fn document(&self) -> ViewDocument<'_> {
        let seats = || Seat::first(self.world.n_seats());
        let factions = &self.world.scenario().setup.factions;
        ViewDocument {
            alive: self.alive,
            armies: self.armies.iter().map(|it| self.army(it)).collect(),
            contacts: self.contacts.iter().map(|it| self.contact(it)).collect(),
            done: self.done,
            draft: crate::notation::draft(self.draft),
            factions: seats()
                .map(|seat| FactionDocument {
                    color: &factions[seat.index()].color_hex,
                    id: &factions[seat.index()].id,
                    n_systems: self.n_owned(seat),
                    name: &factions[seat.index()].name,
                })
                .collect(),
            fleets: self.fleets.iter().map(|it| self.fleet(it)).collect(),
            objectives: (0..self.world.goals().len())
                .map(|idx| self.objective(idx))
                .collect(),
            outcome: self.outcome(),
            present: self.present,
            result: self.ending.as_ref().map(|it| ResultDocument {
                condition: match it.cause {
                    crate::Cause::Condition(idx) => Some(idx),
                    _ => None,
                },
                reason: it.cause.code(&self.world),
                scores: &it.scores,
                turn: it.turn,
                winner: it.winner,
            }),
            score: self.score,
            seat: self.seat,
            systems: self.systems(),
            turn: self.turn,
            turns_left: (self.world.last_turn() + 1).saturating_sub(self.turn),
        }
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
                owner: self.owners[idx.index()],
                x: system.at.x,
                y: system.at.y,
                z: system.at.z,
            })
            .collect()
    }

    fn fleet(&self, fleet: &Fleet) -> FleetDocument<'_> {
        let unlimited = self.world.scenario().rules.unlimited_fuel;
        FleetDocument {
            at: fleet.at(self.world.galaxy()),
            mission: crate::notation::mission(fleet.mission),
            orbit: fleet.orbit().map(|it| self.id(it)),
            order: fleet.order.map(crate::notation::order),
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
            }
            Goal::Survival(turn) => {
                document.needed = Some(turn);
                document.survivors = Some(self.world.survivors());
            }
        }
        document
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let world = &self.world;
        write!(f, "turn {} of {}", self.turn, world.last_turn())?;
        for seat in Seat::first(world.n_seats()) {
            let gone = if self.alive.contains(seat) {
                ""
            } else {
                " (gone)"
            };
            write!(
                f,
                "; {} {}{gone}",
                world.faction_id(seat),
                self.n_owned(seat)
            )?;
        }
        writeln!(f)?;
        for idx in 0..world.goals().len() {
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
        for fleet in &self.fleets {
            writeln!(f, "  {}", crate::notation::fleet(fleet, world))?;
        }
        for contact in &self.contacts {
            let owner = world.faction_id(contact.owner);
            let place = contact.orbit.map_or("in space", |it| self.id(it));
            let n_ships = contact.ships.len();
            writeln!(f, "  {owner} {}: {n_ships} ships, {place}", contact.rank)?;
        }
        match self.outcome() {
            Some(outcome) => write!(f, "over: {outcome}"),
            None => write!(f, "  {} armies in sight", self.armies.len()),
        }
    }
}
