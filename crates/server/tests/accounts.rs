//! Account security: passwords, sign-ins, recovery, export, deletion, names.
//!
//! Promise: Ending a sign-in closes its sockets, and a stolen token changes no password.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use common::house::{Guest, House, pair};
use common::http;
use common::old::OldClient;
use common::player::Player;
use serde_json::{Value, json};

const SIGNED_OUT: Option<u16> = Some(4003);

impl House {
    /// Sets or changes the password. Returns the code of the refusal, if any.
    async fn set_password(&self, guest: &Guest, body: Value) -> Option<String> {
        let answer = self.post_as(guest, "/account/password", &body).await;
        match answer.status {
            204 => None,
            _ => answer.json()["error"].as_str().map(str::to_owned),
        }
    }

    async fn login(&self, login: &str, password: &str) -> Result<Guest, String> {
        let body = json!({ "login": login, "password": password });
        self.sign_in("/auth/login", &body).await
    }

    async fn sign_in(&self, path: &str, body: &Value) -> Result<Guest, String> {
        let answer = http::ask(self.address, "POST", path, "", &body.to_string()).await;
        let said = answer.json();
        let text = |key: &str| said[key].as_str().unwrap_or_default().to_owned();
        match answer.status {
            200 => Ok(Guest {
                token: text("authToken"),
                account_id: text("accountId"),
            }),
            _ => Err(text("error")),
        }
    }

    async fn delete(&self, guest: &Guest, path: &str) -> u16 {
        let head = format!("Authorization: Bearer {}\r\n", guest.token);
        http::ask(self.address, "DELETE", path, &head, "")
            .await
            .status
    }

    async fn is_signed_in(&self, guest: &Guest) -> bool {
        self.get_as(guest, "/auth/me").await.status == 200
    }

    /// The sign-ins of an account; the one that asks comes first.
    async fn sessions(&self, guest: &Guest) -> Vec<Value> {
        let answer = self.get_as(guest, "/account/sessions").await;
        let mut rows: Vec<Value> = answer.json().as_array().unwrap().clone();
        rows.sort_by_key(|row| row["current"] != true);
        rows
    }

    /// Makes the server believe that every password was given long ago.
    fn forget_proofs(&self) {
        self.home.meddle("UPDATE sign_ins SET proven_at = 1");
    }
}

fn credentials(password: &str) -> Value {
    json!({ "login": "Grom", "password": password })
}

#[tokio::test]
async fn changing_a_password_needs_the_old_one_or_a_recent_login() {
    let house = House::open().await;
    let guest = house.guest().await;
    let first = house
        .set_password(&guest, credentials("correct horse"))
        .await;
    assert_eq!(first, None, "an account without a password gets one");
    let stolen = house.set_password(&guest, credentials("taken over!")).await;
    assert_eq!(stolen.as_deref(), Some("password_needed"));
    let mut with_old = credentials("battery staple");
    with_old["current_password"] = json!("wrong horse");
    let wrong = house.set_password(&guest, with_old.clone()).await;
    assert_eq!(wrong.as_deref(), Some("wrong_password"));
    assert!(house.login("grom", "correct horse").await.is_ok());
    with_old["current_password"] = json!("correct horse");
    assert_eq!(house.set_password(&guest, with_old).await, None);
    assert_eq!(
        house.login("grom", "correct horse").await.unwrap_err(),
        "wrong_credentials"
    );
    let fresh = house.login("grom", "battery staple").await.unwrap();
    assert_eq!(
        house
            .set_password(&fresh, credentials("third password"))
            .await,
        None,
        "a recent sign-in is proof enough"
    );
    house.forget_proofs();
    let later = house
        .set_password(&fresh, credentials("fourth password"))
        .await;
    assert_eq!(later.as_deref(), Some("password_needed"));
}

#[tokio::test]
async fn a_changed_password_closes_all_other_sockets_at_once() {
    let house = House::open().await;
    let guest = house.guest().await;
    house
        .set_password(&guest, credentials("correct horse"))
        .await;
    let here = house.login("grom", "correct horse").await.unwrap();
    let mut native = Player::arrive(&house, guest.clone()).await;
    let mut old = OldClient::arrive(&house, &guest).await;
    let mut own = Player::arrive(&house, here.clone()).await;
    assert_eq!(
        house
            .set_password(&here, credentials("battery staple"))
            .await,
        None
    );
    assert_eq!(native.socket.closed().await, SIGNED_OUT);
    assert_eq!(old.socket.closed().await, SIGNED_OUT);
    own.ping().await;
    assert!(!house.is_signed_in(&guest).await);
    assert!(house.is_signed_in(&here).await);
}

