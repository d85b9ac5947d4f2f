//! Offers of several cards in records and documents.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

use catan::{Action, Catan, OFFER_CARDS_MAX, Setup};
use kernel::doc::{Faults, Node};
use kernel::json::{self, Json};
use kernel::record::{Origin, Recorder, verify};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Game, GameExt, MatchId, Recorded, Seat, Step, Table, Timestamp, Turn};

fn words(text: &str) -> Vec<Action> {
    text.split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect()
}

fn read(position: &Catan, payload: &str) -> Result<Vec<Action>, Faults> {
    let payload = json::read(payload.as_bytes()).unwrap();
    let mut faults = Faults::default();
    let actions = position.decode("TRADE_PLAYER", &Node::root(&payload), &mut faults);
    faults.into_result(actions)
}

#[test]
fn an_entry_holds_the_whole_offer() {
    let start = Catan::start(&Setup::default());
    let pairs = [
        (
            r#"{"offer": {"BRICK": 1}, "partner": 1, "request": {"ORE": 1}}"#,
            "offer:BRICK>ORE",
        ),
        (
            r#"{"offer": {"BRICK": 2, "WOOL": 1}, "partner": 1, "request": {"ORE": 2}}"#,
            "give:BRICK give:BRICK give:WOOL ask:ORE ask:ORE send",
        ),
        (
            r#"{"offer": {"ORE": 1}, "partner": 1, "request": {"GRAIN": 1, "LUMBER": 1}}"#,
            "give:ORE ask:LUMBER ask:GRAIN send",
        ),
        (
            r#"{"offer": {"ORE": 1}, "partner": 1, "request": {"GRAIN": 1}, "sent": false}"#,
            "give:ORE ask:GRAIN",
        ),
        (
            r#"{"offer": {"ORE": 1}, "partner": 1, "request": {}, "sent": false}"#,
            "give:ORE",
        ),
    ];
    for (payload, text) in pairs {
        let actions = words(text);
        assert_eq!(read(&start, payload).unwrap(), actions, "{payload}");
        let entry = start.encode(&actions);
        assert_eq!(entry.payload.to_string(), payload);
        assert_eq!(entry.kind, "TRADE_PLAYER");
    }
    let said = r#"{"offer": {"ORE": 1}, "partner": 1, "request": {"WOOL": 2}, "sent": true}"#;
    let actions = words("give:ORE ask:WOOL ask:WOOL send");
    assert_eq!(read(&start, said).unwrap(), actions);
}

#[test]
fn a_bad_entry_is_refused_with_all_its_faults() {
    let start = Catan::start(&Setup::default());
    let cases: [(&str, &[(&str, &str)]); 5] = [
        (
            r#"{"offer": {"BRICK": 6, "ORE": 1}, "partner": 0, "request": {"ORE": 3, "WOOL": 3}, "why": 1}"#,
            &[
                ("/why", "unknown_field"),
                ("/partner", "out_of_range"),
                ("/request/ORE", "same_resource"),
                ("/offer", "too_many_cards"),
                ("/request", "too_many_cards"),
            ],
        ),
        (
            r#"{"offer": {}, "partner": 1, "request": {}}"#,
            &[("/offer", "wrong_lot"), ("/request", "wrong_lot")],
        ),
        (
            r#"{"offer": {"GOLD": 1, "WOOL": 0}, "partner": 1, "request": {"ORE": "1"}}"#,
            &[
                ("/offer/GOLD", "unknown_field"),
                ("/offer/WOOL", "out_of_range"),
                ("/request/ORE", "wrong_type"),
            ],
        ),
        (
            r#"{"offer": {}, "partner": 1, "request": {"ORE": 1}, "sent": false}"#,
            &[("/offer", "wrong_lot")],
        ),
        (
            r#"{"partner": 1, "sent": 0}"#,
            &[
                ("/offer", "missing"),
                ("/request", "missing"),
                ("/sent", "wrong_type"),
            ],
        ),
    ];
    for (payload, expected) in cases {
        let faults = read(&start, payload).unwrap_err();
        let found = faults.iter().map(|it| (it.pointer.as_str(), it.code));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{faults}");
    }
}

fn next(position: &Catan, rng: &mut Generator) -> Step<Action> {
    match position.turn() {
        Turn::Chance => Step::Chance(position.odds().draw(rng)),
        turn => {
            let seat = turn.open().lowest().unwrap();
            let id = position.legal(seat).sample(rng).unwrap();
            Step::Play(seat, position.action(id).unwrap())
        }
    }
}

/// Positions of random matches in which an offer is being composed or awaits an answer.
fn offers(n: usize) -> Vec<Catan> {
    let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(6));
    let mut found = Vec::new();
    let mut at = Catan::start(&Setup::default());
    while found.len() < n {
        if at.outcome().is_some() {
            at = Catan::start(&Setup::default());
        }
        let step = next(&at, &mut rng);
        at.apply_trusted(step, &mut kernel::Discard);
        if ["TRADE_OFFER", "TRADE_RESPONSE"].contains(&at.phase().name()) {
            found.push(at);
        }
    }
    found
}

