//! Complete scenarios built from a few parameters.

use std::fmt;

use super::{
    Condition, Constraints, Distribution, Faction, FleetSpec, Generation, Homes, Meta, Objectives,
    Profile, Rules, SCHEMA_VERSION, Scenario, Spawn, SpawnName, Start, Symmetry, Topology,
};
use crate::constants::ShipKind;
use crate::decimal::Ly;
use crate::galaxy::Galaxy;
use crate::percentage::Percentage;

/// The parameters of a scenario with equal fleets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blueprint {
    /// The title; the id is derived from it.
    pub title: String,
    /// The shape of the galaxy.
    pub topology: Topology,
    /// The number of systems.
    pub n_systems: u32,
    /// The number of factions, 2 to 8.
    pub n_factions: u8,
    /// The seed of the galaxy, which becomes the scenario's fixed seed.
    pub seed: u32,
    /// The turn limit.
    pub n_turns: u32,
    /// The share of systems that wins by domination.
    pub domination: Percentage,
}

/// The blueprint asks for an unsupported number of factions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongFactions(
    /// The number that was requested.
    pub u8,
);

impl fmt::Display for WrongFactions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected 2 to 8 factions, found {}", self.0)
    }
}

impl std::error::Error for WrongFactions {}

impl Blueprint {
    /// Builds the scenario. Its galaxy has a sector for each faction if the number of systems is a
    /// multiple of the number of factions, otherwise fair homes if there are any, otherwise far
    /// ones. Use [`survey`](crate::survey) to check that its galaxy can be generated.
    pub fn build(&self) -> Result<Scenario, WrongFactions> {
        let n_factions = usize::from(self.n_factions);
        if !(2..=FACTIONS.len()).contains(&n_factions) {
            return Err(WrongFactions(self.n_factions));
        }
        let mut scenario = self.draft(&FACTIONS[..n_factions]);
        let choices = [
            (Symmetry::Rotational, Homes::Far),
            (Symmetry::None, Homes::Fair),
            (Symmetry::None, Homes::Far),
        ];
        for (symmetry, homes) in choices {
            scenario.generation.symmetry = symmetry;
            scenario.generation.homes = homes;
            let is_even = self.n_systems.is_multiple_of(scenario.n_sectors() as u32);
            if is_even && Galaxy::generate(&scenario, self.seed).is_ok() {
                break;
            }
        }
        Ok(scenario)
    }

    fn draft(&self, factions: &[(&str, &str, &str)]) -> Scenario {
        Scenario {
            schema_version: SCHEMA_VERSION,
            id: id_of(&self.title),
            meta: Meta {
                title: self.title.clone(),
                description: format!(
                    "{} equal factions in a galaxy of {}.",
                    factions.len(),
                    self.n_systems
                ),
                author: None,
                difficulty: 3,
                tags: vec!["generated".to_owned()],
            },
            generation: Generation {
                fixed_seed: Some(self.seed),
                system_count: self.n_systems,
                radius: Ly::whole(radius(self.n_systems)),
                topology: self.topology,
                symmetry: Symmetry::default(),
                homes: Homes::default(),
                spacing: Ly::whole(5),
                static_systems: Vec::new(),
            },
            setup: Start {
                factions: factions.iter().map(faction).collect(),
                starting_distribution: Distribution::Cluster,
                territory_allocation: None,
                initial_fleets: factions.iter().flat_map(|it| fleets(it.0)).collect(),
            },
            objectives: self.objectives(),
            rules: Rules {
                fog_of_war: true,
                use_advanced_combat: true,
                ai_enabled: true,
                total_war: true,
                unlimited_fuel: false,
                supply: true,
            },
        }
    }

    fn objectives(&self) -> Objectives {
        Objectives {
            victory: vec![
                Condition::Domination {
                    percentage: self.domination.clone(),
                },
                Condition::Elimination,
            ],
            constraints: Constraints {
                max_turns: Some(self.n_turns),
            },
        }
    }
}

/// The id, name and color of each faction, in seat order.
const FACTIONS: [(&str, &str, &str); 8] = [
    ("blue", "Blue League", "#3b82f6"),
    ("red", "Red Dominion", "#ef4444"),
    ("green", "Green Compact", "#22c55e"),
    ("gold", "Golden Houses", "#eab308"),
    ("violet", "Violet Order", "#a855f7"),
    ("cyan", "Cyan Reach", "#06b6d4"),
    ("orange", "Orange Free States", "#f97316"),
    ("white", "White Fleet", "#e5e7eb"),
];

const LINE: [ShipKind; 8] = [
    ShipKind::Carrier,
    ShipKind::Cruiser,
    ShipKind::Cruiser,
    ShipKind::Destroyer,
    ShipKind::Destroyer,
    ShipKind::Frigate,
    ShipKind::Frigate,
    ShipKind::Extractor,
];

/// A radius with ample room for this many systems.
fn radius(n_systems: u32) -> i64 {
    i64::from(n_systems.saturating_mul(170).isqrt()).max(20)
}

/// The title in snake_case.
fn id_of(title: &str) -> String {
    let words = title.split(|it: char| !it.is_ascii_alphanumeric());
    let words: Vec<String> = words
        .filter(|it| !it.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    match words.is_empty() {
        true => "scenario".to_owned(),
        false => words.join("_"),
    }
}

fn faction(&(id, name, color): &(&str, &str, &str)) -> Faction {
    Faction {
        id: id.to_owned(),
        name: name.to_owned(),
        color_hex: color.to_owned(),
        is_playable: true,
        ai_profile: Some(Profile::Balanced),
    }
}

fn fleets(owner: &str) -> [FleetSpec; 2] {
    let fleet = |ships: Vec<ShipKind>, with_armies| FleetSpec {
        owner_faction_id: owner.to_owned(),
        spawn_location: Spawn::Named(SpawnName::HomeSystem),
        ships,
        with_armies,
    };
    let mut landing = vec![ShipKind::TroopTransport; 5];
    landing.extend([ShipKind::Destroyer, ShipKind::Frigate]);
    [fleet(LINE.to_vec(), false), fleet(landing, true)]
}
