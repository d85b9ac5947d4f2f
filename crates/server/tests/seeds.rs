//! Seeds drawn jointly by the server and the players, over real sockets.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use catalog::Orcain;
use common::house::House;
use common::player::{Player, round};
use kernel::record::{self, Chance};
use serde_json::{Value, json};

/// A new player and the commitment it received.
async fn arrive(house: &House) -> (Player, Value) {
    let mut player = Player::connect(house, house.guest().await).await;
    let welcome = player.hello(None).await;
    (player, welcome["seed_commitment"].clone())
}

async fn contribute(player: &mut Player, commitment: &Value, byte: &str) {
    let contribution = byte.repeat(32);
    let message = json!({
        "type": "contribute", "commitment": commitment, "contribution": contribution,
    });
    player.say(&message).await;
    player.ping().await;
}

/// Pairs two players, however far apart their ratings are. Returns the first player's
/// `match_found`.
async fn pair(house: &House, a: &mut Player, b: &mut Player) -> Value {
    a.queue().await;
    b.queue().await;
    house.pass(10_000);
    a.until_seated().await;
    b.until_seated().await;
    let mut heard = a.heard.iter().rev();
    let found = heard.find(|it| it.starts_with("{\"type\":\"match_found\""));
    serde_json::from_str(found.unwrap()).unwrap()
}

async fn play_out(a: &mut Player, b: &mut Player) -> Value {
    for _ in 0..3 {
        round(a, b, "ADH", "HDC").await;
    }
    b.until_end().await;
    a.until_end().await
}

/// Verifies a record. Returns how its seed is proven, and its header.
async fn proof(house: &House, player: &Player) -> (Chance, Value) {
    let answer = house.record_of(player).await;
    let report = record::verify::<Orcain>(&answer.body).unwrap();
    let header = answer.body.split(|it| *it == b'\n').next().unwrap();
    (report.chance, serde_json::from_slice(header).unwrap())
}

// Promise: No side alone chooses a jointly drawn seed, and no contribution is left out.
#[tokio::test]
async fn players_and_server_draw_a_seed_jointly_even_across_a_crash() {
    let mut house = House::open().await;
    let (mut a, for_a) = arrive(&house).await;
    let (mut b, for_b) = arrive(&house).await;
    contribute(&mut a, &for_a, "a1").await;
    contribute(&mut b, &for_b, "b2").await;
    let found = pair(&house, &mut a, &mut b).await;
    let expected = json!([
        { "commitment": for_a, "contribution": "a1".repeat(32), "seat": 0 },
        { "commitment": for_b, "contribution": "b2".repeat(32), "seat": 1 },
    ]);
    assert_eq!(found["contributions"], expected);
    house.crash();
    house.restart().await;
    let (mut a, mut b) = (a.come_back(&house).await, b.come_back(&house).await);
    let end = play_out(&mut a, &mut b).await;
    let parts = end["opening"]["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 2);
    let (chance, header) = proof(&house, &a).await;
    assert_eq!(chance, Chance::Joint);
    assert_eq!(header["contributions"], expected);
    let page = house.get(&format!("/api/matches/{}", a.match_id)).await;
    assert_eq!(page.json()["opening"], end["opening"]);
}

#[tokio::test]
async fn a_contribution_counts_for_one_match_and_the_next_commitment_comes_with_it() {
    let house = House::open().await;
    let (mut a, first) = arrive(&house).await;
    let (mut b, _) = arrive(&house).await;
    contribute(&mut a, &first, "a1").await;
    let found = pair(&house, &mut a, &mut b).await;
    assert_eq!(found["contributions"].as_array().unwrap().len(), 1);
    let second = found["seed_commitment"].clone();
    assert_ne!(second, first);
    play_out(&mut a, &mut b).await;
    assert_eq!(proof(&house, &a).await.0, Chance::Joint);

    // A used commitment is refused, and contributing is optional.
    let stale = json!({
        "type": "contribute", "commitment": first, "contribution": "a1".repeat(32),
    });
    a.say(&stale).await;
    assert_eq!(a.until_error().await["code"], "seed_offer_unknown");
    let found = pair(&house, &mut a, &mut b).await;
    assert_eq!(found["contributions"], json!([]));
    assert_eq!(found["seed_commitment"], second);
    play_out(&mut a, &mut b).await;
    let (chance, header) = proof(&house, &a).await;
    assert_eq!(chance, Chance::Revealed);
    assert!(header.get("contributions").is_none(), "{header}");

    contribute(&mut a, &second, "a2").await;
    let found = pair(&house, &mut a, &mut b).await;
    assert_eq!(found["contributions"][0]["contribution"], "a2".repeat(32));
}
