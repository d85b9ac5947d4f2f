//! The view: everything one viewer may know.

mod document;

use std::fmt;
use std::sync::Arc;

use kernel::{Outcome, Seat, SeatSet, Viewer};
use serde::{Serialize, Serializer};

use crate::constants::ShipKind;
use crate::galaxy::SystemIdx;
use crate::setup::World;
use crate::space::Point;
use crate::state::{Army, Draft, Ending, Fleet, Hold, Score, Stellar};

/// Everything a viewer may know: the map and its owners, its own fleets, armies and orders, and the
/// visible foreign forces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    world: Arc<World>,
    /// The seat of the viewer; `None` for the public view.
    pub seat: Option<Seat>,
    /// The turn that is being planned, from 1.
    pub turn: u32,
    /// The owner of each system.
    pub owners: Vec<Option<Seat>>,
    /// The viewer's own fleets with their sealed orders.
    pub fleets: Vec<Fleet>,
    /// The visible foreign fleets.
    pub contacts: Vec<Contact>,
    /// The visible armies, including the viewer's own.
    pub armies: Vec<Army>,
    /// By condition: the holder of the hill and the number of turns.
    pub holds: Vec<Option<Hold>>,
    /// The seats that have not left.
    pub present: SeatSet,
    /// The seats that had a fleet or a system when the last turn ended.
    pub alive: SeatSet,
    /// True once the viewer has given all its orders.
    pub done: bool,
    /// The order that the viewer is composing.
    pub draft: Draft,
    /// The viewer's own score.
    pub score: Option<Score>,
    /// The ending, once the match is over.
    pub ending: Option<Ending>,
}

/// A visible foreign fleet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contact {
    /// The faction that owns it.
    pub owner: Seat,
    /// Its rank among its owner's fleets.
    pub rank: u16,
    /// Its position.
    pub at: Point,
    /// The system it orbits, or `None` in flight.
    pub orbit: Option<SystemIdx>,
    /// Its ships: type and remaining hull.
    pub ships: Vec<(ShipKind, u16)>,
}

impl View {
    pub(crate) fn of(at: &Stellar, viewer: Viewer) -> View {
        let seat = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Public => None,
        };
        let foreign = at.fleets.iter().filter(|it| Some(it.owner) != seat);
        let seen = foreign.filter(|it| seat.is_some_and(|seat| at.sees_fleet(seat, it)));
        let contacts = seen.map(|fleet| Contact {
            owner: fleet.owner,
            rank: fleet.rank,
            at: fleet.at(at.galaxy()),
            orbit: fleet.orbit(),
            ships: fleet.ships.iter().map(|it| (it.kind, it.hull)).collect(),
        });
        let sees = |army: &&Army| seat.is_some_and(|seat| at.sees_army(seat, army));
        View {
            world: Arc::clone(&at.world),
            seat,
            turn: at.turn,
            owners: at.owners.clone(),
            fleets: seat.map_or(Vec::new(), |seat| at.fleets_of(seat).to_vec()),
            contacts: contacts.collect(),
            armies: at.armies.iter().filter(sees).copied().collect(),
            holds: at.holds.clone(),
            present: at.present,
            alive: at.alive,
            done: seat.is_some_and(|seat| at.done.contains(seat)),
            draft: seat.map_or(Draft::Idle, |seat| at.drafts[seat.index()]),
            score: seat.map(|seat| at.score(seat)),
            ending: at.end.clone(),
        }
    }

    /// Everything that stays the same during the match; public.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The number of systems a faction owns.
    pub fn n_owned(&self, seat: Seat) -> usize {
        self.owners.iter().filter(|it| **it == Some(seat)).count()
    }

    /// The outcome in the form common to all games, once the match is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.ending.as_ref().map(|it| it.outcome(&self.world))
    }
}

impl Serialize for View {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.document().serialize(serializer)
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let world = &self.world;
        write!(f, "turn {} of {}", self.turn, world.last_turn())?;
        for seat in Seat::first(world.n_seats()) {
            let gone = if self.alive.contains(seat) {
                ""
            } else {
                " (gone)"
            };
            write!(
                f,
                "; {} {}{gone}",
                world.faction_id(seat),
                self.n_owned(seat)
            )?;
        }
        writeln!(f)?;
        self.write_objectives(f)?;
        for fleet in &self.fleets {
            writeln!(f, "  {}", crate::notation::fleet(fleet, world))?;
        }
        for contact in &self.contacts {
            let owner = world.faction_id(contact.owner);
            let place = contact.orbit.map_or("in space", |it| self.id(it));
            let n_ships = contact.ships.len();
            writeln!(f, "  {owner} {}: {n_ships} ships, {place}", contact.rank)?;
        }
        match self.outcome() {
            Some(outcome) => write!(f, "over: {outcome}"),
            None => write!(f, "  {} armies in sight", self.armies.len()),
        }
    }
}
