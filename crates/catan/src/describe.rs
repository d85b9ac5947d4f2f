//! The tables that `referee describe catan` prints.

use kernel::Describe;
use kernel::json::{self, Json};
use schemars::{Schema, schema_for};

use crate::action::first;
use crate::board::Board;
use crate::observe::METADATA;
use crate::snapshot::Snapshot;
use crate::topology::{EDGE_ENDS, N_TILES, PORT_EDGES, TILE_VERTICES, TILES, VERTEX_NAMES};
use crate::{
    Action, CITY_COST, Catan, DECK, DEV_COST, Dev, Hand, OFFER_CARDS_MAX, Phase, ROAD_COST,
    RawSetup, Resource, SETTLEMENT_COST, Setup,
};

impl Describe for Catan {
    const TITLE: &'static str = "Catan";
    const SUMMARY: &'static str = "Catan for two to 15 points: settle, build, trade and rob on \
         an island of 19 tiles.";

    fn tables(setup: &Setup) -> Json {
        let costs = [
            ("city", &CITY_COST),
            ("development", &DEV_COST),
            ("road", &ROAD_COST),
            ("settlement", &SETTLEMENT_COST),
        ];
        let edges = EDGE_ENDS.iter().map(|ends| ints(ends));
        let vertices = VERTEX_NAMES.iter().map(|name| ints(name));
        Json::object([
            ("action_types", action_types()),
            (
                "costs",
                Json::object(costs.map(|(name, cost)| (name, by_name(cost)))),
            ),
            ("dev_cards", devs()),
            ("edges", Json::List(edges.collect())),
            ("metadata", scales()),
            ("offer_cards_max", Json::Int(OFFER_CARDS_MAX.into())),
            ("phases", Json::texts(Phase::NAMES)),
            ("ports", ports()),
            (
                "setup",
                json::from_value(setup).expect("a setup holds no floats"),
            ),
            ("tiles", tiles()),
            ("vertices", Json::List(vertices.collect())),
        ])
    }

    fn setup_schema() -> Schema {
        schema_for!(RawSetup)
    }

    fn snapshot_schema() -> Schema {
        kernel::schema::of_read::<Snapshot>()
    }
}

/// The action types in order, each with its first id and its number of ids. Forced rolls have an
/// id for each result, and an offer of several cards has ids for the steps that compose it.
fn action_types() -> Json {
    let starts = [
        ("ROLL_DICE", first::ROLL_DICE),
        ("MOVE_ROBBER", first::MOVE_ROBBER),
        ("BUILD_ROAD", first::BUILD_ROAD),
        ("BUILD_SETTLEMENT", first::BUILD_SETTLEMENT),
        ("BUILD_CITY", first::BUILD_CITY),
        ("BUY_DEVELOPMENT", first::BUY_DEVELOPMENT),
        ("PLAY_KNIGHT", first::PLAY_KNIGHT),
        ("PLAY_PROGRESS", first::ROAD_BUILDING),
        ("TRADE_BANK", first::TRADE_BANK),
        ("TRADE_PORT", first::TRADE_PORT),
        ("TRADE_PLAYER", first::TRADE_PLAYER),
        ("END_TURN", first::END_TURN),
        ("SETUP_PLACE_SETTLEMENT", first::SETUP_SETTLEMENT),
        ("SETUP_PLACE_ROAD", first::SETUP_ROAD),
        ("DISCARD", first::DISCARD),
        ("TRADE_ACCEPT", first::ACCEPT),
        ("TRADE_DECLINE", first::DECLINE),
        ("ROLL_DICE", first::FORCE_DICE),
        ("TRADE_PLAYER", first::GIVE_CARD),
    ];
    let ends = starts.iter().skip(1).map(|(_, start)| *start);
    let rows = starts.iter().zip(ends.chain([Action::N]));
    let row = |(name, start): &(&str, usize), end: usize| {
        Json::object([
            ("first_id", Json::Int(*start as i128)),
            ("n", Json::Int((end - start) as i128)),
            ("type", Json::Text((*name).to_owned())),
        ])
    };
    Json::List(rows.map(|(start, end)| row(start, end)).collect())
}

fn tiles() -> Json {
    let board = Board::reference();
    let tile = |idx: usize| {
        let number = match board.numbers[idx] {
            0 => Json::Null,
            number => Json::Int(number.into()),
        };
        let terrain = board.terrain(idx).name();
        Json::object([
            ("cube", ints(&TILES[idx])),
            ("pip_number", number),
            ("resource", Json::Text(terrain.to_owned())),
            ("vertices_by_direction", ints(&TILE_VERTICES[idx])),
        ])
    };
    Json::List((0..N_TILES).map(tile).collect())
}

fn ports() -> Json {
    let board = Board::reference();
    let port = |(idx, edge): (usize, &u8)| {
        let kind = board.port(idx).name();
        Json::object([
            ("edge_id", Json::Int((*edge).into())),
            ("type", Json::Text(kind.to_owned())),
        ])
    };
    Json::List(PORT_EDGES.iter().enumerate().map(port).collect())
}

fn devs() -> Json {
    let rows = Dev::NAMES.iter().zip(DECK);
    Json::Object(
        rows.map(|(name, n)| ((*name).to_owned(), Json::Int(n.into())))
            .collect(),
    )
}

fn scales() -> Json {
    let rows = METADATA.iter().map(|(name, scale)| {
        Json::object([
            ("name", Json::Text((*name).to_owned())),
            ("scale", Json::Int((*scale).into())),
        ])
    });
    Json::List(rows.collect())
}

fn by_name(cards: &Hand) -> Json {
    let rows = Resource::NAMES.iter().zip(cards);
    Json::Object(
        rows.map(|(name, &n)| ((*name).to_owned(), Json::Int(n.into())))
            .collect(),
    )
}

fn ints<T: Copy + Into<i128>>(values: &[T]) -> Json {
    Json::List(
        values
            .iter()
            .map(|&value| Json::Int(value.into()))
            .collect(),
    )
}