fn restored(document: &Json) -> Result<Catan, Faults> {
    let mut faults = Faults::default();
    let position = Catan::restore(&Node::root(document), &mut faults);
    faults.into_result(position)
}

#[test]
fn a_snapshot_keeps_an_offer_in_every_state_of_its_composition() {
    let (mut n_composed, mut n_waiting) = (0, 0);
    for position in offers(2_000) {
        let document = json::from_value(&position.snapshot()).unwrap();
        assert_eq!(restored(&document).unwrap(), position);
        let view = position.view(kernel::Viewer::Public).pending_trade.unwrap();
        let shown = json::from_value(&view).unwrap();
        for key in ["offer", "request"] {
            let kept = document.pointer(&format!("/pending_trade/{key}"));
            assert_eq!(shown.get(key), kept);
        }
        let composed = position.phase().name() == "TRADE_OFFER";
        n_composed += usize::from(composed);
        n_waiting += usize::from(!composed);
    }
    assert!(
        n_composed > 300 && n_waiting > 300,
        "{n_composed} {n_waiting}"
    );
}

#[test]
fn a_snapshot_with_an_impossible_offer_is_refused() {
    let composed = |it: &&Catan| it.phase().name() == "TRADE_OFFER";
    let position = *offers(200).iter().find(composed).unwrap();
    let whole = json::from_value(&position.snapshot()).unwrap();
    let spoilt = |pointer: &str, value: Json| {
        let mut document = whole.clone();
        let mut at = &mut document;
        for key in pointer.split('/') {
            let Json::Object(fields) = at else {
                panic!("{pointer}")
            };
            at = fields.get_mut(key).unwrap();
        }
        *at = value;
        let faults = restored(&document).unwrap_err();
        faults.iter().map(|it| it.code).collect::<Vec<_>>()
    };
    let many = Json::Int(i128::from(OFFER_CARDS_MAX) + 1);
    let found = spoilt("pending_trade/offer/BRICK", many);
    assert!(found.contains(&"too_many_cards"), "{found:?}");
    assert!(!spoilt("turn/offers_made", Json::Int(3)).is_empty());
    assert!(!spoilt("pending_trade", Json::Null).is_empty());
    assert!(!spoilt("turn/phase", Json::Text("ACTION".to_owned())).is_empty());
    assert!(!spoilt("turn/phase", Json::Text("TRADE_RESPONSE".to_owned())).is_empty());
}

#[test]
fn a_record_of_an_offer_cut_short_by_a_deadline_or_a_departure_verifies() {
    for cut in 0..2 {
        let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(9));
        let game_id = MatchId::draw(&mut rng);
        let origin = Origin::Open(rng.clone());
        let setup = Setup::default();
        let mut at = Timestamp::SIMULATED;
        let mut recorder = Recorder::<Catan>::begin(&setup, game_id, origin, &["a", "b"], at);
        let mut n_cut = 0;
        while n_cut < 3 && recorder.table().position().outcome().is_none() {
            at = at.plus_ms(1000);
            let position = *recorder.table().position();
            let step = match position.phase().name() {
                "TRADE_OFFER" if rng.below(2) == 0 => {
                    n_cut += 1;
                    match cut {
                        0 => Step::Deadline,
                        _ => Step::Leave(
                            kernel::SeatSet::only(Seat::FIRST),
                            kernel::Departure::Resign,
                        ),
                    }
                }
                _ => next(&position, &mut rng),
            };
            recorder.apply(step, at).unwrap();
        }
        let record = recorder.finish();
        let text = String::from_utf8_lossy(&record).into_owned();
        assert!(text.contains(r#""sent": false"#));
        verify::<Catan>(&record).unwrap();
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "tests may read files")]
fn records_of_rules_1_1_0_verify() {
    for name in ["turn-cap", "variants"] {
        let folder = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../testdata/catan/rules-1.1.0"
        );
        let record = std::fs::read(format!("{folder}/{name}.jsonl")).unwrap();
        let text = String::from_utf8_lossy(&record).into_owned();
        assert!(text.contains(r#""rules_version": "1.1.0""#));
        assert!(text.contains(r#""type": "TRADE_PLAYER""#));
        verify::<Catan>(&record).unwrap();
    }
}

#[test]
fn a_table_in_the_middle_of_an_offer_resumes_from_its_snapshot() {
    let composed = |it: &&Catan| it.phase().name() == "TRADE_OFFER";
    let position = *offers(200).iter().find(composed).unwrap();
    let rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(1));
    let game_id = MatchId::draw(&mut rng.clone());
    let table = Table::at(position, game_id, kernel::Source::Open(rng));
    let document = json::from_value(&table.snapshot()).unwrap();
    let again = Table::<Catan>::restore(&document).unwrap();
    assert_eq!(again.state_hash(), table.state_hash());
}
