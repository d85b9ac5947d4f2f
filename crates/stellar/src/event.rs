//! The events a step causes, and the viewers who may see them.

use kernel::doc::{Named, Names};
use kernel::{Seat, SeatSet, Viewer};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use crate::galaxy::SystemIdx;

/// An effect of a step. Its audience is fixed at the moment it happens.
#[derive(Clone, PartialEq, Eq, Debug, Names)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Event {
    /// A faction gave an order. Only that faction learns of it.
    Ordered {
        /// The faction that gave it.
        seat: Seat,
        /// The rank of the fleet.
        rank: u16,
    },
    /// A fleet left a system.
    Departed {
        /// The fleet's owner and rank.
        fleet: (Seat, u16),
        /// The system it left.
        system: SystemIdx,
        /// The factions that saw it.
        seen: SeatSet,
    },
    /// A fleet arrived at a system.
    Arrived {
        /// The fleet's owner and rank.
        fleet: (Seat, u16),
        /// The system it reached.
        system: SystemIdx,
        /// The factions that saw it.
        seen: SeatSet,
    },
    /// A battle was fought.
    Fought {
        /// The system it was fought at.
        system: SystemIdx,
        /// The factions that took part.
        sides: SeatSet,
        /// The winner, if there was one.
        winner: Option<Seat>,
        /// The number of rounds fought.
        n_rounds: u8,
        /// Ships at the start, by seat.
        came: [u16; 8],
        /// Ships lost, by seat.
        lost: [u16; 8],
        /// The factions that saw it.
        seen: SeatSet,
    },
    /// A fleet retreated from a battle.
    BrokeOff {
        /// The fleet's owner and rank.
        fleet: (Seat, u16),
        /// The system of the battle.
        system: SystemIdx,
        /// The factions that saw it.
        seen: SeatSet,
    },
    /// An army landed.
    Landed {
        /// The army's owner.
        seat: Seat,
        /// The system it landed in.
        system: SystemIdx,
        /// The body it landed on.
        body: u8,
        /// The factions that saw it.
        seen: SeatSet,
    },
    /// An army came aboard.
    Embarked {
        /// The army's owner.
        seat: Seat,
        /// The system it left.
        system: SystemIdx,
    },
    /// An order could no longer be carried out.
    Failed {
        /// The fleet's owner and rank.
        fleet: (Seat, u16),
        /// The reason, as a stable code.
        why: &'static str,
    },
    /// Armies were bombarded from orbit.
    Bombarded {
        /// The faction that bombarded.
        seat: Seat,
        /// The system of the armies.
        system: SystemIdx,
        /// The factions that saw it.
        seen: SeatSet,
    },
    /// Armies fought on the ground.
    GroundCombat {
        /// The system of the fight.
        system: SystemIdx,
        /// The body it took place on.
        body: u8,
        /// The factions that fought.
        sides: SeatSet,
        /// The factions that saw it.
        seen: SeatSet,
    },
    /// A system changed hands. Public.
    Conquered {
        /// The conquered system.
        system: SystemIdx,
        /// The new owner.
        owner: Seat,
        /// The previous owner, if any.
        before: Option<Seat>,
    },
    /// A hill was held for another turn, or its count was reset. Public.
    Hill {
        /// The index of the condition.
        condition: u8,
        /// The faction that holds it; none after a reset.
        holder: Option<Seat>,
        /// The number of turns it has been held in a row.
        n_turns: u32,
    },
    /// A faction has neither a fleet nor a system left. Public.
    Eliminated(Seat),
    /// A faction that had to survive was eliminated. Public.
    SurvivalFailed(Seat),
    /// A faction left the match. Public.
    Left(Seat),
    /// A turn was resolved. Public.
    Resolved {
        /// The number of that turn.
        turn: u32,
    },
    /// The match ended. Public.
    Ended,
}

