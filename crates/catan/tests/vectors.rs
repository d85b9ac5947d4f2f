//! The island and the dice, compared with independently made tables.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use std::path::PathBuf;

use catan::topology::{EDGE_ENDS, PORT_EDGES, TILE_VERTICES, TILES, VERTEX_NAMES, VERTEX_TILES};
use catan::{Catan, Setup};
use kernel::doc;
use kernel::json::{self, Json};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Draw, Game, GameExt, MatchId, Recorded, Source, Table, Turn};

#[expect(clippy::disallowed_methods, reason = "tests may read files")]
fn vectors(name: &str) -> Json {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/catan");
    json::read(&std::fs::read(path.join(name)).unwrap()).unwrap()
}

fn rows<'a>(document: &'a Json, key: &str) -> &'a [Json] {
    document.get(key).and_then(Json::as_list).unwrap()
}

fn ints(row: &Json, key: &str) -> Vec<i128> {
    let list = rows(row, key).iter();
    list.map(|it| it.as_int().unwrap()).collect()
}

fn wide<T: Copy + Into<i128>>(values: &[T]) -> Vec<i128> {
    values.iter().map(|&value| value.into()).collect()
}

#[test]
fn the_computed_island_matches_the_table() {
    let document = vectors("topology.json");
    let tables = Catan::start(&Setup::default());
    let snapshot = json::from_value(&tables.snapshot()).unwrap();
    for (idx, tile) in rows(&document, "tiles").iter().enumerate() {
        assert_eq!(ints(tile, "cube"), wide(&TILES[idx]));
        assert_eq!(
            ints(tile, "vertices_by_direction"),
            wide(&TILE_VERTICES[idx])
        );
        let own = &rows(snapshot.get("board").unwrap(), "tiles")[idx];
        for key in ["resource", "pip_number", "tile_id"] {
            assert_eq!(tile.get(key), own.get(key), "tile {idx}");
        }
    }
    for (idx, vertex) in rows(&document, "vertices").iter().enumerate() {
        assert_eq!(ints(vertex, "name"), wide(&VERTEX_NAMES[idx]));
        let tiles: Vec<u8> = VERTEX_TILES[idx]
            .into_iter()
            .filter(|&it| it < 19)
            .collect();
        assert_eq!(ints(vertex, "tiles"), wide(&tiles));
    }
    for (idx, edge) in rows(&document, "edges").iter().enumerate() {
        assert_eq!(ints(edge, "vertices"), wide(&EDGE_ENDS[idx]));
    }
    for (idx, port) in rows(&document, "ports").iter().enumerate() {
        let edge = port.get("edge_id").and_then(Json::as_int);
        assert_eq!(edge, Some(PORT_EDGES[idx].into()));
        let own = &rows(snapshot.get("board").unwrap(), "ports")[idx];
        assert_eq!(port.get("type"), own.get("type"), "port {idx}");
    }
    let sizes = ["tiles", "vertices", "edges", "ports"].map(|key| rows(&document, key).len());
    assert_eq!(sizes, [19, 54, 72, 9]);
}

/// The next rolls of a table at which nothing but dice is drawn.
fn throws(table: &mut Table<Catan>, n: usize) -> Vec<Json> {
    let mut dice = Vec::new();
    while dice.len() < n {
        let position = *table.position();
        let step = match position.turn() {
            Turn::Chance => {
                let draw = table.draw().unwrap();
                let said = position.encode_draw(draw);
                // A theft would draw too, but is written as a name, and this table has none.
                assert!(said.as_list().is_some(), "{said}");
                dice.push(said);
                // Every roll is applied as a double one, so that nobody is ever robbed.
                table.apply(kernel::Step::Chance(Draw(0)), &mut kernel::Discard)
            }
            turn => {
                let seat = turn.open().lowest().unwrap();
                let wanted = ["roll", "end"].map(|text| text.parse::<catan::Action>().unwrap());
                let legal = position.legal(seat);
                let action = wanted.into_iter().find(|it| legal.allows(it.id())).unwrap();
                table.apply(kernel::Step::Play(seat, action), &mut kernel::Discard)
            }
        };
        step.unwrap();
    }
    dice
}

fn game_id() -> MatchId {
    MatchId::draw(&mut Generator::from_seed(
        GeneratorKind::Pcg64,
        &Seed::from(1),
    ))
}

/// Deals and places the initial buildings.
fn opened(source: Source, deal: Option<&Json>) -> Table<Catan> {
    let mut table = Table::<Catan>::open(&Setup::default(), game_id(), source);
    if let Some(expected) = deal {
        let draw = table.draw().unwrap();
        assert_eq!(Some(draw.0.to_string().as_str()), expected.as_text());
    }
    table
        .apply(kernel::Step::Chance(Draw(1)), &mut kernel::Discard)
        .unwrap();
    while table.position().turn_number() == 0 {
        let position = *table.position();
        let seat = position.turn().open().lowest().unwrap();
        let id = position.legal(seat).iter().next().unwrap();
        let action = position.action(id).unwrap();
        table
            .apply(kernel::Step::Play(seat, action), &mut kernel::Discard)
            .unwrap();
    }
    table
}

#[test]
fn a_table_seeded_like_cpython_rolls_what_randint_would() {
    for vector in rows(&vectors("dice.json"), "matches") {
        let seed: Seed = vector
            .get("seed")
            .unwrap()
            .as_text()
            .unwrap()
            .parse()
            .unwrap();
        let generator = Generator::from_seed(GeneratorKind::PyRandom, &seed);
        let mut table = opened(Source::Open(generator), vector.get("deal"));
        let expected = rows(vector, "throws");
        assert_eq!(
            throws(&mut table, expected.len()),
            expected,
            "seed {seed:?}"
        );
    }
}

// Promise: A resumed match of Catan continues as it would have.
#[test]
fn a_snapshot_with_a_generator_from_cpython_or_numpy_continues_its_dice() {
    let mut kinds = Vec::new();
    for vector in rows(&vectors("dice.json"), "late") {
        let state = vector.get("rng_state").unwrap();
        kinds.push(state.get("type").unwrap().as_text().unwrap().to_owned());
        let source: Source = doc::parse(state).unwrap();
        let table = opened(source, None);
        let snapshot = json::from_value(&table.snapshot()).unwrap();
        let mut restored = Table::<Catan>::restore(&snapshot).unwrap();
        let expected = rows(vector, "throws");
        assert_eq!(throws(&mut restored, expected.len()), expected);
    }
    kinds.dedup();
    assert_eq!(kinds, ["py_random", "numpy", "pcg64"]);
}
