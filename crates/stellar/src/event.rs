//! What a step causes, and who may know it.

use kernel::doc::{Named, Names};
use kernel::{Seat, SeatSet, Viewer};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use crate::galaxy::SystemIdx;

/// What a step causes. Who may know of it was settled when it happened.
#[derive(Clone, PartialEq, Eq, Debug, Names)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Event {
    /// An order was given: only its faction learns of it.
    Ordered {
        /// The faction.
        seat: Seat,
        /// The fleet's rank.
        rank: u16,
    },
    /// A fleet set out.
    Departed {
        /// The fleet.
        fleet: (Seat, u16),
        /// From where.
        system: SystemIdx,
        /// Who saw it.
        seen: SeatSet,
    },
    /// A fleet arrived.
    Arrived {
        /// The fleet.
        fleet: (Seat, u16),
        /// Where.
        system: SystemIdx,
        /// Who saw it.
        seen: SeatSet,
    },
    /// A battle was fought.
    Fought {
        /// Where.
        system: SystemIdx,
        /// Who took part.
        sides: SeatSet,
        /// Who won, if anybody did.
        winner: Option<Seat>,
        /// How many rounds.
        n_rounds: u8,
        /// Ships that came, by seat.
        came: [u16; 8],
        /// Ships lost, by seat.
        lost: [u16; 8],
        /// Who saw it.
        seen: SeatSet,
    },
    /// A fleet broke off a battle.
    BrokeOff {
        /// The fleet.
        fleet: (Seat, u16),
        /// From where.
        system: SystemIdx,
        /// Who saw it.
        seen: SeatSet,
    },
    /// An army landed.
    Landed {
        /// Whose.
        seat: Seat,
        /// Where.
        system: SystemIdx,
        /// On which body.
        body: u8,
        /// Who saw it.
        seen: SeatSet,
    },
    /// An army came aboard.
    Embarked {
        /// Whose.
        seat: Seat,
        /// Where.
        system: SystemIdx,
    },
    /// An order could not be carried out any more.
    Failed {
        /// The fleet.
        fleet: (Seat, u16),
        /// Why, as a stable code.
        why: &'static str,
    },
    /// Armies were bombarded from orbit.
    Bombarded {
        /// By whom.
        seat: Seat,
        /// Where.
        system: SystemIdx,
        /// Who saw it.
        seen: SeatSet,
    },
    /// Armies fought on the ground.
    GroundCombat {
        /// Where.
        system: SystemIdx,
        /// On which body.
        body: u8,
        /// Who fought.
        sides: SeatSet,
        /// Who saw it.
        seen: SeatSet,
    },
    /// A system changed hands: everybody knows.
    Conquered {
        /// Where.
        system: SystemIdx,
        /// Who owns it now.
        owner: Seat,
        /// Who owned it before.
        before: Option<Seat>,
    },
    /// A hill is held for another turn, or the count was set back: everybody knows.
    Hill {
        /// The condition.
        condition: u8,
        /// Who holds it; nobody after it was set back.
        holder: Option<Seat>,
        /// For how many turns.
        n_turns: u32,
    },
    /// A faction has neither fleet nor system: everybody knows.
    Eliminated(Seat),
    /// A faction whose survival was to be shown is gone: everybody knows.
    SurvivalFailed(Seat),
    /// A faction left: everybody knows.
    Left(Seat),
    /// A turn was resolved: everybody knows.
    Resolved {
        /// Which.
        turn: u32,
    },
    /// The match is over: everybody knows.
    Ended,
}

/// An event as one viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Default, JsonSchema)]
#[schemars(rename = "Event")]
pub struct Seen {
    /// The name of the event.
    #[schemars(schema_with = "names")]
    pub name: &'static str,
    /// Whom it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// The fleet's rank under that seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fleet: Option<u16>,
    /// Where it was, by its place in the list of systems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<u16>,
    /// On which body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<u8>,
    /// A count of turns or rounds, or the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n: Option<u32>,
    /// Who took part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sides: Option<SeatSet>,
    /// The condition that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<u8>,
    /// Ships that came to a battle, by seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub came: Option<[u16; 8]>,
    /// Ships lost, by seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<[u16; 8]>,
    /// Why, as a stable code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
}

fn names(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": Event::NAMES })
}

impl Event {
    /// Who may know of it; nobody in particular means everybody.
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

    fn told(&self) -> Seen {
        let mut told = Seen {
            name: self.name(),
            ..Seen::default()
        };
        match *self {
            Event::Ordered { seat, rank } => (told.seat, told.fleet) = (Some(seat), Some(rank)),
            Event::Departed { fleet, system, .. }
            | Event::Arrived { fleet, system, .. }
            | Event::BrokeOff { fleet, system, .. } => {
                (told.seat, told.fleet) = (Some(fleet.0), Some(fleet.1));
                told.system = Some(system.0);
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
                (told.system, told.sides, told.seat) = (Some(system.0), Some(sides), winner);
                told.n = Some(n_rounds.into());
                (told.came, told.lost) = (Some(came), Some(lost));
            }
            Event::Landed {
                seat, system, body, ..
            } => {
                (told.seat, told.system, told.body) = (Some(seat), Some(system.0), Some(body));
            }
            Event::Embarked { seat, system } | Event::Bombarded { seat, system, .. } => {
                (told.seat, told.system) = (Some(seat), Some(system.0));
            }
            Event::Failed { fleet, why } => {
                (told.seat, told.fleet) = (Some(fleet.0), Some(fleet.1));
                told.why = Some(why);
            }
            Event::GroundCombat {
                system,
                body,
                sides,
                ..
            } => {
                (told.system, told.body, told.sides) = (Some(system.0), Some(body), Some(sides));
            }
            Event::Conquered { system, owner, .. } => {
                (told.seat, told.system) = (Some(owner), Some(system.0));
            }
            Event::Hill {
                condition,
                holder,
                n_turns,
            } => {
                (told.seat, told.n) = (holder, Some(n_turns));
                told.condition = Some(condition);
            }
            Event::Eliminated(seat) | Event::SurvivalFailed(seat) | Event::Left(seat) => {
                told.seat = Some(seat);
            }
            Event::Resolved { turn } => told.n = Some(turn),
            Event::Ended => {}
        }
        told
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
        known.then(|| self.told())
    }
}
