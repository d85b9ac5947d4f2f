//! Movement, fuel, battles, landings, ground combat, conquest, supply, fog, orders.

use super::*;
use crate::constants::{ARMY_BROKEN, ARMY_STRENGTH, MORALE_FULL};
use crate::space::Point;
use crate::state::Order;
use kernel::{Departure, Mask, Reason, Redraw, Refusal, Verdict};

const WIDE: &str = "[]";
const CRUISER: [ShipKind; 1] = [ShipKind::Cruiser];
const FRIGATE: [ShipKind; 1] = [ShipKind::Frigate];
const TRANSPORT: [ShipKind; 1] = [ShipKind::TroopTransport];

/// Two factions with a system each, so that the match does not end by itself.
fn desk() -> Desk {
    Desk::new(2, 12, WIDE, Some(50))
        .own(BLUE, 10..11)
        .own(RED, 11..12)
}

/// A system near this one, and the distance.
fn neighbour(desk: &Desk, from: u16) -> (u16, i64) {
    let galaxy = desk.at.galaxy();
    let at = galaxy.at(SystemIdx(from));
    let far = |idx: &u16| galaxy.at(SystemIdx(*idx)).squared_to(at);
    let to = (0..10).filter(|it| *it != from).min_by_key(far).unwrap();
    (to, galaxy.at(SystemIdx(to)).distance_to(at))
}

