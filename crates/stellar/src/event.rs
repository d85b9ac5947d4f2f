//! The events a step causes, and the viewers who may see them.

use kernel::doc::Names;
use kernel::{Seat, SeatSet, Viewer};
use schemars::JsonSchema;
use serde::Serialize;

use crate::galaxy::SystemIdx;
use crate::state::Fleet;

/// An event caused by a step. Its audience is fixed at the moment it happens.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, Names)]
#[serde(tag = "name", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
#[allow(missing_docs, reason = "the fields are what their names say")]
pub enum Event {
    /// A faction gave an order. Only that faction learns of it.
    Ordered {
        seat: Seat,
        /// The rank of the fleet.
        fleet: u16,
    },
    /// A fleet left a system.
    Departed(Sighting),
    /// A fleet arrived at a system.
    Arrived(Sighting),
    /// A battle was fought.
    Fought {
        /// The winner, if there was one.
        #[serde(rename = "seat", skip_serializing_if = "Option::is_none")]
        winner: Option<Seat>,
        system: SystemIdx,
        /// The number of rounds fought.
        #[serde(rename = "n")]
        n_rounds: u8,
        /// The factions that took part.
        sides: SeatSet,
        /// Ships at the start, by seat.
        came: [u16; 8],
        /// Ships lost, by seat.
        lost: [u16; 8],
        #[serde(skip)]
        seen: SeatSet,
    },
    /// A fleet retreated from a battle.
    BrokeOff(Sighting),
    /// An army landed.
    Landed {
        seat: Seat,
        system: SystemIdx,
        /// The body, by rank.
        body: u8,
        #[serde(skip)]
        seen: SeatSet,
    },
    /// An army came aboard. Only its owner learns of it.
    Embarked { seat: Seat, system: SystemIdx },
    /// An order could no longer be carried out. Only the fleet's owner learns of it.
    Failed {
        seat: Seat,
        /// The rank of the fleet.
        fleet: u16,
        /// The reason, as a stable code.
        why: &'static str,
    },
    /// A faction bombarded armies from orbit.
    Bombarded {
        seat: Seat,
        system: SystemIdx,
        #[serde(skip)]
        seen: SeatSet,
    },
    /// Armies fought on the ground.
    GroundCombat {
        system: SystemIdx,
        /// The body, by rank.
        body: u8,
        /// The factions that fought.
        sides: SeatSet,
        #[serde(skip)]
        seen: SeatSet,
    },
    /// A system has a new owner. Public.
    Conquered {
        #[serde(rename = "seat")]
        owner: Seat,
        system: SystemIdx,
        /// The previous owner, if any.
        #[serde(skip)]
        before: Option<Seat>,
    },
    /// A hill was held for another turn, or its count was reset. Public.
    Hill {
        /// The faction that holds it; absent after a reset.
        #[serde(rename = "seat", skip_serializing_if = "Option::is_none")]
        holder: Option<Seat>,
        /// The number of turns it has been held in a row.
        #[serde(rename = "n")]
        n_turns: u32,
        /// The index of the condition.
        condition: u8,
    },
    /// A faction has neither a fleet nor a system left. Public.
    Eliminated { seat: Seat },
    /// A faction that had to survive was eliminated. Public.
    SurvivalFailed { seat: Seat },
    /// A faction left the match. Public.
    Left { seat: Seat },
    /// A turn was resolved. Public.
    Resolved {
        /// The number of that turn.
        #[serde(rename = "n")]
        turn: u32,
    },
    /// The match ended. Public.
    Ended,
}

/// A fleet that was seen at a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sighting {
    /// The fleet's owner.
    pub seat: Seat,
    /// The rank of the fleet.
    pub fleet: u16,
    /// The system, by index in the list of systems.
    pub system: SystemIdx,
    /// The factions that saw it.
    #[serde(skip)]
    pub seen: SeatSet,
}

impl Fleet {
    pub(crate) fn sighting(&self, system: SystemIdx, seen: SeatSet) -> Sighting {
        Sighting {
            seat: self.owner,
            fleet: self.rank,
            system,
            seen,
        }
    }
}

impl kernel::Event for Event {
    type Seen = Event;

    fn seen_by(&self, viewer: Viewer) -> Option<Event> {
        let mut event = self.clone();
        let known = match &mut event {
            Event::Ordered { seat, .. }
            | Event::Embarked { seat, .. }
            | Event::Failed { seat, .. } => viewer.is(*seat),
            Event::Departed(Sighting { seen, .. })
            | Event::Arrived(Sighting { seen, .. })
            | Event::BrokeOff(Sighting { seen, .. })
            | Event::Fought { seen, .. }
            | Event::Landed { seen, .. }
            | Event::Bombarded { seen, .. }
            | Event::GroundCombat { seen, .. } => {
                // No viewer learns which other factions saw it.
                let seen = std::mem::replace(seen, SeatSet::EMPTY);
                matches!(viewer, Viewer::Seat(seat) if seen.contains(seat))
            }
            Event::Conquered { .. }
            | Event::Hill { .. }
            | Event::Eliminated { .. }
            | Event::SurvivalFailed { .. }
            | Event::Left { .. }
            | Event::Resolved { .. }
            | Event::Ended => true,
        };
        known.then_some(event)
    }
}
