//! Points and distances in thousandths of a light-year, as integers.

use serde::Serialize;

use crate::scenario::Position;

/// A point, in thousandths of a light-year.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    Serialize,
    schemars::JsonSchema,
)]
#[allow(missing_docs, reason = "coordinates")]
pub struct Point {
    pub x: i32,
    pub y: i32,
    pub z: i32,
}

impl Point {
    /// The square of the distance.
    #[inline]
    pub fn squared_to(self, other: Point) -> i64 {
        let square = |a: i32, b: i32| {
            let apart = i64::from(a) - i64::from(b);
            apart * apart
        };
        square(self.x, other.x) + square(self.y, other.y) + square(self.z, other.z)
    }

    /// The distance, rounded up.
    #[inline]
    pub fn distance_to(self, other: Point) -> i64 {
        root_up(self.squared_to(other))
    }

    /// The point after `travelled` of `distance` on the way to `to`.
    pub fn towards(self, to: Point, travelled: i64, distance: i64) -> Point {
        if distance <= travelled {
            return to;
        }
        let along = |from: i32, to: i32| {
            let way = (i64::from(to) - i64::from(from)) * travelled;
            from + way.div_euclid(distance) as i32
        };
        Point {
            x: along(self.x, to.x),
            y: along(self.y, to.y),
            z: along(self.z, to.z),
        }
    }
}

impl From<Position> for Point {
    fn from(position: Position) -> Point {
        // The reader bounds positions well within 32 bits.
        let [x, y, z] = [position.x, position.y, position.z].map(|it| it.units() as i32);
        Point { x, y, z }
    }
}

/// The smallest integer whose square is at least `square`.
#[inline]
pub(crate) fn root_up(square: i64) -> i64 {
    let root = square.unsigned_abs().isqrt() as i64;
    root + i64::from(root * root < square)
}

/// The sine of a fraction of the full circle (2^32), times 2^30.
pub(crate) fn sine(angle: u32) -> i64 {
    const QUARTER: u32 = 1 << 30;
    let within = angle & (QUARTER - 1);
    let turned = match angle / QUARTER {
        0 | 2 => within,
        _ => QUARTER - within,
    };
    let value = quarter_sine(turned.into());
    if angle < 2 * QUARTER { value } else { -value }
}

/// The cosine of a fraction of the full circle (2^32), times 2^30.
pub(crate) fn cosine(angle: u32) -> i64 {
    sine(angle.wrapping_add(1 << 30))
}

/// The sine within the first quarter (2^30 of it), by its Taylor series.
fn quarter_sine(x: i64) -> i64 {
    const SERIES: [i64; 6] = [
        1_686_629_713,
        -693_598_668,
        85_569_306,
        -5_026_995,
        172_272,
        -3_864,
    ];
    let square = (x * x) >> 30;
    let sum = SERIES
        .iter()
        .rev()
        .fold(0, |sum, term| ((sum * square) >> 30) + term);
    ((sum * x) >> 30).min(1 << 30)
}

/// `fraction` (of 2^16) to the power of 4/5, as a fraction of 2^16.
pub(crate) fn four_fifths(fraction: u32) -> u32 {
    let fraction = u128::from(fraction.min(1 << 16));
    let target = fraction.pow(4) << 16;
    let (mut low, mut high) = (0u128, 1 << 16);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if middle.pow(5) <= target {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_are_right_to_a_few_millionths() {
        let quarter = 1u32 << 30;
        let near = |value: i64, wanted: i64| (value - wanted).abs() < 3000;
        assert!(near(sine(0), 0) && near(sine(quarter), 1 << 30));
        assert!(near(sine(quarter / 3), 1 << 29), "30 degrees");
        assert!(near(sine(3 * quarter), -(1 << 30)));
        assert!(near(cosine(0), 1 << 30) && near(cosine(quarter), 0));
        for step in 0..64u32 {
            let angle = step << 26;
            let (s, c) = (sine(angle), cosine(angle));
            assert!(near((s * s + c * c) >> 30, 1 << 30), "{step}");
        }
    }

    #[test]
    fn roots_are_exact() {
        assert_eq!([0, 1, 2, 4, 5, 9].map(root_up), [0, 1, 2, 2, 3, 3]);
        assert_eq!(four_fifths(0), 0);
        assert_eq!(four_fifths(1 << 16), 1 << 16);
        assert_eq!(four_fifths(1 << 15), 37640, "a half to the 0.8 is 0.5743");
    }

    #[test]
    fn a_way_ends_exactly_at_its_target() {
        let (from, to) = (
            Point::default(),
            Point {
                x: 3000,
                y: 0,
                z: -4000,
            },
        );
        assert_eq!(from.distance_to(to), 5000);
        assert_eq!(
            from.towards(to, 2500, 5000),
            Point {
                x: 1500,
                y: 0,
                z: -2000
            }
        );
        assert_eq!(from.towards(to, 5001, 5000), to);
    }
}
