//! Features of a position, as small integers.
//!
//! All features are computed from one seat's view, so nothing hidden enters. Cards that the
//! opponent may hold unseen count by their expectation.

use catan::{CITIES_MAX, DECK, LARGEST_ARMY_MIN, LONGEST_ROAD_MIN, SETTLEMENTS_MAX, View};
use catan::{CITY_COST, DEV_COST, Dev, Hand, N_DEVS, N_RESOURCES, PlayerView, SETTLEMENT_COST};

use super::ground::{ANY_PORT, AROUND, Ground, TILE_SET, bits, one_further, touched};

/// The number of features of one side.
pub(super) const N_SIDE: usize = 34;
/// The number of features of a position: the difference of both sides, and whose turn it is.
pub(super) const N_FEATURES: usize = N_SIDE + 2;

/// A position in numbers: the seat's advantage over the opponent in each feature.
pub(super) type Features = [i32; N_FEATURES];

/// The names of the features, for readers of the weights.
pub(super) const NAMES: [&str; N_FEATURES] = [
    "points",
    "points_squared",
    "near_win",
    "brick",
    "lumber",
    "wool",
    "grain",
    "ore",
    "root_production",
    "production_to_go",
    "blocked",
    "variety",
    "any_port",
    "own_port",
    "hand",
    "hand_over",
    "to_city",
    "to_settlement",
    "to_card",
    "spots",
    "spot_here",
    "spot_near",
    "spot_far",
    "road_len",
    "road_claim",
    "army_claim",
    "knights_played",
    "knights_held",
    "road_building_held",
    "plenty_held",
    "monopoly_held",
    "cities_left",
    "settlements_left",
    "speed",
    "turn_before_throw",
    "turn_after_throw",
];

/// Cards of each kind that a player holds, in hundredths: known or expected.
type Held = [i32; N_DEVS];

/// Computes the features of a view for player `me`.
pub(super) fn features(ground: &Ground, view: &View, me: usize) -> Features {
    let unseen = unseen_cards(view, me);
    let sides = [me, 1 - me].map(|idx| Side::new(ground, view, idx, &unseen).features());
    let mut out = [0; N_FEATURES];
    for (idx, place) in out[..N_SIDE].iter_mut().enumerate() {
        *place = sides[0][idx] - sides[1][idx];
    }
    let mine = if usize::from(view.current_player) == me {
        1
    } else {
        -1
    };
    out[N_SIDE + usize::from(view.rolled)] = mine;
    out
}

/// Cards that `me` has not seen, by kind: in the deck or in the opponent's hand.
pub(super) fn unseen_cards(view: &View, me: usize) -> [i32; N_DEVS] {
    let mut unseen = DECK.map(i32::from);
    for player in &view.players {
        for (left, played) in unseen.iter_mut().zip(player.played) {
            *left -= i32::from(played);
        }
    }
    if let Some(own) = view.players[me].own {
        for cards in [own.dev_cards, own.new_dev_cards] {
            for (left, held) in unseen.iter_mut().zip(cards) {
                *left -= i32::from(held);
            }
        }
    }
    unseen.map(|left| left.max(0))
}

struct Side<'a> {
    ground: &'a Ground,
    view: &'a View,
    idx: usize,
    player: &'a PlayerView,
    other: &'a PlayerView,
    held: Held,
    /// Rolls out of 36 that yield a card, by resource, without the robber's tile.
    production: [i32; N_RESOURCES],
    blocked: i32,
    ports: u8,
}

