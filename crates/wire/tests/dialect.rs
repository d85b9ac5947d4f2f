//! The frames that old clients of Orcain receive, one rule a test and as whole transcripts.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

mod hall;

use std::fs;
use std::path::PathBuf;

use catalog::Orcain;
use catalog::orcain::{Card, Hand, RawSetup, Setup};
use hall::{A, B, Hall, T0, fragile, slots, with_grace};
use kernel::fair::Opening;
use kernel::{MatchId, SeatSet};
use proptest::prelude::*;
use serde_json::{Value, json};
use session::Live;
use wire::codes::ACK_CODES;
use wire::native::{ClockRules, MatchFound, Player};
use wire::old::{ClientEvent, Context, EVENTS, HelloOk, hello_ok, queue_ok};

/// Compares a transcript with the one in `testdata`, or writes it there if `BLESS` is set.
fn check(name: &str, hall: &Hall) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/wire");
    let file = folder.join(name).with_extension("txt");
    if std::env::var("BLESS").is_ok() {
        fs::create_dir_all(&folder).unwrap();
        fs::write(&file, hall.text()).unwrap();
    }
    let golden = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(
        hall.text(),
        golden,
        "{}: see `cargo xtask bless`",
        file.display()
    );
}

#[test]
fn a_whole_match_reaches_old_clients_in_their_events() {
    let mut hall = Hall::between_people();
    hall.draft(A, "A--");
    hall.draft(A, "AA?");
    hall.round("AHD", "CAD");
    hall.draft(B, "H--");
    hall.wait(25_000);
    hall.round("ADH", "HAD");
    hall.round("ADC", "HDC");
    check("orcain_whole_match", &hall);
}

#[test]
fn a_client_that_reconnects_can_rebuild_its_state() {
    let mut hall = Hall::open(with_grace(5_000), Setup::default());
    hall.draft(A, "H-A");
    hall.lose_connection(A);
    hall.wait(1_000);
    hall.come_back(A);
    hall.confirm(A, "AHD");
    hall.confirm(B, "CAD");
    hall.wait(1_200);
    hall.lose_connection(A);
    hall.wait(1_000);
    hall.come_back(A);
    hall.wait(5_000);
    hall.confirm(A, "AHD");
    hall.lose_connection(A);
    hall.come_back(A);
    check("orcain_resumed", &hall);
    assert_eq!(hall.told(A, "match_found").len(), 1);
    assert_eq!(hall.told(A, "match_end"), Vec::<Value>::new());
}

#[test]
fn a_player_who_misses_two_rounds_loses() {
    let mut hall = Hall::between_people();
    for _ in 0..2 {
        hall.draft(A, "---");
        hall.wait(24_000);
    }
    check("orcain_one_away", &hall);
    let [end_0, end_1] = [A, B].map(|seat| hall.told(seat, "match_end"));
    assert_eq!((end_0.len(), end_1.len()), (1, 1));
    assert_eq!(
        (&end_0[0]["winner"], &end_0[0]["result"]),
        (&json!("YOU"), &json!("win"))
    );
    assert_eq!(
        (&end_1[0]["winner"], &end_1[0]["result"]),
        (&json!("OPPONENT"), &json!("loss"))
    );
    assert_eq!(end_1[0]["reason"], "timeout");
}

#[test]
fn when_both_players_miss_two_rounds_both_lose() {
    let mut hall = Hall::between_people();
    hall.wait(60_000);
    check("orcain_both_away", &hall);
    for seat in [A, B] {
        let end = &hall.told(seat, "match_end")[0];
        assert_eq!(
            (&end["winner"], &end["result"]),
            (&json!("OPPONENT"), &json!("loss"))
        );
        assert_eq!(
            (&end["winnerId"], &end["loserId"]),
            (&Value::Null, &Value::Null)
        );
        assert_eq!(end["yourTokens"], 9);
    }
}

#[test]
fn a_double_knock_out_is_a_draw_for_both() {
    let mut hall = Hall::open(with_grace(0), fragile());
    hall.round("ADC", "ADC");
    check("orcain_draw", &hall);
    for seat in [A, B] {
        let end = &hall.told(seat, "match_end")[0];
        assert_eq!(
            (&end["winner"], &end["result"]),
            (&json!("OPPONENT"), &json!("draw"))
        );
        assert_eq!(
            (&end["winnerId"], &end["reason"]),
            (&Value::Null, &json!("normal"))
        );
        assert_eq!(end["yourTokens"], 10);
    }
}

#[test]
fn reasons_stay_within_the_three_that_old_clients_know() {
    let mut hall = Hall::between_people();
    hall.resign(A);
    let end = &hall.told(B, "match_end")[0];
    assert_eq!(
        (&end["reason"], &end["cause"]),
        (&json!("normal"), &json!("resign"))
    );
    let mut hall = Hall::between_people();
    hall.lose_connection(A);
    let end = &hall.told(B, "match_end")[0];
    assert_eq!(
        (&end["reason"], &end["cause"]),
        (&json!("disconnect"), &json!("disconnect"))
    );
    assert_eq!(end["winner"], "YOU");
}

