//! Throw-away accounts over real sockets: what they can do for somebody else.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::house::House;
use serde_json::{Value, json};

/// More wins than this against newcomers are for no stake: see `docs/economy.md`.
const STAKED_WINS: u64 = 5;

#[tokio::test]
async fn thirty_guests_who_resign_make_nobody_rich() {
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
