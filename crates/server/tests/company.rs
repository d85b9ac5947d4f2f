//! Rematches, shared screens, matches against bots, leaving, and several connections.
//!
//! Promise: An account with several connections waits, plays and is answered over the right one.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use common::house::{House, lobby};
use common::old::OldClient;
use common::player::Player;
use common::until;
use serde_json::{Value, json};

async fn house() -> House {
    House::with(|options| {
        options.bot_beat_ms = Some(0);
        options.messages_per_second = Some(5_000);
    })
    .await
}

async fn ask(player: &mut Player, words: &[&str]) -> Value {
    let seq = player.ask(&json!({ "actions": words })).await;
    player.until_ack(seq).await
}

/// Sends a message about the last match found.
async fn say(player: &mut Player, kind: &str) {
    let match_id = player.match_id.clone();
    player
        .say(&json!({ "type": kind, "match_id": match_id }))
        .await;
}

async fn both_end(a: &mut Player, b: &mut Player) {
    a.resign().await;
    a.until_end().await;
    b.until_end().await;
}

#[tokio::test]
async fn a_rematch_after_a_lobby_starts_when_both_want_it_and_they_swap_seats() {
    let house = house().await;
    let (mut a, mut b) = (house.player().await, house.player().await);
    let order = json!({ "game": "catan", "setup": { "vp_to_win": 7 }, "seats": ["host", "guest"] });
    lobby(&house, &order, &mut [&mut a, &mut b]).await;
    both_end(&mut a, &mut b).await;
    let first = a.match_id.clone();
    say(&mut a, "rematch").await;
    for player in [&mut a, &mut b] {
        let wish = player.until_type("rematch").await;
        assert_eq!(
            (&wish["wanted_by"], &wish["missing"], &wish["away"]),
            (&json!([0]), &json!([1]), &json!([])),
            "{wish}"
        );
    }
    say(&mut b, "rematch").await;
    let standing = a.until_seated().await;
    b.until_seated().await;
    assert_eq!(
        (a.seat, b.seat),
        (1, 0),
        "the other player begins this time"
    );
    assert_eq!(a.match_id, b.match_id);
    assert_ne!(a.match_id, first);
    assert_eq!(
        standing["view"]["vp_to_win"], 7,
        "the same setup: {standing}"
    );
}

#[tokio::test]
async fn a_rematch_after_an_invitation_is_for_the_same_stake() {
    let house = house().await;
    let (mut a, mut b) = (house.player().await, house.player().await);
    a.say(&json!({ "type": "invite_create", "game": "orcain", "stake": 1 }))
        .await;
    let code = a.until_type("invited").await["code"].clone();
    b.say(&json!({ "type": "invite_accept", "code": code }))
        .await;
    a.until_seated().await;
    b.until_seated().await;
    both_end(&mut a, &mut b).await;
    say(&mut b, "rematch").await;
    say(&mut a, "rematch").await;
    a.until_seated().await;
    b.until_seated().await;
    assert_eq!((a.seat, b.seat), (1, 0));
    let tokens = (house.tokens(&a.guest).await, house.tokens(&b.guest).await);
    assert_eq!(tokens, (8, 10), "one lost, and both have staked again");
}

#[tokio::test]
async fn a_rematch_against_bots_starts_at_once() {
    let house = house().await;
    let mut player = house.player().await;
    let order = json!({
        "game": "stellar",
        "setup": { "scenario": "three_crowns", "seed": 5 },
        "seats": [{ "bot": "random" }, "host", { "bot": "random" }],
    });
    lobby(&house, &order, &mut [&mut player]).await;
    let first = player.match_id.clone();
    player.resign().await;
    player.until_type("left").await;
    say(&mut player, "rematch").await;
    let refused = player.until_error().await;
    assert_eq!(
        refused["code"], "rematch_unknown",
        "the match continues without them"
    );
    player
        .say(&json!({ "type": "play_bot", "game": "catan", "bot": "random" }))
        .await;
    player.until_seated().await;
    player.resign().await;
    player.until_end().await;
    say(&mut player, "rematch").await;
    player.until_seated().await;
    assert_ne!(player.match_id, first);
    assert_eq!(player.seat, 0);
}

