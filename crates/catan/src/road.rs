//! The longest road.

use crate::state::bits;
use crate::topology::{EDGE_ENDS, EDGES_AT};

/// The length of the longest trail. A trail uses each road at most once and a vertex any number of
/// times, and it does not continue through an opponent's building.
///
/// A longest trail that is not a closed ring begins where it cannot be extended backward: at a
/// vertex with an odd number of roads, or at an opponent's building. So only those starts are
/// tried, and roads that no such trail touches form a separate ring.
pub(crate) fn longest(roads: u128, enemy: u64) -> u8 {
    let mut best = 0;
    let mut walked = 0;
    let mut ends = 0u64;
    for edge in bits(roads) {
        for vertex in EDGE_ENDS[edge] {
            ends |= 1 << vertex;
        }
    }
    for vertex in bits(ends.into()) {
        let here = EDGES_AT[vertex] & roads;
        let blocked = enemy & (1 << vertex) != 0;
        if blocked || here.count_ones() % 2 == 1 {
            best = best.max(walk(vertex, here, roads, enemy, &mut walked));
        }
    }
    let mut rings = roads & !walked;
    while rings != 0 {
        let ring = ring_at(rings);
        best = best.max(ring.count_ones() as u8);
        rings &= !ring;
    }
    best
}

/// The longest trail from a vertex, starting with one of the roads `here`, among the roads that
/// are left.
fn walk(vertex: usize, here: u128, left: u128, enemy: u64, walked: &mut u128) -> u8 {
    let mut best = 0;
    for edge in bits(here & left) {
        *walked |= 1 << edge;
        let [low, high] = EDGE_ENDS[edge];
        let next = usize::from(low ^ high) ^ vertex;
        let left = left & !(1 << edge);
        let beyond = if enemy & (1 << next) != 0 {
            0
        } else {
            walk(next, EDGES_AT[next], left, enemy, walked)
        };
        best = best.max(1 + beyond);
    }
    best
}

/// The roads of the ring that contains the lowest of these.
fn ring_at(roads: u128) -> u128 {
    let mut ring = roads & roads.wrapping_neg();
    loop {
        let mut grown = ring;
        for edge in bits(ring) {
            for vertex in EDGE_ENDS[edge] {
                grown |= EDGES_AT[usize::from(vertex)] & roads;
            }
        }
        if grown == ring {
            return ring;
        }
        ring = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::N_EDGES;

    /// The longest trail, found by trying every start and every path.
    fn slow(roads: u128, enemy: u64) -> u8 {
        (0..54)
            .map(|vertex| walk(vertex, EDGES_AT[vertex], roads, enemy, &mut 0))
            .max()
            .unwrap_or(0)
    }

    #[test]
    fn trying_odd_points_and_enemy_buildings_is_enough() {
        let mut rng = crate::board::expand(7);
        for _ in 0..20_000 {
            // A random walk of roads, so that they are connected and form rings.
            let mut roads = 1u128 << rng.below(N_EDGES as u64);
            for _ in 0..rng.below(15) {
                let mut near = 0;
                for edge in bits(roads) {
                    for vertex in EDGE_ENDS[edge] {
                        near |= EDGES_AT[usize::from(vertex)];
                    }
                }
                let near: Vec<usize> = bits(near & !roads).collect();
                if let Some(&edge) = near.get(rng.below(near.len() as u64) as usize) {
                    roads |= 1 << edge;
                }
            }
            let enemy = rng.bits64() & rng.bits64() & rng.bits64();
            assert_eq!(longest(roads, enemy), slow(roads, enemy), "{roads:b}");
            assert_eq!(longest(roads, 0), slow(roads, 0), "{roads:b}");
        }
    }
}
