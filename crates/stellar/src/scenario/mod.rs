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
mod spelling;
mod upgrade;
mod vocabulary;

use std::borrow::Cow;
use std::collections::BTreeMap;

use kernel::doc::{Document, Faults, Names, Node};
use kernel::json::{self, Json};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, schema_for};
use serde::{Serialize, Serializer};

use crate::constants::{SPACING_DEFAULT_MLY, ShipKind};
use crate::decimal::{Ly, Share};
use crate::percentage::Percentage;

pub use blueprint::{Blueprint, WrongFactions};
pub use finding::{Finding, Report, Severity};
pub use spelling::Dialect;
pub(crate) use spelling::{read_canonical, with_numbers};
use spelling::{spell_decimals, with_integers};
pub use upgrade::{Upgraded, upgrade};
pub use vocabulary::{
    BodyClass, BodyKind, Contiguity, Distribution, Profile, Resource, SpawnName, TerritoryKind,
    Topology,
};

/// The version of the scenario format.
pub const SCHEMA_VERSION: i64 = 1;

/// A letter that is no white space, in the regular expressions of JSON Schema, whose `\s` has a
/// byte order mark and not the next line.
const NOT_BLANK: &str = r"[^\s\u0085]";

/// What a match is about: the map, who plays, what they have and how it ends.
///
/// A value of this type was checked: references lead somewhere and numbers are in range.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "A Stellar Fleet scenario")]
#[document(check = check::check)]
pub struct Scenario {
    /// The version of the format.
    pub schema_version: SchemaVersion,
    /// The name for programs; snake_case is advised.
    #[schemars(length(min = 1, max = 64), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::id)]
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Meta {
    /// The title.
    #[schemars(length(min = 1, max = 120), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::name)]
    pub title: String,
    /// What it is about.
    #[schemars(length(max = 4000))]
    #[document(read_with = read::prose)]
    pub description: String,
    /// Who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 120))]
    #[document(read_with = read::author)]
    pub author: Option<String>,
    /// From 1, easy, to 5.
    #[schemars(range(min = 1, max = 5))]
    pub difficulty: u8,
    /// Words to search by.
    #[serde(default)]
    #[schemars(
        length(max = 32),
        inner(length(min = 1, max = 64), regex(pattern = NOT_BLANK))
    )]
    #[document(read_with = read::tags)]
    pub tags: Vec<String>,
}

/// How the galaxy is made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Generation {
    /// The same galaxy whatever seed the match is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 4_294_967_295_u32))]
    pub fixed_seed: Option<u32>,
    /// How many systems there are, the static ones included.
    #[schemars(range(min = 2, max = 20_000))]
    pub system_count: u32,
    /// The radius of the galaxy in light-years.
    #[schemars(range(min = 0.001, max = 100_000))]
    #[document(read_with = read::length)]
    pub radius: Ly,
    /// The shape of the galaxy.
    pub topology: Topology,
    /// No two systems are nearer than this, in light-years; 5 unless given, 0 for any.
    #[serde(
        rename = "minimumSystemSpacingLy",
        default = "Generation::standard_spacing"
    )]
    #[schemars(range(min = 0, max = 100_000))]
    pub spacing: Ly,
    /// Systems at given places.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    pub static_systems: Vec<StaticSystem>,
}

/// A system at a given place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StaticSystem {
    /// Not in the namespace of generated systems, `sys-…`.
    #[schemars(length(min = 1, max = 64), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::id)]
    pub id: String,
    /// Unlike any other.
    #[schemars(length(min = 1, max = 120), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::name)]
    pub name: String,
    /// Where it is.
    pub position: Position,
    /// What it has.
    pub resource_type: Resource,
    /// Bodies beside those that are generated.
    #[serde(default)]
    #[schemars(length(max = 8))]
    pub planets: Vec<StaticBody>,
}

/// A place in light-years.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "coordinates")]
pub struct Position {
    #[schemars(range(min = -100_000, max = 100_000))]
    pub x: Ly,
    #[schemars(range(min = -100_000, max = 100_000))]
    pub y: Ly,
    #[schemars(range(min = -100_000, max = 100_000))]
    pub z: Ly,
}

/// A body of a static system.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StaticBody {
    /// By rank under its system unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 120), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::optional_name)]
    pub id: Option<String>,
    /// By rank unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 120), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::optional_name)]
    pub name: Option<String>,
    /// A planet or a moon.
    pub body_type: BodyKind,
    /// Troops land on solid ones.
    pub class: BodyClass,
    /// Beside the others; 1 unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.001, max = 100_000))]
    #[document(read_with = read::optional_length)]
    pub size: Option<Ly>,
    /// Whose garrison stands on it at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 120), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::optional_name)]
    pub owner_faction_id: Option<String>,
}