#[test]
fn a_bot_has_the_same_name_in_every_event() {
    let policy = Orcain::POLICY.with_people(SeatSet::only(A));
    let mut hall = Hall::open(policy, fragile());
    hall.round("ADH", "H--");
    hall.wait(30_000);
    for name in [
        "match_found",
        "prep_start",
        "step_reveal",
        "round_end",
        "match_end",
    ] {
        let told = hall.told(A, name);
        assert!(!told.is_empty(), "{name}");
        assert!(
            told.iter().all(|it| it["oppNickname"] == "Orc Bot"),
            "{name}"
        );
    }
    let end = &hall.told(A, "match_end")[0];
    assert_eq!(
        (&end["rating"], &end["leagueKey"]),
        (&json!(100), &json!("iron"))
    );
}

#[test]
fn an_invalid_confirm_is_refused_and_drafts_are_never_answered() {
    let mut hall = Hall::between_people();
    let n_before = hall.frames(A).len();
    hall.draft(A, "AAA");
    hall.say(A, "drafts nothing", |_| ClientEvent::Draft {
        match_id: None,
        slots: None,
    });
    assert_eq!(hall.frames(A).len(), n_before);
    for letters in ["AAD", "A--", "", "A?D", "ADHC"] {
        hall.confirm(A, letters);
    }
    let refused = json!({"code": "invalid_layout",
        "message": "Invalid cards: cards must be from your hand"});
    assert_eq!(hall.told(A, "error_msg"), vec![refused; 5]);
    hall.confirm(A, "ADH");
    hall.confirm(A, "ADH");
    hall.confirm(A, "AAA");
    assert_eq!(
        hall.told(A, "confirm_ok").len(),
        1,
        "later layouts are ignored"
    );
    assert_eq!(hall.told(A, "error_msg").len(), 5);
}

#[test]
fn a_layout_for_another_match_is_ignored() {
    let mut hall = Hall::between_people();
    for id in ["", "match_1", "00000000-0000-4000-8000-000000000000"] {
        let match_id = Some(id.to_owned());
        let slots = slots("ADH");
        hall.say(A, "confirms", |_| ClientEvent::Confirm { match_id, slots });
    }
    assert_eq!(hall.told(A, "confirm_ok").len(), 0);
    hall.say(A, "confirms", |_| ClientEvent::Confirm {
        match_id: None,
        slots: slots("ADH"),
    });
    assert_eq!(hall.told(A, "confirm_ok").len(), 1);
}

#[test]
fn late_layouts_and_layouts_after_the_end_change_nothing() {
    let mut hall = Hall::open(with_grace(0), fragile());
    hall.desk.now = T0 + 20_001;
    let n_before = hall.frames(A).len();
    hall.confirm(A, "ADH");
    assert_eq!(hall.frames(A).len(), n_before, "after the deadline");
    hall.wait(0);
    hall.wait(60_000);
    let ended: Vec<usize> = [A, B].map(|seat| hall.frames(seat).len()).into();
    for seat in [A, B] {
        assert_eq!(hall.told(seat, "match_end").len(), 1);
        hall.confirm(seat, "ADH");
        hall.draft(seat, "ADH");
    }
    assert_eq!([A, B].map(|seat| hall.frames(seat).len()).to_vec(), ended);
}

#[test]
fn the_opponent_is_notified_when_the_match_pauses_and_continues() {
    let mut hall = Hall::open(with_grace(5_000), Setup::default());
    hall.wait(1_000);
    hall.lose_connection(A);
    hall.wait(2_000);
    hall.come_back(A);
    let told = hall.told(B, "sync_state");
    assert_eq!(
        (&told[0]["paused"], told[0].get("deadlineTs")),
        (&json!(true), None)
    );
    assert_eq!(told[1]["paused"], false);
    assert_eq!(told[1]["deadlineTs"], T0 + 22_000);
}

#[test]
fn each_client_is_shown_its_own_hand() {
    let hands = [[Card::Attack; 4], [Card::Heal; 4]];
    let raw = RawSetup {
        hands: hands.map(Hand::new),
        ..RawSetup::default()
    };
    let hall = Hall::open(with_grace(0), Setup::try_from(raw).unwrap());
    for (seat, hand) in [A, B].into_iter().zip(hands) {
        for name in ["match_found", "prep_start"] {
            assert_eq!(hall.told(seat, name)[0]["yourHand"], json!(hand), "{name}");
        }
    }
}

#[test]
fn every_payload_fits_its_schema() {
    let mut hall = Hall::open(with_grace(5_000), Setup::default());
    hall.confirm(A, "AAD");
    hall.lose_connection(B);
    hall.come_back(B);
    hall.round("AHD", "C--");
    hall.wait(200_000);
    let hello = HelloOk {
        tokens: 9,
        nickname: None,
        language: "en",
        avatar: "orc",
        rating: 100,
        league_key: "iron",
    };
    hall.script.push((A, hello_ok(&hello)));
    hall.script.push((A, queue_ok(8)));
    for event in EVENTS {
        let Some(schema) = event.payload else {
            continue;
        };
        let schema = serde_json::to_value(schema()).unwrap();
        jsonschema::draft202012::meta::validate(&schema).unwrap();
        let judge = jsonschema::validator_for(&schema).unwrap();
        let payloads = [A, B].map(|seat| hall.told(seat, event.name)).concat();
        assert!(!payloads.is_empty(), "nobody received {}", event.name);
        for payload in payloads {
            let errors: Vec<String> = judge
                .iter_errors(&payload)
                .map(|it| it.to_string())
                .collect();
            assert!(errors.is_empty(), "{}: {payload}: {errors:?}", event.name);
        }
    }
}

