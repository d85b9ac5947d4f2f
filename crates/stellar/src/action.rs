//! The small steps of orders: typed and by number.

use std::fmt;

use kernel::ActionId;

use crate::constants::{LANDABLE_MAX, RETREAT_SHARES};
use crate::galaxy::SystemIdx;
use crate::setup::World;
use crate::state::Verb;

/// A small step of a faction's orders. An order is composed by choosing a fleet, a verb and
/// what belongs to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// This fleet.
    Fleet(u16),
    /// Is to do this.
    Verb(Verb),
    /// There.
    System(SystemIdx),
    /// On this body: by its rank among those that troops can land on.
    Body(u8),
    /// On whichever body fits: where the enemy stands.
    AnyBody,
    /// This ship leaves: by its place in the fleet.
    Ship(u16),
    /// All ships that leave are named.
    End,
    /// The fleet that is joined.
    Into(u16),
    /// Break off below this share: by its place in the list of shares.
    Share(u8),
    /// All orders of the turn are given.
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

/// Where each kind of step begins in the action space.
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

    /// The first numbers of verbs, systems, bodies, any body, ships, end, into, shares, done.
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

    /// The kinds in order with how many numbers each has.
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
