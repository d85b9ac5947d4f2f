//! Scenarios: what a match is about, as a document that fails early with a clear reason.
//!
//! [`examine`] is the door for documents from outside: it reads everything, reports every
//! [`Finding`], and gives a [`Scenario`] when nothing is wrong. Documents of the older shape
//! are brought up to date by [`upgrade`] on the way.

mod advise;
mod blueprint;
mod check;
mod finding;
mod read;
mod reader;
mod upgrade;

use std::borrow::Cow;
use std::collections::BTreeMap;

use kernel::doc::{Document, Names};
use kernel::json::{self, Json};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, schema_for};
use serde::{Serialize, Serializer};

use crate::constants::ShipKind;
use crate::decimal::{Ly, Share, real};

pub use blueprint::{Blueprint, WrongFactions};
pub use finding::{Finding, Report, Severity};
pub(crate) use read::read_canonical;
pub use reader::Dialect;
pub use upgrade::{Upgraded, upgrade};

/// The version of the scenario format.
pub const SCHEMA_VERSION: i64 = 1;

/// What a match is about: the map, who plays, what they have and how it ends.
///
/// A value of this type was checked: references lead somewhere and numbers are in range.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "A Stellar Fleet scenario")]
pub struct Scenario {
    /// The version of the format.
    pub schema_version: SchemaVersion,
    /// The name for programs; snake_case is advised.
    pub id: String,
    /// The words around it.
    pub meta: Meta,
    /// The galaxy.
    pub generation: Generation,
    /// Who plays and with what.
    pub setup: Start,
    /// How it ends.
    pub objectives: Objectives,
    /// Switches of the rules.
    pub rules: Rules,
}

/// The words around a scenario.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Meta {
    /// The title.
    pub title: String,
    /// What it is about.
    pub description: String,
    /// Who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// From 1, easy, to 5.
    #[schemars(range(min = 1, max = 5))]
    pub difficulty: u8,
    /// Words to search by.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// How the galaxy is made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Generation {
    /// The same galaxy whatever seed the match is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed_seed: Option<u32>,
    /// How many systems there are, the static ones included.
    #[schemars(range(min = 2, max = 20_000))]
    pub system_count: u32,
    /// The radius of the galaxy in light-years.
    pub radius: Ly,
    /// The shape of the galaxy.
    pub topology: Topology,
    /// No two systems are nearer than this, in light-years; 5 unless given, 0 for any.
    #[serde(rename = "minimumSystemSpacingLy", default)]
    pub spacing: Ly,
    /// Systems at given places.
    #[serde(default)]
    pub static_systems: Vec<StaticSystem>,
}

/// A system at a given place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StaticSystem {
    /// Not in the namespace of generated systems, `sys-…`.
    pub id: String,
    /// Unlike any other.
    pub name: String,
    /// Where it is.
    pub position: Position,
    /// What it has.
    pub resource_type: Resource,
    /// Bodies beside those that are generated.
    #[serde(default)]
    pub planets: Vec<StaticBody>,
}

/// A place in light-years.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "coordinates")]
pub struct Position {
    pub x: Ly,
    pub y: Ly,
    pub z: Ly,
}

/// A body of a static system.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StaticBody {
    /// By rank under its system unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// By rank unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A planet or a moon.
    pub body_type: BodyKind,
    /// Troops land on solid ones.
    pub class: BodyClass,
    /// Beside the others; 1 unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Ly>,
    /// Whose garrison stands on it at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner_faction_id: Option<String>,
}

/// Who plays and with what.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Start {
    /// Two to eight, in the order of their seats.
    #[schemars(length(min = 2, max = 8))]
    pub factions: Vec<Faction>,
    /// What each owns at the start.
    pub starting_distribution: Distribution,
    /// How much of the galaxy each owns at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub territory_allocation: Option<Territory>,
    /// The fleets at the start.
    pub initial_fleets: Vec<FleetSpec>,
}

/// One faction: a seat of the match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Faction {
    /// The name for programs; `draw` is taken.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// `#RRGGBB`.
    #[schemars(regex(pattern = "^#[0-9a-fA-F]{6}$"))]
    pub color_hex: String,
    /// Whether a person may take it.
    pub is_playable: bool,
    /// How it plays when no person does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ai_profile: Option<Profile>,
}

