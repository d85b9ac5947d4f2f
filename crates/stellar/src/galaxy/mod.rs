//! Galaxies, generated from a scenario and a seed.

mod bodies;
mod forces;
mod homes;
mod index;
mod map;
mod names;
mod place;
pub(crate) mod sectors;
mod taken;
mod worth;

use std::fmt;

use kernel::Seat;
use kernel::doc::Document;
use schemars::JsonSchema;
use serde::Serialize;

use crate::constants::ShipKind;
use crate::scenario::{BodyClass, BodyKind, Scenario};
use crate::space::Point;

pub use map::draw_svg;

use index::Grid;

/// A system, by index in the galaxy's list, which is sorted by id.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, JsonSchema, Document,
)]
#[serde(transparent)]
#[schemars(inline)]
pub struct SystemIdx(pub u16);

impl SystemIdx {
    /// The index into lists of systems.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Everything that stays the same during a match: systems, bodies, and the starting positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Galaxy {
    systems: Vec<System>,
    grid: Grid,
    /// By seat.
    homes: Vec<Option<SystemIdx>>,
    /// By system.
    owners: Vec<Option<Seat>>,
    fleets: Vec<StartFleet>,
    garrisons: Vec<Garrison>,
    /// For each system, the distance to its nearest neighbor, rounded up.
    nearest: Vec<i64>,
    n_attempts: u32,
}

/// A star and its bodies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct System {
    /// The id, which does not depend on the seed.
    pub id: String,
    /// The name, unique in the galaxy.
    pub name: String,
    /// Its position.
    pub at: Point,
    /// True if extractors can make fuel here.
    pub has_gas: bool,
    /// True if the scenario placed it.
    pub is_static: bool,
    /// The bodies in the order of their orbits, those given by the scenario last.
    pub bodies: Vec<Body>,
    /// The number of bodies that troops can land on: at least 1.
    pub n_landable: u8,
}

/// A planet or a moon.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    /// Planet or moon.
    pub kind: BodyKind,
    /// Solid, gas giant or ice giant.
    pub class: BodyClass,
    /// The rank of the planet, and of the moon around it.
    pub rank: (u8, u8),
    /// The id and the name given by the scenario.
    given: Option<Box<(Option<String>, Option<String>)>>,
}

/// A fleet at the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StartFleet {
    /// The faction that owns it.
    pub owner: Seat,
    /// Its starting place.
    pub place: StartPlace,
    /// Its ships.
    pub ships: Vec<ShipKind>,
    /// True if each transport carries an army.
    pub with_armies: bool,
}

/// A fleet's starting place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartPlace {
    /// In orbit of a system.
    Orbit(SystemIdx),
    /// In deep space, on the way to a system.
    Space(Point, SystemIdx),
}

/// An army on the ground at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Garrison {
    /// The faction that owns it.
    pub owner: Seat,
    /// Its system.
    pub system: SystemIdx,
    /// The body, by its rank among those that troops can land on.
    pub body: u8,
}

/// The reason a galaxy could not be generated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoGalaxy {
    /// The spacing leaves no room for all systems.
    NoRoom {
        /// The number of generated systems placed in the last attempt.
        n_placed: u32,
        /// The number of generated systems required.
        n_wanted: u32,
        /// The number of attempts.
        n_attempts: u32,
    },
    /// A home cannot reach any other home.
    CutOff {
        /// The id of the faction that is cut off.
        faction: String,
        /// The number of attempts.
        n_attempts: u32,
    },
    /// Fair homes were asked for, and some home is worth too much more than another.
    Uneven {
        /// The smallest spread found in the last attempt, in percent of the best home.
        spread_percent: u32,
        /// The number of attempts.
        n_attempts: u32,
    },
}

impl NoGalaxy {
    /// The stable code of this reason.
    pub const fn code(&self) -> &'static str {
        match self {
            NoGalaxy::NoRoom { .. } => "spacing_infeasible",
            NoGalaxy::CutOff { .. } => "home_cut_off",
            NoGalaxy::Uneven { .. } => "homes_uneven",
        }
    }
}

