//! Complete matches in Referee's own protocol, over real sockets: however a match ends, both
//! players are notified once, the tokens are where they belong, and the record proves it.
//!
//! Promise: Every way to end a match informs and pays both players, who can prove it.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use common::home::Home;
use common::house::{House, ROUND_MS, set_time};
use common::player::{Player, event, round};
use common::settled::End;
use serde_json::{Value, json};

/// Plays three rounds that the first seat wins.
async fn play_to_the_end(a: &mut Player, b: &mut Player) {
    for _ in 0..3 {
        round(a, b, "ADH", "HDC").await;
    }
    a.until_end().await;
    b.until_end().await;
}

async fn normal_end(house: House) {
    let (mut a, mut b) = house.duel().await;
    assert_eq!(house.tokens(&a.guest).await, 9);
    house.check_record_is_refused(&a).await;
    play_to_the_end(&mut a, &mut b).await;
    house
        .check_settled(&a, &b, End::won_by_first("normal"))
        .await;
    let me = house.me(&a.guest).await;
    assert_eq!(
        (&me["rating"], &me["stats"]["pvpWins"]),
        (&json!(5), &json!(1))
    );
}

/// Nobody acts for two rounds.
async fn both_afk(house: House) {
    let (mut a, mut b) = house.duel().await;
    house.pass(ROUND_MS);
    let finalized = a.until_event("ROUND_FINALIZED").await;
    let missed = &event(&finalized, "ROUND_FINALIZED").unwrap()["missed"];
    assert_eq!(*missed, json!([true, true]));
    a.until_event("ROUND_STARTED").await;
    house.pass(ROUND_MS);
    a.until_end().await;
    b.until_end().await;
    house.check_settled(&a, &b, End::burned("timeout")).await;
    assert_eq!(house.n_burned(), 2);
}

/// The server crashes during a round and during a reveal; the match continues.
async fn crash_during_a_match(mut house: House) {
    let (mut a, mut b) = house.duel().await;
    round(&mut a, &mut b, "ADH", "HDC").await;
    a.confirm("ADH").await;
    house.crash();
    house.check_books();
    house.restart().await;
    let (mut a, mut b) = (a.come_back(&house).await, b.come_back(&house).await);
    assert_eq!(house.tokens(&a.guest).await, 9);
    b.confirm("HDC").await;
    a.until_event("ROUND_ENDED").await;
    b.until_event("ROUND_ENDED").await;
    round(&mut a, &mut b, "ADH", "HDC").await;
    a.until_end().await;
    b.until_end().await;
    house
        .check_settled(&a, &b, End::won_by_first("normal"))
        .await;
}

#[tokio::test]
async fn a_match_is_played_to_its_normal_end() {
    normal_end(House::open().await).await;
}

#[tokio::test]
async fn the_pot_is_burned_when_both_are_absent() {
    both_afk(House::with_rounds().await).await;
}

#[tokio::test]
async fn a_match_survives_a_crash_of_the_server() {
    crash_during_a_match(House::open().await).await;
}

/// The same tests on PostgreSQL.
mod on_postgres {
    use super::*;

    #[tokio::test]
    async fn a_match_is_played_to_its_normal_end() {
        if let Some(home) = Home::postgres() {
            normal_end(House::at(home, |_| {}).await).await;
        }
    }

    #[tokio::test]
    async fn the_pot_is_burned_when_both_are_absent() {
        if let Some(home) = Home::postgres() {
            let rounds =
                |options: &mut server::Options| set_time(options, "orcain.turn-ms", ROUND_MS);
            both_afk(House::at(home, rounds).await).await;
        }
    }

    #[tokio::test]
    async fn a_match_survives_a_crash_of_the_server() {
        if let Some(home) = Home::postgres() {
            crash_during_a_match(House::at(home, |_| {}).await).await;
        }
    }
}

#[tokio::test]
async fn a_player_absent_for_two_rounds_loses() {
    let house = House::with_rounds().await;
    let (mut a, mut b) = house.duel().await;
    a.confirm("ADH").await;
    house.pass(ROUND_MS);
    let finalized = b.until_event("ROUND_FINALIZED").await;
    let missed = &event(&finalized, "ROUND_FINALIZED").unwrap()["missed"];
    assert_eq!(*missed, json!([false, true]));
    a.until_event("ROUND_STARTED").await;
    a.confirm("ADH").await;
    house.pass(ROUND_MS);
    a.until_end().await;
    b.until_end().await;
    // The second missed round is not played.
    let steps = b.heard.iter().filter(|it| it.contains("STEP_REVEALED"));
    assert_eq!(steps.count(), 3);
    house
        .check_settled(&a, &b, End::won_by_first("timeout"))
        .await;
}

