//! Throw-away accounts over real sockets: the gains they can make for another account.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use common::house::House;
use common::player::Player;
use serde_json::{Value, json};

/// Further wins against newcomers are without a stake: see `docs/economy.md`.
const STAKED_WINS: u64 = 5;

// Promise: Throw-away accounts earn another account nothing beyond the stated bound.
#[tokio::test]
async fn thirty_resigning_guests_make_no_account_rich() {
    let house = House::open().await;
    let mut star = house.player().await;
    for nth in 0..30 {
        let mut guest = house.player().await;
        star.queue().await;
        guest.queue().await;
        let found = star.until_type("match_found").await;
        let (stake, bound) = match nth < STAKED_WINS {
            true => (1, Value::Null),
            false => (0, json!("newcomer_tokens")),
        };
        assert_eq!(
            (&found["stake"], &found["pot"]),
            (&json!(stake), &json!(2 * stake))
        );
        assert_eq!(found["stake_bound"], bound, "{found}");
        guest.until_seated().await;
        guest.resign().await;
        let end = star.until_end().await;
        let standing = &end["standing"];
        assert_eq!(
            (&standing["points_change"], &standing["played"]),
            (&json!(0), &json!(false))
        );
        guest.until_end().await;
        assert_eq!(house.tokens(&guest.guest).await, 10 - stake);
    }
    assert_eq!(house.tokens(&star.guest).await, 10 + STAKED_WINS);
    assert_eq!(house.me(&star.guest).await["rating"], 0);
    house.check_books();
}

/// Opens a lobby with this order, seats all players and returns the host's `match_found`.
async fn found_at_lobby(house: &House, order: &Value, players: &mut [&mut Player]) -> Value {
    let opened = house.post_as(&players[0].guest, "/api/tables", order).await;
    assert_eq!(opened.status, 201, "{}", opened.text());
    let join = json!({ "type": "table_join", "code": opened.json()["code"] });
    for player in players.iter_mut() {
        player.say(&join).await;
    }
    players[0].until_seated().await;
    last_found(players[0])
}

/// The last `match_found` that a player received.
fn last_found(player: &Player) -> Value {
    let is_found = |it: &&String| it.starts_with(r#"{"type":"match_found""#);
    let found = player.heard.iter().rev().find(is_found).unwrap();
    serde_json::from_str(found).unwrap()
}

fn assert_counts_for_nothing(found: &Value) {
    assert_eq!(
        (&found["rated"], &found["stake"], &found["pot"]),
        (&json!(false), &json!(0), &json!(0)),
        "{found}"
    );
    assert_eq!(
        (&found["stake_bound"], &found["rating_bound"]),
        (&json!("test_match"), &json!("test_match")),
        "{found}"
    );
}

async fn ask(player: &mut Player, word: &str) -> Value {
    let seq = player.ask(&json!({ "actions": [word] })).await;
    player.until_ack(seq).await
}

/// Asks for the standing until it is as wanted: an earlier one may arrive first.
async fn until_standing(player: &mut Player, wanted: impl Fn(&Value) -> bool) -> Value {
    let match_id = player.match_id.clone();
    let resync = json!({ "type": "resync", "match_id": match_id, "seen": 0 });
    loop {
        player.say(&resync).await;
        let told = player.until_message("standing").await;
        if wanted(&told) {
            return told;
        }
    }
}

// Promise: A match with forced chance counts nowhere: no stake, rating, statistic or dataset.
#[tokio::test]
async fn a_test_match_at_a_table_is_unstaked_unrated_and_counts_nowhere() {
    let mut house = House::open().await;
    let (mut a, mut b) = (house.player().await, house.player().await);
    let order = json!({ "game": "catan", "setup": { "test": true }, "seats": ["host", "guest"] });
    let found = found_at_lobby(&house, &order, &mut [&mut a, &mut b]).await;
    assert_counts_for_nothing(&found);
    b.until_seated().await;
    // In seat order and back again, a settlement and a road each.
    let placements = [
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
        (1, 2),
        (1, 3),
        (0, 2),
        (0, 3),
    ];
    for (seat, n_placed) in placements {
        let player = if seat == 0 { &mut a } else { &mut b };
        let decides = |it: &Value| {
            let own = &it["view"]["players"][seat];
            let n = |key: &str| own[key].as_array().map_or(0, Vec::len);
            it["legal"][0].is_string() && n("settlements") + n("roads") == n_placed
        };
        let told = until_standing(player, decides).await;
        let answer = ask(player, told["legal"][0].as_str().unwrap()).await;
        assert_eq!(answer["code"], Value::Null, "{answer}");
    }
    let answer = ask(&mut a, "roll:6+5").await;
    assert_eq!(answer["code"], Value::Null, "{answer}");

    house.restart().await;
    let (mut a, mut b) = (a.come_back(&house).await, b.come_back(&house).await);
    assert_counts_for_nothing(&last_found(&a));
    until_standing(&mut a, |it| it["view"]["dice"] == json!([6, 5])).await;
    b.resign().await;
    let end = a.until_end().await;
    assert_eq!(
        (&end["share"], &end["standing"]),
        (&json!(0), &Value::Null),
        "{end}"
    );
    b.until_end().await;
    for player in [&a, &b] {
        assert_eq!(house.tokens(&player.guest).await, 10);
        assert_eq!(
            house.me(&player.guest).await["stats"]["totalBattles"],
            json!(0)
        );
    }
    house.check_books();
    let ranks = house.get("/api/leaderboard/catan").await.json();
    assert!(!ranks.to_string().contains(&a.guest.account_id), "{ranks}");
    let record = house.record_of(&a).await;
    let report = kernel::record::verify::<catalog::Catan>(&record.body).unwrap();
    assert_eq!(report.test.map(|it| it.n_forced), Some(1));

    a.say(&json!({ "type": "rematch", "match_id": a.match_id }))
        .await;
    b.say(&json!({ "type": "rematch", "match_id": b.match_id }))
        .await;
    assert_counts_for_nothing(&a.until_type("match_found").await);
}

#[tokio::test]
async fn a_test_match_counts_for_nothing_against_bots_and_at_one_screen_too() {
    let house = House::open().await;
    for seats in [
        json!(["host", { "bot": "random" }]),
        json!(["host", "beside"]),
    ] {
        let mut player = house.player().await;
        let order = json!({ "game": "catan", "setup": { "test": true }, "seats": seats });
        let opened = house.post_as(&player.guest, "/api/tables", &order).await;
        assert_eq!(opened.status, 201, "{}", opened.text());
        player
            .say(&json!({ "type": "table_join", "code": opened.json()["code"] }))
            .await;
        assert_counts_for_nothing(&player.until_type("match_found").await);
    }
}

#[tokio::test]
async fn an_ordinary_match_refuses_a_forced_roll() {
    let house = House::open().await;
    let mut player = house.player().await;
    let order = json!({ "game": "catan", "seats": ["host", { "bot": "random" }] });
    let found = found_at_lobby(&house, &order, &mut [&mut player]).await;
    assert_eq!(
        (&found["stake_bound"], &found["rating_bound"]),
        (&Value::Null, &Value::Null)
    );
    let answer = ask(&mut player, "roll:6+5").await;
    assert_eq!(answer["code"], "needs_test_setup", "{answer}");
}