/// Who plays and with what.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Start {
    /// Two to eight, in the order of their seats.
    #[schemars(length(min = 2, max = 8))]
    #[document(read_with = Document::read)]
    pub factions: Vec<Faction>,
    /// What each owns at the start.
    pub starting_distribution: Distribution,
    /// How much of the galaxy each owns at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub territory_allocation: Option<Territory>,
    /// The fleets at the start.
    #[schemars(length(max = 4096))]
    pub initial_fleets: Vec<FleetSpec>,
}

/// One faction: a seat of the match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Faction {
    /// The name for programs; `draw` is taken.
    #[schemars(length(min = 1, max = 64), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::id)]
    pub id: String,
    /// The name for people.
    #[schemars(length(min = 1, max = 120), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::name)]
    pub name: String,
    /// `#RRGGBB`.
    #[schemars(regex(pattern = "^#[0-9a-fA-F]{6}$"))]
    #[document(read_with = read::color)]
    pub color_hex: String,
    /// Whether a person may take it.
    pub is_playable: bool,
    /// How it plays when no person does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ai_profile: Option<Profile>,
}

/// How much of the galaxy each faction owns at the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Territory {
    /// The only kind there is.
    #[serde(rename = "type")]
    pub kind: TerritoryKind,
    /// A share of all systems for each faction.
    #[schemars(with = "BTreeMap<String, read::Part>")]
    #[document(read_with = read::shares)]
    pub by_faction_id: BTreeMap<String, Share>,
    /// The share that nobody owns: the rest unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1))]
    pub neutral_share: Option<Share>,
    /// The only kind there is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contiguity: Option<Contiguity>,
}

/// A fleet at the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FleetSpec {
    /// Whose it is.
    #[schemars(length(min = 1, max = 64), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::id)]
    pub owner_faction_id: String,
    /// Where it starts.
    pub spawn_location: Spawn,
    /// Its ships: at least one.
    #[schemars(length(min = 1, max = 8192))]
    #[document(read_with = read::ships)]
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

impl Document for Spawn {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Spawn> {
        match node.json() {
            Some(Json::Object(_)) => Position::read(node, faults).map(Spawn::At),
            _ => SpawnName::read(node, faults).map(Spawn::Named),
        }
    }
}

/// How a match ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Objectives {
    /// In the order in which they are asked; the first that holds decides. None of them
    /// means elimination.
    #[schemars(length(max = 16))]
    #[document(read_with = read::victory)]
    pub victory: Vec<Condition>,
    /// What bounds the match.
    #[serde(default)]
    pub constraints: Constraints,
}

/// What bounds a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Constraints {
    /// Exactly so many turns are resolved at most.
    #[schemars(with = "u32", range(min = 1, max = 2_147_483_647))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[document(read_with = read::cap)]
    pub max_turns: Option<u32>,
}

/// What wins a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document, Names)]
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
        percentage: Percentage,
    },
    /// Own a system, its orbit clean, for this many turns in a row.
    KingOfTheHill {
        /// The system.
        #[schemars(length(min = 1, max = 64), regex(pattern = NOT_BLANK))]
        #[document(read_with = read::id)]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
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
    #[serde(default = "Rules::standard_supply")]
    pub supply: bool,
}

/// The version of a scenario's format: there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SchemaVersion;

impl Serialize for SchemaVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SCHEMA_VERSION.serialize(serializer)
    }
}

impl Document for SchemaVersion {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<SchemaVersion> {
        let version = i64::read(node, faults)?;
        if version == SCHEMA_VERSION {
            return Some(SchemaVersion);
        }
        let message =
            format!("version {version} is not supported; this reads version {SCHEMA_VERSION}");
        faults.at(node, "unsupported_version", message);
        None
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
    let mut faults = Faults::default();
    let current = with_integers(&current);
    let scenario = Scenario::read(&Node::root(&current), &mut faults);
    let errors = faults.iter().map(Finding::from);
    let warnings = faults.warnings().iter().map(Finding::remark);
    for finding in errors.chain(warnings) {
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

impl Generation {
    fn standard_spacing() -> Ly {
        Ly::from_units(SPACING_DEFAULT_MLY)
    }
}

impl Rules {
    fn standard_supply() -> bool {
        true
    }
}

impl StaticSystem {
    /// The faction that owns it at the start: the one that all owned bodies with ground belong to.
    pub(crate) fn owner(&self) -> Option<&str> {
        let solid = self
            .planets
            .iter()
            .filter(|it| it.class == BodyClass::Solid);
        let mut owners = solid.filter_map(|it| it.owner_faction_id.as_deref());
        let first = owners.next()?;
        owners.all(|it| it == first).then_some(first)
    }
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
