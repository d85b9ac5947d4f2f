//! The closed lists of words that a scenario chooses from.

use kernel::doc::{Document, Names};
use schemars::JsonSchema;
use serde::Serialize;

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
