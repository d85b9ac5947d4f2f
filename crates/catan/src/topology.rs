//! The island: tiles, corners, edges and harbor sites, computed from the tile table.
//!
//! Tiles are pointy-top hexes in cube coordinates, y growing down the screen. A corner has one
//! name `(x, y, z, direction)` per tile that touches it, directions clockwise from the northeast;
//! the smallest is its canonical name, and the sorted canonical names are the vertex ids. An edge
//! is a pair of vertices; the sorted pairs are the edge ids. All tables are computed at compile
//! time.

/// The number of tiles.
pub const N_TILES: usize = 19;
/// The number of vertices.
pub const N_VERTICES: usize = 54;
/// The number of edges.
pub const N_EDGES: usize = 72;
/// The number of harbors.
pub const N_PORTS: usize = 9;
/// Marks an unused entry of an adjacency table.
pub const NONE: u8 = u8::MAX;

/// The directions of a tile's corners, clockwise.
pub const DIRECTIONS: [&str; 6] = ["NE", "SE", "S", "SW", "NW", "N"];

/// The cube coordinates of the tiles: a spiral from the center, clockwise.
pub const TILES: [[i8; 3]; N_TILES] = [
    [0, 0, 0],
    [1, -1, 0],
    [1, 0, -1],
    [0, 1, -1],
    [-1, 1, 0],
    [-1, 0, 1],
    [0, -1, 1],
    [2, -1, -1],
    [2, 0, -2],
    [1, 1, -2],
    [0, 2, -2],
    [-1, 2, -1],
    [-2, 2, 0],
    [-2, 1, 1],
    [-2, 0, 2],
    [-1, -1, 2],
    [0, -2, 2],
    [1, -2, 1],
    [2, -2, 0],
];

/// The six corners of a tile are at three times its center plus these. A corner is the sum of the
/// centers of the three hexes that meet there, whether or not they are land.
const CORNERS: [[i8; 3]; 6] = [
    [2, -1, -1],
    [1, 1, -2],
    [-1, 2, -1],
    [-2, 1, 1],
    [-1, -1, 2],
    [1, -2, 1],
];

/// The name of a corner: a tile's coordinates and a direction.
pub type VertexName = [i8; 4];

/// The canonical names by vertex id.
pub const VERTEX_NAMES: [VertexName; N_VERTICES] = vertex_names();
/// The vertices of each tile by direction.
pub const TILE_VERTICES: [[u8; 6]; N_TILES] = tile_vertices();
/// The two vertices of each edge, the smaller first.
pub const EDGE_ENDS: [[u8; 2]; N_EDGES] = edge_ends();
/// The edges at each vertex in ascending order, padded with [`NONE`].
pub const VERTEX_EDGES: [[u8; 3]; N_VERTICES] = vertex_edges();
/// The tiles at each vertex in ascending order, padded with [`NONE`].
pub const VERTEX_TILES: [[u8; 3]; N_VERTICES] = vertex_tiles();
/// The edge of each harbor, clockwise from the northeast.
pub const PORT_EDGES: [u8; N_PORTS] = port_edges();

/// The harbors' positions along the coast, counted in edges clockwise from the northeastern side
/// of the last tile, with gaps of three, four and three.
const PORT_SITES: [usize; N_PORTS] = [0, 3, 7, 10, 13, 17, 20, 23, 27];

/// The vertices of a tile as a set.
pub(crate) const TILE_SET: [u64; N_TILES] = tile_set();
/// The edges at a vertex as a set.
pub(crate) const EDGES_AT: [u128; N_VERTICES] = edges_at();
/// A vertex and its neighbors as a set: a building excludes others from these.
pub(crate) const AROUND: [u64; N_VERTICES] = around();
/// The two vertices of an edge as a set.
pub(crate) const ENDS_SET: [u64; N_EDGES] = ends_set();

const fn corner(tile: usize, direction: usize) -> [i8; 3] {
    let (at, to) = (TILES[tile], CORNERS[direction]);
    [at[0] * 3 + to[0], at[1] * 3 + to[1], at[2] * 3 + to[2]]
}

const fn same(left: [i8; 3], right: [i8; 3]) -> bool {
    left[0] == right[0] && left[1] == right[1] && left[2] == right[2]
}

const fn name(tile: usize, direction: usize) -> VertexName {
    let [x, y, z] = TILES[tile];
    [x, y, z, direction as i8]
}

const fn less<const N: usize>(left: [i8; N], right: [i8; N]) -> bool {
    let mut idx = 0;
    while idx < N {
        if left[idx] != right[idx] {
            return left[idx] < right[idx];
        }
        idx += 1;
    }
    false
}

/// The smallest of a corner's names.
const fn canonical(tile: usize, direction: usize) -> VertexName {
    let point = corner(tile, direction);
    let mut best = name(tile, direction);
    let mut idx = 0;
    while idx < N_TILES * 6 {
        let (other, way) = (idx / 6, idx % 6);
        if same(corner(other, way), point) && less(name(other, way), best) {
            best = name(other, way);
        }
        idx += 1;
    }
    best
}

const fn vertex_names() -> [VertexName; N_VERTICES] {
    let mut names = [[0; 4]; N_VERTICES];
    let mut len = 0;
    let mut idx = 0;
    while idx < N_TILES * 6 {
        let own = name(idx / 6, idx % 6);
        let best = canonical(idx / 6, idx % 6);
        // Count each corner once, at its canonical name.
        if !less(own, best) && !less(best, own) {
            let mut place = len;
            while place > 0 && less(own, names[place - 1]) {
                names[place] = names[place - 1];
                place -= 1;
            }
            names[place] = own;
            len += 1;
        }
        idx += 1;
    }
    assert!(len == N_VERTICES);
    names
}

