//! Finds placed systems near a point while a galaxy is being generated.

use crate::space::Point;

/// The places that are taken, by square of the map. The side of a square is at least the spacing, so
/// all places too near to a point are in its square or in one of the eight around it.
pub(super) struct Taken {
    side: i64,
    /// Squares from the center to the edge of the map; places beyond count as in the last square.
    n_out: i64,
    /// The place that was added last to each square.
    last: Vec<u32>,
    /// By place: the one added to its square before it.
    before: Vec<u32>,
}

/// The end of the list of a square.
const NO_PLACE: u32 = u32::MAX;
/// The maximum number of squares from the center to the edge.
const SQUARES_OUT_MAX: i64 = 300;

impl Taken {
    pub(super) fn new(radius: i64, spacing: i64) -> Taken {
        // Most places lie within this distance.
        let extent = radius + radius / 4;
        let side = spacing.max(extent / SQUARES_OUT_MAX).max(1);
        let n_out = extent / side + 1;
        let across = (2 * n_out + 1) as usize;
        Taken {
            side,
            n_out,
            last: vec![NO_PLACE; across * across],
            before: Vec::new(),
        }
    }

    /// The column or row of a coordinate.
    fn line(&self, at: i32) -> i64 {
        let line = i64::from(at).div_euclid(self.side);
        line.clamp(-self.n_out, self.n_out) + self.n_out
    }

    /// Adds the place with the next index.
    pub(super) fn add(&mut self, at: Point, idx: usize) {
        let across = 2 * self.n_out + 1;
        let square = (self.line(at.z) * across + self.line(at.x)) as usize;
        self.before.push(self.last[square]);
        self.last[square] = idx as u32;
    }

    /// True if the condition holds for every place in the nine squares around a point.
    pub(super) fn all_near(&self, at: Point, mut holds: impl FnMut(usize) -> bool) -> bool {
        let across = 2 * self.n_out + 1;
        let (column, row) = (self.line(at.x), self.line(at.z));
        let lines = |line: i64| (line - 1).max(0)..=(line + 1).min(across - 1);
        lines(row).all(|row| {
            lines(column).all(|column| {
                let mut place = self.last[(row * across + column) as usize];
                while place != NO_PLACE {
                    if !holds(place as usize) {
                        return false;
                    }
                    place = self.before[place as usize];
                }
                true
            })
        })
    }
}
