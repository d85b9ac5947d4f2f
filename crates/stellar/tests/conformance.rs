//! Stellar Fleet passes the conformance suite for games.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use kernel::conformance::{Memory, Secrets, Suite};
use kernel::json::{self, Json};
use kernel::{SeatSet, doc};
use stellar::constants::ShipKind;
use stellar::scenario::{self, Condition, Distribution, Profile, Scenario, Topology};
use stellar::{Ly, Setup, Stellar};

fn base() -> Scenario {
    let table = include_str!("../../../testdata/stellar/scenarios.json");
    let table = json::read(table.as_bytes()).unwrap();
    scenario::examine(table.get("base").unwrap())
        .scenario
        .unwrap()
}

/// A small galaxy, so that random play soon leads to battles.
fn small(change: impl FnOnce(&mut Scenario)) -> Scenario {
    let mut it = base();
    it.generation.system_count = 6;
    it.generation.radius = Ly::whole(18);
    it.generation.topology = Topology::Scattered;
    it.setup.territory_allocation = None;
    it.setup.starting_distribution = Distribution::Scattered;
    it.objectives.constraints.max_turns = Some(8);
    for fleet in &mut it.setup.initial_fleets {
        fleet.ships = vec![
            ShipKind::Destroyer,
            ShipKind::Fighter,
            ShipKind::TroopTransport,
        ];
    }
    change(&mut it);
    it
}

fn setups() -> Vec<Setup> {
    let duel = small(|_| {});
    let three = small(|it| {
        let mut green = it.setup.factions[0].clone();
        green.id = "green".into();
        green.ai_profile = Some(Profile::Defensive);
        it.setup.factions.push(green);
        let mut fleet = it.setup.initial_fleets[0].clone();
        fleet.owner_faction_id = "green".into();
        it.setup.initial_fleets.push(fleet);
        it.generation.system_count = 8;
        it.generation.radius = Ly::whole(60);
        it.rules.supply = false;
        it.objectives
            .victory
            .retain(|it| *it != Condition::Elimination);
    });
    let open = small(|it| {
        it.rules.fog_of_war = false;
        it.rules.unlimited_fuel = true;
        it.setup.initial_fleets[0].ships.push(ShipKind::Tanker);
        it.setup.initial_fleets[1].ships.push(ShipKind::Extractor);
    });
    let peaceful = small(|it| {
        it.rules.use_advanced_combat = false;
        it.objectives.victory.clear();
        it.objectives.constraints.max_turns = Some(5);
    });
    vec![
        Setup::new(duel, 1).unwrap(),
        Setup::with_survivors(three, 2, SeatSet::first(2)).unwrap(),
        Setup::new(open, 3).unwrap(),
        Setup::new(peaceful, 4).unwrap(),
    ]
}

#[test]
fn stellar_keeps_every_promise() {
    let suite = Suite::<Stellar> {
        setups: setups(),
        n_matches: 6,
        seed: 1,
        position_bytes_max: 320,
        secrets: Secrets::Some,
        memory: Memory::PerStep,
        count_allocations: |run| allocation_counter::measure(run).count_total,
    };
    suite.run();
}

#[test]
fn a_setup_round_trips_through_its_document() {
    for setup in setups() {
        let document = json::from_value(&setup).unwrap();
        assert_eq!(doc::parse::<Setup>(&document).unwrap(), setup);
    }
}

#[test]
fn a_shipped_scenario_can_be_named() {
    let document = Json::object([
        ("scenario", Json::Text("skirmish".into())),
        ("seed", Json::Int(0)),
    ]);
    assert_eq!(doc::parse::<Setup>(&document).unwrap(), Setup::default());
    let unknown = Json::object([("scenario", Json::Text("skirmich".into()))]);
    let faults = doc::parse::<Setup>(&unknown).unwrap_err();
    assert!(
        faults.to_string().contains("no shipped scenario"),
        "{faults}"
    );
}