#[tokio::test]
async fn a_rematch_can_be_declined_and_strangers_cannot_ask_for_it() {
    let house = house().await;
    let (mut a, mut b) = house.duel().await;
    both_end(&mut a, &mut b).await;
    say(&mut a, "rematch").await;
    b.until_type("rematch").await;
    say(&mut b, "rematch_decline").await;
    let off = a.until_type("rematch_off").await;
    assert_eq!(off["reason"], "declined");
    let mut stranger = house.player().await;
    stranger.match_id.clone_from(&a.match_id);
    say(&mut stranger, "rematch").await;
    assert_eq!(stranger.until_error().await["code"], "rematch_unknown");
    say(&mut a, "rematch").await;
    a.until_type("rematch").await;
    drop(a.socket);
    common::until("the first to be gone", || async {
        house.census().n_connections == 2
    })
    .await;
    say(&mut b, "rematch").await;
    let wish = b
        .until(|it| it["type"] == "rematch" && it["wanted_by"] == json!([1]))
        .await;
    assert_eq!(
        wish["away"],
        json!([0]),
        "a player who has gone wants nothing: {wish}"
    );
}

#[tokio::test]
async fn the_history_is_paged_by_the_number_of_its_rows() {
    let house = house().await;
    let mut player = house.player().await;
    for game in ["catan", "orcain", "stellar"] {
        player
            .say(&json!({ "type": "play_bot", "game": game, "bot": "random" }))
            .await;
        player.until_seated().await;
        player.resign().await;
        player.until_end().await;
    }
    let mut games = Vec::new();
    let mut before = String::new();
    loop {
        let path = format!("/account/history?limit=1{before}");
        let rows = house.get_as(&player.guest, &path).await.json();
        let Some(row) = rows.as_array().unwrap().first().cloned() else {
            break;
        };
        before = format!("&before={}", row["number"]);
        games.push((row["game"].clone(), row["mode"].clone()));
    }
    let pve = |game: &str| (json!(game), json!("pve"));
    assert_eq!(games, [pve("stellar"), pve("orcain"), pve("catan")]);
}

/// Opens a Catan lobby with two people at one screen; no hand has been sent yet.
async fn hotseat(house: &House) -> Player {
    let mut player = house.player().await;
    let order = json!({ "game": "catan", "seats": ["host", "beside"] });
    let opened = house.post_as(&player.guest, "/api/tables", &order).await;
    assert_eq!(opened.status, 201, "{}", opened.text());
    let code = opened.json()["code"].clone();
    player
        .say(&json!({ "type": "table_join", "code": code }))
        .await;
    let found = player.until_type("match_found").await;
    assert_eq!(
        (&found["own_seats"], &found["curtain"], &found["seat"]),
        (&json!([0, 1]), &json!(true), &json!(0)),
        "{found}"
    );
    player.match_id = found["match_id"].as_str().unwrap().to_owned();
    player
}

/// The player of a seat sits down and receives the standing.
async fn sit(player: &mut Player, seat: u64) -> Value {
    let match_id = player.match_id.clone();
    player
        .say(&json!({ "type": "sit", "match_id": match_id, "seat": seat }))
        .await;
    let standing = player.until_seated().await;
    assert_eq!(player.seat, seat);
    standing
}

/// The first legal word.
fn first(standing: &Value) -> String {
    standing["legal"][0].as_str().unwrap().to_owned()
}

/// The seats whose views arrived since a point in time.
fn seats_seen(player: &Player, from: usize) -> Vec<u64> {
    let messages = player.heard[from..].iter();
    let messages = messages.map(|it| serde_json::from_str::<Value>(it).unwrap());
    let players = messages.filter_map(|it| it["message"]["view"]["players"].as_array().cloned());
    let own = |players: Vec<Value>| (0..2).filter(move |&it| players[it]["own"] != Value::Null);
    let mut seen: Vec<u64> = players.flat_map(own).map(|it| it as u64).collect();
    seen.dedup();
    seen
}

