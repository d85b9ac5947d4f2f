//! Scenarios: documents that define a match and fail early with a clear reason.
//!
//! [`examine`] reads documents from outside. It reports every [`Finding`] and returns a
//! [`Scenario`] when there are no errors. Documents of the older shape are converted by [`upgrade`]
//! first.

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
    BodyClass, BodyKind, Contiguity, Distribution, Homes, Profile, Resource, SpawnName, Symmetry,
    TerritoryKind, Topology,
};

/// The major version of the scenario format, which documents give as `schemaVersion`.
pub const SCHEMA_VERSION: i64 = 1;

/// The full version of the scenario format. A minor version only adds optional fields, and a
/// document without them keeps its meaning: 1.1.0 added `generation.symmetry` and
/// `generation.homes`.
pub const FORMAT_VERSION: &str = "1.1.0";

/// A character that is not white space, as a regular expression for JSON Schema, where `\s`
/// includes the byte order mark but not the next-line character.
const NOT_BLANK: &str = r"[^\s\u0085]";

/// A definition of a match: the map, the factions, their forces and the victory conditions.
///
/// A value of this type has been checked: all references resolve and all numbers are in range.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "A Stellar Fleet scenario")]
#[document(check = check::check)]
pub struct Scenario {
    /// The version of the format.
    pub schema_version: SchemaVersion,
    /// The name used by programs; snake_case is recommended.
    #[schemars(length(min = 1, max = 64), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::id)]
    pub id: String,
    /// Title, description and other information for people.
    pub meta: Meta,
    /// The galaxy and how it is generated.
    pub generation: Generation,
    /// The factions and their starting forces.
    pub setup: Start,
    /// The victory conditions and the turn limit.
    pub objectives: Objectives,
    /// Switches that change the rules.
    pub rules: Rules,
}

/// Title, description and other information for people.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Meta {
    /// The title shown to players.
    #[schemars(length(min = 1, max = 120), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::name)]
    pub title: String,
    /// A short description of the scenario.
    #[schemars(length(max = 4000))]
    #[document(read_with = read::prose)]
    pub description: String,
    /// The author's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 120))]
    #[document(read_with = read::author)]
    pub author: Option<String>,
    /// The difficulty, from 1 (easy) to 5 (hard).
    #[schemars(range(min = 1, max = 5))]
    pub difficulty: u8,
    /// Keywords for searching.
    #[serde(default)]
    #[schemars(
        length(max = 32),
        inner(length(min = 1, max = 64), regex(pattern = NOT_BLANK))
    )]
    #[document(read_with = read::tags)]
    pub tags: Vec<String>,
}

/// The galaxy and how it is generated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Generation {
    /// A seed for the galaxy that overrides the match's seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 4_294_967_295_u32))]
    pub fixed_seed: Option<u32>,
    /// The number of systems, including static ones.
    #[schemars(range(min = 2, max = 20_000))]
    pub system_count: u32,
    /// The radius of the galaxy in light-years.
    #[schemars(range(min = 0.001, max = 100_000))]
    #[document(read_with = read::length)]
    pub radius: Ly,
    /// The shape of the galaxy.
    pub topology: Topology,
    /// The symmetry of the galaxy; none by default. Static systems stay where they are.
    #[serde(default, skip_serializing_if = "Generation::is_standard")]
    pub symmetry: Symmetry,
    /// The way homes are chosen if the galaxy has no symmetry; far by default.
    #[serde(default, skip_serializing_if = "Generation::is_standard")]
    pub homes: Homes,
    /// The minimum distance between two systems, in light-years; 5 by default, 0 for no minimum.
    #[serde(
        rename = "minimumSystemSpacingLy",
        default = "Generation::standard_spacing"
    )]
    #[schemars(range(min = 0, max = 100_000))]
    pub spacing: Ly,
    /// Systems at given positions.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    pub static_systems: Vec<StaticSystem>,
}

