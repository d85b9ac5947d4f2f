//! The steps that orders are composed of, as a typed enum and as action ids.

use std::fmt;

use kernel::ActionId;

use crate::constants::{LANDABLE_MAX, RETREAT_SHARES};
use crate::galaxy::SystemIdx;
use crate::state::Verb;
use crate::world::World;

/// One step of a faction's orders. An order is composed by choosing a fleet, a verb and then the
/// verb's arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Begins an order for the faction's own fleet of this rank.
    Fleet(u16),
    /// The verb of the order.
    Verb(Verb),
    /// The target system.
    System(SystemIdx),
    /// The target body, by its rank among the bodies that troops can land on.
    Body(u8),
    /// Any body: the rules choose one, normally where the enemy is.
    AnyBody,
    /// A ship that a split detaches, by its index in the fleet.
    Ship(u16),
    /// Ends the list of ships that a split detaches.
    End,
    /// The fleet to merge into, by rank.
    Into(u16),
    /// The retreat threshold, as an index into
    /// [`RETREAT_SHARES`].
    Share(u8),
    /// Ends the faction's orders for this turn.
    Done,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Fleet(rank) => write!(f, "fleet:{rank}"),
            Action::Verb(verb) => f.write_str(verb.name()),
            Action::System(system) => write!(f, "system:{}", system.0),
            Action::Body(body) => write!(f, "body:{body}"),
            Action::AnyBody => f.write_str("body:any"),
            Action::Ship(place) => write!(f, "ship:{place}"),
            Action::End => f.write_str("end"),
            Action::Into(rank) => write!(f, "into:{rank}"),
            Action::Share(idx) => {
                let share = RETREAT_SHARES.get(usize::from(*idx)).unwrap_or(&0);
                write!(f, "below:{share}")
            }
            Action::Done => f.write_str("done"),
        }
    }
}

/// The layout of the action space: each kind of step has its own range of ids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Space {
    n_fleets: usize,
    n_systems: usize,
    n_ships: usize,
}

impl Space {
    pub(crate) fn of(world: &World) -> Space {
        Space {
            n_fleets: world.fleet_slots(),
            n_systems: world.galaxy().n_systems(),
            n_ships: world.ship_slots(),
        }
    }

    /// The first id of verbs, systems, bodies, any body, ships, end, into, shares, done.
    const fn starts(self) -> [usize; 9] {
        let verbs = self.n_fleets;
        let systems = verbs + Verb::ALL.len();
        let bodies = systems + self.n_systems;
        let any_body = bodies + LANDABLE_MAX;
        let ships = any_body + 1;
        let end = ships + self.n_ships;
        let into = end + 1;
        let shares = into + self.n_fleets;
        let done = shares + RETREAT_SHARES.len();
        [
            verbs, systems, bodies, any_body, ships, end, into, shares, done,
        ]
    }

    pub(crate) const fn n_actions(self) -> usize {
        self.starts()[8] + 1
    }

    #[inline]
    pub(crate) fn id(self, action: Action) -> ActionId {
        let starts = self.starts();
        ActionId::new(match action {
            Action::Fleet(rank) => rank.into(),
            Action::Verb(verb) => starts[0] + verb as usize,
            Action::System(system) => starts[1] + system.index(),
            Action::Body(body) => starts[2] + usize::from(body),
            Action::AnyBody => starts[3],
            Action::Ship(place) => starts[4] + usize::from(place),
            Action::End => starts[5],
            Action::Into(rank) => starts[6] + usize::from(rank),
            Action::Share(idx) => starts[7] + usize::from(idx),
            Action::Done => starts[8],
        })
    }

    pub(crate) fn action(self, id: ActionId) -> Option<Action> {
        let starts = self.starts();
        let idx = id.index();
        if idx >= self.n_actions() {
            return None;
        }
        let kind = starts.partition_point(|start| *start <= idx);
        let within = idx - kind.checked_sub(1).map_or(0, |kind| starts[kind]);
        Some(match kind {
            0 => Action::Fleet(within as u16),
            1 => Action::Verb(Verb::ALL[within]),
            2 => Action::System(SystemIdx(within as u16)),
            3 => Action::Body(within as u8),
            4 => Action::AnyBody,
            5 => Action::Ship(within as u16),
            6 => Action::End,
            7 => Action::Into(within as u16),
            8 => Action::Share(within as u8),
            _ => Action::Done,
        })
    }

    /// The kinds in the order of their ids, each with its number of ids.
    pub(crate) fn kinds(self) -> [(&'static str, usize); 10] {
        [
            ("fleet", self.n_fleets),
            ("verb", Verb::ALL.len()),
            ("system", self.n_systems),
            ("body", LANDABLE_MAX),
            ("any_body", 1),
            ("ship", self.n_ships),
            ("end", 1),
            ("into", self.n_fleets),
            ("share", RETREAT_SHARES.len()),
            ("done", 1),
        ]
    }
}
