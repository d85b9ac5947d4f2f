//! A position as integers.

use kernel::{Block, Layout, Observe, Seat};

use crate::card::count;
use crate::state::bits;
use crate::topology::{N_EDGES, N_TILES, N_VERTICES};
use crate::{Catan, DECK, N_DEVS, N_RESOURCES, RESOURCE_CARDS, Setup};

/// The highest number on a tile. One-hot columns of the board use it as their one, so that a
/// single scale fits the whole block.
const NUMBER_MAX: i16 = 12;
/// A multiple of every card count in the deck.
const DEV_SCALE: i16 = 70;
/// A multiple of every scale in the metadata block.
const META_SCALE: i16 = 3000;

/// The numbers of the metadata block, each with the scale that divides its value.
pub(crate) const METADATA: [(&str, i16); 10] = [
    ("player_to_move", 1),
    ("points_of_0", 20),
    ("points_of_1", 20),
    ("longest_road_owner", 1),
    ("largest_army_owner", 1),
    ("cards_of_0", 120),
    ("cards_of_1", 120),
    ("deck_left", 25),
    ("turn_number", 1000),
    ("phase", 10),
];

impl Observe for Catan {
    fn observation(_: &Setup) -> Layout {
        let block = |name, shape: &[usize], low, high, scale, about| Block {
            name,
            shape: shape.to_vec(),
            low,
            high,
            scale,
            about,
        };
        let cards = i16::from(RESOURCE_CARDS);
        let (n_tiles, number) = (N_TILES, NUMBER_MAX);
        Layout {
            blocks: vec![
                block(
                    "board",
                    &[n_tiles, 6],
                    0,
                    number,
                    number,
                    "BRICK, LUMBER, WOOL, GRAIN, ORE as one of five, then the number",
                ),
                block("roads", &[N_EDGES], -1, 1, 1, "-1 free, else the player"),
                block(
                    "settlements",
                    &[N_VERTICES],
                    -1,
                    3,
                    1,
                    "-1 free, 0 and 1 settlements, 2 and 3 cities of players 0 and 1",
                ),
                block(
                    "hands",
                    &[2, N_RESOURCES],
                    0,
                    cards,
                    cards,
                    "cards by player and resource",
                ),
                block(
                    "dev",
                    &[2, N_DEVS],
                    0,
                    DEV_SCALE,
                    DEV_SCALE,
                    "own development cards as parts of the deck's; zeros for the other player",
                ),
                block("bank", &[N_RESOURCES], 0, cards, cards, "cards left"),
                block(
                    "metadata",
                    &[METADATA.len()],
                    -META_SCALE,
                    10 * META_SCALE,
                    META_SCALE,
                    "player to move /1, points of 0 and of 1 /20 (own with hidden ones), \
                     longest-road and largest-army owner /1 (-1 nobody), cards of 0 and of 1 /120 \
                     (resources and development), deck left /25, turn number /1000, phase /10",
                ),
            ],
        }
    }

    fn write_observation(&self, seat: Seat, out: &mut [i16]) {
        let (board, out) = out.split_at_mut(N_TILES * 6);
        board.fill(0);
        for (tile, row) in board.chunks_exact_mut(6).enumerate() {
            let terrain = usize::from(self.board.terrain[tile]);
            if terrain < N_RESOURCES {
                row[terrain] = NUMBER_MAX;
            }
            row[5] = self.board.numbers[tile].into();
        }
        let (roads, out) = out.split_at_mut(N_EDGES);
        let (sites, out) = out.split_at_mut(N_VERTICES);
        roads.fill(-1);
        sites.fill(-1);
        for (seat, player) in (0..).zip(&self.players) {
            mark(roads, player.roads, seat);
            mark(sites, player.settlements.into(), seat);
            mark(sites, player.cities.into(), seat + 2);
        }
        let (cards, meta) = out.split_at_mut(2 * N_RESOURCES + 2 * N_DEVS + N_RESOURCES);
        self.write_cards(seat, cards);
        self.write_metadata(seat, meta);
    }
}

/// Writes a value at every member of a set.
#[inline]
fn mark(out: &mut [i16], set: u128, value: i16) {
    for idx in bits(set) {
        out[idx] = value;
    }
}

impl Catan {
    fn write_cards(&self, seat: Seat, out: &mut [i16]) {
        let (hands, out) = out.split_at_mut(2 * N_RESOURCES);
        for (row, player) in hands.chunks_exact_mut(N_RESOURCES).zip(&self.players) {
            for (value, &n) in row.iter_mut().zip(&player.hand) {
                *value = n.into();
            }
        }
        let (devs, bank) = out.split_at_mut(2 * N_DEVS);
        for (row, own) in devs.chunks_exact_mut(N_DEVS).zip(Catan::SEATS) {
            let player = self.player(own);
            for (kind, value) in row.iter_mut().enumerate() {
                let n = player.devs[kind] + player.new_devs[kind];
                let known = if own == seat { i16::from(n) } else { 0 };
                *value = known * (DEV_SCALE / i16::from(DECK[kind]));
            }
        }
        for (value, &n) in bank.iter_mut().zip(&self.bank) {
            *value = n.into();
        }
    }

    fn write_metadata(&self, seat: Seat, out: &mut [i16]) {
        let owner = |owner: Option<Seat>| owner.map_or(-1, |seat| seat.index() as i16);
        let points = |own: Seat| match own == seat {
            true => self.points(own),
            false => self.public_points(own),
        };
        let cards = |idx: usize| {
            let player = &self.players[idx];
            i16::from(count(&player.hand)) + i16::from(player.n_devs())
        };
        let values = [
            self.decider().index() as i16,
            points(Seat::FIRST).into(),
            points(Seat::SECOND).into(),
            owner(self.road_owner),
            owner(self.army_owner),
            cards(0),
            cards(1),
            self.n_deck.into(),
            self.number as i16,
            self.phase as i16,
        ];
        for ((value, out), (_, scale)) in values.iter().zip(out).zip(METADATA) {
            *out = value * (META_SCALE / scale);
        }
    }
}