const fn tile_vertices() -> [[u8; 6]; N_TILES] {
    let mut table = [[NONE; 6]; N_TILES];
    let mut idx = 0;
    while idx < N_TILES * 6 {
        let best = canonical(idx / 6, idx % 6);
        let mut vertex = 0;
        while less(VERTEX_NAMES[vertex], best) {
            vertex += 1;
        }
        table[idx / 6][idx % 6] = vertex as u8;
        idx += 1;
    }
    table
}

/// The vertices at the two ends of a tile's side, clockwise.
const fn side(tile: usize, direction: usize) -> [u8; 2] {
    let corners = TILE_VERTICES[tile];
    [corners[direction], corners[(direction + 1) % 6]]
}

const fn edge_ends() -> [[u8; 2]; N_EDGES] {
    let mut ends = [[NONE; 2]; N_EDGES];
    let mut len = 0;
    let mut low = 0;
    // The pairs are visited in order, so no sorting is needed.
    while low < N_VERTICES {
        let mut high = low + 1;
        while high < N_VERTICES {
            if joined(low as u8, high as u8) {
                ends[len] = [low as u8, high as u8];
                len += 1;
            }
            high += 1;
        }
        low += 1;
    }
    assert!(len == N_EDGES);
    ends
}

const fn joined(low: u8, high: u8) -> bool {
    let mut idx = 0;
    while idx < N_TILES * 6 {
        let [first, second] = side(idx / 6, idx % 6);
        if (first == low && second == high) || (first == high && second == low) {
            return true;
        }
        idx += 1;
    }
    false
}

const fn vertex_edges() -> [[u8; 3]; N_VERTICES] {
    let mut table = [[NONE; 3]; N_VERTICES];
    let mut lens = [0; N_VERTICES];
    let mut edge = 0;
    while edge < N_EDGES {
        let mut end = 0;
        while end < 2 {
            let vertex = EDGE_ENDS[edge][end] as usize;
            table[vertex][lens[vertex]] = edge as u8;
            lens[vertex] += 1;
            end += 1;
        }
        edge += 1;
    }
    table
}

const fn vertex_tiles() -> [[u8; 3]; N_VERTICES] {
    let mut table = [[NONE; 3]; N_VERTICES];
    let mut lens = [0; N_VERTICES];
    let mut idx = 0;
    while idx < N_TILES * 6 {
        let vertex = TILE_VERTICES[idx / 6][idx % 6] as usize;
        table[vertex][lens[vertex]] = (idx / 6) as u8;
        lens[vertex] += 1;
        idx += 1;
    }
    table
}

const fn edge_between(first: u8, second: u8) -> u8 {
    let mut edge = 0;
    while edge < N_EDGES {
        let [low, high] = EDGE_ENDS[edge];
        if (low == first && high == second) || (low == second && high == first) {
            return edge as u8;
        }
        edge += 1;
    }
    NONE
}

/// True if a side of a tile is coast: no other tile shares it.
const fn is_coast(tile: usize, direction: usize) -> bool {
    let [first, second] = side(tile, direction);
    let mut n_tiles = 0;
    let mut idx = 0;
    while idx < N_TILES * 6 {
        let [from, to] = side(idx / 6, idx % 6);
        if (from == first && to == second) || (from == second && to == first) {
            n_tiles += 1;
        }
        idx += 1;
    }
    n_tiles == 1
}

/// The next vertex along the coast, clockwise.
const fn next_on_coast(vertex: u8) -> u8 {
    let mut idx = 0;
    while idx < N_TILES * 6 {
        let [from, to] = side(idx / 6, idx % 6);
        if from == vertex && is_coast(idx / 6, idx % 6) {
            return to;
        }
        idx += 1;
    }
    NONE
}

const fn port_edges() -> [u8; N_PORTS] {
    let mut edges = [NONE; N_PORTS];
    let mut vertex = side(N_TILES - 1, 5)[0];
    let (mut port, mut walked) = (0, 0);
    while port < N_PORTS {
        let next = next_on_coast(vertex);
        if walked == PORT_SITES[port] {
            edges[port] = edge_between(vertex, next);
            port += 1;
        }
        vertex = next;
        walked += 1;
    }
    edges
}

const fn tile_set() -> [u64; N_TILES] {
    let mut sets = [0; N_TILES];
    let mut idx = 0;
    while idx < N_TILES * 6 {
        sets[idx / 6] |= 1 << TILE_VERTICES[idx / 6][idx % 6];
        idx += 1;
    }
    sets
}

const fn edges_at() -> [u128; N_VERTICES] {
    let mut sets = [0; N_VERTICES];
    let mut edge = 0;
    while edge < N_EDGES {
        let [low, high] = EDGE_ENDS[edge];
        sets[low as usize] |= 1 << edge;
        sets[high as usize] |= 1 << edge;
        edge += 1;
    }
    sets
}

const fn around() -> [u64; N_VERTICES] {
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
}

const fn ends_set() -> [u64; N_EDGES] {
    let mut sets = [0; N_EDGES];
    let mut edge = 0;
    while edge < N_EDGES {
        sets[edge] = 1 << EDGE_ENDS[edge][0] | 1 << EDGE_ENDS[edge][1];
        edge += 1;
    }
    sets
}