fn refusal(desk: &Desk, seat: Seat, action: Action) -> &'static str {
    match desk.at.clone().play(seat, action, &mut kernel::Discard) {
        Err(Refusal::Illegal(_, Reason(code))) => code,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_fleet_is_as_fast_as_its_slowest_ship_and_pays_at_departure() {
    let mut desk = desk().fleet(BLUE, 0, &[ShipKind::Frigate, ShipKind::Cruiser]);
    let (to, distance) = neighbour(&desk, 0);
    desk.go(BLUE, 0, Verb::Move, to).resolve();
    let fleet = &desk.at.fleets[0];
    // 4 per light-year for a frigate, 8 for a cruiser, in hundredths, rounded up.
    assert_eq!(
        i64::from(fleet.ships[0].fuel),
        150_000 - (4 * distance + 9) / 10
    );
    assert_eq!(
        i64::from(fleet.ships[1].fuel),
        300_000 - (8 * distance + 9) / 10
    );
    let start = desk.at.galaxy().at(SystemIdx(0));
    let gone = fleet.at(desk.at.galaxy()).distance_to(start);
    assert!(
        (22_400..=22_600).contains(&gone),
        "22.5 light-years a turn: {gone}"
    );
    let n_turns = (distance + 22_499) / 22_500;
    desk.resolve_turns(n_turns as u32 - 1);
    assert_eq!(desk.at.fleets[0].orbit(), Some(SystemIdx(to)));
}

#[test]
fn jumps_are_bounded_by_range_and_by_every_ships_fuel() {
    let mut desk = desk().fleet(BLUE, 0, &[ShipKind::Carrier, ShipKind::Frigate]);
    let (near, distance) = neighbour(&desk, 0);
    // The frigate has just enough fuel for the nearest system.
    desk.at.fleets[0].ships[1].fuel = ((4 * distance + 9) / 10) as i32;
    desk.order(BLUE, &[Action::Fleet(0), Action::Verb(Verb::Move)]);
    let galaxy = desk.at.galaxy();
    let far = |low: i64, high: i64| {
        let at = galaxy.at(SystemIdx(0));
        let fits = |idx: &SystemIdx| (low..high).contains(&galaxy.at(*idx).distance_to(at));
        galaxy.indices().skip(1).find(fits).unwrap()
    };
    let middle = far(distance + 1, 200_001);
    assert_eq!(
        refusal(&desk, BLUE, Action::System(middle)),
        "insufficient_fuel"
    );
    let beyond = far(200_001, 1_000_000);
    assert_eq!(refusal(&desk, BLUE, Action::System(beyond)), "too_far");
    assert_eq!(
        refusal(&desk, BLUE, Action::System(SystemIdx(0))),
        "already_there"
    );
    desk.order(BLUE, &[Action::System(SystemIdx(near))])
        .resolve();
    assert_eq!(desk.at.fleets[0].ships[1].fuel, 0);
}

#[test]
fn refusals_say_what_is_wrong() {
    let mut desk = desk().fleet(BLUE, 0, &FRIGATE).fleet(BLUE, 1, &FRIGATE);
    assert_eq!(refusal(&desk, BLUE, Action::Fleet(7)), "no_such_fleet");
    assert_eq!(
        refusal(&desk, BLUE, Action::Verb(Verb::Move)),
        "choose_a_fleet_first"
    );
    desk.order(BLUE, &[Action::Fleet(0)]);
    assert_eq!(refusal(&desk, BLUE, Action::Done), "finish_the_order_first");
    assert_eq!(
        refusal(&desk, BLUE, Action::System(SystemIdx(1))),
        "choose_a_verb_first"
    );
    for (verb, code) in [
        (Verb::Invade, "no_army_aboard"),
        (Verb::Unload, "no_army_aboard"),
        (Verb::Load, "no_empty_transport"),
        (Verb::Transfer, "no_empty_transport"),
        (Verb::Split, "one_ship_only"),
        (Verb::Merge, "fleet_not_beside"),
    ] {
        assert_eq!(refusal(&desk, BLUE, Action::Verb(verb)), code);
    }
    let (to, _) = neighbour(&desk, 0);
    desk.order(
        BLUE,
        &[Action::Verb(Verb::Move), Action::System(SystemIdx(to))],
    );
    desk.order(BLUE, &[Action::Fleet(0)]);
    assert_eq!(
        refusal(&desk, BLUE, Action::Verb(Verb::Move)),
        "fleet_already_ordered"
    );
    desk.order(BLUE, &[Action::Verb(Verb::Retreat), Action::Share(2)]);
    assert_eq!(
        refusal(&desk, BLUE, Action::Fleet(0)),
        "fleet_already_ordered"
    );
    desk.resolve().order(BLUE, &[Action::Fleet(0)]);
    assert_eq!(
        refusal(&desk, BLUE, Action::Verb(Verb::Move)),
        "not_in_orbit"
    );
}

#[test]
fn unfinished_orders_are_dropped_at_the_deadline() {
    let mut desk = desk().fleet(BLUE, 0, &[ShipKind::Frigate; 3]);
    let split = [Action::Fleet(0), Action::Verb(Verb::Split), Action::Ship(1)];
    desk.order(BLUE, &split).resolve();
    assert_eq!(desk.at.fleets.len(), 1);
    assert!(!desk.at.fleets[0].ships[1].leaves);
}

#[test]
fn fleets_split_and_merge_at_the_resolution() {
    let mut desk = desk().fleet(
        BLUE,
        0,
        &[ShipKind::Cruiser, ShipKind::Fighter, ShipKind::Frigate],
    );
    let split = [
        Action::Fleet(0),
        Action::Verb(Verb::Split),
        Action::Ship(0),
        Action::Ship(2),
        Action::End,
    ];
    desk.order(BLUE, &split);
    assert_eq!(
        desk.at.fleets.len(),
        1,
        "nothing happens before the turn is resolved"
    );
    desk.resolve();
    let kinds = |desk: &Desk, idx: usize| -> Vec<ShipKind> {
        desk.at.fleets[idx].ships.iter().map(|it| it.kind).collect()
    };
    assert_eq!(kinds(&desk, 0), [ShipKind::Fighter]);
    assert_eq!(kinds(&desk, 1), [ShipKind::Cruiser, ShipKind::Frigate]);
    let merge = [Action::Fleet(0), Action::Verb(Verb::Merge), Action::Into(1)];
    desk.order(BLUE, &merge);
    assert_eq!(desk.at.fleets[1].order, Some(Order::Receive));
    desk.resolve();
    assert_eq!(desk.at.fleets.len(), 1);
    assert_eq!(desk.at.fleets[0].rank, 1);
    assert_eq!(
        kinds(&desk, 0),
        [ShipKind::Cruiser, ShipKind::Fighter, ShipKind::Frigate]
    );
}

#[test]
fn battles_do_not_depend_on_each_other_or_on_their_order() {
    let desk = desk()
        .fleet(BLUE, 0, &[ShipKind::Cruiser, ShipKind::Destroyer])
        .fleet(BLUE, 3, &[ShipKind::Cruiser, ShipKind::Frigate])
        .fleet(RED, 0, &[ShipKind::Cruiser, ShipKind::Bomber])
        .fleet(RED, 3, &[ShipKind::Destroyer, ShipKind::Destroyer]);
    let fight = |seeds: [u64; 2]| {
        let mut at = desk.at.clone();
        at.apply(Step::Deadline, &mut kernel::Discard).unwrap();
        assert_eq!(at.battles, [SystemIdx(0), SystemIdx(3)]);
        for seed in seeds {
            at.apply(Step::Chance(Draw(seed)), &mut kernel::Discard)
                .unwrap();
        }
        let ships = |system: u16| -> Vec<Ship> {
            let there = at
                .fleets
                .iter()
                .filter(|it| it.orbit() == Some(SystemIdx(system)));
            there.flat_map(|it| it.ships.clone()).collect()
        };
        (ships(0), ships(3))
    };
    let (first, second) = fight([11, 22]);
    assert_eq!(fight([11, 99]).0, first);
    assert_eq!(fight([99, 22]).1, second);
    assert_ne!(fight([99, 22]).0, first);
}

#[test]
fn more_power_nearly_always_wins_and_rounds_are_counted_correctly() {
    let mut n_wins = 0;
    for seed in 0..100 {
        let mut desk = desk()
            .fleet(BLUE, 0, &[ShipKind::Cruiser; 3])
            .fleet(RED, 0, &CRUISER);
        desk.step(Step::Deadline);
        desk.step(Step::Chance(Draw(seed)));
        let fought = desk.events.iter().find_map(|it| match it {
            Event::Fought {
                winner, n_rounds, ..
            } => Some((*winner, *n_rounds)),
            _ => None,
        });
        let (winner, n_rounds) = fought.unwrap();
        n_wins += u32::from(winner == Some(BLUE));
        assert!((1..=10).contains(&n_rounds));
    }
    assert!(n_wins >= 99, "{n_wins}");
}

#[test]
fn a_fleet_breaks_off_when_its_side_is_beaten_and_joins_no_other_battle() {
    let desk = desk().fleet(BLUE, 0, &[ShipKind::Cruiser; 4]).fleet(
        RED,
        0,
        &[ShipKind::Carrier, ShipKind::Cruiser],
    );
    let (near, _) = neighbour(&desk, 0);
    let mut desk = desk.own(RED, near..near + 1);
    desk.order(
        RED,
        &[
            Action::Fleet(0),
            Action::Verb(Verb::Retreat),
            Action::Share(3),
        ],
    );
    desk.resolve();
    let red = desk.at.fleets_of(RED);
    assert_eq!(red.len(), 1, "it survives");
    assert!(red[0].orbit() != Some(SystemIdx(0)), "and is elsewhere");
    assert!(matches!(red[0].place, Place::Moving { to, .. } if desk.at.owner(to) == Some(RED)));
    assert!(
        desk.events
            .iter()
            .any(|it| matches!(it, Event::BrokeOff { .. }))
    );
}

#[test]
fn a_fleet_passing_a_defended_system_is_intercepted() {
    let mut desk = desk()
        .fleet(BLUE, 0, &CRUISER)
        .fleet(RED, 5, &FRIGATE)
        .load(RED);
    let at = desk.at.galaxy().at(SystemIdx(0));
    let before = Point {
        x: at.x - 31_000,
        ..at
    };
    desk.at.fleets[1].place = Place::Moving {
        at: before,
        to: SystemIdx(0),
    };
    desk.at.fleets[1].mission = Mission::Load;
    desk.resolve();
    assert!(
        desk.events
            .iter()
            .any(|it| matches!(it, Event::Fought { .. }))
    );
    let red = desk.at.fleets_of(RED);
    assert!(
        red.is_empty() || red[0].orbit() == Some(SystemIdx(0)) && red[0].mission == Mission::None
    );
}

#[test]
fn without_battles_ships_pass_each_other() {
    let mut scenario = bare(2, 12, WIDE, Some(9));
    scenario.rules.use_advanced_combat = false;
    let mut desk = Desk::of(scenario)
        .own(BLUE, 10..11)
        .fleet(BLUE, 0, &CRUISER)
        .fleet(RED, 0, &CRUISER);
    desk.resolve();
    assert_eq!(desk.at.fleets.len(), 2);
    assert_eq!(desk.at.fleets[1].ships[0].hull, 1200);
}

#[test]
fn armies_aboard_die_with_their_ship() {
    let mut desk = desk()
        .fleet(BLUE, 0, &[ShipKind::Cruiser; 6])
        .fleet(RED, 0, &TRANSPORT)
        .load(RED);
    desk.at.fleets[1].ships[0].hull = 10;
    assert_eq!(desk.at.armies.len(), 1);
    desk.resolve();
    assert!(desk.at.fleets_of(RED).is_empty() && desk.at.armies.is_empty());
}

#[test]
fn an_undefended_system_falls_the_turn_that_troops_land() {
    let mut desk = desk().fleet(BLUE, 0, &TRANSPORT).load(BLUE);
    desk.go(BLUE, 0, Verb::Invade, 0).resolve();
    assert_eq!(desk.at.owner(SystemIdx(0)), Some(BLUE));
    let landed = desk.at.armies[0];
    assert!(matches!(landed.post, Post::Ground(SystemIdx(0), _)));
    assert_eq!(desk.at.fleets[0].ships[0].army, None);
    assert!(
        desk.events
            .iter()
            .any(|it| matches!(it, Event::Conquered { before: None, .. }))
    );
    desk.go(BLUE, 0, Verb::Load, 0).resolve();
    assert_eq!(desk.at.armies[0].post, Post::Aboard);
    assert_eq!(
        desk.at.owner(SystemIdx(0)),
        Some(BLUE),
        "an empty system keeps its owner"
    );
}

#[test]
fn invaders_land_where_the_garrison_is() {
    for body in 0..2 {
        let mut desk = desk();
        let roomy = desk
            .at
            .galaxy()
            .indices()
            .find(|it| desk.at.galaxy().system(*it).n_landable > 2);
        let system = roomy.unwrap().0.min(9);
        desk.at.owners[usize::from(system)] = Some(RED);
        let mut desk = desk
            .fleet(BLUE, system, &TRANSPORT)
            .load(BLUE)
            .army(RED, system, body);
        desk.go(BLUE, 0, Verb::Invade, system).resolve();
        assert_eq!(
            desk.at.armies_of(BLUE)[0].post,
            Post::Ground(SystemIdx(system), body)
        );
    }
}

#[test]
fn superiority_pays_on_the_ground() {
    let fight = |n_attackers: u8| {
        let mut desk = desk().own(RED, 0..1).army(RED, 0, 0);
        for _ in 0..n_attackers {
            desk = desk.army(BLUE, 0, 0);
        }
        let mut n_turns = 0;
        while desk.at.armies_of(RED).len() == 1 && n_turns < 20 {
            desk.resolve();
            n_turns += 1;
        }
        let left: u32 = desk
            .at
            .armies_of(BLUE)
            .iter()
            .map(|it| u32::from(it.strength))
            .sum();
        (
            left,
            u32::from(n_attackers) * u32::from(ARMY_STRENGTH),
            desk.at.owner(SystemIdx(0)),
        )
    };
    let (left, came, owner) = fight(2);
    assert!(
        left * 100 > came * 70 && owner == Some(BLUE),
        "{left} of {came}"
    );
    let (left, came, owner) = fight(3);
    assert!(
        left * 100 > came * 80 && owner == Some(BLUE),
        "{left} of {came}"
    );
}

#[test]
fn a_contested_orbit_stops_conquest() {
    let mut scenario = bare(2, 12, WIDE, Some(9));
    scenario.rules.use_advanced_combat = false;
    let mut desk = Desk::of(scenario)
        .own(RED, 0..1)
        .army(BLUE, 0, 0)
        .fleet(BLUE, 0, &FRIGATE)
        .fleet(RED, 0, &FRIGATE);
    desk.resolve();
    assert_eq!(desk.at.owner(SystemIdx(0)), Some(RED));
    desk.at.fleets.pop();
    desk.resolve();
    assert_eq!(desk.at.owner(SystemIdx(0)), Some(BLUE));
}

#[test]
fn bombardment_needs_warships_and_never_destroys_an_army() {
    let mut tanker = desk()
        .own(RED, 0..1)
        .army(RED, 0, 0)
        .fleet(BLUE, 0, &[ShipKind::Tanker]);
    tanker.resolve();
    assert_eq!(tanker.at.armies[0].strength, ARMY_STRENGTH);
    let mut desk = desk()
        .own(RED, 0..1)
        .army(RED, 0, 0)
        .fleet(BLUE, 0, &[ShipKind::Frigate; 10]);
    desk.resolve();
    // 10 warships: 3 % of strength, 5 % of morale; morale comes back by 10 % in supply.
    assert_eq!(
        (desk.at.armies[0].strength, desk.at.armies[0].morale),
        (9_700, MORALE_FULL)
    );
    desk.at.armies[0].strength = ARMY_BROKEN + 5;
    desk.resolve();
    assert_eq!(desk.at.armies[0].strength, ARMY_BROKEN + 1);
}

#[test]
fn unloading_needs_an_own_system_even_on_arrival() {
    let mut desk = desk().fleet(BLUE, 0, &TRANSPORT).load(BLUE).own(BLUE, 0..1);
    desk.go(BLUE, 0, Verb::Unload, 0);
    desk.at.owners[0] = Some(RED);
    desk.at.fleets[0].order = Some(Order::Unload(SystemIdx(0), None));
    desk.step_loose(Step::Deadline);
    let why = "not_your_system";
    assert!(desk.happened(&Event::Failed {
        fleet: (BLUE, 0),
        why
    }));
    assert_eq!(desk.at.armies[0].post, Post::Aboard);
}

#[test]
fn an_army_is_carried_between_bodies() {
    let desk = desk();
    let roomy = desk
        .at
        .galaxy()
        .indices()
        .find(|it| desk.at.galaxy().system(*it).n_landable > 1);
    let system = roomy.unwrap().0;
    let mut desk = desk.fleet(BLUE, system, &TRANSPORT).army(BLUE, system, 0);
    let transfer = [
        Action::Fleet(0),
        Action::Verb(Verb::Transfer),
        Action::Body(0),
        Action::Body(1),
    ];
    desk.order(BLUE, &transfer).resolve();
    assert_eq!(desk.at.armies[0].post, Post::Ground(SystemIdx(system), 1));
}

#[test]
fn own_systems_refuel_repair_and_rearm_unless_supply_is_off() {
    let worn = |supply: bool| {
        let mut scenario = bare(2, 12, WIDE, Some(9));
        scenario.rules.supply = supply;
        let mut desk = Desk::of(scenario)
            .own(BLUE, 0..1)
            .own(RED, 1..2)
            .fleet(BLUE, 0, &CRUISER);
        let ship = &mut desk.at.fleets[0].ships[0];
        (ship.hull, ship.fuel, ship.missiles, ship.torpedoes) = (600, 0, 0, 0);
        desk.resolve();
        let ship = desk.at.fleets[0].ships[0];
        (ship.hull, ship.fuel, ship.missiles, ship.torpedoes)
    };
    assert_eq!(worn(true), (720, 300_000, 3, 1));
    assert_eq!(worn(false).0, 600);
}

#[test]
fn extractors_and_tankers_keep_a_fleet_going() {
    let mut desk = desk();
    let gas = desk
        .at
        .galaxy()
        .indices()
        .find(|it| desk.at.galaxy().system(*it).has_gas);
    let gas = gas.unwrap().0;
    desk.at.owners[usize::from(gas)] = None;
    let mut desk =
        desk.own(BLUE, 10..11)
            .fleet(BLUE, gas, &[ShipKind::Extractor, ShipKind::Frigate]);
    if gas != 10 {
        for ship in &mut desk.at.fleets[0].ships {
            ship.fuel = 0;
        }
        desk.resolve();
        let fuel: Vec<i32> = desk.at.fleets[0].ships.iter().map(|it| it.fuel).collect();
        assert_eq!(fuel, [25_000, 25_000], "500 a turn, split evenly");
    }
    let mut desk = super::rules::desk().fleet(BLUE, 0, &[ShipKind::Tanker, ShipKind::Frigate]);
    desk.at.fleets[0].ships[1].fuel = 0;
    desk.at.owners[0] = None;
    desk.resolve();
    let fuel: Vec<i32> = desk.at.fleets[0].ships.iter().map(|it| it.fuel).collect();
    assert_eq!(fuel, [1_160_000, 40_000], "400 a turn");
}

#[test]
fn fog_hides_distant_fleets_and_shows_near_ones() {
    let desk = desk()
        .fleet(BLUE, 0, &FRIGATE)
        .fleet(RED, 5, &CRUISER)
        .army(RED, 5, 0);
    let view = desk.at.view(Viewer::Seat(BLUE));
    assert!(view.contacts.is_empty() && view.armies.is_empty());
    assert!(desk.at.view(Viewer::Public).contacts.is_empty());
    assert_eq!(view.owners[11], Some(RED), "owners are public");
    let near = desk.fleet(RED, 0, &CRUISER);
    let view = near.at.view(Viewer::Seat(BLUE));
    assert_eq!(view.contacts.len(), 1);
    assert_eq!(view.contacts[0].ships, [(ShipKind::Cruiser, 1200)]);
    let territory = super::rules::desk().fleet(RED, 10, &CRUISER);
    let view = territory.at.view(Viewer::Seat(BLUE));
    assert_eq!(view.contacts.len(), 1, "own systems see nearby fleets");
    let mut scenario = bare(2, 12, WIDE, Some(9));
    scenario.rules.fog_of_war = false;
    let open = Desk::of(scenario)
        .fleet(RED, 5, &CRUISER)
        .own(BLUE, 0..1)
        .army(RED, 5, 0);
    let view = open.at.view(Viewer::Seat(BLUE));
    assert_eq!((view.contacts.len(), view.armies.len()), (1, 1));
}

#[test]
fn redrawing_hidden_state_does_not_change_view_mask_or_observation() {
    use kernel::Observe;
    use kernel::rng::{Generator, GeneratorKind, Seed};
    let desk = desk()
        .fleet(BLUE, 0, &FRIGATE)
        .fleet(RED, 5, &CRUISER)
        .fleet(RED, 0, &TRANSPORT)
        .army(RED, 5, 0);
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(3));
    let setup = Setup::of(std::sync::Arc::clone(&desk.at.world));
    let mut n_changed = 0;
    for _ in 0..50 {
        let drawn = desk.at.redraw(Viewer::Seat(BLUE), &mut rng);
        n_changed += u32::from(drawn != desk.at);
        let bytes = |at: &Stellar| json::to_canonical(&at.view(Viewer::Seat(BLUE))).unwrap();
        assert_eq!(bytes(&drawn), bytes(&desk.at));
        let mask = |at: &Stellar| -> Mask { at.legal(BLUE) };
        assert_eq!(mask(&drawn), mask(&desk.at));
        let n = Stellar::observation(&setup).len();
        let observed = |at: &Stellar| {
            let mut out = vec![0; n];
            at.write_observation(BLUE, &mut out);
            out
        };
        assert_eq!(observed(&drawn), observed(&desk.at));
    }
    assert_eq!(n_changed, 50);
}