impl<'a> Side<'a> {
    fn new(ground: &'a Ground, view: &'a View, idx: usize, unseen: &[i32; N_DEVS]) -> Side<'a> {
        let player = &view.players[idx];
        let mut side = Side {
            ground,
            view,
            idx,
            player,
            other: &view.players[1 - idx],
            held: held(player, unseen),
            production: [0; N_RESOURCES],
            blocked: 0,
            ports: 0,
        };
        for (set, n_cards) in [(player.settlements, 1), (player.cities, 2)] {
            for vertex in bits(set.into()) {
                side.ports |= ground.ports[vertex];
                for (sum, pips) in side.production.iter_mut().zip(ground.yields[vertex]) {
                    *sum += n_cards * pips;
                }
            }
        }
        side.block();
        side
    }

    /// Subtracts the production that the robber blocks.
    fn block(&mut self) {
        let robber = usize::from(self.view.robber);
        let n_cards = (self.player.settlements & TILE_SET[robber]).count_ones()
            + 2 * (self.player.cities & TILE_SET[robber]).count_ones();
        if let Some(kind) = self.ground.tile_resource[robber] {
            self.blocked = n_cards as i32 * self.ground.tile_pips[robber];
            self.production[kind] -= self.blocked;
        }
    }

    fn features(&self) -> [i32; N_SIDE] {
        let mut out = [0; N_SIDE];
        let points =
            i32::from(self.player.victory_points) * 100 + self.held[Dev::VictoryPoint as usize];
        let target = i32::from(self.view.vp_to_win) * 100;
        let to_go = (target - points).max(0);
        out[0] = points;
        out[1] = points * points / 1000;
        out[2] = (400 - to_go).max(0);
        out[3..8].copy_from_slice(&self.production);
        let total: i32 = self.production.iter().sum();
        out[8] = self.production.iter().map(|pips| root(pips * 64)).sum();
        out[9] = total * to_go / 100;
        out[10] = self.blocked;
        out[11] = self.production.iter().filter(|pips| **pips > 0).count() as i32;
        out[12] = i32::from(self.ports & (1 << ANY_PORT) != 0) * total;
        out[13] = (0..N_RESOURCES)
            .filter(|kind| self.ports & (1 << kind) != 0)
            .map(|kind| self.production[kind])
            .sum();
        self.put_hand(&mut out[14..19]);
        self.put_spots(&mut out[19..23]);
        self.put_claims(&mut out[23..26]);
        out[26] = i32::from(self.player.played[Dev::Knight as usize]);
        out[27..31].copy_from_slice(&self.held[..4]);
        out[31] = (CITIES_MAX - self.player.cities.count_ones()) as i32;
        out[32] = (SETTLEMENTS_MAX - self.player.settlements.count_ones()) as i32;
        out[33] = -self.slowness(to_go, total);
        out
    }

    /// The time left to victory, as a logarithm of turns in sixteenths of an octave: the remaining
    /// cost divided by the income.
    fn slowness(&self, to_go: i32, total: i32) -> i32 {
        let n_cards: i32 = self.player.resources.iter().map(|n| i32::from(*n)).sum();
        let to_pay = (to_go * 5 / 100 - n_cards).max(2);
        octaves(to_pay * 256 / (total + 4))
    }

    fn put_hand(&self, out: &mut [i32]) {
        let hand = &self.player.resources;
        let n_cards: i32 = hand.iter().map(|n| i32::from(*n)).sum();
        out[0] = n_cards.min(9);
        out[1] = (n_cards - 9).max(0);
        let can_city = self.player.settlements != 0 && self.player.cities.count_ones() < CITIES_MAX;
        out[2] = i32::from(can_city) * (5 - self.missing(&CITY_COST));
        let can_settle = self.player.settlements.count_ones() < SETTLEMENTS_MAX;
        out[3] = i32::from(can_settle) * (4 - self.missing(&SETTLEMENT_COST));
        out[4] = i32::from(self.view.n_deck > 0) * (3 - self.missing(&DEV_COST));
    }

    /// Cards still missing for a cost after all useful trades with the bank.
    fn missing(&self, cost: &Hand) -> i32 {
        let (mut missing, mut swaps) = (0, 0);
        for (kind, needed) in cost.iter().enumerate() {
            let spare = i32::from(self.player.resources[kind]) - i32::from(*needed);
            if spare < 0 {
                missing -= spare;
            } else {
                swaps += spare / price(self.ports, kind);
            }
        }
        (missing - swaps).max(0)
    }

    /// The number of places to settle, and the best one at hand, one road and two roads away.
    fn put_spots(&self, out: &mut [i32]) {
        let buildings = |player: &PlayerView| player.settlements | player.cities;
        let enemy = buildings(self.other);
        let all = buildings(self.player) | enemy;
        let open = bits(all.into()).fold(u64::MAX, |open, vertex| open & !AROUND[vertex]);
        let taken = self.player.roads | self.other.roads;
        let here = touched(self.player.roads);
        let near = one_further(here & !enemy, taken);
        let far = one_further(near & !enemy, taken);
        let at_hand = here & open;
        out[0] = (at_hand.count_ones() as i32).min(3);
        out[1] = self.best_spot(at_hand);
        out[2] = out[1].max(self.best_spot(near & open));
        out[3] = out[2].max(self.best_spot(far & !here & open));
    }

    fn best_spot(&self, spots: u64) -> i32 {
        let worth = |vertex: usize| {
            let new = (0..N_RESOURCES)
                .filter(|&kind| self.ground.yields[vertex][kind] > 0 && self.production[kind] == 0)
                .count() as i32;
            let port = i32::from(self.ground.ports[vertex] & !self.ports != 0);
            self.ground.pips[vertex] + 2 * new + port
        };
        bits(spots.into()).map(worth).max().unwrap_or(0)
    }

    /// The road length, and how close or how safe the two titles are.
    fn put_claims(&self, out: &mut [i32]) {
        let len = i32::from(self.player.longest_road_len);
        let other_len = i32::from(self.other.longest_road_len);
        out[0] = len;
        out[1] = match self.view.longest_road_owner {
            Some(owner) if usize::from(owner) == self.idx => (len - other_len).clamp(0, 4),
            Some(_) => -(other_len + 1 - len).clamp(0, 5),
            None => -(i32::from(LONGEST_ROAD_MIN) - len).clamp(0, 5),
        } * 100;
        let knights = |player: &PlayerView| i32::from(player.played[Dev::Knight as usize]) * 100;
        let own = knights(self.player) + self.held[Dev::Knight as usize];
        out[2] = match self.view.largest_army_owner {
            Some(owner) if usize::from(owner) == self.idx => {
                (own - knights(self.other)).clamp(0, 300)
            }
            Some(_) => -(knights(self.other) + 100 - own).clamp(0, 400),
            None => -(i32::from(LARGEST_ARMY_MIN) * 100 - own).clamp(0, 400),
        };
    }
}

