//! Placement of the systems.

use std::collections::BTreeSet;

use super::sectors::{Orbits, Sectors};
use super::taken::Taken;
use super::{NoGalaxy, System, SystemIdx, bodies, names};
use crate::dice::{Dice, label};
use crate::scenario::{Generation, Resource, Scenario, StaticSystem, Topology, generated_id};
use crate::space::{Point, cosine, four_fifths, sine};

/// Attempts that follow the topology, and then attempts anywhere in the disk.
const SHAPED_TRIES: u32 = 200;
const DISK_TRIES: u32 = 2000;
/// The chance that a generated system has gas, in thousandths.
const GAS: u32 = 250;

/// All systems of one attempt, sorted by id, and their orbits.
pub(super) fn systems(
    scenario: &Scenario,
    seed: u32,
    attempt: u32,
) -> Result<(Vec<System>, Orbits), NoGalaxy> {
    let generation = &scenario.generation;
    let world = u64::from(seed) << 32 | u64::from(attempt);
    let mut dice = Dice::labelled(world, label("places"));
    let sectors = Sectors::of(scenario);
    let statics = generation.static_systems.iter();
    let mut placer = Placer::new(generation, sectors, &mut dice);
    for system in statics.clone() {
        placer.keep(system.position.into());
    }
    let n_generated = scenario.n_generated();
    let n_sectors = sectors.n() as u32;
    let no_room = |n_placed| NoGalaxy::NoRoom {
        n_placed,
        n_wanted: n_generated,
        n_attempts: attempt,
    };
    let mut firsts = Vec::new();
    for orbit in 0..n_generated / n_sectors {
        let at = placer.place(orbit + 1, Shape::Topology, &mut dice);
        let at = at.ok_or_else(|| no_room(orbit * n_sectors))?;
        // A random sector has the lowest id, so that ties by id favor no faction.
        let first = if n_sectors > 1 {
            dice.below(n_sectors)
        } else {
            0
        };
        for k in first..first + n_sectors {
            placer.keep(sectors.image(at, k as usize));
        }
        firsts.push(first);
    }
    if !n_generated.is_multiple_of(n_sectors) {
        // Only a mirrored galaxy has one system more: it lies in the mirror, its own image.
        let at = placer.place(n_generated, Shape::InMirror, &mut dice);
        placer.keep(at.ok_or_else(|| no_room(n_generated - 1))?);
    }
    let taken: BTreeSet<&str> = statics.clone().map(|it| it.name.as_str()).collect();
    let mut name_dice = Dice::labelled(seed.into(), label("names"));
    let names = names::names(n_generated as usize, &taken, &mut name_dice);
    let places = &placer.places[generation.static_systems.len()..];
    let generated = (1..).zip(names).zip(places).map(|((rank, name), at)| {
        let model = generated_id(rank - (rank - 1) % n_sectors);
        let mut own = Dice::labelled(seed.into(), label(&model));
        let has_gas = own.chance(GAS);
        system(generated_id(rank), name, *at, has_gas, &mut own, None)
    });
    let mut systems: Vec<System> = generated.collect();
    systems.extend(statics.map(|it| {
        let model = sectors.model(&generation.static_systems, it);
        let mut own = Dice::labelled(seed.into(), label(&model.id));
        let has_gas = it.resource_type == Resource::Gas;
        let (id, name) = (it.id.clone(), it.name.clone());
        system(id, name, it.position.into(), has_gas, &mut own, Some(it))
    }));
    systems.sort_by(|a, b| a.id.cmp(&b.id));
    let orbits = orbits(&systems, &firsts, n_sectors);
    Ok((systems, orbits))
}

/// The systems of each orbit in the order of their sectors, given the sector of the lowest id.
fn orbits(systems: &[System], firsts: &[u32], n_sectors: u32) -> Orbits {
    if n_sectors == 1 {
        return Orbits::new();
    }
    let find = |rank: u32| {
        let id = generated_id(rank);
        let idx = systems.partition_point(|it| it.id < id);
        SystemIdx(idx as u16)
    };
    let ranks = (1..).step_by(n_sectors as usize);
    let orbit = |(rank, first): (u32, &u32)| {
        let sectors = 0..n_sectors;
        sectors
            .map(|k| find(rank + (k + n_sectors - first) % n_sectors))
            .collect()
    };
    ranks.zip(firsts).map(orbit).collect()
}

fn system(
    id: String,
    name: String,
    at: Point,
    has_gas: bool,
    dice: &mut Dice,
    given: Option<&StaticSystem>,
) -> System {
    let planets = given.map_or(&[][..], |it| &it.planets);
    let (bodies, n_landable) = bodies::bodies(dice, planets);
    System {
        id,
        name,
        at,
        has_gas,
        is_static: given.is_some(),
        bodies,
        n_landable,
    }
}

struct Placer<'a> {
    generation: &'a Generation,
    sectors: Sectors,
    radius: i64,
    spacing: i64,
    centres: Vec<Point>,
    places: Vec<Point>,
    taken: Taken,
}

