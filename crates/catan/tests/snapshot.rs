//! Snapshots are refused with all reasons, read from older formats, and valid by their schema.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use catan::topology::{EDGE_ENDS, TILE_VERTICES};
use catan::{Catan, Setup};
use kernel::json::{self, Json};
use kernel::record::{Line, Reader, Replay, split_lines};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Game, GameExt, MatchId, Seat, Source, Step, Table, Turn, schema};

/// A table after this many random steps of a match.
fn table(seed: u64, n_steps: usize) -> Table<Catan> {
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
    let game_id = MatchId::draw(&mut rng);
    let mut at = Catan::start(&Setup::default());
    for _ in 0..n_steps {
        at.apply_trusted(next(&at, &mut rng), &mut kernel::Discard);
    }
    while at.phase().name() != "ACTION" || at.turn() == Turn::Chance {
        at.apply_trusted(next(&at, &mut rng), &mut kernel::Discard);
    }
    Table::at(at, game_id, Source::Open(rng))
}

fn next(at: &Catan, rng: &mut Generator) -> Step<catan::Action> {
    match at.turn().open().lowest() {
        None => Step::Chance(at.odds().draw(rng)),
        Some(seat) => {
            let id = at.legal(seat).sample(rng).unwrap();
            Step::Play(seat, at.action(id).unwrap())
        }
    }
}

fn document(table: &Table<Catan>) -> Json {
    json::from_value(&table.snapshot()).unwrap()
}

fn at<'a>(document: &'a mut Json, path: &str) -> &'a mut Json {
    path.split('/').fold(document, |value, key| match value {
        Json::Object(fields) => fields.get_mut(key).unwrap(),
        Json::List(items) => &mut items[key.parse::<usize>().unwrap()],
        _ => panic!("{path}"),
    })
}

/// Changes a document and lists the places that are reported as faults.
fn refused(change: impl FnOnce(&mut Json)) -> Vec<String> {
    let mut document = document(&table(3, 120));
    change(&mut document);
    let faults = Table::<Catan>::restore(&document).unwrap_err();
    faults.iter().map(|fault| fault.pointer.clone()).collect()
}

#[test]
fn two_robbers_are_refused() {
    let places = refused(|document| {
        for tile in 0..19 {
            *at(document, &format!("board/tiles/{tile}/has_robber")) = Json::Bool(tile < 2);
        }
    });
    assert_eq!(places, ["/board/tiles/1/has_robber"]);
}

#[test]
fn wrong_counts_points_and_phases_are_all_named() {
    let places = refused(|document| {
        *at(document, "bank/resources/ORE") = Json::Int(0);
        *at(document, "players/0/victory_points") = Json::Int(9);
        *at(document, "players/1/hidden_victory_points") = Json::Int(3);
        *at(document, "turn/phase") = Json::Text("ROAD_BUILDING".to_owned());
        *at(document, "winner") = Json::Int(1);
    });
    for place in [
        "/bank/resources/ORE",
        "/players/0/victory_points",
        "/players/1/hidden_victory_points",
        "/turn/phase",
        "/turn/free_roads",
        "/winner",
    ] {
        assert!(places.iter().any(|it| it == place), "{place}: {places:?}");
    }
}

#[test]
fn unknown_ids_duplicates_and_floating_roads_are_refused() {
    let places = refused(|document| {
        *at(document, "players/0/roads") = Json::List(vec![Json::Int(72)]);
        *at(document, "players/1/settlements") = Json::List(vec![Json::Int(3), Json::Int(3)]);
    });
    assert_eq!(places, ["/players/0/roads/0", "/players/1/settlements"]);
    let floating = refused(|document| {
        if let Json::List(roads) = at(document, "players/0/roads") {
            let has = |id: i128, roads: &[Json]| roads.contains(&Json::Int(id));
            // Coast edges far apart: at least one is not connected to anything.
            for id in [7, 30, 53, 69] {
                if !has(id, roads) {
                    roads.push(Json::Int(id));
                }
            }
            roads.sort_by_key(Json::as_int);
        }
    });
    assert!(
        floating.contains(&"/players/0/roads".to_owned()),
        "{floating:?}"
    );
}

