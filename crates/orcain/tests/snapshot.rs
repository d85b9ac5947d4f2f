//! Damaged snapshots are refused with all their faults, and the schemas agree.

#![allow(clippy::unwrap_used, reason = "a refusal here fails the test")]

mod script;

use jsonschema::Validator;
use kernel::json::{self, Json};
use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Describe, Game, GameExt, MatchId, Recorded, Source, Table};
use orcain::{Orcain, Setup};

/// Takes the snapshot after a script, changes it at each pointer (an empty text removes the value)
/// and compares the faults, `pointer code` each.
#[track_caller]
fn check(script: &str, edits: &[(&str, &str)], expected: &[&str]) {
    let mut document = document(script);
    for (pointer, text) in edits {
        edit(&mut document, pointer, text);
    }
    assert_eq!(faults(&document), expected, "{edits:?} after {script:?}");
}

fn faults(document: &Json) -> Vec<String> {
    match Table::<Orcain>::restore(document) {
        Ok(_) => Vec::new(),
        Err(faults) => {
            let line = |fault: &kernel::doc::Fault| format!("{} {}", fault.pointer, fault.code);
            faults.iter().map(line).collect()
        }
    }
}

fn position(script: &str) -> Orcain {
    let mut position = Orcain::start(&Setup::default());
    script::play(&mut position, script);
    position
}

fn document(script: &str) -> Json {
    let generator = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(1));
    let game_id = MatchId::from_random_bytes([7; 16]);
    let table = Table::at(position(script), game_id, Source::Open(generator));
    json::from_value(&table.snapshot()).unwrap()
}

fn edit(document: &mut Json, pointer: &str, text: &str) {
    let (holder, key) = pointer.rsplit_once('/').unwrap();
    let steps = holder.split('/').skip(1);
    let holder = steps.fold(document, |place, step| match place {
        Json::Object(entries) => entries.get_mut(step).unwrap(),
        Json::List(items) => &mut items[step.parse::<usize>().unwrap()],
        _ => panic!("{pointer} leads nowhere"),
    });
    let value = (!text.is_empty()).then(|| json::read(text.as_bytes()).unwrap());
    match (holder, value) {
        (Json::Object(entries), Some(value)) => {
            entries.insert(key.to_owned(), value);
        }
        (Json::Object(entries), None) => {
            entries.remove(key).unwrap();
        }
        (Json::List(items), Some(value)) => items[key.parse::<usize>().unwrap()] = value,
        (Json::List(items), None) => {
            items.remove(key.parse().unwrap());
        }
        _ => panic!("{pointer} leads nowhere"),
    }
}

/// Round 2, 10-8; seat 0 has drafted `AD-`, seat 1 has confirmed `CHD`.
const PREP: &str = "round A -; 0 draft:AD; 1 confirm:CHD";
/// Round 1, two steps revealed, 8-8; `ADH` confirmed against `-A-` drafted.
const REVEAL: &str = "0 confirm:ADH; 1 draft:-A; deadline; tick*2";
/// Lost by timeout in round 2 by seat 0.
const TIMEOUT: &str = "round . D; round . D";
/// Won by hit points in round 3 by seat 0.
const WON: &str = "round A -; round D D; round D D";
/// Sudden death, round 4.
const SUDDEN: &str = "round D D; round D D; round D D";

const SCRIPTS: [&str; 16] = [
    "",
    "0 draft:-",
    PREP,
    "0 confirm:ADH; 1 draft:-; deadline",
    "round . D; 0 draft:A; deadline; tick",
    REVEAL,
    "0 confirm:ADH; 1 confirm:CHD; tick*3",
    "round . .",
    SUDDEN,
    TIMEOUT,
    "round . .; round . .",
    WON,
    "0 draft:A; disconnect 0",
    "0 confirm:ADH; 1 confirm:CHD; tick; resign 1",
    "disconnect 0 1",
    "cancel 0",
];

const DRAW: &str = r#"{"reason": "normal", "result": "draw", "truncated": false, "winners": []}"#;
const WIN_0: &str = r#"{"reason": "normal", "result": "win", "truncated": false, "winners": [0]}"#;
const WIN_1: &str = r#"{"reason": "normal", "result": "win", "truncated": false, "winners": [1]}"#;
const TIMEOUT_1: &str =
    r#"{"reason": "timeout", "result": "win", "truncated": false, "winners": [1]}"#;
