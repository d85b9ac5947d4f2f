//! The enumerations that a scenario chooses from.

use kernel::alike;
use kernel::doc::{Document, Names};
use schemars::JsonSchema;
use serde::Serialize;

alike! {
    [#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document, Names)]
     #[serde(rename_all = "snake_case")]];

    /// The shape of a galaxy.
    pub enum Topology {
        /// Arms that wind outward from the center.
        Spiral,
        /// A few dense clouds.
        Cluster,
        /// A band around an empty middle.
        Ring,
        /// A uniform disk.
        Scattered,
    }

    /// The symmetry of a galaxy.
    #[derive(Default)]
    pub enum Symmetry {
        /// Every system is placed alone.
        #[default]
        None,
        /// Two halves that mirror each other in the plane x = 0; for two factions.
        Mirror,
        /// As many equal sectors around the center as there are factions.
        Rotational,
    }

    /// The way homes are chosen.
    #[derive(Default)]
    pub enum Homes {
        /// The first at random, each further one as far as possible from the earlier ones.
        #[default]
        Far,
        /// Far apart, and worth nearly the same.
        Fair,
    }

    /// The resource of a system.
    pub enum Resource {
        /// Gas, for extractors.
        Gas,
        /// No resource.
        None,
    }

    /// A planet or a moon.
    pub enum BodyKind {
        /// Orbits a star.
        Planet,
        /// Orbits a planet.
        Moon,
    }

    /// The class of a body, which decides if troops can land on it.
    pub enum BodyClass {
        /// Troops can land on it.
        Solid,
        /// Troops cannot land on it.
        GasGiant,
        /// Troops cannot land on it.
        IceGiant,
    }

    /// The systems that each faction owns at the start.
    pub enum Distribution {
        /// One home system.
        Scattered,
        /// One home system and the four systems nearest to it.
        Cluster,
        /// No systems.
        None,
    }

    /// The playing style of a faction's bot.
    pub enum Profile {
        /// Attacks at even odds.
        Aggressive,
        /// Attacks with an advantage.
        Balanced,
        /// Holds its own systems.
        Defensive,
    }

    /// The way territory is assigned.
    pub enum TerritoryKind {
        /// By share of all systems.
        Percentages,
    }

    /// The contiguity of assigned territory.
    pub enum Contiguity {
        /// Each faction's territory grows outward from its home.
        Clustered,
    }

    /// A named starting place.
    pub enum SpawnName {
        /// The faction's home; a random system if it has none.
        HomeSystem,
        /// A random system of the faction, else an unowned one, else any.
        Random,
    }
}