/// A system at a given position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StaticSystem {
    /// The id; the prefix `sys-` is reserved for generated systems.
    #[schemars(length(min = 1, max = 64), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::id)]
    pub id: String,
    /// The name, unique in the galaxy.
    #[schemars(length(min = 1, max = 120), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::name)]
    pub name: String,
    /// The position of the system.
    pub position: Position,
    /// The resource found in the system.
    pub resource_type: Resource,
    /// Bodies in addition to the generated ones.
    #[serde(default)]
    #[schemars(length(max = 8))]
    pub planets: Vec<StaticBody>,
}

/// A position in light-years.
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
    /// The id; derived from the body's rank in its system by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 120), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::optional_name)]
    pub id: Option<String>,
    /// The name; derived from the body's rank by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 120), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::optional_name)]
    pub name: Option<String>,
    /// Planet or moon.
    pub body_type: BodyKind,
    /// The class; troops can land only on solid bodies.
    pub class: BodyClass,
    /// The size relative to other bodies; 1 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.001, max = 100_000))]
    #[document(read_with = read::optional_length)]
    pub size: Option<Ly>,
    /// The faction with a garrison on this body at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 120), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::optional_name)]
    pub owner_faction_id: Option<String>,
}

/// The factions and their starting forces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Start {
    /// Two to eight factions, in the order of their seats.
    #[schemars(length(min = 2, max = 8))]
    #[document(read_with = Document::read)]
    pub factions: Vec<Faction>,
    /// The systems that each faction owns at the start.
    pub starting_distribution: Distribution,
    /// The share of the galaxy that each faction owns at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub territory_allocation: Option<Territory>,
    /// The fleets at the start.
    #[schemars(length(max = 4096))]
    pub initial_fleets: Vec<FleetSpec>,
}

/// A faction, which is a seat of the match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Faction {
    /// The name used by programs; `draw` is reserved.
    #[schemars(length(min = 1, max = 64), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::id)]
    pub id: String,
    /// The name shown to players.
    #[schemars(length(min = 1, max = 120), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::name)]
    pub name: String,
    /// The color, as `#RRGGBB`.
    #[schemars(regex(pattern = "^#[0-9a-fA-F]{6}$"))]
    #[document(read_with = read::color)]
    pub color_hex: String,
    /// True if a person may play it.
    pub is_playable: bool,
    /// The playing style of its bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ai_profile: Option<Profile>,
}

/// The share of the galaxy that each faction owns at the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Territory {
    /// The only supported kind.
    #[serde(rename = "type")]
    pub kind: TerritoryKind,
    /// The share of all systems for each faction.
    #[schemars(with = "BTreeMap<String, read::Part>")]
    #[document(read_with = read::shares)]
    pub by_faction_id: BTreeMap<String, Share>,
    /// The share of systems without an owner; the rest by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1))]
    pub neutral_share: Option<Share>,
    /// The only supported kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contiguity: Option<Contiguity>,
}

/// A fleet at the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FleetSpec {
    /// The faction that owns it.
    #[schemars(length(min = 1, max = 64), regex(pattern = NOT_BLANK))]
    #[document(read_with = read::id)]
    pub owner_faction_id: String,
    /// The fleet's starting place.
    pub spawn_location: Spawn,
    /// The ships, at least one.
    #[schemars(length(min = 1, max = 8192))]
    #[document(read_with = read::ships)]
    pub ships: Vec<ShipKind>,
    /// True if each troop transport carries an army.
    #[serde(default)]
    pub with_armies: bool,
}

/// A fleet's starting place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Spawn {
    /// A named place.
    Named(SpawnName),
    /// A position in deep space; the fleet heads for the nearest system.
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

/// The victory conditions and the turn limit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Objectives {
    /// The victory conditions, checked in this order; the first one met ends the match. An empty
    /// list means elimination.
    #[schemars(length(max = 16))]
    #[document(read_with = read::victory)]
    pub victory: Vec<Condition>,
    /// The limits of the match.
    #[serde(default)]
    pub constraints: Constraints,
}