// Promise: At a shared screen only the hand of the player in front is shown.
#[tokio::test]
async fn a_shared_screen_receives_only_the_view_of_the_player_in_front() {
    let house = house().await;
    let mut screen = hotseat(&house).await;
    let seq = screen.ask(&json!({ "actions": ["first-settle:31"] })).await;
    let refused = screen.until_error().await;
    assert_eq!(
        (&refused["code"], &refused["seq"]),
        (&json!("wrong_seat"), &json!(seq)),
        "nobody sits there yet"
    );
    screen.ping().await;
    assert_eq!(seats_seen(&screen, 0), [0; 0], "the curtain is drawn");
    let mut standing = sit(&mut screen, 0).await;
    for seat in [0, 1, 1, 0] {
        if screen.seat != seat {
            let from = screen.heard.len();
            standing = sit(&mut screen, seat).await;
            assert_eq!(seats_seen(&screen, from), [seat]);
        }
        let from = screen.heard.len();
        assert_eq!(ask(&mut screen, &[&first(&standing)]).await["taken"], true);
        standing = stand(&mut screen).await;
        assert_eq!(ask(&mut screen, &[&first(&standing)]).await["taken"], true);
        let match_id = screen.match_id.clone();
        let other = json!({ "type": "sit", "match_id": match_id, "seat": 7 });
        screen.say(&other).await;
        assert_eq!(screen.until_error().await["code"], "wrong_seat");
        standing = stand(&mut screen).await;
        assert_eq!(
            seats_seen(&screen, from),
            [seat],
            "only the player in front receives a view"
        );
    }
    assert_eq!(standing["view"]["phase"], "ROLL");
    let spectator = house.spectator(&screen.match_id).await;
    assert_eq!(seats_seen(&spectator, 0), [0; 0]);
    let names = house.get("/api/lobby").await.json()["live"][0]["players"].clone();
    assert_eq!(
        (&names[0]["name"], &names[1]["name"]),
        (&json!("(1)"), &json!("(2)"))
    );
}

/// Requests the standing again.
async fn stand(player: &mut Player) -> Value {
    let match_id = player.match_id.clone();
    player
        .say(&json!({ "type": "resync", "match_id": match_id, "seen": 0 }))
        .await;
    player.until_message("standing").await
}

#[tokio::test]
async fn a_player_cannot_sit_down_before_the_match_waits_for_them() {
    let house = house().await;
    let mut screen = hotseat(&house).await;
    let match_id = screen.match_id.clone();
    screen
        .say(&json!({ "type": "sit", "match_id": match_id, "seat": 1 }))
        .await;
    assert_eq!(screen.until_error().await["code"], "wrong_seat");
    sit(&mut screen, 0).await;
}

#[tokio::test]
async fn a_match_at_one_screen_survives_a_crash_and_counts_for_nobody() {
    let mut house = house().await;
    let mut screen = hotseat(&house).await;
    let standing = sit(&mut screen, 0).await;
    assert_eq!(ask(&mut screen, &[&first(&standing)]).await["taken"], true);
    house.crash();
    house.restart().await;
    let mut again = Player::connect(&house, screen.guest.clone()).await;
    again.hello(None).await;
    let found = again.until_type("match_found").await;
    assert_eq!(
        (&found["curtain"], &found["seat"]),
        (&json!(true), &json!(0))
    );
    again.match_id.clone_from(&screen.match_id);
    let standing = sit(&mut again, 0).await;
    assert_eq!(standing["view"]["phase"], "SETUP_ROAD", "{standing}");
    again.resign().await;
    let end = again.until_end().await;
    assert_eq!(
        (&end["outcome"]["winners"], &end["standing"]),
        (&json!([1]), &Value::Null),
        "{end}"
    );
    let me = house.me(&again.guest).await;
    assert_eq!(
        (&me["stats"]["totalBattles"], &me["tokens"]),
        (&json!(0), &json!(10)),
        "{me}"
    );
    let history = house.get_as(&again.guest, "/account/history").await.json();
    assert_eq!(history[0]["mode"], "hotseat", "{history}");
    say(&mut again, "rematch").await;
    let found = again.until_type("match_found").await;
    assert_eq!(found["own_seats"], json!([0, 1]));
}

