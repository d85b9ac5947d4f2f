//! The description of Stellar Fleet that `referee describe` prints.

use std::ops::RangeInclusive;

use kernel::Describe;
use kernel::json::{self, Json};
use schemars::{Schema, schema_for};

use crate::action::Space;
use crate::constants::{RETREAT_SHARES, ShipKind};
use crate::galaxy::System;
use crate::setup::{Setup, SetupDocument};
use crate::snapshot::Snapshot;
use crate::state::{Stellar, Verb};

impl Describe for Stellar {
    const TITLE: &'static str = "Stellar Fleet";
    const SEATS: RangeInclusive<u8> = 2..=8;
    const SUMMARY: &'static str = "Two to eight factions fight over a galaxy: sealed orders, \
         fleets, battles, invasions, and objectives set by the scenario.";

    fn tables(setup: &Setup) -> Json {
        let galaxy = setup.galaxy();
        let factions = &setup.scenario().setup.factions;
        Json::object([
            ("action_kinds", action_kinds(setup)),
            (
                "factions",
                Json::texts(factions.iter().map(|it| it.id.as_str())),
            ),
            (
                "retreat_shares",
                Json::List(RETREAT_SHARES.map(|it| Json::Int(it.into())).to_vec()),
            ),
            (
                "setup",
                json::from_value(setup).expect("a setup holds no floats"),
            ),
            ("ships", ships()),
            (
                "systems",
                Json::List(galaxy.systems().iter().map(system).collect()),
            ),
            ("verbs", Json::texts(Verb::NAMES)),
        ])
    }

    fn setup_schema() -> Schema {
        schema_for!(SetupDocument<'_>)
    }

    fn snapshot_schema() -> Schema {
        kernel::schema::of_read::<Snapshot>()
    }
}

/// The first id of each kind of step, and the number of ids.
fn action_kinds(setup: &Setup) -> Json {
    let mut first = 0;
    let kinds = Space::of(&setup.world()).kinds();
    let rows = kinds.map(|(kind, n)| {
        let row = Json::object([
            ("first_id", Json::Int(first)),
            ("kind", Json::Text(kind.to_owned())),
            ("n", Json::Int(n as i128)),
        ]);
        first += n as i128;
        row
    });
    Json::List(rows.to_vec())
}

fn system(system: &System) -> Json {
    let bodies = system.landable().map(|(_, body)| system.body_id(body));
    let bodies = bodies.map(Json::Text).collect();
    let at = [system.at.x, system.at.y, system.at.z];
    Json::object([
        ("at", Json::List(at.map(|it| Json::Int(it.into())).to_vec())),
        ("gas", Json::Bool(system.has_gas)),
        ("id", Json::Text(system.id.clone())),
        ("landable", Json::List(bodies)),
        ("name", Json::Text(system.name.clone())),
    ])
}

fn ships() -> Json {
    let int = |number: i64| Json::Int(number.into());
    let row = |kind: ShipKind| {
        let class = kind.class();
        Json::object([
            ("burn", int(class.burn)),
            ("defence", int(class.defence.into())),
            ("evasion", int(class.evasion.into())),
            ("gun", int(class.gun.into())),
            ("hull", int(class.hull.into())),
            ("interceptors", int(class.interceptors.into())),
            ("missiles", int(class.missiles.0.into())),
            ("name", Json::Text(kind.name().to_owned())),
            ("range", int(class.range_mly())),
            ("speed", int(class.speed_mly)),
            ("tank", int(class.tank)),
            ("torpedoes", int(class.torpedoes.0.into())),
        ])
    };
    Json::List(ShipKind::ALL.map(row).to_vec())
}