/// The limits of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Constraints {
    /// The last turn of the match.
    #[schemars(with = "u32", range(min = 1, max = 2_147_483_647))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[document(read_with = read::cap)]
    pub max_turns: Option<u32>,
}

/// A victory condition.
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
    /// The faction owns at least this share of all systems.
    Domination {
        /// The share, above 0 and up to 1.
        percentage: Percentage,
    },
    /// The faction owns a system, without foreign ships in its orbit, for this many turns in a row.
    KingOfTheHill {
        /// The id of the system.
        #[schemars(length(min = 1, max = 64), regex(pattern = NOT_BLANK))]
        #[document(read_with = read::id)]
        system_id: String,
        /// The number of turns.
        #[schemars(range(min = 1, max = 2_147_483_647))]
        turns_held: u32,
    },
    /// The faction is alive at the end of this turn.
    Survival {
        /// The number of the turn.
        #[schemars(range(min = 1, max = 2_147_483_647))]
        turns: u32,
    },
}

/// Switches that change the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rules {
    /// True to hide distant foreign forces.
    pub fog_of_war: bool,
    /// True if ships fight when they meet.
    pub use_advanced_combat: bool,
    /// True if bots may take seats.
    pub ai_enabled: bool,
    /// Has no effect when false: factions cannot make peace in this version.
    pub total_war: bool,
    /// True if jumps cost no fuel.
    #[serde(default)]
    pub unlimited_fuel: bool,
    /// True if fleets refuel, repair and rearm in their own systems; true by default.
    #[serde(default = "Rules::standard_supply")]
    pub supply: bool,
}

/// The version of the scenario format: always [`SCHEMA_VERSION`].
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
            format!("version {version} is not supported; expected version {SCHEMA_VERSION}");
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
    let mut schema = schema_for!(Scenario);
    schema.insert("x-schema-version".to_owned(), FORMAT_VERSION.into());
    schema
}

/// Reads a document and reports every finding. A document of the older shape is upgraded first,
/// with a warning for each change.
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

    /// Fields of later minor versions are written only where they differ from their default, so
    /// that older documents keep their hashes.
    fn is_standard<T: Default + PartialEq>(value: &T) -> bool {
        *value == T::default()
    }
}

impl Rules {
    fn standard_supply() -> bool {
        true
    }
}

impl StaticSystem {
    /// The faction that owns the system at the start: the owner of all its owned solid bodies.
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
    /// Writes the scenario as a document. Reading it in the same dialect returns an equal scenario.
    pub fn document(&self, dialect: Dialect) -> Json {
        let mut document = json::from_value(self).expect("a scenario holds no floats");
        if dialect == Dialect::File {
            spell_decimals(&mut document, false);
        }
        document
    }

    /// The number of generated systems.
    pub fn n_generated(&self) -> u32 {
        let n_static = self.generation.static_systems.len() as u32;
        self.generation.system_count.saturating_sub(n_static)
    }

    /// The number of parts of the galaxy that are equal by its symmetry: 1 without symmetry.
    pub fn n_sectors(&self) -> usize {
        match self.generation.symmetry {
            Symmetry::None => 1,
            Symmetry::Mirror => 2,
            Symmetry::Rotational => self.setup.factions.len(),
        }
    }

    /// True if the galaxy will have a system with this id, whatever the seed.
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

    /// The conditions in effect: elimination if none is given.
    pub fn conditions(&self) -> &[Condition] {
        match self.objectives.victory.as_slice() {
            [] => &[Condition::Elimination],
            given => given,
        }
    }
}

/// The id prefix of generated systems.
pub(crate) const GENERATED: &str = "sys-";

/// The id of the generated system with this rank, counted from 1.
pub(crate) fn generated_id(rank: u32) -> String {
    format!("{GENERATED}{rank:04}")
}

/// The rank of a generated system, or `None` if the id is not one of theirs.
fn generated_rank(id: &str) -> Option<u32> {
    let rank: u32 = id.strip_prefix(GENERATED)?.parse().ok()?;
    (rank > 0 && generated_id(rank) == id).then_some(rank)
}