impl fmt::Display for NoGalaxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoGalaxy::NoRoom {
                n_placed,
                n_wanted,
                n_attempts,
            } => write!(
                f,
                "only {n_placed} of {n_wanted} systems could be placed with this spacing in \
                 {n_attempts} attempts; use fewer systems, a smaller spacing or a larger radius"
            ),
            NoGalaxy::CutOff {
                faction,
                n_attempts,
            } => write!(
                f,
                "the home of {faction:?} reaches no other home by jumps within range and fuel, \
                 in {n_attempts} attempts; use more systems or a smaller radius"
            ),
            NoGalaxy::Uneven {
                spread_percent,
                n_attempts,
            } => write!(
                f,
                "the values of the homes differ by at least {spread_percent} percent in \
                 {n_attempts} attempts; expected at most {}: use more systems, a symmetry, or \
                 homes \"far\"",
                worth::SPREAD_MAX_PERCENT
            ),
        }
    }
}

impl std::error::Error for NoGalaxy {}

/// No two systems are farther apart than this, in thousandths of a light-year.
const RING_MAX: i64 = 1_000_000_000;
/// The maximum number of attempts at generating a galaxy.
const ATTEMPTS_MAX: u32 = 8;

impl Galaxy {
    /// Generates the galaxy of a scenario and a seed: identical on every machine. A fixed seed in
    /// the scenario takes precedence over `seed`.
    pub fn generate(scenario: &Scenario, seed: u32) -> Result<Galaxy, NoGalaxy> {
        let seed = scenario.generation.fixed_seed.unwrap_or(seed);
        let mut attempt = 1;
        loop {
            let drawn = Galaxy::attempt(scenario, seed, attempt);
            match drawn {
                Err(_) if attempt < ATTEMPTS_MAX => attempt += 1,
                other => return other,
            }
        }
    }

    fn attempt(scenario: &Scenario, seed: u32, attempt: u32) -> Result<Galaxy, NoGalaxy> {
        let (systems, orbits) = place::systems(scenario, seed, attempt)?;
        let places: Vec<Point> = systems.iter().map(|system| system.at).collect();
        let grid = Grid::of(&places);
        let mut galaxy = Galaxy {
            nearest: Vec::new(),
            owners: vec![None; systems.len()],
            homes: Vec::new(),
            fleets: Vec::new(),
            garrisons: Vec::new(),
            n_attempts: attempt,
            systems,
            grid,
        };
        galaxy.nearest = galaxy.nearest_distances();
        homes::settle(&mut galaxy, &orbits, scenario, seed, attempt)?;
        Ok(galaxy)
    }

    /// All systems, sorted by id.
    pub fn systems(&self) -> &[System] {
        &self.systems
    }

    /// The system at this index. Panics if there is none.
    #[inline]
    pub fn system(&self, idx: SystemIdx) -> &System {
        &self.systems[idx.index()]
    }

    /// The position of a system.
    #[inline]
    pub fn at(&self, idx: SystemIdx) -> Point {
        self.systems[idx.index()].at
    }

    /// The number of systems.
    pub fn n_systems(&self) -> usize {
        self.systems.len()
    }

    /// The indices of all systems.
    pub fn indices(&self) -> impl DoubleEndedIterator<Item = SystemIdx> + use<> {
        (0..self.systems.len() as u16).map(SystemIdx)
    }

    /// The system with this id.
    pub fn find(&self, id: &str) -> Option<SystemIdx> {
        let found = self.systems.binary_search_by(|it| it.id.as_str().cmp(id));
        found.ok().map(|idx| SystemIdx(idx as u16))
    }

    /// The faction's home, if it has one.
    pub fn home(&self, seat: Seat) -> Option<SystemIdx> {
        self.homes.get(seat.index()).copied().flatten()
    }

    /// The owner of each system at the start.
    pub fn owners(&self) -> &[Option<Seat>] {
        &self.owners
    }

