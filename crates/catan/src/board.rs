//! The layout of a board: resources, numbers and harbor kinds.

use kernel::doc::{Document, Names};
use kernel::rng::{Pcg64, Seed};
use schemars::JsonSchema;
use serde::Serialize;

use crate::N_RESOURCES;
use crate::topology::{EDGE_ENDS, N_PORTS, N_TILES, NONE, PORT_EDGES, TILE_SET};

/// The terrain code of a tile that yields nothing.
pub(crate) const DESERT: u8 = N_RESOURCES as u8;
/// The code of a harbor for any resource, three for one.
pub(crate) const ANY: u8 = N_RESOURCES as u8;

/// The terrain of a tile, by number: a resource, or the desert.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document, Names)]
#[serde(rename_all = "UPPERCASE")]
#[allow(missing_docs, reason = "resources")]
pub enum Terrain {
    Brick,
    Lumber,
    Wool,
    Grain,
    Ore,
    /// Yields nothing.
    Desert,
}

/// The kind of a harbor, by number: two for one with one resource, or three for one with any.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, Document, Names)]
#[serde(rename_all = "UPPERCASE")]
#[allow(missing_docs, reason = "resources")]
pub enum PortKind {
    Brick,
    Lumber,
    Wool,
    Grain,
    Ore,
    /// Every resource.
    Any,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    /// The resource of each tile, or [`DESERT`].
    pub(crate) terrain: [u8; N_TILES],
    /// The number on each tile; 0 on the desert.
    pub(crate) numbers: [u8; N_TILES],
    /// The resource of each harbor, or [`ANY`].
    pub(crate) ports: [u8; N_PORTS],
    /// The tiles of each sum of two dice. Derived, for production.
    by_sum: [[u8; 2]; N_SUMS],
}

/// The number of sums of two dice, from 2 up.
const N_SUMS: usize = 11;

/// The index of a sum of two dice.
#[inline]
const fn sum_idx(sum: u8) -> usize {
    sum.wrapping_sub(2) as usize % N_SUMS
}

const REFERENCE_TERRAIN: [u8; N_TILES] = [5, 4, 3, 2, 0, 1, 3, 1, 0, 2, 4, 3, 1, 0, 2, 1, 3, 2, 4];
const REFERENCE_NUMBERS: [u8; N_TILES] =
    [0, 5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11];
const REFERENCE_PORTS: [u8; N_PORTS] = [5, 0, 5, 4, 5, 2, 5, 3, 1];

impl Board {
    pub(crate) fn terrain(&self, tile: usize) -> Terrain {
        Terrain::ALL[usize::from(self.terrain[tile])]
    }

    pub(crate) fn port(&self, port: usize) -> PortKind {
        PortKind::ALL[usize::from(self.ports[port])]
    }

    /// The reference board of the specification.
    pub(crate) fn reference() -> Board {
        Board::new(REFERENCE_TERRAIN, REFERENCE_NUMBERS, REFERENCE_PORTS)
    }

    pub(crate) fn new(
        terrain: [u8; N_TILES],
        numbers: [u8; N_TILES],
        ports: [u8; N_PORTS],
    ) -> Board {
        let mut by_sum = [[NONE; 2]; N_SUMS];
        let numbered = numbers
            .iter()
            .enumerate()
            .filter(|(_, number)| **number > 0);
        for (tile, &number) in numbered {
            let places = &mut by_sum[sum_idx(number)];
            if let Some(place) = places.iter_mut().find(|place| **place == NONE) {
                *place = tile as u8;
            }
        }
        Board {
            terrain,
            numbers,
            ports,
            by_sum,
        }
    }

    /// A board drawn from a seed. Tiles, numbers and harbors are shuffled until no two tiles with
    /// 6 or 8 are adjacent.
    pub(crate) fn random(rng: &mut Pcg64) -> Board {
        let (mut terrain, mut ports) = (REFERENCE_TERRAIN, REFERENCE_PORTS);
        rng.shuffle(&mut terrain);
        rng.shuffle(&mut ports);
        let desert = terrain.iter().position(|&it| it == DESERT).unwrap_or(0);
        let mut tokens = [0; N_TILES - 1];
        tokens.copy_from_slice(&REFERENCE_NUMBERS[1..]);
        loop {
            rng.shuffle(&mut tokens);
            let mut numbers = [0; N_TILES];
            numbers[..desert].copy_from_slice(&tokens[..desert]);
            numbers[desert + 1..].copy_from_slice(&tokens[desert..]);
            if !reds_touch(&numbers) {
                return Board::new(terrain, numbers, ports);
            }
        }
    }

    /// Lists what is wrong with a board that was read. Empty if a match can have this board.
    pub(crate) fn faults(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let sorted = |mut values: [u8; N_TILES]| {
            values.sort_unstable();
            values
        };
        let mut ports = [self.ports, REFERENCE_PORTS];
        ports.iter_mut().for_each(|it| it.sort_unstable());
        let bare = |tile: usize| (self.terrain[tile] == DESERT) == (self.numbers[tile] == 0);
        [
            (
                sorted(self.terrain) == sorted(REFERENCE_TERRAIN),
                "tiles",
                "a board has 3 BRICK, 4 LUMBER, 4 WOOL, 4 GRAIN, 3 ORE and 1 DESERT",
            ),
            (
                sorted(self.numbers) == sorted(REFERENCE_NUMBERS),
                "tiles",
                "a board has the numbers 2 and 12 once, and 3 to 6 and 8 to 11 twice",
            ),
            (
                (0..N_TILES).all(bare),
                "tiles",
                "every tile but the desert has a number",
            ),
            (
                !reds_touch(&self.numbers) || *self == Board::reference(),
                "tiles",
                "tiles with 6 or 8 must not be adjacent",
            ),
            (
                ports[0] == ports[1],
                "ports",
                "a board has 4 ANY ports and one of each resource",
            ),
        ]
        .into_iter()
        .filter_map(|(holds, key, message)| (!holds).then_some((key, message)))
    }

    /// The tiles that yield on a sum of two dice, padded with [`NONE`].
    #[inline]
    pub(crate) fn tiles_of(&self, sum: u8) -> [u8; 2] {
        self.by_sum[sum_idx(sum)]
    }

    pub(crate) fn desert(&self) -> u8 {
        let desert = self.terrain.iter().position(|&it| it == DESERT);
        desert.unwrap_or(0) as u8
    }

    /// The kinds of harbors at a vertex, as a set of resources and [`ANY`].
    pub(crate) fn port_at(&self, vertex: usize) -> u8 {
        let mut kinds = 0;
        for (port, &edge) in PORT_EDGES.iter().enumerate() {
            if EDGE_ENDS[usize::from(edge)].contains(&(vertex as u8)) {
                kinds |= 1 << self.ports[port];
            }
        }
        kinds
    }
}

/// True if two tiles with 6 or 8 are adjacent.
fn reds_touch(numbers: &[u8; N_TILES]) -> bool {
    let red = |tile: usize| matches!(numbers[tile], 6 | 8);
    (0..N_TILES)
        .filter(|&tile| red(tile))
        .any(|tile| (0..tile).any(|other| red(other) && TILE_SET[tile] & TILE_SET[other] != 0))
}

/// The generator that expands a 64-bit draw.
pub(crate) fn expand(seed: u64) -> Pcg64 {
    Pcg64::from_seed(&Seed::from(seed))
}
