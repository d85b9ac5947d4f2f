//! Battles in space.

use kernel::Seat;
use stellar::{Mission, Place, Ship};

use super::*;

#[test]
fn battles_do_not_depend_on_each_other_or_on_their_order() {
    let base = field();
    let pieces = format!(
        "{HOMES}; blue fleet 0: cruiser destroyer; blue fleet 3: cruiser frigate;
         red fleet 0: cruiser bomber; red fleet 3: destroyer*2"
    );
    check(&base, &pieces, "deadline", "battles=[0,3]");
    let fight = |first: u64, second: u64| {
        let script = format!("deadline; chance {first}; chance {second}");
        let (position, _) = after(given(&base, &pieces), &script);
        let ships = |system: u16| -> Vec<Ship> {
            let fleets = position.fleets().iter();
            let there = fleets.filter(|it| it.orbit() == Some(SystemIdx(system)));
            there.flat_map(|it| it.ships.clone()).collect()
        };
        (ships(0), ships(3))
    };
    let (first, second) = fight(11, 22);
    assert_eq!(fight(11, 99).0, first);
    assert_eq!(fight(99, 22).1, second);
    assert_ne!(fight(99, 22).0, first);
}

#[test]
fn more_power_nearly_always_wins_and_rounds_are_counted_correctly() {
    let pieces = format!("{HOMES}; blue fleet 0: cruiser*3; red fleet 0: cruiser");
    let position = given(&field(), &pieces);
    let mut n_wins = 0;
    for seed in 0..100 {
        let (_, events) = after(position.clone(), &format!("deadline; chance {seed}"));
        let fought = events.iter().find_map(|it| match it {
            Event::Fought {
                winner, n_rounds, ..
            } => Some((*winner, *n_rounds)),
            _ => None,
        });
        let (winner, n_rounds) = fought.unwrap();
        n_wins += u32::from(winner == Some(Seat::FIRST));
        assert!((1..=10).contains(&n_rounds));
    }
    assert!(n_wins >= 99, "{n_wins}");
}

#[test]
fn a_fleet_breaks_off_when_its_side_is_beaten_and_joins_no_other_battle() {
    let base = field();
    let (near, _) = neighbor(&base, 0);
    let pieces = format!(
        "{HOMES}; red owns {near}..{}; blue fleet 0: cruiser*4; red fleet 0: carrier cruiser",
        near + 1
    );
    let script = "1 fleet:0 retreat below:75; deadline; chance 7";
    let (position, events) = after(given(&base, &pieces), script);
    let mut red = position
        .fleets()
        .iter()
        .filter(|it| it.owner == Seat::SECOND);
    let fleet = red.next().expect("it survives");
    let flees = |to| position.owner(to) == Some(Seat::SECOND);
    assert!(matches!(fleet.place, Place::Moving { to, .. } if flees(to)));
    assert_eq!(red.count(), 0);
    let broke_off = |it: &Event| matches!(it, Event::BrokeOff { .. });
    assert!(events.iter().any(broke_off));
}

#[test]
fn a_fleet_passing_a_defended_system_is_intercepted() {
    let base = field();
    let at = base.galaxy().at(SystemIdx(0));
    let (x, y, z) = (at.x - 31_000, at.y, at.z);
    let pieces = format!(
        "{HOMES}; blue fleet 0: cruiser; red fleet 0: frigate; fleets.1.at=[{x},{y},{z}]
         fleets.1.mission=[load]"
    );
    let (position, events) = after(given(&base, &pieces), "deadline; chance 7");
    let fought = |it: &Event| matches!(it, Event::Fought { .. });
    assert!(events.iter().any(fought));
    let red = position
        .fleets()
        .iter()
        .filter(|it| it.owner == Seat::SECOND);
    for fleet in red {
        assert_eq!(fleet.orbit(), Some(SystemIdx(0)));
        assert_eq!(fleet.mission, Mission::None);
    }
}

#[test]
fn without_battles_ships_pass_each_other() {
    let mut scenario = bare(2, 12, "[]", Some(9));
    scenario.rules.use_advanced_combat = false;
    check(
        &start(scenario),
        "blue owns 10..11; blue fleet 0: cruiser; red fleet 0: cruiser",
        "deadline",
        "fleets.1.ships.0.hull=1200 fleets.2=absent",
    );
}

#[test]
fn armies_aboard_die_with_their_ship() {
    let base = field();
    let pieces = format!(
        "{HOMES}; blue fleet 0: cruiser*6; red fleet 0: troop_transport+;
         fleets.1.ships.0.hull=10"
    );
    check(&base, &pieces, "", "armies.0.owner=1 armies.1=absent");
    check(
        &base,
        &pieces,
        "deadline; chance 7",
        "fleets.0.owner=0 fleets.1=absent armies=[]",
    );
}
