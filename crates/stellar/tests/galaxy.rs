//! Guarantees of every generated galaxy.
//!
//! Promise: Galaxies keep their spacing, and every home can reach another home.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::collections::BTreeSet;

use kernel::Seat;
use kernel::json::{self, Json};
use stellar::scenario::{self, Scenario, Topology};
use stellar::{Galaxy, Ly, NoGalaxy, Share, StartPlace, draw_svg, survey};

fn base() -> Json {
    let table = include_str!("../../../testdata/stellar/scenarios.json");
    let table = json::read(table.as_bytes()).unwrap();
    table.get("base").unwrap().clone()
}

fn scenario(change: impl FnOnce(&mut Scenario)) -> Scenario {
    let mut scenario = scenario::examine(&base()).scenario.unwrap();
    scenario.setup.territory_allocation = None;
    change(&mut scenario);
    scenario
}

#[test]
fn every_topology_keeps_the_spacing_and_unique_names() {
    for topology in Topology::ALL {
        for seed in 0..5 {
            let scenario = scenario(|it| {
                it.generation.topology = topology;
                it.generation.system_count = 150;
                it.generation.radius = Ly::whole(110);
                it.generation.spacing = Ly::whole(6);
            });
            let galaxy = Galaxy::generate(&scenario, seed).unwrap();
            assert_eq!(galaxy.n_systems(), 150);
            let systems = galaxy.systems();
            for (idx, system) in systems.iter().enumerate() {
                let apart = |other: &stellar::System| other.at.squared_to(system.at);
                assert!(systems[..idx].iter().all(|it| apart(it) >= 36_000_000));
                assert!((1..=8).contains(&system.n_landable));
                assert_eq!(system.landable().count(), usize::from(system.n_landable));
            }
            let names: BTreeSet<&str> = systems.iter().map(|it| it.name.as_str()).collect();
            assert_eq!(names.len(), 150);
            let ids: Vec<&str> = systems.iter().map(|it| it.id.as_str()).collect();
            assert!(ids.is_sorted() && ids.contains(&"core") && ids.contains(&"sys-0149"));
        }
    }
}

#[test]
fn ids_do_not_depend_on_the_seed_and_the_rest_does() {
    let scenario = scenario(|_| {});
    let [first, second] = [1, 2].map(|seed| Galaxy::generate(&scenario, seed).unwrap());
    let ids = |galaxy: &Galaxy| -> Vec<String> {
        galaxy.systems().iter().map(|it| it.id.clone()).collect()
    };
    assert_eq!(ids(&first), ids(&second));
    assert_ne!(first, second);
    assert_eq!(first, Galaxy::generate(&scenario, 1).unwrap());
}

#[test]
fn a_fixed_seed_overrides_the_given_one() {
    let scenario = scenario(|it| it.generation.fixed_seed = Some(5));
    assert_eq!(
        Galaxy::generate(&scenario, 1),
        Galaxy::generate(&scenario, 2)
    );
}

#[test]
fn a_spacing_that_leaves_no_room_is_reported() {
    let scenario = scenario(|it| it.generation.spacing = Ly::whole(60));
    let error = Galaxy::generate(&scenario, 1).unwrap_err();
    assert!(
        matches!(error, NoGalaxy::NoRoom { n_attempts: 8, .. }),
        "{error}"
    );
    assert_eq!(error.code(), "spacing_infeasible");
}

#[test]
fn homes_that_cannot_reach_another_are_reported() {
    let scenario = scenario(|it| {
        it.generation.system_count = 3;
        it.generation.radius = Ly::whole(2000);
        it.generation.topology = Topology::Ring;
        it.generation.static_systems.clear();
        it.objectives.victory.truncate(1);
    });
    let error = Galaxy::generate(&scenario, 1).unwrap_err();
    assert_eq!(error.code(), "home_cut_off");
}

#[test]
fn homes_are_far_apart_and_have_three_armies() {
    for seed in 0..20 {
        let galaxy = Galaxy::generate(&scenario(|_| {}), seed).unwrap();
        let homes = [Seat::FIRST, Seat::SECOND].map(|seat| galaxy.home(seat).unwrap());
        assert!(galaxy.at(homes[0]).distance_to(galaxy.at(homes[1])) > 60_000);
        for (seat, home) in Seat::first(2).zip(homes) {
            let own = galaxy.garrisons().iter().filter(|it| it.owner == seat);
            assert_eq!(own.clone().filter(|it| it.system == home).count(), 3);
            assert_eq!(own.count(), 7, "a home and four neighbors");
            assert_eq!(galaxy.owners()[home.index()], Some(seat));
        }
    }
}

