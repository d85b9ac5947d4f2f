//! Decisions of operators while a server runs, and how fast it acts on them.
//!
//! Promise: Every decision of an operator is in the audit log, and a running server sees it.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use common::house::{Guest, House};
use common::old::OldClient;
use common::player::Player;
use common::until;
use store::{Account, Decision, MatchState, SanctionKind, Tx};
use uuid::Uuid;

const BANNED: Option<u16> = Some(4004);

fn decision() -> Decision {
    Decision {
        operator: "ann".to_owned(),
        reason: "a complaint".to_owned(),
        at: 1,
    }
}

fn number(house: &House, guest: &Guest) -> Account {
    let id = Uuid::parse_str(&guest.account_id).unwrap();
    let row = house.home.read(move |tx| tx.account_by_public_id(id));
    row.unwrap().account
}

/// Does what `referee moderate` does, while the server runs.
fn impose(house: &House, account: Account, kind: SanctionKind) {
    let work = |tx: &mut Tx<'_>| tx.attempt(|tx| tx.impose(account, kind, None, &decision()));
    house.home.maintain(work).unwrap();
}

#[tokio::test]
async fn a_banned_account_is_disconnected_until_the_ban_ends() {
    let house = House::open().await;
    let guest = house.guest().await;
    let account = number(&house, &guest);
    let mut native = Player::arrive(&house, guest.clone()).await;
    let mut old = OldClient::arrive(&house, &guest).await;
    let mut other = house.player().await;
    impose(&house, account, SanctionKind::Ban);
    assert_eq!(native.socket.closed().await, BANNED);
    assert_eq!(old.socket.closed().await, BANNED);
    other.ping().await;
    let me = house.get_as(&guest, "/auth/me").await;
    assert_eq!(
        (me.status, me.json()["error"].as_str()),
        (403, Some("account_banned"))
    );
    let mut again = Player::connect(&house, guest.clone()).await;
    let hello = serde_json::json!({ "type": "hello", "protocol": 1, "token": guest.token });
    again.say(&hello).await;
    assert_eq!(again.until_error().await["code"], "account_banned");
    let lifted = |tx: &mut Tx<'_>| tx.lift(account, SanctionKind::Ban, &decision());
    assert!(house.home.maintain(lifted));
    assert_eq!(
        house.get_as(&guest, "/auth/me").await.status,
        200,
        "the token still works"
    );
}

#[tokio::test]
async fn a_match_voided_by_an_operator_returns_the_stakes() {
    let house = House::open().await;
    let (mut a, mut b) = house.duel().await;
    let game_id = a.match_id.parse().unwrap();
    let void = |tx: &mut Tx<'_>| tx.attempt(|tx| tx.void_match(game_id, &decision()));
    house.home.maintain(void).unwrap();
    for player in [&mut a, &mut b] {
        player.until_end().await;
        assert_eq!(house.tokens(&player.guest).await, 10);
    }
    let stored = house.home.read(move |tx| tx.stored_match(game_id)).unwrap();
    assert_eq!(stored.state, MatchState::Void);
    house.check_books();
    until("the players are free", async || {
        house.census().n_seated == 0
    })
    .await;
}

#[tokio::test]
async fn an_order_given_while_the_server_was_down_is_carried_out_at_startup() {
    let mut house = House::open().await;
    let (a, _b) = house.duel().await;
    let game_id = a.match_id.parse().unwrap();
    house.crash();
    let void = |tx: &mut Tx<'_>| tx.attempt(|tx| tx.void_match(game_id, &decision()));
    house.home.maintain(void).unwrap();
    house.restart().await;
    let state = || {
        house
            .home
            .read(move |tx| tx.stored_match(game_id))
            .unwrap()
            .state
    };
    until("the match is void", async || state() == MatchState::Void).await;
}

#[tokio::test]
async fn a_muted_account_plays_without_its_name() {
    let house = House::open().await;
    let (mut a, mut b) = (house.player().await, house.player().await);
    house.rename(&a.guest, "Grom").await;
    impose(&house, number(&house, &a.guest), SanctionKind::Mute);
    a.queue().await;
    b.queue().await;
    let found = b.until_type("match_found").await;
    assert!(!found.to_string().contains("Grom"), "{found}");
    assert_eq!(
        house.me(&a.guest).await["nickname"],
        "Grom",
        "the player still sees their own name"
    );
}
