//! Landings, ground combat, conquest and bombardment.

use kernel::Seat;
use stellar::constants::{ARMY_BROKEN, ARMY_STRENGTH, MORALE_FULL};

use super::*;

/// A system in which troops can land on more than `n` bodies.
fn roomy(base: &Stellar, n: u8) -> u16 {
    let fits = |idx: &SystemIdx| base.galaxy().system(*idx).n_landable > n;
    base.galaxy().indices().take(10).find(fits).unwrap().0
}

#[test]
fn an_undefended_system_falls_the_turn_that_troops_land() {
    let base = field();
    let pieces = format!("{HOMES}; blue fleet 0: troop_transport+");
    let script = "0 fleet:0 invade system:0 body:any; deadline";
    check(
        &base,
        &pieces,
        script,
        "owners.0=0 armies.0.system=0 fleets.0.ships.0.army=null",
    );
    let (landed, events) = after(given(&base, &pieces), script);
    let conquered = |it: &Event| matches!(it, Event::Conquered { before: None, .. });
    assert!(events.iter().any(conquered));
    // An empty system keeps its owner.
    script::check(
        &landed,
        "",
        "0 fleet:0 load system:0; deadline",
        "armies.0.system=null owners.0=0",
    );
}

#[test]
fn invaders_land_where_the_garrison_is() {
    let base = field();
    let system = roomy(&base, 2);
    for body in 0..2 {
        check(
            &base,
            &format!(
                "{HOMES}; red owns {system}..{}; red army {system}.{body};
                 blue fleet {system}: troop_transport+",
                system + 1
            ),
            &format!("0 fleet:0 invade system:{system} body:any; deadline"),
            &format!("armies.0.owner=0 armies.0.system={system} armies.0.body={body}"),
        );
    }
}

#[test]
fn superiority_pays_on_the_ground() {
    let fight = |n_attackers: u32| {
        let attackers = "; blue army 0.0".repeat(n_attackers as usize);
        let pieces = format!("{HOMES}; red owns 0..1; red army 0.0{attackers}");
        let mut position = given(&field(), &pieces);
        let mut n_turns = 0;
        while position.armies().iter().any(|it| it.owner == Seat::SECOND) && n_turns < 20 {
            script::play(&mut position, "deadline");
            n_turns += 1;
        }
        let own = position
            .armies()
            .iter()
            .filter(|it| it.owner == Seat::FIRST);
        let left: u32 = own.map(|it| u32::from(it.strength)).sum();
        script::expect(&position, &[], "owners.0=0");
        (left, n_attackers * u32::from(ARMY_STRENGTH))
    };
    let (left, came) = fight(2);
    assert!(left * 100 > came * 70, "{left} of {came}");
    let (left, came) = fight(3);
    assert!(left * 100 > came * 80, "{left} of {came}");
}

#[test]
fn a_contested_orbit_stops_conquest() {
    let mut scenario = bare(2, 12, "[]", Some(9));
    scenario.rules.use_advanced_combat = false;
    let base = start(scenario);
    let pieces = "red owns 0..1; blue army 0.0; blue fleet 0: frigate";
    let contested = format!("{pieces}; red fleet 0: frigate");
    check(&base, &contested, "deadline", "owners.0=1");
    check(&base, pieces, "deadline", "owners.0=0");
}

#[test]
fn bombardment_needs_warships_and_never_destroys_an_army() {
    let base = field();
    let pieces = format!("{HOMES}; red owns 0..1; red army 0.0");
    check(
        &base,
        &format!("{pieces}; blue fleet 0: tanker"),
        "deadline",
        &format!("armies.0.strength={ARMY_STRENGTH}"),
    );
    // 10 warships: 3 % of strength, 5 % of morale; morale comes back by 10 % in supply.
    let pieces = format!("{pieces}; blue fleet 0: frigate*10");
    check(
        &base,
        &pieces,
        "deadline",
        &format!("armies.0.strength=9700 armies.0.morale={MORALE_FULL}"),
    );
    let (bombarded, _) = after(given(&base, &pieces), "deadline");
    script::check(
        &bombarded,
        &format!("armies.0.strength={}", ARMY_BROKEN + 5),
        "deadline",
        &format!("armies.0.strength={}", ARMY_BROKEN + 1),
    );
}

#[test]
fn unloading_needs_an_own_system_even_on_arrival() {
    let base = field();
    let at = base.galaxy().at(SystemIdx(0));
    let (x, y, z) = (at.x - 10_000, at.y, at.z);
    let pieces = |owner: &str| {
        format!(
            "{HOMES}; {owner} owns 0..1; blue fleet 0: troop_transport+;
             fleets.0.at=[{x},{y},{z}] fleets.0.mission=[unload,any]"
        )
    };
    check(&base, &pieces("blue"), "deadline", "armies.0.system=0");
    // Red has conquered the system on the way.
    let (position, events) = after(given(&base, &pieces("red")), "deadline");
    script::expect(&position, &events, "armies.0.system=null");
    assert!(events.contains(&Event::Failed {
        seat: Seat::FIRST,
        fleet: 0,
        why: "not_your_system"
    }));
}

#[test]
fn an_army_is_carried_between_bodies() {
    let base = field();
    let system = roomy(&base, 1);
    check(
        &base,
        &format!("{HOMES}; blue fleet {system}: troop_transport; blue army {system}.0"),
        "0 fleet:0 transfer body:0 body:1; deadline",
        &format!("armies.0.system={system} armies.0.body=1"),
    );
}
