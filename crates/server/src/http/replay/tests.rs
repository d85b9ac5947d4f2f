use std::fs;
use std::path::Path;

use catalog::GameName;

use super::*;

const DUEL: &[u8] = include_bytes!("../../../../../testdata/orcain/standard-1.jsonl");

fn window(viewer: &str) -> Window {
    let shown = Shown {
        viewer: Some(viewer.to_owned()),
        from: None,
        limit: None,
        lean: None,
        judge: None,
    };
    Window::read(&shown).unwrap()
}

fn frames(record: &[u8], viewer: &str) -> Vec<Value> {
    let page = compute(record, &window(viewer), &Wanted::default()).unwrap();
    assert_eq!(page.n_frames as usize, page.frames.len());
    let read = |it: &RawValue| serde_json::from_str(it.get()).unwrap();
    page.frames.iter().map(|it| read(it)).collect()
}

#[test]
fn every_game_in_the_catalog_is_replayed_frame_by_frame() {
    for game in GameName::ALL {
        let record = shortest_record(game);
        let page = compute(&record, &window("public"), &Wanted::default()).unwrap();
        assert!(page.outcome.is_some(), "{game}");
        let last: Value = serde_json::from_str(page.frames.last().unwrap().get()).unwrap();
        assert_eq!(
            last["state_hash"],
            page.report.state_hash.as_str(),
            "{game}"
        );
        assert_eq!(last["ply"], page.report.n_actions, "{game}");
    }
}

/// The shortest golden record of a game, which fits on one page of frames.
fn shortest_record(game: GameName) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata")
        .join(game.as_str());
    let files = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let records = files.filter(|file| file.extension().is_some_and(|it| it == "jsonl"));
    let records = records.map(|file| fs::read(file).unwrap());
    records
        .min_by_key(Vec::len)
        .unwrap_or_else(|| panic!("{game} has no golden record"))
}

#[test]
fn a_seat_sees_its_own_layout_before_the_reveal_and_the_public_sees_none() {
    let laid_out = |frame: &Value| frame["events"].to_string().contains("LAYOUT_CONFIRMED");
    let own = frames(DUEL, "0");
    assert!(own.iter().any(laid_out));
    let views = own
        .iter()
        .map(|it| it["views"][0]["own"]["player_id"].clone());
    assert!(views.into_iter().all(|seat| seat == 0));
    for frame in frames(DUEL, "public") {
        assert!(frame["views"][0]["own"].is_null());
        assert!(!laid_out(&frame), "{frame}");
        assert!(
            frame["text"].is_null() || frame["seat"].is_null(),
            "{frame}"
        );
    }
}

#[test]
fn the_viewer_all_has_one_view_for_each_seat() {
    for frame in frames(DUEL, "all") {
        let views = frame["views"].as_array().unwrap();
        let seats: Vec<&Value> = views.iter().map(|it| &it["own"]["player_id"]).collect();
        assert_eq!(seats, [0, 1]);
    }
}

#[test]
fn part_of_a_record_is_shown_and_all_of_it_is_checked() {
    let part = Window {
        from: 3,
        limit: 2,
        ..window("all")
    };
    let page = compute(DUEL, &part, &Wanted::default()).unwrap();
    let plies: Vec<Value> = page
        .frames
        .iter()
        .map(|it| serde_json::from_str(it.get()).unwrap())
        .collect();
    assert_eq!((plies.len(), &plies[0]["ply"]), (2, &Value::from(3)));
    assert!(page.n_frames > 5);
}

#[test]
fn a_changed_record_is_refused_at_its_line() {
    let mut changed = DUEL.to_vec();
    let at = changed.len() / 2;
    changed[at] ^= 1;
    let fault = compute(&changed, &window("public"), &Wanted::default())
        .err()
        .unwrap();
    assert!(fault.line > 1, "{fault}");
    for (record, code) in [
        (&b""[..], "empty"),
        (b"no line end", "torn_line"),
        (b"{}\n", "no_chain"),
    ] {
        assert_eq!(
            compute(record, &window("public"), &Wanted::default())
                .err()
                .unwrap()
                .code,
            code
        );
    }
}

#[test]
fn viewers_that_do_not_exist_are_refused() {
    assert_eq!(
        compute(DUEL, &window("2"), &Wanted::default())
            .err()
            .unwrap()
            .code,
        "unknown_viewer"
    );
    for viewer in ["", "-1", "everybody", "99"] {
        let shown = Shown {
            viewer: Some(viewer.to_owned()),
            from: None,
            limit: None,
            lean: None,
            judge: None,
        };
        assert!(Window::read(&shown).is_err(), "{viewer}");
    }
}

#[test]
fn a_lean_replay_has_the_same_content_in_fewer_bytes() {
    let whole = compute(DUEL, &window("all"), &Wanted::default()).unwrap();
    let lean = Window {
        detail: Detail::Changes,
        ..window("all")
    };
    let lean = compute(DUEL, &lean, &Wanted::default()).unwrap();
    let read = |it: &RawValue| serde_json::from_str::<Value>(it.get()).unwrap();
    let mut before: Vec<Value> = Vec::new();
    for (whole, lean) in whole.frames.iter().zip(&lean.frames) {
        let (whole, lean) = (read(whole), read(lean));
        let told = lean["views"].as_array().unwrap();
        before.resize(told.len(), Value::Object(serde_json::Map::new()));
        for (view, changes) in before.iter_mut().zip(told) {
            let fields = changes.as_object().unwrap().clone();
            view.as_object_mut().unwrap().extend(fields);
        }
        assert_eq!(whole["views"], Value::Array(before.clone()));
    }
    let n_bytes = |page: &ReplayPage| page.frames.iter().map(|it| it.get().len()).sum::<usize>();
    assert!(n_bytes(&lean) < n_bytes(&whole));
}

#[test]
fn a_bot_evaluates_for_a_seat_but_not_for_the_public() {
    let judged = |viewer: &str, judge: &str| {
        let window = Window {
            judge: Some(judge.to_owned()),
            ..window(viewer)
        };
        compute(DUEL, &window, &Wanted::default())
    };
    let chances = |page: &ReplayPage| -> Vec<Value> {
        let frames = page.frames.iter();
        let read = frames.map(|it| serde_json::from_str::<Value>(it.get()).unwrap());
        read.map(|frame| frame["chances"].clone()).collect()
    };
    let seen = chances(&judged("0", "equilibrium").unwrap());
    assert_eq!(seen[0], serde_json::json!([500, 500]));
    let last = seen.last().unwrap().as_array().unwrap();
    let whole: u64 = last.iter().filter_map(Value::as_u64).sum();
    assert_eq!(whole, 1000);
    let public = chances(&judged("public", "equilibrium").unwrap());
    assert!(public.iter().all(Value::is_null));
    assert_eq!(judged("0", "nobody").err().unwrap().code, "unknown_bot");
}