/// An event as one viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Default, JsonSchema)]
#[schemars(rename = "Event")]
pub struct Seen {
    /// The name of the event.
    #[schemars(schema_with = "names")]
    pub name: &'static str,
    /// The faction it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// The rank of that faction's fleet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fleet: Option<u16>,
    /// The system, by index in the list of systems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<u16>,
    /// The body, by rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<u8>,
    /// The number of turns or rounds, or the turn's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n: Option<u32>,
    /// The factions that took part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sides: Option<SeatSet>,
    /// The index of the condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<u8>,
    /// Ships at the start of a battle, by seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub came: Option<[u16; 8]>,
    /// Ships lost, by seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<[u16; 8]>,
    /// The reason, as a stable code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
}

fn names(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": Event::NAMES })
}

impl Event {
    /// The factions that may see it; `None` makes it public.
    fn audience(&self) -> Option<SeatSet> {
        match self {
            Event::Ordered { seat, .. }
            | Event::Embarked { seat, .. }
            | Event::Failed {
                fleet: (seat, _), ..
            } => Some(SeatSet::only(*seat)),
            Event::Departed { seen, .. }
            | Event::Arrived { seen, .. }
            | Event::Fought { seen, .. }
            | Event::BrokeOff { seen, .. }
            | Event::Landed { seen, .. }
            | Event::Bombarded { seen, .. }
            | Event::GroundCombat { seen, .. } => Some(*seen),
            Event::Conquered { .. }
            | Event::Hill { .. }
            | Event::Eliminated(_)
            | Event::SurvivalFailed(_)
            | Event::Left(_)
            | Event::Resolved { .. }
            | Event::Ended => None,
        }
    }

    fn seen(&self) -> Seen {
        let mut seen = Seen {
            name: self.name(),
            ..Seen::default()
        };
        match *self {
            Event::Ordered { seat, rank } => (seen.seat, seen.fleet) = (Some(seat), Some(rank)),
            Event::Departed { fleet, system, .. }
            | Event::Arrived { fleet, system, .. }
            | Event::BrokeOff { fleet, system, .. } => {
                (seen.seat, seen.fleet) = (Some(fleet.0), Some(fleet.1));
                seen.system = Some(system.0);
            }
            Event::Fought {
                system,
                sides,
                winner,
                n_rounds,
                came,
                lost,
                ..
            } => {
                (seen.system, seen.sides, seen.seat) = (Some(system.0), Some(sides), winner);
                seen.n = Some(n_rounds.into());
                (seen.came, seen.lost) = (Some(came), Some(lost));
            }
            Event::Landed {
                seat, system, body, ..
            } => {
                (seen.seat, seen.system, seen.body) = (Some(seat), Some(system.0), Some(body));
            }
            Event::Embarked { seat, system } | Event::Bombarded { seat, system, .. } => {
                (seen.seat, seen.system) = (Some(seat), Some(system.0));
            }
            Event::Failed { fleet, why } => {
                (seen.seat, seen.fleet) = (Some(fleet.0), Some(fleet.1));
                seen.why = Some(why);
            }
            Event::GroundCombat {
                system,
                body,
                sides,
                ..
            } => {
                (seen.system, seen.body, seen.sides) = (Some(system.0), Some(body), Some(sides));
            }
            Event::Conquered { system, owner, .. } => {
                (seen.seat, seen.system) = (Some(owner), Some(system.0));
            }
            Event::Hill {
                condition,
                holder,
                n_turns,
            } => {
                (seen.seat, seen.n) = (holder, Some(n_turns));
                seen.condition = Some(condition);
            }
            Event::Eliminated(seat) | Event::SurvivalFailed(seat) | Event::Left(seat) => {
                seen.seat = Some(seat);
            }
            Event::Resolved { turn } => seen.n = Some(turn),
            Event::Ended => {}
        }
        seen
    }
}

impl kernel::Event for Event {
    type Seen = Seen;

    fn seen_by(&self, viewer: Viewer) -> Option<Seen> {
        let known = match (self.audience(), viewer) {
            (None, _) => true,
            (Some(seats), Viewer::Seat(seat)) => seats.contains(seat),
            (Some(_), Viewer::Public) => false,
        };
        known.then(|| self.seen())
    }
}
