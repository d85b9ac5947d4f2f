//! Symmetric galaxies and fair homes.
//!
//! Promise: In a symmetric galaxy every faction has the same start.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use kernel::Seat;
use kernel::json::{self, Json};
use stellar::scenario::{
    self, Blueprint, Distribution, Homes, Scenario, Spawn, SpawnName, Symmetry, Topology,
};
use stellar::{Galaxy, Ly, Point, StartPlace, SystemIdx, shipped};

fn scenario(topology: Topology, n_factions: u8, n_systems: u32) -> Scenario {
    let blueprint = Blueprint {
        title: "Test".to_owned(),
        topology,
        n_systems,
        n_factions,
        seed: 3,
        n_turns: 50,
        domination: "0.6".parse().unwrap(),
    };
    blueprint.build().unwrap()
}

/// The point in the next sector, by floating point: independent of the code under test.
fn turned(at: Point, n_sectors: usize) -> Point {
    let angle = std::f64::consts::TAU / n_sectors as f64;
    let (sine, cosine) = angle.sin_cos();
    let (x, z) = (f64::from(at.x), f64::from(at.z));
    Point {
        x: (x * cosine - z * sine).round() as i32,
        y: at.y,
        z: (x * sine + z * cosine).round() as i32,
    }
}

fn mirrored(at: Point) -> Point {
    Point { x: -at.x, ..at }
}

fn system_at(galaxy: &Galaxy, at: Point) -> SystemIdx {
    let found = galaxy.nearest_within(at, 5);
    found.unwrap_or_else(|| panic!("no system at {at:?}"))
}

/// Checks that the image of everything of a faction belongs to the faction in the next sector.
fn check(galaxy: &Galaxy, n_seats: usize, image: impl Fn(Point) -> Point) {
    let image = |idx: SystemIdx| system_at(galaxy, image(galaxy.at(idx)));
    let first = galaxy.home(Seat::FIRST).unwrap();
    let seats: Vec<Seat> = Seat::first(n_seats).collect();
    let home_of = |idx: SystemIdx| seats.iter().position(|it| galaxy.home(*it) == Some(idx));
    let step = home_of(image(first)).unwrap();
    let next = |seat: Seat| seats[(seat.index() + step) % n_seats];
    for idx in galaxy.indices() {
        let (system, other) = (galaxy.system(idx), galaxy.system(image(idx)));
        assert_eq!(system.has_gas, other.has_gas, "{}", system.id);
        assert_eq!(system.bodies, other.bodies, "{}", system.id);
        let owner = galaxy.owners()[idx.index()];
        assert_eq!(galaxy.owners()[image(idx).index()], owner.map(next));
    }
    for seat in &seats {
        let home = galaxy.home(*seat).unwrap();
        assert_eq!(galaxy.home(next(*seat)), Some(image(home)));
        let armies = |of: Seat| {
            let armies = galaxy.garrisons().iter();
            armies.filter(|it| it.owner == of).collect::<Vec<_>>()
        };
        assert_eq!(armies(*seat).len(), armies(next(*seat)).len());
        for army in armies(*seat) {
            let system = image(army.system);
            let mut others = armies(next(*seat)).into_iter();
            assert!(others.any(|it| it.system == system && it.body == army.body));
        }
        let places = |of: Seat| {
            let fleets = galaxy.fleets().iter().filter(move |it| it.owner == of);
            fleets.map(|it| match it.place {
                StartPlace::Orbit(at) => at,
                StartPlace::Space(..) => panic!("every fleet starts in orbit"),
            })
        };
        let images: Vec<SystemIdx> = places(*seat).map(image).collect();
        assert!(places(next(*seat)).eq(images), "fleets of {seat}");
    }
}

