//! The end of a match.

use kernel::doc::{Named, Names};
use kernel::{Outcome, Seat, Verdict};
use schemars::JsonSchema;
use serde::Serialize;

use crate::world::World;

/// The end of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The winner; none in a draw.
    pub winner: Option<Seat>,
    /// The cause of the ending.
    pub cause: Cause,
    /// The last turn that was resolved.
    pub turn: u32,
    /// The scores, by seat.
    pub scores: Vec<Score>,
}

/// The cause of an ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Names)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The condition with this index was met: by one faction, or by several that tied.
    Condition(u8),
    /// The winner owned the most systems at the turn limit.
    #[serde(rename = "tie_break_control")]
    Control,
    /// The winner had the most power among those with the most systems.
    #[serde(rename = "tie_break_power")]
    Power,
    /// No faction was ahead at the turn limit.
    Draw,
    /// No faction that could win is left.
    MutualAnnihilation,
    /// All other factions left.
    Forfeit,
    /// All factions left.
    Void,
}

/// The possessions of a faction that count at the turn limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Score {
    /// Systems owned.
    pub n_systems: u32,
    /// The total hull points of its ships.
    pub power: u64,
}

impl Cause {
    /// The stable code of this cause.
    pub fn code(self, world: &World) -> &'static str {
        match self {
            Cause::Condition(idx) => {
                let conditions = world.scenario().conditions();
                conditions
                    .get(usize::from(idx))
                    .map_or("condition", |it| it.name())
            }
            _ => self.name(),
        }
    }

    /// The index of the condition that was met.
    pub(crate) fn condition(self) -> Option<u8> {
        match self {
            Cause::Condition(idx) => Some(idx),
            _ => None,
        }
    }

    /// The cause with this name; the index of a condition is 0 if it is missing.
    pub(crate) fn named(name: &str, condition: Option<u8>) -> Cause {
        let others = [
            Cause::Control,
            Cause::Power,
            Cause::Draw,
            Cause::MutualAnnihilation,
            Cause::Forfeit,
            Cause::Void,
        ];
        let other = others.into_iter().find(|it| it.name() == name);
        other.unwrap_or(Cause::Condition(condition.unwrap_or(0)))
    }
}

impl Ending {
    pub(crate) fn outcome(&self, world: &World) -> Outcome {
        let verdict = match (self.cause, self.winner) {
            (Cause::Void, _) => Verdict::Void,
            (_, Some(winner)) => Verdict::Winner(winner),
            (_, None) => Verdict::Draw,
        };
        let code = self.cause.code(world);
        let at_cap = matches!(self.cause, Cause::Control | Cause::Power | Cause::Draw);
        // The scenario's own limit is a rule of the match; the hard limit only cuts it off.
        let given = world.scenario().objectives.constraints.max_turns.is_some();
        if at_cap && !given {
            Outcome::truncated(verdict, code)
        } else {
            Outcome::decided(verdict, code)
        }
    }
}
