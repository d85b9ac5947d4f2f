//! The view: everything one viewer may know.

mod document;

use std::sync::Arc;

use kernel::{Outcome, Seat, SeatSet, Viewer, documents};
use serde::{Serialize, Serializer};

use crate::constants::ShipKind;
use crate::galaxy::SystemIdx;
use crate::sight::Sight;
use crate::space::Point;
use crate::state::{Army, Draft, Ending, Fleet, Hold, Score, Stellar};
use crate::world::World;

use document::ViewDocument;

documents! {
    /// Everything a viewer may know: the map and its owners, its own fleets, armies and orders, and
    /// the visible foreign forces.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct View of(at: &Stellar, viewer: Viewer)
    where (
        seat = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Public => None,
        },
        sight = seat.map(|seat| Sight::of(at, seat)),
        sees_fleet = |it: &&Fleet| sight.as_ref().is_some_and(|sight| sight.sees_fleet(it)),
        sees_army = |it: &&Army| sight.as_ref().is_some_and(|sight| sight.sees_army(it)),
    ) {
        pub(crate) world: Arc<World> = Arc::clone(&at.world),
        /// The seat of the viewer; `None` for the public view.
        pub seat: Option<Seat> = seat,
        /// The turn that is being planned, from 1.
        pub turn: u32 = at.turn,
        /// The owner of each system.
        pub owners: Vec<Option<Seat>> = at.owners.clone(),
        /// The viewer's own fleets with their sealed orders.
        pub fleets: Vec<Fleet> = seat.map_or(Vec::new(), |seat| at.fleets_of(seat).to_vec()),
        /// The visible foreign fleets.
        pub contacts: Vec<Contact> = {
            let foreign = at.fleets.iter().filter(|it| Some(it.owner) != seat);
            foreign.filter(sees_fleet).map(|it| Contact::of(at, it)).collect()
        },
        /// The visible armies, including the viewer's own.
        pub armies: Vec<Army> = at.armies.iter().filter(sees_army).copied().collect(),
        /// By condition: the holder of the hill and the number of turns.
        pub holds: Vec<Option<Hold>> = at.holds.clone(),
        /// The seats that have not left.
        pub present: SeatSet = at.present,
        /// The seats that had a fleet or a system when the last turn ended.
        pub alive: SeatSet = at.alive,
        /// True once the viewer has given all its orders.
        pub done: bool = seat.is_some_and(|seat| at.done.contains(seat)),
        /// The order that the viewer is composing.
        pub draft: Draft = seat.map_or(Draft::Idle, |seat| at.drafts[seat.index()]),
        /// The viewer's own score.
        pub score: Option<Score> = seat.map(|seat| at.score(seat)),
        /// The ending, once the match is over.
        pub ending: Option<Ending> = at.end.clone(),
    }

    /// A visible foreign fleet.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Contact of(at: &Stellar, fleet: &Fleet) {
        /// The faction that owns it.
        pub owner: Seat = fleet.owner,
        /// Its rank among its owner's fleets.
        pub rank: u16 = fleet.rank,
        /// Its position.
        pub at: Point = fleet.at(at.galaxy()),
        /// The system it orbits, or `None` in flight.
        pub orbit: Option<SystemIdx> = fleet.orbit(),
        /// Its ships: type and remaining hull.
        pub ships: Vec<(ShipKind, u16)> = {
            fleet.ships.iter().map(|it| (it.kind, it.hull)).collect()
        },
    }
}

impl View {
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
        ViewDocument::of(self).serialize(serializer)
    }
}