#[tokio::test]
async fn a_lost_connection_forfeits_at_once() {
    let house = House::open().await;
    let (mut a, b) = house.duel().await;
    a.draft("A--").await;
    drop(b.socket);
    a.until_end().await;
    let b = Player::arrive(&house, b.guest).await;
    house
        .check_settled(&a, &b, End::won_by_first("disconnect"))
        .await;
}

#[tokio::test]
async fn equal_hit_points_lead_to_sudden_death() {
    let house = House::open().await;
    let (mut a, mut b) = house.duel().await;
    for _ in 0..2 {
        let [news, _] = round(&mut a, &mut b, "ADC", "ADC").await;
        let started = event(&news, "ROUND_STARTED").unwrap();
        assert_eq!(started["sudden_death"], false);
    }
    let [news, _] = round(&mut a, &mut b, "ADC", "ADC").await;
    let started = event(&news, "ROUND_STARTED").unwrap();
    assert_eq!(started["sudden_death"], true);
    assert_eq!(started["round"], 4);
    round(&mut a, &mut b, "HDC", "ADC").await;
    a.until_end().await;
    b.until_end().await;
    house
        .check_settled(&a, &b, End::won_by_second("normal"))
        .await;
}

#[tokio::test]
async fn a_double_knock_out_is_a_draw_and_stakes_are_returned() {
    let house = House::open().await;
    let (mut a, mut b) = house.duel().await;
    let mut hit_points = Vec::new();
    for _ in 0..5 {
        let [news, _] = round(&mut a, &mut b, "ADC", "ADC").await;
        hit_points.push(event(&news, "ROUND_ENDED").unwrap()["hp"].clone());
    }
    let expected: Vec<Value> = [8, 6, 4, 2, 0].map(|hp| json!([hp, hp])).to_vec();
    assert_eq!(hit_points, expected);
    a.until_end().await;
    b.until_end().await;
    house
        .check_settled(&a, &b, End::even("draw", "normal"))
        .await;
    let me = house.me(&a.guest).await;
    assert_eq!(
        (&me["rating"], &me["stats"]["draws"]),
        (&json!(0), &json!(1))
    );
}

#[tokio::test]
async fn an_unconfirmed_draft_is_played_and_empty_slots_are_null() {
    let house = House::with_rounds().await;
    let (mut a, mut b) = house.duel().await;
    a.draft("A--").await;
    a.draft("-A-").await;
    b.confirm("HDC").await;
    house.pass(ROUND_MS);
    let mut shown = Vec::new();
    for _ in 0..3 {
        let news = b.until_event("STEP_REVEALED").await;
        shown.push(event(&news, "STEP_REVEALED").unwrap()["cards"].clone());
    }
    let expected = [
        json!([null, "heal"]),
        json!(["attack", "defense"]),
        json!([null, "counter"]),
    ];
    assert_eq!(shown, expected);
    b.resign().await;
    a.until_end().await;
    b.until_end().await;
    house
        .check_settled(&a, &b, End::won_by_first("resign"))
        .await;
}

#[tokio::test]
async fn a_draft_with_a_card_not_in_hand_is_corrected() {
    let house = House::with_rounds().await;
    let (mut a, mut b) = house.duel().await;
    for (letters, code) in [
        ("A?D", json!("invalid_card")),
        ("AAD", json!("invalid_card")),
        ("A-D", Value::Null),
        ("A?D", json!("invalid_card")),
    ] {
        let ack = a.draft(letters).await;
        assert_eq!(
            (&ack["taken"], &ack["code"]),
            (&json!(true), &code),
            "{letters}"
        );
    }
    b.confirm("CHD").await;
    house.pass(ROUND_MS);
    let mut own = Vec::new();
    for _ in 0..3 {
        let news = a.until_event("STEP_REVEALED").await;
        own.push(event(&news, "STEP_REVEALED").unwrap()["cards"][0].clone());
    }
    assert_eq!(own, [json!("attack"), Value::Null, json!("defense")]);
    b.resign().await;
    a.until_end().await;
    b.until_end().await;
    house
        .check_settled(&a, &b, End::won_by_first("resign"))
        .await;
}

#[tokio::test]
async fn an_incomplete_confirm_is_refused_and_counts_as_activity() {
    let house = House::with_rounds().await;
    let (mut a, mut b) = house.duel().await;
    for (nth, letters) in ["AD-", "AAD", "A?D", "AD", ""].into_iter().enumerate() {
        let ack = b.confirm(letters).await;
        assert_eq!(ack["client_seq"], nth + 1);
        assert_eq!(
            (&ack["taken"], &ack["code"]),
            (&json!(false), &json!("invalid_layout")),
            "{letters:?}"
        );
    }
    a.confirm("ADH").await;
    house.pass(ROUND_MS);
    let news = a.until_event("ROUND_FINALIZED").await;
    let missed = &event(&news, "ROUND_FINALIZED").unwrap()["missed"];
    assert_eq!(*missed, json!([false, false]));
    a.until_event("ROUND_STARTED").await;
    b.resign().await;
    a.until_end().await;
    b.until_end().await;
    house
        .check_settled(&a, &b, End::won_by_first("resign"))
        .await;
}

