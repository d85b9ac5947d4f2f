//! Properties of the board, computed once per match.

use catan::View;
use catan::topology::{
    EDGE_ENDS, N_EDGES, N_PORTS, N_TILES, N_VERTICES, NONE, PORT_EDGES, TILE_VERTICES,
    VERTEX_EDGES, VERTEX_TILES,
};
use catan::{N_RESOURCES, PortKind};

/// The index of a harbor for any resource.
pub(super) const ANY_PORT: usize = N_RESOURCES;

/// The constants of a match: the yield and harbor of each vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ground {
    /// Rolls out of 36 that yield a card, by vertex and resource.
    pub(super) yields: [[i32; N_RESOURCES]; N_VERTICES],
    /// The sum over all resources.
    pub(super) pips: [i32; N_VERTICES],
    /// Rolls out of 36 on which a tile yields.
    pub(super) tile_pips: [i32; N_TILES],
    /// The resource of a tile; `None` for the desert.
    pub(super) tile_resource: [Option<usize>; N_TILES],
    /// Harbors at a vertex, as a set of resources and [`ANY_PORT`].
    pub(super) ports: [u8; N_VERTICES],
}

/// The vertices of a tile as a set.
pub(super) const TILE_SET: [u64; N_TILES] = {
    let mut sets = [0; N_TILES];
    let mut idx = 0;
    while idx < N_TILES * 6 {
        sets[idx / 6] |= 1 << TILE_VERTICES[idx / 6][idx % 6];
        idx += 1;
    }
    sets
};

/// A vertex and its neighbors as a set: a building excludes others from these.
pub(super) const AROUND: [u64; N_VERTICES] = {
    let mut sets = [0; N_VERTICES];
    let mut edge = 0;
    while edge < N_EDGES {
        let [low, high] = EDGE_ENDS[edge];
        let both = 1 << low | 1 << high;
        sets[low as usize] |= both;
        sets[high as usize] |= both;
        edge += 1;
    }
    sets
};

impl Ground {
    pub(super) fn of(view: &View) -> Ground {
        let tile_pips = view.tiles.map(|tile| pips(tile.number));
        let tile_resource = view.tiles.map(|tile| {
            let kind = tile.resource as usize;
            (kind < N_RESOURCES).then_some(kind)
        });
        let mut yields = [[0; N_RESOURCES]; N_VERTICES];
        for (vertex, tiles) in VERTEX_TILES.iter().enumerate() {
            for &tile in tiles.iter().filter(|tile| **tile != NONE) {
                if let Some(kind) = tile_resource[usize::from(tile)] {
                    yields[vertex][kind] += tile_pips[usize::from(tile)];
                }
            }
        }
        Ground {
            yields,
            pips: yields.map(|by_kind| by_kind.iter().sum()),
            tile_pips,
            tile_resource,
            ports: ports(&view.ports),
        }
    }
}

/// Rolls out of 36 with this sum.
fn pips(number: u8) -> i32 {
    match number {
        2..=12 => 6 - (7 - i32::from(number)).abs(),
        _ => 0,
    }
}

fn ports(kinds: &[PortKind; N_PORTS]) -> [u8; N_VERTICES] {
    let mut ports = [0; N_VERTICES];
    for (edge, kind) in PORT_EDGES.iter().zip(kinds) {
        for vertex in EDGE_ENDS[usize::from(*edge)] {
            ports[usize::from(vertex)] |= 1 << *kind as u8;
        }
    }
    ports
}

/// The members of a set, in ascending order.
#[inline]
pub(super) fn bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let lowest = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(lowest)
    })
}

/// The vertices that roads touch.
#[inline]
pub(super) fn touched(roads: u128) -> u64 {
    bits(roads).fold(0, |set, edge| {
        set | 1 << EDGE_ENDS[edge][0] | 1 << EDGE_ENDS[edge][1]
    })
}

/// The vertices one free edge away from a set.
#[inline]
pub(super) fn one_further(from: u64, taken: u128) -> u64 {
    let mut beyond = 0;
    for vertex in bits(from.into()) {
        for &edge in &VERTEX_EDGES[vertex] {
            if edge != NONE && taken & (1 << edge) == 0 {
                let [low, high] = EDGE_ENDS[usize::from(edge)];
                beyond |= 1 << low | 1 << high;
            }
        }
    }
    beyond & !from
}