/// A document with only the fields of version 0.1.0.
fn older(mut document: Json) -> Json {
    let added = [
        "longest_road_owner",
        "largest_army_owner",
        "outcome",
        "pending_chance",
        "pending_discards",
        "pending_trade",
        "winner",
    ];
    if let Json::Object(fields) = &mut document {
        fields.retain(|key, _| !added.contains(&key.as_str()));
        fields.insert("schema_version".to_owned(), Json::Text("0.1.0".to_owned()));
    }
    let added = [
        "dev_card_played",
        "free_roads",
        "offers_made",
        "rolled",
        "setup",
    ];
    if let Json::Object(fields) = at(&mut document, "turn") {
        fields.retain(|key, _| !added.contains(&key.as_str()));
    }
    if let Json::Object(fields) = at(&mut document, "variant") {
        fields.retain(|key, _| ["discard_threshold", "vp_to_win"].contains(&key.as_str()));
    }
    document
}

/// True if the phase itself shows that a card was played in this turn.
fn played_now(document: &mut Json, phase: &str) -> bool {
    let by_seven = *at(document, "turn/dice/robber_triggered") == Json::Bool(true);
    phase == "ROAD_BUILDING" || (phase == "MOVE_ROBBER" && !by_seven)
}

/// The fields that a 0.1.0 document of this table leaves open, derived from the full document.
fn open_questions(document: &mut Json) -> Vec<&'static str> {
    let int = |document: &mut Json, path: &str| at(document, path).as_int().unwrap();
    let mover = int(document, "turn/current_player");
    let phase = at(document, "turn/phase").as_text().unwrap().to_owned();
    let mut count = |key: &str, kinds: &[&str]| -> i128 {
        let path = |kind: &&str| format!("players/{mover}/{key}/{kind}");
        kinds.iter().map(|kind| int(document, &path(kind))).sum()
    };
    let playable = ["KNIGHT", "ROAD_BUILDING", "YEAR_OF_PLENTY", "MONOPOLY"];
    let (played, held) = (
        count("played_dev_cards", &playable),
        count("dev_cards", &playable),
    );
    let bought = count("new_dev_cards", &playable) + count("new_dev_cards", &["VICTORY_POINT"]);
    let by_card = played_now(document, &phase);
    let over = phase == "GAME_OVER";
    let mut open = Vec::new();
    let mut tied = |key: &str| {
        let of = |seat: u8| format!("players/{seat}/{key}");
        at(document, &of(0)).clone() == *at(document, &of(1))
    };
    let tied = tied("longest_road_len") && tied("largest_army_size");
    let road_owner = at(document, "longest_road_owner").as_int();
    let army_owner = at(document, "largest_army_owner").as_int();
    if tied
        && road_owner
            .zip(army_owner)
            .is_some_and(|(road, army)| road != army)
    {
        open.push("/longest_road_owner");
    }
    if !by_card && !over && played > 0 && held > 0 {
        open.push("/turn/dev_card_played");
    }
    if by_card && bought == 0 && int(document, "turn/number") > 1 {
        open.push("/turn/rolled");
    }
    let Json::List(roads) = at(document, &format!("players/{mover}/roads")) else {
        panic!("roads are a list");
    };
    if phase == "ROAD_BUILDING" && roads.len() < 14 {
        open.push("/turn/free_roads");
    }
    let mut cards = |seat: u8| -> i128 {
        let Json::Object(cards) = at(document, &format!("players/{seat}/resources")) else {
            panic!("resources are an object");
        };
        cards.values().filter_map(Json::as_int).sum()
    };
    if phase == "DISCARD" && cards(0) > 9 && cards(1) > 9 {
        open.push("/pending_discards");
    }
    if phase == "TRADE_RESPONSE" {
        open.push("/pending_trade");
    }
    open
}