const CAP: &str = r#"{"reason": "round_cap", "result": "draw", "truncated": true, "winners": []}"#;
const LEFT_0: &str =
    r#"{"reason": "disconnect", "result": "win", "truncated": false, "winners": [1]}"#;

#[test]
fn an_unchanged_snapshot_is_restored() {
    for script in SCRIPTS {
        check(script, &[], &[]);
        let restored = Table::<Orcain>::restore(&document(script)).unwrap();
        assert_eq!(*restored.position(), position(script), "{script}");
    }
}

#[test]
fn a_field_of_the_wrong_kind_is_refused_with_its_place() {
    for (pointer, text) in [
        ("/outcome", "7"),
        ("/players", "{}"),
        ("/players/0", "[]"),
        ("/players/0/afk_streak", "\"0\""),
        ("/players/0/hp", "true"),
        ("/players/0/hp", "1.5"),
        ("/players/1/layout", "null"),
        ("/players/1/layout/2", "4"),
        ("/players/1/n_drafts", "null"),
        ("/players/1/player_id", "\"1\""),
        ("/players/0/round_hp", "[]"),
        ("/players/0/status", "0"),
        ("/turn", "null"),
        ("/turn/n_shown", "false"),
        ("/turn/number", "\"one\""),
        ("/turn/phase", "1"),
        ("/turn/sealed", "0"),
        ("/turn/sudden_death", "null"),
        ("/variant", "[]"),
        ("/variant/max_hp", "\"ten\""),
        ("/variant/hands", "null"),
        ("/variant/hands/1", "\"attack\""),
        ("/variant/hands/1/3", "0"),
    ] {
        let code = match (pointer, text) {
            ("/outcome", _) => "unknown_value",
            (_, "1.5") => "not_an_integer",
            _ => "wrong_type",
        };
        check(PREP, &[(pointer, text)], &[&format!("{pointer} {code}")]);
    }
}

#[test]
fn a_missing_field_is_reported() {
    for pointer in [
        "/players",
        "/players/0/afk_streak",
        "/players/0/hp",
        "/players/0/layout",
        "/players/0/n_drafts",
        "/players/1/player_id",
        "/players/1/round_hp",
        "/players/1/status",
        "/turn",
        "/turn/n_shown",
        "/turn/number",
        "/turn/phase",
        "/turn/sealed",
        "/turn/sudden_death",
        "/game_id",
        "/rng_state",
        "/schema_version",
        "/variant",
        "/outcome",
    ] {
        check(PREP, &[(pointer, "")], &[&format!("{pointer} missing")]);
    }
}

#[test]
fn an_unknown_field_is_reported() {
    for pointer in [
        "/speed",
        "/players/1/mana",
        "/turn/deadline",
        "/variant/speed",
    ] {
        check(
            REVEAL,
            &[(pointer, "1")],
            &[&format!("{pointer} unknown_field")],
        );
    }
}

#[test]
fn a_value_out_of_range_is_refused_with_its_place() {
    for (pointer, text, code) in [
        ("/players", "[]", "wrong_length"),
        ("/players/0/afk_streak", "3", "out_of_range"),
        ("/players/0/hp", "11", "out_of_range"),
        ("/players/0/hp", "-1", "out_of_range"),
        ("/players/0/hp", "256", "out_of_range"),
        ("/players/0/hp", "18446744073709551615", "out_of_range"),
        ("/players/0/layout", "[null, null]", "wrong_length"),
        ("/players/0/layout/0", "\"grass\"", "unknown_value"),
        ("/players/0/layout/0", "\"GRASS\"", "unknown_value"),
        ("/players/0/layout/0", "\"ATTACK\"", "unknown_value"),
        ("/players/0/n_drafts", "241", "out_of_range"),
        ("/players/0/player_id", "1", "out_of_range"),
        ("/players/1/player_id", "0", "out_of_range"),
        ("/players/0/round_hp", "0", "out_of_range"),
        ("/players/0/status", "\"asleep\"", "unknown_value"),
        ("/turn/n_shown", "4", "out_of_range"),
        ("/turn/number", "0", "out_of_range"),
        ("/turn/number", "31", "out_of_range"),
        ("/turn/phase", "\"PLAY\"", "unknown_value"),
        ("/variant/drafts_max", "0", "out_of_range"),
        ("/variant/round_cap", "251", "out_of_range"),
        ("/variant/round_cap", "2", "below_limit"),
        ("/variant/round_limit", "31", "out_of_range"),
        ("/variant/start_hp", "11", "above_maximum"),
        ("/variant/hands/0", "[\"attack\"]", "wrong_length"),
        ("/variant/hands/0/0", "\"grass\"", "unknown_value"),
        ("/outcome", "{}", "unknown_value"),
    ] {
        let pointer_told = match (pointer, code) {
            // A limit of 31 is in range by itself, but above the cap of 30.
            ("/variant/round_limit", _) => "/variant/round_cap below_limit".to_owned(),
            _ => format!("{pointer} {code}"),
        };
        check(PREP, &[(pointer, text)], &[&pointer_told]);
    }
}

