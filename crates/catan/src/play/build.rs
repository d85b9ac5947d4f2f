//! Building, and the setup that begins a match.

use kernel::{Seat, Sink};

use crate::snapshot::Resources;
use crate::state::Player;
use crate::topology::{NONE, VERTEX_TILES};
use crate::{CITY_COST, Catan, Event, Hand, N_RESOURCES, Phase, ROAD_COST, SETTLEMENT_COST};

impl Catan {
    #[inline]
    pub(super) fn pay(&mut self, seat: Seat, cost: &Hand) {
        let hand = &mut self.players[seat.index() & 1].hand;
        for kind in 0..N_RESOURCES {
            hand[kind] -= cost[kind];
            self.bank[kind] += cost[kind];
        }
    }

    pub(super) fn setup_settlement(
        &mut self,
        seat: Seat,
        vertex: u8,
        events: &mut impl Sink<Event>,
    ) {
        self.place_settlement(seat, vertex, events);
        if self.n_placed >= 4 {
            self.pay_out(seat, vertex, events);
        }
        self.n_placed += 1;
        self.last_vertex = vertex;
        self.phase = Phase::SetupRoad;
    }

    /// Pays the second settlement's cards, one for each tile around it.
    pub(super) fn pay_out(&mut self, seat: Seat, vertex: u8, events: &mut impl Sink<Event>) {
        let mut cards = Hand::default();
        for tile in VERTEX_TILES[usize::from(vertex)] {
            let terrain = self.board.terrain.get(usize::from(tile)).copied();
            if let Some(card) = terrain.and_then(|kind| cards.get_mut(usize::from(kind))) {
                *card += 1;
            }
        }
        for (kind, n) in cards.into_iter().enumerate() {
            self.bank[kind] -= n;
            self.players[seat.index() & 1].hand[kind] += n;
        }
        let cards = Resources::of(&cards);
        events.push(Event::ResourcesProduced {
            player_id: seat,
            resources: cards,
        });
    }

    pub(super) fn setup_road(&mut self, seat: Seat, edge: u8, events: &mut impl Sink<Event>) {
        self.place_road(seat, edge, events);
        self.last_vertex = NONE;
        self.n_placed += 1;
        // Snake order: 0, 1, 1, 0.
        self.current = u8::from(matches!(self.n_placed, 2..6));
        self.phase = Phase::SetupSettlement;
        if self.n_placed == 8 {
            self.number = 1;
            self.phase = Phase::Roll;
        }
    }

    pub(super) fn build_road(
        &mut self,
        seat: Seat,
        edge: u8,
        free: bool,
        events: &mut impl Sink<Event>,
    ) {
        if !free {
            self.pay(seat, &ROAD_COST);
        }
        self.place_road(seat, edge, events);
        if free {
            self.free_roads -= 1;
            if self.player(seat).road_spots == 0 {
                self.free_roads = 0;
            }
            if self.free_roads > 0 {
                return;
            }
            self.phase = self.resume_phase();
        }
        self.check_win(seat, events);
    }

    pub(super) fn build_settlement(
        &mut self,
        seat: Seat,
        vertex: u8,
        events: &mut impl Sink<Event>,
    ) {
        self.pay(seat, &SETTLEMENT_COST);
        self.place_settlement(seat, vertex, events);
        self.check_win(seat, events);
    }

    pub(super) fn build_city(&mut self, seat: Seat, vertex: u8, events: &mut impl Sink<Event>) {
        self.pay(seat, &CITY_COST);
        let player: &mut Player = &mut self.players[seat.index() & 1];
        player.settlements &= !(1 << vertex);
        player.cities |= 1 << vertex;
        events.push(Event::CityPlaced {
            player_id: seat,
            vertex_id: vertex,
        });
        events.push(Event::VictoryPointsUpdated { player_id: seat });
        self.check_win(seat, events);
    }
}