/// The assumptions of a 0.1.0 reader: no offer was made yet in this turn, and no card was played
/// if no decision depends on it anymore.
fn with_defaults(mut document: Json, restored: &mut Json) -> Json {
    *at(&mut document, "turn/offers_made") = Json::Int(0);
    let phase = at(&mut document, "turn/phase")
        .as_text()
        .unwrap()
        .to_owned();
    if !played_now(&mut document, &phase) {
        *at(&mut document, "turn/dev_card_played") = Json::Bool(false);
    }
    if phase == "GAME_OVER" {
        *at(&mut document, "turn/rolled") = at(restored, "turn/rolled").clone();
    }
    document
}

#[test]
fn a_document_of_the_first_version_is_read_wherever_its_fields_determine_the_rest() {
    let (mut n_read, mut n_refused) = (0, 0);
    for (seed, board) in (0..6).zip(["reference", "random"].into_iter().cycle()) {
        let setup = json::read(format!("{{\"board\": \"{board}\"}}").as_bytes()).unwrap();
        let setup: Setup = kernel::doc::parse(&setup).unwrap();
        let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
        let game_id = MatchId::draw(&mut rng);
        let mut position = Catan::start(&setup);
        while position.outcome().is_none() {
            position.apply_trusted(next(&position, &mut rng), &mut kernel::Discard);
            // A 0.1.0 document describes a position between two actions.
            let midway = Seat::first(2).any(|seat| position.line_open_for(seat))
                && ["DISCARD", "TRADE_OFFER"].contains(&position.phase().name());
            if position.turn() == Turn::Chance || midway {
                continue;
            }
            let table = Table::at(position, game_id, Source::Open(rng.clone()));
            let mut whole = document(&table);
            let open = open_questions(&mut whole);
            match Table::<Catan>::restore(&older(whole.clone())) {
                Ok(restored) => {
                    assert!(open.is_empty(), "{open:?} were guessed");
                    let mut restored = document(&restored);
                    assert_eq!(restored.clone(), with_defaults(whole, &mut restored));
                    n_read += 1;
                }
                Err(faults) => {
                    let places: Vec<&str> = faults.iter().map(|it| it.pointer.as_str()).collect();
                    assert_eq!(places, open, "{faults}");
                    n_refused += 1;
                }
            }
        }
    }
    assert!(n_read > 5_000 && n_refused > 1_000, "{n_read} {n_refused}");
}

/// Two settlements and five roads around a tile.
fn ring(tile: usize) -> (Json, Json) {
    let corners = TILE_VERTICES[tile];
    let edge = |pair: &[u8]| {
        let ends = [pair[0].min(pair[1]), pair[0].max(pair[1])];
        EDGE_ENDS.iter().position(|it| *it == ends).unwrap() as i128
    };
    let list = |mut ids: Vec<i128>| {
        ids.sort_unstable();
        Json::List(ids.into_iter().map(Json::Int).collect())
    };
    let settlements = vec![i128::from(corners[0]), i128::from(corners[2])];
    (
        list(settlements),
        list(corners.windows(2).map(edge).collect()),
    )
}

#[test]
fn points_decide_which_of_two_equal_roads_has_the_title() {
    let mut tied = document(&table(3, 20));
    for (seat, tile, points) in [(0, 7, 2), (1, 13, 4)] {
        let (settlements, roads) = ring(tile);
        for (key, value) in [
            ("cities", Json::List(Vec::new())),
            ("longest_road_len", Json::Int(5)),
            ("roads", roads),
            ("settlements", settlements),
            ("victory_points", Json::Int(points)),
        ] {
            *at(&mut tied, &format!("players/{seat}/{key}")) = value;
        }
    }
    let restored = Table::<Catan>::restore(&older(tied)).unwrap();
    let owner = at(&mut document(&restored), "longest_road_owner").clone();
    assert_eq!(owner, Json::Int(1));
}