#[tokio::test]
async fn sessions_are_listed_and_revoked_singly_or_together() {
    let house = House::open().await;
    let guest = house.guest().await;
    house
        .set_password(&guest, credentials("correct horse"))
        .await;
    let second = house.login("grom", "correct horse").await.unwrap();
    let third = house.login("grom", "correct horse").await.unwrap();
    let rows = house.sessions(&guest).await;
    let current: Vec<bool> = rows.iter().map(|it| it["current"] == true).collect();
    assert_eq!(current, [true, false, false], "{rows:?}");
    let mut socket = Player::arrive(&house, second.clone()).await;
    let id = house.sessions(&second).await[0]["id"].clone();
    let path = format!("/account/sessions/{}", id.as_str().unwrap());
    let stranger = house.guest().await;
    assert_eq!(
        house.delete(&stranger, &path).await,
        404,
        "it is another account's session"
    );
    socket.ping().await;
    assert_eq!(house.delete(&guest, &path).await, 204);
    assert_eq!(socket.socket.closed().await, SIGNED_OUT);
    assert!(!house.is_signed_in(&second).await);
    assert_eq!(house.delete(&guest, &path).await, 404, "it is gone");
    let mut socket = Player::arrive(&house, third.clone()).await;
    assert_eq!(house.delete(&guest, "/account/sessions").await, 204);
    assert_eq!(socket.socket.closed().await, SIGNED_OUT);
    assert_eq!(house.sessions(&guest).await.len(), 1);
}

#[tokio::test]
async fn logging_out_closes_the_sockets_of_this_device_and_no_others() {
    let house = House::open().await;
    let guest = house.guest().await;
    house
        .set_password(&guest, credentials("correct horse"))
        .await;
    let other = house.login("grom", "correct horse").await.unwrap();
    let mut leaving = Player::connect(&house, guest.clone()).await;
    let ticket = house
        .post_as(&guest, "/auth/ticket", &json!({}))
        .await
        .json();
    let hello = json!({ "type": "hello", "protocol": 1, "ticket": ticket["ticket"] });
    leaving.say(&hello).await;
    leaving.until_type("welcome").await;
    let mut staying = Player::arrive(&house, other.clone()).await;
    let unused = house
        .post_as(&guest, "/auth/ticket", &json!({}))
        .await
        .json();
    let out = house.post_as(&guest, "/auth/logout", &json!({})).await;
    assert_eq!(out.status, 204);
    assert_eq!(leaving.socket.closed().await, SIGNED_OUT);
    staying.ping().await;
    let mut late = Player::connect(&house, guest.clone()).await;
    late.say(&json!({ "type": "hello", "protocol": 1, "ticket": unused["ticket"] }))
        .await;
    assert_eq!(late.until_error().await["code"], "unauthorized");
}

#[tokio::test]
async fn a_guest_who_keeps_playing_keeps_the_account() {
    let house = House::open().await;
    let guest = house.guest().await;
    // Ninety days have almost passed since the token was created.
    house.home.meddle(
        "UPDATE sign_ins SET last_seen_at = 1, \
         expires_at = 60000 + (SELECT max(created_at) FROM sign_ins)",
    );
    assert!(house.is_signed_in(&guest).await);
    let left = house.sessions(&guest).await[0].clone();
    let days = (left["expires_ms"].as_u64().unwrap() - left["created_ms"].as_u64().unwrap())
        / (24 * 3_600_000);
    assert!(days >= 89, "{left}");
}

#[tokio::test]
async fn a_rotation_whose_answer_is_lost_can_be_repeated() {
    let house = House::open().await;
    let guest = house.guest().await;
    let rotate = async |guest: &Guest| {
        let answer = house.post_as(guest, "/auth/rotate", &json!({})).await;
        let token = answer.json()["authToken"].as_str().map(str::to_owned);
        token.map(|token| Guest {
            token,
            ..guest.clone()
        })
    };
    house
        .home
        .meddle("UPDATE tokens SET created_at = created_at - 100000");
    rotate(&guest).await.unwrap();
    assert!(
        house.is_signed_in(&guest).await,
        "the answer was lost, and the old token still works"
    );
    let next = rotate(&guest).await.unwrap();
    let mut socket = Player::arrive(&house, guest.clone()).await;
    assert!(house.is_signed_in(&next).await);
    assert!(!house.is_signed_in(&guest).await, "the new one was used");
    socket.ping().await;
    let rows = house.sessions(&next).await;
    assert_eq!(rows.len(), 1, "it is the same session: {rows:?}");
}