#[test]
fn a_rotational_galaxy_has_equal_sectors_for_every_topology_and_number_of_factions() {
    for topology in Topology::ALL {
        for n_factions in 2..=8u8 {
            let mut scenario = scenario(topology, n_factions, 12 * u32::from(n_factions));
            assert_eq!(scenario.generation.symmetry, Symmetry::Rotational);
            for fleet in &mut scenario.setup.initial_fleets {
                fleet.spawn_location = Spawn::Named(SpawnName::Random);
            }
            let galaxy = Galaxy::generate(&scenario, 0).unwrap();
            assert_eq!(galaxy.n_systems(), 12 * usize::from(n_factions));
            let n = usize::from(n_factions);
            check(&galaxy, n, |at| turned(at, n));
        }
    }
}

#[test]
fn a_mirrored_galaxy_has_equal_halves_and_an_odd_system_lies_in_the_mirror() {
    for topology in Topology::ALL {
        for (n_systems, n_between) in [(40, 0), (41, 1)] {
            let mut scenario = scenario(topology, 2, n_systems);
            scenario.generation.symmetry = Symmetry::Mirror;
            for seed in 0..5 {
                scenario.generation.fixed_seed = Some(seed);
                let galaxy = Galaxy::generate(&scenario, 0).unwrap();
                check(&galaxy, 2, mirrored);
                let between = galaxy.systems().iter().filter(|it| it.at.x == 0);
                assert_eq!(between.count(), n_between, "{topology:?}");
            }
        }
    }
}

#[test]
fn symmetric_galaxies_keep_the_spacing() {
    for symmetry in [Symmetry::Mirror, Symmetry::Rotational] {
        let mut scenario = scenario(Topology::Scattered, 2, 150);
        scenario.generation.symmetry = symmetry;
        scenario.generation.radius = Ly::whole(110);
        scenario.generation.spacing = Ly::whole(6);
        let galaxy = Galaxy::generate(&scenario, 1).unwrap();
        assert_eq!(galaxy.n_systems(), 150);
        for (idx, system) in galaxy.systems().iter().enumerate() {
            let others = galaxy.systems()[..idx].iter();
            assert!(
                others
                    .clone()
                    .all(|it| it.at.squared_to(system.at) >= 36_000_000)
            );
        }
    }
}

#[test]
fn static_systems_that_are_images_have_the_same_bodies() {
    let scenario = shipped::scenario("three_crowns").unwrap();
    for seed in 0..5 {
        let galaxy = Galaxy::generate(&scenario, seed).unwrap();
        check(&galaxy, 3, |at| turned(at, 3));
        let bodies = |id: &str| &galaxy.system(galaxy.find(id).unwrap()).bodies;
        assert_eq!(bodies("aurora_gate"), bodies("ember_core"));
        assert_eq!(bodies("aurora_gate"), bodies("verdant_deep"));
    }
}

#[test]
fn equal_shares_give_equal_territory() {
    let mut scenario = shipped::scenario("three_crowns").unwrap();
    let owned = |scenario: &Scenario| -> Vec<usize> {
        let galaxy = Galaxy::generate(scenario, 2).unwrap();
        let n = |seat: Seat| {
            galaxy
                .owners()
                .iter()
                .filter(|it| **it == Some(seat))
                .count()
        };
        Seat::first(3).map(n).collect()
    };
    assert_eq!(owned(&scenario), [7, 7, 7]);
    scenario.generation.symmetry = Symmetry::None;
    scenario.generation.homes = Homes::Fair;
    assert_eq!(owned(&scenario), [7, 7, 7]);
    scenario.generation.homes = Homes::Far;
    assert_eq!(owned(&scenario), [8, 7, 7], "as in version 1.0");
}

#[test]
fn seats_do_not_keep_to_one_side_of_a_symmetric_galaxy() {
    let scenario = shipped::scenario("crown_of_stars").unwrap();
    let is_left = |seed: &u32| {
        let galaxy = Galaxy::generate(&scenario, *seed).unwrap();
        galaxy.at(galaxy.home(Seat::FIRST).unwrap()).x < 0
    };
    let n_left = (0..100).filter(is_left).count();
    assert!((35..=65).contains(&n_left), "{n_left} of 100");
}