    /// The fleets at the start.
    pub fn fleets(&self) -> &[StartFleet] {
        &self.fleets
    }

    /// The armies on the ground at the start.
    pub fn garrisons(&self) -> &[Garrison] {
        &self.garrisons
    }

    /// The number of attempts it took to generate the galaxy.
    pub fn n_attempts(&self) -> u32 {
        self.n_attempts
    }

    /// The distance to the nearest other system, in thousandths of a light-year, rounded up.
    pub fn nearest_distance(&self, idx: SystemIdx) -> i64 {
        self.nearest[idx.index()]
    }

    /// Calls `each` for every system within `range` of a point, with the square of its distance.
    pub fn for_each_within(&self, at: Point, range: i64, mut each: impl FnMut(SystemIdx, i64)) {
        self.grid.for_each_near(at, range, |idx, place| {
            let squared = at.squared_to(place);
            if squared <= range * range {
                each(SystemIdx(idx), squared);
            }
        });
    }

    /// The nearest system within `range` of a point; ties go to the first by id.
    pub fn nearest_within(&self, at: Point, range: i64) -> Option<SystemIdx> {
        let mut best: Option<(i64, SystemIdx)> = None;
        self.for_each_within(at, range, |idx, squared| {
            if best.is_none_or(|best| (squared, idx) < best) {
                best = Some((squared, idx));
            }
        });
        best.map(|(_, idx)| idx)
    }

    /// The system nearest to a point.
    fn nearest_of_all(&self, at: Point) -> SystemIdx {
        let nearest = self
            .indices()
            .min_by_key(|idx| self.at(*idx).squared_to(at));
        nearest.unwrap_or(SystemIdx(0))
    }

    /// The nearest system that fits, in rings that grow around a point; ties go to the first by id.
    fn nearest_where(&self, at: Point, fits: impl Fn(SystemIdx) -> bool) -> Option<SystemIdx> {
        let mut range = 10_000;
        loop {
            let mut best: Option<(i64, SystemIdx)> = None;
            self.for_each_within(at, range, |idx, squared| {
                if best.is_none_or(|best| (squared, idx) < best) && fits(idx) {
                    best = Some((squared, idx));
                }
            });
            match best {
                None if range < RING_MAX => range *= 2,
                best => return best.map(|(_, idx)| idx),
            }
        }
    }

    fn nearest_distances(&self) -> Vec<i64> {
        let nearest = |idx: SystemIdx| {
            let at = self.at(idx);
            let other = self.nearest_where(at, |other| other != idx);
            other.map_or(i32::MAX.into(), |it| self.at(it).distance_to(at))
        };
        self.indices().map(nearest).collect()
    }
}

impl System {
    /// The bodies that troops can land on, by rank.
    pub fn landable(&self) -> impl Iterator<Item = (u8, &Body)> {
        let solid = self.bodies.iter().filter(|it| it.class == BodyClass::Solid);
        (0..self.n_landable).zip(solid)
    }

    /// The id of a body of this system.
    pub fn body_id(&self, body: &Body) -> String {
        if let Some(id) = body.given.as_ref().and_then(|given| given.0.as_ref()) {
            return id.clone();
        }
        match (body.kind, body.rank) {
            (BodyKind::Planet, (planet, _)) => format!("planet-{}-{planet}", self.id),
            (BodyKind::Moon, (planet, moon)) => format!("moon-{}-{planet}-{moon}", self.id),
        }
    }

    /// The name of a body of this system.
    pub fn body_name(&self, body: &Body) -> String {
        if let Some(name) = body.given.as_ref().and_then(|given| given.1.as_ref()) {
            return name.clone();
        }
        let roman = names::roman(body.rank.0);
        match body.kind {
            BodyKind::Planet => format!("{} {roman}", self.name),
            BodyKind::Moon => {
                let letter = char::from(b'a' + (body.rank.1.saturating_sub(1)).min(25));
                format!("{} {roman}{letter}", self.name)
            }
        }
    }
}