#[test]
fn an_outcome_that_orcain_cannot_have_is_refused() {
    for edits in [
        ("/outcome/reason", "\"round_cap\""),
        ("/outcome/reason", "\"stalemate\""),
        ("/outcome/result", "\"draw\""),
        ("/outcome/truncated", "true"),
        ("/outcome/winners", "[]"),
        ("/outcome/winners", "[0, 1]"),
        ("/outcome/winners", "[2]"),
        ("/outcome/winners", ""),
        ("/outcome/note", "1"),
    ] {
        check(WON, &[edits], &["/outcome unknown_value"]);
    }
}

#[test]
fn hit_points_must_follow_from_the_cards() {
    check(
        REVEAL,
        &[("/players/0/hp", "9")],
        &["/players/0/hp contradiction"],
    );
    check(
        PREP,
        &[("/players/1/hp", "7")],
        &["/players/1/hp contradiction"],
    );
    check(
        REVEAL,
        &[("/players/0/round_hp", "9")],
        &[
            "/players/0/hp contradiction",
            "/players/0/round_hp contradiction",
        ],
    );
}

#[test]
fn the_first_round_begins_at_the_start() {
    check(
        "",
        &[("/players/0/round_hp", "9"), ("/players/0/hp", "9")],
        &["/players/0/round_hp contradiction"],
    );
    check(
        PREP,
        &[("/turn/number", "1")],
        &["/players/1/round_hp contradiction"],
    );
}

#[test]
fn sudden_death_begins_equal_right_after_the_limit() {
    check(
        SUDDEN,
        &[("/players/0/round_hp", "9"), ("/players/0/hp", "9")],
        &["/players contradiction"],
    );
    check(
        SUDDEN,
        &[("/turn/sudden_death", "false")],
        &["/turn/sudden_death contradiction"],
    );
    check(
        PREP,
        &[("/turn/sudden_death", "true")],
        &["/turn/sudden_death contradiction"],
    );
    check(
        SUDDEN,
        &[("/turn/number", "3")],
        &["/turn/sudden_death contradiction"],
    );
}