#[test]
fn homes_that_cannot_be_made_even_are_reported() {
    let mut scenario = scenario(Topology::Scattered, 8, 17);
    assert_eq!(
        scenario.generation.homes,
        Homes::Far,
        "the best that there is"
    );
    scenario.generation.homes = Homes::Fair;
    let error = Galaxy::generate(&scenario, 1).unwrap_err();
    assert_eq!(error.code(), "homes_uneven");
    assert!(error.to_string().contains("expected at most 5"), "{error}");
}

fn document(change: impl FnOnce(&mut Scenario)) -> Json {
    let mut scenario = shipped::scenario("crown_of_stars").unwrap();
    change(&mut scenario);
    scenario.document(scenario::Dialect::File)
}

fn findings(document: &Json) -> Vec<String> {
    let report = scenario::examine(document);
    let text = |it: &scenario::Finding| format!("{} {}", it.code, it.pointer);
    report.findings.iter().map(text).collect()
}

#[test]
fn impossible_and_broken_symmetries_have_findings() {
    assert!(findings(&document(|_| {})).is_empty());
    let three = document(|it| {
        let mut third = it.setup.factions[0].clone();
        third.id = "third".to_owned();
        it.setup.factions.push(third);
        it.generation.symmetry = Symmetry::Mirror;
        it.generation.topology = Topology::Ring;
    });
    assert_eq!(findings(&three), ["symmetry_factions /generation/symmetry"]);
    let odd = document(|it| it.generation.system_count = 40);
    assert_eq!(findings(&odd), ["symmetry_uneven /generation/systemCount"]);
    let report = scenario::examine(&odd);
    let message = &report.findings[0].message;
    assert!(message.contains("use 39 or 41 systems"), "{message}");
    let aside = document(|it| it.generation.static_systems[0].position.x = Ly::whole(9));
    assert_eq!(
        findings(&aside),
        [
            "symmetry_broken /generation/staticSystems/0/position",
            "symmetry_broken /objectives/victory/0/systemId"
        ]
    );
    let mirrored = document(|it| {
        it.generation.symmetry = Symmetry::Mirror;
        it.generation.static_systems[0].position.z = Ly::whole(9);
    });
    assert_eq!(
        findings(&mirrored),
        ["mirrored_spiral /generation/symmetry"]
    );
}

#[test]
fn unequal_shares_and_homes_without_effect_have_warnings() {
    let text = shipped::text("three_crowns").unwrap();
    let unequal = text.replacen("\"blue\": 0.1", "\"blue\": 0.2", 1);
    let unequal = unequal.replace("\"neutralShare\": 0.7", "\"neutralShare\": 0.6");
    let unequal = json::read(unequal.as_bytes()).unwrap();
    assert_eq!(
        findings(&unequal),
        ["symmetry_broken /setup/territoryAllocation/byFactionId"]
    );
    let nowhere = document(|it| {
        it.setup.starting_distribution = Distribution::None;
        it.generation.homes = Homes::Fair;
    });
    assert_eq!(findings(&nowhere), ["no_effect /generation/homes"]);
}

#[test]
fn new_fields_are_written_only_where_they_differ_from_their_default() {
    let mut scenario = shipped::scenario("crown_of_stars").unwrap();
    let symmetric = scenario.document(scenario::Dialect::Canonical);
    assert_eq!(
        symmetric.pointer("/generation/symmetry"),
        Some(&Json::Text("rotational".to_owned()))
    );
    scenario.generation.symmetry = Symmetry::None;
    let older = scenario.document(scenario::Dialect::Canonical);
    for field in ["symmetry", "homes"] {
        assert_eq!(older.pointer(&format!("/generation/{field}")), None);
    }
}
