//! A spatial index: finds the systems near a point without scanning all of them.

use crate::space::Point;

/// Systems by square of the map. All systems within a range are in a few squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Grid {
    origin: (i64, i64),
    side: i64,
    n_columns: usize,
    n_rows: usize,
    /// The start of each square's systems, and the end of the last.
    starts: Vec<u32>,
    /// The systems of all squares with their places.
    systems: Vec<(u16, Point)>,
}

/// The minimum side of a square, and the maximum number of squares along one side of the map.
const SIDE_MIN: i64 = 14_000;
const ACROSS_MAX: i64 = 256;

impl Grid {
    pub(super) fn of(places: &[Point]) -> Grid {
        let bounds = |of: fn(&Point) -> i32| {
            let least = places.iter().map(of).min().unwrap_or(0);
            let most = places.iter().map(of).max().unwrap_or(0);
            (i64::from(least), i64::from(most))
        };
        let ((left, right), (top, bottom)) = (bounds(|it| it.x), bounds(|it| it.z));
        let extent = (right - left).max(bottom - top) + 1;
        let side = SIDE_MIN.max(extent / ACROSS_MAX + 1);
        let mut grid = Grid {
            origin: (left, top),
            side,
            n_columns: ((right - left) / side + 1) as usize,
            n_rows: ((bottom - top) / side + 1) as usize,
            starts: Vec::new(),
            systems: Vec::new(),
        };
        grid.fill(places);
        grid
    }

    /// A counting sort, so that the systems of each square stay sorted.
    fn fill(&mut self, places: &[Point]) {
        let n_squares = self.n_columns * self.n_rows;
        let mut starts = vec![0u32; n_squares + 1];
        for place in places {
            starts[self.square(place) + 1] += 1;
        }
        for idx in 0..n_squares {
            starts[idx + 1] += starts[idx];
        }
        let mut next = starts.clone();
        let mut systems = vec![(0, Point::default()); places.len()];
        for (idx, place) in places.iter().enumerate() {
            let slot = &mut next[self.square(place)];
            systems[*slot as usize] = (idx as u16, *place);
            *slot += 1;
        }
        self.starts = starts;
        self.systems = systems;
    }

    fn square(&self, place: &Point) -> usize {
        let column = (i64::from(place.x) - self.origin.0) / self.side;
        let row = (i64::from(place.z) - self.origin.1) / self.side;
        row as usize * self.n_columns + column as usize
    }

    /// Calls `each` for every system in the squares that a range around a point touches.
    #[inline]
    pub(super) fn for_each_near(&self, at: Point, range: i64, mut each: impl FnMut(u16, Point)) {
        let squares = |at: i32, origin: i64, n: usize| {
            let low = (i64::from(at) - range - origin).div_euclid(self.side);
            let high = (i64::from(at) + range - origin).div_euclid(self.side);
            (low.max(0), high.min(n as i64 - 1))
        };
        let (left, right) = squares(at.x, self.origin.0, self.n_columns);
        let (top, bottom) = squares(at.z, self.origin.1, self.n_rows);
        if left > right {
            return;
        }
        for row in top..=bottom {
            let first = row as usize * self.n_columns + left as usize;
            let last = row as usize * self.n_columns + right as usize;
            let (start, end) = (self.starts[first], self.starts[last + 1]);
            for &(system, place) in &self.systems[start as usize..end as usize] {
                each(system, place);
            }
        }
    }
}