/// The errors that an independent validator finds in a table's snapshot.
fn schema_errors(validator: &jsonschema::Validator, table: &Table<Catan>) -> Vec<String> {
    let mut bytes = Vec::new();
    table.write_snapshot(&mut bytes);
    let snapshot: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let errors = validator.iter_errors(&snapshot);
    errors
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect()
}

fn validator() -> jsonschema::Validator {
    let schema = serde_json::to_value(schema::snapshot_schema::<Catan>()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

// Promise: Every snapshot of Catan is valid by its schema.
#[test]
fn every_snapshot_of_random_matches_is_valid_by_the_schema() {
    let validator = validator();
    let setups = [
        r#"{"max_turns": 40}"#,
        r#"{"vp_to_win": 4, "discard_threshold": 3}"#,
        r#"{"board": "random", "dice": "bag36", "friendly_robber": true, "max_turns": 40,
            "discard_rule": "to_threshold", "discard_threshold": 4}"#,
    ];
    for (seed, text) in (0u64..).zip(setups) {
        let setup: Setup = kernel::doc::parse(&json::read(text.as_bytes()).unwrap()).unwrap();
        for kind in GeneratorKind::ALL {
            let mut rng = Generator::from_seed(kind, &Seed::from(seed));
            let game_id = MatchId::draw(&mut rng);
            let mut position = Catan::start(&setup);
            loop {
                let table = Table::at(position, game_id, Source::Open(rng.clone()));
                assert_eq!(schema_errors(&validator, &table), Vec::<String>::new());
                if position.outcome().is_some() {
                    break;
                }
                position.apply_trusted(next(&position, &mut rng), &mut kernel::Discard);
            }
        }
    }
}

#[test]
fn every_snapshot_of_the_golden_records_is_valid_by_the_schema() {
    let validator = validator();
    let folder = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/catan");
    let mut n_snapshots = 0;
    for name in ["deadlines", "five-points", "joint", "turn-cap", "variants"] {
        #[expect(clippy::disallowed_methods, reason = "tests may read files")]
        let record = std::fs::read(folder.join(format!("{name}.jsonl"))).unwrap();
        let mut reader = Reader::new();
        let mut replay = None;
        for line in split_lines(&record).0 {
            let line = reader.push(line).unwrap();
            match (line, &mut replay) {
                (Line::Header(header), _) => {
                    replay = Some(Replay::<Catan>::begin(&header).unwrap());
                }
                (Line::Action(line), Some(replay)) => {
                    replay.advance(&line, reader.n_lines()).unwrap();
                }
                _ => continue,
            }
            let table = replay.as_ref().unwrap().table();
            assert_eq!(schema_errors(&validator, table), Vec::<String>::new());
            n_snapshots += 1;
        }
    }
    assert!(n_snapshots > 200, "{n_snapshots}");
}

#[test]
fn the_schema_refuses_what_the_format_does_not_have() {
    let validator = validator();
    let sound = document(&table(3, 120));
    let refused = |change: &dyn Fn(&mut Json)| {
        let mut document = sound.clone();
        change(&mut document);
        let value: serde_json::Value = serde_json::from_str(&document.to_string()).unwrap();
        !validator.is_valid(&value)
    };
    assert!(!refused(&|_| {}));
    assert!(refused(
        &|it| *at(it, "turn/phase") = Json::Text("LATER".to_owned())
    ));
    assert!(refused(
        &|it| *at(it, "board/tiles/3/resource") = Json::Text("GOLD".to_owned())
    ));
    assert!(refused(&|it| *at(it, "players/0/player_id") = Json::Int(2)));
    assert!(refused(
        &|it| *at(it, "variant/vp_to_win") = Json::Text("15".to_owned())
    ));
    assert!(refused(&|it| *at(it, "bank/dev_deck") = Json::Null));
}