#[tokio::test]
async fn a_lobby_at_one_screen_is_refused_where_it_makes_no_sense() {
    let house = house().await;
    let guest = house.guest().await;
    for (order, code) in [
        (
            json!({ "game": "orcain", "seats": ["host", "beside"] }),
            "no_hotseat",
        ),
        (
            json!({ "game": "stellar", "seats": ["host", "beside"] }),
            "no_hotseat",
        ),
        (
            json!({ "game": "catan", "seats": ["beside", "beside"] }),
            "wrong_seats",
        ),
    ] {
        let refused = house.post_as(&guest, "/api/tables", &order).await;
        assert_eq!(
            (refused.status, &refused.json()["error"]),
            (400, &json!(code))
        );
    }
}

// Promise: A bot shows its evaluation only to a player without human opponents.
#[tokio::test]
async fn evaluations_are_sent_only_in_matches_against_bots() {
    let house = house().await;
    for (game, bot, opinion) in [
        ("catan", "heuristic", true),
        ("catan", "random", false),
        ("orcain", "equilibrium", true),
        ("stellar", "balanced", false),
    ] {
        let mut player = house.player().await;
        player
            .say(&json!({ "type": "play_bot", "game": game, "bot": bot }))
            .await;
        player.until_seated().await;
        say(&mut player, "chances").await;
        let told = player.until_type("chances").await;
        if opinion {
            let chances = told["win_permille"].as_array().unwrap();
            let sum: u64 = chances.iter().map(|it| it.as_u64().unwrap()).sum();
            assert_eq!((chances.len(), sum, &told["by"]), (2, 1_000, &json!(bot)));
        } else {
            assert_eq!(
                (&told["win_permille"], &told["by"]),
                (&Value::Null, &Value::Null)
            );
        }
    }
    let (mut a, _b) = house.duel().await;
    say(&mut a, "chances").await;
    assert_eq!(a.until_error().await["code"], "chances_between_people");
    let mut screen = hotseat(&house).await;
    sit(&mut screen, 0).await;
    say(&mut screen, "chances").await;
    assert_eq!(screen.until_error().await["code"], "chances_between_people");
    let (mut c, mut d) = (house.player().await, house.player().await);
    let order = json!({
        "game": "stellar",
        "setup": { "scenario": "three_crowns", "seed": 5 },
        "seats": ["host", { "bot": "balanced" }, "guest"],
    });
    lobby(&house, &order, &mut [&mut c, &mut d]).await;
    say(&mut c, "chances").await;
    assert_eq!(c.until_error().await["code"], "chances_between_people");
}

// Promise: A player who has left a match is free for another.
#[tokio::test]
async fn a_player_who_leaves_a_match_of_three_can_join_another() {
    let mut house = house().await;
    let (mut a, mut b) = (house.player().await, house.player().await);
    let order = json!({
        "game": "stellar",
        "setup": { "scenario": "three_crowns", "seed": 5 },
        "seats": ["host", { "bot": "random" }, "guest"],
    });
    lobby(&house, &order, &mut [&mut a, &mut b]).await;
    let running = a.match_id.clone();
    b.resign().await;
    let left = b.until_type("left").await;
    assert_eq!(left["match_id"], json!(running));
    b.play_bot().await;
    assert_ne!(b.match_id, running, "another match");
    assert_eq!(
        ask(&mut a, &["done"]).await["taken"],
        true,
        "the first match continues"
    );
    let view = stand(&mut a).await["view"].clone();
    assert_eq!(
        (&view["turn"], &view["present"]),
        (&json!(2), &json!([0, 1]))
    );
    house.crash();
    house.restart().await;
    let mut again = Player::arrive(&house, b.guest.clone()).await;
    again.until_seated().await;
    assert_eq!(
        again.match_id, b.match_id,
        "a player who has left is not called back"
    );
    let mut a = a.come_back(&house).await;
    assert_eq!(a.match_id, running);
    again.resign().await;
    again.until_end().await;
    again.play_bot().await;
    a.resign().await;
    let end = a.until_end().await;
    assert_eq!(
        end["outcome"]["winners"],
        json!([1]),
        "the bot is left: {end}"
    );
}

