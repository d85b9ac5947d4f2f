//! The symmetry of a galaxy: equal sectors, one for each faction.

use super::SystemIdx;
use crate::scenario::{Scenario, StaticSystem, Symmetry};
use crate::space::Point;

/// Images of a point in every sector. Images of images are images: image `a` of image `b` is image
/// `a + b`, modulo the number of sectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sectors {
    symmetry: Symmetry,
    n: usize,
}

/// Static systems this close to an image count as images, since an author rounds coordinates.
const NEAR_MLY: i64 = 100;

/// The generated systems of a symmetric galaxy: the systems of each orbit are images of each other,
/// in the order of their sectors. Empty without symmetry.
pub(super) type Orbits = Vec<Vec<SystemIdx>>;

impl Sectors {
    pub(crate) fn of(scenario: &Scenario) -> Sectors {
        Sectors {
            symmetry: scenario.generation.symmetry,
            n: scenario.n_sectors(),
        }
    }

    /// The number of sectors: 1 without symmetry.
    pub(crate) fn n(self) -> usize {
        self.n
    }

    /// The image of a point in the sector that is `k` after its own. Mirrors, half turns and
    /// quarter turns are exact; other turns are rounded to the nearest unit.
    pub(crate) fn image(self, at: Point, k: usize) -> Point {
        match self.symmetry {
            Symmetry::Mirror if k % 2 == 1 => Point { x: -at.x, ..at },
            Symmetry::None | Symmetry::Mirror => at,
            Symmetry::Rotational => turn(at, k % self.n, self.n),
        }
    }

    /// The static system that decides the generated bodies of this one: the first of those that
    /// are its images.
    pub(super) fn model<'a>(
        self,
        all: &'a [StaticSystem],
        of: &'a StaticSystem,
    ) -> &'a StaticSystem {
        if self.n == 1 {
            return of;
        }
        let is_image = |other: &&StaticSystem| (0..self.n).any(|k| self.is_image(of, k, other));
        all.iter().find(is_image).unwrap_or(of)
    }

    /// True if the other system is at the image of the first in the sector `k` after its own.
    pub(crate) fn is_image(self, of: &StaticSystem, k: usize, other: &StaticSystem) -> bool {
        let image = self.image(of.position.into(), k);
        image.squared_to(other.position.into()) <= NEAR_MLY * NEAR_MLY
    }

    /// All images of a point, its own sector first.
    pub(crate) fn images(self, at: Point) -> impl Iterator<Item = Point> {
        (0..self.n).map(move |k| self.image(at, k))
    }
}

/// Turns a point around the vertical axis by `k / n` of a circle.
fn turn(at: Point, k: usize, n: usize) -> Point {
    let (cosine, sine) = direction(k, n);
    let (x, z) = (i64::from(at.x), i64::from(at.z));
    let rounded = |scaled: i64| ((scaled + (1 << 29)) >> 30) as i32;
    Point {
        x: rounded(x * cosine - z * sine),
        y: at.y,
        z: rounded(x * sine + z * cosine),
    }
}

/// The cosine and the sine of `k / n` of a circle, times 2^30, each exact to half a unit.
fn direction(k: usize, n: usize) -> (i64, i64) {
    const ONE: i64 = 1 << 30;
    /// The first half of the directions of each number of sectors, from 2 on.
    const DIRECTIONS: [&[(i64, i64)]; 7] = [
        &[(ONE, 0), (-ONE, 0)],
        &[(ONE, 0), (-536_870_912, 929_887_697)],
        &[(ONE, 0), (0, ONE), (-ONE, 0)],
        &[
            (ONE, 0),
            (331_804_471, 1_021_189_159),
            (-868_675_383, 631_129_609),
        ],
        &[
            (ONE, 0),
            (536_870_912, 929_887_697),
            (-536_870_912, 929_887_697),
            (-ONE, 0),
        ],
        &[
            (ONE, 0),
            (669_467_077, 839_485_162),
            (-238_930_034, 1_046_820_875),
            (-967_407_956, 465_879_117),
        ],
        &[
            (ONE, 0),
            (759_250_125, 759_250_125),
            (0, ONE),
            (-759_250_125, 759_250_125),
            (-ONE, 0),
        ],
    ];
    let Some(half) = n.checked_sub(2).and_then(|idx| DIRECTIONS.get(idx)) else {
        return (ONE, 0);
    };
    match half.get(k) {
        Some(direction) => *direction,
        // The other half circle mirrors the first.
        None => {
            let (cosine, sine) = half[n - k];
            (cosine, -sine)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{cosine, sine};

    fn sectors(n: usize) -> Sectors {
        Sectors {
            symmetry: Symmetry::Rotational,
            n,
        }
    }

    #[test]
    fn directions_agree_with_the_series_and_lie_on_the_circle() {
        for n in 2..=8 {
            for k in 0..n {
                let (c, s) = direction(k, n);
                let angle = ((k as u64) << 32).div_euclid(n as u64) as u32;
                assert!((c - cosine(angle)).abs() < 3000, "{k} of {n}");
                assert!((s - sine(angle)).abs() < 3000, "{k} of {n}");
                assert!((c * c + s * s - (1 << 60)).abs() < 1 << 32, "{k} of {n}");
            }
        }
    }

    #[test]
    fn images_keep_distances_to_a_unit_and_come_back_after_a_full_turn() {
        let [one, two] =
            [(90_000, -3, 41_000), (-77_123, 900, 5)].map(|(x, y, z)| Point { x, y, z });
        for n in 2..=8 {
            let apart = one.distance_to(two);
            for (a, b) in sectors(n).images(one).zip(sectors(n).images(two)) {
                assert!((a.distance_to(b) - apart).abs() <= 2, "{n}");
            }
            let around = (0..n).fold(one, |at, _| sectors(n).image(at, 1));
            assert!(around.distance_to(one) <= n as i64);
            assert_eq!(sectors(n).image(one, n), one);
        }
        let exact = sectors(4).image(one, 1);
        assert_eq!((exact.x, exact.z), (-one.z, one.x));
    }
}