/// How much of the galaxy each faction owns at the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Territory {
    /// The only kind there is.
    #[serde(rename = "type")]
    pub kind: TerritoryKind,
    /// A share of all systems for each faction.
    pub by_faction_id: BTreeMap<String, Share>,
    /// The share that nobody owns: the rest unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neutral_share: Option<Share>,
    /// The only kind there is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contiguity: Option<Contiguity>,
}

/// A fleet at the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FleetSpec {
    /// Whose it is.
    pub owner_faction_id: String,
    /// Where it starts.
    pub spawn_location: Spawn,
    /// Its ships: at least one.
    #[schemars(length(min = 1))]
    pub ships: Vec<ShipKind>,
    /// Whether its transports carry an army each.
    #[serde(default)]
    pub with_armies: bool,
}

/// Where a fleet starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Spawn {
    /// At a place by name.
    Named(SpawnName),
    /// In deep space, on the way to the nearest system.
    At(Position),
}

/// How a match ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Objectives {
    /// In the order in which they are asked; the first that holds decides. None of them
    /// means elimination.
    pub victory: Vec<Condition>,
    /// What bounds the match.
    #[serde(default)]
    pub constraints: Constraints,
}

/// What bounds a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Constraints {
    /// Exactly so many turns are resolved at most.
    #[schemars(range(min = 1, max = 2_147_483_647))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<u32>,
}

/// What wins a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Names)]
#[serde(
    tag = "type",
    rename_all = "snake_case",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum Condition {
    /// No other faction has a fleet or a system.
    Elimination,
    /// Own at least this share of all systems.
    Domination {
        /// Above 0, up to 1.
        percentage: Share,
    },
    /// Own a system, its orbit clean, for this many turns in a row.
    KingOfTheHill {
        /// The system.
        system_id: String,
        /// How many turns.
        #[schemars(range(min = 1, max = 2_147_483_647))]
        turns_held: u32,
    },
    /// Be alive at the end of this turn.
    Survival {
        /// The turn.
        #[schemars(range(min = 1, max = 2_147_483_647))]
        turns: u32,
    },
}

/// Switches of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rules {
    /// Whether what is far away is hidden.
    pub fog_of_war: bool,
    /// Whether ships fight when they meet.
    pub use_advanced_combat: bool,
    /// Whether hosts may seat programs.
    pub ai_enabled: bool,
    /// There is no peace in this version: false has no effect.
    pub total_war: bool,
    /// Whether jumps cost nothing.
    #[serde(default)]
    pub unlimited_fuel: bool,
    /// Whether fleets refuel, repair and rearm at their own systems; true unless given.
    #[serde(default)]
    pub supply: bool,
}

/// The shape of a galaxy.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "snake_case")]
pub enum Topology {
    /// Arms that wind outward.
    Spiral,
    /// A few dense clouds.
    Cluster,
    /// A band around an empty middle.
    Ring,
    /// A disk.
    Scattered,
}

/// The resource of a system.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    /// Gas, for extractors.
    Gas,
    /// Nothing.
    None,
}

/// A planet or a moon.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "snake_case")]
pub enum BodyKind {
    /// Around a star.
    Planet,
    /// Around a planet.
    Moon,
}

/// The class of a body.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "snake_case")]
pub enum BodyClass {
    /// Troops can land.
    Solid,
    /// They cannot.
    GasGiant,
    /// They cannot.
    IceGiant,
}

/// The systems that each faction owns at the start.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "snake_case")]
pub enum Distribution {
    /// A home.
    Scattered,
    /// A home and the four systems nearest to it.
    Cluster,
    /// Nothing.
    None,
}

/// How a faction plays when no person does.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// Attacks at even odds.
    Aggressive,
    /// Attacks with an edge.
    Balanced,
    /// Keeps what it has.
    Defensive,
}

/// How territory is given out.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "snake_case")]
pub enum TerritoryKind {
    /// By shares.
    Percentages,
}

/// Whether territory hangs together.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "snake_case")]
pub enum Contiguity {
    /// It does.
    Clustered,
}