// One account over several connections.

#[tokio::test]
async fn the_last_connection_that_asks_has_the_place_in_the_queue() {
    let house = house().await;
    let mut before = house.player().await;
    before.queue().await;
    let mut now = Player::arrive(&house, before.guest.clone()).await;
    now.queue().await;
    before.until_type("unqueued").await;
    drop(before);
    until("the dead connection to be noticed", async || {
        house.census().n_connections == 1
    })
    .await;
    let mut other = house.player().await;
    other.queue().await;
    now.until_seated().await;
    other.until_seated().await;
    assert_eq!(now.match_id, other.match_id);
}

#[tokio::test]
async fn a_player_with_a_newer_connection_has_not_left_the_match() {
    let house = house().await;
    let mut before = house.player().await;
    before.queue().await;
    let mut now = Player::arrive(&house, before.guest.clone()).await;
    let mut other = house.player().await;
    other.queue().await;
    before.until_seated().await;
    other.until_seated().await;
    drop(before);
    now.until_seated().await;
    assert_eq!(now.match_id, other.match_id);
    other.ping().await;
    assert_eq!(other.n_heard("match_end"), 0, "{:#?}", other.heard);
    now.resign().await;
    assert_eq!(other.until_end().await["outcome"]["reason"], "resign");
}

// Matches that do not start.

/// Invites to a match for this stake, and returns the code.
async fn invite(player: &mut Player, stake: u64) -> Value {
    let wanted = json!({ "type": "invite_create", "game": "orcain", "stake": stake });
    player.say(&wanted).await;
    player.until_type("invited").await["code"].clone()
}

async fn accept(player: &mut Player, code: &Value) {
    let accept = json!({ "type": "invite_accept", "code": code });
    player.say(&accept).await;
}

#[tokio::test]
async fn a_player_whose_invitation_is_refused_stays_in_the_queue() {
    let house = house().await;
    let (mut maker, mut guest) = (house.player().await, house.player().await);
    let code = invite(&mut maker, 1).await;
    maker.play_bot().await;
    guest.queue().await;
    accept(&mut guest, &code).await;
    let refused = guest.until_error().await;
    assert_eq!(refused["code"], "invitation_maker_away");
    let mut third = house.player().await;
    third.queue().await;
    guest.until_seated().await;
    third.until_seated().await;
    assert_eq!(guest.match_id, third.match_id);
}

#[tokio::test]
async fn an_invitation_whose_match_does_not_start_is_not_used_up() {
    let house = House::with(|options| options.start_tokens = Some(3)).await;
    let (mut maker, mut poor) = (house.player().await, house.player().await);
    let mut rich = house.player().await;
    let code = invite(&mut maker, 2).await;
    assert_eq!(house.rename(&poor.guest, "First").await.status, 200);
    assert_eq!(house.rename(&poor.guest, "Second").await.status, 200);
    accept(&mut poor, &code).await;
    assert_eq!(poor.until_error().await["code"], "not_enough_tokens");
    accept(&mut rich, &code).await;
    rich.until_seated().await;
    maker.until_seated().await;
    accept(&mut poor, &code).await;
    assert_eq!(poor.until_error().await["code"], "invitation_unknown");
    house.check_books();
}

#[tokio::test]
async fn a_player_in_a_match_waits_over_no_other_connection() {
    let house = house().await;
    let mut waits = house.player().await;
    waits.queue().await;
    let mut plays = Player::arrive(&house, waits.guest.clone()).await;
    plays.play_bot().await;
    let told = waits.until_type("unqueued").await;
    assert_eq!(told["reason"], "already_in_match");
}

// Answers go to the connection that asked.