impl<'a> Placer<'a> {
    fn new(generation: &'a Generation, sectors: Sectors, dice: &mut Dice) -> Placer<'a> {
        let radius = generation.radius.units();
        let centres = match generation.topology {
            Topology::Cluster => {
                let n_centres = (3 + dice.below(3)).div_ceil(sectors.n() as u32);
                let mut centre = || {
                    let out = dice.between(radius * 3 / 10, radius * 8 / 10);
                    polar(dice.fraction(), out, 0)
                };
                (0..n_centres).map(|_| centre()).collect()
            }
            _ => Vec::new(),
        };
        let spacing = generation.spacing.units();
        Placer {
            generation,
            sectors,
            radius,
            spacing,
            centres,
            places: Vec::new(),
            taken: Taken::new(radius, spacing),
        }
    }

    fn keep(&mut self, at: Point) {
        self.taken.add(at, self.places.len());
        self.places.push(at);
    }

    fn is_free(&self, at: Point) -> bool {
        let least = self.spacing * self.spacing;
        let far_enough = |idx: usize| self.places[idx].squared_to(at) >= least;
        self.spacing == 0 || self.taken.all_near(at, far_enough)
    }

    /// True if all images of a place are free and far enough from each other.
    fn is_orbit_free(&self, at: Point) -> bool {
        let least = (self.spacing * self.spacing).max(1);
        let mut images = self.sectors.images(at);
        // The distances between other images are the same.
        let own = images.next().is_some_and(|own| self.is_free(own));
        own && images.all(|it| it.squared_to(at) >= least && self.is_free(it))
    }

    /// A place for the system of this rank and its images, or `None` if no attempt succeeds.
    fn place(&self, rank: u32, shape: Shape, dice: &mut Dice) -> Option<Point> {
        (0..SHAPED_TRIES + DISK_TRIES).find_map(|idx| {
            let at = match idx < SHAPED_TRIES {
                true => self.draw(rank, dice),
                false => self.scattered(dice),
            };
            match shape {
                Shape::Topology => self.is_orbit_free(at).then_some(at),
                Shape::InMirror => Some(into_mirror(at)).filter(|it| self.is_free(*it)),
            }
        })
    }

    fn draw(&self, rank: u32, dice: &mut Dice) -> Point {
        match self.generation.topology {
            Topology::Spiral => self.spiral(rank, dice),
            Topology::Ring => {
                let out = dice.between(self.radius * 6 / 10, self.radius);
                let height = dice.between(-1000, 1000);
                polar(dice.fraction(), out, height)
            }
            Topology::Cluster => self.clustered(dice),
            Topology::Scattered => self.scattered(dice),
        }
    }

    /// Arms that turn by four radians from the center to the edge.
    fn spiral(&self, rank: u32, dice: &mut Dice) -> Point {
        let n_arms = if self.generation.system_count > 60 {
            3
        } else {
            2
        };
        // In a symmetric galaxy each sector has one arm.
        let arm = if self.sectors.n() > 1 {
            0
        } else {
            rank % n_arms
        };
        let share = four_fifths(dice.below((1 << 16) + 1));
        let arm_angle = ((u64::from(arm) << 32) / u64::from(n_arms)) as u32;
        let turned = radians((4000 * i64::from(share)) >> 16);
        let jitter = radians(dice.between(-300, 300));
        let scatter = (self.radius / 20 * dice.normal()) >> 16;
        let out = ((self.radius * i64::from(share)) >> 16) + scatter;
        let angle = arm_angle.wrapping_add(turned).wrapping_add(jitter);
        polar(angle, out, dice.between(-2000, 2000))
    }

    fn clustered(&self, dice: &mut Dice) -> Point {
        let centre = self.centres[dice.below(self.centres.len() as u32) as usize];
        let deviation = self.radius * 15 / 100;
        let mut off = || ((deviation * dice.normal()) >> 16) as i32;
        let (dx, dz) = (off(), off());
        Point {
            x: centre.x + dx,
            y: dice.between(-1000, 1000) as i32,
            z: centre.z + dz,
        }
    }

    /// Uniform in the disk: the distance is the square root of a uniform draw.
    fn scattered(&self, dice: &mut Dice) -> Point {
        let root = (u64::from(dice.fraction())).isqrt() as i64;
        let out = (self.radius * root) >> 16;
        let height = dice.between(-5000, 5000);
        polar(dice.fraction(), out, height)
    }
}

#[derive(Clone, Copy)]
enum Shape {
    /// Anywhere in the topology, with an image in every sector.
    Topology,
    /// In the mirror of a mirrored galaxy.
    InMirror,
}

/// The point in the plane x = 0 at the same distance from the center.
fn into_mirror(at: Point) -> Point {
    let (x, z) = (i64::from(at.x), i64::from(at.z));
    let out = (x * x + z * z).isqrt() as i32;
    Point {
        x: 0,
        y: at.y,
        z: if z < 0 { -out } else { out },
    }
}

/// The point at an angle and a distance from the center.
fn polar(angle: u32, out: i64, height: i64) -> Point {
    Point {
        x: ((out * cosine(angle)) >> 30) as i32,
        y: height as i32,
        z: ((out * sine(angle)) >> 30) as i32,
    }
}

/// Thousandths of a radian as a fraction of the full circle (2^32).
fn radians(thousandths: i64) -> u32 {
    // 2^32 / 2000π is 683565.28.
    (thousandths * 68_356_528 / 100) as u32
}