/// A place by name.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema, Document, Names,
)]
#[serde(rename_all = "snake_case")]
pub enum SpawnName {
    /// The faction's home; a random system where there is none.
    HomeSystem,
    /// A random system of the faction, else one of nobody, else any.
    Random,
}

/// The version of a scenario's format: there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SchemaVersion;

impl Serialize for SchemaVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SCHEMA_VERSION.serialize(serializer)
    }
}

impl JsonSchema for SchemaVersion {
    fn schema_name() -> Cow<'static, str> {
        "SchemaVersion".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "const": SCHEMA_VERSION })
    }
}

/// The JSON Schema of a scenario document.
pub fn schema() -> Schema {
    schema_for!(Scenario)
}

/// Reads a document in full and reports every finding. A document of the older shape is
/// upgraded on the way, with a warning for each change.
pub fn examine(document: &Json) -> Report {
    let upgraded = upgrade(document);
    let mut report = Report::default();
    for finding in upgraded.findings {
        report.push(finding);
    }
    let Some(current) = upgraded.document else {
        return report;
    };
    let (scenario, findings) = read::read(&current, Dialect::File);
    for finding in findings {
        report.push(match upgraded.changed {
            true => finding.in_older_shape(document),
            false => finding,
        });
    }
    report.scenario = scenario.filter(|_| !report.has_errors());
    if let Some(scenario) = &report.scenario {
        let advice = advise::advise(scenario);
        for finding in advice {
            report.push(match upgraded.changed {
                true => finding.in_older_shape(document),
                false => finding,
            });
        }
    }
    report
}

impl Scenario {
    /// The scenario as a document. Reading it in the same dialect gives the scenario back.
    pub fn document(&self, dialect: Dialect) -> Json {
        let mut document = json::from_value(self).expect("a scenario holds no floats");
        if dialect == Dialect::File {
            spell_decimals(&mut document, false);
        }
        document
    }

    /// How many systems are generated.
    pub fn n_generated(&self) -> u32 {
        let n_static = self.generation.static_systems.len() as u32;
        self.generation.system_count.saturating_sub(n_static)
    }

    /// Whether there will be a system of this id, whatever the seed.
    pub fn has_system(&self, id: &str) -> bool {
        let is_static = |system: &StaticSystem| system.id == id;
        self.generation.static_systems.iter().any(is_static)
            || generated_rank(id).is_some_and(|rank| rank <= self.n_generated())
    }

    /// The seat of the faction with this id.
    pub fn faction(&self, id: &str) -> Option<kernel::Seat> {
        let idx = self.setup.factions.iter().position(|it| it.id == id)?;
        kernel::Seat::new(idx)
    }

    /// The conditions that count: none given means elimination.
    pub fn conditions(&self) -> &[Condition] {
        match self.objectives.victory.as_slice() {
            [] => &[Condition::Elimination],
            given => given,
        }
    }
}

/// The fields that hold decimals; so does each field of `byFactionId`.
const DECIMALS: [&str; 8] = [
    "minimumSystemSpacingLy",
    "neutralShare",
    "percentage",
    "radius",
    "size",
    "x",
    "y",
    "z",
];

/// Writes decimals as the numbers that a file has in their place.
fn spell_decimals(json: &mut Json, is_decimal: bool) {
    match json {
        Json::Text(text) if is_decimal => *json = real(text),
        Json::List(items) => {
            for item in items {
                spell_decimals(item, false);
            }
        }
        Json::Object(fields) => {
            for (key, field) in fields {
                let key = key.as_str();
                match field {
                    Json::Object(shares) if key == "byFactionId" => {
                        shares.values_mut().for_each(|it| spell_decimals(it, true));
                    }
                    field => spell_decimals(field, DECIMALS.contains(&key)),
                }
            }
        }
        _ => {}
    }
}

/// The namespace of generated systems.
pub(crate) const GENERATED: &str = "sys-";

/// The id of the generated system with this rank, from 1.
pub(crate) fn generated_id(rank: u32) -> String {
    format!("{GENERATED}{rank:04}")
}

/// The rank of a generated system, if the id is one of theirs.
fn generated_rank(id: &str) -> Option<u32> {
    let rank: u32 = id.strip_prefix(GENERATED)?.parse().ok()?;
    (rank > 0 && generated_id(rank) == id).then_some(rank)
}