#[tokio::test]
async fn a_match_ends_once_whatever_comes_after() {
    let house = House::open().await;
    let (mut a, mut b) = house.duel().await;
    a.draft("A--").await;
    a.resign().await;
    a.until_ack(2).await;
    a.resign().await;
    b.resign().await;
    let ask = json!({"type": "confirm", "layout": common::cards("HDC")});
    b.ask(&ask).await;
    a.until_end().await;
    b.until_end().await;
    // Old and new numbers, and a resignation over a new connection.
    let old = json!({"type": "resign", "match_id": a.match_id, "seq": 2});
    for _ in 0..5 {
        a.say(&old).await;
        b.resign().await;
        b.say(&json!({"type": "resync", "match_id": b.match_id, "seen": 0}))
            .await;
    }
    a.ping().await;
    b.ping().await;
    let mut late = Player::arrive(&house, b.guest.clone()).await;
    late.match_id.clone_from(&b.match_id);
    late.resign().await;
    let refused = late.until_error().await;
    assert_eq!(refused["code"], "not_seated");
    assert_eq!((a.n_heard("match_end"), b.n_heard("match_end")), (1, 1));
    house
        .check_settled(&a, &b, End::won_by_second("resign"))
        .await;
}

#[tokio::test]
async fn a_message_sent_twice_is_done_once_and_answered_twice() {
    let house = House::open().await;
    let (mut a, _b) = house.duel().await;
    let first = a.confirm("ADH").await;
    a.seq -= 1;
    let again = a.confirm("CHD").await;
    assert_eq!(first, again);
    a.say(&json!({"type": "resync", "match_id": a.match_id, "seen": 0}))
        .await;
    let standing = a.until_message("standing").await;
    let layout = &standing["view"]["own"]["layout"];
    assert_eq!(*layout, common::cards("ADH"));
}

#[tokio::test]
async fn a_skipped_number_is_asked_for() {
    let house = House::open().await;
    let (mut a, _b) = house.duel().await;
    a.seq += 3;
    let ask = json!({"type": "draft", "layout": common::cards("A--")});
    a.ask(&ask).await;
    let gap = a.until_message("gap").await;
    assert_eq!(gap["expected"], 1);
    a.seq = 0;
    assert_eq!(a.draft("A--").await["taken"], true);
}

#[tokio::test]
async fn a_network_that_repeats_everything_five_times_changes_nothing() {
    let house = House::open().await;
    let (mut a, mut b) = house.duel().await;
    for _ in 0..3 {
        for (player, letters) in [(&mut a, "ADH"), (&mut b, "HDC")] {
            let ask = json!({"type": "confirm", "layout": common::cards(letters)});
            for _ in 0..5 {
                player.ask(&ask).await;
                player.seq -= 1;
            }
            player.seq += 1;
            let first = player.until_ack(player.seq).await;
            assert_eq!(first["taken"], true);
        }
        a.until_event("ROUND_ENDED").await;
        b.until_event("ROUND_ENDED").await;
    }
    a.until_end().await;
    b.until_end().await;
    house
        .check_settled(&a, &b, End::won_by_first("normal"))
        .await;
}

// Evidence of failed tests.

// Promise: A failed test leaves the log of its server and what its players heard.
#[test]
fn a_failed_test_leaves_its_server_log_and_the_messages_of_its_players() {
    let name = "a test of a server that fails on purpose";
    let folder = common::evidence::folder(name);
    let _ = std::fs::remove_dir_all(&folder);
    let failing = std::thread::Builder::new().name(name.to_owned()).spawn(|| {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let house = House::open().await;
            let (a, _b) = house.duel().await;
            assert_eq!(a.match_id, "", "on purpose");
        });
    });
    assert!(failing.unwrap().join().is_err());
    let files = std::fs::read_dir(&folder).unwrap().map(|it| it.unwrap());
    let texts: Vec<(String, String)> = files
        .map(|it| {
            let text = std::fs::read_to_string(it.path()).unwrap();
            (it.file_name().into_string().unwrap(), text)
        })
        .collect();
    let log = texts.iter().find(|(name, _)| name == "server.log");
    assert!(log.unwrap().1.contains("match started"), "{texts:?}");
    let frames = texts.iter().filter(|(_, it)| it.contains("match_found"));
    assert_eq!(frames.count(), 2, "{texts:?}");
    std::fs::remove_dir_all(folder).unwrap();
}