#[tokio::test]
async fn a_match_starts_over_the_connection_that_asked_for_it() {
    let house = house().await;
    let (mut a, mut b) = (house.player().await, house.player().await);
    let mut newer = Player::arrive(&house, a.guest.clone()).await;
    // A lobby.
    let order = json!({ "game": "catan", "seats": ["host", "guest"] });
    lobby(&house, &order, &mut [&mut a, &mut b]).await;
    both_end(&mut a, &mut b).await;
    // A rematch.
    let mut newest = Player::arrive(&house, a.guest.clone()).await;
    say(&mut a, "rematch").await;
    a.until_type("rematch").await;
    say(&mut b, "rematch").await;
    a.until_seated().await;
    b.until_seated().await;
    both_end(&mut a, &mut b).await;
    // An invitation.
    let mut last = Player::arrive(&house, a.guest.clone()).await;
    let code = invite(&mut a, 1).await;
    accept(&mut b, &code).await;
    a.until_seated().await;
    b.until_seated().await;
    for other in [&mut newer, &mut newest, &mut last] {
        other.ping().await;
        assert_eq!(other.n_heard("match_found"), 0, "{:#?}", other.heard);
    }
}

#[tokio::test]
async fn old_clients_receive_no_lobby_and_no_game_they_cannot_play() {
    let house = house().await;
    let (mut a, mut b) = (house.player().await, house.player().await);
    let order = json!({ "game": "catan", "seats": ["host", "guest"] });
    let opened = house.post_as(&a.guest, "/api/tables", &order).await;
    let sit = json!({ "type": "table_join", "code": opened.json()["code"] });
    a.say(&sit).await;
    a.until_type("table").await;
    let mut old = OldClient::arrive(&house, &a.guest).await;
    b.say(&sit).await;
    a.until_seated().await;
    b.until_seated().await;
    // An old client that connects while the match runs is refused in its own protocol.
    let mut later = OldClient::arrive(&house, &a.guest).await;
    let refused = later.until("error_msg").await;
    assert_eq!(refused["code"], "not_seated");
    b.resign().await;
    a.until_end().await;
    old.ping().await;
    later.ping().await;
    for frame in old.heard.iter().chain(&later.heard) {
        assert!(!frame.starts_with('{'), "{frame}");
    }
}

#[tokio::test]
async fn a_full_lobby_starts_as_soon_as_the_last_player_is_free() {
    let house = house().await;
    let (mut host, mut guest) = (house.player().await, house.player().await);
    let order = json!({ "game": "catan", "seats": ["host", "guest"] });
    let opened = house.post_as(&host.guest, "/api/tables", &order).await;
    let sit = json!({ "type": "table_join", "code": opened.json()["code"] });
    host.say(&sit).await;
    host.until_type("table").await;
    host.play_bot().await;
    guest.say(&sit).await;
    guest.until_type("table").await;
    host.resign().await;
    host.until_end().await;
    host.until_seated().await;
    guest.until_seated().await;
    assert_eq!(host.match_id, guest.match_id);
}

// A hello over the same socket.

#[tokio::test]
async fn a_second_hello_receives_the_match_again() {
    let house = house().await;
    let (mut a, mut b) = house.duel().await;
    let welcome = a.hello(None).await;
    assert_eq!(welcome["match_id"], json!(a.match_id));
    let again = a.until_type("match_found").await;
    assert_eq!(
        (&again["match_id"], &again["resumed"]),
        (&welcome["match_id"], &json!(true))
    );
    a.until_message("standing").await;
    both_end(&mut b, &mut a).await;
    a.ping().await;
    assert_eq!(a.n_heard("match_end"), 1);
}

#[tokio::test]
async fn a_second_hello_behind_the_curtain_learns_that_it_is_drawn() {
    let house = house().await;
    let mut screen = hotseat(&house).await;
    screen.hello(None).await;
    let again = screen.until_type("match_found").await;
    assert_eq!(again["curtain"], true, "{again}");
    screen.ping().await;
    assert_eq!(screen.n_heard("error"), 0, "{:#?}", screen.heard);
    sit(&mut screen, 0).await;
}