#[tokio::test]
async fn a_recovery_code_sets_a_new_password_once_and_ends_all_sessions() {
    let house = House::open().await;
    let guest = house.guest().await;
    house
        .set_password(&guest, credentials("correct horse"))
        .await;
    let refused = house
        .post_as(&guest, "/account/recovery-codes", &json!({}))
        .await;
    assert_eq!(refused.status, 403, "{}", refused.text());
    let proof = json!({ "current_password": "correct horse" });
    let made = house
        .post_as(&guest, "/account/recovery-codes", &proof)
        .await
        .json();
    let codes = made["codes"].as_array().unwrap();
    assert_eq!(codes.len(), 10);
    let mut socket = Player::arrive(&house, guest.clone()).await;
    let mut body = credentials("battery staple");
    body["code"] = codes[3].clone();
    let recovered = house.sign_in("/auth/recover", &body).await.unwrap();
    assert_eq!(recovered.account_id, guest.account_id);
    assert_eq!(socket.socket.closed().await, SIGNED_OUT);
    assert!(!house.is_signed_in(&guest).await);
    assert!(house.login("grom", "battery staple").await.is_ok());
    let again = house.sign_in("/auth/recover", &body).await;
    assert_eq!(again.unwrap_err(), "wrong_recovery_code");
}

#[tokio::test]
async fn an_export_is_complete_and_a_deleted_account_leaves_nothing() {
    let house = House::open().await;
    let (mut a, mut b) = (house.player().await, house.player().await);
    house.rename(&a.guest, "Grom").await;
    pair(&mut a, &mut b).await;
    let in_match = house.post_as(&a.guest, "/account/delete", &json!({})).await;
    assert_eq!(
        (in_match.status, in_match.json()["error"].as_str()),
        (409, Some("already_in_match"))
    );
    a.resign().await;
    a.until_end().await;
    b.until_end().await;
    let export = house.get_as(&a.guest, "/account/export").await.json();
    assert_eq!(export["account"]["nickname"], "Grom");
    assert_eq!(export["matches"][0]["match_id"], a.match_id);
    assert_eq!(export["matches"][0]["result"], "loss");
    let booked: i64 = export["ledger"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["amount"].as_i64().unwrap())
        .sum();
    assert_eq!(export["account"]["tokens"], booked);
    assert_eq!(export["sessions"].as_array().unwrap().len(), 1);
    let deleted = house.post_as(&a.guest, "/account/delete", &json!({})).await;
    assert_eq!(deleted.status, 204, "{}", deleted.text());
    assert_eq!(a.socket.closed().await, SIGNED_OUT);
    assert!(!house.is_signed_in(&a.guest).await);
    let page = house
        .get(&format!("/api/matches/{}", a.match_id))
        .await
        .text();
    assert!(!page.contains("Grom"), "{page}");
    let history = house.get_as(&b.guest, "/account/history").await.json();
    assert_eq!(history[0]["opponent"], "deleted player");
    house.check_books();
    assert_eq!(
        house.rename(&b.guest, "Grom").await.status,
        200,
        "the name is free"
    );
}

// Promise: No two accounts have names that a person cannot tell apart.
#[tokio::test]
async fn a_name_that_looks_like_a_taken_or_reserved_one_is_refused() {
    let house = House::open().await;
    let (a, b) = (house.guest().await, house.guest().await);
    assert_eq!(house.rename(&a, "paypal").await.status, 200);
    for (name, status, code) in [
        ("PayPaI", 409, "nickname_taken"),
        ("paypa1", 409, "nickname_taken"),
        ("pаypal", 400, "invalid_nickname"),
        ("pay\u{200b}pal", 400, "invalid_nickname"),
        ("Adm1n", 400, "nickname_reserved"),
        ("Heuristic", 400, "nickname_reserved"),
    ] {
        let answer = house.rename(&b, name).await;
        assert_eq!(
            (answer.status, answer.json()["error"].as_str()),
            (status, Some(code)),
            "{name}"
        );
    }
    assert_eq!(house.rename(&b, "Пейпал").await.status, 200);
}