#[test]
fn territory_is_assigned_by_share() {
    let scenario = scenario(|it| {
        let document = base();
        it.setup = scenario::examine(&document).scenario.unwrap().setup;
        let territory = it.setup.territory_allocation.as_mut().unwrap();
        let share = Share::from_units(170_000_000);
        territory.by_faction_id.insert("blue".into(), share);
        territory.neutral_share = Some(Share::from_units(600_000_000));
    });
    let galaxy = Galaxy::generate(&scenario, 3).unwrap();
    let n = |seat| {
        galaxy
            .owners()
            .iter()
            .filter(|it| **it == Some(seat))
            .count()
    };
    // 20 systems: 3.4 and 4, one more for the larger fraction, 12 unowned.
    assert_eq!((n(Seat::FIRST), n(Seat::SECOND)), (4, 4));
    let statics = galaxy.find("core").unwrap();
    assert_eq!(
        galaxy.owners()[statics.index()],
        None,
        "static systems stay neutral"
    );
}

#[test]
fn fleets_start_where_they_should() {
    let scenario = scenario(|it| {
        let at = stellar::scenario::Position {
            x: Ly::whole(3),
            y: Ly::default(),
            z: Ly::default(),
        };
        it.setup.initial_fleets[0].spawn_location = scenario::Spawn::At(at);
    });
    let galaxy = Galaxy::generate(&scenario, 3).unwrap();
    let core = galaxy.find("core").unwrap();
    assert!(
        matches!(galaxy.fleets()[0].place, StartPlace::Space(at, to) if to == core && at.x == 3000)
    );
    let home = galaxy.home(Seat::SECOND).unwrap();
    assert_eq!(galaxy.fleets()[1].place, StartPlace::Orbit(home));
}

#[test]
fn static_bodies_can_belong_to_a_faction() {
    let scenario = scenario(|it| {
        it.generation.static_systems[0].planets[0].owner_faction_id = Some("red".into());
    });
    let galaxy = Galaxy::generate(&scenario, 3).unwrap();
    let core = galaxy.find("core").unwrap();
    assert_eq!(galaxy.owners()[core.index()], Some(Seat::SECOND));
    assert_eq!(
        galaxy
            .garrisons()
            .iter()
            .filter(|it| it.system == core)
            .count(),
        1
    );
}

#[test]
fn a_condition_met_before_the_first_turn_gets_a_warning() {
    let mut document = base();
    let Json::Object(root) = &mut document else {
        panic!()
    };
    let condition = Json::object([
        ("type", Json::Text("domination".into())),
        ("percentage", Json::Real(0.2.into())),
    ]);
    let cap = Json::object([("maxTurns", Json::Int(9))]);
    let objectives = Json::object([
        ("victory", Json::List(vec![condition])),
        ("constraints", cap),
    ]);
    root.insert("objectives".into(), objectives);
    let (report, galaxy) = survey(&document, 1);
    assert_eq!(report.codes(), ["warning:already_satisfied"]);
    assert_eq!(report.findings[0].pointer, "/objectives/victory/0");
    assert!(galaxy.is_some());
}

#[test]
fn a_map_shows_every_system_the_homes_and_the_hill() {
    let scenario = scenario(|_| {});
    let galaxy = Galaxy::generate(&scenario, 3).unwrap();
    let svg = draw_svg(&scenario, &galaxy);
    // 20 dots, 10 owned, 2 homes, 1 hill.
    assert_eq!(svg.matches("<circle").count(), 33);
    assert!(svg.contains("The Core (core)") && svg.contains("#ffd700"));
}

#[test]
fn ten_thousand_systems_keep_their_spacing() {
    let scenario = scenario(|it| {
        it.generation.system_count = 10_000;
        it.generation.radius = Ly::whole(700);
        it.generation.topology = Topology::Spiral;
    });
    let galaxy = Galaxy::generate(&scenario, 1).unwrap();
    assert_eq!((galaxy.n_systems(), galaxy.n_attempts()), (10_000, 1));
    let spacing = scenario.generation.spacing.units();
    let systems = galaxy.systems();
    for (idx, system) in systems.iter().enumerate() {
        let apart = |other: &stellar::System| other.at.squared_to(system.at);
        assert!(
            systems[..idx]
                .iter()
                .all(|it| apart(it) >= spacing * spacing)
        );
    }
}
