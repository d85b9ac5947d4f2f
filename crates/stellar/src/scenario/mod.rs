//! Scenarios: documents that define a match and fail early with a clear reason.
//!
//! [`examine`] reads documents from outside. It reports every [`Finding`] and returns a
//! [`Scenario`] when there are no errors. Documents of the older shape are converted by [`upgrade`]
//! first.

mod advise;
mod blueprint;
mod check;
mod finding;
mod query;
mod read;
mod references;
mod spelling;
mod upgrade;
mod vocabulary;

use std::collections::BTreeMap;

use kernel::alike;
use kernel::doc::{Document, Faults, Names, Node};
use kernel::json::{self, Json};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

use crate::constants::{SPACING_DEFAULT_MLY, ShipKind};
use crate::decimal::{Ly, Share};
use crate::percentage::Percentage;

pub use blueprint::{Blueprint, WrongFactions};
pub use finding::{Finding, Report, Severity};
use query::generated_rank;
pub(crate) use query::{GENERATED, generated_id};
use read::{Color, Id, Label, Length, Part, Version};
pub use spelling::Dialect;
use spelling::with_integers;
pub(crate) use spelling::{read_canonical, with_numbers};
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

alike! {
    [#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Document)]
     #[serde(rename_all = "camelCase", deny_unknown_fields)]];

    /// A definition of a match: the map, the factions, their forces and the victory conditions.
    ///
    /// A value that [`examine`] returns has been checked: all references resolve and all numbers
    /// are in range.
    #[schemars(title = "A Stellar Fleet scenario")]
    #[document(check = check::check)]
    pub struct Scenario {
        /// The version of the format.
        #[schemars(with = "Version")]
        pub schema_version: i64,
        /// The name used by programs; snake_case is recommended.
        #[schemars(with = "Id")]
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
    pub struct Meta {
        /// The title shown to players.
        #[schemars(with = "Label")]
        pub title: String,
        /// A short description of the scenario.
        #[schemars(length(max = 4000))]
        pub description: String,
        /// The author's name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(length(max = 120))]
        pub author: Option<String>,
        /// The difficulty, from 1 (easy) to 5 (hard).
        #[schemars(range(min = 1, max = 5))]
        pub difficulty: u8,
        /// Keywords for searching.
        #[serde(default)]
        #[schemars(with = "Vec<Id>", length(max = 32))]
        pub tags: Vec<String>,
    }

    /// The galaxy and how it is generated.
    pub struct Generation {
        /// A seed for the galaxy that overrides the match's seed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(min = 0, max = 4_294_967_295_u32))]
        pub fixed_seed: Option<u32>,
        /// The number of systems, including static ones.
        #[schemars(range(min = 2, max = 20_000))]
        pub system_count: u32,
        /// The radius of the galaxy in light-years.
        #[schemars(with = "Length")]
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
    pub struct StaticSystem {
        /// The id; the prefix `sys-` is reserved for generated systems.
        #[schemars(with = "Id")]
        pub id: String,
        /// The name, unique in the galaxy.
        #[schemars(with = "Label")]
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
    #[derive(Copy)]
    pub struct Position {
        /// The distance from the center to the right on the map; negative to the left.
        #[schemars(range(min = -100_000, max = 100_000))]
        pub x: Ly,
        /// The height above the map; negative below it.
        #[schemars(range(min = -100_000, max = 100_000))]
        pub y: Ly,
        /// The distance from the center down on the map; negative upward.
        #[schemars(range(min = -100_000, max = 100_000))]
        pub z: Ly,
    }

    /// A body of a static system.
    pub struct StaticBody {
        /// The id; derived from the body's rank in its system by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<Label>")]
        pub id: Option<String>,
        /// The name; derived from the body's rank by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<Label>")]
        pub name: Option<String>,
        /// Planet or moon.
        pub body_type: BodyKind,
        /// The class; troops can land only on solid bodies.
        pub class: BodyClass,
        /// The size relative to other bodies; 1 by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<Length>")]
        pub size: Option<Ly>,
        /// The faction with a garrison on this body at the start.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<Label>")]
        pub owner_faction_id: Option<String>,
    }

    /// The factions and their starting forces.
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
    pub struct Faction {
        /// The name used by programs; `draw` is reserved.
        #[schemars(with = "Id")]
        pub id: String,
        /// The name shown to players.
        #[schemars(with = "Label")]
        pub name: String,
        /// The color, as `#RRGGBB`.
        #[schemars(with = "Color")]
        pub color_hex: String,
        /// True if a person may play it.
        pub is_playable: bool,
        /// The playing style of its bot.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub ai_profile: Option<Profile>,
    }

    /// The share of the galaxy that each faction owns at the start.
    pub struct Territory {
        /// The only supported kind.
        #[serde(rename = "type")]
        pub kind: TerritoryKind,
        /// The share of all systems for each faction.
        #[schemars(with = "BTreeMap<String, Part>")]
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
    pub struct FleetSpec {
        /// The faction that owns it.
        #[schemars(with = "Id")]
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

    /// The victory conditions and the turn limit.
    pub struct Objectives {
        /// The victory conditions, checked in this order; the first one met ends the match. An empty
        /// list means elimination.
        #[schemars(length(max = 16))]
        pub victory: Vec<Condition>,
        /// The limits of the match.
        #[serde(default)]
        pub constraints: Constraints,
    }

    /// The limits of a match.
    #[derive(Copy, Default)]
    pub struct Constraints {
        /// The last turn of the match.
        #[schemars(with = "u32", range(min = 1, max = 2_147_483_647))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub max_turns: Option<u32>,
    }

    /// Switches that change the rules.
    #[derive(Copy)]
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
        #[schemars(with = "Id")]
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
    report.extend(upgraded.findings);
    let Some(current) = upgraded.document else {
        return report;
    };
    let placed = |finding: Finding| match upgraded.changed {
        true => finding.in_older_shape(document),
        false => finding,
    };
    let mut faults = Faults::default();
    let scenario = Scenario::read_whole(&Node::root(&with_integers(&current)), &mut faults);
    let errors = faults.iter().map(Finding::from);
    let warnings = faults.warnings().iter().map(Finding::remark);
    report.extend(errors.chain(warnings).map(placed));
    report.scenario = scenario.filter(|_| !report.has_errors());
    let advice = report.scenario.as_ref().map(advise::advise);
    report.extend(advice.into_iter().flatten().map(placed));
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

impl Scenario {
    /// Reads a scenario and reports every fault: those of its shape, of its references and, if
    /// these are sound, of its parts taken together.
    pub(crate) fn read_whole(node: &Node<'_>, faults: &mut Faults) -> Option<Scenario> {
        let scenario = Scenario::read(node, faults);
        references::check(node, scenario.is_some(), faults);
        scenario
    }

    /// Writes the scenario as a document. Reading it in the same dialect returns an equal scenario.
    pub fn document(&self, dialect: Dialect) -> Json {
        let document = json::from_value(self).expect("a scenario holds no floats");
        match dialect {
            Dialect::File => with_numbers(&document),
            Dialect::Canonical => document,
        }
    }
}