/// The delay since the previous action, whether it is a confirm, and the layout.
type Deed = (u64, bool, String);

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let letters = prop::collection::vec(
        prop::sample::select(vec!["A", "D", "H", "C", "-", "?"]),
        0..5,
    );
    let deed = (
        0..2_000_u64,
        any::<bool>(),
        letters.prop_map(|it| it.concat()),
    );
    prop::collection::vec(deed, 0..8)
}

/// The frames that the first seat receives up to the deadline, when both seats act as given while
/// they place cards.
fn seen_by_the_first(own: &[Deed], others: &[Deed]) -> Vec<String> {
    let mut hall = Hall::open(with_grace(5_000), Setup::default());
    let mut timed: Vec<(u64, kernel::Seat, &Deed)> = Vec::new();
    for (seat, deeds) in [(A, own), (B, others)] {
        let mut at = 0;
        for deed in deeds {
            at += deed.0;
            timed.push((at, seat, deed));
        }
    }
    timed.sort_by_key(|(at, seat, _)| (*at, *seat));
    for (at, seat, (_, confirms, letters)) in timed {
        hall.wait(T0 + at - hall.desk.now);
        match (confirms, seat) {
            (true, seat) if seat == B => hall.confirm(B, letters),
            // Confirming as well could reveal the round, which this test is not about.
            _ => hall.draft(seat, letters),
        }
    }
    hall.wait(T0 + 19_000 - hall.desk.now);
    hall.come_back(A);
    hall.frames(A).into_iter().map(str::to_owned).collect()
}

proptest! {
    #[test]
    fn frames_before_the_reveal_do_not_depend_on_the_opponents_layout(
        own in deeds(),
        one in deeds(),
        two in deeds(),
    ) {
        prop_assert_eq!(seen_by_the_first(&own, &one), seen_by_the_first(&own, &two));
    }
}

#[test]
fn every_code_of_an_answer_is_documented() {
    let mut hall = Hall::between_people();
    hall.draft(A, "AA?");
    hall.draft(A, "A");
    hall.confirm(A, "AAA");
    hall.confirm(A, "ADH");
    hall.draft(A, "ADH");
    for _ in 0..250 {
        hall.draft(B, "---");
    }
    hall.confirm(B, "ADH");
    hall.draft(B, "ADH");
    hall.wait(5_000);
    hall.desk.now += 20_000;
    hall.draft(A, "ADH");
    hall.resign(A);
    hall.draft(B, "ADH");
    let listed = ACK_CODES.iter().chain(Orcain::REFUSALS);
    let listed: Vec<&str> = listed.map(|(code, _)| *code).collect();
    let unlisted = hall
        .codes
        .iter()
        .find(|code| !listed.contains(&code.as_str()));
    assert_eq!(unlisted, None);
    assert_eq!(
        hall.codes.iter().map(String::as_str).collect::<Vec<_>>(),
        [
            "already_confirmed",
            "invalid_card",
            "invalid_layout",
            "late",
            "malformed_layout",
            "match_over",
            "too_many_drafts",
            "wrong_phase",
        ]
    );
}

#[test]
fn old_clients_receive_league_points_instead_of_the_rating() {
    let player = |name: Option<&str>, bot: Option<&str>| Player {
        name: name.map(str::to_owned),
        bot: bot.map(str::to_owned),
        avatar: "orc".to_owned(),
        league: Some("iron"),
        points: Some(120),
        rating: Some(1_512),
    };
    let opening = Opening::new([1; 32], [2; 32]);
    let found = MatchFound {
        match_id: MatchId::from_random_bytes([5; 16]),
        game: "orcain",
        seat: 0,
        own_seats: vec![0],
        curtain: false,
        players: vec![player(Some("ann"), None), player(None, Some("random"))],
        stake: 0,
        pot: 0,
        rated: false,
        stake_bound: None,
        rating_bound: None,
        tokens: 10,
        commitment: opening.commitment(),
        contributions: Vec::new(),
        seed_commitment: None,
        clock: ClockRules {
            turn_ms: 1,
            first_step_ms: 1,
            step_ms: 1,
            grace_ms: 0,
        },
        next_seq: 3,
        resumed: false,
        now_ms: 7,
    };
    let context = Context::of(A, &found);
    assert_eq!((context.rating, context.league), (120, "iron"));
    assert_eq!(context.bots, SeatSet::only(B));
    assert_eq!(context.nicknames, [Some("ann".to_owned()), None]);
    assert_eq!((context.next_seq, context.resumed), (3, false));
}
