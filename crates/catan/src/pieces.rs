//! Placement of pieces, and the two titles.

use kernel::{Seat, Sink};

use crate::state::{LARGEST_ARMY_MIN, LONGEST_ROAD_MIN};
use crate::topology::{AROUND, EDGES_AT, ENDS_SET};
use crate::{Catan, Dev, Event, road};

impl Catan {
    pub(crate) fn place_road(&mut self, seat: Seat, edge: u8, events: &mut impl Sink<Event>) {
        let bit = 1u128 << edge;
        let enemy = self.player(Catan::other(seat)).buildings();
        let [player, other] = self.pair_mut(seat);
        player.roads |= bit;
        player.reach |= ENDS_SET[usize::from(edge)];
        player.road_spots |= crate::state::bits((ENDS_SET[usize::from(edge)] & !enemy).into())
            .fold(0, |spots, vertex| spots | EDGES_AT[vertex]);
        player.road_len = road::longest(player.roads, enemy);
        let taken = player.roads | other.roads;
        player.road_spots &= !taken;
        other.road_spots &= !taken;
        events.push(Event::RoadPlaced {
            player_id: seat,
            edge_id: edge,
        });
        self.update_road(events);
    }

    pub(crate) fn place_settlement(
        &mut self,
        seat: Seat,
        vertex: u8,
        events: &mut impl Sink<Event>,
    ) {
        let bit = 1u64 << vertex;
        self.open &= !AROUND[usize::from(vertex)];
        let port = self.board.port_at(vertex.into());
        let [player, other] = self.pair_mut(seat);
        player.settlements |= bit;
        player.ports |= port;
        let (enemy, roads, cut) = (player.buildings(), other.roads, other.reach & bit != 0);
        if cut {
            other.road_len = road::longest(roads, enemy);
        }
        events.push(Event::SettlementPlaced {
            player_id: seat,
            vertex_id: vertex,
        });
        events.push(Event::VictoryPointsUpdated { player_id: seat });
        if cut {
            self.find_road_spots(Catan::other(seat));
            self.update_road(events);
        }
    }

    /// The player and the opponent.
    fn pair_mut(&mut self, seat: Seat) -> [&mut crate::state::Player; 2] {
        let [first, second] = &mut self.players;
        if seat == Seat::FIRST {
            [first, second]
        } else {
            [second, first]
        }
    }

    /// The holder keeps the longest road while it has five or more and the opponent has no more.
    /// Otherwise the title goes to the only player with the longest road of at least five, or to
    /// nobody.
    fn update_road(&mut self, events: &mut impl Sink<Event>) {
        let lens = self.players.map(|player| player.road_len);
        let best = lens[0].max(lens[1]);
        let longest = |seat: &Seat| lens[seat.index()] == best;
        let owner = match self.road_owner {
            _ if best < LONGEST_ROAD_MIN => None,
            Some(owner) if longest(&owner) => Some(owner),
            _ if lens[0] == lens[1] => None,
            _ => Catan::SEATS.into_iter().find(longest),
        };
        if owner != self.road_owner {
            self.road_owner = owner;
            events.push(Event::LongestRoadChanged { owner });
        }
    }

    /// The largest army goes to a player with at least three knights and more than the opponent.
    pub(crate) fn update_army(&mut self, seat: Seat, events: &mut impl Sink<Event>) {
        let knights = |seat: Seat| self.player(seat).played[Dev::Knight as usize];
        let (own, other) = (knights(seat), knights(Catan::other(seat)));
        let owner = self.army_owner;
        if owner != Some(seat) && own >= LARGEST_ARMY_MIN && own > other {
            self.army_owner = Some(seat);
            events.push(Event::LargestArmyChanged { owner: seat });
        }
    }
}
