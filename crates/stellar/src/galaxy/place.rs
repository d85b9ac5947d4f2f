//! Placement of the systems.

use std::collections::{BTreeMap, BTreeSet};

use super::{NoGalaxy, System, bodies, names};
use crate::dice::{Dice, label};
use crate::scenario::{Generation, Resource, Scenario, StaticSystem, Topology, generated_id};
use crate::space::{Point, cosine, four_fifths, sine};

/// Attempts that follow the topology, before falling back to anywhere in the disk.
const SHAPED_TRIES: u32 = 200;
const DISK_TRIES: u32 = 2000;
/// The chance that a generated system has gas, in thousandths.
const GAS: u32 = 250;

/// All systems of one attempt, sorted by id.
pub(super) fn systems(
    scenario: &Scenario,
    seed: u32,
    attempt: u32,
) -> Result<Vec<System>, NoGalaxy> {
    let generation = &scenario.generation;
    let world = u64::from(seed) << 32 | u64::from(attempt);
    let mut dice = Dice::labelled(world, label("places"));
    let statics = generation.static_systems.iter();
    let mut placer = Placer::new(generation, &mut dice);
    for system in statics.clone() {
        placer.keep(system.position.into());
    }
    let n_generated = scenario.n_generated();
    for rank in 1..=n_generated {
        let Some(at) = placer.place(rank, &mut dice) else {
            return Err(NoGalaxy::NoRoom {
                n_placed: rank - 1,
                n_wanted: n_generated,
                n_attempts: attempt,
            });
        };
        placer.keep(at);
    }
    let taken: BTreeSet<&str> = statics.clone().map(|it| it.name.as_str()).collect();
    let mut name_dice = Dice::labelled(seed.into(), label("names"));
    let names = names::names(n_generated as usize, &taken, &mut name_dice);
    let places = &placer.places[generation.static_systems.len()..];
    let generated = (1..).zip(names).zip(places).map(|((rank, name), at)| {
        let id = generated_id(rank);
        let mut own = Dice::labelled(seed.into(), label(&id));
        let has_gas = own.chance(GAS);
        system(id, name, *at, has_gas, &mut own, None)
    });
    let mut systems: Vec<System> = generated.collect();
    systems.extend(statics.map(|it| {
        let mut own = Dice::labelled(seed.into(), label(&it.id));
        let has_gas = it.resource_type == Resource::Gas;
        let (id, name) = (it.id.clone(), it.name.clone());
        system(id, name, it.position.into(), has_gas, &mut own, Some(it))
    }));
    systems.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(systems)
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
    radius: i64,
    spacing: i64,
    centres: Vec<Point>,
    places: Vec<Point>,
    /// Placed systems by grid square; the side of a square is the spacing.
    squares: BTreeMap<(i64, i64), Vec<Point>>,
}

impl<'a> Placer<'a> {
    fn new(generation: &'a Generation, dice: &mut Dice) -> Placer<'a> {
        let radius = generation.radius.units();
        let centres = match generation.topology {
            Topology::Cluster => {
                let n_centres = 3 + dice.below(3);
                let mut centre = || {
                    let out = dice.between(radius * 3 / 10, radius * 8 / 10);
                    polar(dice.fraction(), out, 0)
                };
                (0..n_centres).map(|_| centre()).collect()
            }
            _ => Vec::new(),
        };
        Placer {
            generation,
            radius,
            spacing: generation.spacing.units(),
            centres,
            places: Vec::new(),
            squares: BTreeMap::new(),
        }
    }

    fn square(&self, at: Point) -> (i64, i64) {
        let side = self.spacing.max(1);
        (
            i64::from(at.x).div_euclid(side),
            i64::from(at.z).div_euclid(side),
        )
    }

    fn keep(&mut self, at: Point) {
        self.places.push(at);
        let square = self.square(at);
        self.squares.entry(square).or_default().push(at);
    }

    fn is_free(&self, at: Point) -> bool {
        if self.spacing == 0 {
            return true;
        }
        let (column, row) = self.square(at);
        let near = (-1..=1).flat_map(|dx| (-1..=1).map(move |dz| (column + dx, row + dz)));
        let far_enough = |other: &Point| other.squared_to(at) >= self.spacing * self.spacing;
        near.filter_map(|square| self.squares.get(&square))
            .all(|places| places.iter().all(far_enough))
    }

    /// A free place for the system of this rank, or `None` if no attempt succeeds.
    fn place(&self, rank: u32, dice: &mut Dice) -> Option<Point> {
        let shaped = (0..SHAPED_TRIES).map(|_| Shape::Topology);
        let disk = (0..DISK_TRIES).map(|_| Shape::Disk);
        shaped.chain(disk).find_map(|shape| {
            let at = match shape {
                Shape::Topology => self.draw(rank, dice),
                Shape::Disk => self.scattered(dice),
            };
            self.is_free(at).then_some(at)
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
        let arm = rank % n_arms;
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
    Topology,
    Disk,
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
