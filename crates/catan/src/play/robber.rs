//! The dice, production, discards and the robber.

use kernel::{Draw, Seat, Sink};

use crate::card::count;
use crate::chance::faces_of;
use crate::snapshot::Resources;
use crate::state::{Discard, Due};
use crate::topology::{NONE, TILE_SET};
use crate::{Catan, Dev, Event, N_RESOURCES, Phase, Resource};

impl Catan {
    /// True if a knight, not a seven, moves the robber.
    pub(crate) fn robber_by_knight(&self) -> bool {
        self.phase == Phase::MoveRobber && !self.robber_triggered
    }

    /// The phase in which a turn continues after a card or the robber.
    pub(super) fn resume_phase(&self) -> Phase {
        if self.rolled {
            Phase::Action
        } else {
            Phase::Roll
        }
    }

    #[inline]
    pub(super) fn dice_fall(&mut self, draw: Draw, events: &mut impl Sink<Event>) {
        self.take_from_bag(draw);
        self.chance = None;
        self.dice = faces_of(draw);
        let (seat, sum) = (self.mover(), self.dice[0] + self.dice[1]);
        events.push(Event::DiceRolled {
            player_id: seat,
            dice: self.dice,
        });
        if sum == 7 {
            self.robber_triggered = true;
            for seat in Catan::SEATS {
                let total = self.setup.discards(count(&self.player(seat).hand));
                self.discards[seat.index()] = Discard { total, left: total };
            }
            self.go_on_discarding();
        } else {
            self.produce(sum, events);
            self.phase = Phase::Action;
        }
    }

    /// Pays all claims to a resource. If the bank is short, a sole claimant gets what is left, and
    /// several claimants get nothing.
    #[inline]
    pub(super) fn produce(&mut self, sum: u8, events: &mut impl Sink<Event>) {
        let mut claims = [[0u8; N_RESOURCES]; 2];
        for tile in self.board.tiles_of(sum) {
            if tile == NONE || tile == self.robber {
                continue;
            }
            let set = TILE_SET[usize::from(tile)];
            let kind = usize::from(self.board.terrain[usize::from(tile)]);
            for (claim, player) in claims.iter_mut().zip(&self.players) {
                let n = (player.settlements & set).count_ones()
                    + 2 * (player.cities & set).count_ones();
                claim[kind % N_RESOURCES] += n as u8;
            }
        }
        if claims == [[0; N_RESOURCES]; 2] {
            return;
        }
        for kind in 0..N_RESOURCES {
            let stock = self.bank[kind];
            let wanted = claims[0][kind] + claims[1][kind];
            if wanted > stock {
                let shared = claims[0][kind] > 0 && claims[1][kind] > 0;
                for claim in &mut claims {
                    claim[kind] = if shared { 0 } else { claim[kind].min(stock) };
                }
                let resource = Resource::ALL[kind];
                events.push(Event::BankShort { resource });
            }
            for (claim, player) in claims.iter().zip(&mut self.players) {
                player.hand[kind] += claim[kind];
                self.bank[kind] -= claim[kind];
            }
        }
        for (seat, cards) in Catan::SEATS.into_iter().zip(claims) {
            if cards != [0; N_RESOURCES] {
                let cards = Resources::of(&cards);
                events.push(Event::ResourcesProduced {
                    player_id: seat,
                    resources: cards,
                });
            }
        }
    }

    pub(super) fn go_on_discarding(&mut self) {
        let due = self.discards.iter().any(|due| due.left > 0);
        self.phase = if due {
            Phase::Discard
        } else {
            Phase::MoveRobber
        };
    }

    pub(super) fn discard(
        &mut self,
        seat: Seat,
        resource: Resource,
        events: &mut impl Sink<Event>,
    ) {
        self.players[seat.index() & 1].hand[resource as usize] -= 1;
        self.bank[resource as usize] += 1;
        events.push(Event::CardDiscarded {
            player_id: seat,
            resource,
        });
        let due = &mut self.discards[seat.index() & 1];
        due.left -= 1;
        if due.left == 0 {
            *due = Discard::default();
        }
        self.go_on_discarding();
    }

    pub(super) fn play_knight(&mut self, seat: Seat, events: &mut impl Sink<Event>) {
        self.play_dev(seat, Dev::Knight, events);
        self.update_army(seat, events);
        self.phase = Phase::MoveRobber;
    }

    pub(super) fn move_robber(&mut self, seat: Seat, tile: u8, events: &mut impl Sink<Event>) {
        self.robber = tile;
        self.robber_triggered = false;
        self.phase = self.resume_phase();
        events.push(Event::RobberMoved {
            player_id: seat,
            tile_id: tile,
        });
        let other = Catan::other(seat);
        if self.lives_at(other, tile) && count(&self.player(other).hand) > 0 {
            self.chance = Some(Due::Theft);
        } else {
            self.check_win(seat, events);
        }
    }

    /// True if a player has a building on a tile.
    pub(crate) fn lives_at(&self, seat: Seat, tile: u8) -> bool {
        self.player(seat).buildings() & TILE_SET[usize::from(tile)] != 0
    }

    pub(super) fn theft(&mut self, draw: Draw, events: &mut impl Sink<Event>) {
        let seat = self.mover();
        let resource = Resource::ALL[draw.0 as usize % N_RESOURCES];
        self.players[Catan::other(seat).index()].hand[resource as usize] -= 1;
        self.players[seat.index()].hand[resource as usize] += 1;
        self.chance = None;
        events.push(Event::ResourceStolen {
            player_id: seat,
            resource,
        });
        self.check_win(seat, events);
    }
}