#[test]
fn a_layout_must_come_from_the_hand() {
    check(
        PREP,
        &[("/players/0/layout", r#"["attack", "attack", null]"#)],
        &["/players/0/layout invalid_layout"],
    );
    check(
        PREP,
        &[(
            "/variant/hands/1",
            r#"["attack", "attack", "attack", "attack"]"#,
        )],
        &["/players/1/layout invalid_layout"],
    );
}

#[test]
fn a_status_must_fit_the_layout_and_the_drafts() {
    let status = |value: &'static str, script| {
        check(
            script,
            &[("/players/0/status", value)],
            &["/players/0/status contradiction"],
        );
    };
    status("\"confirmed\"", "0 draft:AD");
    status("\"silent\"", "0 draft:-");
    status("\"drafted\"", "0 confirm:ADH");
    check(
        "0 confirm:ADH",
        &[("/players/0/layout/1", "null")],
        &["/players/0/status contradiction"],
    );
    check(
        "",
        &[("/players/0/n_drafts", "1")],
        &["/players/0/status contradiction"],
    );
    check(
        "",
        &[("/players/1/layout/0", "\"heal\"")],
        &["/players/1/status contradiction"],
    );
}

#[test]
fn two_confirmed_layouts_are_final() {
    check(
        "0 confirm:ADH; 1 confirm:CHD",
        &[("/turn/sealed", "false"), ("/turn/phase", "\"PREP\"")],
        &["/players contradiction"],
    );
}

#[test]
fn a_phase_must_fit_the_outcome_and_the_seal() {
    for (script, phase) in [
        (PREP, "REVEAL"),
        (PREP, "END"),
        (REVEAL, "PREP"),
        (WON, "REVEAL"),
    ] {
        let phase = format!("{phase:?}");
        check(
            script,
            &[("/turn/phase", &phase)],
            &["/turn/phase contradiction"],
        );
    }
    check(
        PREP,
        &[("/turn/sealed", "true")],
        &["/turn/phase contradiction"],
    );
}

#[test]
fn nothing_is_revealed_while_layouts_are_made() {
    check(
        SUDDEN,
        &[("/turn/n_shown", "1")],
        &["/turn/n_shown contradiction"],
    );
}

#[test]
fn a_streak_must_fit_the_rounds_and_the_status() {
    let streak = "/players/0/afk_streak";
    let told = "/players/0/afk_streak contradiction";
    check("", &[(streak, "1")], &[told]);
    check(REVEAL, &[(streak, "1")], &[told]);
    check(
        "round D D; deadline",
        &[("/players/1/afk_streak", "0")],
        &["/players/1/afk_streak contradiction"],
    );
    check(PREP, &[(streak, "2")], &[told, "/outcome contradiction"]);
    check(WON, &[(streak, "1")], &[told]);
}

#[test]
fn an_outcome_must_be_the_one_that_the_position_ends_with() {
    let told = "/outcome contradiction";
    check(WON, &[("/outcome", WIN_1)], &[told]);
    check(WON, &[("/outcome", DRAW)], &[told]);
    check(WON, &[("/outcome", CAP)], &[told]);
    check(WON, &[("/turn/n_shown", "2")], &[told]);
    check(TIMEOUT, &[("/outcome/winners", "[0]")], &[told]);
    check(TIMEOUT, &[("/turn/n_shown", "1")], &[told]);
    check(
        REVEAL,
        &[("/outcome", WIN_0), ("/turn/phase", "\"END\"")],
        &[told],
    );
    check(
        SUDDEN,
        &[("/outcome", DRAW), ("/turn/phase", "\"END\"")],
        &[told],
    );
}

#[test]
fn a_running_match_has_no_streak_of_two_and_no_decided_round() {
    check(
        TIMEOUT,
        &[("/outcome", "null"), ("/turn/phase", "\"REVEAL\"")],
        &[
            "/players/0/afk_streak contradiction",
            "/outcome contradiction",
        ],
    );
}

#[test]
fn a_departure_can_end_any_position() {
    let timed_out = LEFT_0.replace("disconnect", "timeout");
    for script in ["", PREP, REVEAL, SUDDEN] {
        for outcome in [LEFT_0, &timed_out] {
            check(
                script,
                &[("/outcome", outcome), ("/turn/phase", "\"END\"")],
                &[],
            );
        }
    }
}

/// A missed deadline makes the layouts final before it decides the match.
#[test]
fn a_timeout_without_final_layouts_is_refused() {
    check(
        "round D D; round . D",
        &[
            ("/outcome", TIMEOUT_1),
            ("/turn/phase", "\"END\""),
            ("/players/0/afk_streak", "2"),
        ],
        &["/outcome contradiction"],
    );
}

#[test]
fn every_fault_is_listed() {
    check(
        REVEAL,
        &[
            ("/game_id", "\"match 7\""),
            ("/players/0/hp", "\"many\""),
            ("/players/0/layout/1", "\"grass\""),
            ("/players/1/status", "\"away\""),
            ("/players/1/round_hp", "0"),
            ("/turn/number", "99"),
            ("/turn/phase", "\"PAUSE\""),
            ("/outcome", "[]"),
            ("/extra", "1"),
        ],
        &[
            "/game_id not_a_game_id",
            "/extra unknown_field",
            "/outcome unknown_value",
            "/players/0/hp wrong_type",
            "/players/0/layout/1 unknown_value",
            "/players/1/round_hp out_of_range",
            "/players/1/status unknown_value",
            "/turn/phase unknown_value",
            "/turn/number out_of_range",
        ],
    );
}

#[test]
fn several_contradictions_are_all_listed() {
    check(
        PREP,
        &[
            ("/turn/phase", "\"END\""),
            ("/turn/sudden_death", "true"),
            ("/turn/n_shown", "1"),
            ("/players/0/afk_streak", "2"),
            ("/players/0/status", "\"confirmed\""),
            ("/players/1/layout/0", "\"heal\""),
        ],
        &[
            "/turn/phase contradiction",
            "/turn/sudden_death contradiction",
            "/turn/n_shown contradiction",
            "/players/0/status contradiction",
            "/players/0/afk_streak contradiction",
            "/players/1/layout invalid_layout",
            "/players/1/hp contradiction",
            "/players contradiction",
            "/outcome contradiction",
        ],
    );
}

#[test]
fn with_a_broken_variant_the_rest_is_still_checked() {
    check(
        PREP,
        &[("/variant/steps", "9"), ("/players/0/hp", "101")],
        &["/players/0/hp out_of_range", "/variant/steps out_of_range"],
    );
}

#[test]
fn a_newer_format_is_refused() {
    check(
        PREP,
        &[("/schema_version", "\"1.0.0\"")],
        &["/schema_version unsupported_version"],
    );
}

#[test]
fn a_log_is_checked() {
    let draft = |id: u32, seat: u32, kind: &str| {
        format!(r#"{{"action_id": {id}, "payload": {{}}, "player_id": {seat}, "type": "{kind}"}}"#)
    };
    let log = |entries: &[String]| format!("[{}]", entries.join(", "));
    let sound = log(&[draft(3, 0, "LAYOUT_DRAFT"), draft(7, 1, "LEAVE")]);
    check(PREP, &[("/log", &sound)], &[]);
    let unsound = log(&[draft(3, 0, "LAYOUT_DRAFT"), draft(3, 2, "ROLL_DICE")]);
    check(
        PREP,
        &[("/log", &unsound)],
        &[
            "/log/1/type unknown_value",
            "/log/1/player_id no_such_seat",
            "/log/1/action_id out_of_order",
        ],
    );
    check(PREP, &[("/log", "5")], &["/log wrong_type"]);
}

#[test]
fn a_document_of_another_shape_is_refused_and_never_panics() {
    for text in ["null", "[]", "7", "\"orcain\"", "{}"] {
        let document = json::read(text.as_bytes()).unwrap();
        assert!(!faults(&document).is_empty(), "{text}");
    }
}

// The schemas.

fn schema(schema: &schemars::Schema) -> Validator {
    let value = serde_json::to_value(schema).unwrap();
    jsonschema::draft202012::meta::validate(&value).unwrap();
    jsonschema::validator_for(&value).unwrap()
}

/// Converts a document to the validator's JSON type.
fn foreign(document: &Json) -> serde_json::Value {
    serde_json::from_str(&document.to_string()).unwrap()
}

/// The position's part of a table's document.
fn own_part(mut document: Json) -> Json {
    if let Json::Object(entries) = &mut document {
        entries.retain(|key, _| !Table::<Orcain>::KEYS.contains(&key.as_str()));
    }
    document
}

#[test]
fn snapshots_of_every_phase_are_valid_by_the_schema() {
    let schema = schema(&Orcain::snapshot_schema());
    for script in SCRIPTS {
        let snapshot = serde_json::to_value(position(script).snapshot()).unwrap();
        let faults: Vec<String> = schema
            .iter_errors(&snapshot)
            .map(|it| it.to_string())
            .collect();
        assert_eq!(faults, [""; 0], "{script}");
        assert_eq!(snapshot, foreign(&own_part(document(script))));
    }
}

#[test]
fn damaged_snapshots_are_not_valid_by_the_schema() {
    let schema = schema(&Orcain::snapshot_schema());
    for (pointer, text) in [
        ("/outcome/reason", "\"stalemate\""),
        ("/outcome/result", "\"victory\""),
        ("/outcome/truncated", "0"),
        ("/outcome/winners", "[0, 1]"),
        ("/outcome/winners", "\"0\""),
        ("/outcome", "\"draw\""),
        ("/outcome", ""),
        ("/players", "[]"),
        ("/players/0/afk_streak", "3"),
        ("/players/0/hp", "\"10\""),
        ("/players/0/hp", "-1"),
        ("/players/0/hp", ""),
        ("/players/0/layout", "[]"),
        ("/players/0/layout", "[null, null, null, null, null]"),
        ("/players/0/layout/0", "\"GRASS\""),
        ("/players/0/layout/0", "\"grass\""),
        ("/players/0/layout/0", "1"),
        ("/players/1/n_drafts", "251"),
        ("/players/1/player_id", "2"),
        ("/players/1/round_hp", "101"),
        ("/players/1/round_hp", "0"),
        ("/players/1/status", "\"away\""),
        ("/players/1/mana", "1"),
        ("/turn/n_shown", "5"),
        ("/turn/number", "0"),
        ("/turn/phase", "\"PLAY\""),
        ("/turn/sealed", "\"yes\""),
        ("/turn/sudden_death", "null"),
        ("/turn/deadline", "1"),
        ("/variant/hands", "[]"),
        ("/variant/hands/0/0", "\"GRASS\""),
        ("/variant/steps", "5"),
        ("/variant/speed", "1"),
    ] {
        let mut document = own_part(document(WON));
        edit(&mut document, pointer, text);
        assert!(!schema.is_valid(&foreign(&document)), "{pointer} {text}");
    }
}

/// Every value of every snapshot is replaced by each of these. Any document that still restores
/// must be valid by the schema: the schema never forbids what the reader accepts.
#[test]
fn the_schema_accepts_whatever_is_restored() {
    let schema = schema(&Orcain::snapshot_schema());
    let values = [
        "null",
        "true",
        "false",
        "0",
        "1",
        "2",
        "3",
        "10",
        "100",
        "250",
        "-1",
        "1000",
        "1.5",
        "\"\"",
        "\"attack\"",
        "\"PREP\"",
        "\"END\"",
        "\"drafted\"",
        "\"draw\"",
        "[]",
        "[0]",
        "{}",
        "[null, null, null]",
        "",
    ];
    let mut n_restored = 0;
    for script in SCRIPTS {
        let whole = document(script);
        for pointer in pointers(&own_part(whole.clone())) {
            for text in values {
                let mut document = whole.clone();
                edit(&mut document, &pointer, text);
                if faults(&document).is_empty() {
                    n_restored += 1;
                    let valid = schema.is_valid(&foreign(&own_part(document)));
                    assert!(valid, "{pointer} {text:?} after {script:?}");
                }
            }
        }
    }
    assert!(
        n_restored > 100,
        "only {n_restored} edits made a different snapshot"
    );
}

/// The pointers of all values in a document, except the document itself.
fn pointers(document: &Json) -> Vec<String> {
    let below = |key: &str, value: &Json| {
        let deeper = pointers(value).into_iter();
        let deeper: Vec<String> = deeper.map(|it| format!("/{key}{it}")).collect();
        [vec![format!("/{key}")], deeper].concat()
    };
    match document {
        Json::Object(entries) => entries
            .iter()
            .flat_map(|(key, it)| below(key, it))
            .collect(),
        Json::List(items) => {
            let items = items.iter().enumerate();
            items
                .flat_map(|(idx, it)| below(&idx.to_string(), it))
                .collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn the_setup_schema_agrees_with_the_reader() {
    let schema = schema(&Orcain::setup_schema());
    for (text, valid) in [
        ("{}", true),
        (r#"{"steps": 4, "max_hp": 100, "start_hp": 1}"#, true),
        (
            r#"{"hands": [["heal", "heal", "heal", "heal"], ["attack", "defense", "heal", "counter"]]}"#,
            true,
        ),
        (r#"{"steps": 0}"#, false),
        (r#"{"steps": 5}"#, false),
        (r#"{"steps": "3"}"#, false),
        (r#"{"max_hp": 101}"#, false),
        (r#"{"start_hp": 0}"#, false),
        (r#"{"round_cap": 251}"#, false),
        (r#"{"round_limit": 0}"#, false),
        (r#"{"drafts_max": 251}"#, false),
        (r#"{"drafts_max": 0}"#, false),
        (r#"{"hands": [["heal"], ["heal"]]}"#, false),
        (
            r#"{"hands": [["heal", "heal", "heal", "grass"], ["attack", "defense", "heal", "counter"]]}"#,
            false,
        ),
        (r#"{"hands": [["heal", "heal", "heal", "heal"]]}"#, false),
        (r#"{"hands": null}"#, false),
        (r#"{"speed": 1}"#, false),
        ("[]", false),
    ] {
        let document = json::read(text.as_bytes()).unwrap();
        assert_eq!(schema.is_valid(&foreign(&document)), valid, "{text}");
        assert_eq!(
            kernel::doc::parse::<Setup>(&document).is_ok(),
            valid,
            "{text}"
        );
    }
}

#[test]
fn the_standard_setup_is_valid_by_its_schema() {
    let setup = serde_json::to_value(Setup::default()).unwrap();
    assert!(schema(&Orcain::setup_schema()).is_valid(&setup));
    assert!(position("").outcome().is_none());
}