/// The bank's price for one card, in cards of the given kind.
#[inline]
pub(super) fn price(ports: u8, kind: usize) -> i32 {
    if ports & (1 << kind) != 0 {
        2
    } else if ports & (1 << ANY_PORT) != 0 {
        3
    } else {
        4
    }
}

fn held(player: &PlayerView, unseen: &[i32; N_DEVS]) -> Held {
    let mut held = [0; N_DEVS];
    match player.own {
        Some(own) => {
            for cards in [own.dev_cards, own.new_dev_cards] {
                for (sum, n) in held.iter_mut().zip(cards) {
                    *sum += 100 * i32::from(n);
                }
            }
        }
        None => {
            let n_cards = i32::from(player.n_dev_cards);
            let total = unseen.iter().sum::<i32>().max(1);
            for (sum, n) in held.iter_mut().zip(unseen) {
                *sum = 100 * n_cards * n / total;
            }
        }
    }
    held
}

/// The integer part of a square root.
fn root(n: i32) -> i32 {
    n.max(0).isqrt()
}

/// The logarithm to base 2 in sixteenths, interpolated linearly between powers.
fn octaves(n: i32) -> i32 {
    let n = n.max(1);
    let whole = n.ilog2() as i32;
    let rest = (n - (1 << whole)) * 16 / (1 << whole);
    whole * 16 + rest
}
