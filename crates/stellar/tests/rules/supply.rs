//! Supply, and what factions see.

use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{GameExt, Observe, Redraw, Seat, Viewer};
use stellar::constants::ShipKind;

use super::*;

#[test]
fn own_systems_refuel_repair_and_rearm_unless_supply_is_off() {
    for (supply, expected) in [
        (true, "hull=720 fuel=300000 missiles=3 torpedoes=1"),
        (false, "hull=600"),
    ] {
        let mut scenario = bare(2, 12, "[]", Some(9));
        scenario.rules.supply = supply;
        let ship = |values: &str| {
            let values = values.split(' ');
            let each = values.map(|value| format!(" fleets.0.ships.0.{value}"));
            each.collect::<String>()
        };
        let worn = ship("hull=600 fuel=0 missiles=0 torpedoes=0");
        check(
            &start(scenario),
            &format!("blue owns 0..1; red owns 1..2; blue fleet 0: cruiser;{worn}"),
            "deadline",
            &ship(expected),
        );
    }
}

#[test]
fn extractors_and_tankers_keep_a_fleet_going() {
    let base = field();
    let has_gas = |idx: &SystemIdx| base.galaxy().system(*idx).has_gas;
    let gas = base.galaxy().indices().take(10).find(has_gas).unwrap().0;
    // 500 a turn, split evenly.
    check(
        &base,
        &format!(
            "{HOMES}; blue fleet {gas}: extractor frigate;
             fleets.0.ships.0.fuel=0 fleets.0.ships.1.fuel=0"
        ),
        "deadline",
        "fleets.0.ships.0.fuel=25000 fleets.0.ships.1.fuel=25000",
    );
    // 400 a turn.
    check(
        &base,
        &format!("{HOMES}; blue fleet 0: tanker frigate; fleets.0.ships.1.fuel=0"),
        "deadline",
        "fleets.0.ships.0.fuel=1160000 fleets.0.ships.1.fuel=40000",
    );
}

#[test]
fn fog_hides_distant_fleets_and_shows_near_ones() {
    let base = field();
    let pieces = format!("{HOMES}; blue fleet 0: frigate; red fleet 5: cruiser; red army 5.0");
    // Owners are public.
    check(
        &base,
        &pieces,
        "",
        "view0.contacts=[] view0.armies=[] view0.owners.11=1 view.contacts=[]",
    );
    let near = given(&base, &format!("{pieces}; red fleet 0: cruiser"));
    let contacts = near.view(Viewer::Seat(Seat::FIRST)).contacts;
    assert_eq!(contacts.len(), 1);
    assert_eq!(contacts[0].ships, [(ShipKind::Cruiser, 1200)]);
    // Own systems see nearby fleets.
    let territory = given(&base, &format!("{HOMES}; red fleet 10: cruiser"));
    let view = territory.view(Viewer::Seat(Seat::FIRST));
    assert_eq!(view.contacts.len(), 1);
    let mut scenario = bare(2, 12, "[]", Some(9));
    scenario.rules.fog_of_war = false;
    let open = given(
        &start(scenario),
        "red fleet 5: cruiser; blue owns 0..1; red army 5.0",
    );
    let view = open.view(Viewer::Seat(Seat::FIRST));
    assert_eq!((view.contacts.len(), view.armies.len()), (1, 1));
}

#[test]
fn redrawing_hidden_state_does_not_change_view_mask_or_observation() {
    const BLUE: Seat = Seat::FIRST;
    let setup = Setup::new(bare(2, 12, "[]", Some(50)), 1).unwrap();
    let position = given(
        &Stellar::start(&setup),
        &format!(
            "{HOMES}; blue fleet 0: frigate; red fleet 5: cruiser; red fleet 0: troop_transport;
             red army 5.0"
        ),
    );
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(3));
    let n_values = Stellar::observation(&setup).len();
    let mut n_changed = 0;
    for _ in 0..50 {
        let drawn = position.redraw(Viewer::Seat(BLUE), &mut rng);
        n_changed += u32::from(drawn != position);
        let bytes = |at: &Stellar| json::to_canonical(&at.view(Viewer::Seat(BLUE))).unwrap();
        assert_eq!(bytes(&drawn), bytes(&position));
        assert_eq!(drawn.legal(BLUE), position.legal(BLUE));
        let observed = |at: &Stellar| {
            let mut out = vec![0; n_values];
            at.write_observation(BLUE, &mut out);
            out
        };
        assert_eq!(observed(&drawn), observed(&position));
    }
    assert_eq!(n_changed, 50);
}
