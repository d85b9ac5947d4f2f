//! Orders, movement and fuel.

use super::*;

#[test]
fn a_fleet_is_as_fast_as_its_slowest_ship_and_pays_at_departure() {
    let base = field();
    let (to, distance) = neighbor(&base, 0);
    let pieces = format!("{HOMES}; blue fleet 0: frigate cruiser");
    let script = format!("0 fleet:0 move system:{to}; deadline");
    // 4 per light-year for a frigate, 8 for a cruiser, in hundredths, rounded up.
    let [frigate, cruiser] =
        [(150_000, 4), (300_000, 8)].map(|(tank, burn)| tank - (burn * distance + 9) / 10);
    let expected = format!("fleets.0.ships.0.fuel={frigate} fleets.0.ships.1.fuel={cruiser}");
    check(&base, &pieces, &script, &expected);
    let (moving, _) = after(given(&base, &pieces), &script);
    let start = base.galaxy().at(SystemIdx(0));
    let gone = moving.fleets()[0].at(base.galaxy()).distance_to(start);
    assert!(
        (22_400..=22_600).contains(&gone),
        "22.5 light-years a turn: {gone}"
    );
    let n_turns = (distance + 22_499) / 22_500;
    script::check(
        &moving,
        "",
        &format!("deadline*{}", n_turns - 1),
        &format!("fleets.0.at=null fleets.0.system={to}"),
    );
}

#[test]
fn jumps_are_bounded_by_range_and_by_every_ships_fuel() {
    let base = field();
    let (near, distance) = neighbor(&base, 0);
    let far = |low: i64, high: i64| {
        let (galaxy, from) = (base.galaxy(), base.galaxy().at(SystemIdx(0)));
        let fits = |idx: &SystemIdx| (low..high).contains(&galaxy.at(*idx).distance_to(from));
        galaxy.indices().skip(1).find(fits).unwrap().0
    };
    let (middle, beyond) = (far(distance + 1, 200_001), far(200_001, 1_000_000));
    // The frigate has just enough fuel for the nearest system.
    let fuel = (4 * distance + 9) / 10;
    check(
        &base,
        &format!("{HOMES}; blue fleet 0: carrier frigate; fleets.0.ships.1.fuel={fuel}"),
        &format!(
            "0 fleet:0 move system:{middle} !insufficient_fuel; 0 system:{beyond} !too_far;
             0 system:0 !already_there; 0 system:{near}; deadline"
        ),
        "fleets.0.ships.1.fuel=0",
    );
}

#[test]
fn armies_are_loaded_where_they_are_and_unloaded_on_own_systems() {
    let base = field();
    let [(to, _), (other, _)] = [0, 10].map(|from| neighbor(&base, from));
    check(
        &base,
        &format!("{HOMES}; blue army 0.0; blue fleet 0: troop_transport"),
        &format!("0 fleet:0 load system:{to} !no_army_there; 0 system:0"),
        "",
    );
    check(
        &base,
        &format!("{HOMES}; blue fleet 10: troop_transport+"),
        &format!("0 fleet:0 unload system:{other} !not_your_system; 0 system:10"),
        "",
    );
}

#[test]
fn refusals_say_what_is_wrong() {
    let base = field();
    let (to, _) = neighbor(&base, 0);
    check(
        &base,
        &format!("{HOMES}; blue fleet 0: frigate; blue fleet 1: frigate"),
        &format!(
            "0 fleet:7 !no_such_fleet; 0 move !choose_a_fleet_first; 0 fleet:0;
             0 done !finish_the_order_first; 0 system:1 !choose_a_verb_first;
             0 invade !no_army_aboard; 0 unload !no_army_aboard; 0 load !no_empty_transport;
             0 transfer !no_empty_transport; 0 split !one_ship_only; 0 merge !fleet_not_beside;
             0 move system:{to}; 0 fleet:0 move !fleet_already_ordered; 0 retreat below:50;
             0 fleet:0 !fleet_already_ordered; deadline; 0 fleet:0 move !not_in_orbit"
        ),
        "turn=2",
    );
}

#[test]
fn unfinished_orders_are_dropped_at_the_deadline() {
    check(
        &field(),
        &format!("{HOMES}; blue fleet 0: frigate*3"),
        "0 fleet:0 split ship:1; deadline",
        "fleets.1=absent fleets.0.ships.1.leaves=false",
    );
}

#[test]
fn fleets_split_and_merge_at_the_resolution() {
    let base = field();
    let pieces = format!("{HOMES}; blue fleet 0: cruiser fighter frigate");
    let split = "0 fleet:0 split ship:0 ship:2 end";
    // Nothing happens before the turn is resolved.
    check(&base, &pieces, split, "fleets.1=absent");
    check(
        &base,
        &pieces,
        &format!("{split}; deadline"),
        "fleets.0.ships.0.kind=fighter fleets.0.ships.1=absent
         fleets.1.ships.0.kind=cruiser fleets.1.ships.1.kind=frigate fleets.1.ships.2=absent",
    );
    let merge = format!("{split}; deadline; 0 fleet:0 merge into:1");
    check(&base, &pieces, &merge, "fleets.1.order=[receive]");
    check(
        &base,
        &pieces,
        &format!("{merge}; deadline"),
        "fleets.1=absent fleets.0.rank=1 fleets.0.ships.0.kind=cruiser
         fleets.0.ships.1.kind=fighter fleets.0.ships.2.kind=frigate fleets.0.ships.3=absent",
    );
}

#[test]
fn a_new_fleet_takes_the_lowest_free_rank() {
    check(
        &field(),
        &format!("{HOMES}; blue fleet 0: frigate*2; blue fleet 1: frigate*2; fleets.1.rank=2"),
        "0 fleet:0 split ship:0 end; 0 fleet:2 split ship:0 end; deadline",
        "fleets.0.rank=0 fleets.1.rank=1 fleets.2.rank=2 fleets.3.rank=3 fleets.4=absent",
    );
}

#[test]
fn a_turn_is_resolved_as_soon_as_all_are_done() {
    check(&field(), HOMES, "1 done", "turn=1");
    check(&field(), HOMES, "1 done; 0 done", "turn=2");
}

#[test]
fn a_faction_that_leaves_cannot_win_and_the_last_one_does() {
    let base = three("[]", Some(9));
    let pieces = "blue owns 0..1; red owns 1..2; green owns 2..3";
    // Its forces stay.
    check(&base, pieces, "resign 0", "end=null owners.0=0");
    check(
        &base,
        pieces,
        "resign 0; disconnect 2",
        "end.winner=1 end.cause=forfeit view.result.reason=forfeit",
    );
    check(
        &two("[]", Some(9)),
        "blue owns 0..1; red owns 1..2",
        "cancel 0 1",
        "end.winner=null end.cause=void",
    );
}