#[test]
fn a_faction_that_leaves_cannot_win_and_the_last_one_does() {
    let mut desk = Desk::new(3, 12, WIDE, Some(9))
        .own(BLUE, 0..1)
        .own(RED, 1..2)
        .own(green(), 2..3);
    desk.step(Step::Leave(SeatSet::only(BLUE), Departure::Resign));
    assert!(!desk.is_over());
    assert_eq!(desk.at.owner(SystemIdx(0)), Some(BLUE), "its forces stay");
    desk.step(Step::Leave(SeatSet::only(green()), Departure::Disconnect));
    assert_eq!(desk.at.outcome().unwrap().verdict, Verdict::Winner(RED));
    assert_eq!(desk.at.outcome().unwrap().reason.0, "forfeit");
    let mut all = Desk::new(2, 12, WIDE, Some(9))
        .own(BLUE, 0..1)
        .own(RED, 1..2);
    all.step(Step::Leave(SeatSet::first(2), Departure::Cancel));
    assert_eq!(all.at.outcome().unwrap().verdict, Verdict::Void);
}

#[test]
fn a_turn_is_resolved_as_soon_as_all_are_done() {
    let mut desk = desk();
    desk.order(RED, &[Action::Done]);
    assert_eq!(desk.at.turn_number(), 1);
    desk.order(BLUE, &[Action::Done]);
    assert_eq!(desk.at.turn_number(), 2);
}

#[test]
fn a_new_fleet_takes_the_lowest_free_rank() {
    let mut desk =
        desk()
            .fleet(BLUE, 0, &[ShipKind::Frigate; 2])
            .fleet(BLUE, 1, &[ShipKind::Frigate; 2]);
    desk.at.fleets[1].rank = 2;
    let split = |rank| {
        [
            Action::Fleet(rank),
            Action::Verb(Verb::Split),
            Action::Ship(0),
            Action::End,
        ]
    };
    desk.order(BLUE, &split(0)).order(BLUE, &split(2)).resolve();
    let ranks: Vec<u16> = desk.at.fleets.iter().map(|it| it.rank).collect();
    assert_eq!(ranks, [0, 1, 2, 3]);
}
