//! The planets and moons of a star, in the detail that play needs: which of them troops can land
//! on.

use super::Body;
use crate::constants::LANDABLE_MAX;
use crate::dice::Dice;
use crate::scenario::{BodyClass, BodyKind, StaticBody};

/// Weights of the star classes, from M to O, in thousandths.
const STARS: [u32; 7] = [750, 120, 70, 30, 20, 8, 2];
/// Expected planets for each class of star, in tenths.
const PLANETS: [u32; 7] = [35, 40, 50, 40, 30, 15, 15];
const PLANETS_MAX: u32 = 10;

#[derive(Clone, Copy)]
enum Kind {
    Terrestrial,
    SubNeptune,
    Dwarf,
    IceGiant,
    GasGiant,
}

/// The bodies, and the number of them that troops can land on: at least 1. Bodies given by the
/// scenario count first; beyond [`LANDABLE_MAX`] no more moons are added.
pub(super) fn bodies(dice: &mut Dice, given: &[StaticBody]) -> (Vec<Body>, u8) {
    let star = dice.weighted(&STARS);
    let n_planets = n_planets(PLANETS[star], dice);
    let n_given = given
        .iter()
        .filter(|it| it.class == BodyClass::Solid)
        .count();
    let mut system = Bodies {
        bodies: Vec::new(),
        n_landable: 0,
        room: LANDABLE_MAX - n_given.min(LANDABLE_MAX),
    };
    let n_inner = (n_planets * 55 + 50) / 100;
    for rank in 1..=n_planets {
        let kind = kind(rank <= n_inner, dice);
        system.planet(rank as u8, kind, dice);
    }
    let offset = n_planets as u8;
    for (rank, body) in (offset + 1..).zip(given) {
        system.add_given(rank, body);
    }
    if system.n_landable == 0 {
        // An outpost, so that every system can be conquered.
        system.room = system.room.max(1);
        system.add(BodyKind::Planet, BodyClass::Solid, (offset.max(1), 0));
    }
    (system.bodies, system.n_landable)
}

/// Approximately Poisson: twenty draws, each with a twentieth of the expected count.
fn n_planets(expected_tenths: u32, dice: &mut Dice) -> u32 {
    let draws = (0..2 * PLANETS_MAX).filter(|_| dice.chance(expected_tenths * 5));
    (draws.count() as u32).min(PLANETS_MAX)
}

fn kind(inner: bool, dice: &mut Dice) -> Kind {
    // One planet in twelve is a giant, whatever its orbit.
    if dice.chance(80) {
        return match dice.chance(600) {
            true => Kind::GasGiant,
            false => Kind::IceGiant,
        };
    }
    let weights = match inner {
        true => [65, 30, 5, 0],
        false => [10, 15, 45, 30],
    };
    match dice.weighted(&weights) {
        0 => Kind::Terrestrial,
        1 => Kind::SubNeptune,
        2 => Kind::Dwarf,
        _ => Kind::IceGiant,
    }
}

struct Bodies {
    bodies: Vec<Body>,
    n_landable: u8,
    room: usize,
}

impl Bodies {
    fn planet(&mut self, rank: u8, kind: Kind, dice: &mut Dice) {
        let class = match kind {
            Kind::GasGiant => BodyClass::GasGiant,
            Kind::IceGiant => BodyClass::IceGiant,
            Kind::Terrestrial | Kind::SubNeptune | Kind::Dwarf => BodyClass::Solid,
        };
        self.add(BodyKind::Planet, class, (rank, 0));
        let n_moons = match kind {
            Kind::GasGiant => dice.between(4, 8) + dice.between(0, 4),
            Kind::IceGiant => dice.between(2, 6) + dice.between(0, 3),
            Kind::SubNeptune => dice.between(0, 2) + dice.between(0, 2),
            Kind::Terrestrial if dice.chance(250) => dice.between(1, 2) + dice.between(0, 1),
            Kind::Dwarf if dice.chance(150) => 1 + dice.between(0, 1),
            Kind::Terrestrial | Kind::Dwarf => 0,
        };
        for moon in 1..=n_moons {
            self.add(BodyKind::Moon, BodyClass::Solid, (rank, moon as u8));
        }
    }

    fn add(&mut self, kind: BodyKind, class: BodyClass, rank: (u8, u8)) {
        if class == BodyClass::Solid {
            if self.room == 0 {
                return;
            }
            self.room -= 1;
            self.n_landable += 1;
        }
        self.bodies.push(Body {
            kind,
            class,
            rank,
            given: None,
        });
    }

    fn add_given(&mut self, rank: u8, body: &StaticBody) {
        self.n_landable += u8::from(body.class == BodyClass::Solid);
        self.bodies.push(Body {
            kind: body.body_type,
            class: body.class,
            rank: (rank, 1),
            given: Some(Box::new((body.id.clone(), body.name.clone()))),
        });
    }
}
