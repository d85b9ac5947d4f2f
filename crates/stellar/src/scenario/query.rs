//! Facts that follow from a scenario: its systems, its factions and its conditions.

use super::{BodyClass, Condition, Constraints, Scenario, StaticSystem, Symmetry};
use crate::constants::TURNS_MAX;

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

impl Constraints {
    /// The last turn of the match: the author's limit, or the hard limit.
    pub fn last_turn(self) -> u32 {
        self.max_turns.unwrap_or(TURNS_MAX)
    }
}

impl Scenario {
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
pub(super) fn generated_rank(id: &str) -> Option<u32> {
    let rank: u32 = id.strip_prefix(GENERATED)?.parse().ok()?;
    (rank > 0 && generated_id(rank) == id).then_some(rank)
}
